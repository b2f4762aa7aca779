import collections
import dataclasses
import datetime as dt
import decimal
import enum
import fractions
import json
import pathlib
import types
import uuid

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, RootModel, field_serializer
from pydantic_core import from_json, to_json

from toolreg import Audio, File, Image, MultiResult, ToolError
from toolreg._serialize import (
    Unserializable,
    clean,
    cut,
    error_text,
    join,
    parts,
    pieces,
    to_text,
)

NAN = float("nan")


class Colour(enum.Enum):
    RED = "red"


class Size(enum.StrEnum):
    SMALL = "small"


class Level(enum.IntEnum):
    HIGH = 3


@dataclasses.dataclass
class Point:
    x: object = 1


class Day(BaseModel):
    date: dt.date
    tags: set[int] = set()


class Aliased(BaseModel):
    text: str = Field(alias="t", serialization_alias="T")
    raw: bytes = b""
    loose: object = None


class Constants(BaseModel):
    model_config = ConfigDict(ser_json_inf_nan="constants")
    x: float


Pair = collections.namedtuple("Pair", "a b")


@pytest.mark.parametrize(
    ("expected", "value"),
    [
        ("null", None),
        ("", ""),
        ("[]", []),
        ("{}", {}),
        ("0", 0),
        ("false", False),
        ("1.5", 1.5),
        ('{"ok":true,"none":null,"n":[1,"a"]}', {"ok": True, "none": None, "n": [1, "a"]}),
        ('{"t":"日本語 é"}', {"t": "日本語 é"}),
        ('{"mean":null,"max":null}', {"mean": NAN, "max": float("inf")}),
        ("null", NAN),
        ('["NaN"]', ["NaN"]),
        ('["-Infinity"]', ["-Infinity"]),
        ('{"1":2,"None":3,"1.5":4,"5,6":7}', {1: 2, None: 3, 1.5: 4, (5, 6): 7}),
    ],
)
def test_plain_values_become_compact_json(expected, value):
    """Values of JSON's own types are written as pydantic writes them, NaN as null."""
    assert expected == to_text(value)


@pytest.mark.parametrize(
    ("expected", "value"),
    [
        ('{"date":"2024-01-02","tags":[1]}', Day(date=dt.date(2024, 1, 2), tags={1})),
        ('{"T":"a","raw":"","loose":null}', Aliased(t="a")),
        ("[1]", RootModel[list[int]]([1])),
        ('{"x":"1.10"}', Point(decimal.Decimal("1.10"))),
        ('"red"', Colour.RED),
        ("small", Size.SMALL),
        ("3", Level.HIGH),
        ('"00000000-0000-0000-0000-000000000000"', uuid.UUID(int=0)),
        ('"P1D"', dt.timedelta(days=1)),
        ('"a/b"', pathlib.PurePosixPath("a/b")),
        ("[1,2]", (1, 2)),
        ("[1,2]", Pair(1, 2)),
        ("[1]", frozenset({1})),
        ("[1]", collections.deque([1])),
        ('{"a":1}', collections.ChainMap({"a": 1})),
        ('{"a":1}', types.MappingProxyType({"a": 1})),
        ('{"a":[1]}', collections.UserDict(a=collections.UserList([1]))),
        ("[0,1,2]", range(3)),
        ('["a"]', {"a": 1}.keys()),
        ("[1]", {"a": 1}.values()),
        ("[0,1,2]", iter(range(3))),
        ('{"squares":[0,1,4]}', {"squares": (i * i for i in range(3))}),
        ('"1+2j"', 1 + 2j),
    ],
)
def test_rich_values_become_json(expected, value):
    """Models, dataclasses, enums, dates and containers of every kind are written."""
    assert expected == to_text(value)


@pytest.mark.parametrize(
    ("expected", "value"),
    [
        ('"abc"', b"abc"),
        ('"é"', bytearray("é".encode())),
        ('"/w=="', b"\xff"),
        ('"ab"', memoryview(b"ab")),
        ('{"a":["/w==","ok"]}', {"a": [b"\xff", b"ok"]}),
        ('{"/w==":1}', {b"\xff": 1}),
        ('["/w=="]', collections.deque([b"\xff"])),
        ('["/w=="]', [memoryview(b"\xff")]),
    ],
)
def test_bytes_are_text_or_base64(expected, value):
    """Bytes are read as UTF-8 where they are, and written in base64 where they are not."""
    assert expected == to_text(value)


