import copy
import enum
import json
from typing import Annotated, Any, Literal

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, create_model
from typing_extensions import NotRequired, TypedDict

from toolreg._repair import Mended, is_hopeless, mend, texts_stay


class Point(BaseModel):
    x: int
    n: int = 3
    tags: list[str] = []


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Circle(BaseModel):
    kind: Literal["circle"]
    radius: int
    width: int = 1


class Line(BaseModel):
    kind: Literal["line"]
    end: Point | None = None


class Node(BaseModel):
    v: int
    kids: list["Node"] = []
    n: int = 1


class Options(TypedDict):
    a: int
    b: NotRequired[str]
    c: NotRequired[str | None]


Shape = Annotated[Circle | Line, Field(discriminator="kind")]


def arguments_of(**parameters):
    fields = {
        name: given if isinstance(given, tuple) else (given, ...)
        for name, given in parameters.items()
    }
    return create_model("Arguments", __config__=ConfigDict(extra="forbid"), **fields)


def mended(model, raw, *, wrappers=True, schema=None):
    with pytest.raises(ValidationError) as caught:
        model.model_validate_json(json.dumps(raw))
    paths = [error["loc"] for error in caught.value.errors(include_url=False)]
    before = copy.deepcopy(raw)
    schema = schema or model.model_json_schema()
    result = mend(raw, schema=schema, paths=paths, wrappers=wrappers)
    assert before == raw
    return result


@pytest.mark.parametrize(
    ("parameters", "raw", "arguments", "repairs"),
    [
        pytest.param(
            {"xs": list[int], "m": dict[str, int], "p": Point, "o": (list[str] | None, None)},
            {"xs": "[1, 2]", "m": '{"a": 1}', "p": '{"x": 3}', "o": '["z"]'},
            {"xs": [1, 2], "m": {"a": 1}, "p": {"x": 3}, "o": ["z"]},
            ("json-text: xs", "json-text: m", "json-text: p", "json-text: o"),
            id="JSON text where no text is allowed",
        ),
        pytest.param(
            {"u": int | list[int], "t": tuple[int, list[int]], "n": int | None},
            {"u": "[1]", "t": [1, "[2]"], "n": "null"},
            {"u": [1], "t": [1, [2]], "n": None},
            ("json-text: u", "json-text: t[1]", "json-text: n"),
            id="JSON text in unions and tuples",
        ),
        pytest.param(
            {"n": Annotated[int, Field(strict=True)]},
            {"n": "5"},
            {"n": 5},
            ("json-text: n",),
            id="JSON text of a number",
        ),
        pytest.param(
            {"u": Literal["all"] | list[int]},
            {"u": "[1]"},
            {"u": [1]},
            ("json-text: u",),
            id="JSON text where only other texts are allowed",
        ),
        pytest.param(
            {"url": str, "n": (int, 7), "tags": (list[str], []), "d": (int, None)},
            {"url": "u", "n": None, "tags": None, "d": None},
            {"url": "u"},
            ("null-dropped: n", "null-dropped: tags", "null-dropped: d"),
            id="null for what has a default",
        ),
        pytest.param(
            {"m": dict[str, Point], "td": Options, "node": Node},
            {
                "m": {"a b": {"x": 1, "n": None}},
                "td": {"a": 1, "b": None, "c": None},
                "node": {"v": 1, "kids": [{"v": 2, "kids": None, "n": None}]},
            },
            {
                "m": {"a b": {"x": 1}},
                "td": {"a": 1, "c": None},
                "node": {"v": 1, "kids": [{"v": 2}]},
            },
            (
                "null-dropped: m.a b.n",
                "null-dropped: td.b",
                "null-dropped: node.kids[0].kids",
                "null-dropped: node.kids[0].n",
            ),
            id="null in dicts, typed dicts and recursion",
        ),
        pytest.param({"c": Color}, {"c": "Red"}, {"c": "red"}, ("case: c",), id="case of an enum"),
        pytest.param(
            {"cs": list[Color | None], "l": Literal["a", "b"] | int},
            {"cs": ["BLUE", None], "l": "A"},
            {"cs": ["blue", None], "l": "a"},
            ("case: cs[0]", "case: l"),
            id="case in lists and unions",
        ),
        pytest.param(
            {"pct": Literal[0, 75], "on": Literal[True], "off": Literal[False, "no"]},
            {"pct": "75", "on": "true", "off": "False"},
            {"pct": 75, "on": True, "off": False},
            ("literal: pct", "literal: on", "literal: off"),
            id="text for a value that is given",
        ),
        pytest.param(
            {"shape": Shape},
            {"shape": {"kind": "Circle", "radius": 1, "width": None}},
            {"shape": {"kind": "circle", "radius": 1}},
            ("case: shape.kind", "null-dropped: shape.width"),
            id="the tag of a discriminated union",
        ),
        pytest.param(
            {"shapes": list[Shape] | None},
            {"shapes": [{"kind": "line", "end": '{"x": 1, "n": null}'}]},
            {"shapes": [{"kind": "line", "end": {"x": 1}}]},
            ("json-text: shapes[0].end", "null-dropped: shapes[0].end.n"),
            id="slips under JSON text under a union under a list",
        ),
        pytest.param(
            {"shapes": dict[str, Shape]},
            {"shapes": {"circle": {"kind": "circle", "radius": 1, "width": None}}},
            {"shapes": {"circle": {"kind": "circle", "radius": 1}}},
            ("null-dropped: shapes.circle.width",),
            id="a label that is also a key",
        ),
        pytest.param(
            {"u": Circle | Line},
            {"u": {"kind": "circle", "radius": 1, "width": None}},
            {"u": {"kind": "circle", "radius": 1}},
            ("null-dropped: u.width",),
            id="a plain union whose members have tags",
        ),
        pytest.param(
            {"u": Point | Node},
            {"u": {"v": 1, "n": None}},
            {"u": {"v": 1}},
            ("null-dropped: u.n",),
            id="a plain union with one member that has all it requires",
        ),
        pytest.param(
            {"m": dict[Annotated[str, Field(pattern="^x")], list[int]]},
            {"m": {"x1": "[1]"}},
            {"m": {"x1": [1]}},
            ("json-text: m.x1",),
            id="keys with a pattern",
        ),
    ],
)
def test_slips_are_mended(parameters, raw, arguments, repairs):
    """Each slip is mended where it stands, and the mended arguments are valid."""
    model = arguments_of(**parameters)
    assert Mended(arguments, repairs) == mended(model, raw)
    model.model_validate_json(json.dumps(arguments))


