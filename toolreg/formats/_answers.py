"""Results for providers that have no flag for failed ones: the text says it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from .._serialize import clean, join
from .._types import JsonObject, Media, Part, ToolResult
from ._wire import error_text

__all__ = ["address", "answer", "answered", "content", "result_text"]


def answered(results: Sequence[ToolResult]) -> list[ToolResult]:
    """Return the results that are the program's to send, not of calls the provider ran."""
    return [r for r in results if r.call is None or r.call.kind != "server"]


def answer(result: ToolResult, content: object) -> JsonObject:
    """Return the message that answers a call.

    Args:
        result: The result.
        content: What the model reads.
    """
    return {"role": "tool", "tool_call_id": result.call_id, "content": content}


def content(
    result: ToolResult,
    media: Callable[[Media], JsonObject | None] = lambda _: None,
    *,
    kind: str = "text",
) -> str | list[JsonObject]:
    """Return what the model reads of a result: text, or a block for each of several parts.

    Args:
        result: The result.
        media: Writes what is not text, or gives None where the provider does not take it.
        kind: The type of a block of text.
    """
    blocks: list[JsonObject] = []
    for said, part in _pieces(result):
        native = None if part is None or part.media is None else media(part.media)
        blocks.append(native or {"type": kind, "text": said})
    only_text = len(blocks) == 1 and blocks[0]["type"] == kind
    return blocks[0]["text"] if only_text else blocks


def result_text(result: ToolResult) -> str:
    """Return a result's text for providers that know no failed results."""
    return _led(error_text(result)) if result.is_error else clean(result.output)


def _pieces(result: ToolResult) -> Iterator[tuple[str, Part | None]]:
    """Give each part's text with the part, for providers that know no failed results.

    Without parts, or where the output was changed after they were made (cut, rewritten), it is
    the output, and then the media there are.

    Args:
        result: The result.
    """
    parts = result.parts
    if not parts or join(parts) != result.output:
        yield result_text(result), None
        parts = tuple(part for part in parts if part.media is not None)
    elif result.is_error and not any(part.is_error for part in parts):
        parts = (replace(parts[0], is_error=True), *parts[1:])
    for part in parts:
        text = clean(part.text)
        yield _led(text) if part.is_error else text, part


def address(media: Media) -> str | None:
    """Return where the content is: its URL or a data URL; None if there is none.

    Args:
        media: The content.
    """
    if media.url:
        return media.url
    return f"data:{media.media_type};base64,{media.base64}" if media.data else None


def _led(text: str) -> str:
    return text if text.startswith("Error: ") else f"Error: {text}"
