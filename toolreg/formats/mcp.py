"""The Model Context Protocol: tools as a server lists them, calls as JSON-RPC requests.

The rules follow the specification's revision 2026-07-28, within what revisions since 2024-11-05
take.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote

from pydantic_core import from_json

from .._schema.refs import resolve
from .._serialize import Unserializable, join, to_text
from .._types import JsonObject, Media, Spec, ToolCall, ToolResult
from ._blocks import answered, arguments, blocks, document_text, mime, text_of
from ._wire import (
    Stream,
    arguments_schema,
    call_id,
    clean,
    dig,
    given,
    json_text,
    merge,
    options,
    plain,
    record,
    records,
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

_HINTS: Final[Mapping[str, str]] = {
    "read_only": "readOnlyHint",
    "destructive": "destructiveHint",
    "idempotent": "idempotentHint",
    "open_world": "openWorldHint",
}
_INVALID_PARAMS: Final = -32602


def spec(spec: Spec, strict: bool = False) -> JsonObject:  # noqa: ARG001, FBT001, FBT002 - there is no strict mode
    """Return one tool as ``tools/list`` shows it.

    Args:
        spec: The tool.
        strict: Changes nothing: the protocol has no strict mode.

    Example:
        >>> tool = spec(Spec(name="now", output={"type": "string"}))
        >>> tool["outputSchema"]["properties"]
        {'result': {'type': 'string'}}
    """
    tool: JsonObject = {"name": safe_name(spec.name)}
    if spec.title:
        tool["title"] = spec.title
    if spec.description:
        tool["description"] = spec.description
    tool["inputSchema"] = arguments_schema(spec)
    output = None if spec.output is None else _output_schema(plain(spec.output))
    if output is not None:
        tool["outputSchema"] = output
    hints = {_HINTS[hint]: value for hint, value in spec.hints.items()}
    if hints:
        tool["annotations"] = hints
    return merge(tool, options(spec, "mcp"))


def strict_faults(spec: Spec) -> tuple[str, ...]:  # noqa: ARG001 - the same for each
    """Return why a tool cannot be strict.

    Args:
        spec: The tool.
    """
    return ("the Model Context Protocol has no strict mode",)


def tools(specs: Sequence[Spec], strict: bool = False) -> list[JsonObject]:  # noqa: FBT001, FBT002 - a format's one choice
    """Return the tools of a ``tools/list`` result.

    Args:
        specs: The tools, in order.
        strict: Changes nothing: the protocol has no strict mode.
    """
    return [spec(each, strict) for each in specs]


def safe_name(name: str) -> str:
    """Return a tool's name under the protocol's rule.

    Args:
        name: The tool's name.
    """
    return safe(name, "a-zA-Z0-9._-", first="a-zA-Z0-9._-", length=128)


def safe_parameter(name: str) -> str:
    """Return a parameter's name, as it is: there is no rule.

    Args:
        name: The parameter's name.
    """
    return name


def calls(response: object) -> list[ToolCall]:
    """Return the calls in what a client sent: one, if it is a ``tools/call``.

    Args:
        response: A JSON-RPC request, its ``params`` alone, a list of requests, an object of the
            SDK, a stream, or calls.

    Example:
        >>> request = {"id": 7, "method": "tools/call", "params": {"name": "now"}}
        >>> [(call.id, call.name) for call in calls(request)]
        [(7, 'now')]
    """
    own = given(response)
    if own is not None:
        return own
    requests = plain(response, nulls=False)
    made = (_call(request) for request in records([requests]) or records(requests))
    return [call for call in made if call is not None]


def stream() -> Stream:
    """Return what collects the calls of several requests."""
    return _Stream()


def assistant(response: object) -> list[JsonObject]:  # noqa: ARG001 - the same for each
    """Return nothing: in this protocol the client keeps the model's turns.

    Args:
        response: What was handed to `calls`.
    """
    return []


def messages(results: Sequence[ToolResult]) -> list[JsonObject]:
    """Return the JSON-RPC responses to the calls, one for each.

    A tool that does not exist is an error of the protocol; every other failure is a result with
    ``isError``, which the model sees. What succeeded has ``structuredContent``, always an
    object: other values are under ``result``, as `spec` says in ``outputSchema``.

    Args:
        results: One for each call.

    Example:
        >>> messages([ToolResult(7, "add", "42")])[0]["result"]["structuredContent"]
        {'result': 42}
    """
    return [_response(result) for result in answered(results)]


class _Stream(Stream):
    def __init__(self) -> None:
        self._requests: list[Any] = []
        self._calls: list[ToolCall] = []

    def feed(self, chunk: object) -> list[ToolCall]:
        self._requests.append(chunk)
        completed = calls(chunk)
        self._calls += completed
        return completed

    def response(self) -> JsonObject:
        return {"requests": plain(self._requests)}

    def calls(self) -> list[ToolCall]:
        return list(self._calls)


def _call(request: object) -> ToolCall | None:
    if (dig(request, "method") or "tools/call") != "tools/call":
        return None
    params = record(dig(request, "params") or request)
    if "name" not in params:
        return None
    return ToolCall(
        text(params["name"]),
        arguments(params.get("arguments")),
        call_id(dig(request, "id")),
        extra={"_meta": params["_meta"]} if "_meta" in params else None,
    )


def _response(result: ToolResult) -> JsonObject:
    envelope: JsonObject = {"jsonrpc": "2.0", "id": result.call_id}
    if result.kind == "unknown_tool":
        return envelope | {"error": {"code": _INVALID_PARAMS, "message": text_of(result)}}
    content = blocks(result, text=_text, media=_media)
    answer: JsonObject = {"content": content, "isError": result.is_error, "resultType": "complete"}
    if not result.is_error:
        answer |= _structured(result)
    return envelope | {"result": answer}


def _text(said: str) -> JsonObject:
    return {"type": "text", "text": said}


def _media(media: Media, _position: int) -> JsonObject | None:
    if not media.data:
        return _link(media, media.url) if media.url else None
    kind = mime(media)
    family = kind.partition("/")[0]
    if family in {"image", "audio"}:
        return {"type": family, "data": media.base64, "mimeType": kind}
    said = document_text(media)
    body = {"blob": media.base64} if said is None else {"text": said}
    uri = f"file:///{quote(clean(media.name or 'file'))}"
    return {"type": "resource", "resource": {"uri": uri, "mimeType": kind} | body}


def _link(media: Media, uri: str) -> JsonObject:
    name = media.name or uri
    return {"type": "resource_link", "uri": uri, "name": name, "mimeType": mime(media)}


def _structured(result: ToolResult) -> JsonObject:
    if not result.parts:
        value = _value(result)
    elif not isinstance(result.value, list | tuple):
        return {}
    elif result.output == join(result.parts):
        value = [_json(part.text) for part in result.parts]
    else:
        value = [result.output]
    return {"structuredContent": value if isinstance(value, dict) else {"result": value}}


def _value(result: ToolResult) -> Any:
    if isinstance(result.value, str):
        return result.output
    value = _json(result.output)
    return _json(_uncut(result)) if value is result.output else value


def _uncut(result: ToolResult) -> str:
    # the structure must fit the output schema, so it takes no part in cutting; but what another
    # hand wrote (a serializer, a middleware that hides something) stands for the value
    beginning = result.output.partition("\n[…")[0]
    try:
        whole = to_text(result.value)
    except Unserializable:
        return result.output
    return whole if beginning and whole.startswith(beginning) else result.output


def _json(output: str) -> Any:
    try:
        return from_json(output, allow_inf_nan=False)
    except ValueError:
        return output


def _output_schema(schema: JsonObject) -> JsonObject | None:
    kinds = [(_kind(variant), variant) for variant in _variants(schema, schema, ())]
    if any(kind is None for kind, _ in kinds):
        return None
    objects = [variant for kind, variant in kinds if kind == "object"]
    others = [variant for kind, variant in kinds if kind != "object"]
    if others:
        result = others[0] if len(others) == 1 else {"anyOf": others}
        objects.append({"properties": {"result": result}, "required": ["result"]})
    root = objects[0] if len(objects) == 1 else {"anyOf": objects}
    definitions = {"$defs": schema["$defs"]} if "#/$defs/" in json_text(root) else {}
    return {"type": "object"} | root | definitions


def _variants(
    schema: JsonObject, root: JsonObject, inside: tuple[str, ...]
) -> Iterator[JsonObject]:
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference not in inside:
        yield from _variants(record(resolve(root, reference)), root, (*inside, reference))
        return
    branches = records(schema.get("anyOf") or schema.get("oneOf"))
    for branch in branches:
        yield from _variants(branch, root, inside)
    if not branches:
        yield {key: value for key, value in schema.items() if key != "$defs"}


def _kind(schema: JsonObject) -> str | None:
    kind = schema.get("type")
    if isinstance(kind, str):
        return kind
    values = schema.get("enum", [{}])
    return None if any(isinstance(value, dict | list) for value in values) else "scalar"
