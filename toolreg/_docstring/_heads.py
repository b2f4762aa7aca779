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
_HEAD: Final = re.compile(
    rf"\n(?P<indent>[ ]*+)(?:{_ITEM}|(?P<odd>[^ \n][^\n]*?)[ ]:(?=[ \n]|\Z))", re.VERBOSE
)
_PLAIN: Final = (
    re.compile(r"[*\\]*+[\w\\]++"),
    re.compile(r"[*\\]*+[\w\\]++(?:,[ ]*+(?:[*\\]*+[\w\\]++|\.\.\.))*+"),
)
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
_TYPE_TOKEN: Final = re.compile(r"\"[^\"\n]*+\"|'[^'\n]*+'|[()\[\]{}]")
_AFTER_TYPE: Final = re.compile(
    r" *+:(?![:/])(?!\w++:`)| +-{1,3}(?=[ \n])| +[\u2013\u2014](?= )|[.,]?+ (?=[A-Z])|(?=\n|\Z)"
)
_COLON_AFTER_BRACKET: Final = re.compile(r"\)[ ]*+:(?=\s|\Z)")
_LATE_COLON: Final = re.compile(r"(?:[^\n:.]{0,40}+|[^\n]*?\)[ ]*+):(?=\s|\Z)")
_COLON: Final = re.compile(r":(?=\s|\Z)")
_TYPE_LINES: Final = 8
_TYPE_SIGNS: Final = re.compile(r"optional|default|[{\[]")
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
    for match in _HEAD.finditer(text, start, stop):
        indent = match.end("indent") - match.start() - 1
        bullet, raw, odd = match.group("bullet", "names", "odd")
        if odd and numpy:
            names = tuple(_WORD.findall(odd)) if _GROUPS.fullmatch(odd) else ()
            begin = _Begin(_after_numpy_type(text, match.end(), stop, indent), certain=True)
        elif raw and (found := _begin(text, match, stop, indent, numpy=numpy)):
            names, begin = (raw,) if raw.isidentifier() else _names(raw), found
        else:
            continue
        certain = begin.certain and (odd or _PLAIN[numpy].fullmatch(raw)) is not None
        yield Head(match.start(), begin.at, indent, names, certain, bool(bullet))


def _names(raw: str) -> tuple[str, ...]:
    names = _WORD.findall(raw.replace("\\", ""))
    return tuple(names[:1]) + tuple(name for name in names[1:] if name not in _NO_NAMES)


class _Begin(NamedTuple):
    at: int
    certain: bool


def _begin(
    text: str, match: re.Match[str], stop: int, indent: int, *, numpy: bool
) -> _Begin | None:
    mark, at = match["mark"], match.end()
    if mark == "(":
        begin = _after_type(text, at, stop, indent)
        if begin and numpy and text[begin.at - 1] == ":":
            return _Begin(_after_numpy_type(text, begin.at, stop, indent), begin.certain)
        return begin
    if mark == ":" and numpy:
        return _Begin(_after_numpy_type(text, at, stop, indent), certain=True)
    if mark == ":":
        is_remark = match["names"].lower() in _REMARKS
        return _Begin(at, certain=not is_remark and (at == stop or text[at] in " \n"))
    if mark or _is_deeper(text, at, stop, indent):
        return _Begin(at, certain=numpy and not mark)
    return _Begin(at, certain=False) if numpy else None


def _after_type(text: str, at: int, stop: int, indent: int) -> _Begin | None:
    if simple := _SIMPLE_TYPE.match(text, at, stop):
        return _Begin(simple.end(), certain=True)
    line = _line_end(text, at, stop)
    close = _closing(text, at, line)
    if close is None and (late := _COLON_AFTER_BRACKET.search(text, at, line)):
        return _Begin(late.end(), certain=False)
    close = close or _closing(text, at, _type_end(text, line, stop, indent))
    if close is None:
        colon = _COLON.search(text, at, line)
        return _Begin(colon.end(), certain=False) if colon else None
    if after := _AFTER_TYPE.match(text, close, stop):
        at = after.end()
        spaced = at == stop or text[at] in " \n"
        return _Begin(at, certain=spaced and text[at - 1] == ":")
    late = _LATE_COLON.match(text, close, line)
    return _Begin(late.end(), certain=False) if late else None


def _closing(text: str, at: int, end: int) -> int | None:
    depth = 1
    for token in _TYPE_TOKEN.finditer(text, at, end):
        # Any bracket closes any other: a type may be an interval, such as (0, 1].
        depth += (token[0] in "([{") - (token[0] in ")]}")
        if not depth:
            return token.end()
    return None


def _type_end(text: str, line: int, stop: int, indent: int) -> int:
    for _ in range(_TYPE_LINES):
        is_head = not _is_deeper(text, line, stop, indent) and _HEAD.match(text, line, stop)
        if is_head or line == stop or text.startswith("\n\n", line):
            break
        line = _line_end(text, line + 1, stop)
    return line


def _after_numpy_type(text: str, at: int, stop: int, indent: int) -> int:
    line = _line_end(text, at, stop)
    kind = text[at:line]
    if not _is_deeper(text, line, stop, indent):
        return at if _is_prose(kind) else line
    if text[at - 2] != " " and "(" not in kind and _is_prose(kind):
        return at
    end = line
    for _ in range(_TYPE_LINES):
        if not kind.endswith("\\") and not _is_open(kind):
            break
        end = _line_end(text, end + 1, stop)
        kind = text[at:end]
    if _is_deeper(text, end, stop, indent):
        return end
    return at if _is_prose(kind) else line


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
