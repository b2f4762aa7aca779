"""Docstrings of every style and every slip keep their texts."""

from dataclasses import dataclass
from functools import partial
from textwrap import indent

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

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
        ("a (list(int, optional): Text", "Text"),
        ("a (float in (0, 1]): Text b)", "Text b)"),
        ("a (x," + "\n            y," * 7 + "): Text", "Text"),
        ("a (int or\n        when `b: c` is): Text", "Text"),
        ("a (int): A non-default value. Defaults to 3.", "A non-default value. Defaults to 3."),
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
        ("a: Returns\n            -------", "Returns -------"),
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


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        ("a : int\n        Text.", "Text."),
        ("a: int\n        Text.", "Text."),
        ("a :\n        Text.", "Text."),
        ("a\n        Text.", "Text."),
        ("a : {'x', 'y'}, optional\n        Text: more.", "Text: more."),
        ("a : {'x',\n         'y'}, optional\n        Text.", "Text."),
        ("a : int, \\\n            optional\n        Text.", "Text."),
        ("a : the thing (typically\n        wrapped)", "the thing (typically wrapped)"),
        ("a : The number of things.", "The number of things."),
        ("a: The number of things\n        to do.", "The number of things to do."),
        ("a (int)\n        Text.", "Text."),
        ("a (int): Text.", "Text."),
        ("a (int) : int\n        Text.", "Text."),
        ("a, optional\n        Text.", "Text."),
        ("*a : int\n        Text.", "Text."),
        (r"\*\*a" + "\n        Text.", "Text."),
        ("`a` : int\n        Text.", "Text."),
        ("a : int\n        Text\n    badly wrapped\n        twice.", "Text badly wrapped twice."),
        (
            "a : int\n        One.\n\n        - x : ex\n        - y : why",
            "One.\n\n- x : ex\n- y : why",
        ),
        (
            "a : int\n        One.\n\n        .. deprecated:: 1.0\n           Two.",
            "One.\n\n.. deprecated:: 1.0 Two.",
        ),
        ("a : int\n        Returns\n        -------\n        b : int", "Returns ------- b : int"),
        ("a : int\n        Text.\n    share{x,y} : int\n        Not this.", "Text."),
        ("a : int\n        Text.\n\n    What follows is said of all.", "Text."),
    ],
)
def test_a_numpy_item_keeps_its_text(item, expected):
    """However an item is written or wrapped, its text comes back and the next one is untouched."""
    text = f"Do.\n\n    Parameters\n    ----------\n    {item}\n    b : int\n        Second.\n    "
    assert {"a": expected, "b": "Second."} == told(text, "a", "b")
    last = (
        "Do.\n\n    Parameters\n    ----------\n    b : int\n        Second.\n"
        f"    {item}\n\n    Returns\n    -------\n    int\n        It.\n    "
    )
    assert {"a": expected, "b": "Second."} == told(last, "a", "b")


@pytest.mark.parametrize("sign", [":", "@"])
@pytest.mark.parametrize(
    ("item", "expected"),
    [
        ("param a: Text.", "Text."),
        ("param int a: Text.", "Text."),
        ("param dict(str, int) a: Text.", "Text."),
        ("param dict[str:int] a: Text.", "Text."),
        ("param int | None |\n        str a: Text.", "Text."),
        ("parameter a: Text.", "Text."),
        ("arg a: Text.", "Text."),
        ("keyword a: Text.", "Text."),
        ("var a: Text.", "Text."),
        (r"param \*a: Text.", "Text."),
        ("param **a: Text.", "Text."),
        ("param `a`: Text.", "Text."),
        ("param a:Text.", "Text."),
        ("param a Text.", "Text."),
        ("param a - Text.", "Text."),
        ("param a\n        Text.", "Text."),
        ("param a:\n        Text.", "Text."),
        ("param a: Text :class:`A`:\n        more.", "Text :class:`A`: more."),
        ("param a: Text\n    badly wrapped.", "Text badly wrapped."),
        ("param a: One.\n\n        Two\n        lines.", "One.\n\nTwo lines."),
        ("param a: One.\n        :param b: of it", "One. :param b: of it"),
    ],
)
def test_a_field_keeps_its_text(sign, item, expected):
    """However a field is written or wrapped, its text comes back and the next one is untouched."""
    text = f"Do.\n\n    {sign}{item}\n    {sign}param b: Second.\n    {sign}return: It.\n    "
    assert {"a": expected, "b": "Second."} == told(text, "a", "b")
    assert () == parse(text, ["a", "b"]).undeclared
    assert "Do." == parse(text, ["a", "b"]).description


