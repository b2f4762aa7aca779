"""OpenAI's Responses.

The rules come from the types of the ``openai`` package (``openai.types.responses``) and the guides
on function calling and reasoning at https://platform.openai.com/docs.
"""

from collections.abc import Sequence
from typing import Final

from .._schema import strict as strict_schema
from .._types import Audio, Image, JsonObject, Media, Spec, ToolCall, ToolResult
from . import _chat
from ._answers import address, answered, content
from ._responses import INPUT, ResponseStream, items_of, read
from ._wire import Stream, clean, given, merge, options, plain, records, safe

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

_LEFT_OUT: Final = frozenset({"created_by", "parsed", "parsed_arguments"})
_NEVER_NULL: Final = frozenset(
    {"action", "actions", "async", "content", "error", "id", "namespace", "status", "svg_usage"}
)


def spec(spec: Spec, strict: bool = False) -> JsonObject:  # noqa: FBT001, FBT002 - a format's one choice
    """Return one tool as ``{"type": "function", "name": ..., "parameters": ..., "strict": ...}``.

    The schema of an output that is an object or an array goes with it; other outputs need not
    be JSON.

    Args:
        spec: The tool. ``provider_options["openai-responses"]`` of ``{"type": "custom"}`` makes
            it a custom tool, whose one argument is free text.
        strict: Whether strict mode is wanted; it is flagged only if the schema loses nothing.
    """
    further = options(spec, "openai-responses")
    described = {"description": spec.description} if spec.description else {}
    if further.get("type") == "custom":
        return merge({"type": "custom", "name": spec.name, **described}, further)
    schema, is_strict = _chat.parameters(spec, is_strict=strict)
    made: JsonObject = {"type": "function", "name": spec.name, **described}
    made |= {"parameters": schema, "strict": is_strict}
    if spec.output and spec.output.get("type") in {"object", "array"}:
        made["output_schema"] = plain(spec.output)
    return merge(made, further)


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
    """Return the calls among a response's items, in order.

    Args:
        response: A ``Response`` or its ``output``, the same as plain values, a stream, or calls.
    """
    ready = given(response)
    return [call for _, call in read(plain(response))] if ready is None else ready


def stream() -> ResponseStream:
    """Return what puts the events of a stream together."""
    return ResponseStream()


def assistant(response: object) -> list[JsonObject]:
    """Return all items of a response as they must go back before the results.

    With ``previous_response_id`` or a conversation they are kept there, and none goes back.

    Args:
        response: What was handed to `calls`.
    """
    body = response.response() if isinstance(response, Stream) else response
    ready = given(body)
    if ready is not None:
        return [_item(call) for call in ready if call.kind != "server"]
    values = plain(body)
    asked = dict(read(values))
    return [
        {**_returned(item), **(_item(asked[place]) if place in asked else {})}
        for place, item in enumerate(items_of(values))
    ]


def _item(call: ToolCall) -> JsonObject:
    kind = "custom_tool_call" if call.kind == "custom" else "function_call"
    written = _chat.json_arguments if kind == "function_call" else _chat.free_text
    return {
        "type": kind,
        "call_id": call.id,
        "name": clean(call.name),
        INPUT[kind]: written(call.arguments),
        **(call.extra or {}),
    }


def _returned(item: JsonObject) -> JsonObject:
    """Return an item as input takes it: without the SDK's own keys, or null where none may be."""
    made = {
        key: value
        for key, value in item.items()
        if key not in _LEFT_OUT and (value is not None or key not in _NEVER_NULL)
    }
    if item.get("type") == "message":
        made["content"] = [
            {key: value for key, value in each.items() if key not in _LEFT_OUT}
            for each in records(item.get("content"))
        ]
    return made


def messages(results: Sequence[ToolResult]) -> list[JsonObject]:
    """Return an output item for each result, in order; images and files as such.

    Args:
        results: One for each call of the turn; failed ones are led by ``Error: ``.
    """
    return [_answer(result) for result in answered(results)]


def _answer(result: ToolResult) -> JsonObject:
    is_custom = result.call is not None and result.call.kind == "custom"
    extra = (result.call.extra if result.call else None) or {}
    echoed = ("caller",) if is_custom else ("caller", "namespace")
    return {
        "type": "custom_tool_call_output" if is_custom else "function_call_output",
        "call_id": result.call_id,
        "output": content(result, _media, kind="input_text"),
        **{key: extra[key] for key in echoed if key in extra},
    }


def _media(media: Media) -> JsonObject | None:
    where = address(media)
    if where is None or isinstance(media, Audio):
        return None
    if isinstance(media, Image):
        return {"type": "input_image", "image_url": where, "detail": "auto"}
    if media.url:
        return {"type": "input_file", "file_url": where}
    return {"type": "input_file", "filename": media.name or "file", "file_data": where}
