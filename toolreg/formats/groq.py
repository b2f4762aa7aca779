"""Groq's Chat Completions.

The rules come from the types of the ``groq`` package (``groq.types.chat``) and the pages on tool
use at https://console.groq.com/docs.
"""

from collections.abc import Sequence
from typing import Final

from .._schema import strict as strict_schema
from .._types import Image, JsonObject, Media, Spec, ToolCall, ToolResult
from . import _chat
from ._answers import address, answer, answered, content
from ._chat_stream import ChatStream
from ._wire import merge, options, safe

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

_KEPT: Final = ("content", "reasoning", "function_call")


def spec(spec: Spec, strict: bool = False) -> JsonObject:  # noqa: FBT001, FBT002 - a format's one choice
    """Return one tool as ``{"type": "function", "function": {...}}``.

    Args:
        spec: The tool.
        strict: Whether strict mode is wanted; it is flagged only if the schema loses nothing.
    """
    schema, is_strict = _chat.parameters(spec, is_strict=strict)
    flag = {"strict": True} if is_strict else {}
    return merge(_chat.function(spec, schema, **flag), options(spec, "groq"))


def strict_faults(spec: Spec) -> tuple[str, ...]:
    """Return why a tool cannot be strict, nothing if it can.

    Args:
        spec: The tool.
    """
    return strict_schema(spec.parameters, "openai")[1]


def tools(specs: Sequence[Spec], strict: bool = False) -> list[JsonObject]:  # noqa: FBT001, FBT002 - a format's one choice
    """Return what goes into ``tools=`` of a request.

    Args:
        specs: The tools, in order.
        strict: Whether strict mode is wanted for all of them.
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
        response: A ``ChatCompletion``, the same as plain values, a stream, or calls.
    """
    return _chat.calls(response)


def stream() -> ChatStream:
    """Return what puts ``ChatCompletionChunk`` objects together."""
    return ChatStream()


def assistant(response: object) -> list[JsonObject]:
    """Return the model's message as it must go back before the results.

    Args:
        response: What was handed to `calls`.
    """
    made = _chat.turn(response, _KEPT, _tool_call)
    return [{"role": "assistant", "content": None, **message} for message in made]


def _tool_call(call: ToolCall) -> JsonObject:
    return _chat.tool_call(call, _chat.json_arguments(call.arguments))


def messages(results: Sequence[ToolResult]) -> list[JsonObject]:
    """Return a message for each result, in order; images as such.

    Args:
        results: One for each call of the turn; failed ones are led by ``Error: ``.
    """
    return [answer(r, content(r, _media)) for r in answered(results)]


def _media(media: Media) -> JsonObject | None:
    where = address(media) if isinstance(media, Image) else None
    return None if where is None else {"type": "image_url", "image_url": {"url": where}}
