"""Docstrings of every style and every slip keep their texts."""

import pytest

from toolreg._docstring import Documentation, parse


def told(text: str, *names: str) -> dict[str, str]:
    return dict(parse(text, names).parameters)


@pytest.mark.parametrize("text", [None, "", "   ", "\n\n    \n\t", "\r\n"])
def test_nothing_is_said_by_an_empty_text(text):
    """No docstring, or one of blanks, gives the empty description."""
    assert Documentation(description="", parameters={}, undeclared=()) == parse(text, ["x"])


STYLES = {
    "google": """Search the web.

    Longer explanation,
    over two lines.

    Args:
        query (str): What to look
            for.
        limit: How many: at most (10).

    Returns:
        list: The results.

    Raises:
        ValueError: If empty.

    Examples:
        >>> search("x")
        []
    """,
    "numpy": """Search the web.

    Longer explanation,
    over two lines.

    Parameters
    ----------
    query : str
        What to look
        for.
    limit : {1, 10}, optional
        How many: at most (10).

    Returns
    -------
    list
        The results.

    Raises
    ------
    ValueError
        If empty.

    Warns
    -----
    UserWarning
        If slow.

    Examples
    --------
    >>> search("x")
    []
    """,
    "rest": """Search the web.

    Longer explanation,
    over two lines.

    :param str query: What to look
        for.
    :param limit: How many: at most (10).
    :type limit: int
    :returns: The results.
    :rtype: list
    :raises ValueError: If empty.
    """,
    "epydoc": """Search the web.

    Longer explanation,
    over two lines.

    @param query: What to look
        for.
    @type query: str
    @param limit: How many: at most (10).
    @return: The results.
    @raise ValueError: If empty.
    """,
}


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_the_four_styles_say_the_same(style, ends):
    """Each style gives the texts of the parameters, and a description without sections."""
    assert Documentation(
        description="Search the web.\n\nLonger explanation,\nover two lines.",
        parameters={"query": "What to look for.", "limit": "How many: at most (10)."},
        undeclared=(),
    ) == parse(STYLES[style].replace("\n", ends), ["query", "limit"])


@pytest.mark.parametrize("style", STYLES)
def test_names_of_no_parameter_are_told(style):
    """A documented name that the signature lacks is undeclared, and its text goes nowhere."""
    found = parse(STYLES[style], ["limit"])
    assert ("query",) == found.undeclared
    assert {"limit": "How many: at most (10)."} == found.parameters


@pytest.mark.parametrize(
    "title",
    [
        *("Args", "Arguments", "Params", "Parameters", "Keyword Args", "Keyword Arguments"),
        *("Other Parameters", "args", "ARGS", "Arg", "keyword  arguments", "Attributes", ":Args"),
    ],
)
@pytest.mark.parametrize("colon", [":", " :", "::"])
def test_a_google_section_has_many_titles(title, colon):
    """Titles of sections on parameters are known in every common spelling."""
    text = f"Do.\n\n    {title}{colon}\n        a: First.\n        b (int): Second.\n    "
    assert {"a": "First.", "b": "Second."} == told(text, "a", "b")
    assert parse(text, ["a", "b"]).description == "Do."


