"""Anthropic's Messages."""

import json

from tests.servers import history, shapes
from tests.servers.script import FINAL, THOUGHT, Actor, halves
from tests.servers.serving import Refused, json_reply, sse_reply

TEXT = ("type", "text")
RESULT = ("type", "tool_use_id", "content", "is_error")


class Messages(Actor):
    """``/v1/messages``, strict about all that it is sent."""

    path = "/v1/messages"

    def reply(self, request):
        body = request.body
        required = ["model", "max_tokens", "messages", "tools"]
        shapes.exactly(body, "request", required, ["stream", "system", "tool_choice", "thinking"])
        for place, tool in enumerate(body["tools"]):
            self.tool(tool, f"tools.{place}")
        events = [self.event(m, f"messages.{i}") for i, m in enumerate(body["messages"])]
        turns = history.check(events, sent=self.sent, together=True)
        message = self.message(turns)
        return self.streamed(message) if body.get("stream") else json_reply(message)

    def refusal(self, reason):
        error = {"type": "invalid_request_error", "message": reason}
        return json_reply({"type": "error", "error": error}, status=400)

    def tool(self, tool, where):
        optional = ["description", "type", "strict", "input_examples", "cache_control"]
        shapes.exactly(tool, where, ["name", "input_schema"], optional)
        shapes.named(tool["name"], f"{where}.name")
        shapes.text(tool.get("description", ""), f"{where}.description")
        schema = tool["input_schema"]
        strict = tool.get("strict", False)
        shapes.schema(schema, f"{where}.input_schema", provider="anthropic", strict=strict)
        for name in schema["properties"]:
            shapes.named(name, f"{where}.input_schema", r"[a-zA-Z0-9_.-]{1,64}")

    def event(self, message, where):
        shapes.exactly(message, where, ["role", "content"])
        content = message["content"]
        if message["role"] not in ("user", "assistant"):
            raise Refused(f"{where}.role: {message['role']!r} is unknown")
        if isinstance(content, str):
            shapes.text(content, where, empty=False)
            return history.Said(message["role"])
        if not content:
            raise Refused(f"{where}: must not be empty")
        return getattr(self, message["role"])(content, where)

    def assistant(self, content, where):
        keys = [block["id"] for block in content if block["type"] == "tool_use"]
        if not keys:
            return history.Said("assistant")
        return history.Turn(history.without_nulls(content), keys)

    def user(self, content, where):
        keys = [self.block(block, f"{where}.{place}") for place, block in enumerate(content)]
        results = [key for key in keys if key]
        if results != keys[: len(results)]:
            raise Refused(f"{where}: the results must come before other content")
        return history.Answers(results) if results else history.Said("user")

    def block(self, block, where):
        if block["type"] == "text":
            shapes.exactly(block, where, TEXT)
            shapes.text(block["text"], where, empty=False)
            return None
        if block["type"] != "tool_result":
            raise Refused(f"{where}.type: {block['type']!r} is unknown")
        shapes.exactly(block, where, RESULT[:2], RESULT[2:])
        content = block.get("content", "")
        if block.get("is_error") and not content:
            raise Refused(f"{where}: content cannot be empty if is_error is true")
        if isinstance(content, str):
            shapes.text(content, where)
        else:
            for part in content:
                shapes.exactly(part, where, TEXT)
                shapes.text(part["text"], where, empty=False)
        return block["tool_use_id"]

    def message(self, turns):
        is_last = not self.asks(turns)
        content = [{"type": "text", "text": FINAL}] if is_last else self.content(turns)
        if not is_last:
            self.sent.append(content)
        return {
            "id": f"msg_{turns}",
            "type": "message",
            "role": "assistant",
            "model": "claude",
            "content": content,
            "stop_reason": "end_turn" if is_last else "tool_use",
            "stop_sequence": None,
            "usage": {"input_tokens": 9, "output_tokens": 9},
        }

    def content(self, turns):
        thought = {"type": "thinking", "thinking": THOUGHT, "signature": f"c2lnbmVk{turns}"}
        said = {"type": "text", "text": THOUGHT}
        return [thought, said, *map(self.call, self.asks(turns))]

    def call(self, ask):
        key = self.key("toolu_{}")
        return {"type": "tool_use", "id": key, "name": ask.name, "input": ask.arguments}

    def streamed(self, message):
        opened = {**message, "content": [], "stop_reason": None}
        events = [{"type": "message_start", "message": opened}, {"type": "ping"}]
        for index, block in enumerate(message["content"]):
            start, *deltas = self.pieces(block)
            events.append({"type": "content_block_start", "index": index, "content_block": start})
            events += [
                {"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas
            ]
            events.append({"type": "content_block_stop", "index": index})
        end = {"stop_reason": message["stop_reason"], "stop_sequence": None}
        events.append({"type": "message_delta", "delta": end, "usage": {"output_tokens": 9}})
        events.append({"type": "message_stop"})
        return sse_reply(events, named=True)

    def pieces(self, block):
        """Return a block as it opens, then what is added to it."""
        match block["type"]:
            case "tool_use":
                texts = ("", *halves(json.dumps(block["input"])))
                deltas = [{"type": "input_json_delta", "partial_json": text} for text in texts]
                return [{**block, "input": {}}, *deltas]
            case "thinking":
                deltas = [
                    {"type": "thinking_delta", "thinking": text}
                    for text in halves(block["thinking"])
                ]
                signed = {"type": "signature_delta", "signature": block["signature"]}
                return [{**block, "thinking": "", "signature": ""}, *deltas, signed]
            case _:
                deltas = [{"type": "text_delta", "text": text} for text in halves(block["text"])]
                return [{**block, "text": ""}, *deltas]
