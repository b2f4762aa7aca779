"""OpenAI's Chat Completions, and the many servers that resemble it.

The rules come from the types of the ``openai`` package (``openai.types.chat``) and the guides on
function calling and structured outputs at https://platform.openai.com/docs.
"""

from collections.abc import Sequence
from typing import Final

from .._schema import strict as strict_schema
from .._types import JsonObject, Spec, ToolCall, ToolResult
from . import _chat
from ._answers import answer, answered, content
from ._chat_stream import ChatStream
from ._wire import clean, dig, merge, options, safe

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

_KEPT: Final = (
    "content",
    "refusal",
    "function_call",
    "reasoning",
    "reasoning_content",
    "reasoning_details",
)


def spec(spec: Spec, strict: bool = False) -> JsonObject:  # noqa: FBT001, FBT002 - a format's one choice
    """Return one tool as ``{"type": "function", "function": {...}}``.

    Args:
        spec: The tool. ``provider_options["openai"]`` of ``{"type": "custom"}`` makes it a
            custom tool, whose one argument is free text.
        strict: Whether strict mode is wanted; it is flagged only if the schema loses nothing.

    Example:
        >>> spec(Spec(name="now"))["function"]["name"]
        'now'
    """
    further = options(spec, "openai")
    if further.get("type") == "custom":
        described = {"description": spec.description} if spec.description else {}
        custom = {"type": "custom", "custom": {"name": spec.name, **described}}
        return merge(custom, further)
    schema, is_strict = _chat.parameters(spec, is_strict=strict)
    return merge(_chat.function(spec, schema, strict=is_strict), further)


def strict_faults(spec: Spec) -> tuple[str, ...]:
    """Return why a tool cannot be strict, nothing if it can.

    Args:
        spec: The tool.
    """
    return strict_schema(spec.parameters, "openai")[1]


def tools(specs: Sequence[Spec], strict: bool = False) -> list[JsonObject]:  # noqa: FBT001, FBT002 - a format's one choice
    """Return what goes into ``tools=`` of a request.

    All tools are given, though OpenAI has taken no more than 128 in a request.

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
    """Return the calls of a response's first choice, in order.

    Args:
        response: A ``ChatCompletion``, the same as plain values, a choice or message of it, a
            stream, or calls.

    Example:
        >>> asked = {"id": "call_1", "function": {"name": "now", "arguments": "{}"}}
        >>> [call] = calls({"choices": [{"message": {"tool_calls": [asked]}}]})
        >>> call.id, call.name, call.arguments
        ('call_1', 'now', '{}')
    """
    return _chat.calls(response)


def stream() -> ChatStream:
    """Return what puts ``ChatCompletionChunk`` objects together.

    Example:
        >>> arriving = stream()
        >>> for text in ('{"zone":', '"UTC"}'):
        ...     piece = {"index": 0, "function": {"name": "now", "arguments": text}}
        ...     complete = arriving.feed({"choices": [{"delta": {"tool_calls": [piece]}}]})
        >>> arriving.calls()[0].arguments
        '{"zone":"UTC"}'
    """
    return ChatStream()


def assistant(response: object) -> list[JsonObject]:
    """Return the model's message as it must go back before the results.

    Args:
        response: What was handed to `calls`.
    """
    made = _chat.turn(response, _KEPT, _tool_call)
    audio = dig(_chat.message(response), "audio", "id")
    if audio is not None:
        made = [{"role": "assistant", **(made[0] if made else {}), "audio": {"id": audio}}]
    return [{"role": "assistant", "content": None, **message} for message in made]


def _tool_call(call: ToolCall) -> JsonObject:
    extra = call.extra or {}
    if call.kind == "custom":
        inner = {"name": clean(call.name), "input": _chat.free_text(call.arguments)}
        return {"id": call.id, "type": "custom", "custom": inner, **extra}
    return {**_chat.tool_call(call, _chat.json_arguments(call.arguments)), **extra}


def messages(results: Sequence[ToolResult]) -> list[JsonObject]:
    """Return a message for each result, in order.

    Args:
        results: One for each call of the turn; failed ones are led by ``Error: ``.

    Example:
        >>> messages([ToolResult("call_1", "now", "12:00")])
        [{'role': 'tool', 'tool_call_id': 'call_1', 'content': '12:00'}]
    """
    return [answer(r, content(r)) for r in answered(results)]