@pytest.mark.parametrize(
    ("expected", "value"),
    [
        ("a\ufffdb", "a\ud800b"),
        ("😀", "\ud83d\ude00"),
        ("\ufffd", type("Text", (str,), {})("\udc00")),
        ('{"\ufffd":["\ufffd",1,null]}', {"\ud800": ["\udfff", 1, NAN]}),
        ('{"x":"\ufffd"}', Point("\ud800")),
        ('{"x":{"x":["red","\ufffd"]}}', Point(Point((Colour.RED, "\ud800")))),
        ('{"T":"\ufffd","raw":"","loose":null}', Aliased(t="\ud800")),
        ('{"T":"\ufffd","raw":"/w==","loose":null}', Aliased(t="\ud800", raw=b"\xff")),
        ('{"T":"a","raw":"","loose":{"\ufffd":1}}', Aliased(t="a", loose={"\ud800": 1})),
        (
            '["\ufffd","2024-01-02","1.10"]',
            ["\ud800", dt.date(2024, 1, 2), decimal.Decimal("1.10")],
        ),
        ('["\ufffd",{"a":1}]', ["\ud800", collections.UserDict(a=1)]),
        ('{"\ufffd":1,"2":3,"None":4,"5,6":7}', {"\ud800": 1, 2: 3, None: 4, (5, 6): 7}),
        ('{"[1]":2}', {frozenset({1}): 2}),
    ],
)
def test_lone_surrogates_are_replaced(expected, value):
    """A lone surrogate becomes U+FFFD in every text of a value, and costs nothing else."""
    assert expected == to_text(value)


def test_a_model_cannot_bring_nan_into_json():
    """A model that is configured to write NaN is written with null instead."""
    assert '{"x":null}' == to_text(Constants(x=NAN))
    assert '[{"x":null}]' == to_text([Constants(x=float("-inf"))])


def test_integers_of_any_size_are_written():
    """An integer longer than Python converts to text by itself is written."""
    assert "1" + "0" * 5000 == to_text(10**5000)


@pytest.mark.parametrize(
    ("expected", "value"),
    [
        ("1.5", np.float64(1.5)),
        ("null", np.float64(NAN)),
        ("3", np.int64(3)),
        ("0.5", np.float32(0.5)),
        ("0.5", np.longdouble(0.5)),
        ("true", np.bool_(True)),  # noqa: FBT003
        ("a", np.str_("a")),
        ("[1,2]", np.array([1, 2])),
        ("5", np.array(5)),
        ("[[1.5,null]]", np.array([[1.5, NAN]])),
        ('["1+2j"]', np.array([1 + 2j])),
        ('[1,"a",null]', np.array([1, "a", None], dtype=object)),
        ("[1,null]", np.ma.array([1, 2], mask=[False, True])),
        ('"2024-01-01"', np.datetime64("2024-01-01")),
        ('["2024-01-01T00:00:00.100000"]', np.array(["2024-01-01T00:00:00.1"], dtype="M8[ns]")),
        ('["P1D",null]', np.array([86_400_000_000_000, "NaT"], dtype="m8[ns]")),
        ('{"1":2.0}', {np.int64(1): np.float32(2)}),
        ('["/w=="]', np.array([b"\xff"])),
    ],
)
def test_arrays_and_their_scalars_are_written(expected, value):
    """Arrays of numpy are lists, its scalars plain values, its nanoseconds dates."""
    assert expected == to_text(value)


class Index(list):
    def __init__(self, labels, kind, name=None):
        super().__init__(labels)
        self.inferred_type, self.name = kind, name
        self.is_unique = len(set(labels)) == len(labels)


class Frame:
    """The part of pandas' DataFrame that counts here."""

    ndim = 2

    def __init__(self, columns, index):
        self.columns, self.index = columns, index

    def reset_index(self):
        name = self.index.name or "index"
        return Frame({name: list(self.index), **self.columns}, Index([], "integer"))

    def to_dict(self, *, orient):
        assert orient == "records"
        return [dict(zip(self.columns, row)) for row in zip(*self.columns.values())]


class Series:
    """The part of pandas' Series that counts here."""

    ndim = 1

    def __init__(self, values, index):
        self.values, self.index = values, index

    def reset_index(self):
        raise AssertionError

    def to_dict(self):
        return dict(zip(self.index, self.values))

    def tolist(self):
        return self.values


class Polars:
    def to_dicts(self):
        return [{"a": 1}]


class Arrow:
    def to_pylist(self):
        return [{"a": 1}]


