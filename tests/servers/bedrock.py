"""Amazon Bedrock's Converse, whole and as an event stream."""

import json
import struct
from binascii import crc32

from tests.servers import history, shapes
from tests.servers.script import FINAL, THOUGHT, Actor, halves
from tests.servers.serving import Refused, Reply, json_reply

ID = r"[a-zA-Z0-9_.:-]{1,64}"
USAGE = {"inputTokens": 9, "outputTokens": 9, "totalTokens": 18}


class Converse(Actor):
    """``converse`` and ``converse-stream``, strict about all that they are sent."""

    path = "/model/[^/]+/converse(-stream)?"

    def reply(self, request):
        body = request.body
        shapes.exactly(body, "request", ["messages", "toolConfig"], ["inferenceConfig", "system"])
        shapes.exactly(body["toolConfig"], "toolConfig", ["tools"], ["toolChoice"])
        for place, tool in enumerate(body["toolConfig"]["tools"]):
            shapes.exactly(tool, f"tools.{place}", ["toolSpec"])
            self.tool(tool["toolSpec"], f"tools.{place}")
        events = [self.event(m, f"messages.{i}") for i, m in enumerate(body["messages"])]
        content, reason = self.content(history.check(events, sent=self.sent, together=True))
        if request.path.endswith("-stream"):
            frames = [frame(kind, event) for kind, event in self.events(content, reason)]
            return Reply(pieces=frames, kind="application/vnd.amazon.eventstream")
        output = {"message": {"role": "assistant", "content": content}}
        whole = {"output": output, "stopReason": reason, "usage": USAGE}
        return json_reply(whole | {"metrics": {"latencyMs": 1}})

    def refusal(self, reason):
        headers = {"x-amzn-ErrorType": "ValidationException"}
        return json_reply({"message": reason}, status=400, headers=headers)

    def tool(self, tool, where):
        shapes.exactly(tool, where, ["name", "inputSchema"], ["description", "strict"])
        shapes.named(tool["name"], where)
        shapes.text(tool.get("description", "-"), where, empty=False)
        shapes.exactly(tool["inputSchema"], where, ["json"])
        strict = tool.get("strict", False)
        shapes.schema(tool["inputSchema"]["json"], where, provider="bedrock", strict=strict)

    def event(self, message, where):
        shapes.exactly(message, where, ["role", "content"])
        content = message["content"]
        if message["role"] == "assistant":
            keys = [block["toolUse"]["toolUseId"] for block in content if "toolUse" in block]
            return history.Turn(content, keys) if keys else history.Said("assistant")
        results = [block["toolResult"] for block in content if "toolResult" in block]
        if results and len(results) < len(content):
            raise Refused(f"{where}: some models refuse text beside results")
        for block in content:
            shapes.exactly(block, where, [], ["text", "toolResult"])
        for result in results:
            self.result(result, where)
        keys = [result["toolUseId"] for result in results]
        return history.Answers(keys) if results else history.Said("user")

    def result(self, result, where):
        shapes.exactly(result, where, ["toolUseId", "content"], ["status"])
        shapes.named(result["toolUseId"], where, ID)
        if result.get("status", "success") not in ("success", "error"):
            raise Refused(f"{where}.status: {result['status']!r} is unknown")
        if result.get("status") == "error" and not result["content"]:
            raise Refused(f"{where}: an error must have content")
        for block in result["content"]:
            shapes.exactly(block, where, ["text"])
            shapes.text(block["text"], where, empty=False)

    def content(self, turns):
        asks = self.asks(turns)
        if not asks:
            return [{"text": FINAL}], "end_turn"
        thought = {"reasoningText": {"text": THOUGHT, "signature": "c2lnbmVk"}}
        content = [{"reasoningContent": thought}, {"text": THOUGHT}, *map(self.call, asks)]
        self.sent.append(content)
        return content, "tool_use"

    def call(self, ask):
        key = self.key("tooluse_{}")
        return {"toolUse": {"toolUseId": key, "name": ask.name, "input": ask.arguments}}

    def events(self, content, reason):
        yield "messageStart", {"role": "assistant"}
        for index, block in enumerate(content):
            start, *deltas = self.pieces(block)
            place = {"contentBlockIndex": index}
            if start:
                yield "contentBlockStart", {"start": start, **place}
            for delta in deltas:
                yield "contentBlockDelta", {"delta": delta, **place}
            yield "contentBlockStop", place
        yield "messageStop", {"stopReason": reason}
        yield "metadata", {"usage": USAGE, "metrics": {"latencyMs": 1}}

    def pieces(self, block):
        """Return how a block opens, if it does so, then its deltas."""
        if "toolUse" in block:
            use = block["toolUse"]
            opened = {"toolUse": {"toolUseId": use["toolUseId"], "name": use["name"]}}
            return [opened, *({"toolUse": {"input": t}} for t in halves(json.dumps(use["input"])))]
        if "text" in block:
            return [None, *({"text": text} for text in halves(block["text"]))]
        thought = block["reasoningContent"]["reasoningText"]
        texts = [{"reasoningContent": {"text": text}} for text in halves(thought["text"])]
        return [None, *texts, {"reasoningContent": {"signature": thought["signature"]}}]


def frame(kind: str, event: object) -> bytes:
    """Return one message of an AWS event stream.

    The layout is that of ``application/vnd.amazon.eventstream``: both lengths and their checksum,
    headers, payload, the checksum of all.
    """
    payload = json.dumps(event).encode()
    headers = b"".join(
        struct.pack(">B", len(name)) + name + struct.pack(">BH", 7, len(value)) + value
        for name, value in (
            (b":event-type", kind.encode()),
            (b":content-type", b"application/json"),
            (b":message-type", b"event"),
        )
    )
    lengths = struct.pack(">II", 16 + len(headers) + len(payload), len(headers))
    begun = lengths + struct.pack(">I", crc32(lengths)) + headers + payload
    return begun + struct.pack(">I", crc32(begun))
