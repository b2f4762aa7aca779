"""Gemini's generateContent."""

import re

from tests.servers import history, shapes
from tests.servers.script import FINAL, THOUGHT, Actor, Script
from tests.servers.serving import Refused, json_reply, sse_reply

NAME = r"[a-zA-Z_][a-zA-Z0-9_.-]{0,63}"
PARAMETER = r"[a-zA-Z_][a-zA-Z0-9_]{0,63}"


class Gemini(Actor):
    """``generateContent`` and its stream, strict about all that it is sent.

    Args:
        script: The calls of each turn.
        ids: Whether calls have ids.
        partial: Whether a stream brings arguments piece by piece.
    """

    path = r"/v1(beta)?/models/[^/]+:(generateContent|streamGenerateContent\?alt=sse)"

    def __init__(self, script: Script, *, ids: bool, partial: bool) -> None:
        super().__init__(script)
        self.ids = ids
        self.partial = partial

    def reply(self, request):
        body = request.body
        optional = ["generationConfig", "systemInstruction", "toolConfig"]
        shapes.exactly(body, "request", ["contents", "tools"], optional)
        for place, tool in enumerate(body["tools"]):
            shapes.exactly(tool, f"tools.{place}", ["functionDeclarations"])
            for index, one in enumerate(tool["functionDeclarations"]):
                self.declaration(one, f"tools.{place}.{index}")
        events = [self.event(c, f"contents.{i}") for i, c in enumerate(body["contents"])]
        parts = self.parts(history.check(events, sent=self.sent, together=True))
        if "stream" in request.path:
            return sse_reply([self.frame(*one) for one in self.chunks(parts)])
        return json_reply(self.frame(parts, "STOP"))

    def refusal(self, reason):
        error = {"code": 400, "message": reason, "status": "INVALID_ARGUMENT"}
        return json_reply({"error": error}, status=400)

    def declaration(self, one, where):
        # the SDK writes these keys in the other spelling, which is taken too
        one = {re.sub("_(.)", lambda m: m[1].upper(), key): value for key, value in one.items()}
        optional = ["description", "responseJsonSchema"]
        shapes.exactly(one, where, ["name", "parametersJsonSchema"], optional)
        shapes.named(one["name"], where, NAME)
        schema = one["parametersJsonSchema"]
        shapes.schema(schema, where, provider="gemini")
        shapes.valid(one.get("responseJsonSchema", {}), where)
        for name in schema["properties"]:
            shapes.named(name, where, PARAMETER)

    def event(self, content, where):
        shapes.exactly(content, where, ["role", "parts"])
        if content["role"] not in ("user", "model") or not content["parts"]:
            raise Refused(f"{where}: the role must be user or model, and there must be parts")
        kinds = {"model": "functionCall", "user": "functionResponse"}
        inner = [part.get(kinds[content["role"]]) for part in content["parts"]]
        if not any(inner):
            return history.Said("user" if content["role"] == "user" else "assistant")
        if not all(inner) and content["role"] == "user":
            raise Refused(f"{where}: results and other parts may not be mixed")
        keys = [one.get("id", one["name"]) for one in inner if one]
        if content["role"] == "model":
            return history.Turn([self.same(part) for part in content["parts"]], keys)
        for part, one in zip(content["parts"], inner, strict=True):
            shapes.exactly(part, where, ["functionResponse"])
            self.response(one, where)
        return history.Answers(keys)

    def same(self, part):
        """Return a part with its signature in one of base64's two alphabets."""
        if "thoughtSignature" not in part:
            return part
        signature = part["thoughtSignature"].replace("-", "+").replace("_", "/")
        return {**part, "thoughtSignature": signature}

    def response(self, one, where):
        shapes.exactly(one, where, ["name", "response"], ["parts", *(["id"] if self.ids else [])])
        shapes.exactly(one["response"], where, [], ["output", "error"])
        if len(one["response"]) != 1:
            raise Refused(f"{where}: a response holds output or error")

    def parts(self, turns):
        asks = self.asks(turns)
        if not asks:
            return [{"text": FINAL}]
        parts = [{"text": THOUGHT, "thought": True}, *map(self.call, asks)]
        parts[1]["thoughtSignature"] = "c2lnb/+v"
        self.sent.append(parts)
        return parts

    def call(self, ask):
        numbers = {k: float(v) if isinstance(v, int) else v for k, v in ask.arguments.items()}
        identified = {"id": self.key("fc-{}")} if self.ids else {}
        return {"functionCall": {**identified, "name": ask.name, "args": numbers}}

    def chunks(self, parts):
        for part in parts:
            if self.partial and "functionCall" in part:
                yield from (([piece], None) for piece in self.pieces(part))
            else:
                yield [part], None
        yield [{"text": ""}], "STOP"

    def pieces(self, part):
        """Give a call whose arguments arrive one by one."""
        call = part["functionCall"]
        begun = {key: value for key, value in call.items() if key != "args"}
        yield {**part, "functionCall": {**begun, "willContinue": True}}
        for name, value in call["args"].items():
            kind = "stringValue" if isinstance(value, str) else "numberValue"
            argument = {"jsonPath": f"$.{name}", kind: value}
            yield {"functionCall": {"partialArgs": [argument], "willContinue": True}}
        yield {"functionCall": {}}

    def frame(self, parts, reason):
        candidate = {"content": {"role": "model", "parts": parts}, "index": 0}
        ended = {"finishReason": reason} if reason else {}
        usage = {"promptTokenCount": 9, "totalTokenCount": 18}
        return {"candidates": [candidate | ended], "usageMetadata": usage, "modelVersion": "m"}
