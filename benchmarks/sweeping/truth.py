"""What a docstring says of each real parameter, by the reference parsers.

numpydoc reads the NumPy style; griffe reads Google's and reST. Whichever finds a text for most of
the real parameters is taken to be the docstring's style.
"""

import contextlib
import inspect
import io
import logging
import re
from collections.abc import Callable, Collection, Iterable
from typing import Any

import griffe
from numpydoc.docscrape import NumpyDocString

logging.disable(logging.CRITICAL)
_GRIFFE_KINDS = (
    griffe.DocstringSectionKind.parameters,
    griffe.DocstringSectionKind.other_parameters,
)


def collapse(text: str) -> str:
    """Return the text with every run of white space made one blank."""
    return re.sub(r"\s+", " ", text).strip()


def texts(function: Callable[..., Any], names: Collection[str]) -> tuple[str, dict[str, str]]:
    """Return the style of a function's docstring and its texts by real parameter.

    Args:
        function: Whose ``__doc__`` is read.
        names: The names of its parameters, without stars.
    """
    document = inspect.cleandoc(function.__doc__ or "")
    found = {style: _real(read, document, names) for style, read in _STYLES.items()}
    style = max(found, key=lambda each: len(found[each]))
    return (style, found[style]) if found[style] else ("none", {})


def _real(
    read: Callable[[str], Iterable[tuple[str, str]]], document: str, names: Collection[str]
) -> dict[str, str]:
    kept: dict[str, str] = {}
    try:
        items = list(_quietly(read, document))
    except Exception:
        return {}
    for joint, text in items:
        for name in joint.partition(":")[0].split(","):
            bare = name.strip().lstrip("*\\`").rstrip("`")
            if bare in names and collapse(text):
                kept.setdefault(bare, collapse(text))
    return kept


def _quietly(
    read: Callable[[str], Iterable[tuple[str, str]]], document: str
) -> Iterable[tuple[str, str]]:
    with contextlib.redirect_stderr(io.StringIO()):
        return list(read(document))


def _numpy(document: str) -> Iterable[tuple[str, str]]:
    parsed = NumpyDocString(document)
    for section in ("Parameters", "Other Parameters"):
        for item in parsed[section]:
            yield item.name, "\n".join(item.desc)


def _griffe(style: str) -> Callable[[str], Iterable[tuple[str, str]]]:
    def read(document: str) -> Iterable[tuple[str, str]]:
        for section in griffe.Docstring(document).parse(style):
            if section.kind in _GRIFFE_KINDS:
                yield from ((item.name, item.description) for item in section.value)

    return read


_STYLES: dict[str, Callable[[str], Iterable[tuple[str, str]]]] = {
    "numpy": _numpy,
    "google": _griffe("google"),
    "sphinx": _griffe("sphinx"),
}