class Column:
    def to_list(self):
        return [1, 2]


class Tensor:
    def __array__(self):
        return np.array([1, 2])


class NaTType(dt.datetime):
    """A missing date that is a date by type, as pandas has it."""

    @property
    def year(self):
        return NAN


NUMBERS = Index([0, 1], "integer")


@pytest.mark.parametrize(
    ("expected", "value"),
    [
        ('[{"a":1},{"a":2}]', Frame({"a": [1, 2]}, NUMBERS)),
        ('[{"index":"x","a":1}]', Frame({"a": [1]}, Index(["x"], "string"))),
        ('[{"id":7,"a":1}]', Frame({"a": [1]}, Index([7], "integer", "id"))),
        ('{"f":[{"a":"\ufffd"}]}', {"f": Frame({"a": ["\ud800"]}, NUMBERS)}),
        ("[1,2]", Series([1, 2], NUMBERS)),
        ('{"mean":1,"max":2}', Series([1, 2], Index(["mean", "max"], "string"))),
        ("[1,2]", Series([1, 2], Index(["x", "x"], "string"))),
        ('[{"a":1}]', Polars()),
        ('[{"a":1}]', Arrow()),
        ("[1,2]", Column()),
        ("[1,2]", Tensor()),
        ("[null,null]", [NaTType(2024, 1, 1), type("NAType", (), {})()]),
    ],
)
def test_frames_are_written_by_records(expected, value):
    """A frame is its records, labels of rows included; a labelled series is an object."""
    assert expected == to_text(value)


def number(**methods):
    return type("Number", (), {name: staticmethod(made) for name, made in methods.items()})()


def refuse(*_):
    raise TypeError


@pytest.mark.parametrize(
    ("expected", "value"),
    [
        ("3", number(__index__=lambda: 3, __float__=lambda: 3.0)),
        ("0.5", number(__index__=refuse, __int__=lambda: 0, __float__=lambda: 0.5)),
        ('"1j"', number(__float__=refuse, __complex__=lambda: 1j)),
        ("2", number(__int__=lambda: 2)),
        ("[0.5]", [number(__float__=lambda: 0.5)]),
        ('"1/2"', fractions.Fraction(1, 2)),
    ],
)
def test_numbers_of_other_libraries_are_written_by_value(expected, value):
    """What converts to an integer, else to a float, else to a complex number, is that."""
    assert expected == to_text(value)


class Row:
    def keys(self):
        return ["a", "b"]

    def __getitem__(self, key):
        return key * 2


def test_what_has_keys_is_an_object():
    """A row that answers `keys` and subscripts is written as an object."""
    assert '{"a":"aa","b":"bb"}' == to_text(Row())


def nested(levels, wrap):
    value = []
    for _ in range(levels):
        value = wrap(value)
    return value


def cycle():
    value = collections.UserList()
    value.append(value)
    return value


class Endless:
    def tolist(self):
        return [Endless()]


@pytest.mark.parametrize(
    "value",
    [
        nested(100_000, lambda inner: [inner]),
        nested(100_000, lambda inner: {"a": inner}),
        nested(1_000, lambda inner: collections.UserList([inner])),
        nested(1_000, Point),
        ["\ud800", nested(100_000, lambda inner: (inner,))],
        cycle(),
        ["\ud800", cycle()],
        Endless(),
    ],
    ids=range(8),
)
def test_bottomless_values_are_refused(value):
    """Nesting without end, or in itself, is an `Unserializable`."""
    with pytest.raises(Unserializable, match="nested more than 250 levels"):
        to_text(value)


@pytest.mark.parametrize(
    ("named", "value"),
    [
        ("an object", object()),
        ("an object", {"a": [object()]}),
        ("a type", int),
        ("a function", lambda: 1),
        ("a ValueError", ValueError("x")),
        ("a SimpleNamespace", types.SimpleNamespace(a=1)),
        ("an object", {object(): 1}),
        ("a generator cannot be read twice", ["\ud800", (i for i in range(3))]),
    ],
)
def test_unknown_types_are_named(named, value):
    """A value that JSON cannot hold is an `Unserializable` that names its type."""
    with pytest.raises(Unserializable, match=named):
        to_text(value)


