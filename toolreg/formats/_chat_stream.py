"""Chunks of a chat completion -> one message."""

from dataclasses import dataclass, field
from typing import Any

from .._types import JsonObject, ToolCall, is_array, is_object
from . import _chat
from ._wire import Stream, dig, json_object, plain, record, records

__all__ = ["ChatStream"]


@dataclass(slots=True, kw_only=True)
class _Slot:
    """One call while its fragments arrive."""

    index: int
    id: Any = None
    name: str = ""
    is_custom: bool = False
    pieces: list[str] = field(default_factory=list[str])
    whole: JsonObject | None = None
    extra: JsonObject = field(default_factory=dict[str, Any])
    is_ended: bool = False
    is_reported: bool = False

    def is_closed(self) -> bool:
        if self.whole is not None:
            return True
        may_be = not self.is_custom and self.pieces and self.pieces[-1].rstrip().endswith("}")
        return bool(may_be) and json_object("".join(self.pieces)) is not None

    def add(self, fragment: ToolCall) -> None:
        self.id = fragment.id if self.id is None else self.id
        self.name = self.name or fragment.name
        self.is_custom = self.is_custom or fragment.kind == "custom"
        self.extra.update(fragment.extra or {})
        if isinstance(fragment.arguments, str) and fragment.arguments:
            self.pieces.append(fragment.arguments)
        elif is_object(fragment.arguments):
            self.whole = fragment.arguments

    def entry(self) -> JsonObject:
        asked = "".join(self.pieces) if self.whole is None else self.whole
        if self.is_custom:
            return {**self.extra, "id": self.id, "custom": {"name": self.name, "input": asked}}
        inner = {"name": self.name, "arguments": asked}
        return {**self.extra, "id": self.id, "function": inner}


class ChatStream(Stream):
    """A chat completion that arrives in chunks.

    Fragments belong together by the index of their call. Servers that only resemble OpenAI's
    send whole calls that all have index 0, repeat id and name in every fragment, or leave the
    index out: their calls come out whole all the same.

    Args:
        needs_id: Whether calls that came without an id get one.
    """

    def __init__(self, *, needs_id: bool = True) -> None:
        self._needs_id = needs_id
        self._slots: list[_Slot] = []
        self._message: JsonObject = {}
        self._id: Any = None
        self._reason: Any = None

    def feed(self, chunk: object) -> list[ToolCall]:
        """Take the next chunk; return the calls it completes.

        Args:
            chunk: What the SDK yields, or the same as plain values.
        """
        body = record(plain(chunk))
        body = record(body.get("data")) or record(body.get("chunk")) or body
        choice = _choice(body)
        reasons = (choice.get(key) for key in ("finish_reason", "done_reason", "done"))
        self.take(
            record(choice.get("delta") or choice.get("message")),
            response_id=body.get("id"),
            reason=next(filter(None, reasons), None),
        )
        return self.completed()

    def take(self, delta: JsonObject, *, response_id: object = None, reason: object = None) -> None:
        """Add a piece of the message.

        Args:
            delta: Keys of a message; its calls may be fragments.
            response_id: The id of the response.
            reason: Why the generation ended, None where it goes on.
        """
        self._id = self._id or response_id
        self._reason = reason or self._reason
        for key, value in delta.items():
            if key == "tool_calls":
                for fragment in [value] if is_object(value) else records(value):
                    self._add(fragment)
            elif value is not None:
                self._message[key] = _joined(self._message.get(key), value)

    def end(self, index: object) -> None:
        """Note that nothing more comes for a call.

        Args:
            index: The call's, as its fragments had it.
        """
        for slot in self._slots:
            slot.is_ended = slot.is_ended or slot.index == index

    def completed(self) -> list[ToolCall]:
        """Return the calls that are complete and were not returned before."""
        done = [s for s in self._slots if not s.is_reported and self._is_complete(s)]
        if not done:
            return []
        for slot in done:
            slot.is_reported = True
        return [call for slot, call in self._pairs() if any(slot is s for s in done)]

    def response(self) -> JsonObject:
        """Return what has arrived, as one choice of a response."""
        message = {**self._message, "role": "assistant"}
        message["tool_calls"] = [slot.entry() for slot in self._ordered()]
        return {"id": self._id, "message": message, "finish_reason": self._reason}

    def calls(self) -> list[ToolCall]:
        """Return all calls so far, in the order of their indexes."""
        return [call for _, call in self._pairs()]

    def _ordered(self) -> list[_Slot]:
        return sorted(self._slots, key=lambda slot: slot.index)

    def _pairs(self) -> list[tuple[_Slot, ToolCall]]:
        found = _chat.calls(self.response(), needs_id=self._needs_id)
        pairs = list(zip(self._ordered(), found, strict=True))
        for slot, call in pairs:
            is_open = not self._reason and not slot.is_closed()
            call.truncated = not slot.is_ended and (call.truncated or is_open)
        return pairs

    def _is_complete(self, slot: _Slot) -> bool:
        if self._reason or slot.is_ended:
            return True
        return slot is not self._slots[-1] and slot.is_closed()

    def _add(self, entry: JsonObject) -> None:
        fragment = _chat.read_entry(entry)
        index = entry.get("index")
        slot = self._find(fragment, index)
        if slot is None and (fragment.name or fragment.arguments or fragment.id is not None):
            last = self._slots[-1].index if self._slots else 0
            slot = _Slot(index=index if isinstance(index, int) else last)
            self._slots.append(slot)
        if slot is not None:
            slot.add(fragment)

    def _find(self, fragment: ToolCall, index: object) -> _Slot | None:
        near = [s for s in self._slots if not isinstance(index, int) or s.index == index]
        same = [s for s in near if _repeats(fragment, s)]
        if same:
            return same[-1]
        return None if not near or _begins(fragment, near[-1]) else near[-1]


