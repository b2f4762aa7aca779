"""From what a model sends to what the function receives."""

import functools
import inspect
import json
from collections import UserDict, UserList, deque
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import Annotated, Any, Generic, Literal, NotRequired, Optional, TypedDict, TypeVar

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import (
    AliasChoices,
    AliasPath,
    BaseModel,
    BeforeValidator,
    Field,
    ValidationError,
    WrapValidator,
)
from pydantic.json_schema import SkipJsonSchema
from typing_extensions import TypeAliasType, Unpack

from toolreg import Injected, Tool, ToolCall, ToolDefinitionError, formats


class Point(BaseModel):
    x: int
    y: int = 0


@dataclass
class Options:
    factor: float = 1.5


class Colour(Enum):
    RED = "r"
    GREEN = "g"


class Keys(TypedDict):
    a: int
    b: NotRequired[str]


class Database:
    """What no JSON Schema describes."""


DATABASE = Database()
SENTINEL = object()


def call(func, arguments=None, *, context=None, **options):
    """Return the kind and the value of one call of a function as a tool."""
    options.setdefault("serializer", repr)
    result = Tool.from_function(func, **options).execute(arguments, context=context)
    return result.kind, result.value if result.kind == "success" else result.output


def schema_of(func, **options):
    return Tool.from_function(func, **options).parameters


def fault_of(func, **options):
    with pytest.raises(ToolDefinitionError) as caught:
        Tool.from_function(func, **options)
    (fault,) = caught.value.faults
    return fault


# Kinds of parameters


def every_kind(a, /, b=2, *c: int, d, e=5, **f: int):
    return a, b, c, d, e, f


def test_the_schema_has_every_kind_of_parameter_by_its_own_name():
    """Variadics are an array and further properties; what has a default is not required."""
    assert {
        "type": "object",
        "properties": {
            "a": {},
            "b": {"default": 2},
            "c": {"type": "array", "items": {"type": "integer"}},
            "d": {},
            "e": {"default": 5},
        },
        "required": ["a", "d"],
        "additionalProperties": {"type": "integer"},
    } == schema_of(every_kind)


@pytest.mark.parametrize(
    ("arguments", "values"),
    [
        ({"a": 1, "d": 4}, (1, 2, (), 4, 5, {})),
        ({"a": 1, "b": 3, "c": ["7", 8], "d": 4}, (1, 3, (7, 8), 4, 5, {})),
        ({"a": 1, "c": [7], "d": 4}, (1, 2, (7,), 4, 5, {})),
        ({"a": 1, "d": 4, "e": 6, "g": "9"}, (1, 2, (), 4, 6, {"g": 9})),
        ({"a": 1, "d": 4, "f": 9}, (1, 2, (), 4, 5, {"f": 9})),
    ],
)
def test_every_kind_of_parameter_is_bound(arguments, values):
    """Positional-only ones go by position, variadics where they belong."""
    assert ("success", values) == call(every_kind, arguments)


@given(st.data())
def test_a_call_binds_as_python_binds(data):
    """Whatever is sent arrives as if the function had been called directly."""
    names = data.draw(st.lists(st.sampled_from("abcdef"), unique=True))
    rest = data.draw(st.lists(st.integers(), max_size=3))
    split = data.draw(st.integers(0, len(names)))
    keywords = data.draw(st.integers(split, len(names)))
    parts = [f"{name}={index}" for index, name in enumerate(names[:split])]
    parts += ["/"] if split else []
    parts += [f"{name}={index + split}" for index, name in enumerate(names[split:keywords])]
    parts += ["*rest"]
    parts += [f"{name}={index + keywords}" for index, name in enumerate(names[keywords:])]
    scope = {}
    exec(f"def f({', '.join(parts)}): return dict(sorted(locals().items()))", scope)
    sent = data.draw(
        st.dictionaries(st.sampled_from(names), st.integers()) if names else st.just({})
    )
    expected = {name: sent.get(name, index) for index, name in enumerate(names)}
    arguments = {**sent, "rest": rest} if rest else sent
    assert ("success", {**expected, "rest": tuple(rest)}) == call(scope["f"], arguments)


def test_a_function_without_parameters_takes_an_empty_object():
    """The schema has all its words even where they are empty."""
    expected = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
    assert expected == schema_of(lambda: None, name="ping")


def test_variadics_may_be_described():
    """``Annotated`` on ``*args`` describes the array, its items or both."""

    def f(*xs: Annotated[int, Field(ge=0, description="numbers")]):
        return xs

    shown = schema_of(f)["properties"]["xs"]
    assert "numbers" == shown["description"]
    assert 0 == shown["items"]["minimum"]


def test_star_args_of_a_tuple_type():
    """``*args: *tuple[int, str]`` is an array of just these."""

    def f(*xs: *tuple[int, str]):
        return xs

    assert ("success", (1, "a")) == call(f, {"xs": ["1", "a"]})
    assert "invalid_arguments" == call(f, {"xs": [1]})[0]


def test_star_args_of_an_unpacked_tuple():
    """``*args: Unpack[tuple[…]]`` is the older spelling."""

    def f(*xs: Unpack[tuple[int, str]]):
        return xs

    assert ("success", (1, "a")) == call(f, {"xs": ["1", "a"]})


def test_keywords_of_a_typed_dict_are_parameters():
    """``**kwargs: Unpack[TypedDict]`` is flattened, with its required and optional keys."""

    def f(**options: Unpack[Keys]):
        return options

    schema = schema_of(f)
    assert (["a"], False) == (schema["required"], schema["additionalProperties"])
    assert {"a": {"type": "integer"}, "b": {"type": "string"}} == schema["properties"]
    assert ("success", {"a": 1}) == call(f, {"a": "1"})
    assert ("success", {"a": 1, "b": "x"}) == call(f, {"a": 1, "b": "x"})
    assert "invalid_arguments" == call(f, {"a": 1, "c": 1})[0]