@pytest.mark.parametrize(
    "text",
    [
        "Do.\n\nArgs:\n    a, b: Both.\n    *c, **d (int): Two.\n",
        "Do.\n\nArgs:\n    a / b: Both.\n    c and d (int): Two.\n",
        "Do.\n\nParameters\n----------\na, b : int\n    Both.\nc,d\n    Two.\n",
        "Do.\n\nParameters\n----------\n(a), (b) : int\n    Both.\n*c, **d :\n    Two.\n",
        "Do.\n\nParameters\n----------\na, ..., b : int\n    Both.\nc or d : int\n    Two.\n",
        "Do.\n\n:param a, b: Both.\n:param int c, d: Two.\n",
    ],
)
def test_joint_names_share_their_text(text):
    """An item with several names explains each of them."""
    both, two = dict.fromkeys("ab", "Both."), dict.fromkeys("cd", "Two.")
    assert both | two == told(text, *"abcd")


@pytest.mark.parametrize(
    "text",
    [
        "Args:\n        to: Whom.\n        why (str): One\n            sentence.\n    ",
        "Args:\nto: Whom.\nwhy (str): One\n    sentence.",
        "Args:\n    to: Whom.\n    why (str): One\n        sentence.\n\nReturns:\n    It.",
        "Args:\n        to:\n            Whom.\n        why: One\n            sentence.",
        "Arguments:\nto -- Whom.\nwhy -- One\n   sentence.\n",
        "Parameters\n    ----------\n    to\n        Whom.\n    why : str\n        One\n        sentence.",
        ":param to: Whom.\n    :param why: One\n        sentence.\n    ",
        ":Parameters:\n      - `to`: Whom.\n      - `why` (str): One\n        sentence.\n    ",
        "\n    Args:\n    to: Whom.\n    why (str): One\n        sentence.\n\n    Returns:\n    It.\n    ",
    ],
)
def test_a_docstring_may_open_with_its_parameters(text):
    """Without a summary, and with or without the common indentation, the items are found."""
    assert Documentation(
        description="", parameters={"to": "Whom.", "why": "One sentence."}, undeclared=()
    ) == parse(text, ["to", "why"])


def test_sections_need_no_blank_line_before_them():
    """A section ends where the next title stands, and a free one stays in the description."""
    text = "Get it.\n\n    Note:\n        It is cached.\n    Args:\n        a: First.\n    Returns:\n        It.\n    See Also:\n        get\n    "
    assert Documentation(
        description="Get it.\n\nNote:\n    It is cached.\nSee Also:\n    get",
        parameters={"a": "First."},
        undeclared=(),
    ) == parse(text, ["a"])


def test_a_marked_title_is_no_section():
    """`#Args:` is text like any other."""
    assert Documentation(
        description="Do.\n\n#Args:\n    a: First.", parameters={}, undeclared=()
    ) == parse("Do.\n\n#Args:\n    a: First.", ["a"])


def test_blanks_at_the_end_of_lines_mean_nothing():
    """A blank line with trailing blanks ends a section as an empty one does."""
    text = "Do.  \n \n\tArgs: \n\t\ta: First.\t\n\t\told: Gone. \n\t\t\n\tReturns: \n\t\ta * b\n\t"
    assert Documentation(
        description="Do.", parameters={"a": "First."}, undeclared=("old",)
    ) == parse(text, ["a"])


