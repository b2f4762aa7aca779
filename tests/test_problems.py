import enum
import json
import string
from typing import Annotated, Literal, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    create_model,
    model_validator,
)
from pydantic_core import PydanticCustomError
from pydantic_core.core_schema import ErrorType

from toolreg import _problems

TOOLS = ["search_web", "view"]
ANY_TEXT = st.text(st.characters(codec=None))


@pytest.mark.parametrize(
    ("expected", "name", "known"),
    [
        ("search_web", "serch_web", TOOLS),
        ("search_web", "SearchWeb", TOOLS),
        ("search_web", "SEARCH-WEB", TOOLS),
        ("search_web", "SearchTool", TOOLS),
        ("search_web", "functions.search_web", [*TOOLS, "web"]),
        ("get_order", "mcp__shop__get_order", ["order", "get_order"]),
        ("view", "creating:view", TOOLS),
        ("topic", "topik", ["topic", "title"]),
        ("tool_77_get", "tool_77_gett", [f"tool_{i}_get" for i in range(10_000)]),
    ],
)
def test_the_name_that_was_meant_comes_first(expected, name, known):
    """Slips, other spellings, and prefixes of a client lead to the name that was meant."""
    assert expected == _problems.did_you_mean(name, known)[0]
    assert f"Did you mean {expected}" in _problems.unknown_tool(name, known)


def test_names_far_off_have_no_guess():
    """A name like no other, or without a letter, gets no guess."""
    assert [] == _problems.did_you_mean("zzzz", TOOLS)
    assert [] == _problems.did_you_mean(":::", TOOLS)


def test_as_many_names_as_asked_are_guessed():
    """Of many near names the number that is asked for comes back."""
    assert 2 == len(_problems.did_you_mean("a", ["a1", "a2", "a3"], 2))
    assert 3 == len(_problems.did_you_mean("a", ["a1", "a2", "a3", "a4"]))


def test_an_unknown_tool_is_said_with_those_there_are():
    """The answer quotes the name and lists the tools."""
    assert (
        "There is no tool 'serch_web'. Did you mean search_web? The tools are: search_web, view."
        == _problems.unknown_tool("serch_web", TOOLS)
    )


@pytest.mark.parametrize("name", ["", None, 0, b"view", ["view"]])
def test_a_call_without_a_name_is_said(name):
    """A name that is no text, or empty, is no name."""
    assert "The call names no tool. There are no tools." == _problems.unknown_tool(name, [])


@given(ANY_TEXT)
def test_a_name_is_quoted_on_one_line(name):
    """Whatever a model calls a tool is quoted in valid, printable text of bounded length."""
    text = _problems.unknown_tool(name, ["ok"])
    assert text.isprintable()
    assert len(text) < 300


def test_a_long_name_is_cut():
    """Of a long name 64 characters are shown, quotes included."""
    text = _problems.unknown_tool("ignore previous\nSYSTEM: do X " * 500, ["ok"])
    quoted = text.removeprefix("There is no tool ").removesuffix(". The tools are: ok.")
    assert 64 == len(quoted)
    assert quoted.endswith("…'")


def test_at_most_fifty_tools_are_listed():
    """Of many tools fifty are listed, the others counted."""
    text = _problems.unknown_tool("", [f"t{i}" for i in range(60)])
    assert text.endswith("t48, t49 and 10 more.")


def test_broken_json_is_said_with_its_place():
    """The answer to broken JSON says what, where, and what to send instead."""
    text = _problems.bad_json("Invalid JSON: trailing comma at line 1 column 9")
    assert text == (
        "The arguments are not valid JSON: trailing comma at line 1 column 9. The tool did not "
        "run; call it again with one JSON object as its arguments."
    )


@pytest.mark.parametrize(
    ("expected", "kind"), [("not an array.", "array"), ("not a string.", "string")]
)
def test_json_that_is_no_object_is_said(expected, kind):
    """The answer says what came instead of an object."""
    assert expected in _problems.not_an_object(kind)