def test_a_generic_typed_dict_is_flattened():
    """Unpacking a parametrised typed dict is as good as unpacking a plain one."""
    T = TypeVar("T")

    class Pair(TypedDict, Generic[T]):
        left: int

    def f(**options: Unpack[Pair[int]]):
        return options

    assert ("success", {"left": 1}) == call(f, {"left": 1})


def test_keys_that_cannot_be_resolved_are_a_fault_of_the_definition():
    """An unpacked typed dict with a name that is nowhere defined is refused at the def."""
    import typing_extensions

    bad = typing_extensions.TypedDict("bad", {"a": "Nowhere"})  # noqa: F821

    def f(**options: Unpack[bad]):
        return options

    fault = fault_of(f)
    assert fault.parameter == "options"
    assert "Nowhere" in fault.problem


def test_a_parameter_and_an_unpacked_key_of_one_name_clash():
    """Python itself cannot pass both."""

    def f(a: int, **options: Unpack[Keys]):
        return a

    assert "a" == fault_of(f).parameter


# Names

ODD_NAMES = (
    "self cls func function context json schema model_config model_fields model_x copy dict "
    "validate construct Config config call call_id name args kwargs arguments values raw tool "
    "_x __x _ __class__x größe Ω tools print type id class_ registry result argument_0 argument_1"
).split()


def test_no_parameter_name_is_reserved():
    """Every name reaches the function under itself, all of them at once."""
    scope = {}
    exec(f"def f({', '.join(ODD_NAMES)}): return locals()", scope)
    tool = Tool.from_function(scope["f"])
    sent = {name: index for index, name in enumerate(ODD_NAMES)}
    assert ODD_NAMES == list(tool.parameters["properties"])
    assert sent == tool.execute(sent).value


def test_the_model_takes_every_name_too():
    """The pydantic class of a tool is validated by the very names the tool has."""
    scope = {}
    exec(f"def f({', '.join(name + ': int' for name in ODD_NAMES)}): ...", scope)
    model = Tool.from_function(scope["f"]).model
    assert ODD_NAMES == list(model.model_json_schema()["properties"])
    model.model_validate(dict.fromkeys(ODD_NAMES, 1))


@given(st.from_regex(r"[^\W\d]\w{0,8}", fullmatch=True).filter(str.isidentifier))
@example("model_config")
@example("__init__")
@example("mro")
def test_any_identifier_is_a_parameter(name):
    """Python's rule for names is the only one."""
    import keyword
    import unicodedata

    if keyword.iskeyword(unicodedata.normalize("NFKC", name)):
        return
    scope = {}
    exec(f"def f({name}: int): return {name}", scope)
    (real,) = inspect.signature(scope["f"]).parameters
    assert ("success", 1) == call(scope["f"], {real: "1"})
    Tool.from_function(scope["f"]).model.model_validate({real: 1})


@pytest.mark.parametrize(
    "annotated",
    [
        lambda: Annotated[int, Field(alias="class")],
        lambda: Annotated[int, Field(validation_alias="class")],
        lambda: Annotated[int, Field(validation_alias=AliasChoices("class", "klass"))],
    ],
)
def test_an_alias_is_the_name_for_the_model(annotated):
    """``class_`` with the alias ``class`` is called ``class`` outside."""

    def f(class_: annotated()):
        return class_

    assert ["class"] == list(schema_of(f)["properties"])
    assert ("success", 1) == call(f, {"class": 1})
    assert "class_" in call(f, {"class_": 1})[1]


def test_an_alias_given_as_default_counts():
    """``= Field(alias=…)`` is as good as ``Annotated``."""

    def f(class_: int = Field(alias="class"), n: int = Field(2, alias="number")):
        return class_, n

    schema = schema_of(f)
    assert (["class"], 2) == (schema["required"], schema["properties"]["number"]["default"])
    assert ("success", (1, 2)) == call(f, {"class": 1})


def test_the_last_alias_counts():
    """A default's alias beats that of the annotation, as with pydantic's models."""

    def f(a: Annotated[int, Field(alias="x")] = Field(alias="y")):
        return a

    assert ["y"] == list(schema_of(f)["properties"])


def test_choices_of_aliases_are_all_accepted():
    """Every choice reaches the parameter; the first is what the schema shows."""

    def f(a: Annotated[int, Field(validation_alias=AliasChoices("x", AliasPath("y", 0)))]):
        return a

    assert ["x"] == list(schema_of(f)["properties"])
    assert ("success", 1) == call(f, {"x": 1}) == call(f, {"y": [1]}, extra="ignore")


def test_a_path_into_the_arguments_does_not_hide_the_name():
    """What the schema shows is accepted, also where the alias is a path."""

    def f(a: Annotated[int, Field(validation_alias=AliasPath("x", "y"))]):
        return a

    assert ["a"] == list(schema_of(f)["properties"])
    assert ("success", 1) == call(f, {"a": 1}) == call(f, {"x": {"y": 1}})


def test_two_parameters_of_one_alias_are_a_definition_error():
    """Nobody could say which of the two is meant."""

    def f(a: Annotated[int, Field(alias="x")], b: Annotated[int, Field(alias="x")]): ...

    fault = fault_of(f)
    assert "b" == fault.parameter
    assert "'x'" in fault.problem
    assert "alias" in fault.cure


def test_an_alias_that_is_another_s_name_is_a_definition_error():
    """An alias may not stand for another parameter's real name."""

    def f(a: Annotated[int, Field(alias="b")], b: int): ...

    assert "b" == fault_of(f).parameter


