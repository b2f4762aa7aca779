"""Items of a response, whole or in events -> calls."""

from collections.abc import Iterator
from typing import Any, Final

from .._types import JsonObject, ToolCall, is_array, is_object
from . import _chat
from ._wire import Stream, call_id, dig, made_id, plain, record, records, text

__all__ = ["INPUT", "ResponseStream", "items_of", "read"]

INPUT: Final = {"function_call": "arguments", "custom_tool_call": "input"}

_CUT: Final = frozenset({"incomplete", "failed", "cancelled"})
_ECHOED: Final = ("caller", "namespace")
_LAST: Final = frozenset({"response.completed", "response.incomplete", "response.failed"})
_FRAGMENTS: Final = {
    "response.function_call_arguments.delta": ("function_call", "delta"),
    "response.function_call_arguments.done": ("function_call", "arguments"),
    "response.custom_tool_call_input.delta": ("custom_tool_call", "delta"),
    "response.custom_tool_call_input.done": ("custom_tool_call", "input"),
}


def items_of(response: Any) -> list[JsonObject]:
    """Return the items of a response.

    Args:
        response: A response as plain values, or the list of its items.
    """
    return records(response if is_array(response) else dig(response, "output"))


def read(response: Any) -> Iterator[tuple[int, ToolCall]]:
    """Give each call with its place among the items.

    Args:
        response: As for `items_of`.
    """
    items = items_of(response)
    seed = dig(response, "id")
    was_cut = text(dig(response, "status")) in _CUT
    for place, item in enumerate(items):
        if text(item.get("type")) in INPUT:
            call = _call(item, made_id(seed, place))
            call.truncated = call.truncated or (was_cut and place == len(items) - 1)
            yield place, call


def _call(item: JsonObject, made: str) -> ToolCall:
    found = call_id(item.get("call_id"))
    return ToolCall(
        text(item.get("name")),
        _chat.raw_arguments(item.get(INPUT[item["type"]])),
        made if found is None else found,
        kind="function" if item["type"] == "function_call" else "custom",
        extra={key: item[key] for key in _ECHOED if item.get(key) is not None} or None,
        truncated=item.get("status") in ("incomplete", "in_progress"),
        made_id=found is None,
    )


class ResponseStream(Stream):
    """A response that arrives in events."""

    def __init__(self) -> None:
        self._body: JsonObject = {}
        self._items: dict[int, JsonObject] = {}
        self._done: set[int] = set()
        self._reported: set[int] = set()
        self._is_over = False

    def feed(self, chunk: object) -> list[ToolCall]:
        """Take the next event; return the calls it completes.

        Args:
            chunk: What the SDK yields, or the same as plain values.
        """
        event = record(plain(chunk))
        kind = text(event.get("type"))
        if is_object(event.get("response")):
            self._take_response(event["response"], is_last=kind in _LAST)
        elif kind.startswith("response.output_item."):
            self._take_item(event, is_done=kind.endswith(".done"))
        elif kind in _FRAGMENTS:
            self._take_fragment(event, *_FRAGMENTS[kind])
        return self._completed()

    def response(self) -> JsonObject:
        """Return what has arrived, as a whole response."""
        return {**self._body, "output": [self._items[place] for place in sorted(self._items)]}

    def calls(self) -> list[ToolCall]:
        """Return all calls so far, in order."""
        return [call for _, call in self._pairs()]

    def _take_response(self, response: JsonObject, *, is_last: bool) -> None:
        self._body = response
        self._is_over = self._is_over or is_last
        items = items_of(response)
        if is_last and items:
            self._items = dict(enumerate(items))

    def _take_item(self, event: JsonObject, *, is_done: bool) -> None:
        place = self._place(event, dig(event, "item", "id"))
        self._items[place] = record(event.get("item"))
        if is_done:
            self._done.add(place)

    def _take_fragment(self, event: JsonObject, kind: str, key: str) -> None:
        item_id = event.get("item_id")
        place = self._place(event, item_id)
        item = self._items.setdefault(place, {"type": kind, "id": item_id})
        before = text(item.get(INPUT[kind])) if key == "delta" else ""
        item[INPUT[kind]] = before + text(event.get(key))

    def _place(self, event: JsonObject, item_id: object) -> int:
        index = event.get("output_index")
        if isinstance(index, int):
            return index
        known = [place for place, item in self._items.items() if item.get("id") == item_id]
        return known[-1] if known else max(self._items, default=-1) + 1

    def _pairs(self) -> list[tuple[int, ToolCall]]:
        places = sorted(self._items)
        pairs = [(places[position], call) for position, call in read(self.response())]
        for place, call in pairs:
            is_open = not self._is_over and place not in self._done
            call.truncated = call.truncated or is_open
        return pairs

    def _completed(self) -> list[ToolCall]:
        places = set(self._items) if self._is_over else self._done
        done = places - self._reported
        self._reported |= done
        return [call for place, call in self._pairs() if place in done] if done else []
