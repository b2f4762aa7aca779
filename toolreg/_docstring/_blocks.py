"""What a section or a field says of parameters."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ._heads import Head, heads
from ._marks import Mark

__all__ = ["Items", "Page", "block_end", "read_field", "read_section"]

_NEXT_LINE: Final = re.compile(r"\n++( *+)(?=[^ \n])")
# A new paragraph, or a title that nobody knows over text that is deeper.
_BREAK: Final = re.compile(r"\n(?:\n( *+)(?=[^ \n])|( *+)(?=[A-Z][\w ]{1,40}+:\n\2 ))")
_PROMPT: Final = re.compile(r"\s++>>>")
_COLON: Final = re.compile(r":(?=\s|\Z)")
_TIGHT_COLON: Final = re.compile(r"[^:\n]*+:")
_FIRST_WORD: Final = re.compile(r"\s*+[`*\\]*+(\w++)[`:]*+(?:\s++-{1,2}(?=\s))?+(?=\s|\Z)")
_LONGEST_ARGUMENTS: Final = 300


class Page(NamedTuple):
    """A docstring laid out for reading.

    Attributes:
        text: Its lines, as `clean` lays them.
        marks: Where its sections and fields begin, in order.
        known: The names of the parameters.
    """

    text: str
    marks: Sequence[Mark]
    known: frozenset[str]


class Items(NamedTuple):
    """What a block says of parameters.

    Attributes:
        texts: The names and the text of each item, in order.
        free: The free text that stands in it.
        stop: Where it ends.
    """

    texts: list[tuple[tuple[str, ...], str]]
    free: list[str]
    stop: int


def block_end(page: Page, index: int) -> int:
    """Tell where a block ends that is no section on parameters.

    Args:
        page: What is read.
        index: Which of its marks opens the block.

    Returns:
        The next mark that is no deeper, or before it the first paragraph that is no deeper; a
        NumPy section, not being indented, ends at a mark only.
    """
    mark = page.marks[index]
    stop = len(page.text)
    for other in range(index + 1, len(page.marks)):
        if page.marks[other].indent <= mark.indent:
            stop = page.marks[other].start
            break
    if mark.style == "numpy" or _PROMPT.match(page.text, mark.stop, stop):
        return stop
    return _dedent(page.text, mark.stop, stop, mark.indent)


def read_field(page: Page, index: int) -> Items:
    """Read a field, such as ``:param int x: The text.``.

    Args:
        page: What is read.
        index: Which of its marks opens the field.

    Returns:
        What it says.
    """
    text, start = page.text, page.marks[index].stop
    stop = block_end(page, index)
    end = min(stop, start + _LONGEST_ARGUMENTS)
    colon = _COLON.search(text, start, end) or _TIGHT_COLON.match(text, start, end)
    arguments = text[start : colon.end() - 1] if colon else ""
    names = [_last_word(part) for part in arguments.split(",")]
    if names[-1] in page.known and colon:
        names = names if page.known.issuperset(names) else names[-1:]
        return Items([(tuple(names), text[colon.end() : stop])], [], stop)
    first = _FIRST_WORD.match(text, start, end)
    if first and first[1] in page.known:
        return Items([((first[1],), text[first.end() : stop])], [], stop)
    undeclared = () if "\n" in arguments or not names[-1] else (names[-1],)
    return Items([(undeclared, "")], [], stop)


def _last_word(arguments: str) -> str:
    *_, last = ["", *arguments.replace("\\", "").split()]
    return last.strip("`*")


def read_section(page: Page, index: int) -> Items:
    """Read a section on parameters, item by item.

    Args:
        page: What is read.
        index: Which of its marks opens the section.

    Returns:
        What it says.
    """
    mark = page.marks[index]
    first = _NEXT_LINE.match(page.text, mark.stop)
    if first is None:
        return Items([], [], mark.stop)
    depth = len(first[1])
    stop = _section_end(page, index, depth)
    found = list(_items(page, mark, first, stop))
    is_flush = depth <= mark.indent and mark.style == "google"
    if is_flush and not (found and page.known.intersection(found[0].names)):
        return Items([], [], mark.stop)
    items = Items([], [], stop)
    names: tuple[str, ...] = ()
    begin, limit = mark.stop, min(mark.indent, depth)
    for head in (*found, Head(stop, stop, 0, (), certain=False, bullet=False)):
        end = _dedent(page.text, begin, head.start, limit)
        items.texts.append((names, page.text[begin:end]))
        items.free.append(page.text[end : head.start])
        begin, names, limit = head.stop, head.names, min(mark.indent, head.indent)
    return items


def _section_end(page: Page, index: int, depth: int) -> int:
    shallow = page.marks[index].indent
    for other in range(index + 1, len(page.marks)):
        mark = page.marks[other]
        is_item = mark.style == "google" and mark.word in page.known and mark.indent == depth
        if mark.indent <= shallow and not is_item:
            return mark.start
        if mark.indent <= depth and not is_item and _nests(mark):
            return mark.start
    return len(page.text)


def _nests(mark: Mark) -> bool:
    if mark.is_field:
        return mark.role != "other"
    return mark.role in ("parameters", "attributes")


def _items(page: Page, mark: Mark, first: re.Match[str], stop: int) -> Iterator[Head]:
    depth, bullet = len(first[1]), False
    last: Head | None = None
    seen: set[str] = set()
    ended = False
    for head in heads(page.text, mark.stop, stop, numpy=mark.style == "numpy"):
        if head.indent > depth or (last and head.start < last.stop):
            continue
        new = page.known.intersection(head.names) - seen
        if last is None:
            if not (new or (head.certain and head.start == first.start(1) - 1)):
                continue
            depth, bullet = head.indent, head.bullet
        elif not new:
            if not head.certain or head.indent != depth or head.bullet != bullet:
                continue
            limit = min(mark.indent, last.indent)
            ended = ended or _dedent(page.text, last.stop, head.start, limit) < head.start
            if ended and mark.style != "numpy":
                continue
        yield head
        last, ended = head, False
        seen.update(head.names)


def _dedent(text: str, start: int, stop: int, limit: int) -> int:
    if text.find("\n", start, stop) < 0:
        return stop
    # A title is known by the depth of the line below it, which may be the one at `stop`.
    for match in _BREAK.finditer(text, start, stop + limit + len("\n  ")):
        if match.end() <= stop and len(match[match.lastindex or 0]) <= limit:
            return match.start()
    return stop
