"""What the model on a server says, turn by turn."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any


@dataclass(frozen=True)
class Ask:
    """One call the model makes.

    Args:
        name: The tool's name, right or wrong.
        arguments: An object; or text that may be broken, where a provider has text.
    """

    name: str
    arguments: dict[str, Any] | str

    def text(self) -> str:
        """Return the arguments as text."""
        return self.arguments if isinstance(self.arguments, str) else json.dumps(self.arguments)


Script = Sequence[Sequence[Ask]]

SUMS: Script = ((Ask("add", {"a": 19, "b": 23}), Ask("add", {"a": 1, "b": "many"})),)
THOUGHT = "Two sums; each is a call. "
FINAL = "19 plus 23 is 42; of many there is no sum."


class Actor:
    """A model that keeps to a script and remembers what it said.

    Args:
        script: The calls of each turn; the final text follows.
    """

    def __init__(self, script: Script = SUMS) -> None:
        self.script = script
        self.sent: list[Any] = []
        self._numbers = count(1)

    def key(self, form: str = "call_{}") -> str:
        """Return an id that no other call has."""
        return form.format(next(self._numbers))

    def asks(self, turns: int) -> Sequence[Ask]:
        """Return the calls to make after so many turns; none when the script is over."""
        return self.script[turns] if turns < len(self.script) else ()


def halves(text: str) -> tuple[str, str]:
    """Return a text in two pieces, as a stream brings it."""
    return text[: len(text) // 2], text[len(text) // 2 :]
