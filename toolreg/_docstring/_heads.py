"""Where the items of a section on parameters begin."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

__all__ = ["Head", "heads"]


class Head(NamedTuple):
    """The beginning of an item: its names and its type.

    Attributes:
        start: Where it begins, at the line break before it.
        stop: Where the text of the item begins.
        indent: How deep it stands.
        names: The names, without stars; none where they are no identifiers.
        certain: Whether it reads as an item whatever the parameters are called.
        bullet: Whether it is written as a list item.
    """

    start: int
    stop: int
    indent: int
    names: tuple[str, ...]
    certain: bool
    bullet: bool


_NAME: Final = r"[`'\"*\\]*+[^\W\d](?:\w|\\_)*+[`'\"*]*+"
_ITEM: Final = rf"""
    (?P<bullet>(?:[-*+•]|\d{{1,3}}[.)])[ ]++)?+
    (?P<names>{_NAME}
        (?:[ ]*+
            (?:,(?:[ ]*+\.\.\.,?)?+(?:[ ]*+(?:and|or)\b)?+|/|&|\||(?:and|or)\b)[ ]*+{_NAME}
        )*+
        (?:,?[ ]*+\.\.\.)?+
    )
    [ ]*+(?P<mark>:|\(|(?<=[ ])(?:-{{1,3}}|[\u2013\u2014])(?=[ \n])|(?=\n|\Z))
"""
_GOOGLE: Final = re.compile(rf"\n(?P<indent>[ ]*+)(?P<odd>)(?:{_ITEM})", re.VERBOSE)
_NUMPY: Final = re.compile(
    rf"\n(?P<indent>[ ]*+)(?:{_ITEM}|(?P<odd>[^ \n][^\n]*?)[ ]:(?=[ \n]|\Z))", re.VERBOSE
)
_PLAIN: Final = re.compile(r"[*\\]*+[\w\\]++(?:,[ ]*+(?:[*\\]*+[\w\\]++|\.\.\.))*+")
_GROUPS: Final = re.compile(r"[(\[]*+\w++[)\]]*+(?:, *+[(\[]*+\w++[)\]]*+)++")
_WORD: Final = re.compile(r"[^\W\d]\w*+")
_NO_NAMES: Final = frozenset({"and", "or", "optional"})
# Words that begin a remark on an item, not an item.
_REMARKS: Final = frozenset(
    (
        *("note", "notes", "default", "defaults", "warning", "warnings", "example", "examples"),
        *("important", "tip", "hint", "todo"),
    )
)
_NEXT_LINE: Final = re.compile(r"\n++( *+)(?=[^ \n])")
_SIMPLE_TYPE: Final = re.compile(r"[^()\[\]{}\"'\n]*+\) *+:(?=[ \n]|\Z)")
_TYPE_TOKEN: Final = re.compile(r"\"[^\"\n]*+\"|'[^'\n]*+'|[()]")
_AFTER_TYPE: Final = re.compile(
    r" *+:(?![:/])(?!\w++:`)| +-{1,3}(?=[ \n])| +[\u2013\u2014](?= )|[.,]?+ (?=[A-Z])|(?=\n|\Z)"
)
_LATE_COLON: Final = re.compile(r"[)\]][^\n:()]*+:(?=\s|\Z)")
_COLON: Final = re.compile(r":(?=\s|\Z)")
_TYPE_LINES: Final = 8
_TYPE_SIGNS: Final = re.compile(r"optional|default|[{\[(]")
_LONGEST_TYPE: Final = 3


def heads(text: str, start: int, stop: int, *, numpy: bool) -> Iterator[Head]:
    """Find what may be the heads of items.

    Args:
        text: The clean text.
        start: Where the section begins.
        stop: Where it ends.
        numpy: Whether types stand behind a colon, as in a NumPy section.

    Yields:
        Each line that looks like a head, at any depth.
    """
    for match in (_NUMPY if numpy else _GOOGLE).finditer(text, start, stop):
        indent = match.end("indent") - match.start() - 1
        bullet, raw, odd = match.group("bullet", "names", "odd")
        if odd:
            names = tuple(_WORD.findall(odd)) if _GROUPS.fullmatch(odd) else ()
            at, certain = _after_numpy_type(text, match.end(), stop, indent), True
        else:
            at, certain = _text_start(text, match, stop, indent, numpy=numpy)
            if raw.isidentifier():
                names = (raw,)
            else:
                names = _names(raw)
                certain = certain and (numpy or "," not in raw) and bool(_PLAIN.fullmatch(raw))
        yield Head(match.start(), at, indent, names, certain, bool(bullet))


def _names(raw: str) -> tuple[str, ...]:
    names = _WORD.findall(raw.replace("\\", ""))
    return tuple(names[:1]) + tuple(name for name in names[1:] if name not in _NO_NAMES)


def _text_start(
    text: str, match: re.Match[str], stop: int, indent: int, *, numpy: bool
) -> tuple[int, bool]:
    mark, at = match["mark"], match.end()
    if mark == "(":
        at, certain = _after_type(text, at, stop, indent)
        if numpy and text[at - 1] == ":":
            at = _after_numpy_type(text, at, stop, indent)
        return at, certain
    if mark != ":":
        return at, numpy and not mark and _is_deeper(text, at, stop, indent)
    if numpy:
        return _after_numpy_type(text, at, stop, indent), True
    certain = at == stop or text[at] in " \n"
    return at, certain and match["names"].lower() not in _REMARKS


def _after_type(text: str, at: int, stop: int, indent: int) -> tuple[int, bool]:
    if simple := _SIMPLE_TYPE.match(text, at, stop):
        return simple.end(), True
    end = _closing(text, at, stop, indent)
    if end and (after := _AFTER_TYPE.match(text, end, stop)):
        at = after.end()
        return at, text[at - 1] == ":" and (at == stop or text[at] in " \n")
    line = _line_end(text, at, stop)
    late = _LATE_COLON.search(text, at, line) or _COLON.search(text, at, line)
    return (late.end() if late else line), False


def _closing(text: str, at: int, stop: int, indent: int) -> int | None:
    end = _line_end(text, at, stop)
    for _ in range(_TYPE_LINES):
        if not _is_deeper(text, end, stop, indent):
            break
        end = _line_end(text, end + 1, stop)
    depth = 1
    for token in _TYPE_TOKEN.finditer(text, at, end):
        depth += {"(": 1, ")": -1}.get(token[0], 0)
        if not depth:
            return token.end()
    return None


def _after_numpy_type(text: str, at: int, stop: int, indent: int) -> int:
    end = line = _line_end(text, at, stop)
    kind = text[at:line]
    prose = _is_prose(kind)
    if not _is_deeper(text, line, stop, indent):
        return at if prose else line
    if prose and text[at - 2] != " ":
        return at
    for _ in range(_TYPE_LINES):
        if not (kind.endswith("\\") or _is_open(kind)):
            break
        end = _line_end(text, end + 1, stop)
        kind = text[at:end]
    if end == line or _is_deeper(text, end, stop, indent):
        return end
    return at if prose else line


def _is_prose(kind: str) -> bool:
    if kind.endswith("."):
        return True
    return len(kind.split()) > _LONGEST_TYPE and not _TYPE_SIGNS.search(kind)


def _is_open(kind: str) -> bool:
    return sum(map(kind.count, "([{")) > sum(map(kind.count, ")]}"))


def _line_end(text: str, at: int, stop: int) -> int:
    end = text.find("\n", at, stop)
    return stop if end < 0 else end


def _is_deeper(text: str, at: int, stop: int, indent: int) -> bool:
    below = _NEXT_LINE.match(text, at, stop)
    return below is not None and len(below[1]) > indent