def split(text: Any) -> Any:
    if isinstance(text, list):
        raise ValueError("a list")
    return text


@pytest.mark.parametrize(
    ("parameters", "raw"),
    [
        pytest.param({"url": str}, {"url": None}, id="null for what is required"),
        pytest.param({"m": dict[str, int]}, {"m": {"a": None}}, id="null in a dict"),
        pytest.param({"xs": list[int]}, {"xs": [None]}, id="null in a list"),
        pytest.param({"c": Color}, {"c": "green"}, id="text that is not given"),
        pytest.param({"l": Literal["Red", "RED"]}, {"l": "red"}, id="two texts match"),
        pytest.param({"l": Literal["a"]}, {"l": '"a"'}, id="a quoted text"),
        pytest.param({"u": int | list[int] | str}, {"u": [1, "x"]}, id="text is allowed"),
        pytest.param({"s": str}, {"s": [1]}, id="no text where text is wanted"),
        pytest.param({"xs": list[int]}, {"xs": "{}"}, id="JSON text of another type"),
        pytest.param({"xs": list[int]}, {"xs": "1, 2"}, id="text that is no JSON"),
        pytest.param({"xs": list[float]}, {"xs": "[NaN]"}, id="text that is no strict JSON"),
        pytest.param({"xs": list[list[int]]}, {"xs": '"[[1]]"'}, id="JSON text of JSON text"),
        pytest.param({"n": int}, {"n": "5.5"}, id="no whole number"),
        pytest.param({"u": list[int] | list[Color]}, {"u": [[], "RED"]}, id="two kinds of list"),
        pytest.param({"u": Point | Node}, {"u": {"n": None}}, id="two objects, neither whole"),
        pytest.param(
            {"u": Point | Node}, {"u": {"x": 1, "v": 1, "n": None}}, id="two objects, both whole"
        ),
        pytest.param(
            {"x": Annotated[Any, AfterValidator(split)]}, {"x": ["[1]"]}, id="anything is allowed"
        ),
        pytest.param({"a": int, "n": (list[int], [])}, {"n": []}, id="only a missing argument"),
    ],
)
def test_what_is_no_slip_stays(parameters, raw):
    """Faults that no repair explains leave the arguments alone."""
    assert mended(arguments_of(**parameters), raw) is None


