"""What a docstring tells of a function and of its parameters."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ._blocks import Items, Page, block_end, read_field, read_section
from ._marks import Mark, marks
from ._second import second_opinion
from ._text import clean, joined, squeezed

__all__ = ["Documentation", "parse"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Documentation:
    """What a docstring says, read once.

    Attributes:
        description: The summary and the free text, without the sections on arguments, results,
            exceptions and examples; possibly empty.
        parameters: Texts of the parameters that are documented, by their names without stars.
            Wrapped lines are joined; a blank line and a list item keep their line break.
        undeclared: The documented names that are no parameter, in order.
    """

    description: str
    parameters: Mapping[str, str]
    undeclared: tuple[str, ...]


_TITLES: Final = frozenset({"Returns", "Return", "Yields", "Raises", "Example", "Examples"})
_NOTHING: Final = Documentation(description="", parameters={}, undeclared=())


def parse(text: str | None, names: Collection[str]) -> Documentation:
    r"""Read a docstring in Google, NumPy, reST or Epydoc style, or in several at once.

    Where two styles explain one parameter, the text is taken from the style that explains more
    of the parameters.

    Args:
        text: The docstring as it stands in ``__doc__``.
        names: The names of the function's parameters.

    Returns:
        What it says; nothing at all for an empty text. No text is an error.

    Examples:
        >>> found = parse("Wait.\n\nArgs:\n    seconds (float): How long.", ["seconds"])
        >>> found.description, found.parameters
        ('Wait.', {'seconds': 'How long.'})
    """
    if not text or text.isspace():
        return _NOTHING
    # Not docstring-parser 0.18: over the documentation of some sixty libraries it loses 2.8 % of
    # the texts in Google sections, and every joint name; one broken field costs it all of them.
    page = Page(cleaned := clean(text), list(marks(cleaned)), frozenset(names))
    free: list[str] = []
    read: list[tuple[Mark, Items]] = []
    at = 0
    for index, mark in enumerate(page.marks):
        if mark.start < at or mark.role == "other":
            continue
        free.append(cleaned[at : mark.start])
        if mark.role in ("parameters", "attributes"):
            items = read_field(page, index) if mark.is_field else read_section(page, index)
            read.append((mark, items))
            free += items.free
            at = items.stop
        else:
            at = block_end(page, index)
            free.append(cleaned[mark.start : at] if mark.role == "kept" else "")
    free.append(cleaned[at:])
    parameters = _union(_readings(read, page.known))
    named = {name for _, items in read for names, _ in items.texts for name in names}
    if missing := page.known - named:
        parameters |= second_opinion(cleaned, missing)
    return Documentation(
        description=squeezed("".join(free)).strip("\n"),
        parameters=parameters,
        undeclared=tuple(_undeclared(read, page.known)),
    )


def _readings(
    read: Sequence[tuple[Mark, Items]], known: frozenset[str]
) -> dict[str, dict[str, str]]:
    readings: dict[str, dict[str, str]] = {}
    # What stands deeper may be a sample of code with a docstring of its own.
    for mark, items in sorted(read, key=lambda block: block[0].indent):
        style = "attributes" if mark.role == "attributes" else mark.style
        reading = readings.setdefault(style, {})
        for names, raw in items.texts:
            for name in names:
                if name in known and name not in reading and (text := joined(raw)):
                    reading[name] = text
    return readings


def _union(readings: dict[str, dict[str, str]]) -> dict[str, str]:
    attributes = readings.pop("attributes", {})
    union: dict[str, str] = {}
    for reading in sorted(readings.values(), key=len, reverse=True):
        union = reading | union
    return attributes | union


def _undeclared(read: Sequence[tuple[Mark, Items]], known: frozenset[str]) -> dict[str, None]:
    return dict.fromkeys(
        name
        for mark, items in read
        if mark.role != "attributes"
        for names, _ in items.texts
        for name in names
        if name not in known and name not in _TITLES
    )