@pytest.mark.parametrize(
    "title",
    [
        "Parameters\n----------",
        "Parameters\n==========",
        "Parameters\n---",
        "Parameters\n--------------------",
        "Parameters:\n-----------",
        "parameters\n~~~~~~~~~~",
        "Other Parameters\n----------------",
        "Args\n----",
        "Keyword Arguments\n-----------------",
        "Attributes\n----------",
    ],
)
def test_a_numpy_section_has_many_titles(title):
    """Any underline makes a known title a section."""
    text = f"Do.\n\n{title}\na : int\n    First.\nb\n    Second.\n"
    assert {"a": "First.", "b": "Second."} == told(text, "a", "b")
    assert parse(text, ["a", "b"]).description == "Do."


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        ('a (str) : Title (e.g. "Genesis").', 'Title (e.g. "Genesis").'),
        ('a (str, optional): e.g. "3:5" means: 5.', 'e.g. "3:5" means: 5.'),
        ("a: Text", "Text"),
        ("a:text", "text"),
        ("a(int): Text", "Text"),
        ("a (int):text", "text"),
        ("*a: Text", "Text"),
        ("**a: Text", "Text"),
        (r"\*a: Text", "Text"),
        (r"\*\*a (int): Text", "Text"),
        ("`a`: Text", "Text"),
        ("``a`` (int): Text", "Text"),
        ("**a** (int): Text", "Text"),
        ("- a: Text", "Text"),
        ("* a (int): Text", "Text"),
        ("a -- Text", "Text"),
        ("a - Text", "Text"),
        ("a \N{EN DASH} Text", "Text"),
        ("a (int) -- Text", "Text"),
        ("a:\n            Text", "Text"),
        ("a (int):\n            Text\n            more.", "Text more."),
        ("a\n            Text", "Text"),
        ("a (int)\n            Text", "Text"),
        ("a (int) Text without a colon.", "Text without a colon."),
        ("a (int). Text.", "Text."),
        ("a (dict[str, int]): Text", "Text"),
        ("a (Callable[[int], str]): Text", "Text"),
        ("a (dict[str: int]): Text", "Text"),
        ('a (Literal["x)", "y: z"]): Text', "Text"),
        ("a (float in [0, 1)): Text", "Text"),
        ("a (the user's own (or none)): Text", "Text"),
        ("a (:obj:`int`, *optional*, defaults to `None`): Text", "Text"),
        ("a (int), optional: Text", "Text"),
        ("a (`int`: Text", "Text"),
        ("a (`int`:\n            Text", "Text"),
        ('a (Literal["x",\n            "y"]): Text', "Text"),
        ("a (int): :class:`A` or\n            :class:`B`.", ":class:`A` or :class:`B`."),
        ("a (int):\n            :class:`A` it is.", ":class:`A` it is."),
        (
            "a: Text\n        that wraps: badly\n        at b: or so",
            "Text that wraps: badly at b: or so",
        ),
        ("a: Text\n     that wraps", "Text that wraps"),
        ("a: Text\n    that wraps", "Text that wraps"),
        ("a: Text\nthat wraps", "Text that wraps"),
        (
            "a: One.\n\n            Two\n            lines.\n\n            Three.",
            "One.\n\nTwo lines.\n\nThree.",
        ),
        (
            "a: One of:\n\n            - x: ex\n              wrapped\n            - y: why",
            "One of:\n\n- x: ex wrapped\n- y: why",
        ),
        ("a: One of\n            * x\n            * y", "One of\n* x\n* y"),
        ("a: One of\n        - x: ex\n        - y: why", "One of\n- x: ex\n- y: why"),
        (
            "a: Text.\n            Returns:\n                text\n            Args:\n                b: of it",
            "Text. Returns: text Args: b: of it",
        ),
        ("a: Text.\n        Note: not more.", "Text. Note: not more."),
        ("a: Text.\n        Default: 3.", "Text. Default: 3."),
        (
            "a: \N{GREEK SMALL LETTER ALPHA}\N{NO-BREAK SPACE}und \N{GREEK SMALL LETTER BETA}",
            "\N{GREEK SMALL LETTER ALPHA} und \N{GREEK SMALL LETTER BETA}",
        ),
        ("a:  two  blanks ", "two blanks"),
        ("a: see http://example.org: there", "see http://example.org: there"),
    ],
)
def test_a_google_item_keeps_its_text(item, expected):
    """However an item is written or wrapped, its text comes back and the next one is untouched."""
    text = f"Do.\n\n    Args:\n        {item}\n        b (int): Second.\n    "
    assert {"a": expected, "b": "Second."} == told(text, "a", "b")
    assert () == parse(text, ["a", "b"]).undeclared
    last = (
        f"Do.\n\n    Args:\n        b: Second.\n        {item}\n\n    Returns:\n        It.\n    "
    )
    assert {"a": expected, "b": "Second."} == told(last, "a", "b")
    assert "Do." == parse(last, ["a", "b"]).description
