"""What the formats share whose messages are lists of blocks."""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Final

from .._serialize import join
from .._types import JsonObject, Media, Part, RawArguments, ToolCall, ToolResult, is_object
from ._wire import Stream, clean, error_text, json_text

__all__ = ["BlockStream", "answered", "arguments", "blocks", "mime", "pieces", "text_of"]

_SAME: Final = {
    "image/jpg": "image/jpeg",
    "audio/x-wav": "audio/wav",
    "text/x-markdown": "text/markdown",
}
_TEXTUAL: Final = {"application/json", "application/xml", "application/yaml"}


class BlockStream(Stream):
    """A message that arrives block by block, each block in fragments.

    A call is complete once a later block begins or the message ends: only then is it known
    that the token limit did not cut it.

    Attributes:
        cutting: The reasons to stop that may leave the last block incomplete.
        reason: Why the message ended, once it has.
    """

    cutting: ClassVar[frozenset[str]] = frozenset()

    def __init__(self) -> None:
        self.reason: str | None = None
        self._starts: dict[int, JsonObject] = {}
        self._fragments: dict[int, dict[str, list[Any]]] = {}
        self._stopped: set[int] = set()
        self._seen: set[int] = set()

    @abstractmethod
    def build(self, start: JsonObject, fragments: Mapping[str, Sequence[Any]]) -> JsonObject:
        """Return the block that began so and went on with these fragments, by their kind."""

    @abstractmethod
    def call(self, block: JsonObject, *, cut: bool) -> ToolCall | None:
        """Return the call that a block is, None if it is none."""

    def start(self, index: int, block: JsonObject) -> None:
        """Begin a block.

        Args:
            index: Its place in the message.
            block: What is known of it.
        """
        self._starts[index] = block
        self._fragments.setdefault(index, {})

    def add(self, index: int, kind: str, fragment: object) -> None:
        """Append to a block, which begins by it if it has not begun.

        Args:
            index: The block's place in the message.
            kind: What the fragment is part of.
            fragment: A text, or whatever `build` puts together.
        """
        if index not in self._starts:
            self.start(index, {})
        self._fragments[index].setdefault(kind, []).append(fragment)

    def stop(self, index: int) -> None:
        """End a block.

        Args:
            index: Its place in the message.
        """
        self._stopped.add(index)

    def content(self) -> list[JsonObject]:
        """Return all blocks so far, in order."""
        return [self._block(index) for index in sorted(self._starts)]

    def calls(self) -> list[ToolCall]:
        """Return all calls so far, in order; one still open counts as cut."""
        made = (self._call(index) for index in sorted(self._starts))
        return [call for call in made if call is not None]

    def completed(self) -> list[ToolCall]:
        """Return the calls that are complete and were not returned yet."""
        last = max(self._starts, default=0)
        settled = [i for i in self._starts if i not in self._seen and (i < last or self.reason)]
        self._seen.update(settled)
        made = (self._call(index) for index in sorted(settled))
        return [call for call in made if call is not None]

    def _block(self, index: int) -> JsonObject:
        return self.build(self._starts[index], self._fragments[index])

    def _call(self, index: int) -> ToolCall | None:
        ended = self.reason or index in self._stopped
        cut = index == max(self._starts) and (not ended or self.reason in self.cutting)
        return self.call(self._block(index), cut=cut)


def arguments(value: object) -> RawArguments:
    """Return arguments as a call holds them; what is no object becomes JSON text.

    Args:
        value: Plain JSON values.
    """
    if value is None or isinstance(value, str) or is_object(value):
        return value
    return json_text(value)


def answered(results: Sequence[ToolResult]) -> list[ToolResult]:
    """Return the results whose calls the provider did not run itself.

    Args:
        results: Those of one turn.
    """
    return [result for result in results if result.call is None or result.call.kind != "server"]


def pieces(result: ToolResult) -> tuple[Part, ...]:
    """Return a result part by part.

    An output that is not the parts' own text was changed after them, so it stands for their
    texts.

    Args:
        result: Any result.
    """
    if result.parts and result.output in {"", join(result.parts)}:
        return result.parts
    said = text_of(result)
    media = (
        Part("" if part.text in said else part.text, media=part.media)
        for part in result.parts
        if part.media is not None
    )
    return (Part(said), *media)


def text_of(result: ToolResult) -> str:
    """Return a result's text: of a failed one never blank, of others empty instead of blank.

    Args:
        result: Any result.
    """
    if result.is_error:
        return error_text(result)
    return clean(result.output) if result.output.strip() else ""


def blocks(
    result: ToolResult,
    *,
    text: Callable[[str], JsonObject],
    media: Callable[[Media, int], JsonObject | None] | None = None,
) -> list[JsonObject]:
    """Return a result's content as blocks, without blank texts.

    Args:
        result: Any result.
        text: Text -> its block.
        media: Media and their position in the result -> their block, or None where the provider
            does not take them: then a few words stand in their place, as they do without it.
    """
    made: list[JsonObject] = []
    for position, part in enumerate(pieces(result)):
        block = media(part.media, position) if media and part.media else None
        said = clean(f"Error: {part.text}" if part.is_error else part.text)
        if block is not None or said.strip():
            made.append(text(said) if block is None else block)
    return made or ([text(error_text(result))] if result.is_error else [])


def mime(media: Media) -> str:
    """Return the MIME type of media, in lower case and without parameters."""
    bare = media.media_type.partition(";")[0].strip().lower()
    return _SAME.get(bare, bare)


def document_text(media: Media) -> str | None:
    """Return the text of a text file, None if it is none."""
    kind = mime(media)
    if not kind.startswith("text/") and kind not in _TEXTUAL:
        return None
    try:
        said = media.data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return said if said.strip() else None
