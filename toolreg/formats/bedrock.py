"""Amazon Bedrock, the Converse API.

The rules follow the service model in botocore and the documentation of Converse. Messages hold
bytes where boto3 wants bytes: media, and the redacted reasoning of a model.
"""

import binascii
import re
from collections.abc import Sequence
from typing import Final

from .. import _schema
from .._types import JsonObject, Media, Spec, ToolCall, ToolResult, is_object
from ._blocks import answered, arguments, blocks, document_text, mime
from ._budget import Budget, affordable, overspent
from ._converse import ConverseStream
from ._wire import (
    Stream,
    arguments_schema,
    call_id,
    dig,
    given,
    mapping_of,
    merge,
    options,
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

_CUTTING: Final = frozenset(
    {
        "malformed_model_output",
        "malformed_tool_use",
        "max_tokens",
        "model_context_window_exceeded",
    }
)
_IMAGES: Final = {
    "image/gif": "gif",
    "image/jpeg": "jpeg",
    "image/png": "png",
    "image/webp": "webp",
}
_VIDEOS: Final = {
    "video/3gpp": "three_gp",
    "video/mp4": "mp4",
    "video/mpeg": "mpeg",
    "video/quicktime": "mov",
    "video/webm": "webm",
    "video/x-flv": "flv",
    "video/x-matroska": "mkv",
    "video/x-ms-wmv": "wmv",
}
_DOCUMENTS: Final = {
    "application/msword": "doc",
    "application/pdf": "pdf",
    "application/vnd.ms-excel": "xls",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
    "text/csv": "csv",
    "text/html": "html",
    "text/markdown": "md",
}
_NAME: Final = 200


def spec(spec: Spec, strict: bool = False) -> JsonObject:  # noqa: FBT001, FBT002 - a format's one choice
    """Return one tool in the provider's words.

    Args:
        spec: The tool.
        strict: Whether strict mode is wanted; it is flagged only if the schema loses nothing.

    Example:
        >>> spec(Spec(name="now", description="The time."))["toolSpec"]["description"]
        'The time.'
    """
    return tools([spec], strict)[0]


def strict_faults(spec: Spec) -> tuple[str, ...]:
    """Return why a tool cannot be strict, nothing if it can.

    Args:
        spec: The tool.
    """
    converted, faults = _schema.strict(_input_schema(spec), "bedrock")
    return faults or overspent(converted)


def tools(specs: Sequence[Spec], strict: bool = False) -> list[JsonObject]:  # noqa: FBT001, FBT002 - a format's one choice
    """Return what goes into ``toolConfig["tools"]`` of a request, which must not be empty.

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
    """Return a parameter's name under the narrowest rule of the models behind the API.

    Args:
        name: The parameter's name.
    """
    return safe(name, "a-zA-Z0-9_.-", first="a-zA-Z0-9_.-")


def calls(response: object) -> list[ToolCall]:
    """Return the calls in a response, in order; those that the provider runs are left out.

    Args:
        response: What ``converse`` returns, a stream, or calls.

    Example:
        >>> block = {"toolUse": {"toolUseId": "t1", "name": "now", "input": {}}}
        >>> [call.id for call in calls({"output": {"message": {"content": [block]}}})]
        ['t1']
    """
    own = given(response)
    if own is not None:
        return own
    content = records(dig(response, "output", "message", "content"))
    cut = text(dig(response, "stopReason")) in _CUTTING
    made = (_call(block, cut=cut and block is content[-1]) for block in content)
    return [call for call in made if call is not None]


def stream() -> Stream:
    """Return what puts the events of ``converse_stream`` together."""
    return _Stream()


def assistant(response: object) -> list[JsonObject]:
    """Return the model's own turn as it must go back, with its reasoning and its signatures.

    Args:
        response: What was handed to `calls`.
    """
    own = None if isinstance(response, Stream) else given(response)
    if own is not None:
        return _turn([_block(call) for call in own])
    whole = response.response() if isinstance(response, Stream) else response
    return _turn(records(dig(whole, "output", "message", "content")))


def messages(results: Sequence[ToolResult]) -> list[JsonObject]:
    """Return the results of one turn as one user message.

    Args:
        results: One for each call of the turn.

    Example:
        >>> messages([ToolResult("t1", "add", "42")])[0]["content"]
        [{'toolResult': {'toolUseId': 't1', 'content': [{'text': '42'}], 'status': 'success'}}]
    """
    content = [{"toolResult": _result(result)} for result in answered(results)]
    return [{"role": "user", "content": content}] if content else []


class _Stream(ConverseStream):
    cutting = _CUTTING

    def call(self, block: JsonObject, *, cut: bool) -> ToolCall | None:
        return _call(block, cut=cut)


def _tool(spec: Spec, budget: Budget | None) -> JsonObject:
    schema, is_strict = affordable(_input_schema(spec), "bedrock", budget)
    tool: JsonObject = {"name": safe_name(spec.name)}
    if spec.description:
        tool["description"] = spec.description
    if is_strict:
        tool["strict"] = True
    tool["inputSchema"] = {"json": schema}
    return {"toolSpec": merge(tool, options(spec, "bedrock"))}


def _input_schema(spec: Spec) -> JsonObject:
    return rename(arguments_schema(spec), safe_parameter)


def _call(block: JsonObject, *, cut: bool) -> ToolCall | None:
    use = block.get("toolUse")
    if not is_object(use) or dig(use, "type") == "server_tool_use":
        return None
    return ToolCall(
        text(dig(use, "name")),
        arguments(dig(use, "input")),
        call_id(dig(use, "toolUseId")),
        truncated=cut,
    )


def _block(call: ToolCall) -> JsonObject:
    made = {"toolUseId": call.id, "name": call.name, "input": mapping_of(call.arguments)}
    return {"toolUse": made}


def _turn(content: list[JsonObject]) -> list[JsonObject]:
    sendable = [
        _sendable(block) for block in content if not _refused(block, last=block is content[-1])
    ]
    return [{"role": "assistant", "content": sendable}] if sendable else []


def _refused(block: JsonObject, *, last: bool) -> bool:
    if "text" in block:
        return not text(block["text"]).strip()
    reasoning = dig(block, "reasoningContent", "reasoningText")
    return last and is_object(reasoning) and not dig(reasoning, "signature")


def _sendable(block: JsonObject) -> JsonObject:
    use = block.get("toolUse")
    if not is_object(use):
        return block
    return {"toolUse": {**record(use), "input": mapping_of(arguments(dig(use, "input")))}}


def _result(result: ToolResult) -> JsonObject:
    def block(media: Media, position: int) -> JsonObject | None:
        return _media(media, f"{result.call_id}/{position}")

    # Claude refuses anything but text in a failed result
    content = blocks(result, text=_text, media=None if result.is_error else block)
    status = "error" if result.is_error else "success"
    return {"toolUseId": result.call_id, "content": content, "status": status}


def _text(said: str) -> JsonObject:
    return {"text": said}


def _media(media: Media, place: str) -> JsonObject | None:
    source = _source(media)
    kind = mime(media)
    if source is None:
        return None
    if kind in _IMAGES:
        return {"image": {"format": _IMAGES[kind], "source": source}}
    if kind in _VIDEOS:
        return {"video": {"format": _VIDEOS[kind], "source": source}}
    known = _DOCUMENTS.get(kind) or (document_text(media) and "txt")
    if known is None:
        return None
    return {"document": {"format": known, "name": _name(media, place), "source": source}}


def _source(media: Media) -> JsonObject | None:
    if media.data:
        return {"bytes": media.data}
    if media.url and media.url.startswith("s3://"):
        return {"s3Location": {"uri": media.url}}
    return None


def _name(media: Media, place: str) -> str:
    # no two documents of a whole conversation may have the same name
    digest = f"{binascii.crc32(place.encode('utf-8', 'replace')):08x}"
    stem = (media.name or "").rpartition(".")[0] or media.name or ""
    words = " ".join(re.sub(r"[^a-zA-Z0-9()\[\]-]+", " ", stem).split())
    return f"{words[: _NAME - len(digest) - 1].rstrip() or 'document'} {digest}"