def test_only_what_failed_is_mended():
    """A place that validation did not name stays, though it looks like a slip."""
    schema = {"properties": {"a": {"type": "array"}, "b": {"type": "array"}}}
    raw = {"a": "[1]", "b": "[2]"}
    assert Mended({"a": "[1]", "b": [2]}, ("json-text: b",)) == mend(
        raw, schema=schema, paths=[("b",)], wrappers=False
    )
    assert mend(raw, schema=schema, paths=[("c",)], wrappers=False) == mend(
        raw, schema=schema, paths=[()], wrappers=False
    )
    assert mend(raw, schema=schema, paths=[], wrappers=False) is None


def test_a_label_that_may_be_a_key_is_both():
    """A step that names a union's member, and a key there as well, is followed as either."""
    member = {
        "properties": {"a": {"type": "array"}, "b": {"type": "array"}, "c": {"type": "array"}}
    }
    schema = {"properties": {"u": {"anyOf": [member, {"type": "null"}]}}}
    raw = {"u": {"a": "[1]", "b": "[2]", "c": "[3]"}}
    assert Mended(
        {"u": {"a": [1], "b": [2], "c": "[3]"}}, ("json-text: u.a", "json-text: u.b")
    ) == mend(raw, schema=schema, paths=[("u", "a", "b")], wrappers=False)


def test_a_missing_key_names_nothing():
    """The path of a missing key or item is no reason to mend its siblings."""
    inner = {"properties": {"a": {"type": "array"}, "b": {"type": "array"}}}
    schema = {"properties": {"o": inner, "t": {"type": "array", "items": {"type": "array"}}}}
    raw = {"o": {"a": "[1]"}, "t": ["[1]"]}
    paths = [("o", "b"), ("t", 1)]
    assert mend(raw, schema=schema, paths=paths, wrappers=False) is None


def test_names_of_an_enum_come_after_its_values():
    """A name of an Enum's member is its value, exact before another case, values before names."""
    option = {
        "enum": ["a", "b", 3],
        "x-enum-names": {"FIRST": "a", "first": "b", "A": "b", "HIGH": 3},
    }
    schema = {"properties": {"c": {"$ref": "#/$defs/C"}}, "$defs": {"C": option}}
    for given_text, value, repair in [
        ("FIRST", "a", "enum-name"),
        ("first", "b", "enum-name"),
        ("A", "a", "case"),
        ("high", 3, "enum-name"),
        ("3", 3, "literal"),
    ]:
        assert Mended({"c": value}, (f"{repair}: c",)) == mend(
            {"c": given_text}, schema=schema, paths=[("c",)], wrappers=False
        )
    assert mend({"c": "First"}, schema=schema, paths=[("c",)], wrappers=False) is None


@pytest.mark.parametrize(
    "schema",
    [
        {"allOf": [{"type": "array"}]},
        {"$ref": "#/$defs/a~1b~0c"},
        {"$ref": "#/$defs/loop"},
        {"type": ["array", "null"]},
        {"oneOf": [{"type": "array"}, {"type": "integer"}]},
    ],
)
def test_schemas_of_other_hands_are_read(schema):
    """Lists of types, references with escapes and in circles, and single members are followed."""
    root = {
        "properties": {"x": schema},
        "$defs": {
            "a/b~c": {"type": "array"},
            "loop": {"anyOf": [{"$ref": "#/$defs/loop"}, {"type": "array"}]},
        },
    }
    assert Mended({"x": [1]}, ("json-text: x",)) == mend(
        {"x": "[1]"}, schema=root, paths=[("x",)], wrappers=False
    )


def test_properties_beside_a_union_count():
    """A schema that has properties beside ``anyOf`` is read by its properties."""
    schema = {
        "properties": {"xs": {"type": "array"}},
        "anyOf": [{"required": ["xs"]}, {"required": ["ys"]}],
    }
    assert Mended({"xs": [1]}, ("json-text: xs",)) == mend(
        {"xs": "[1]"}, schema=schema, paths=[("xs",)], wrappers=False
    )


