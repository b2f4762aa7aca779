"""Conversations written by hand, a provider each, to be spoiled."""

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from tests import servers

SCHEMA = {
    "type": "object",
    "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
    "required": ["a"],
    "additionalProperties": False,
}
ADD = {"name": "add", "description": "Add two integers."}
QUESTION = {"role": "user", "content": "What is 19 plus 23, and what is 1 plus many?"}


@dataclass(frozen=True, kw_only=True)
class Wire:
    """How one provider writes it.

    Args:
        serve: The server.
        path: Where requests go, after the server's address.
        body: (messages, tools) -> the request.
        tool: One tool.
        question: What the user says.
        turn: A response -> the model's turn, as messages.
        calls: The turn's messages -> its calls, to be changed in place.
        result: (call, text, failed) -> the result of one call.
        joined: Results -> messages.
        spoil: Changes one call's arguments.
    """

    serve: Callable[[], AbstractContextManager[str]]
    path: str
    body: Callable[[list, list], dict]
    tool: dict
    turn: Callable[[dict], list]
    calls: Callable[[list], list]
    result: Callable[[dict, str, bool], dict]
    spoil: Callable[[dict], None]
    question: dict = field(default_factory=lambda: QUESTION)
    joined: Callable[[list], list] = list
    together: bool = False


def post(url: str, body: Any) -> tuple[int, dict]:
    """Return the status and the body of an answer."""
    data = json.dumps(body).encode()
    request = Request(url, data=data, headers={"Content-Type": "application/json"})
    try:
        with urlopen(request, timeout=10) as response:
            return response.status, json.load(response)
    except HTTPError as error:
        with error:
            return error.code, json.load(error)


def _chat_turn(response):
    return [response["choices"][0]["message"]]


def _chat_calls(turn):
    return turn[0]["tool_calls"]


def _chat_result(call, text, failed):
    return {"role": "tool", "tool_call_id": call["id"], "content": text}


def _change_text(call):
    holder = call.get("function", call)
    holder["arguments"] = holder["arguments"].replace("19", "91").replace('"a": 1,', '"a": 2,')


def _chat_body(messages, tools):
    return {"model": "m", "messages": messages, "tools": tools}


def _change_input(call):
    call["input"]["a"] += 1


WIRES = {
    "openai": Wire(
        serve=servers.openai_server,
        path="/chat/completions",
        body=_chat_body,
        tool={"type": "function", "function": {**ADD, "parameters": SCHEMA}},
        turn=_chat_turn,
        calls=_chat_calls,
        result=_chat_result,
        spoil=_change_text,
    ),
    "openai-responses": Wire(
        serve=servers.openai_server,
        path="/responses",
        body=lambda messages, tools: {"model": "m", "input": messages, "tools": tools},
        tool={"type": "function", **ADD, "parameters": SCHEMA, "strict": False},
        turn=lambda response: response["output"],
        calls=lambda turn: [item for item in turn if item["type"] == "function_call"],
        result=lambda call, text, failed: {
            "type": "function_call_output",
            "call_id": call["call_id"],
            "output": text,
        },
        spoil=_change_text,
    ),
    "anthropic": Wire(
        serve=servers.anthropic_server,
        path="/v1/messages",
        body=lambda messages, tools: {
            "model": "m",
            "max_tokens": 9,
            "messages": messages,
            "tools": tools,
        },
        tool={**ADD, "input_schema": SCHEMA},
        turn=lambda response: [{"role": "assistant", "content": response["content"]}],
        calls=lambda turn: [b for b in turn[0]["content"] if b["type"] == "tool_use"],
        result=lambda call, text, failed: {
            "type": "tool_result",
            "tool_use_id": call["id"],
            "content": text,
            "is_error": failed,
        },
        spoil=_change_input,
        joined=lambda results: [{"role": "user", "content": results}],
        together=True,
    ),
}


@dataclass
class Conversation:
    """A first turn that a server has sent, and what was answered to it."""

    wire: Wire
    url: str

    def __post_init__(self):
        status, response = self.send([self.wire.question])
        assert status == 200, response
        self.turn = self.wire.turn(response)
        first, second = self.wire.calls(deepcopy(self.turn))
        self.results = [
            self.wire.result(first, "42", False),
            self.wire.result(second, "Error: b: should be a valid integer", True),
        ]

    def send(self, messages, tools=None):
        tools = [self.wire.tool] if tools is None else tools
        return post(self.url + self.wire.path, self.wire.body(messages, tools))

    def go_on(self, *after):
        """Send the question, the turn, and what comes after."""
        return self.send([self.wire.question, *self.turn, *after])
