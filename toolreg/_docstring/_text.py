"""White space of docstrings."""

import re
from typing import Final

__all__ = ["clean", "joined", "squeezed"]

_MARGIN: Final = re.compile(r"\n( *+)(?=[^ \n])")
_BLANKS: Final = re.compile(r"\n{3,}+")
# A list item, a prompt or a directive starts a line of its own; any other line is a wrapped one.
_OWN_LINE: Final = re.compile(r"(?:[-*+•] |\d{1,3}[.)] |>>> |\.\. )")


def clean(text: str) -> str:
    """Lay a docstring flush left, as PEP 257 says.

    Args:
        text: The docstring as it stands in ``__doc__``.

    Returns:
        Its lines, each after a line break, without trailing or doubled blank lines; a line break
        ends it.
    """
    first, *rest = [line.rstrip() for line in text.expandtabs().splitlines()]
    body = "\n".join(["", *rest])
    margin = min(map(len, _MARGIN.findall(body)), default=0)
    if margin:
        body = body.replace("\n" + " " * margin, "\n")
    return squeezed(f"\n{first.lstrip()}{body}\n")


def squeezed(text: str) -> str:
    """Leave one blank line where there are several.

    Args:
        text: Lines without trailing blanks.

    Returns:
        The same without doubled blank lines.
    """
    return _BLANKS.sub("\n\n", text) if "\n\n\n" in text else text


def joined(text: str) -> str:
    """Join the wrapped lines of an item's text.

    Args:
        text: The text as it stands, indentation included.

    Returns:
        The text with single blanks; blank lines and list items keep their line break.
    """
    if "\n" not in text:
        return " ".join(text.split())
    parts: list[str] = []
    separator = ""
    for line in text.strip().split("\n"):
        words = " ".join(line.split())
        if not words:
            separator = "\n\n"
            continue
        if separator == " " and _OWN_LINE.match(words):
            separator = "\n"
        parts += (separator, words)
        separator = " "
    return "".join(parts)