@pytest.mark.parametrize(
    "schema",
    [
        True,
        {},
        {"$ref": "#anchor"},
        {"$ref": "http://localhost/schema"},
        {"$ref": "#/$defs/none/of/these"},
        {"allOf": [{"type": "array"}, {"minItems": 1}]},
    ],
)
def test_what_a_schema_does_not_say_is_not_mended(schema):
    """Where the schema allows anything, or cannot be followed, nothing is mended."""
    root = {"type": "object", "properties": {"x": schema}}
    assert mend({"x": "[1]"}, schema=root, paths=[("x",)], wrappers=False) is None


def test_the_root_may_be_a_reference():
    """The schema of the arguments itself may refer into itself."""
    schema = Node.model_json_schema()
    assert "$ref" in schema
    assert Mended({"v": 1}, ("wrapper: node", "null-dropped: n")) == mend(
        {"node": {"v": 1, "n": None}}, schema=schema, paths=[("node",)], wrappers=True
    )
    recursive = {"properties": {"kids": {"items": {"$ref": "#"}}, "xs": {"type": "array"}}}
    assert Mended({"kids": [{"xs": []}]}, ("json-text: kids[0].xs",)) == mend(
        {"kids": [{"xs": "[]"}]}, schema=recursive, paths=[("kids", 0, "xs")], wrappers=False
    )


@pytest.mark.parametrize(
    ("expected", "raw"),
    [
        (Mended({"a": 3}, ("double-encoded",)), '{"a": 3}'),
        (Mended({}, ("double-encoded",)), "{}"),
        (Mended({"a": 1}, ("double-encoded", "null-dropped: n")), '{"a": 1, "n": null}'),
        (Mended({"a": 1}, ("double-encoded", "wrapper: input")), '{"input": {"a": 1}}'),
        (None, "[1]"),
        (None, '{"a": '),
        (None, [1]),
        (None, 1),
        (None, None),
    ],
)
def test_double_encoded_arguments_are_parsed(expected, raw):
    """A JSON string that holds the object gives the object; other values have nothing to mend."""
    assert expected == mended(arguments_of(a=int, n=(int, 1)), raw)


@pytest.mark.parametrize(
    ("expected", "raw"),
    [
        (Mended({"a": 1}, ("wrapper: input",)), {"input": {"a": 1}}),
        (Mended({"a": 1}, ("wrapper: input", "null-dropped: n")), {"input": {"a": 1, "n": None}}),
        (None, {"input": {"b": 1}}),
        (None, {"input": {}}),
        (None, {"input": [1]}),
        (None, {"input": {"a": 1}, "n": 1}),
        (None, {"n": {"a": 1}}),
    ],
)
def test_a_wrapper_is_taken_off(expected, raw):
    """One key that is no parameter's name around an object of parameters is taken off."""
    model = arguments_of(a=int, n=(int, 1))
    assert expected == mended(model, raw)
    assert mended(model, raw, wrappers=False) is None


def test_depth_is_bounded():
    """Data nested without end is mended down to a depth, and no deeper."""
    raw = leaf = {}
    for _ in range(100_000):
        leaf["kids"] = [{"n": None}]
        leaf = leaf["kids"][0]
    result = mend(raw, schema=Node.model_json_schema(), paths=[()], wrappers=False)
    assert 99 < len(result.repairs) < 201


NAMES = ["a", "b", "c"]
TEXTS = st.sampled_from(
    ["red", "RED", "Blue", "75", "true", "null", "[]", "[1]", '{"a": null}', '{"a": "[1]"}', "x"]
)
SIMPLE = st.sampled_from(
    [
        {},
        True,
        {"type": "integer"},
        {"type": "number"},
        {"type": "boolean"},
        {"type": "string"},
        {"type": "null"},
        {"enum": ["red", "blue"]},
        {"enum": [75, True, None, "x"]},
        {"const": "red"},
        {"type": ["array", "null"]},
        {"$ref": "#/$defs/node"},
        {"$ref": "#/$defs/tagged"},
    ]
)
DEFINITIONS = {
    "node": {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"items": {"$ref": "#/$defs/node"}}},
    },
    "tagged": {
        "oneOf": [
            {"properties": {"a": {"const": "red"}, "b": {"type": "array"}}, "required": ["a"]},
            {"properties": {"a": {"const": "blue"}, "c": {"type": "integer"}}, "required": ["a"]},
        ]
    },
}


