"""Ollama's chat.

The rules come from the types of the ``ollama`` package. It drops what those do not hold without a
word (references, unions, nested properties, bounds), so the schema says it another way. Calls have
no ids: results answer by order and name.
"""

from collections.abc import Sequence
from typing import Final

from .. import _schema
from .._types import Image, JsonObject, Spec, ToolCall, ToolResult
from . import _chat
from ._answers import answered, result_text
from ._chat_stream import ChatStream
from ._wire import arguments_schema, clean, mapping_of, merge, options, safe

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

_KEPT: Final = ("content", "thinking")
_NO_STRICT: Final = "Ollama has no strict tools"


def spec(spec: Spec, strict: bool = False) -> JsonObject:  # noqa: ARG001, FBT001, FBT002 - a format's one choice
    """Return one tool as ``{"type": "function", "function": {...}}``.

    Args:
        spec: The tool.
        strict: Makes no difference here.
    """
    made = _chat.function(spec, _schema.ollama(arguments_schema(spec)))
    return merge(made, options(spec, "ollama"))


def strict_faults(spec: Spec) -> tuple[str, ...]:  # noqa: ARG001 - no tool can be
    """Return why a tool cannot be strict: there is no such mode.

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
        response: A ``ChatResponse``, the same as plain values, a stream, or calls.
    """
    return _chat.calls(response, needs_id=False)


def stream() -> ChatStream:
    """Return what puts the ``ChatResponse`` objects of a stream together."""
    return ChatStream(needs_id=False)


def assistant(response: object) -> list[JsonObject]:
    """Return the model's message as it must go back before the results.

    Args:
        response: What was handed to `calls`.
    """
    made = _chat.turn(response, _KEPT, _tool_call, needs_id=False)
    return [{"role": "assistant", "content": "", **message} for message in made]


def _tool_call(call: ToolCall) -> JsonObject:
    return {"function": {"name": clean(call.name), "arguments": mapping_of(call.arguments)}}


def messages(results: Sequence[ToolResult]) -> list[JsonObject]:
    """Return a message for each result, in order; images beside the text.

    Args:
        results: One for each call of the turn; failed ones are led by ``Error: ``.
    """
    return [_message(result) for result in answered(results)]


def _message(result: ToolResult) -> JsonObject:
    made: JsonObject = {"role": "tool", "tool_name": clean(result.name)}
    made["content"] = result_text(result)
    media = [part.media for part in result.parts]
    images = [m.base64 for m in media if isinstance(m, Image) and m.data]
    return {**made, "images": images} if images else made