def test_safe_spellings_are_accepted_beside_the_real_name():
    """What a format with narrow rules shows the model reaches the parameter."""

    def f(größe: int, n: int = 0):
        return größe

    safe = formats.anthropic.safe_parameter("größe")
    assert "größe" != safe
    assert ("success", 1) == call(f, {"größe": 1}) == call(f, {safe: 1})
    assert ["größe", "n"] == list(schema_of(f)["properties"])


def test_a_parameter_that_is_another_s_safe_spelling_is_a_definition_error():
    """Two names that one format spells alike cannot both be had."""
    safe = formats.anthropic.safe_parameter("größe")
    scope = {}
    exec(f"def f(größe: int, {safe}: int): ...", scope)
    assert safe in fault_of(scope["f"]).problem


def test_the_model_of_further_keywords_takes_them():
    """The pydantic class keeps ``**kwargs: T`` open, for values of that type."""

    def f(_x: int, argument_0: int = 0, **more: int): ...

    model = Tool.from_function(f).model
    made = model.model_validate({"_x": 1, "argument_0": 2, "other": "3"})
    assert {"other": 3} == made.model_extra
    assert {"_x": 1, "argument_0": 2, "other": 3} == made.model_dump(by_alias=True)
    with pytest.raises(ValidationError):
        model.model_validate({"_x": 1, "other": "x"})


def test_callables_without_code_take_keywords():
    """A callable of C may be bound like any other."""
    bound = functools.partial(dict, fixed=1)
    bound.__signature__ = inspect.signature(lambda **kw: kw)
    assert ("success", {"fixed": 1, "a": 2}) == call(bound, {"a": 2}, name="f")


def test_hidden_names_do_not_come_in_through_keywords():
    """``**kwargs`` lets nothing through that is meant for the program, or means an argument."""

    def f(q: Annotated[int, Field(alias="query")], user: Annotated[str, Injected] = "me", **kw):
        return q, user, kw

    context = {"user": "you"}
    assert ("success", (1, "you", {"z": 2})) == call(f, {"query": 1, "z": 2}, context=context)
    for name in ("user", "q"):
        kind, text = call(f, {"query": 1, name: 2}, context=context)
        assert ("invalid_arguments", True) == (kind, name in text)


@pytest.mark.parametrize("colour", ["sync", "async"])
def test_keywords_do_not_reach_the_object_of_a_method(colour):
    """A model can send neither ``self`` nor ``cls`` to a bound method that takes keywords."""

    class Box:
        def plain(self, **kw):
            return kw

        @classmethod
        def of_class(cls, **kw):
            return kw

        @staticmethod
        def static(**kw):
            return kw

    assert "invalid_arguments" == call(Box().plain, {"self": 1})[0]
    assert "invalid_arguments" == call(Box.of_class, {"cls": 1})[0]
    assert ("success", {"self": 1}) == call(Box.static, {"self": 1})


def test_bound_keywords_of_partials_cannot_be_overridden():
    """What a partial binds is no argument, not even through ``**kwargs``."""

    def f(q, *, key="", **kw):
        return q, key, kw

    bound = functools.partial(f, key="secret", other="mine")
    assert {"q"} == set(schema_of(bound)["properties"])
    assert ("success", (1, "secret", {"other": "mine"})) == call(bound, {"q": 1})
    for name in ("key", "other"):
        assert "invalid_arguments" == call(bound, {"q": 1, name: "x"})[0]


def test_bound_positions_of_partials_leave_the_schema():
    """A positionally bound argument cannot be sent a second time."""

    def f(a, b, **kw):
        return a, b, kw

    bound = functools.partial(f, 1)
    assert {"b"} == set(schema_of(bound)["properties"])
    assert ("success", (1, 2, {})) == call(bound, {"b": 2})
    assert "invalid_arguments" == call(bound, {"b": 2, "a": 3})[0]


# Values


def test_the_function_receives_what_it_declared():
    """Models, dataclasses, enum members and dates arrive as such, also inside containers."""

    def f(p: Point, ps: list[Point], o: Options, c: Colour, d: date):
        return type(p), type(ps[0]), type(o), c, d

    sent = {"p": {"x": 1}, "ps": [{"x": 2}], "o": {}, "c": "g", "d": "2024-02-03"}
    expected = (Point, Point, Options, Colour.GREEN, date(2024, 2, 3))
    assert ("success", expected) == call(f, sent)


@pytest.mark.parametrize("value", [None, True, 1, 1.5, "x", [1, {}], {"a": [None]}])
def test_without_an_annotation_any_json_is_taken(value):
    """An undeclared parameter says nothing of itself and refuses nothing."""

    def f(x):
        return x

    assert {} == schema_of(f)["properties"]["x"]
    assert ("success", value) == call(f, json.dumps({"x": value}))


def test_names_that_are_not_declared_are_refused():
    """The fault names them and the closest name there is."""

    def f(city: str): ...

    kind, text = call(f, {"city": "Oslo", "ctiy": "x"})
    assert "invalid_arguments" == kind
    assert "ctiy" in text
    assert "did you mean city" in text


def test_names_that_are_not_declared_can_be_ignored():
    """``extra="ignore"`` drops them, and the schema no longer forbids them."""

    def f(city: str):
        return city

    assert ("success", "Oslo") == call(f, {"city": "Oslo", "x": 1}, extra="ignore")
    assert "additionalProperties" not in schema_of(f, extra="ignore")


def test_an_alias_loses_what_cannot_be_described():
    """Also under another name, and inside a list, a union loses what no model can send."""
    Text = TypeAliasType("Text", str | Database)

    def f(x: Text, y: list[Text]):
        return x, y

    assert ("success", ("a", ["b"])) == call(f, {"x": "a", "y": ["b"]})

    def g(x: Database | None): ...

    def h(x: dict[str, Database]): ...

    assert "x" == fault_of(g).parameter == fault_of(h).parameter