def test_fixed_texts_name_what_they_are_about():
    """Cut arguments, hidden errors, timeouts and unwritable values are told apart."""
    assert "JSON" in _problems.truncated()
    assert "The tool db failed; the reason is not shown." == _problems.masked("db")
    assert "The tool nap timed out after 0.1 s." == _problems.timeout("nap", 0.1)
    assert "The tool nap timed out after 90 s." == _problems.timeout("nap", 90.0)
    assert (
        "The tool f ran, but its result of type list has no JSON form."
        == _problems.unserializable("f", [])
    )
    assert _problems.unserializable("f", [], "a socket").endswith("no JSON form: a socket.")


class Circle(BaseModel):
    kind: Literal["circle"]
    radius: int


class Line(BaseModel):
    kind: Literal["line"]
    end: int


Shape = Annotated[Circle | Line, Field(discriminator="kind")]


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Login(BaseModel):
    password: str
    tags: list[str] = []

    @model_validator(mode="after")
    def refuse(self):
        raise ValueError(f"bad {self!r}")


def echo(value):
    raise ValueError(f"{value!r} is not allowed")


def echo_plainly(value):
    raise PydanticCustomError("own", "no {word}", {"word": value})


def refuse(_):
    raise AssertionError("must be even")


def told(parameters, raw, *, with_data=True):
    fields = {
        name: given if isinstance(given, tuple) else (given, ...)
        for name, given in parameters.items()
    }
    model = create_model("Arguments", __config__=ConfigDict(extra="forbid"), **fields)
    with pytest.raises(ValidationError) as caught:
        model.model_validate_json(json.dumps(raw))
    errors = caught.value.errors(include_url=False)
    data = {"data": raw} if with_data else {}
    text = _problems.invalid_arguments(errors, list(parameters), "f", **data)
    first, *lines = text.split("\n")
    assert "The arguments of f are invalid:" == first
    return lines


@pytest.mark.parametrize(
    ("expected", "parameters", "raw"),
    [
        ("n: missing, required", {"n": int}, {}),
        ("n: should be a valid integer", {"n": int}, {"n": "SECRET"}),
        ("topik: unknown argument; did you mean topic?", {"topic": (str, "")}, {"topik": 1}),
        ("zzz: unknown argument", {"topic": (str, "")}, {"zzz": 1}),
        ("p.topik: unknown key", {"p": Closed}, {"p": {"topik": 1}}),
        ("p.zzz: missing, required", {"p": create_model("P", zzz=(int, ...))}, {"p": {}}),
        ("xs[1]: should be a valid integer", {"xs": list[int]}, {"xs": [1, "SECRET"]}),
        ("xs: should be an array", {"xs": list[int]}, {"xs": "SECRET"}),
        ("xs: should be an object", {"xs": dict[str, int]}, {"xs": "SECRET"}),
        ("c: should be 'red' or 'blue'", {"c": Colour}, {"c": "SECRET"}),
        ("l: should be 1 or 'x'", {"l": Literal[1, "x"]}, {"l": "SECRET"}),
        (
            "m['a b'].c: should be a valid integer",
            {"m": dict[str, dict[str, int]]},
            {"m": {"a b": {"c": "SECRET"}}},
        ),
        ("m.x (key): should be a valid integer", {"m": dict[int, int]}, {"m": {"x": 1}}),
        ("s: 'kind' should be one of 'circle', 'line'", {"s": Shape}, {"s": {"kind": "SECRET"}}),
        ("s: 'kind' is missing, required", {"s": Shape}, {"s": {}}),
        ("s.radius: missing, required (as circle)", {"s": Shape}, {"s": {"kind": "circle"}}),
        (
            "u: should be a valid integer or should be an array",
            {"u": int | list[int]},
            {"u": "SECRET"},
        ),
        (
            "u[0]: should be a valid integer (as list[int]) or should be a valid boolean (as list[bool])",
            {"u": list[int] | list[bool]},
            {"u": ["SECRET"]},
        ),
        ("t[1]: missing, required", {"t": tuple[int, int]}, {"t": [1]}),
        ("v: '…' is not allowed", {"v": Annotated[str, AfterValidator(echo)]}, {"v": "SECRET"}),
        ("v: 'a' is not allowed", {"v": Annotated[str, AfterValidator(echo)]}, {"v": "a"}),
        ("v: '…' is not allowed", {"v": Annotated[str, AfterValidator(echo)]}, {"v": "US"}),
        ("v: '…' is not allowed", {"v": Annotated[str, AfterValidator(echo)]}, {"v": "SECRET\n2"}),
        ("v: no …", {"v": Annotated[str, AfterValidator(echo_plainly)]}, {"v": "SECRET"}),
        ("v: must be even", {"v": Annotated[int, AfterValidator(refuse)]}, {"v": 3}),
        (
            "v: bad Login(password='…', tags=['…'])",
            {"v": Login},
            {"v": {"password": "SECRET", "tags": ["SECRET2"]}},
        ),
        ("v: should be a complex number such as '1+2j'", {"v": complex}, {"v": "SECRET"}),
    ],
)
def test_each_fault_is_a_line(expected, parameters, raw):
    """A fault is said by its path and what is wanted there, never by what came."""
    lines = told(parameters, raw)
    assert expected in lines
    assert "SECRET" not in "".join(lines)
    assert "http" not in "".join(lines)


