"""Names that are not known to those that are."""

import difflib
import heapq
import re
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Final

from ._line import LONGEST_NAME, quoted

__all__ = ["did_you_mean", "unknown_tool"]

_MOST_NAMES: Final = 50
_MOST_COMPARED: Final = 100
_TELLING: Final = 4  # a shorter ending may be one by chance
_WORDS: Final = re.compile(r"[A-Z]?[^\W_A-Z]+|[A-Z]+(?![^\W_A-Z])")


def unknown_tool(name: object, known: Sequence[str]) -> str:
    """Say that there is no such tool.

    Args:
        name: What the model asked for, text or not.
        known: The names there are; the first 50 are listed.
    """
    if not isinstance(name, str) or not name:
        said = "The call names no tool."
        close: list[str] = []
    else:
        said = f"There is no tool {quoted(name)}."
        close = did_you_mean(name, known)
    guess = f" Did you mean {' or '.join(close)}?" if close else ""
    return f"{said}{guess} {_listed('tools', known)}"


def did_you_mean(name: str, known: Sequence[str], n: int = 3) -> list[str]:
    """Return the known names closest to one that is not known, best first.

    Args:
        name: What was asked for.
        known: What there is.
        n: How many to return at most.
    """
    asked = name[: 2 * LONGEST_NAME]
    wanted = _normal(asked)
    words = {word.casefold() for word in _WORDS.findall(asked)}
    normal: dict[str, str] = {}
    for each in known:
        normal.setdefault(_normal(each), each)
    ends = [key for key in normal if len(key) >= _TELLING and wanted.endswith(key)]
    within = [key for key in normal if key in words]
    close = difflib.get_close_matches(wanted, _nearest(wanted, normal), n)
    found = dict.fromkeys((*sorted(ends, key=len, reverse=True), *within, *close))
    return [normal[key] for key in found][:n]


def _nearest(wanted: str, names: Collection[str]) -> Collection[str]:
    # A full comparison of thousands of names takes half a second.
    if len(names) <= _MOST_COMPARED:
        return names
    pairs = set(pairwise(wanted))
    return heapq.nlargest(_MOST_COMPARED, names, key=lambda name: len(pairs & set(pairwise(name))))


def _normal(name: str) -> str:
    return "".join(filter(str.isalnum, name.casefold()))


def _listed(what: str, names: Sequence[str]) -> str:
    if not names:
        return f"There are no {what}."
    more = len(names) - _MOST_NAMES
    tail = f" and {more} more" if more > 0 else ""
    return f"The {what} are: {', '.join(names[:_MOST_NAMES])}{tail}."
