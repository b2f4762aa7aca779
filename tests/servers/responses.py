"""OpenAI's Responses."""

from tests.servers import history, shapes
from tests.servers.script import FINAL, THOUGHT, Actor, halves
from tests.servers.serving import Refused, json_reply, sse_reply

OUTPUT = ("type", "call_id", "output")


class Responses(Actor):
    """``/responses`` without memory: all items of a turn go back."""

    path = "/v1/responses"

    def reply(self, request):
        body = request.body
        optional = ["stream", "store", "include", "instructions", "reasoning", "tool_choice"]
        shapes.exactly(body, "request", ["model", "input", "tools"], optional)
        for place, tool in enumerate(body["tools"]):
            self.tool(tool, f"tools.{place}")
        turns = history.check(self.events(body["input"]), sent=self.sent)
        response = self.response(turns, body["tools"])
        return self.streamed(response) if body.get("stream") else json_reply(response)

    def refusal(self, reason):
        error = {"message": reason, "type": "invalid_request_error", "param": None, "code": None}
        return json_reply({"error": error}, status=400)

    def tool(self, tool, where):
        optional = ["description", "output_schema"]
        shapes.exactly(tool, where, ["type", "name", "parameters", "strict"], optional)
        shapes.valid(tool.get("output_schema", {}), f"{where}.output_schema")
        shapes.named(tool["name"], f"{where}.name")
        shapes.text(tool.get("description", ""), f"{where}.description")
        schema, strict = tool["parameters"], tool["strict"]
        shapes.schema(schema, f"{where}.parameters", provider="openai", strict=strict)

    def events(self, items):
        """Give the history; items of the model that follow each other are one turn."""
        turn = []
        for place, item in enumerate([*items, None]):
            own = item is not None and (
                item.get("type") in ("reasoning", "function_call")
                or item.get("role") == "assistant"
            )
            if own:
                turn.append(history.without_nulls(item))
                continue
            if turn:
                yield self.turn(turn)
                turn = []
            if item is not None:
                yield self.event(item, f"input.{place}")

    def turn(self, items):
        keys = [item["call_id"] for item in items if item["type"] == "function_call"]
        return history.Turn(items, keys) if keys else history.Said("assistant")

    def event(self, item, where):
        if item.get("type") == "function_call_output":
            shapes.exactly(item, where, OUTPUT)
            shapes.text(item["output"], f"{where}.output")
            return history.Answers([item["call_id"]])
        shapes.exactly(item, where, ["role", "content"], ["type"])
        if item["role"] not in ("user", "system", "developer"):
            raise Refused(f"{where}.role: {item['role']!r} is unknown")
        return history.Said(item["role"])

    def response(self, turns, tools):
        is_last = not self.asks(turns)
        output = [self.said(turns)] if is_last else self.output(turns)
        if not is_last:
            self.sent.append(history.without_nulls(output))
        return {
            "id": f"resp_{turns}",
            "object": "response",
            "created_at": 1,
            "status": "completed",
            "error": None,
            "incomplete_details": None,
            "instructions": None,
            "metadata": {},
            "model": "m",
            "output": output,
            "parallel_tool_calls": True,
            "temperature": 1.0,
            "tool_choice": "auto",
            "tools": tools,
            "top_p": 1.0,
        }

    def said(self, turns):
        content = [{"type": "output_text", "text": FINAL, "annotations": [], "logprobs": []}]
        made = {"type": "message", "id": f"msg_{turns}", "role": "assistant"}
        return made | {"status": "completed", "content": content}

    def output(self, turns):
        summary = [{"type": "summary_text", "text": THOUGHT}]
        reasoning = {"type": "reasoning", "id": f"rs_{turns}", "summary": summary}
        reasoning |= {"encrypted_content": f"c2VjcmV0{turns}", "status": None}
        return [reasoning, *map(self.call, self.asks(turns))]

    def call(self, ask):
        number = self.key("{}")
        return {
            "type": "function_call",
            "id": f"fc_{number}",
            "call_id": f"call_{number}",
            "name": ask.name,
            "arguments": ask.text(),
            "status": "completed",
        }

    def streamed(self, response):
        opened = {**response, "status": "in_progress", "output": []}
        events = [
            {"type": f"response.{kind}", "response": opened} for kind in ("created", "in_progress")
        ]
        for index, item in enumerate(response["output"]):
            events += [{"output_index": index, **event} for event in self.pieces(item)]
        events.append({"type": "response.completed", "response": response})
        numbered = [{**event, "sequence_number": number} for number, event in enumerate(events)]
        return sse_reply(numbered, named=True)

    def pieces(self, item):
        """Give the events of one item."""
        if item["type"] == "function_call":
            opened = {**item, "arguments": "", "status": "in_progress"}
            yield {"type": "response.output_item.added", "item": opened}
            name = "response.function_call_arguments"
            for text in halves(item["arguments"]):
                yield {"type": f"{name}.delta", "item_id": item["id"], "delta": text}
            done = {"item_id": item["id"], "name": item["name"], "arguments": item["arguments"]}
            yield {"type": f"{name}.done", **done}
        else:
            yield {"type": "response.output_item.added", "item": item}
        if item["type"] == "message":
            place = {"item_id": item["id"], "content_index": 0}
            for text in halves(FINAL):
                yield {"type": "response.output_text.delta", **place, "delta": text, "logprobs": []}
        yield {"type": "response.output_item.done", "item": item}