def test_parameters_may_be_called_like_titles():
    """A parameter named `args` or `Returns` is a parameter where items stand."""
    names = ["args", "returns", "note", "Returns", "param"]
    expected = dict(zip(names, ["A.", "B.", "C.", "D.", "E."], strict=True))
    google = "Do.\n\nArgs:\n    args: A.\n    returns:\n        B.\n    note: C.\n    Returns:\n        D.\n    param: E.\n\nReturns:\n    It.\n"
    assert expected == told(google, *names)
    numpy = "Do.\n\nParameters\n----------\nargs:\n    A.\nreturns\n    B.\nnote : x\n    C.\nReturns:\n    D.\nparam\n    E.\n\nReturns\n-------\nIt.\n"
    assert expected == told(numpy, *names)
    assert "Do." == parse(google, names).description == parse(numpy, names).description


def test_styles_may_be_mixed():
    """No style costs a text that another one has."""
    text = "Do.\n\n    :param c: Third.\n\n    Args:\n        a: First.\n\n    Parameters\n    ----------\n    b : int\n        Second.\n\n    @param d: Fourth.\n    "
    assert Documentation(
        description="Do.",
        parameters={"a": "First.", "b": "Second.", "c": "Third.", "d": "Fourth."},
        undeclared=(),
    ) == parse(text, ["a", "b", "c", "d"])
    within = "Do.\n\nArgs:\n    a: First.\n    :param b: Second.\n    :type b: int\n"
    assert {"a": "First.", "b": "Second."} == told(within, "a", "b")


def test_the_style_that_explains_more_wins():
    """Of two texts for one parameter, the one of the richer style is taken."""
    text = (
        "Do.\n\nArgs:\n    a: Poor.\n    x: No.\n    y: No.\n\n:param a: Rich.\n:param b: Second.\n"
    )
    assert {"a": "Rich.", "b": "Second."} == told(text, "a", "b")


def test_attributes_explain_what_nothing_else_does():
    """A section on attributes fills in, and its other names are not held against it."""
    text = (
        "Do.\n\nAttributes:\n    a: Poor.\n    b: Second.\n    c: Third.\n\nArgs:\n    a: Rich.\n"
    )
    found = parse(text, ["a", "b"])
    assert {"a": "Rich.", "b": "Second."} == found.parameters
    assert () == found.undeclared


@pytest.mark.parametrize(
    "text",
    [
        "Do.\n\nArgs:\n    a: A.\n\n    Keyword Args:\n        b: B.\n\nReturns:\n    It.",
        "Do.\n\nArgs:\n    a: A.\n\nKeyword Args:\n    b: B.\n\nYields:\n    It.",
        "Do.\n\nArgs\n    a: A.\n    b: B.\nReturns\n    It.",
        "Do.\n\nArgs:\n    a: A.\n    b: B.\nReturns: It.",
        "Do.\n\nArgs:\n    These are known.\n\n    a: A.\n    b: B.\n",
        "Do.\n\nArgs:\n  a: A.\n b: B.\n",
        "Do.\n\nArgs:\n    a: A.\nb: B.\n",
        "Do.\n\nParameters\n----------\n    a : int\n        A.\n    b : int\n        B.\n\nReturns\n-------\n    int",
        "Do.\n\nParameters\n----------\nThese are known.\n\na : int\n    A.\nb\n    B.\n",
        "        Do.\n\n    Parameters\n    ----------\na : int\n    A.\nb : int\n    B.\n",
        "Do.\n\nExample:\n    >>> def f(a):\n    ...     '''Args:\n    ...         a: No.'''\n\nArgs:\n    a: A.\n    b: B.\n",
        "Do.\n\nExamples:\n\n>>> f()\n\nIt is so.\n\n>>> f()\n\nArgs:\n    a: A.\n    b: B.\n",
        "Do.\n\nArgs:\n    a: A.\n\n    b: B.\n\nReceives:\n    int\nWarns:\n    x",
    ],
)
def test_layouts_of_sections(text):
    """However sections are laid out, the items are found and the description is free of them."""
    assert Documentation(
        description="Do.", parameters={"a": "A.", "b": "B."}, undeclared=()
    ) == parse(text, ["a", "b"])