def objects(schemas):
    return st.fixed_dictionaries(
        {"type": st.just("object"), "properties": st.dictionaries(st.sampled_from(NAMES), schemas)},
        optional={
            "required": st.lists(st.sampled_from(NAMES), unique=True),
            "additionalProperties": st.booleans() | schemas,
        },
    )


SCHEMAS = st.recursive(
    SIMPLE,
    lambda inner: st.one_of(
        objects(inner),
        st.builds(lambda items: {"type": "array", "items": items}, inner),
        st.builds(
            lambda items: {"type": "array", "prefixItems": items}, st.lists(inner, min_size=1)
        ),
        st.builds(lambda members: {"anyOf": members}, st.lists(inner, min_size=1, max_size=3)),
    ),
    max_leaves=6,
)
ROOTS = objects(SCHEMAS).map(lambda schema: {**schema, "$defs": DEFINITIONS})
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-100, 100) | TEXTS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=3)
    ),
    max_leaves=10,
)
OBJECTS = st.dictionaries(st.sampled_from(NAMES), JSON, max_size=3)


def places(value, path=()):
    yield path
    if isinstance(value, dict | list):
        steps = value.items() if isinstance(value, dict) else enumerate(value)
        for step, inner in steps:
            yield from places(inner, (*path, step))


def changes(old, new, path=()):
    if isinstance(old, dict) and isinstance(new, dict) and new.keys() <= old.keys():
        for key, inner in old.items():
            if key in new:
                yield from changes(inner, new[key], (*path, key))
            else:
                yield (*path, key)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for index, (one, other) in enumerate(zip(old, new)):
            yield from changes(one, other, (*path, index))
    elif json.dumps(old) != json.dumps(new):
        yield path


def leads_to(path, place):
    """Whether the place is under the path, or under what remains of it without some labels."""
    steps = iter(path)
    length = sum(1 for step in place if step in steps)
    return any(
        (not end and not path) or (end and path and end[-1] == path[-1])
        for end in (place[:size] for size in range(length + 1))
    )


@given(st.data(), ROOTS, OBJECTS)
def test_only_named_places_change(data, schema, raw):
    """Whatever data and schema are, only named places change, the result is JSON, raw is kept."""
    paths = data.draw(st.lists(st.sampled_from(list(places(raw))), max_size=3))
    before = copy.deepcopy(raw)
    result = mend(raw, schema=schema, paths=paths, wrappers=False)
    assert before == raw
    if result is not None:
        json.dumps(result.arguments, allow_nan=False)
        assert result.repairs
        for place in changes(raw, result.arguments):
            assert any(leads_to(path, place) for path in paths)


@given(JSON, ROOTS, st.lists(st.lists(st.sampled_from([*NAMES, 0, 1, "int", "[key]"])).map(tuple)))
def test_no_path_makes_it_raise(raw, schema, paths):
    """Any JSON with any path gives arguments or nothing."""
    result = mend(raw, schema=schema, paths=paths, wrappers=True)
    assert result is None or isinstance(result.arguments, dict)


class Plain(BaseModel):
    """Parameters of every kind whose faults can be seen through at a glance, and others."""

    model_config = ConfigDict(extra="forbid")
    count: int
    share: float = 0
    flag: bool = False
    word: str = ""
    maybe: int | None = None
    color: Color = Color.RED
    level: Literal[0, 75] = 0
    names: list[str] = []
    point: Point | None = None
    anything: Any = None


PLAIN = Plain.model_json_schema()
SLIPS = st.sampled_from(
    [
        None,
        True,
        7,
        1.5,
        "",
        "many",
        " 7",
        "[1]",
        "{}",
        "null",
        "75",
        "RED",
        "red",
        "x",
        [],
        {},
        [1],
    ]
)


@given(st.dictionaries(st.sampled_from([*Plain.model_fields, "other", "input"]), SLIPS), st.data())
def test_what_is_hopeless_at_a_glance_is_hopeless(raw, data):
    """Faults that are seen through at a glance are those of which nothing can be mended."""
    if data.draw(st.booleans()):
        raw = {"input": raw}
    try:
        Plain.model_validate_json(json.dumps(raw))
    except ValidationError as error:
        details = error.errors(include_url=False)
        if is_hopeless(details, texts_stay(PLAIN)):
            paths = [each["loc"] for each in details]
            assert mend(raw, schema=PLAIN, paths=paths, wrappers=True) is None


