"""Chat completions: the shape of tools, calls and results that most providers share."""

from collections.abc import Callable, Collection
from typing import Any, Final

from .._schema import strict
from .._types import JsonObject, RawArguments, Spec, ToolCall, is_object
from ._wire import (
    Stream,
    call_id,
    clean,
    dig,
    given,
    json_text,
    loose,
    made_id,
    mapping_of,
    plain,
    record,
    records,
    text,
)

__all__ = [
    "calls",
    "free_text",
    "function",
    "json_arguments",
    "message",
    "parameters",
    "raw_arguments",
    "read_entry",
    "tool_call",
    "turn",
    "was_cut",
]

_CUT: Final = frozenset({"length", "model_length", "max_tokens", "error", "timeout"})
_KNOWN: Final = frozenset({"id", "index", "type", "function", "custom"})


def parameters(spec: Spec, *, is_strict: bool) -> tuple[JsonObject, bool]:
    """Return the schema to send, and whether it may be flagged strict.

    Args:
        spec: The tool.
        is_strict: Whether OpenAI's strict mode is wanted.
    """
    if is_strict or spec.strict:
        converted, faults = strict(spec.parameters, "openai")
        if not faults:
            return converted, True
    return loose(spec), False


def function(spec: Spec, schema: JsonObject, **keys: object) -> JsonObject:
    """Return a tool as ``{"type": "function", "function": {...}}``.

    Args:
        spec: The tool.
        schema: What stands for its parameters.
        keys: More keys of the function.
    """
    described = {"description": spec.description} if spec.description else {}
    inner = {"name": spec.name, **described, "parameters": schema, **keys}
    return {"type": "function", "function": inner}


def calls(response: object, *, needs_id: bool = True) -> list[ToolCall]:
    """Return the calls in a response.

    Args:
        response: What was handed to the format.
        needs_id: Whether a call that came without an id gets one, always the same for the
            same response.
    """
    ready = given(response)
    return _read(plain(response), needs_id=needs_id) if ready is None else ready


def _read(response: Any, *, needs_id: bool) -> list[ToolCall]:
    choice = _choice(response)
    seed = dig(response, "id")
    found = [read_entry(entry) for entry in _entries(choice)]
    for position, call in enumerate(found):
        if needs_id and call.id is None:
            call.id, call.made_id = made_id(seed, position), True
    if found:
        found[-1].truncated = was_cut(choice)
    return found


def _choice(response: Any) -> JsonObject:
    """Return the first choice of a response, of a choice, or of a message alone."""
    body = record(response)
    if "choices" in body:
        return record(dig(body, "choices", 0))
    return body if "message" in body else {"message": body}


def was_cut(choice: JsonObject) -> bool:
    """Whether the generation ended before the model was done."""
    reason = choice.get("finish_reason") or choice.get("done_reason")
    return str(reason).lower() in _CUT


def _entries(choice: JsonObject) -> list[JsonObject]:
    found = dig(choice, "message", "tool_calls")
    listed = [found] if is_object(found) else records(found)
    return [entry for entry in listed if _is_call(entry)]


def _is_call(entry: JsonObject) -> bool:
    asked = is_object(entry.get("function")) or is_object(entry.get("custom"))
    return asked or call_id(entry.get("id")) is not None


def read_entry(entry: JsonObject) -> ToolCall:
    """Return the call, or the fragment of one, that an entry of ``tool_calls`` is.

    Args:
        entry: As plain values. What only servers that resemble OpenAI's write there is kept in
            ``extra``; it goes back with the call.
    """
    is_custom = not entry.get("function") and is_object(entry.get("custom"))
    asked = record(entry.get("custom" if is_custom else "function"))
    further = {key: value for key, value in entry.items() if key not in _KNOWN}
    if entry.get("type") not in (None, "function", "custom"):
        further["type"] = entry["type"]
    return ToolCall(
        text(asked.get("name")),
        raw_arguments(asked.get("input" if is_custom else "arguments")),
        call_id(entry.get("id")),
        kind="custom" if is_custom else "function",
        extra=further or None,
    )


def raw_arguments(value: Any) -> RawArguments:
    """Return arguments as they were received; of JSON that is neither, the text.

    Args:
        value: A plain value.
    """
    if value is None or isinstance(value, str) or is_object(value):
        return value
    return json_text(value)


def turn(
    response: object,
    kept: Collection[str],
    entry: Callable[[ToolCall], JsonObject],
    *,
    needs_id: bool = True,
) -> list[JsonObject]:
    """Return the model's message as it must go back; nothing if it said and asked nothing.

    Args:
        response: What was handed to the format.
        kept: The keys of the message that the provider takes back.
        entry: Writes a call.
        needs_id: As for `calls`.
    """
    said = message(response)
    asked = [entry(call) for call in calls(response, needs_id=needs_id) if call.kind != "server"]
    made = {key: said[key] for key in kept if said.get(key) not in (None, [])}
    if asked:
        made["tool_calls"] = asked
    return [{"role": "assistant", **made}] if made else []


def message(response: object) -> JsonObject:
    if isinstance(response, Stream):
        return record(response.response().get("message"))
    if given(response) is not None:
        return {}
    return record(_choice(plain(response)).get("message"))


def tool_call(call: ToolCall, arguments: object) -> JsonObject:
    """Return a call as an entry of ``tool_calls``.

    Args:
        call: The call.
        arguments: Its arguments, as the provider takes them.
    """
    inner = {"name": clean(call.name), "arguments": arguments}
    return {"id": call.id, "type": "function", "function": inner}


def json_arguments(arguments: RawArguments) -> str:
    """Return arguments as JSON text; broken text as it is, none as ``{}``.

    Args:
        arguments: As a call holds them.
    """
    if isinstance(arguments, str) and arguments.strip():
        return clean(arguments)
    return json_text(mapping_of(arguments))


def free_text(arguments: RawArguments) -> str:
    """Return the arguments of a custom call.

    Args:
        arguments: As a call holds them.
    """
    return clean(text(arguments))