@pytest.mark.parametrize(
    ("text", "description"),
    [
        (
            "Do.\n\nArgs:\n    a: A.\n\nMore: of it.\n\nAnd more.",
            "Do.\n\nMore: of it.\n\nAnd more.",
        ),
        (
            "Do.\n\nArgs:\n    a: A.\n\nUsage is:\n    free: text\n",
            "Do.\n\nUsage is:\n    free: text",
        ),
        (
            "Do.\n\nArgs:\n    a: A.\nEnvironment:\n    HOME: x\n",
            "Do.\n\nEnvironment:\n    HOME: x",
        ),
        (
            "Do.\n\nParameters\n----------\na : int\n    A.\n\nNotes\n-----\nB.\n",
            "Do.\n\nNotes\n-----\nB.",
        ),
        (
            "Do.\n\nParameters\n----------\na : int\n    A.\n\nThat is all there is.\n",
            "Do.\n\nThat is all there is.",
        ),
        (
            "Do.\n\nParameters\n----------\na : int\n    A.\n\nTheory\n======\nB.\n",
            "Do.\n\nTheory\n======\nB.",
        ),
        ("Do.\n\n:param a: A.\n\nMore.\n\n:note: B.\n", "Do.\n\nMore.\n\n:note: B."),
        ("Do.\n\n:class:`X` does.\n\n:param a: A.\n", "Do.\n\n:class:`X` does."),
        (
            "Do.\n\n.. deprecated:: 1.0\n    Use b.\n\nArgs:\n    a: A.",
            "Do.\n\n.. deprecated:: 1.0\n    Use b.",
        ),
        ("Args:\n    a: A.\n\nDo.", "Do."),
        ("Do.\n\n\n\nMore.\n\nArgs:\n    a: A.\n\n\n", "Do.\n\nMore."),
        ("Do.\nReturns:\n\nArgs:\n    a: A.", "Do."),
        ("Do.\n\nArgs:\n    a: A.\n\nArgs:", "Do."),
        ("Do.\n\nArgs:\nfree text: it is\n\n:param a: A.", "Do.\n\nfree text: it is"),
    ],
)
def test_free_text_is_kept(text, description):
    """What stands between sections and after them is part of the description."""
    found = parse(text, ["a"])
    assert description == found.description
    assert () == found.undeclared


def test_a_type_that_never_closes_costs_only_its_item():
    """An item whose bracket stays open is text of the one before it, and the next one is read."""
    text = "Do.\n\nArgs:\n    a: A.\n    b (x" + ",\n        y" * 12 + "\n    c: C.\n"
    assert {"a": "A. b (x" + ", y" * 12, "c": "C."} == told(text, "a", "b", "c")


def test_prose_before_the_items_may_look_like_one():
    """What comes before the first item of a real parameter is no item."""
    text = "Do.\n\nArgs:\n    All of\n    them: are known.\n    a: A.\n"
    assert Documentation(description="Do.", parameters={"a": "A."}, undeclared=()) == parse(
        text, ["a"]
    )


def test_names_of_no_parameter_stay_few():
    """Prose that looks like an item is not told as a name; only items are."""
    text = "Do.\n\nArgs:\n    a: A.\n    http://x: y\n    Some words: z\n    *b: B.\n    c (int): C.\n    Returns:\n        It.\n"
    found = parse(text, ["a"])
    assert ("b", "c") == found.undeclared
    assert {"a": "A. http://x: y Some words: z"} == found.parameters
    fields = "Do.\n\n:param a: A.\n:param int old: O.\n:param: no\n:param\n:param x y\n    z: no\n"
    assert ("old",) == parse(fields, ["a"]).undeclared