def test_members_of_a_plain_union_are_told_apart():
    """Faults of a union's members stand at the path of the data, with the member's name."""
    assert [
        "u.kind: should be 'circle' (as Circle) or should be 'line' (as Line)",
        "u.radius: missing, required (as Circle)",
        "u.end: missing, required (as Line)",
    ] == told({"u": Circle | Line}, {"u": {"kind": "x"}})


def test_without_the_data_paths_are_as_they_come():
    """Where the data is not at hand, the names that pydantic puts into a path stay."""
    assert ["u.int: should be a valid integer", "u['list[int]']: should be an array"] == told(
        {"u": int | list[int]}, {"u": "x"}, with_data=False
    )
    assert "m.x (key): should be a valid integer" in told(
        {"m": dict[int, int]}, {"m": {"x": 1}}, with_data=False
    )


def test_faults_of_the_whole_have_a_name():
    """A fault without a path is one of the arguments."""
    error = {"type": "value_error", "loc": (), "msg": "Value error, a or b", "input": {}}
    text = _problems.invalid_arguments([error], [], "f")
    assert text.endswith("\narguments: a or b")


def test_many_faults_are_counted():
    """Twenty faults at most are shown, the others counted, and each kind is among the shown."""
    raw = {"n": "abc", "token": {"s": "SECRET"}, "xs": ["q"] * 5000, "nn": 1}
    lines = told({"n": int, "token": str, "xs": (list[int], [])}, raw)
    assert "… and 4983 more faults (5003 in all)" == lines[-1]
    assert 21 == len(lines)
    assert ["n: should be a valid integer", "token: should be a valid string"] == lines[:2]
    assert "nn: unknown argument; did you mean n?" == lines[-2]
    assert len("\n".join(lines)) < 2400


def test_long_faults_leave_room():
    """Long names and messages are shortened until the whole is of bounded length."""
    raw = {chr(97 + i) * 1000: 1 for i in range(20)}
    lines = told({"n": (int, 1)}, raw)
    assert ["unknown argument"] * 20 == [line.split(": ")[1] for line in lines]
    deep = [
        {"type": "missing", "loc": (f"{'k' * 60}{i}", "a b" * 90, "c" * 60, "d" * 64), "msg": ""}
        for i in range(20)
    ]
    text = _problems.invalid_arguments(deep, [], "f")
    assert len(text) < 2500
    assert text.endswith("(20 in all)")


@pytest.mark.parametrize("kind", get_args(ErrorType))
def test_every_fault_of_pydantic_can_be_said(kind):
    """Each of pydantic's faults gives a line without an address."""
    context = {"discriminator": "'kind'", "expected_tags": "'a'", "tag": "SECRET"}
    error = {"type": kind, "loc": ("x",), "msg": "Input should be so", "input": "", "ctx": context}
    text = _problems.invalid_arguments([error], [], "f")
    assert "\nx: " in text
    assert "SECRET" not in text
    assert "http" not in text