BREAKABLE = [
    "__getattr__",
    "__getattribute__",
    "__bool__",
    "__class__",
    "__complex__",
    "__contains__",
    "__eq__",
    "__float__",
    "__getitem__",
    "__hash__",
    "__int__",
    "__iter__",
    "__len__",
    "__next__",
    "__repr__",
    "__str__",
    "item",
    "keys",
    "tolist",
]
BASES = [object, list, dict, str, int, float, tuple, set, collections.UserDict]


class Unspeakable(Exception):
    def __str__(self):
        raise RecursionError


@pytest.mark.parametrize("error", [ValueError, RecursionError, Unspeakable, KeyError])
@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("name", BREAKABLE)
@pytest.mark.filterwarnings("ignore")
def test_objects_that_break_break_nothing(name, base, error):
    """An object whose own code raises gives text or `Unserializable`, and no other exception."""

    def breaks(*_, **__):
        raise error

    kind = type("Broken", (base,), {name: property(breaks) if name == "__class__" else breaks})
    value = base.__new__(kind)
    if base is collections.UserDict:
        object.__setattr__(value, "data", {"a": 1})
    for each in (value, [value], ["\ud800", value]):
        try:
            to_text(each)
        except Unserializable:
            pass
        assert pieces(each) is None
        assert 1 == len(parts([each], failure=repr))


class Meta(type):
    def __getattribute__(cls, name):
        raise ValueError(name)


def test_a_class_that_breaks_is_named_all_the_same():
    """A metaclass that raises does not hide the name of the type."""
    with pytest.raises(Unserializable, match="a Guarded cannot be written: ValueError"):
        to_text(Meta("Guarded", (), {})())


class Interrupted(BaseModel):
    x: int = 1

    @field_serializer("x")
    def interrupt(self, _):
        raise KeyboardInterrupt


class InterruptedArray:
    def tolist(self):
        raise KeyboardInterrupt


@pytest.mark.parametrize("value", [Interrupted(), InterruptedArray(), [Interrupted()]])
def test_an_interrupt_passes_through(value):
    """Ctrl-C while a value is written is no property of the value."""
    with pytest.raises(KeyboardInterrupt):
        to_text(value)


class Leaving:
    def __iter__(self):
        raise SystemExit

    def __len__(self):
        return 1

    def __contains__(self, _):
        return False


def test_an_exit_passes_through_where_it_can_be_seen():
    """`SystemExit` from a value's own code is left to the caller."""
    with pytest.raises(SystemExit):
        to_text(Leaving())


def test_the_text_of_an_error_in_a_value_is_no_interrupt():
    """A value whose error only mentions an interrupt is `Unserializable`."""

    class Talking:
        def tolist(self):
            raise RuntimeError("KeyboardInterrupt: no")

    with pytest.raises(Unserializable, match="a Talking cannot be written: RuntimeError"):
        to_text(Talking())


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(st.characters(codec=None)),
    st.binary(max_size=4),
    st.dates(),
    st.decimals(),
    st.uuids(),
    st.sampled_from([Colour.RED, Size.SMALL, Level.HIGH, np.float32(1), np.int8(1)]),
)
KEYS = st.one_of(st.text(st.characters(codec=None)), st.integers(), st.none(), st.dates())
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.lists(inner, max_size=4).map(collections.UserList),
        st.dictionaries(KEYS, inner, max_size=4),
        inner.map(Point),
        inner.map(lambda value: Aliased(t="t", loose=value)),
    ),
    max_leaves=10,
)


@settings(max_examples=300)
@given(VALUES)
def test_what_is_no_text_becomes_strict_json(value):
    """Everything but text is written as strict JSON in valid UTF-8."""
    made = to_text(value)
    made.encode()
    if not isinstance(value, str):
        from_json(made, allow_inf_nan=False)


@settings(max_examples=200)
@given(VALUES)
def test_json_is_what_pydantic_writes(value):
    """Wherever pydantic can write a value, the text is the same."""
    try:
        expected = to_json(value, inf_nan_mode="null").decode()
    except ValueError:
        return
    if not isinstance(value, str):
        assert expected == to_text(value)


@given(st.text(st.characters(codec=None)))
def test_clean_text_is_valid_utf8(text):
    """Cleaned text is UTF-8, keeps all that was valid, and is clean for good."""
    made = clean(text)
    made.encode()
    assert made == clean(made)
    assert "\ufffd" in made or made == text or any("\ud800" <= each <= "\udbff" for each in text)


