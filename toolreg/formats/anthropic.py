"""Anthropic Messages.

The rules follow ``anthropic.types`` and the documentation of the Messages API.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from .. import _schema
from .._types import JsonObject, Media, Spec, ToolCall, ToolResult
from ._blocks import BlockStream, answered, arguments, blocks, document_text, mime, text_of
from ._budget import Budget, affordable, overspent
from ._wire import (
    Stream,
    arguments_schema,
    call_id,
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

_CUTTING: Final = frozenset({"max_tokens", "model_context_window_exceeded", "refusal"})
_EXTRA: Final = ("caller", "toolset_name")
_IMAGES: Final = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})
_INPUTS: Final = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})


def spec(spec: Spec, strict: bool = False) -> JsonObject:  # noqa: FBT001, FBT002 - a format's one choice
    """Return one tool in the provider's words.

    Args:
        spec: The tool.
        strict: Whether strict mode is wanted; it is flagged only if the schema loses nothing.

    Example:
        >>> spec(Spec(name="now", parameters={"type": "object", "properties": {}}))
        {'name': 'now', 'description': '', 'input_schema': {'type': 'object', 'properties': {}}}
    """
    return tools([spec], strict)[0]


def strict_faults(spec: Spec) -> tuple[str, ...]:
    """Return why a tool cannot be strict, nothing if it can.

    Args:
        spec: The tool.
    """
    converted, faults = _schema.strict(_input_schema(spec), "anthropic")
    return faults or overspent(converted)


def tools(specs: Sequence[Spec], strict: bool = False) -> list[JsonObject]:  # noqa: FBT001, FBT002 - a format's one choice
    """Return what goes into ``tools=`` of a request.

    At most 20 tools are strict, with 24 optional properties and 16 unions among them, the first
    ones first.

    Args:
        specs: The tools, in order.
        strict: Whether strict mode is wanted for all of them.
    """
    budget = Budget()
    return [_tool(each, budget if strict or each.strict else None) for each in specs]


def safe_name(name: str) -> str:
    """Return a tool's name under the provider's rule.

    Args:
        name: The tool's name.
    """
    return safe(name, first="a-zA-Z0-9_-")


def safe_parameter(name: str) -> str:
    """Return a parameter's name under the provider's rule for the keys of properties.

    Args:
        name: The parameter's name.
    """
    return safe(name, "a-zA-Z0-9_.-", first="a-zA-Z0-9_.-")


def calls(response: object) -> list[ToolCall]:
    """Return the calls in a response, in order; those that the provider runs are left out.

    Args:
        response: A ``Message`` of the SDK, the same as plain values, a stream, or calls.

    Example:
        >>> block = {"type": "tool_use", "id": "toolu_1", "name": "now", "input": {}}
        >>> [call.name for call in calls({"content": [block]})]
        ['now']
    """
    own = given(response)
    if own is not None:
        return own
    message = plain(response)
    content = records(dig(message, "content"))
    cut = text(dig(message, "stop_reason")) in _CUTTING
    made = (_call(block, cut=cut and block is content[-1]) for block in content)
    return [call for call in made if call is not None]


def stream() -> Stream:
    """Return what puts the events of a stream together.

    It takes the raw events as well as those of the SDK's ``messages.stream``.
    """
    return _Stream()


def assistant(response: object) -> list[JsonObject]:
    """Return the model's own turn as it must go back, with its thinking and its signatures.

    Args:
        response: What was handed to `calls`.
    """
    own = None if isinstance(response, Stream) else given(response)
    if own is not None:
        return _turn([_block(call) for call in own])
    whole = response.response() if isinstance(response, Stream) else response
    content = dig(plain(whole), "content")
    if isinstance(content, str):
        return _turn([{"type": "text", "text": content}])
    return _turn(records(content))


def messages(results: Sequence[ToolResult]) -> list[JsonObject]:
    """Return the results of one turn as one user message.

    Args:
        results: One for each call of the turn.

    Example:
        >>> messages([ToolResult("toolu_1", "add", "42")])[0]["content"]
        [{'type': 'tool_result', 'tool_use_id': 'toolu_1', 'content': '42', 'is_error': False}]
    """
    content = [_result(result) for result in answered(results)]
    return [{"role": "user", "content": content}] if content else []


class _Stream(BlockStream):
    cutting = _CUTTING

    def feed(self, chunk: object) -> list[ToolCall]:
        event = record(plain(chunk))
        index = event.get("index")
        if isinstance(index, int):
            self._take(event, index)
        if event.get("type") == "message_delta":
            self.reason = text(dig(event, "delta", "stop_reason")) or self.reason
        return self.completed()

    def response(self) -> JsonObject:
        return {"role": "assistant", "content": self.content(), "stop_reason": self.reason}

    def _take(self, event: JsonObject, index: int) -> None:
        match event.get("type"):
            case "content_block_start":
                self.start(index, record(event.get("content_block")))
            case "content_block_delta":
                for key, value in record(event.get("delta")).items():
                    self.add(index, key, value)
            case "content_block_stop":
                self.stop(index)
            case _:
                pass

    def build(self, start: JsonObject, fragments: Mapping[str, Sequence[Any]]) -> JsonObject:
        block = dict(start)
        for key, values in fragments.items():
            match key:
                case "type":
                    pass
                case "text" | "thinking":
                    block[key] = "".join([text(block.get(key)), *map(text, values)])
                case "partial_json":
                    block["input"] = "".join(map(text, values)) or block.get("input")
                case "citation":
                    block["citations"] = [*records(block.get("citations")), *values]
                case _:
                    block[key] = values[-1]
        return block

    def call(self, block: JsonObject, *, cut: bool) -> ToolCall | None:
        return _call(block, cut=cut)


def _tool(spec: Spec, budget: Budget | None) -> JsonObject:
    schema, is_strict = affordable(_input_schema(spec), "anthropic", budget)
    flagged: JsonObject = {"strict": True} if is_strict else {}
    tool = {"name": safe_name(spec.name), "description": spec.description, "input_schema": schema}
    if spec.examples:
        flagged["input_examples"] = [
            {safe_parameter(key): value for key, value in example.items()}
            for example in plain(spec.examples)
        ]
    return merge(tool | flagged, options(spec, "anthropic"))


def _input_schema(spec: Spec) -> JsonObject:
    return rename(arguments_schema(spec), safe_parameter)


def _call(block: JsonObject, *, cut: bool) -> ToolCall | None:
    if block.get("type") != "tool_use":
        return None
    extra = {key: block[key] for key in _EXTRA if block.get(key) is not None}
    return ToolCall(
        text(block.get("name")),
        arguments(block.get("input")),
        call_id(block.get("id")),
        extra=extra or None,
        truncated=cut,
    )


def _block(call: ToolCall) -> JsonObject:
    made = {"type": "tool_use", "id": call.id, "name": call.name}
    return made | {"input": mapping_of(call.arguments)} | (call.extra or {})


def _turn(content: list[JsonObject]) -> list[JsonObject]:
    sendable = [
        _sendable(block) for block in content if not _refused(block, last=block is content[-1])
    ]
    return [{"role": "assistant", "content": sendable}] if sendable else []


def _refused(block: JsonObject, *, last: bool) -> bool:
    match block.get("type"):
        case "text":
            return not text(block.get("text")).strip()
        case "thinking":
            return last and not block.get("signature")
        case _:
            return False


def _sendable(block: JsonObject) -> JsonObject:
    kept = {key: value for key, value in block.items() if key != "caller" or value is not None}
    if text(kept.get("type")) in _INPUTS:
        kept["input"] = mapping_of(arguments(kept.get("input")))
    if kept.get("citations"):
        kept["citations"] = [
            {key: value for key, value in citation.items() if key != "file_id"}
            for citation in records(kept["citations"])
        ]
    return kept


def _result(result: ToolResult) -> JsonObject:
    extra = (result.call and result.call.extra) or {}
    toolset = {key: extra[key] for key in ("toolset_name",) if key in extra}
    return {
        "type": "tool_result",
        "tool_use_id": result.call_id,
        "content": _content(result),
        "is_error": result.is_error,
    } | toolset


def _content(result: ToolResult) -> str | list[JsonObject]:
    if not result.parts:
        return text_of(result)
    # the API refuses anything but text where is_error is true
    return blocks(result, text=_text, media=None if result.is_error else _media) or ""


def _text(said: str) -> JsonObject:
    return {"type": "text", "text": said}


def _media(media: Media, _position: int) -> JsonObject | None:
    kind = mime(media)
    if kind in _IMAGES:
        source = _source(media, kind)
        return source and {"type": "image", "source": source}
    source = _source(media, kind) if kind == "application/pdf" else _text_source(media)
    title = {"title": media.name} if media.name else {}
    return source and {"type": "document", "source": source} | title


def _source(media: Media, kind: str) -> JsonObject | None:
    if media.data:
        return {"type": "base64", "media_type": kind, "data": media.base64}
    if media.url and media.url.startswith(("https://", "http://")):
        return {"type": "url", "url": media.url}
    return None


def _text_source(media: Media) -> JsonObject | None:
    said = document_text(media)
    return None if said is None else {"type": "text", "media_type": "text/plain", "data": said}
