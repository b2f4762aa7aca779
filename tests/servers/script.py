"""What the model on a server says, turn by turn."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Ask:
    """One call the model makes."""

    name: str
    arguments: dict[str, Any]


Script = Sequence[Sequence[Ask]]

SUMS: Script = ((Ask("add", {"a": 19, "b": 23}), Ask("add", {"a": 1, "b": "many"})),)
TWO_TURNS: Script = (*SUMS, (Ask("divide", {"by": 0}), Ask("add", {"a": 40, "b": 2})))
THOUGHT = "Two sums; each is a call. "
FINAL = "19 plus 23 is 42; of many there is no sum."


def halves(text: str) -> tuple[str, str]:
    """Return a text in two pieces, as a stream brings it."""
    return text[: len(text) // 2], text[len(text) // 2 :]
