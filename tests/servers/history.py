"""The rules of a conversation: every call answered once, in order, right after its turn."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tests.servers.serving import Refused

__all__ = ["Answers", "Said", "Turn", "check", "without_nulls"]


@dataclass(frozen=True)
class Said:
    """A message with neither calls nor results."""

    role: str


@dataclass(frozen=True)
class Turn:
    """The model's own turn, with calls in it.

    Args:
        wire: All that must come back unchanged.
        keys: What the results name the calls by: ids, else names.
    """

    wire: Any
    keys: Sequence[str]


@dataclass(frozen=True)
class Answers:
    """The results in one message."""

    keys: Sequence[str]


def check(
    events: Iterable[Said | Turn | Answers], *, sent: Sequence[Any], together: bool = False
) -> int:
    """Return how many turns with calls came before; refuse a history that is not sound.

    Args:
        events: The conversation.
        sent: The turns that the server has sent.
        together: Whether all results of a turn must be in one message.
    """
    turns = 0
    asked: list[str] = []
    unanswered: list[str] = []
    role = ""
    for event in events:
        if isinstance(event, Answers):
            for key in event.keys:
                _answer(key, asked, unanswered)
            if together and unanswered:
                raise Refused(f"no result in the next message for {unanswered}")
            role = "results"
            continue
        if unanswered:
            raise Refused(f"no result right after the turn for {unanswered}")
        asked = []
        if isinstance(event, Turn):
            if event.wire not in sent:
                raise Refused("the assistant's turn was changed")
            turns += 1
            asked, unanswered = list(event.keys), list(event.keys)
        role = event.role if isinstance(event, Said) else "assistant"
    if unanswered:
        raise Refused(f"no result for {unanswered}")
    if role not in ("user", "results"):
        raise Refused(f"the conversation ends with {role or 'nothing'}")
    return turns


def _answer(key: str, asked: list[str], unanswered: list[str]) -> None:
    if key not in asked:
        raise Refused(f"a result for {key!r}, which was not called in the turn before")
    if key not in unanswered:
        raise Refused(f"a second result for {key!r}")
    if key != unanswered[0]:
        raise Refused(f"results out of order: {key!r} before {unanswered[0]!r}")
    unanswered.pop(0)


def without_nulls(value: Any) -> Any:
    """Return a value without the keys whose value is null, at any depth."""
    if isinstance(value, dict):
        return {key: without_nulls(one) for key, one in value.items() if one is not None}
    if isinstance(value, list):
        return [without_nulls(one) for one in value]
    return value