def test_a_sample_of_code_does_not_shadow_the_real_text():
    """Of two sections of a style, the one that stands deeper is read last."""
    text = "Do::\n\n    def f(x):\n        '''F.\n\n        Args:\n            x: Wrong.\n        '''\n\nArgs:\n    x: Right.\n"
    assert {"x": "Right."} == told(text, "x")


def test_an_item_without_text_has_no_text():
    """A parameter that is only named is not explained."""
    assert {} == told("Do.\n\nArgs:\n    a:\n    b (int):\n", "a", "b")
    assert {"b": "B."} == told(
        "Do.\n\nParameters\n----------\na : int\nb : int\n    B.\n", "a", "b"
    )
    assert {"a": "A."} == told("Do.\n\n:param a:\n:param b:\n\nArgs:\n    a: A.\n", "a", "b")


# The white-space rule: runs of white space are one blank; a blank line stays one; the line of a
# list item begins a line; any other line break is a blank.

NASTY = [
    *(
        "Returns",
        "Returns:",
        "Args:",
        "Raises:",
        "Note:",
        "x:",
        "y",
        ":param",
        ":return:",
        "@param",
    ),
    *("(a", "b)", "[", "{'k':", "`code`", "``x``", '"q"', "'", "it's", "::", "--", "-", "=", "1."),
    *("http://x.y:8/z", "**bold**", "*", "größe", "名前", "é", ":class:`X`", "Parameters", "----"),
    *(
        "e.g.",
        "#",
        "\\",
        "%s",
        "{x}",
        ">>>",
        "..",
        "a|b",
        "x,",
        "default:",
        "optional",
        "\N{EN DASH}",
    ),
]
MARKERS = ("-", "*", "+", "\N{BULLET}", ">>>", "..", "1.")
PLAIN_WORDS = st.text("abcdefghijkl", min_size=1, max_size=7).map("w".__add__)
WORDS = st.sampled_from(NASTY) | PLAIN_WORDS
LINES = st.lists(WORDS, min_size=1, max_size=6).filter(lambda words: words[0] not in MARKERS)
PARAGRAPHS = st.lists(LINES.map(" ".join), min_size=1, max_size=3)
LISTS = st.lists(
    PARAGRAPHS.map(lambda lines: [f"- {lines[0]}", *lines[1:]]), min_size=1, max_size=3
)
BADLY_WRAPPED = st.lists(PLAIN_WORDS, min_size=2, max_size=4).map(" ".join)
NAMES = [
    *("x", "y", "z", "query", "args", "kwargs", "returns", "Returns", "note", "param", "Args"),
    *("default", "self", "type", "_x", "class_", "größe", "名前", "json", "Example", "optional_"),
]
TYPES = {
    "google": [
        *(
            "int",
            "int, optional",
            "dict[str, int]",
            "Callable[[int], str]",
            ":obj:`int`, *optional*",
        ),
        *("float in (0, 1]", 'Literal["a)", "b: c"]', "`~a.B`", "Literal['a',\n            'b']"),
    ],
    "numpy": [
        *("int", "int, optional", "{'a', 'b'}, default 'a'", "dict[str, int]", "(n, m) array_like"),
        *("int, default: 3", 'Literal["a: b"]', "{'a',\n         'b'}, optional", "`~a.B` or None"),
    ],
    "rest": ["int", "str or None", "dict(str, int)", "dict[str:int]", "`~a.B`"],
}


@st.composite
def item_texts(draw: st.DrawFn) -> tuple[list[str], str]:
    """Lines of an item's text, "" where a paragraph ends, and what they say."""
    lines: list[str] = []
    blocks: list[str] = []
    for block in draw(st.lists(PARAGRAPHS | LISTS, min_size=1, max_size=3)):
        entries = [block] if isinstance(block[0], str) else block
        lines += ["", *(line for entry in entries for line in entry)]
        blocks.append("\n".join(" ".join(entry) for entry in entries))
    return lines[1:], "\n\n".join(blocks)


