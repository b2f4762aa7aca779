"""Chat completions as OpenAI speaks them, and Groq's and Mistral's dialects."""

import re

from tests.servers import history, shapes
from tests.servers.script import FINAL, THOUGHT, Actor, halves
from tests.servers.serving import Refused, json_reply, sse_reply

USAGE = {"prompt_tokens": 9, "completion_tokens": 9, "total_tokens": 18}


class Chat(Actor):
    """``/chat/completions`` of OpenAI, strict about all that it is sent."""

    path = "/v1/chat/completions"
    keys = ("stream", "stream_options", "temperature", "tool_choice", "parallel_tool_calls")
    result_keys = ("role", "tool_call_id", "content")
    turn_keys = ("content", "tool_calls", "refusal", "audio")
    nulls = {"refusal": None}
    extra = {}
    id_form = "call_{}"

    def reply(self, request):
        body = request.body
        shapes.exactly(body, "request", ["model", "messages", "tools"], self.keys)
        for place, tool in enumerate(body["tools"]):
            shapes.function(tool, f"tools.{place}", provider="openai")
        events = [self.event(m, f"messages.{i}") for i, m in enumerate(body["messages"])]
        message, reason = self.message(history.check(events, sent=self.sent))
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
                shapes.exactly(message, where, self.result_keys)
                self.content(message["content"], f"{where}.content")
                return history.Answers([message["tool_call_id"]])
            case role:
                raise Refused(f"{where}.role: {role!r} is unknown")

    def content(self, content, where):
        for part in content if isinstance(content, list) else [{"type": "text", "text": content}]:
            shapes.exactly(part, where, ["type", "text"])
            shapes.text(part["text"], where)

    def turn(self, message, where):
        shapes.exactly(message, where, ["role"], self.turn_keys)
        if message.get("content") is None and not message.get("tool_calls"):
            raise Refused(f"{where}: content or tool_calls must be given")
        if "tool_calls" not in message:
            shapes.text(message["content"], where)
            return history.Said("assistant")
        keys = [call["id"] for call in message["tool_calls"]]
        return history.Turn(history.without_nulls(message), keys)

    def message(self, turns):
        asks = self.asks(turns)
        if not asks:
            return {"role": "assistant", "content": FINAL}, "stop"
        calls = [self.call(ask) for ask in asks]
        message = {"role": "assistant", "content": THOUGHT, **self.extra, "tool_calls": calls}
        self.sent.append(message)
        return message, "tool_calls"

    def call(self, ask):
        inner = {"name": ask.name, "arguments": ask.text()}
        return {"id": self.key(self.id_form), "type": "function", "function": inner}

    def frame(self, kind, choices, **further):
        made = {"id": f"chatcmpl-{len(self.sent)}", "object": kind, "created": 1, "model": "m"}
        return made | {"choices": choices} | further

    def whole(self, message, reason):
        choice = {"index": 0, "message": {**self.nulls, **message}, "logprobs": None}
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
        for key in ("content", *self.extra):
            for text in halves(message.get(key, "")):
                yield {key: text}
        for index, call in enumerate(message.get("tool_calls", ())):
            for piece in self.fragments(call):
                yield {"tool_calls": [{"index": index, **piece}]}

    def fragments(self, call):
        yield {**call, "function": {**call["function"], "arguments": ""}}
        for text in halves(call["function"]["arguments"]):
            yield {"function": {"arguments": text}}


class Groq(Chat):
    """Groq's: the same, with the reasoning as text."""

    path = "/openai/v1/chat/completions"
    turn_keys = ("content", "tool_calls", "reasoning")
    nulls = {}
    extra = {"reasoning": THOUGHT}


class Mistral(Chat):
    """Mistral's: ids of nine characters, the name beside each result."""

    keys = (*Chat.keys, "response_format")
    result_keys = (*Chat.result_keys, "name")
    turn_keys = ("content", "tool_calls", "prefix")
    nulls = {}
    id_form = "mistral{:02}"

    def refusal(self, reason):
        return json_reply({"object": "error", "message": reason}, status=400)

    def event(self, message, where):
        if message.get("role") == "tool" and not re.fullmatch(
            "[a-zA-Z0-9]{9}", message["tool_call_id"]
        ):
            raise Refused(f"{where}.tool_call_id: must be nine letters and digits")
        return super().event(message, where)

    def turn(self, message, where):
        message = {key: value for key, value in message.items() if key != "prefix"}
        calls = [
            {key: value for key, value in call.items() if key != "index"}
            for call in message.get("tool_calls", ())
        ]
        return super().turn({**message, "tool_calls": calls} if calls else message, where)

    def fragments(self, call):
        """Give a call, and a continuation without a name or an id of its own."""
        first, second = halves(call["function"]["arguments"])
        yield {**call, "function": {**call["function"], "arguments": first}}
        yield {"id": "null", "function": {"name": "", "arguments": second}}
