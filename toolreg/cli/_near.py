"""Names that are taken for one another."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

__all__ = ["near"]

_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_LONG: Final = 5  # letters of a word in which one may be overlooked; get and set are two words
_DIRECTIONS: Final = frozenset(("by", "for", "from", "in", "of", "to", "with"))


def near(names: Iterable[str]) -> list[tuple[str, str]]:
    """Return each name that is near an earlier one, with that one.

    Names are near that differ in case, underscores, the order of words, a plural, a number of one
    digit at the end, or one letter of a long word.

    Args:
        names: All names, in order.
    """
    owners: dict[str, str] = {}
    typed: dict[str, list[str]] = {}
    found: list[tuple[str, str]] = []
    for name in names:
        words = _words(name)
        keys, slips = list(_keys(words)), list(_slips(words))
        others = [owners[key] for key in keys if key in owners]
        others += [o for key in slips for o in typed.get(key, ()) if _is_slip(words, _words(o))]
        if others:
            found.append((name, others[0]))
        for key in keys:
            owners.setdefault(key, name)
        for key in slips:
            typed.setdefault(key, []).append(name)
    return found


def _words(name: str) -> list[str]:
    words = [_singular(word.lower()) for word in _WORD.findall(name)]
    return words[:-1] if len(words) > 1 and re.fullmatch("[0-9]", words[-1]) else words


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) >= _LONG:
        return f"{word[:-3]}y"
    is_plural = len(word) >= _LONG - 1 and word.endswith("s") and not word.endswith("ss")
    return word[:-1] if is_plural else word


def _keys(words: list[str]) -> Iterator[str]:
    """Yield what makes names the same to a reader."""
    yield "".join(words)
    if _DIRECTIONS.isdisjoint(words):
        yield " ".join(sorted(words))


def _slips(words: list[str]) -> Iterator[str]:
    """Yield what names share of which one letter differs, and some others."""
    for place, word in enumerate(words):
        if len(word) >= _LONG:
            shorter = {f"{word[:cut]}{word[cut + 1 :]}" for cut in range(len(word))}
            for one in (word, *sorted(shorter)):
                yield " ".join([*words[:place], f"{one}?", *words[place + 1 :]])


def _is_slip(one: list[str], other: list[str]) -> bool:
    """Return whether one letter differs, is missing, or has changed places with the next."""
    a, b = _apart(" ".join(one), " ".join(other))
    b, a = _apart(b[::-1], a[::-1])
    return max(len(a), len(b)) <= 1 or (len(a) == len(b) == len("ab") and a == b[::-1])


def _apart(one: str, other: str) -> tuple[str, str]:
    """Return two texts without the beginning that they share."""
    shared = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    start = min(len(one), len(other)) if shared is None else shared
    return one[start:], other[start:]
