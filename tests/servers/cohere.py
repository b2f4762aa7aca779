"""Cohere's chat, version 2."""

import json

from tests.servers import history, shapes
from tests.servers.script import FINAL, THOUGHT, Actor, halves
from tests.servers.serving import Refused, json_reply, sse_reply

USAGE = {"tokens": {"input_tokens": 9, "output_tokens": 9}}


class Cohere(Actor):
    """``/v2/chat``, strict about all that it is sent."""

    path = "/v2/chat"

    def reply(self, request):
        body = request.body
        optional = ["stream", "strict_tools", "tool_choice", "temperature"]
        shapes.exactly(body, "request", ["model", "messages", "tools"], optional)
        for place, tool in enumerate(body["tools"]):
            shapes.function(tool, f"tools.{place}", provider="cohere", strict=False)
        events = [self.event(m, f"messages.{i}") for i, m in enumerate(body["messages"])]
        message, reason = self.message(history.check(events, sent=self.sent))
        whole = {"id": f"c{len(self.sent)}", "finish_reason": reason, "message": message}
        if body.get("stream"):
            return sse_reply(self.events(whole), named=True)
        return json_reply({**whole, "usage": USAGE})

    def refusal(self, reason):
        return json_reply({"id": "e", "message": reason}, status=400)

    def event(self, message, where):
        match message.get("role"):
            case "system" | "user" as role:
                shapes.exactly(message, where, ["role", "content"])
                return history.Said(role)
            case "assistant":
                optional = ["content", "tool_calls", "tool_plan", "citations"]
                shapes.exactly(message, where, ["role"], optional)
                keys = [call["id"] for call in message.get("tool_calls", ())]
                return history.Turn(message, keys) if keys else history.Said("assistant")
            case "tool":
                shapes.exactly(message, where, ["role", "tool_call_id", "content"])
                self.content(message["content"], f"{where}.content")
                return history.Answers([message["tool_call_id"]])
            case role:
                raise Refused(f"{where}.role: {role!r} is unknown")

    def content(self, content, where):
        for part in content if isinstance(content, list) else [{"type": "text", "text": content}]:
            shapes.exactly(part, where, ["type", "text"])
            shapes.text(part["text"], where)

    def message(self, turns):
        asks = self.asks(turns)
        if not asks:
            return {"role": "assistant", "content": [{"type": "text", "text": FINAL}]}, "COMPLETE"
        calls = [self.call(ask) for ask in asks]
        message = {"role": "assistant", "tool_plan": THOUGHT, "tool_calls": calls}
        self.sent.append(message)
        return message, "TOOL_CALL"

    def call(self, ask):
        # as the format writes arguments: they go back as a JSON object
        inner = {"name": ask.name, "arguments": json.dumps(ask.arguments, separators=(",", ":"))}
        return {"id": self.key(f"{ask.name}_{{}}"), "type": "function", "function": inner}

    def events(self, whole):
        message = whole["message"]
        yield {
            "type": "message-start",
            "id": whole["id"],
            "delta": {"message": {"role": "assistant"}},
        }
        for text in halves(message.get("tool_plan", "")):
            yield {"type": "tool-plan-delta", "delta": {"message": {"tool_plan": text}}}
        for index, block in enumerate(message.get("content", ())):
            yield self.piece("content-start", index, {"content": {"type": "text", "text": ""}})
            for text in halves(block["text"]):
                yield self.piece("content-delta", index, {"content": {"text": text}})
            yield {"type": "content-end", "index": index}
        for index, call in enumerate(message.get("tool_calls", ())):
            inner = call["function"]
            opened = {**call, "function": {**inner, "arguments": ""}}
            yield self.piece("tool-call-start", index, {"tool_calls": opened})
            for text in halves(inner["arguments"]):
                part = {"tool_calls": {"function": {"arguments": text}}}
                yield self.piece("tool-call-delta", index, part)
            yield {"type": "tool-call-end", "index": index}
        delta = {"finish_reason": whole["finish_reason"], "usage": USAGE}
        yield {"type": "message-end", "id": whole["id"], "delta": delta}

    def piece(self, kind, index, message):
        return {"type": kind, "index": index, "delta": {"message": message}}
