"""Chat completions as OpenAI speaks them."""

import json
from itertools import count

from tests.servers import history, shapes
from tests.servers.script import FINAL, SUMS, THOUGHT, Script, halves
from tests.servers.serving import Refused, json_reply, sse_reply

USAGE = {"prompt_tokens": 9, "completion_tokens": 9, "total_tokens": 18}


class Chat:
    """``/chat/completions``, strict about all that it is sent."""

    path = "/v1/chat/completions"
    keys = ("stream", "stream_options", "temperature", "tool_choice", "parallel_tool_calls")
    tool_keys = ("role", "tool_call_id", "content")
    provider = "openai"

    def __init__(self, script: Script = SUMS):
        self.script = script
        self.sent = []
        self.numbers = count(1)

    def reply(self, request):
        body = request.body
        shapes.exactly(body, "request", ["model", "messages", "tools"], self.keys)
        for place, tool in enumerate(body["tools"]):
            shapes.function(tool, f"tools.{place}", provider=self.provider)
        events = [self.event(m, f"messages.{i}") for i, m in enumerate(body["messages"])]
        turns = history.check(events, sent=self.sent)
        message, reason = self.message(turns)
        return self.streamed(message, reason) if body.get("stream") else self.whole(message, reason)

    def refusal(self, reason):
        error = {"message": reason, "type": "invalid_request_error", "param": None, "code": None}
        return json_reply({"error": error}, status=400)

    def event(self, message, where):
        match message.get("role"):
            case "system" | "user" as role:
                shapes.exactly(message, where, ["role", "content"])
                shapes.text(message["content"], where)
                return history.Said(role)
            case "assistant":
                return self.turn(message, where)
            case "tool":
                shapes.exactly(message, where, self.tool_keys)
                self.content(message["content"], f"{where}.content")
                return history.Answers([message["tool_call_id"]])
            case role:
                raise Refused(f"{where}.role: {role!r} is unknown")

    def content(self, content, where):
        for part in content if isinstance(content, list) else [{"type": "text", "text": content}]:
            shapes.exactly(part, where, ["type", "text"])
            shapes.text(part["text"], where)

    def turn(self, message, where):
        shapes.exactly(message, where, ["role"], ["content", "tool_calls", "refusal", "audio"])
        if message.get("content") is None and not message.get("tool_calls"):
            raise Refused(f"{where}: content or tool_calls must be given")
        if "tool_calls" not in message:
            shapes.text(message["content"], where)
            return history.Said("assistant")
        keys = [call["id"] for call in message["tool_calls"]]
        return history.Turn(history.without_nulls(message), keys)

    def message(self, turns):
        if turns >= len(self.script):
            return {"role": "assistant", "content": FINAL}, "stop"
        asked = [self.call(ask) for ask in self.script[turns]]
        message = {"role": "assistant", "content": THOUGHT, "tool_calls": asked}
        self.sent.append(message)
        return message, "tool_calls"

    def call(self, ask):
        inner = {"name": ask.name, "arguments": json.dumps(ask.arguments)}
        return {"id": f"call_{next(self.numbers)}", "type": "function", "function": inner}

    def frame(self, kind, choices, **further):
        made = {"id": f"chatcmpl-{len(self.sent)}", "object": kind, "created": 1, "model": "m"}
        return made | {"choices": choices} | further

    def whole(self, message, reason):
        choice = {"index": 0, "message": {"refusal": None, **message}, "logprobs": None}
        choices = [choice | {"finish_reason": reason}]
        return json_reply(self.frame("chat.completion", choices, usage=USAGE))

    def streamed(self, message, reason):
        chunks = [self.chunk(delta) for delta in self.deltas(message)]
        chunks.append(self.chunk({}, reason))
        chunks.append(self.frame("chat.completion.chunk", [], usage=USAGE))
        return sse_reply(chunks, end="data: [DONE]\n\n")

    def chunk(self, delta, reason=None):
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
        return self.frame("chat.completion.chunk", [choice])

    def deltas(self, message):
        yield {"role": "assistant", "content": ""}
        for text in halves(message["content"]):
            yield {"content": text}
        for index, call in enumerate(message.get("tool_calls", ())):
            yield {
                "tool_calls": [
                    {"index": index, **call, "function": {**call["function"], "arguments": ""}}
                ]
            }
            for text in halves(call["function"]["arguments"]):
                yield {"tool_calls": [{"index": index, "function": {"arguments": text}}]}
