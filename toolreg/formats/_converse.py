"""Events of Bedrock's ``converse_stream`` put together."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from .._types import JsonObject, ToolCall
from ._blocks import BlockStream
from ._wire import dig, record, records, text

__all__ = ["ConverseStream"]


class ConverseStream(BlockStream):
    """The message that the events of ``converse_stream`` become."""

    def feed(self, chunk: object) -> list[ToolCall]:
        for kind, event in record(chunk).items():
            index = dig(event, "contentBlockIndex")
            if isinstance(index, int):
                self._take(kind, event, index)
            elif kind == "messageStop":
                self.reason = text(dig(event, "stopReason")) or self.reason
        return self.completed()

    def response(self) -> JsonObject:
        message = {"role": "assistant", "content": self.content()}
        return {"output": {"message": message}, "stopReason": self.reason}

    def _take(self, kind: str, event: JsonObject, index: int) -> None:
        match kind:
            case "contentBlockStart":
                self.start(index, record(event.get("start")))
            case "contentBlockDelta":
                for key, fragment in record(event.get("delta")).items():
                    self.add(index, key, fragment)
            case _:
                self.stop(index)

    def build(self, start: JsonObject, fragments: Mapping[str, Sequence[Any]]) -> JsonObject:
        for kind, finish in _FINISHED.items():
            if kind in start or kind in fragments:
                return finish(record(start.get(kind)), fragments)
        return {"text": _joined(fragments.get("text", ()))}


def _tool_use(start: JsonObject, fragments: Mapping[str, Sequence[Any]]) -> JsonObject:
    texts = (dig(fragment, "input") for fragment in fragments.get("toolUse", ()))
    return {"toolUse": {**start, "input": _joined(texts)}}


def _tool_result(start: JsonObject, fragments: Mapping[str, Sequence[Any]]) -> JsonObject:
    content: list[JsonObject] = []
    for fragment in fragments.get("toolResult", ()):
        for piece in records(fragment):
            if content and "text" in content[-1] and "text" in piece:
                content[-1] = {"text": _joined((content[-1]["text"], piece["text"]))}
            else:
                content.append(piece)
    return {"toolResult": {**start, "content": content}}


def _image(start: JsonObject, fragments: Mapping[str, Sequence[Any]]) -> JsonObject:
    image = dict(start)
    for fragment in fragments.get("image", ()):
        image |= record(fragment)
    return {"image": image}


def _reasoning(_start: JsonObject, fragments: Mapping[str, Sequence[Any]]) -> JsonObject:
    pieces = records(list(fragments["reasoningContent"]))
    redacted = [data for piece in pieces if isinstance(data := piece.get("redactedContent"), bytes)]
    if redacted:
        return {"reasoningContent": {"redactedContent": b"".join(redacted)}}
    signature = _joined(piece.get("signature") for piece in pieces)
    signed = {"signature": signature} if signature else {}
    thought = _joined(piece.get("text") for piece in pieces)
    return {"reasoningContent": {"reasoningText": {"text": thought, **signed}}}


def _cited(_start: JsonObject, fragments: Mapping[str, Sequence[Any]]) -> JsonObject:
    said = _joined(fragments.get("text", ()))
    citations = records(list(fragments["citation"]))
    return {"citationsContent": {"content": [{"text": said}], "citations": citations}}


_FINISHED: Final = {
    "toolUse": _tool_use,
    "toolResult": _tool_result,
    "image": _image,
    "reasoningContent": _reasoning,
    "citation": _cited,
}


def _joined(texts: Iterable[object]) -> str:
    return "".join(map(text, texts))