@pytest.mark.parametrize(
    ("raw", "hopeless"),
    [
        ({}, True),
        ({"count": "many"}, True),
        ({"count": 1, "other": 5}, True),
        ({"count": 1, "other": "x"}, False),
        ({"count": "[1"}, False),
        ({"count": 1, "level": "75"}, False),
        ({"count": None}, False),
        ([], False),
    ],
)
def test_the_usual_faults_are_seen_through_at_a_glance(raw, hopeless):
    """A missing argument and plain values of a wrong type are; what looks like a slip is not."""
    with pytest.raises(ValidationError) as caught:
        Plain.model_validate_json(json.dumps(raw))
    assert hopeless == is_hopeless(caught.value.errors(include_url=False), texts_stay(PLAIN))


@given(ROOTS, OBJECTS)
def test_what_the_schema_allows_is_not_touched(schema, raw):
    """Data that its schema allows stays, even if every place of it is named."""
    if jsonschema.Draft202012Validator(schema).is_valid(raw):
        assert mend(raw, schema=schema, paths=[()], wrappers=False) is None


class Everything(BaseModel):
    model_config = ConfigDict(extra="forbid")
    node: Node
    shapes: list[Shape] = []
    points: dict[str, Point] = {}
    options: Options = {"a": 1}
    color: Color = Color.RED
    level: Literal[0, 75] = 0


SCHEMA = Everything.model_json_schema()


def resolved(schema):
    return SCHEMA["$defs"][schema["$ref"].split("/")[-1]] if "$ref" in schema else schema


def slipped(value, schema, draw):
    """Make a slip of every kind that fits, where chance has it."""
    schema = resolved(schema)
    if "anyOf" in schema:
        schema = resolved(schema["anyOf"][0])
    if "oneOf" in schema:
        (schema,) = (
            member
            for member in map(resolved, schema["oneOf"])
            if member["properties"]["kind"]["const"] == value["kind"]
        )
    if isinstance(value, dict):
        inner = schema.get("properties", {})
        made = {
            key: slipped(each, inner.get(key, schema.get("additionalProperties")), draw)
            for key, each in value.items()
        }
        for key in inner.keys() - value.keys():
            if draw(st.booleans()) and {"type": "null"} not in inner[key].get("anyOf", ()):
                made[key] = None
        value = made
    elif isinstance(value, list):
        value = [slipped(each, schema["items"], draw) for each in value]
    elif isinstance(value, str) and ("enum" in schema or "const" in schema):
        return value.upper() if draw(st.booleans()) else value
    elif "enum" in schema:
        return str(value) if draw(st.booleans()) else value
    if isinstance(value, dict | list) and draw(st.integers(0, 3)) == 0:
        return json.dumps(value)
    return value


def some(required, **optional):
    return st.fixed_dictionaries(required, optional=optional)


INTEGERS = st.integers(-9, 9)
WORDS = st.sampled_from(["", "a", "[1]", "null"])
POINTS = some({"x": INTEGERS}, n=INTEGERS, tags=st.lists(WORDS, max_size=2))
CIRCLES = some({"kind": st.just("circle"), "radius": INTEGERS}, width=INTEGERS)
LINES = some({"kind": st.just("line")}, end=st.none() | POINTS)
NODES = st.recursive(
    some({"v": INTEGERS}, n=INTEGERS),
    lambda inner: some({"v": INTEGERS}, n=INTEGERS, kids=st.lists(inner, max_size=2)),
    max_leaves=4,
)
EVERYTHING = some(
    {"node": NODES},
    shapes=st.lists(CIRCLES | LINES, max_size=3),
    points=st.dictionaries(st.sampled_from(["x", "n", "circle"]), POINTS, max_size=2),
    options=some({"a": INTEGERS}, b=WORDS, c=st.none() | WORDS),
    color=st.sampled_from(["red", "blue"]),
    level=st.sampled_from([0, 75]),
)


@given(st.data(), EVERYTHING)
def test_slips_of_every_kind_are_mended_together(data, arguments):
    """Arguments with slips of all kinds at any depth come back as they were meant."""
    raw = slipped(arguments, SCHEMA, data.draw)
    try:
        Everything.model_validate_json(json.dumps(raw))
    except ValidationError as error:
        paths = [each["loc"] for each in error.errors(include_url=False)]
        result = mend(raw, schema=SCHEMA, paths=paths, wrappers=False)
        assert arguments == result.arguments