@dataclass
class Rendered:
    text: str
    names: list[str]
    expected: dict[str, str]
    description: str


@st.composite
def docstrings(draw: st.DrawFn, style: str) -> Rendered:
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=5, unique=True))
    expected: dict[str, str] = {}
    items: list[list[str]] = []
    for name in names:
        lines, expected[name] = draw(item_texts())
        shown = draw(st.sampled_from(["", "*", "**", r"\*"])) + name
        rendered = ITEMS[style](draw, shown, lines)
        if "" not in lines and draw(st.booleans()):
            wrapped = draw(BADLY_WRAPPED)
            rendered.append((" " * draw(st.integers(0, 4)) if style == "google" else "") + wrapped)
            expected[name] += f" {wrapped}"
        if draw(st.booleans()):
            rendered.append(draw(st.sampled_from(["", "   "])))
        items.append(rendered)
    summary = draw(st.sampled_from(["", "Do it.", "Do it.\n\nIn a way:\nthis one.\n\n- so"]))
    head, tail = draw(st.sampled_from(FRAMES[style]))
    body = "\n".join(line for item in items for line in item)
    margin = " " * draw(st.sampled_from([0, 4, 8]))
    # A field on the opening line would leave no margin to tell a paragraph of it by.
    gaps = ["\n", "\n\n", "\n  \n"] if summary else ["", "\n"] if head else ["\n"]
    gap = draw(st.sampled_from(gaps))
    text = indent(f"{summary}{gap}{head}{body}\n{tail}", margin).lstrip(" ")
    text += draw(st.sampled_from(["", "\n" + margin]))
    return Rendered(draw(breaks(text)), names, expected, summary)


def breaks(text: str) -> st.SearchStrategy[str]:
    return st.sampled_from(["\n", "\r\n"]).map(lambda end: text.replace("\n", end))


def google_item(draw: st.DrawFn, name: str, lines: list[str]) -> list[str]:
    kind = draw(st.none() | st.sampled_from(TYPES["google"]))
    head = name if kind is None else f"{name} ({kind})"
    colon = draw(st.sampled_from([":", " :"]))
    deep = [draw(st.integers(5, 9)) * " " + line if line else "" for line in lines]
    if draw(st.booleans()):
        return [f"    {head}{colon}", *deep]
    return [f"    {head}{colon} {lines[0]}", *deep[1:]]


def numpy_item(draw: st.DrawFn, name: str, lines: list[str]) -> list[str]:
    kind = draw(st.none() | st.sampled_from(TYPES["numpy"]))
    head = draw(st.sampled_from([name, f"{name} :"])) if kind is None else f"{name} : {kind}"
    return [head, *(draw(st.integers(1, 6)) * " " + line if line else "" for line in lines)]


def field_item(draw: st.DrawFn, name: str, lines: list[str], sign: str) -> list[str]:
    kind = draw(st.none() | st.sampled_from(TYPES["rest"]))
    head = f"{sign}param {name}:" if kind is None else f"{sign}param {kind} {name}:"
    deep = [draw(st.integers(1, 9)) * " " + line if line else "" for line in lines]
    item = [head, *deep] if draw(st.booleans()) else [f"{head} {lines[0]}", *deep[1:]]
    return item


