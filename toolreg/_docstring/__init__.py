"""What a docstring tells of a function and of its parameters."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

from ._blocks import Items, Page, block_end, read_field, read_section
from ._marks import Mark, marks
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
    text = clean(text)
    page = Page(text, list(marks(text)), frozenset(names))
    gathered = _Gathered(page.known)
    at = 0
    for index, mark in enumerate(page.marks):
        if mark.start < at or mark.role == "other":
            continue
        gathered.free.append(text[at : mark.start])
        if mark.role == "dropped":
            at = block_end(page, index)
        elif mark.role == "kept":
            at = block_end(page, index)
            gathered.free.append(text[mark.start : at])
        else:
            read = read_field if mark.style in ("rest", "epydoc") else read_section
            items = read(page, index)
            gathered.add(mark, items)
            at = items.stop
    gathered.free.append(text[at:])
    return gathered.documentation()


@dataclass(slots=True)
class _Gathered:
    known: frozenset[str]
    free: list[str] = field(default_factory=list[str])
    readings: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])
    undeclared: dict[str, None] = field(default_factory=dict[str, None])

    def add(self, mark: Mark, items: Items) -> None:
        attributes = mark.role == "attributes"
        reading = self.readings.setdefault("attributes" if attributes else mark.style, {})
        self.free += items.free
        for names, raw in items.texts:
            for name in names:
                if name not in self.known:
                    if not attributes:
                        self.undeclared[name] = None
                elif name not in reading and (words := joined(raw)):
                    reading[name] = words

    def documentation(self) -> Documentation:
        return Documentation(
            description=squeezed("".join(self.free)).strip("\n"),
            parameters=self._union(),
            undeclared=tuple(self.undeclared),
        )

    def _union(self) -> dict[str, str]:
        attributes = self.readings.pop("attributes", {})
        union: dict[str, str] = {}
        for reading in sorted(self.readings.values(), key=len, reverse=True):
            union = reading | union
        return attributes | union