def test_an_undescribable_member_of_a_union_is_left_out():
    """Of ``str | Database`` a model can send the text."""

    def f(x: str | Database, y: list[int | Database] | None = None):
        return x, y

    assert {"type": "string"} == schema_of(f)["properties"]["x"]
    assert ("success", ("a", [1])) == call(f, {"x": "a", "y": [1]})


@pytest.mark.parametrize(
    "arguments",
    [
        '{"x": [1, 2]}',
        b'{"x": [1, 2]}',
        bytearray(b'{"x": [1, 2]}'),
        {"x": [1, 2]},
        {"x": (1, 2)},
        {"x": deque([1, 2])},
        UserDict(x=UserList([1, 2])),
        type("Text", (str,), {})('{"x": [1, 2]}'),
    ],
    ids=lambda value: type(value).__name__,
)
def test_arguments_come_as_text_bytes_or_mapping(arguments):
    """A mapping is taken as JSON would be, also one of a foreign library."""

    def f(x: list[int]):
        return x

    assert ("success", [1, 2]) == call(f, arguments)


def test_foreign_mappings_inside_arguments_are_objects():
    """What has keys is an object, whatever its type."""

    def f(x: dict[str, int]):
        return x

    assert ("success", {"a": 1}) == call(f, {"x": UserDict(a=1)})


@pytest.mark.parametrize("arguments", ["", "  \n", None, "null", " null ", b"", "{}", {}])
def test_nothing_is_an_empty_object(arguments):
    """Models that need no arguments send all of these."""

    def f(a: int = 1):
        return a

    def g(a: int): ...

    assert ("success", 1) == call(f, arguments)
    kind, text = call(g, arguments)
    assert ("invalid_arguments", True) == (kind, "a: missing" in text)


