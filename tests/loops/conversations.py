"""Conversations written by hand, a provider each, to be spoiled."""

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from tests import servers
from tests.servers.script import Ask

SCHEMA = {
    "type": "object",
    "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
    "required": ["a"],
}
ADD = {"name": "add", "description": "Add two integers."}
FUNCTION = {"type": "function", "function": {**ADD, "parameters": SCHEMA}}
SAID = "What is 19 plus 23, and what is 1 by 0?"
QUESTION = {"role": "user", "content": SAID}
SCRIPT = ((Ask("add", {"a": 19, "b": 23}), Ask("divide", {"by": 0})),)


@dataclass(frozen=True, kw_only=True)
class Wire:
    """How one provider writes it.

    Args:
        serve: The server.
        path: Where requests go, after the server's address.
        body: (messages, tools) -> the request.
        tool: One tool.
        turn: A response -> the model's turn, as messages.
        calls: The turn's messages -> its calls, to be changed in place.
        result: (call, text, failed) -> the result of one call.
        spoil: Changes one call's arguments.
        question: What the user says.
        joined: Results -> messages.
        together: Whether one message must hold all results.
    """

    serve: Callable[..., AbstractContextManager[str]]
    path: str
    body: Callable[[list, list], dict]
    tool: Any
    turn: Callable[[dict], list]
    calls: Callable[[list], list]
    result: Callable[[dict, str, bool], dict]
    spoil: Callable[[dict], None]
    question: Any
    joined: Callable[[list], list] = list
    together: bool = False


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
            self.wire.result(second, "Error: ZeroDivisionError: division by zero", True),
        ]

    def send(self, messages, tools=None):
        """Send a request; give the status and the body of the answer."""
        tools = [self.wire.tool] if tools is None else tools
        return post(self.url + self.wire.path, self.wire.body(messages, tools))

    def go_on(self, *after):
        """Send the question, the turn, and what comes after."""
        return self.send([self.wire.question, *self.turn, *after])


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


def change_text(call):
    holder = call.get("function", call)
    holder["arguments"] = holder["arguments"].replace("0", "1")


def chat(serve, path, **changes):
    """Return how a provider writes it that follows Chat Completions."""
    usual = {
        "body": lambda messages, tools: {"model": "m", "messages": messages, "tools": tools},
        "tool": FUNCTION,
        "turn": lambda response: [response["choices"][0]["message"]],
        "calls": lambda turn: turn[0]["tool_calls"],
        "result": chat_result,
        "spoil": change_text,
        "question": QUESTION,
    }
    return Wire(serve=partial(serve, SCRIPT), path=path, **{**usual, **changes})


def chat_result(call, text, failed):
    return {"role": "tool", "tool_call_id": call["id"], "content": text}


def mistral_result(call, text, failed):
    return {**chat_result(call, text, failed), "name": call["function"]["name"]}


def ollama_body(messages, tools):
    return {"model": "m", "messages": messages, "tools": tools, "stream": False}


def ollama_result(call, text, failed):
    return {"role": "tool", "tool_name": call["function"]["name"], "content": text}


RESPONSES = Wire(
    serve=partial(servers.openai_server, SCRIPT),
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
    spoil=change_text,
    question=QUESTION,
)
ANTHROPIC = Wire(
    serve=partial(servers.anthropic_server, SCRIPT),
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
    spoil=lambda call: call["input"].update(by=1),
    question=QUESTION,
    joined=lambda results: [{"role": "user", "content": results}],
    together=True,
)
BEDROCK = Wire(
    serve=partial(servers.bedrock_server, SCRIPT),
    path="/model/m/converse",
    body=lambda messages, tools: {"messages": messages, "toolConfig": {"tools": tools}},
    tool={"toolSpec": {**ADD, "inputSchema": {"json": SCHEMA}}},
    turn=lambda response: [response["output"]["message"]],
    calls=lambda turn: [b["toolUse"] for b in turn[0]["content"] if "toolUse" in b],
    result=lambda call, text, failed: {
        "toolResult": {
            "toolUseId": call["toolUseId"],
            "content": [{"text": text}],
            "status": "error" if failed else "success",
        }
    },
    spoil=lambda call: call["input"].update(by=1),
    question={"role": "user", "content": [{"text": SAID}]},
    joined=lambda results: [{"role": "user", "content": results}],
    together=True,
)


def gemini_result(call, text, failed):
    identified = {"id": call["id"]} if "id" in call else {}
    response = {"error" if failed else "output": text}
    return {"functionResponse": {**identified, "name": call["name"], "response": response}}


def gemini(*, ids):
    """Return how Gemini writes it, with ids or without."""
    return Wire(
        serve=partial(servers.gemini_server, SCRIPT, ids=ids),
        path="/v1/models/m:generateContent",
        body=lambda messages, tools: {"contents": messages, "tools": tools},
        tool={"functionDeclarations": [{**ADD, "parametersJsonSchema": SCHEMA}]},
        turn=lambda response: [response["candidates"][0]["content"]],
        calls=lambda turn: [p["functionCall"] for p in turn[0]["parts"] if "functionCall" in p],
        result=gemini_result,
        spoil=lambda call: call["args"].update(by=1),
        question={"role": "user", "parts": [{"text": SAID}]},
        joined=lambda results: [{"role": "user", "parts": results}],
        together=True,
    )


WIRES = {
    "openai": chat(servers.openai_server, "/chat/completions"),
    "openai-responses": RESPONSES,
    "anthropic": ANTHROPIC,
    "gemini": gemini(ids=False),
    "gemini-ids": gemini(ids=True),
    "bedrock": BEDROCK,
    "mistral": chat(servers.mistral_server, "/v1/chat/completions", result=mistral_result),
    "cohere": chat(servers.cohere_server, "/v2/chat", turn=lambda response: [response["message"]]),
    "groq": chat(servers.groq_server, "/openai/v1/chat/completions"),
    "ollama": chat(
        servers.ollama_server,
        "/api/chat",
        body=ollama_body,
        turn=lambda response: [response["message"]],
        result=ollama_result,
        spoil=lambda call: call["function"]["arguments"].update(by=1),
    ),
}
