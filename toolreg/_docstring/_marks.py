"""Where the sections and fields of a docstring begin."""

import re
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple, TypeAlias

__all__ = ["Mark", "Role", "Style", "marks"]

Role: TypeAlias = Literal["parameters", "attributes", "dropped", "kept", "other"]
Style: TypeAlias = Literal["google", "numpy", "rest", "epydoc"]


class Mark(NamedTuple):
    """The line, or title and underline, that opens a section or a field.

    Attributes:
        start: Where it begins, at the line break before it.
        stop: Where it ends; for a field, where its arguments begin.
        indent: How deep it stands.
        role: What becomes of what it opens; ``other`` titles and fields are free text and only
            end what stands before them.
        style: The style it belongs to.
        word: The title or the field's name.
    """

    start: int
    stop: int
    indent: int
    role: Role
    style: Style
    word: str

    @property
    def is_field(self) -> bool:
        """Whether it opens a field, not a section."""
        return self.style in ("rest", "epydoc")


_MARK: Final = re.compile(
    r"""
    \n(?P<indent>[ ]*+)
    (?:
        :?+(?P<title>(?i:
            (?P<parameters>
                (?:(?:keyword|other|optional|required|additional|positional)[ ]++)?+
                (?:arg(?:ument)?|param(?:eter)?)s?+
              | keywords | kwargs
            )
          | (?P<attributes> attributes? | attrs )
          | (?P<dropped>
                returns? | yields? | receives? | raises? | exceptions? | warns? | examples?
            )
          | (?P<kept> notes? | warnings? | see[ ]++also | references? )
        ))
        (?P<colon>[ ]*+::?+)?+(?=\n)
        (?P<rule>\n[ ]*+(?P<stroke>[-=~^_*#+"])(?P=stroke)++(?=\n))?+
      | (?P<inline>(?i:returns?|yields?|raises?)):(?=[ ])
      | (?P<heading>[^\s:@>|=+-][^\n]*+)\n(?P=indent)(?:-{3,}+|={3,}+)(?=\n)
      | [:@](?P<field>[A-Za-z]\w*+)(?=[ :\n])
    )
    """,
    re.VERBOSE,
)
_OTHER_FIELD: Final = re.compile(r"(?: [^:\n]*+)?+:(?=\s)")
_DEEPER: Final = re.compile(r"\n( *+)(?=[^ \n])")
_FIELDS: Final[dict[str, Role]] = {
    **dict.fromkeys(
        (
            *("param", "params", "parameter", "arg", "argument"),
            *("key", "keyword", "kwarg", "kwparam"),
        ),
        "parameters",
    ),
    **dict.fromkeys(("var", "ivar", "cvar", "attr", "attribute"), "attributes"),
    **dict.fromkeys(
        (
            *("type", "kwtype", "vartype", "rtype", "ytype", "returntype", "return", "returns"),
            *("yield", "yields", "raise", "raises", "except", "exception"),
            *("example", "examples", "meta"),
        ),
        "dropped",
    ),
}


def marks(text: str) -> Iterator[Mark]:
    """Find the marks of a clean text, in order.

    Args:
        text: What `clean` made.

    Yields:
        Each section title and field, wherever it stands.
    """
    for match in _MARK.finditer(text):
        start, stop = match.span()
        indent = match.end("indent") - start - 1
        if field := match["field"]:
            style: Style = "epydoc" if text[match.start("field") - 1] == "@" else "rest"
            if role := _FIELDS.get(field):
                yield Mark(start, stop, indent, role, style, field)
            elif _OTHER_FIELD.match(text, stop):
                yield Mark(start, stop, indent, "other", style, field)
        elif title := match["title"]:
            if match["rule"] or match["colon"] or _is_bare(text, match, indent):
                style = "numpy" if match["rule"] else "google"
                yield Mark(start, stop, indent, _role(match), style, title)
        elif match["heading"]:
            yield Mark(start, stop, indent, "other", "numpy", "")
        else:
            yield Mark(start, stop, indent, "dropped", "google", match["inline"])


def _role(match: re.Match[str]) -> Role:
    if match["parameters"]:
        return "parameters"
    if match["dropped"]:
        return "dropped"
    return "attributes" if match["attributes"] else "kept"


def _is_bare(text: str, match: re.Match[str], indent: int) -> bool:
    below = _DEEPER.match(text, match.end())
    return below is not None and len(below[1]) > indent and match["title"][0].isupper()
