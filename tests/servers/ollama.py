"""Ollama's chat: calls without ids, objects as arguments."""

import json

from tests.servers import history, shapes
from tests.servers.script import FINAL, THOUGHT, Actor, halves
from tests.servers.serving import Refused, Reply, json_reply


class Ollama(Actor):
    """``/api/chat``, strict about all that it is sent."""

    path = "/api/chat"

    def reply(self, request):
        body = request.body
        optional = ["stream", "options", "keep_alive", "think", "format"]
        shapes.exactly(body, "request", ["model", "messages", "tools"], optional)
        for place, tool in enumerate(body["tools"]):
            shapes.function(tool, f"tools.{place}", provider="ollama", strict=False)
        events = [self.event(m, f"messages.{i}") for i, m in enumerate(body["messages"])]
        message = self.message(history.check(events, sent=self.sent))
        if body.get("stream", True):
            lines = [json.dumps(chunk).encode() + b"\n" for chunk in self.chunks(message)]
            return Reply(pieces=lines, kind="application/x-ndjson")
        return json_reply(self.frame(message, done=True))

    def refusal(self, reason):
        return json_reply({"error": reason}, status=400)

    def event(self, message, where):
        match message.get("role"):
            case "system" | "user" as role:
                shapes.exactly(message, where, ["role", "content"])
                return history.Said(role)
            case "assistant":
                shapes.exactly(message, where, ["role"], ["content", "thinking", "tool_calls"])
                keys = [self.asked(call, where) for call in message.get("tool_calls", ())]
                return history.Turn(message, keys) if keys else history.Said("assistant")
            case "tool":
                shapes.exactly(message, where, ["role", "tool_name", "content"], ["images"])
                shapes.text(message["content"], where)
                return history.Answers([message["tool_name"]])
            case role:
                raise Refused(f"{where}.role: {role!r} is unknown")

    def asked(self, call, where):
        shapes.exactly(call, where, ["function"])
        shapes.exactly(call["function"], where, ["name", "arguments"])
        return call["function"]["name"]

    def message(self, turns):
        asks = self.asks(turns)
        if not asks:
            return {"role": "assistant", "content": FINAL}
        calls = [{"function": {"name": ask.name, "arguments": ask.arguments}} for ask in asks]
        message = {"role": "assistant", "content": THOUGHT, "thinking": THOUGHT}
        message["tool_calls"] = calls
        self.sent.append(message)
        return message

    def frame(self, message, *, done):
        made = {"model": "m", "created_at": "2026-01-01T00:00:00Z", "message": message}
        return made | {"done": done} | ({"done_reason": "stop"} if done else {})

    def chunks(self, message):
        for key in ("thinking", "content"):
            for text in halves(message.get(key, "")):
                said = {"role": "assistant", "content": "", key: text}
                yield self.frame(said, done=False)
        for call in message.get("tool_calls", ()):
            asked = {"role": "assistant", "content": "", "tool_calls": [call]}
            yield self.frame(asked, done=False)
        yield self.frame({"role": "assistant", "content": ""}, done=True)