@pytest.mark.parametrize(
    "arguments",
    [
        "[1]",
        "1",
        "1.5",
        "true",
        '"text"',
        "{",
        '{"x": 1',
        "{'x': 1}",
        '{"x": NaN}',
        '{"x": [-Infinity]}',
        b"\xff",
        '{"x": "\ud800"}',
        "[" * 100_000,
        7,
        [1],
        {"x": float("nan")},
        {"x": SENTINEL},
        UserList(["x"]),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_what_is_no_json_object_is_bad_json(arguments):
    """The tool does not run, and nothing of it is guessed."""

    def f(x=None):
        raise AssertionError

    assert "bad_json" == call(f, arguments)[0]


def test_a_text_that_speaks_of_nan_is_no_nan():
    """Only the number itself is refused."""

    def f(x: str):
        return x

    assert ("success", "NaN or Infinity") == call(f, {"x": "NaN or Infinity"})


# Defaults


def same(x=SENTINEL):
    return x is SENTINEL


def test_a_default_keeps_its_identity():
    """An argument left out is left out of the call, so Python's own default applies."""
    assert ("success", True) == call(same)


def test_a_default_that_json_cannot_hold_is_missing_from_the_schema():
    """Sentinels, NaN, infinities and what refuses to be written are just not shown."""

    class Refusing:
        def __repr__(self):
            raise RuntimeError

        __hash__ = None

    def f(
        a=SENTINEL,
        b: float = float("nan"),
        c: float = float("inf"),
        d: Any = Refusing(),
        e: Any = {SENTINEL},
    ):
        return "ran"

    assert [] == [p for p in schema_of(f)["properties"].values() if "default" in p]
    assert ("success", "ran") == call(f)


@pytest.mark.parametrize("default", [[1], {"a": 1}, {1}])
def test_a_plain_container_is_passed_as_a_copy(default):
    """What one call changes, the next does not see; a shallow copy is enough for that."""

    def f(x: Any = default):
        return x

    kind, value = call(f)
    assert ("success", default) == (kind, value)
    assert default is not value


def test_a_container_of_somebody_s_own_is_passed_as_it_is():
    """Only plain lists, dicts and sets are copied."""

    class Rows(list):
        pass

    rows = Rows([1])

    def f(x: Any = rows):
        return x is rows

    assert ("success", True) == call(f)


def test_defaults_are_shown_as_json_has_them():
    """Models, dataclasses, enum members and sets stand in the schema as a model would send them."""

    def f(
        p: Point = Point(x=1),
        o: Options = Options(),
        c: Colour = Colour.RED,
        d: date = date(2024, 2, 3),
        s: frozenset = frozenset({3, 1, 2}),
        t: tuple[int, ...] = (1, 2),
        n: None = None,
    ):
        return [p, o, c, d, s, t, n]

    shown = {name: p["default"] for name, p in schema_of(f)["properties"].items()}
    assert {
        "p": {"x": 1, "y": 0},
        "o": {"factor": 1.5},
        "c": "r",
        "d": "2024-02-03",
        "s": [1, 2, 3],
        "t": [1, 2],
        "n": None,
    } == shown
    expected = [
        Point(x=1),
        Options(),
        Colour.RED,
        date(2024, 2, 3),
        frozenset({1, 2, 3}),
        (1, 2),
        None,
    ]
    assert ("success", expected) == call(f)


def test_an_iterator_as_default_is_not_read():
    """Showing the schema, and making the model, takes nothing out of it."""

    def f(xs: Iterable[int] = iter([1, 2])):
        return list(xs)

    tool = Tool.from_function(f)
    assert "default" not in tool.parameters["properties"]["xs"]
    assert "default" not in tool.model.model_json_schema()["properties"]["xs"]
    assert [1, 2] == tool.execute().value


@pytest.mark.parametrize(
    ("declared", "default", "value"),
    [
        (lambda: (int, Field(5)), 5, 5),
        (lambda: (int, Field(default=5, ge=1, description="x")), 5, 5),
        (lambda: (list[int], Field(default_factory=list)), "absent", []),
        (lambda: (Annotated[int, Field(default=5)], inspect.Parameter.empty), 5, 5),
        (
            lambda: (Annotated[int, Field(default_factory=lambda: 5)], inspect.Parameter.empty),
            "absent",
            5,
        ),
        (lambda: (Annotated[int, Field(default=5)], 6), 6, 6),
        (lambda: (Annotated[int, Field(default_factory=lambda: 5)], 6), 6, 6),
    ],
)
def test_defaults_of_fields_are_defaults(declared, default, value):
    """``Field(…)`` works in both places, a factory is not shown, Python's own default wins."""
    annotation, given_default = declared()

    def f(x):
        return x

    parameter = inspect.Parameter(
        "x",
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
        annotation=annotation,
        default=given_default,
    )
    f.__signature__ = inspect.Signature([parameter])
    f.__defaults__ = None if given_default is inspect.Parameter.empty else (given_default,)
    schema = schema_of(f)
    assert ([], default) == (schema["required"], schema["properties"]["x"].get("default", "absent"))
    assert ("success", value) == call(f)


def test_a_factory_sees_the_values_there_are():
    """``default_factory(data)`` gets the arguments by their real names, defaults among them."""

    def f(
        _a: int = 2,
        b: Annotated[int, Field(alias="bee")] = 3,
        c: int = Field(default_factory=lambda data: data["_a"] * data["b"]),
    ):
        return c

    assert ("success", 6) == call(f)
    assert ("success", 20) == call(f, {"_a": 4, "bee": 5})
    assert 20 == Tool.from_function(f).model.model_validate({"_a": 4, "bee": 5}).c


@pytest.mark.parametrize("sent", [{}, {"x": [2]}, {"x": []}])
def test_what_is_sent_beats_every_default(sent):
    """Defaults that are made stand only where nothing was sent."""

    def f(x: list[int] = [1], y: int = Field(default_factory=lambda: 7)):
        return x, y

    assert ("success", (sent.get("x", [1]), 7)) == call(f, sent)
    assert ("success", (sent.get("x", [1]), 8)) == call(f, {**sent, "y": 8})


def test_a_required_field_is_required():
    """``Field(...)`` and a field without default say that the model has to send it."""

    def f(a: int = Field(...), b: int = Field(description="x")):
        return a + b

    assert ["a", "b"] == schema_of(f)["required"]


# Descriptions


def documented(
    a: int,
    b: Annotated[int, "from the annotation"],
    c: Annotated[int, Field(description="from the field")],
    d: Annotated[int, Field(description="from the field"), "from the annotation"],
    e: Point,
    f: Annotated[Point, "from the annotation"],
    g: int = Field(1, description="from the default"),
    *h: int,
):
    """Do it.

    Args:
        a: from the docstring
        b: from the docstring
        c: from the docstring
        d: from the docstring
        e: from the docstring
        f: from the docstring
        g: from the docstring
        h: from the docstring
    """


def test_what_stands_with_the_type_beats_the_docstring():
    """Field first, then text in the annotation, then the docstring."""
    shown = {k: v["description"] for k, v in schema_of(documented)["properties"].items()}
    assert {
        "a": "from the docstring",
        "b": "from the annotation",
        "c": "from the field",
        "d": "from the field",
        "e": "from the docstring",
        "f": "from the annotation",
        "g": "from the default",
        "h": "from the docstring",
    } == shown


def test_missing_descriptions_are_a_fault_if_they_are_required():
    """Each parameter without one is named, and the tool itself."""

    def f(a: int, b: Annotated[int, "told"], c: Annotated[int, Injected], *rest: int): ...

    with pytest.raises(ToolDefinitionError) as caught:
        Tool.from_function(f, require_descriptions=True)
    assert [None, "a", "rest"] == [fault.parameter for fault in caught.value.faults]


def test_descriptions_that_are_there_satisfy_the_requirement():
    """Docstring, field and annotation all count."""
    Tool.from_function(documented, require_descriptions=True)


# Titles and recursion

T = TypeVar("T")


class Titled(BaseModel):
    model_config = {"title": "Authored model"}
    a: int = Field(title="Authored field")
    b: int


class Box(BaseModel, Generic[T]):
    value: T


class Node(BaseModel):
    value: int
    children: list["Node"] = []


def titles(schema, path=()):
    """Yield every title that is a keyword, not the name of a property."""
    if isinstance(schema, dict):
        if isinstance(schema.get("title"), str) and path[-1:] != ("properties",):
            yield schema["title"]
        for key, value in schema.items():
            yield from titles(value, (*path, key))
    elif isinstance(schema, list):
        for item in schema:
            yield from titles(item, (*path, "item"))


def test_generated_titles_are_gone_and_authored_ones_kept():
    """Only what somebody wrote is a title, at every depth."""
    from typing import NamedTuple

    class Pair(NamedTuple):
        left: int
        right: int

    def f(
        a: Titled,
        b: Box[int],
        c: Colour,
        d: Options,
        e: Keys,
        f: Pair,
        g: Annotated[int, Field(title="Authored parameter")],
        title: str,
        h: list[Colour] = [],
        i: Annotated[Colour, Field(title="Authored member")] = Colour.RED,
    ): ...

    found = sorted(titles(schema_of(f)))
    assert ["Authored field", "Authored member", "Authored model", "Authored parameter"] == found


def test_recursive_types_are_described_and_validated():
    """A tree of models refers to itself in the schema, and arrives as models."""

    def f(tree: Node):
        return tree.children[0].children

    schema = schema_of(f)
    assert {"$ref": "#/$defs/Node"} == schema["properties"]["tree"]
    assert {"$ref": "#/$defs/Node"} == schema["$defs"]["Node"]["properties"]["children"]["items"]
    sent = {"tree": {"value": 1, "children": [{"value": 2, "children": [{"value": 3}]}]}}
    assert ("success", [Node(value=3)]) == call(f, sent)


def test_a_recursive_alias_is_described():
    """A type that names itself by an alias has a definition."""
    Json = TypeAliasType("Json", "dict[str, Json] | list[Json] | str")

    def f(x: Json):
        return x

    assert ("success", {"a": ["b"]}) == call(f, {"x": {"a": ["b"]}})


def test_two_classes_of_one_name_keep_apart():
    """Classes that are only called alike have a definition each."""

    def other():
        class Point(BaseModel):
            name: str

        return Point

    def f(a: Point, b: other()):
        return a.x, b.name

    schema = schema_of(f)
    assert 2 == len(schema["$defs"])
    assert schema["properties"]["a"] != schema["properties"]["b"]
    assert ("success", (1, "n")) == call(f, {"a": {"x": 1}, "b": {"name": "n"}})


def test_definitions_are_only_where_they_are_needed():
    """A schema without references has no ``$defs``, and none has ``$schema``."""
    schema = schema_of(every_kind)
    assert set() == {"$defs", "$schema"} & set(schema)


def test_what_a_field_says_of_its_type_is_in_the_schema():
    """Limits, examples, extra words and deprecation of a field are shown."""

    def f(
        x: Annotated[
            int, Field(ge=1, examples=[5], json_schema_extra={"x-unit": "m"}, deprecated=True)
        ],
    ): ...

    assert {
        "type": "integer",
        "minimum": 1,
        "examples": [5],
        "x-unit": "m",
        "deprecated": True,
    } == schema_of(f)["properties"]["x"]


def test_a_field_discriminates_a_union():
    """``Field(discriminator=…)`` works on a parameter."""

    class Cat(BaseModel):
        kind: Literal["cat"]

    class Dog(BaseModel):
        kind: Literal["dog"]

    def f(pet: Annotated[Cat | Dog, Field(discriminator="kind")]):
        return type(pet).__name__

    assert "discriminator" in schema_of(f)["properties"]["pet"]
    assert ("success", "Dog") == call(f, {"pet": {"kind": "dog"}})


# Injection


def test_injected_parameters_are_in_no_schema():
    """Every format shows the model only what it may send."""

    def f(q: str, user: Annotated[str, Injected], db: Annotated[Database, Injected("conn")]): ...

    tool = Tool.from_function(f)
    assert {"q"} == set(tool.parameters["properties"]) == set(tool.model.model_fields)
    for name in (None, *formats.FORMATS):
        text = json.dumps(tool.spec(name))
        assert ("user" not in text, "db" not in text) == (True, True)


class Context:
    user = "ann"
    conn = DATABASE


@pytest.mark.parametrize(
    "context",
    [{"user": "ann", "conn": DATABASE}, Context(), Context],
    ids=["mapping", "object", "class"],
)
def test_the_context_is_a_mapping_or_any_object(context):
    """Values are found by key or by attribute, by the parameter's name or another."""

    def f(user: Annotated[str, Injected], db: Annotated[Database, Injected("conn")]):
        return user, db

    assert ("success", ("ann", DATABASE)) == call(f, context=context)


@pytest.mark.parametrize(
    "annotation",
    [
        Annotated[Database, Injected],
        Annotated[Database, Injected()],
        Annotated[Database | None, Injected],
        Annotated[Database, Injected] | None,
        Optional[Annotated[Database, Injected()]],
        Annotated[Annotated[Database, Injected], "text"],
        TypeAliasType("Db", Annotated[Database, Injected]),
        "Annotated[Database, Injected]",
        "Annotated[NowhereDefined, Injected]",
        Injected,
    ],
    ids=str,
)
def test_the_mark_is_found_wherever_it_stands(annotation):
    """In a union, under an alias, as text, around a type that cannot be resolved."""

    def f(db: annotation):
        return db

    assert {} == schema_of(f)["properties"]
    assert ("success", DATABASE) == call(f, context={"db": DATABASE})
    assert "invalid_arguments" == call(f, {"db": 1}, context={"db": DATABASE})[0]


@pytest.mark.parametrize("default", [Injected, Injected(), Injected("db")])
def test_the_mark_may_be_the_default(default):
    """``db: Database = Injected()`` means the same, and is no default."""

    def f(db: Database = default):
        return db

    assert {} == schema_of(f)["properties"]
    assert ("success", DATABASE) == call(f, context={"db": DATABASE})
    assert "exception" == call(f, context={})[0]


@pytest.mark.parametrize("context", [0, "", [], {"a": 1}], ids=repr)
def test_the_whole_context_is_passed(context):
    """``Injected(whole=True)`` gives the context itself, also an empty one."""

    def f(x: Annotated[Any, Injected(whole=True)]):
        return x

    assert ("success", context) == call(f, context=context)


@pytest.mark.parametrize("annotation", [ToolCall, ToolCall | None, Optional[ToolCall], "ToolCall"])
def test_a_parameter_for_the_call_gets_the_call(annotation):
    """A marked parameter of type ToolCall gets the call that is answered."""

    def f(q: int, call: Annotated[annotation, Injected]):
        return call.id, call.name

    result = Tool.from_function(f).execute({"q": 1}, call_id="c1")
    assert ("c1", "f") == result.value


def test_factories_make_what_is_injected():
    """Functions with and without the context, coroutines and classes are all factories."""

    async def later(context):
        return context["n"] + 1

    def f(
        a: Annotated[int, Injected(lambda: 1)],
        b: Annotated[int, Injected(lambda context: context["n"])],
        c: Annotated[int, Injected(later)],
        d: Annotated[Database, Injected(Database)],
        e: Annotated[list, Injected(list)],
        g: Annotated[Any, Injected(functools.partial(dict, x=1))],
        h: Annotated[Any, Injected(lambda context=7, *, key=1: context)],
    ):
        return a, b, c, type(d), e, g["x"], h

    assert ("success", (1, 5, 6, Database, [], 1, {"n": 5})) == call(f, context={"n": 5})


@pytest.mark.parametrize("fails", [False, True])
def test_generator_factories_are_closed_after_the_call(fails):
    """What stands behind the ``yield`` is run in every outcome, the last opened first."""
    events = []

    def opened(context):
        events.append("open")
        yield 1
        events.append("close")

    async def aopened():
        events.append("aopen")
        yield 2
        events.append("aclose")

    def f(a: Annotated[int, Injected(opened)], b: Annotated[int, Injected(aopened)]):
        events.append((a, b))
        if fails:
            raise ValueError

    assert ("exception" if fails else "success") == call(f, context={})[0]
    assert ["open", "aopen", (1, 2), "aclose", "close"] == events


def test_a_missing_value_falls_to_the_default():
    """Without a context, or without the key in it, Python's own default applies."""

    def f(
        db: Annotated[Database | None, Injected] = None, n: Annotated[Any, Injected(whole=True)] = 5
    ):
        return db, n

    assert ("success", (None, 5)) == call(f)
    assert ("success", (None, {})) == call(f, context={})


def test_none_in_the_context_is_a_value():
    """A key that is there with None is there."""

    def f(db: Annotated[Any, Injected] = 1):
        return db

    assert ("success", None) == call(f, context={"db": None})


def raising():
    raise RuntimeError("the password is swordfish")


@pytest.mark.parametrize("marker", [Injected, Injected(raising)])
def test_what_cannot_be_supplied_is_an_exception_that_says_nothing(marker, caplog):
    """The model learns that the tool failed, and nothing more; the log names the parameter."""

    def f(secret: Annotated[str, marker]):
        return secret

    kind, text = call(f, context={})
    assert "exception" == kind
    assert "swordfish" not in text
    assert "secret" not in text
    assert "secret" in caplog.text


@pytest.mark.parametrize(
    "inject",
    [
        "run_context",
        ["run_context"],
        "run_*",
        ("nothing*", "run_*"),
        {"run_context": Injected},
        {"run_context": Injected("run_context")},
        {"run_context": DATABASE},
        {"*context": lambda: DATABASE},
        {"run_context": lambda context: context["run_context"]},
    ],
    ids=str,
)
def test_functions_of_others_are_injected_by_name(inject):
    """Names, patterns and mappings of them to values, factories or marks need no annotation."""

    def f(q: int, run_context):
        return run_context

    assert {"q"} == set(schema_of(f, inject=inject)["properties"])
    assert ("success", DATABASE) == call(
        f, {"q": 1}, inject=inject, context={"run_context": DATABASE}
    )
    assert "invalid_arguments" == call(f, {"q": 1, "run_context": 1}, inject=inject)[0]


class Depends:
    """A mark of somebody else's."""


@pytest.mark.parametrize("marker", [Depends, Depends()], ids=["class", "instance"])
@pytest.mark.parametrize("as_default", [False, True])
def test_functions_of_others_are_injected_by_their_own_marks(marker, as_default):
    """A foreign marker type in ``Annotated``, or as the default, stands for Injected."""

    if as_default:

        def f(q: int, db=marker):
            return db
    else:

        def f(q: int, db: Annotated[Database, marker]):
            return db

    assert {"q"} == set(schema_of(f, inject=[Depends])["properties"])
    assert ("success", DATABASE) == call(f, {"q": 1}, inject={Depends: DATABASE})
    assert ("success", DATABASE) == call(f, {"q": 1}, inject=[Depends], context={"db": DATABASE})


@pytest.mark.parametrize("generic", [False, True])
def test_functions_of_others_are_injected_by_type(generic):
    """A parameter whose very type is named, bare or parametrised, is supplied."""

    class RunContext(Generic[T]):
        pass

    annotation = RunContext[int] if generic else RunContext

    def f(q: int, ctx: annotation = None):
        return ctx

    assert {"q"} == set(schema_of(f, inject=[RunContext])["properties"])
    for key in (RunContext, RunContext[int]):
        assert ("success", 5) == call(f, {"q": 1}, inject={key: 5})


def test_positional_only_parameters_are_injected():
    """Where they stand makes no difference to what the program supplies."""

    def f(user: Annotated[str, Injected], q: int, other: Annotated[int, Injected] = 3, /):
        return user, q, other

    assert ("success", ("ann", 1, 3)) == call(f, {"q": 1}, context={"user": "ann"})
    assert ("success", ("ann", 1, 4)) == call(f, {"q": 1}, context={"user": "ann", "other": 4})


def test_keys_of_an_unpacked_typed_dict_are_injected():
    """A marked key is supplied like a marked parameter; one that may be missing may be missing."""

    class Hidden(TypedDict):
        q: int
        user: Annotated[str, Injected]
        key: NotRequired[Annotated[str, Injected]]

    def f(**options: Unpack[Hidden]):
        return options

    assert {"q"} == set(schema_of(f)["properties"])
    assert ("success", {"q": 1, "user": "ann"}) == call(f, {"q": 1}, context={"user": "ann"})
    assert "invalid_arguments" == call(f, {"q": 1, "user": "x"}, context={"user": "ann"})[0]


def test_variadics_cannot_be_marked():
    """There is no telling what would be passed, so it is refused at the def."""

    def f(*args: Annotated[int, Injected], **kwargs: Annotated[int, Injected]): ...

    with pytest.raises(ToolDefinitionError) as caught:
        Tool.from_function(f)
    assert ["args", "kwargs"] == [fault.parameter for fault in caught.value.faults]


def test_patterns_do_not_concern_variadics():
    """``inject="*"`` supplies every named parameter."""

    def f(a, *rest, **more):
        return a, rest, more

    assert ("success", (1, (2,), {"b": 3})) == call(
        f, {"rest": [2], "b": 3}, inject="*", context={"a": 1}
    )


# Faults


def test_all_faults_are_raised_at_once():
    """Names that are nowhere defined, types without schema and clashes come together."""

    def f(
        a: "Nowhere",  # noqa: F821
        b: Database,
        c: Annotated[int, Field(alias="x")],
        d: Annotated[int, Field(alias="x")],
        *e: "AlsoNowhere",  # noqa: F821
        g: "type[Database] | None" = None,
    ): ...

    with pytest.raises(ToolDefinitionError) as caught:
        Tool.from_function(f, name="not a name", hints={"nice": True}, max_output=0)
    faults = caught.value.faults
    assert {None, "a", "b", "d", "e"} <= {fault.parameter for fault in faults}
    assert all(fault.problem and fault.cure for fault in faults)
    assert 7 <= len(faults)


@pytest.mark.parametrize(
    "annotation",
    [
        Database,
        type[Database],
        list[Database],
        dict[str, Database],
        inspect.Signature,
    ],
    ids=str,
)
def test_a_type_without_schema_is_found_at_the_def(annotation):
    """The fault names function, parameter and cure."""

    def query(db: annotation, s: str): ...

    fault = fault_of(query)
    assert ("query", "db") == (fault.function, fault.parameter)
    assert "Injected" in fault.cure


@pytest.mark.parametrize("annotation", ["1 +", "int.nothing", "list[not_installed.Thing]"])
def test_an_annotation_that_fails_is_found_at_the_def(annotation):
    """What is no expression, or no attribute, will not become one."""

    def f(a: annotation): ...

    assert "a" == fault_of(f).parameter


def test_functions_are_no_arguments():
    """A callable validates but cannot be described, so it is found at the def."""
    from collections.abc import Callable

    from pydantic import InstanceOf

    def f(
        a: Callable[[], int], b: InstanceOf[Database], c: Optional[Callable[[], int]], d: None
    ): ...

    with pytest.raises(ToolDefinitionError) as caught:
        Tool.from_function(f)
    assert ["a", "b", "c"] == [fault.parameter for fault in caught.value.faults]


def test_a_validator_that_cannot_be_made_names_its_parameter():
    """What pydantic takes and its core refuses is a fault of that parameter."""

    def f(a: int, b: Annotated[str, Field(pattern="(")]): ...

    assert "b" == fault_of(f).parameter


def test_a_parameter_hidden_from_the_model_needs_a_default():
    """It is not in the schema, and can be left out."""

    def hidden(p: SkipJsonSchema[int]) -> int:
        return p

    def many(p: list[SkipJsonSchema[int]]) -> int:
        return len(p)

    def named(p: TypeAliasType("Hidden", SkipJsonSchema[int])) -> int:
        return p

    def more(**p: SkipJsonSchema[int]) -> int:
        return len(p)

    for function in (hidden, many, named, more):
        with pytest.raises(ToolDefinitionError, match="'p' .* SkipJsonSchema hides it"):
            Tool.from_function(function)

    def wrong(p: Annotated[int, SkipJsonSchema] = 1) -> int:
        return p

    with pytest.raises(ToolDefinitionError, match="'p' has no type that JSON can describe"):
        Tool.from_function(wrong)

    def optional(q: int, p: SkipJsonSchema[int] = 3) -> int:
        return q + p

    tool = Tool.from_function(optional)
    assert ["q"] == list(tool.parameters["properties"])
    assert "4" == tool.execute({"q": 1}).output


def test_a_schema_that_fails_is_told_with_its_tool():
    """Where it can only be found at the export, the tool is named, and calls go on."""

    class Dangling(BaseModel):
        value: dict[str, str] = {"$ref": "#/$defs/x"}

    def dangling(a: Dangling) -> str:
        return a.value["$ref"]

    tool = Tool.from_function(dangling)
    with pytest.raises(
        ToolDefinitionError, match=r"dangling\(\): has no type that JSON can describe"
    ):
        tool.spec()
    assert "#/$defs/x" == tool.execute({"a": {}}).output
    assert "invalid_arguments" == tool.execute({"a": 5}).kind


@pytest.mark.parametrize(
    "validator",
    [
        BeforeValidator(lambda value: str(value)),
        WrapValidator(lambda value, handler: handler(str(value))),
    ],
)
def test_a_slip_that_a_validator_hides_is_mended(validator):
    """What was sent is looked at, not what a validator made of it."""

    def count(a: Annotated[int, validator] = 1, b: Annotated[list[int], validator] = []) -> int:
        return a + len(b)

    result = Tool.from_function(count).execute('{"a": null}')
    assert ("1", ("null-dropped: a",)) == (result.output, result.repairs)


def test_a_literal_of_thousands_of_values_is_built():
    """The search for what is hidden ends, whatever the size of a type."""

    def pick(a: Literal[tuple(range(2000))]) -> int:  # noqa: F821
        return a

    assert "1999" == Tool.from_function(pick).execute('{"a": 1999}').output
