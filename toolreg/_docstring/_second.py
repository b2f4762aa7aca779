"""A second opinion on texts that the reading of items did not find."""

import re
from collections.abc import Collection
from typing import Final

import docstring_parser

from ._text import joined

__all__ = ["second_opinion"]

_LONGEST: Final = 20_000  # characters; nobody writes more by hand


def second_opinion(text: str, missing: Collection[str]) -> dict[str, str]:
    """Return what docstring-parser says of parameters, for those it knows.

    Args:
        text: The docstring, its margin removed.
        missing: The names of parameters that have no text yet.
    """
    if len(text) > _LONGEST:
        return {}
    if not any(re.search(rf"\b{re.escape(name)}\b", text) for name in missing):
        return {}
    try:
        parsed = docstring_parser.parse(text)
    except Exception:  # noqa: BLE001 - odd texts break it in more ways than it says
        return {}
    found = {_name(param.arg_name): param.description for param in parsed.params}
    return {name: joined(found[name] or "") for name in missing if found.get(name)}


def _name(item: str) -> str:
    """Return the name in an item's head; it takes ``x int`` for one."""
    return (item.split() or [""])[0].lstrip("*")