@given(st.text(min_size=60), st.integers(40, 80))
def test_a_cut_text_is_no_longer_than_asked(text, limit):
    """A cut text fits its limit, says how much is missing, and keeps start and end."""
    made = cut(text, limit)
    assert len(made) <= limit
    if len(text) > limit:
        head, tail = made.split("\n[… ")[0], made.split("characters cut …]\n")[-1]
        assert text.startswith(head)
        assert text.endswith(tail)
        assert f"{len(text) - len(head) - len(tail)} characters cut" in made


def test_a_limit_below_the_marker_gives_the_start():
    """Where not even the marker fits, the start of the text is given."""
    assert "abc" == cut("abcdef" * 10, 3)
    assert "" == cut("abcdef", 0)
    assert "" == cut("abcdef", -1)
    assert "abcdef" == cut("abcdef", 6)


class Chart(Image):
    pass


@pytest.mark.parametrize(
    ("expected", "value"),
    [
        (None, "text"),
        (None, [1, 2]),
        (None, {"a": Image(b"x")}),
        (("a", 1), MultiResult(["a", 1])),
        ((), MultiResult()),
        ((Image(b"x"),), Image(b"x")),
        (("see", Audio(b"x")), ["see", Audio(b"x")]),
        ((File(b"x"), 1), (File(b"x"), 1)),
        ((Chart(b"x"),), [Chart(b"x")]),
    ],
)
def test_values_with_several_outcomes_are_told(expected, value):
    """Several results and media have pieces; every other value is one."""
    assert expected == pieces(value)


def test_each_outcome_is_a_part():
    """Values, media and exceptions become parts with a status each, in order."""
    image, error, broken = Image(b"12345"), ToolError("no such order"), ValueError("three")
    made = parts(["a", {"b": 1}, image, error, broken, object], failure=repr)
    assert [
        ("a", False),
        ('{"b":1}', False),
        ("[image: image/png, 5 bytes]", False),
        ("no such order", True),
        ("ValueError('three')", True),
        ("a type cannot be written as JSON", True),
    ] == [(part.text, part.is_error) for part in made]
    assert [None, None, image, None, None, None] == [part.media for part in made]
    assert [error, broken] == [part.exception for part in made[3:5]]
    assert ["a", {"b": 1}, image, None, None, object] == [part.value for part in made]
    assert isinstance(made[5].exception, Unserializable)


def test_parts_are_written_by_the_serializer_given():
    """Values are written by the function that is given; media and errors are not."""
    made = parts([1, Image(b""), ValueError()], failure=repr, text=lambda value: f"<{value}>")
    assert ["<1>", "[image: image/png, 0 bytes]", "ValueError()"] == [part.text for part in made]


def test_parts_are_joined_by_blank_lines():
    """The texts are joined by blank lines, failed ones led by ``Error: ``; none gives ``[]``."""
    assert "a\n\nError: b" == join(parts(["a", ToolError("b")], failure=repr))
    assert "[]" == join(())


class Missing(ToolError):
    def __init__(self, number):
        super().__init__(number)

    def __str__(self):
        return f"no order {self.args[0]}\ud800"


class Silent(ToolError):
    def __str__(self):
        raise ValueError


@pytest.mark.parametrize(
    ("expected", "error"),
    [
        ("no such order; try list_orders", ToolError("no such order; try list_orders")),
        ("see\n\n[image: image/png, 1 bytes]", ToolError("see", Image(b"1"))),
        ('{"code":404}', ToolError({"code": 404})),
        ("", ToolError("")),
        ("ToolError", ToolError()),
        ("no order 7\ufffd", Missing(7)),
        ("Silent", Silent(7)),
        ("\ufffd", ToolError("\ud800")),
        ("a type cannot be written as JSON", ToolError(int)),
    ],
)
def test_a_tool_error_says_its_pieces(expected, error):
    """What a tool says by an error is its content, or its own text where it defines one."""
    assert expected == error_text(error)


def test_large_values_are_written():
    """Ten megabytes are written whole, also where a character must be replaced."""
    text = "a" * 10_000_000
    assert len(text) + 4 == len(to_text([text]))
    assert json.loads(to_text([text + "\ud800"])) == [text + "\ufffd"]


def test_a_list_of_what_cannot_be_hashed_is_searched_for_media():
    """The hash of a class may be code of its metaclass, which may raise."""

    class Meta(type):
        def __hash__(cls):
            raise ValueError("no hash")

    class Odd(metaclass=Meta):
        pass

    image = Image(b"x")
    assert pieces([Odd()]) is None
    assert (1, image) == pieces([1, image])
    assert 2 == len(pieces([Odd(), image]))