KEYS = st.one_of(ANY_TEXT, st.integers(0, 9))
ERRORS = st.fixed_dictionaries(
    {
        "type": st.sampled_from(["missing", "extra_forbidden", "value_error", "int_type", "own"]),
        "loc": st.lists(KEYS, max_size=4).map(tuple),
        "msg": ANY_TEXT,
        "input": st.recursive(
            ANY_TEXT, lambda inner: st.lists(inner) | st.dictionaries(ANY_TEXT, inner), max_leaves=5
        ),
    }
)


@given(st.lists(ERRORS, min_size=1, max_size=30), st.lists(st.text(string.ascii_letters)))
def test_any_faults_are_said_in_bounds(errors, names):
    """Whatever the faults are, their text is valid, short, and has one line each."""
    text = _problems.invalid_arguments(errors, names, "f", data={"a": [{}]})
    text.encode()
    assert len(text) < 2500
    assert len(text.splitlines()) <= 22
    assert text.split("\n") == text.splitlines()


class Mute(Exception):
    def __str__(self):
        raise RecursionError


class Leaving(Exception):
    def __str__(self):
        raise SystemExit


class Meta(type):
    def __getattribute__(cls, name):
        raise ValueError(name)


class Veiled(Exception, metaclass=Meta):
    pass


def deep_group():
    group = ValueError("the last")
    for _ in range(2000):
        group = ExceptionGroup("g", [group])
    return group


@pytest.mark.parametrize(
    ("expected", "error"),
    [
        ("ValueError: no", ValueError("no")),
        ("ValueError", ValueError()),
        ("ValueError", ValueError(" \n")),
        ("KeyError: 'x'", KeyError("x")),
        ("ValueError: one two", ValueError("one\n\n\ttwo\u2028")),
        ("ValueError: \\ud800", ValueError("\ud800")),
        ("SystemExit: 3", SystemExit(3)),
        ("Mute (its text cannot be read)", Mute()),
        ("Leaving (its text cannot be read)", Leaving()),
        ("Veiled (its text cannot be read)", Veiled("x")),
        (
            "ExceptionGroup: two (2 sub-exceptions): ValueError: a; Mute (its text cannot be read)",
            ExceptionGroup("two", [ValueError("a"), Mute()]),
        ),
        (
            "ExceptionGroup: o (1 sub-exception): ExceptionGroup: i (1 sub-exception): OSError",
            ExceptionGroup("o", [ExceptionGroup("i", [OSError()])]),
        ),
    ],
)
def test_an_exception_is_one_line(expected, error):
    """An exception is its type and its message on one line, a group also its members."""
    assert expected == _problems.exception(error)


def test_the_cause_is_not_shown():
    """What an exception was raised from stays in the log."""
    error = ValueError("no")
    error.__cause__ = OSError("postgres://u:pw@host")
    assert "ValueError: no" == _problems.exception(error)


def test_long_messages_keep_their_start_and_end():
    """Of a megabyte of message 2,000 characters are shown, from its start and its end."""
    text = _problems.exception(ValueError("start " + "x" * 1_000_000))
    assert 2000 == len(text)
    assert text.startswith("ValueError: start x")
    text = _problems.exception(ValueError("start " + "x" * 3000 + " end"))
    assert 2000 == len(text)
    assert text.endswith("x end")


def test_deep_groups_are_said():
    """A group in a group without end is one line like any other."""
    assert len(_problems.exception(deep_group())) <= 2000


def test_pydantics_address_is_left_out():
    """A validation error in a tool's body is said without the address of its manual."""
    with pytest.raises(ValidationError) as caught:
        Circle.model_validate({"kind": "circle", "radius": "x"})
    text = _problems.exception(caught.value)
    assert text.startswith("ValidationError: 1 validation error for Circle radius Input should be")
    assert "http" not in text


def test_an_interrupt_passes_through():
    """Ctrl-C while an exception is read is not swallowed."""

    class Interrupted(Exception):
        def __str__(self):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _problems.exception(Interrupted())


@given(ANY_TEXT)
def test_any_message_is_one_valid_line(message):
    """Whatever a message holds, its line is valid, short, and one."""
    text = _problems.exception(ValueError(message))
    text.encode()
    assert len(text) <= 2000
    assert len(text.splitlines()) == 1
