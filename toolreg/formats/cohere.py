"""Cohere's chat, version 2.

The rules come from the types of the ``cohere`` package (``cohere.types``) and the pages on tool use
at https://docs.cohere.com. Strict mode belongs to the request there (``strict_tools=True``), not to
a tool.
"""

from collections.abc import Sequence
from typing import Final

from .._types import JsonObject, Spec, ToolCall, ToolResult
from . import _chat
from ._answers import answer, answered, content
from ._chat_stream import ChatStream
from ._wire import json_text, loose, mapping_of, merge, options, plain, record, safe, text

__all__ = [
    "assistant",
    "calls",
    "messages",
    "safe_name",
    "safe_parameter",
    "spec",
    "stream",
    "strict_faults",
    "tools",
]

_KEPT: Final = ("tool_plan", "content", "citations")
_NO_STRICT: Final = "Cohere has no strict tools: strict_tools=True belongs to the request"


def spec(spec: Spec, strict: bool = False) -> JsonObject:  # noqa: ARG001, FBT001, FBT002 - a format's one choice
    """Return one tool as ``{"type": "function", "function": {...}}``.

    Args:
        spec: The tool.
        strict: Makes no difference here.
    """
    made = _chat.function(spec, loose(spec))
    return merge(made, options(spec, "cohere"))


def strict_faults(spec: Spec) -> tuple[str, ...]:  # noqa: ARG001 - no tool can be
    """Return why a tool cannot be strict: the request decides.

    Args:
        spec: The tool.
    """
    return (_NO_STRICT,)


def tools(specs: Sequence[Spec], strict: bool = False) -> list[JsonObject]:  # noqa: FBT001, FBT002 - a format's one choice
    """Return what goes into ``tools=`` of a request.

    Args:
        specs: The tools, in order.
        strict: Makes no difference here.
    """
    return [spec(each, strict) for each in specs]


def safe_name(name: str) -> str:
    """Return a tool's name of at most 64 letters, digits, ``_`` and ``-``.

    Args:
        name: The tool's name.
    """
    return safe(name, first="a-zA-Z0-9_-")


def safe_parameter(name: str) -> str:
    """Return a parameter's name: any will do.

    Args:
        name: The parameter's name.
    """
    return name


def calls(response: object) -> list[ToolCall]:
    """Return the calls of a response, in order.

    Args:
        response: A ``V2ChatResponse``, the same as plain values, a stream, or calls.
    """
    return _chat.calls(response)


class _Events(ChatStream):
    """The events of a stream, each told as a piece of the message."""

    def feed(self, chunk: object) -> list[ToolCall]:
        event = record(plain(chunk))
        delta = record(event.get("delta"))
        message = record(delta.get("message"))
        index = event.get("index")
        match event.get("type"):
            case "content-start" | "content-delta":
                message = _block(record(message.get("content")))
            case "tool-call-start" | "tool-call-delta":
                message = {"tool_calls": {**record(message.get("tool_calls")), "index": index}}
            case "citation-start":
                message = {"citations": [message.get("citations")]}
            case "tool-call-end":
                self.end(index)
            case _:
                pass
        self.take(message, response_id=event.get("id"), reason=delta.get("finish_reason"))
        return self.completed()


def _block(piece: JsonObject) -> JsonObject:
    kind = "text" if piece.get("thinking") is None else "thinking"
    return {"content": [{"type": kind, kind: text(piece.get(kind))}]}


def stream() -> ChatStream:
    """Return what puts the events of ``chat_stream`` together."""
    return _Events()


def assistant(response: object) -> list[JsonObject]:
    """Return the model's message as it must go back before the results.

    Args:
        response: What was handed to `calls`.
    """
    return _chat.turn(response, _KEPT, _tool_call)


def _tool_call(call: ToolCall) -> JsonObject:
    return _chat.tool_call(call, json_text(mapping_of(call.arguments)))


def messages(results: Sequence[ToolResult]) -> list[JsonObject]:
    """Return a message for each result, in order.

    Args:
        results: One for each call of the turn; failed ones are led by ``Error: ``.
    """
    return [answer(r, content(r)) for r in answered(results)]