ITEMS = {
    "google": google_item,
    "numpy": numpy_item,
    "rest": partial(field_item, sign=":"),
    "epydoc": partial(field_item, sign="@"),
}
FRAMES = {
    "google": [
        ("Args:\n", ""),
        ("Parameters:\n", "Returns:\n    It: so.\n"),
        ("arguments:\n", "Yields:\n    int: It.\nRaises:\n    E: If so.\n"),
        ("Keyword Args:  \n", "\nExample:\n    >>> do()\n"),
    ],
    "numpy": [
        ("Parameters\n----------\n", ""),
        ("Parameters\n==========\n", "\nReturns\n-------\nint\n    It.\n"),
        (
            "Other Parameters\n---\n",
            "Raises\n------\nE\n    If so.\n\nExamples\n--------\n>>> do()\n",
        ),
    ],
    "rest": [
        ("", ""),
        ("", ":returns: It.\n:rtype: int\n"),
        (":type q: int\n", ":raises E: If so.\n"),
    ],
    "epydoc": [
        ("", ""),
        ("", "@return: It.\n@rtype: int\n"),
        ("@type q: int\n", "@raise E: If so.\n"),
    ],
}


@pytest.mark.parametrize("style", ITEMS)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_every_text_comes_back(style, data):
    """Whatever texts a signature is documented with, in each style they are read as they were meant."""
    rendered = data.draw(docstrings(style))
    found = parse(rendered.text, rendered.names)
    assert rendered.expected == found.parameters
    assert rendered.description == found.description
    assert () == found.undeclared


LAYOUT = st.sampled_from(
    ["\n", "\n    ", "\n        ", "\n\n", " ", ": ", "\t", "\r\n", "\n----\n"]
)


@settings(max_examples=100, deadline=None)
@given(
    st.text() | st.lists(WORDS | LAYOUT | st.sampled_from(NAMES), max_size=60).map("".join),
    st.lists(st.sampled_from(NAMES), max_size=6),
)
@example("Args:\n    x (\n", ["x"])
@example("Parameters\n---\nx : {", ["x"])
@example(":param", ["x"])
@example(":param x\ud800: \udfff", ["x"])
def test_no_text_is_an_error(text, names):
    """Any text at all is read, and what comes out keeps its promises."""
    found = parse(text, names)
    assert set(found.parameters) <= set(names)
    assert not set(found.undeclared) & set(names)
    assert all(found.parameters.values())
    for said in (found.description, *found.parameters.values()):
        assert "\n\n\n" not in said
        assert said == said.strip("\n")


OPENING = "Args:\n    a: x\n"
LONG = {
    "blank lines": ("a", "\n"),
    "one line": ("", "word "),
    "titles": ("", "Args:\n"),
    "items called like titles": ("", "args:\nx\n\n"),
    "items": ("Args:\n", "    a: text\n"),
    "items of no parameter": (OPENING, "    z: text\n"),
    "open types": ("Args:\n", "    a (int\n"),
    "open types on lines": ("Args:\n", "    a ((\n        x\n"),
    "free sections": ("", "Note:\n"),
    "paragraphs": (OPENING, "\n        a deeper paragraph\n"),
    "lines at the margin": (OPENING, "a line at the margin\n"),
    "unknown titles": (OPENING, "Tab:\n"),
    "names": ("Args:\n    ", "a, "),
    "fields": ("", ":param a: x\n"),
    "broken fields": ("", ":param a\n"),
    "sections": ("", "Parameters\n---\na : int\n"),
    "open braces": ("Parameters\n---\n", "a : {(\n    x\n"),
    "an open brace": ("Parameters\n---\na : {\n", "   x\n"),
    "free text, then items": (OPENING + "\n        x" * 9_000 + "\n\nfree\n", "    z: y\n"),
}


@pytest.mark.parametrize("shape", LONG)
def test_a_long_text_is_read_to_its_end(shape):
    """A docstring of two hundred thousand characters is read like a short one."""
    opening, piece = LONG[shape]
    assert parse(opening + piece * (200_000 // len(piece)), ["a", "args"]) is not None


def test_a_second_reader_fills_what_the_first_cannot_read():
    """An item in a form of its own is still read, if docstring-parser knows it."""
    assert {"x": "A number.", "y": "Another."} == told(
        "Do.\n\nArgs:\n    x int: A number.\n    y: Another.\n", "x", "y"
    )
    assert {} == told("Do x.\n\n#Args:\n    x: First.\n", "x")
    assert {} == told("x " * 20_000, "x")
