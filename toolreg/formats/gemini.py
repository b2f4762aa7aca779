"""Google Gemini, ``generateContent`` and its stream.

The rules follow ``google.genai.types``; JSON keys are in camel case as on the wire, which the
SDK takes too.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from .. import _schema
from .._types import JsonObject, Media, Spec, ToolCall, ToolResult, is_array, is_object
from ._blocks import answered, arguments, document_text, mime, text_of
from ._partial import Path, gather, put
from ._wire import (
    Stream,
    arguments_schema,
    call_id,
    clean,
    dig,
    given,
    mapping_of,
    merge,
    options,
    plain,
    record,
    records,
    rename,
    safe,
    text,
)

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

_CUTTING: Final = frozenset({"MALFORMED_FUNCTION_CALL", "MALFORMED_RESPONSE", "MAX_TOKENS"})
_MEDIA: Final = frozenset(
    {"application/pdf", "image/jpeg", "image/png", "image/webp", "text/plain"}
)
_OPAQUE: Final = frozenset({"args", "partMetadata", "response"})
_PARTIAL: Final = frozenset({"partialArgs", "willContinue"})
_UNDERSCORE: Final = re.compile(r"(?<=[a-z0-9])_([a-z0-9])")


def spec(spec: Spec, strict: bool = False) -> JsonObject:  # noqa: ARG001, FBT001, FBT002 - there is no strict mode
    """Return one function declaration.

    Args:
        spec: The tool.
        strict: Changes nothing: Gemini enforces schemas by the request's mode ``VALIDATED``.

    Example:
        >>> sorted(spec(Spec(name="now", description="The time.")))
        ['description', 'name', 'parametersJsonSchema']
    """
    declaration: JsonObject = {"name": safe_name(spec.name)}
    if spec.description:
        declaration["description"] = spec.description
    parameters = rename(arguments_schema(spec), safe_parameter)
    declaration["parametersJsonSchema"] = _schema.gemini(parameters)
    if spec.output:
        declaration["responseJsonSchema"] = _output_schema(plain(spec.output))
    return merge(declaration, options(spec, "gemini"))


def strict_faults(spec: Spec) -> tuple[str, ...]:  # noqa: ARG001 - the same for each
    """Return why a tool cannot be strict.

    Args:
        spec: The tool.
    """
    return ("Gemini has no strict tools; set functionCallingConfig.mode to VALIDATED",)


def tools(specs: Sequence[Spec], strict: bool = False) -> list[JsonObject]:  # noqa: FBT001, FBT002 - a format's one choice
    """Return what goes into ``tools`` of a request: one tool that holds all declarations.

    Args:
        specs: The tools, in order.
        strict: Changes nothing: Gemini enforces schemas by the request's mode ``VALIDATED``.
    """
    declarations = [spec(each, strict) for each in specs]
    return [{"functionDeclarations": declarations}] if declarations else []


def safe_name(name: str) -> str:
    """Return a tool's name under the provider's rule.

    Args:
        name: The tool's name.
    """
    return safe(name, "a-zA-Z0-9_.-")


def safe_parameter(name: str) -> str:
    """Return a parameter's name under the provider's rule.

    Args:
        name: The parameter's name.
    """
    return safe(name, "a-zA-Z0-9_")


def calls(response: object) -> list[ToolCall]:
    """Return the calls in a response's first candidate, in order.

    Args:
        response: A ``GenerateContentResponse`` of the SDK, the same as plain values, a stream, or
            calls.

    Example:
        >>> part = {"functionCall": {"name": "now"}}
        >>> [call.name for call in calls({"candidates": [{"content": {"parts": [part]}}]})]
        ['now']
    """
    own = given(response)
    if own is not None:
        return own
    candidate = _candidate(response)
    parts = records(dig(candidate, "content", "parts"))
    cut = text(candidate.get("finishReason")) in _CUTTING
    made = (_call(part, cut=cut and part is parts[-1]) for part in parts)
    return [call for call in made if call is not None]


def stream() -> Stream:
    """Return what puts the chunks of a stream together, also of streamed arguments."""
    return _Stream()


def assistant(response: object) -> list[JsonObject]:
    """Return the model's own content as it must go back, with its thought signatures.

    Args:
        response: What was handed to `calls`.
    """
    own = None if isinstance(response, Stream) else given(response)
    if own is not None:
        return _turn({"parts": [_part(call) for call in own]})
    whole = response.response() if isinstance(response, Stream) else response
    return _turn(record(_candidate(whole).get("content")))


def messages(results: Sequence[ToolResult]) -> list[JsonObject]:
    """Return the results of one turn as one content of the user.

    Args:
        results: One for each call of the turn.

    Example:
        >>> messages([ToolResult(None, "add", "42")])[0]["parts"]
        [{'functionResponse': {'name': 'add', 'response': {'output': '42'}}}]
    """
    parts = [{"functionResponse": _response(result)} for result in answered(results)]
    return [{"role": "user", "parts": parts}] if parts else []


@dataclass(slots=True)
class _Open:
    """A call whose arguments arrive piece by piece."""

    place: int
    values: dict[Path, Any] = field(default_factory=dict[Path, Any])


class _Stream(Stream):
    def __init__(self) -> None:
        self._content: JsonObject = {}
        self._parts: list[JsonObject] = []
        self._open: _Open | None = None
        self._unfinished: set[int] = set()
        self._reason: str | None = None

    def feed(self, chunk: object) -> list[ToolCall]:
        candidate = _candidate(chunk)
        if candidate.get("index", 0) != 0:
            return []
        content = record(candidate.get("content"))
        self._content |= content
        self._reason = text(candidate.get("finishReason")) or self._reason
        taken = [self._take(part) for part in records(content.get("parts"))]
        places = dict.fromkeys(place for place in taken if place is not None)
        return self._made(place for place in places if place not in self._unfinished)

    def response(self) -> JsonObject:
        content = self._content | {"parts": self._parts}
        return {"candidates": [{"content": content, "finishReason": self._reason}]}

    def calls(self) -> list[ToolCall]:
        return self._made(range(len(self._parts)))

    def _take(self, part: JsonObject) -> int | None:
        call = part.get("functionCall")
        if not is_object(call):
            return self._append(part)
        if "name" in call:
            kept = {key: call[key] for key in call if key not in _PARTIAL}
            self._open = _Open(self._append({**part, "functionCall": kept}))
        return None if self._open is None else self._continue(self._open, part, call)

    def _append(self, part: JsonObject) -> int:
        self._parts.append(part)
        return len(self._parts) - 1

    def _continue(self, call: _Open, part: JsonObject, piece: JsonObject) -> int:
        further = {key: value for key, value in part.items() if key != "functionCall"}
        self._parts[call.place] |= further
        self._unfinished.add(call.place)
        for partial in records(piece.get("partialArgs")):
            gather(call.values, partial)
        if not piece.get("willContinue"):
            self._open = None
            self._close(call)
        return call.place

    def _close(self, call: _Open) -> None:
        made = self._parts[call.place]["functionCall"]
        try:
            for path, value in call.values.items():
                put(made, ("args", *path), value)
        except ValueError:
            return
        self._unfinished.discard(call.place)

    def _made(self, places: Iterable[int]) -> list[ToolCall]:
        last = len(self._parts) - 1 if self._reason in _CUTTING else None
        made = (
            _call(self._parts[place], cut=place == last or place in self._unfinished)
            for place in places
        )
        return [call for call in made if call is not None]


def _candidate(response: object) -> JsonObject:
    candidates = dig(_camel(plain(response)), "candidates")
    return record(dig(candidates, 0))


def _camel(value: Any) -> Any:
    if is_array(value):
        return [_camel(item) for item in value]
    if not is_object(value):
        return value
    named = (
        (_UNDERSCORE.sub(_upper, key), item) for key, item in value.items() if item is not None
    )
    return {key: item if key in _OPAQUE else _camel(item) for key, item in named}


def _upper(found: re.Match[str]) -> str:
    return found[1].upper()


def _output_schema(schema: JsonObject) -> JsonObject:
    definitions = {key: schema.pop(key) for key in ("$defs",) if key in schema}
    within = {"type": "object", "properties": {"output": schema}} | definitions
    converted: JsonObject = _schema.gemini(within)["properties"]["output"]
    return converted


def _call(part: JsonObject, *, cut: bool) -> ToolCall | None:
    call = part.get("functionCall")
    if not is_object(call):
        return None
    signature = {key: part[key] for key in ("thoughtSignature",) if key in part}
    return ToolCall(
        text(dig(call, "name")),
        arguments(dig(call, "args")),
        call_id(dig(call, "id")),
        extra=signature or None,
        truncated=cut,
    )


def _part(call: ToolCall) -> JsonObject:
    made: JsonObject = {"name": call.name, "args": mapping_of(call.arguments)}
    if call.id is not None and not call.made_id:
        made["id"] = call.id
    return {"functionCall": made} | (call.extra or {})


def _turn(content: JsonObject) -> list[JsonObject]:
    parts = [_sendable(part) for part in records(content.get("parts")) if not _is_empty(part)]
    return [content | {"role": "model", "parts": parts}] if parts else []


def _is_empty(part: JsonObject) -> bool:
    return part.keys() <= {"text", "thought"} and not part.get("text")


def _sendable(part: JsonObject) -> JsonObject:
    args = dig(part, "functionCall", "args")
    if args is None or is_object(args):
        return part
    call = {**part["functionCall"], "args": mapping_of(arguments(args))}
    return {**part, "functionCall": call}


def _response(result: ToolResult) -> JsonObject:
    call = result.call
    made: JsonObject = {"name": safe_name(result.name) if call is None else clean(call.name)}
    if result.call_id is not None and not (call and call.made_id):
        made["id"] = result.call_id
    # as text: an object with a key "$ref" would be taken for a reference to media
    made["response"] = {"error" if result.is_error else "output": text_of(result)}
    media = [_media(part.media) for part in result.parts if part.media is not None]
    if sent := [part for part in media if part is not None]:
        made["parts"] = sent
    return made


def _media(media: Media) -> JsonObject | None:
    kind = "text/plain" if document_text(media) is not None else mime(media)
    if kind not in _MEDIA:
        return None
    if media.data:
        return {"inlineData": {"mimeType": kind, "data": media.base64}}
    if media.url and media.url.startswith(("gs://", "https://")):
        return {"fileData": {"mimeType": kind, "fileUri": media.url}}
    return None