def _repeats(fragment: ToolCall, slot: _Slot) -> bool:
    """Whether a fragment has a call's id, and no name that contradicts."""
    is_named_so = not fragment.name or not slot.name or fragment.name == slot.name
    return fragment.id is not None and fragment.id == slot.id and is_named_so


def _begins(fragment: ToolCall, last: _Slot) -> bool:
    """Whether a fragment starts a call of its own although its index is in use."""
    if fragment.id is not None and last.id is not None:
        return bool(fragment.name) or last.is_closed()
    if not fragment.name or not last.name:
        return False
    return fragment.name != last.name or (bool(fragment.arguments) and last.is_closed())


def _choice(body: JsonObject) -> JsonObject:
    """Return the first choice's part of a chunk."""
    if "choices" not in body:
        return body
    first = [choice for choice in records(body["choices"]) if not choice.get("index")]
    return first[0] if first else {}


def _joined(old: Any, new: Any) -> Any:
    if isinstance(old, str) and isinstance(new, str):
        return old + new
    if is_object(old) and is_object(new):
        return {**old, **{k: v if k == "id" else _joined(old.get(k), v) for k, v in new.items()}}
    if old is None or not (is_array(old) or is_array(new)):
        return new
    return _run_together([*_chunks(old), *_chunks(new)])


def _chunks(content: Any) -> list[Any]:
    """Return content as the list of chunks that Mistral changes to in mid-message."""
    if is_array(content):
        return content
    return [{"type": "text", "text": content}] if content else []


def _run_together(chunks: list[Any]) -> list[Any]:
    made: list[Any] = []
    for chunk in chunks:
        kind = dig(chunk, "type")
        if made and kind in ("text", "thinking") and dig(made[-1], "type") == kind:
            made[-1] = {**made[-1], **chunk, kind: _joined(made[-1].get(kind), chunk.get(kind))}
        else:
            made.append(chunk)
    return made
