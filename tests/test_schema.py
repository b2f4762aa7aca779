"""JSON Schemas become what providers take, and nothing that a tool can do is lost."""

import datetime as dt
import enum
import ipaddress
import json
from copy import deepcopy
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, Optional, Union
from uuid import UUID

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import (
    AnyUrl,
    BaseModel,
    ConfigDict,
    Field,
    Json,
    PositiveInt,
    create_model,
)
from typing_extensions import NotRequired, TypeAliasType, TypedDict

from tests.strict_rules import root_violations, violations
from toolreg._schema import (
    check_local_refs,
    count_optional,
    count_unions,
    gemini,
    inline_refs,
    object_root,
    ollama,
    strict,
    typed,
)

DIALECTS = ("openai", "anthropic", "bedrock")
CONVERSIONS = {
    "gemini": gemini,
    "ollama": ollama,
    "inline_refs": inline_refs,
    "object_root": object_root,
    "typed": typed,
    "openai": lambda schema: strict(schema, "openai")[0],
    "anthropic": lambda schema: strict(schema, "anthropic")[0],
    "bedrock": lambda schema: strict(schema, "bedrock")[0],
}


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Inner(BaseModel):
    """An inner thing."""

    y: int
    note: str = "none"


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int = 9


class Dog(BaseModel):
    kind: Literal["dog"]
    inner: Optional[Inner] = None


class Node(BaseModel):
    v: int
    kids: list["Node"] = []


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")
    a: int


class Pair(NamedTuple):
    a: int
    b: str


class Partial(TypedDict):
    a: NotRequired[int]
    b: str


class Unsure(TypedDict):
    b: NotRequired[Optional[str]]


Nest = TypeAliasType("Nest", "list[Nest] | int")
Pet = Annotated[Union[Cat, Dog], Field(discriminator="kind")]

CLOSED_TYPES = [
    int,
    str,
    float,
    bool,
    type(None),
    Literal["a"],
    Literal["a", "b"],
    Literal[1, "a", None],
    Literal[True],
    Color,
    Level,
    Optional[Color],
    Optional[int],
    int | str | None,
    list[int],
    list[list[Inner]],
    set[int],
    frozenset[str],
    tuple[int, ...],
    Inner,
    Optional[Inner],
    list[Inner],
    Union[Cat, Dog],
    Pet,
    Optional[Pet],
    Partial,
    dt.date,
    dt.datetime,
    dt.time,
    dt.timedelta,
    UUID,
    Decimal,
    Annotated[Decimal, Field(max_digits=5, decimal_places=2)],
    bytes,
    Path,
    ipaddress.IPv4Address,
    ipaddress.IPv6Address,
    ipaddress.IPv4Network,
    AnyUrl,
    Json[Inner],
    PositiveInt,
    Annotated[str, Field(min_length=2, max_length=3, pattern="^a+$")],
    Annotated[Optional[int], Field(gt=0, multiple_of=5)],
    Annotated[int | str, Field(gt=0)],
    Annotated[list[int], Field(min_length=2, max_length=5)],
]
OPEN_TYPES = [
    dict,
    dict[str, int],
    dict[Literal["a"], int],
    Any,
    object,
    list,
    list[Any],
    Optional[list[Any]],
    list[dict[str, int]],
    tuple,
    tuple[int, str],
    Pair,
    Open,
    set,
]


def parameters(annotation, **field):
    model = create_model("A", x=(annotation, ...), y=(annotation, Field(None, **field)))
    return model.model_json_schema()


def tool(**fields):
    return create_model("A", **fields).model_json_schema()


def closed(properties, required=(), **more):
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
        **more,
    }


def x(**node):
    return closed({"x": node}, ["x"])


def bomb(levels=30):
    """Return a schema of models each referring twice to the next."""
    ref = {n: {"$ref": f"#/$defs/M{n}"} for n in range(levels + 1)}
    defs = {
        f"M{n}": {"type": "object", "properties": {"a": ref[n + 1], "b": ref[n + 1]}}
        for n in range(levels)
    }
    defs[f"M{levels}"] = {"type": "object", "properties": {"z": {"type": "integer"}}}
    return {"type": "object", "properties": {"x": ref[0], "y": ref[levels]}, "$defs": defs}


def doubling(levels=30):
    """Return a schema whose branches each hold all of the next level."""
    node = {"type": "null"}
    for _ in range(levels):
        one = {"properties": {"a": node}, "type": "object"}
        node = {**one, "anyOf": [{"required": ["a"]}, {"minProperties": 0}]}
    return node


class TestCheckLocalRefs:
    @pytest.mark.parametrize(
        "schema",
        [
            {},
            {"properties": {"a": {"$ref": "#"}}},
            {"properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": {}}},
            {"properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": True}},
            {"properties": {"a": {"$ref": "#/definitions/A~1B%20C"}}, "definitions": {"A/B C": {}}},
            {"properties": {"a": {"$ref": "#named"}}, "$defs": {"A": {"$anchor": "named"}}},
            {"anyOf": [{"type": "null"}, {"$ref": "#/anyOf/0"}]},
            {"properties": {"$ref": {"type": "string"}}},
            {"properties": {"a": {"const": {"$ref": "http://example.com"}}}},
            {"properties": {"a": {"default": {"$ref": "file:///etc/passwd"}}}},
        ],
    )
    def test_local_references_are_no_fault(self, schema):
        """References within the document are fine; what is no schema is no reference."""
        assert () == check_local_refs(schema)

    @pytest.mark.parametrize(
        ("schema", "fault"),
        [
            (
                {"$ref": "http://169.254.169.254/"},
                "#: reference 'http://169.254.169.254/' is not local",
            ),
            (
                {"properties": {"f": {"$ref": "file:///etc/passwd"}}},
                "#/properties/f: reference 'file:///etc/passwd' is not local",
            ),
            (
                {"items": [{"$dynamicRef": "other.json#a"}]},
                "#/items/0: reference 'other.json#a' is not local",
            ),
            (
                {"anyOf": [{"$ref": "#/$defs/A"}]},
                "#/anyOf/0: reference '#/$defs/A' does not resolve",
            ),
            ({"not": {"$ref": "#nowhere"}}, "#/not: reference '#nowhere' does not resolve"),
            (
                {"not": {"$ref": "#/anyOf/7"}, "anyOf": []},
                "#/not: reference '#/anyOf/7' does not resolve",
            ),
            (
                {"title": "t", "not": {"$ref": "#/title"}},
                "#/not: reference '#/title' does not resolve",
            ),
            ({"not": {"$ref": 3}}, "#/not: a reference must be text"),
            ({"$ref": "#"}, "#: reference '#' leads back to itself"),
            (
                {"$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}},
                "#/$defs/A: reference '#/$defs/B' leads back to itself",
            ),
            (
                {"x-more": {"A": {"$ref": "http://a.b"}}, "not": {"$ref": "#/x-more/A"}},
                "#/x-more/A: reference 'http://a.b' is not local",
            ),
        ],
    )
    def test_other_references_are_named_with_their_place(self, schema, fault):
        """What leaves the document, leads nowhere or round in circles is said."""
        assert fault in check_local_refs(schema)

    def test_bottomless_schemas_are_faults(self):
        """Nesting without end is reported, not followed."""
        schema = {}
        for _ in range(5000):
            schema = {"items": schema}
        assert ("#: nests more than 128 steps deep",) == check_local_refs(schema)


class TestInlineRefs:
    def test_definitions_move_to_where_they_are_meant(self):
        """A nested model stands where it is referred to, in every place."""
        plain = inline_refs(tool(task=(Inner, ...), more=(list[Inner], [])))
        assert "integer" == plain["properties"]["task"]["properties"]["y"]["type"]
        assert ["y"] == plain["properties"]["more"]["items"]["required"]
        assert "$ref" not in json.dumps(plain)
        assert "$defs" not in json.dumps(plain)

    def test_recursion_is_shown_one_level_deep(self):
        """A tree's children are plain objects."""
        plain = inline_refs(tool(n=(Node, ...)))
        kids = plain["properties"]["n"]["properties"]["kids"]
        assert {"type": "object", "description": "Again the shape of Node."} == kids["items"]

    def test_recursion_at_the_root_is_cut(self):
        """A reference to the whole document stands for a plain object."""
        plain = inline_refs({"type": "object", "properties": {"a": {"$ref": "#"}}})
        again = "Again the shape of the whole object."
        assert {"type": "object", "description": again} == plain["properties"]["a"]

    @pytest.mark.parametrize(
        ("definition", "expected"),
        [
            ({"properties": {"a": {"$ref": "#/$defs/A"}}}, {"type": "object"}),
            ({"type": "array", "items": {"$ref": "#/$defs/A"}}, {"type": "array", "items": {}}),
            ({"anyOf": [{"type": "null"}, {"items": {"$ref": "#/$defs/A"}}]}, {}),
        ],
    )
    def test_what_is_cut_is_as_wide_as_it_was(self, definition, expected):
        """A recursive list becomes a list of anything, a recursive union anything."""
        plain = inline_refs(
            {"properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": definition}}
        )
        cut = json.dumps({**expected, "description": "Again the shape of A."}, sort_keys=True)
        assert cut in json.dumps(plain, sort_keys=True)

    def test_annotations_beside_a_reference_win(self):
        """The description of a parameter stands before that of its type."""
        plain = inline_refs(tool(i=(Inner, Field(Inner(y=1), description="Mine."))))
        assert "Mine." == plain["properties"]["i"]["description"]
        assert {"y": 1, "note": "none"} == plain["properties"]["i"]["default"]

    def test_restrictions_beside_a_reference_hold_as_well(self):
        """A keyword beside a reference never replaces one of its target."""
        schema = x(**{"$ref": "#/$defs/A", "minimum": 3}) | {"$defs": {"A": {"minimum": 5}}}
        assert {"allOf": [{"minimum": 5}], "minimum": 3} == inline_refs(schema)["properties"]["x"]

    @pytest.mark.parametrize(
        ("reference", "expected"),
        [("#/$defs/No", {}), ("#/$defs/Yes", {}), ("#/$defs/Never", {"not": {}}), (3, {})],
    )
    def test_odd_references_leave_what_they_admit(self, reference, expected):
        """Boolean definitions and references that lead nowhere end as simple schemas."""
        schema = x(**{"$ref": reference}) | {"$defs": {"Yes": True, "Never": False}}
        assert expected == inline_refs(schema)["properties"]["x"]

    def test_properties_may_be_called_like_keywords(self):
        """Only what the specification makes a keyword is read as one."""
        schema = closed(
            {"$defs": {"type": "string"}, "$ref": {"type": "string"}, "properties": {"items": {}}}
        )
        assert schema == inline_refs(schema)

    def test_fan_out_is_bounded_and_cut_alike(self):
        """Thirty models each naming the next twice stay small; other parameters stay whole."""
        plain = inline_refs(bomb())
        assert len(json.dumps(plain)) < 2_000_000
        assert "integer" == plain["properties"]["y"]["properties"]["z"]["type"]

    def test_a_document_of_many_references_ends(self):
        """Where even one level is too much, references become plain objects at once."""
        wide = {"type": "object", "properties": {f"p{n}": {"type": "null"} for n in range(300)}}
        refs = {f"r{n}": {"$ref": "#/$defs/W"} for n in range(300)}
        plain = inline_refs({"type": "object", "properties": refs, "$defs": {"W": wide}})
        assert {"type": "object", "description": "Again the shape of W."} == plain["properties"][
            "r7"
        ]


class TestObjectRoot:
    def test_plain_object_stays(self):
        """A schema that has the form already is returned equal."""
        assert closed({"a": {}}) == object_root(closed({"a": {}}))

    def test_properties_are_always_there(self):
        """A tool without parameters has empty properties."""
        assert {"type": "object", "properties": {}} == object_root({})

    def test_recursive_model_is_copied_onto_the_root(self):
        """A model that refers to itself has its object at the root and keeps its definitions."""
        made = object_root(Node.model_json_schema())
        assert "object" == made["type"]
        assert {"v", "kids"} == set(made["properties"])
        assert {"Node"} == set(made["$defs"])
        assert "$ref" not in made

    @pytest.mark.parametrize("key", ["anyOf", "oneOf"])
    def test_alternatives_are_merged(self, key):
        """All properties of all branches; required is what every branch requires."""
        first = {"properties": {"a": {}, "c": {"type": "string"}}, "required": ["c", "a"]}
        second = {"properties": {"b": {}, "c": {"type": "string"}}, "required": ["b", "c"]}
        made = object_root({key: [first, second], "properties": {"z": {}}, "required": ["z"]})
        assert {"a", "b", "c", "z"} == set(made["properties"])
        assert ["z", "c"] == made["required"]
        assert {"type": "string"} == made["properties"]["c"]
        assert "Needs c and a, or b and c." == made["description"]
        assert [] == root_violations(made)

    def test_parts_are_merged(self):
        """With allOf, what any part requires is required."""
        first = {"properties": {"a": {"type": "integer"}}, "required": ["a"]}
        second = {
            "properties": {"a": {"minimum": 1}, "b": {}},
            "required": ["b"],
            "minProperties": 1,
        }
        made = object_root({"allOf": [first, {"$ref": "#/$defs/S"}, True], "$defs": {"S": second}})
        assert ["a", "b"] == made["required"]
        assert {"allOf": [{"type": "integer"}, {"minimum": 1}]} == made["properties"]["a"]
        assert 1 == made["minProperties"]

    def test_differing_properties_of_alternatives_become_a_union(self):
        """One property, three types in three branches: any of them will do."""
        branches = [{"properties": {"a": {"type": kind}}} for kind in ("null", "string", "null")]
        more = {"properties": {"a": {"type": "boolean"}}}
        made = object_root({"anyOf": [*branches, more]})
        union = [{"type": "null"}, {"type": "string"}, {"type": "boolean"}]
        assert {"anyOf": union} == made["properties"]["a"]

    def test_the_root_is_closed_where_unlisted_names_are_refused(self):
        """It says so itself; a schema that speaks of further names is left as it is."""
        known = {"properties": {"a": {}}}
        assert object_root(known, closed=True)["additionalProperties"] is False
        assert "additionalProperties" not in object_root(known)
        for more in ({"additionalProperties": {}}, {"patternProperties": {"^x": {}}}):
            assert more.items() <= object_root({**known, **more}, closed=True).items()

    def test_names_in_conditions_keep_the_root_open(self):
        """A condition may list names that the root does not."""
        for then in ({"then": {"properties": {"b": {}}}}, {"dependentSchemas": {"a": {}}}):
            whole = {"anyOf": [{"properties": {"a": {}}, "if": {"required": ["a"]}, **then}]}
            assert "additionalProperties" not in object_root(whole, closed=True)

    def test_only_closed_branches_close_the_root(self):
        """The root is closed if every branch is."""
        assert object_root({"anyOf": [closed({}), closed({})]})["additionalProperties"] is False
        assert "additionalProperties" not in object_root({"anyOf": [closed({}), {}]})

    def test_branches_that_are_no_objects_are_left_out(self):
        """Arguments are an object, so null and text are no alternatives."""
        one = {"type": ["object", "null"], "properties": {"a": {}}}
        made = object_root({"oneOf": [{"type": "null"}, one, {"type": "string"}]})
        assert {"a"} == set(made["properties"])
        assert {} == object_root({"anyOf": [{"type": "null"}]})["properties"]

    def test_a_root_that_refers_to_itself_ends(self):
        """A reference in a circle at the root leaves an empty object."""
        made = object_root({"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/A"}}})
        assert ("object", {}) == (made["type"], made["properties"])

    def test_what_has_no_common_form_is_left_to_validation(self):
        """Two patterns at once cannot be merged, and no allOf stays at the root."""
        parts = [{"patternProperties": {"a": {}}}, {"patternProperties": {"b": {}}}]
        made = object_root({"allOf": parts, "not": {}, "enum": [{}], "const": {}})
        assert [] == root_violations(made)


class TestStrict:
    @pytest.mark.parametrize("dialect", DIALECTS)
    @pytest.mark.parametrize("annotation", CLOSED_TYPES, ids=str)
    def test_closed_types_are_due_strict(self, annotation, dialect):
        """What has a type all the way down converts without faults and breaks no rule."""
        converted, faults = strict(parameters(annotation, description="Text."), dialect)
        assert () == faults
        assert [] == violations(converted, dialect)

    @pytest.mark.parametrize("dialect", DIALECTS)
    @pytest.mark.parametrize("annotation", OPEN_TYPES, ids=str)
    def test_open_types_are_faults(self, annotation, dialect):
        """Open dictionaries, any values and mixed tuples cannot be said in a strict schema."""
        _, faults = strict(parameters(annotation), dialect)
        assert any(fault.startswith("x") for fault in faults)

    def test_openai_requires_all_and_makes_the_optional_nullable(self):
        """A defaulted parameter is required and may be null; its default is said."""
        schema = tool(q=(str, ...), n=(int, 5), o=(Optional[str], None), k=(Literal["a", "b"], "a"))
        converted, faults = strict(schema, "openai")
        null = {"type": "null"}
        assert () == faults
        assert ["q", "n", "o", "k"] == converted["required"]
        assert {
            "title": "N",
            "description": "Default: 5.",
            "anyOf": [{"type": "integer"}, null],
        } == converted["properties"]["n"]
        assert [{"type": "string"}, null] == converted["properties"]["o"]["anyOf"]
        assert [{"type": "string", "enum": ["a", "b"]}, null] == converted["properties"]["k"][
            "anyOf"
        ]

    def test_an_optional_union_has_null_once_more(self):
        """An optional union gets one further branch, no union of unions."""
        converted, _ = strict(tool(u=(int | str, 1)), "openai")
        assert ["integer", "string", "null"] == [
            branch["type"] for branch in converted["properties"]["u"]["anyOf"]
        ]

    def test_anthropic_leaves_the_optional_optional(self):
        """Only OpenAI needs every property required."""
        converted, faults = strict(tool(q=(str, ...), n=(int, 5)), "anthropic")
        expected = {"title": "N", "type": "integer", "description": "Default: 5."}
        assert (["q"], ()) == (converted["required"], faults)
        assert expected == converted["properties"]["n"]

    def test_every_object_is_closed(self):
        """At every depth and inside definitions."""
        converted, _ = strict(tool(name=(str, ...), inner=(Inner, ...)), "openai")
        assert 2 == json.dumps(converted).count('"additionalProperties": false')

    def test_union_tags_become_a_plain_union(self):
        """A discriminated union is anyOf; the discriminator itself is dropped."""
        converted, _ = strict(tool(pet=(Pet, ...)), "openai")
        refs = [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}]
        assert refs == converted["properties"]["pet"]["anyOf"]
        assert "discriminator" not in json.dumps(converted)

    @pytest.mark.parametrize("dialect", DIALECTS)
    def test_a_description_beside_a_reference_stays(self, dialect):
        """A reference may have no siblings, so what is said of it stands around it."""
        field = Field(Inner(y=1), description="Mine.")
        schema = tool(i=(Inner, field), j=(Inner, ...), c=(Color, Color.RED))
        converted, _ = strict(schema, dialect)
        assert {"$ref": "#/$defs/Inner"} in converted["properties"]["i"]["anyOf"]
        assert converted["properties"]["i"]["description"].startswith("Mine. Default: {")
        assert 'Default: "red".' == converted["properties"]["c"]["description"]

    def test_unions_are_spared_where_they_are_counted(self):
        """What is described and referred to once is put in its place, without a union around."""
        schema = tool(dog=(Dog, Field(description="The dog.")))
        converted, _ = strict(schema, "anthropic")
        assert "The dog." == converted["properties"]["dog"]["description"]
        assert 1 == count_unions(converted)
        assert 3 == count_unions(strict(schema, "openai")[0])

    def test_the_same_schema_is_written_the_same_way(self):
        """The order of keys follows the input, so that a prompt can be cached."""
        node = {"title": "T", "type": ["string", "null"], "examples": ["a"], "default": "a"}
        assert ["title", "description", "anyOf"] == list(
            strict(x(**node), "openai")[0]["properties"]["x"]
        )

    def test_lossless_keywords_stay_and_others_are_said(self):
        """What a mode does not know is in the description."""
        text = Annotated[str, Field(min_length=2, pattern="^a")]
        schema = tool(t=(text, ...), n=(Annotated[int, Field(ge=1)], ...), s=(set[int], ...))
        kept, _ = strict(schema, "openai")
        said, _ = strict(schema, "anthropic")
        assert "^a" == kept["properties"]["t"]["pattern"]
        assert "Minimum length: 2." == kept["properties"]["t"]["description"]
        assert 1 == kept["properties"]["n"]["minimum"]
        assert "No item twice." == kept["properties"]["s"]["description"]
        assert "Minimum: 1." == said["properties"]["n"]["description"]
        assert 2 == strict(schema, "bedrock")[0]["properties"]["t"]["minLength"]

    @pytest.mark.parametrize(
        ("pattern", "kept"),
        [
            (r"^[a-z]+$", True),
            (r"^(?:a|b)\.\d\(?$", True),
            (r"^\(?!$", True),
            (r"^\\b$", True),
            (r"^(?!a)", False),
            (r"(?<=a)b", False),
            (r"(?P<n>a)", False),
            (r"(?i)a", False),
            (r"(a)\1", False),
            (r"\bword\b", False),
            (r"\Aa\Z", False),
        ],
    )
    def test_patterns_without_a_grammar_are_said(self, pattern, kept):
        """Lookaround, backreferences and word boundaries leave the schema, not the text."""
        node = strict(x(type="string", pattern=pattern), "openai")[0]["properties"]["x"]
        assert kept == (node.get("pattern") == pattern)
        assert kept != (node.get("description") == f"Pattern: {pattern}.")

    @pytest.mark.parametrize(
        ("value", "dialect", "kept"),
        [
            ("uri", "openai", False),
            ("uri", "anthropic", True),
            ("date", "openai", True),
            ("path", "bedrock", False),
        ],
    )
    def test_formats_outside_the_list_are_said(self, value, dialect, kept):
        """Each mode has its list of formats."""
        node = strict(x(type="string", format=value), dialect)[0]["properties"]["x"]
        assert (value if kept else None) == node.get("format")
        assert (None if kept else f"Format: {value}.") == node.get("description")

    @pytest.mark.parametrize(("least", "kept"), [(0, True), (1, True), (2, False)])
    def test_anthropic_knows_only_empty_and_not_empty(self, least, kept):
        """Other lengths of lists are said."""
        schema = x(type="array", items={"type": "null"}, minItems=least)
        assert kept == ("minItems" in strict(schema, "anthropic")[0]["properties"]["x"])
        assert "minItems" in strict(schema, "openai")[0]["properties"]["x"]

    def test_tuples_of_one_type_are_lists_where_lengths_can_be_said(self):
        """A pair of integers is a list of two at OpenAI, and a fault at Anthropic."""
        schema = tool(p=(tuple[int, int], ...))
        converted, faults = strict(schema, "openai")
        expected = {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2}
        assert () == faults
        assert expected == {k: v for k, v in converted["properties"]["p"].items() if k != "title"}
        assert ("p: is a tuple, a strict array has items of one type",) == strict(
            schema, "anthropic"
        )[1]

    def test_recursion_is_for_openai_alone(self):
        """A tree keeps its reference at OpenAI and is a fault elsewhere."""
        converted, faults = strict(tool(n=(Node, ...), t=(Nest, 1)), "openai")
        assert () == faults
        assert [] == violations(converted, "openai")
        _, faults = strict(tool(n=(Node, ...)), "anthropic")
        assert ("n.kids[]: refers back to what it is inside of, which is not supported",) == faults

    def test_recursion_to_the_root_stays_a_reference_to_it(self):
        """``#`` is a target that OpenAI knows."""
        schema = closed({"next": {"$ref": "#"}}, ["next"])
        assert (schema, ()) == strict(schema, "openai")
        assert strict(schema, "bedrock")[1]

    def test_recursive_root_converts(self):
        """A recursive model as the arguments themselves has an object at its root."""
        converted, faults = strict(Node.model_json_schema(), "openai")
        assert ((), []) == (faults, violations(converted, "openai"))

    @pytest.mark.parametrize(
        ("node", "reason"),
        [
            ({}, "has no type, any value would do"),
            ({"not": {"const": 1}}, "has no type, any value would do"),
            ({"type": "text"}, "no value satisfies it"),
            ({"type": "integer", "const": "a"}, "no value satisfies it"),
            ({"anyOf": []}, "no value satisfies it"),
            ({"anyOf": [False]}, "no value satisfies it"),
            ({"type": "array"}, None),
            ({"type": "array", "items": True}, None),
            ({"type": "object"}, "takes any names, a strict object has only those that it lists"),
            (
                {"properties": {}, "additionalProperties": {"type": "string"}},
                "takes any names, a strict object has only those that it lists",
            ),
            (
                {"properties": {}, "unevaluatedProperties": True},
                "takes any names, a strict object has only those that it lists",
            ),
            (
                closed({}, patternProperties={"^a": {}}),
                "takes any names, a strict object has only those that it lists",
            ),
            (closed({}, ["a"]), "requires 'a', which is not among its properties"),
            ({"enum": [[1]]}, "lists arrays or objects as its values, only scalars can be listed"),
            ({"type": "string", "if": {}, "then": {}}, "'if' cannot be said in a strict schema"),
            ({"$dynamicRef": "#a"}, "'$dynamicRef' cannot be said in a strict schema"),
            ({"$ref": "#/$defs/No"}, "reference '#/$defs/No' does not resolve inside the schema"),
            (
                {
                    "allOf": [
                        closed({}, patternProperties={"a": {}}),
                        {"patternProperties": {"b": {}}},
                    ]
                },
                "its parts disagree on 'patternProperties'",
            ),
        ],
    )
    def test_faults_say_where_and_why(self, node, reason):
        """A fault is the path of the parameter and the reason."""
        for dialect in DIALECTS:
            _, faults = strict(x(**node), dialect)
            expected = "x[]: has no type, any value would do" if reason is None else f"x: {reason}"
            assert expected in faults

    def test_paths_lead_through_objects_lists_and_unions(self):
        """The path names the place inside the arguments, not inside the schema."""
        inner = {"anyOf": [closed({"b": {"type": "array", "items": {}}}), {"type": "null"}]}
        _, faults = strict(closed({"a": {"type": "array", "items": inner}}, ["a"]), "anthropic")
        assert ("a[].b[]: has no type, any value would do",) == faults

    def test_further_arguments_are_a_fault_of_all(self):
        """A function with ``**kwargs`` takes any names."""
        _, faults = strict({**closed({}), "additionalProperties": True}, "openai")
        reason = "takes any names, a strict object has only those that it lists"
        assert (f"(all arguments): {reason}",) == faults

    def test_leaving_out_what_may_be_null_is_a_fault_at_openai(self):
        """Null and nothing cannot both be said where every property is required."""
        schema = tool(u=(Unsure, ...))
        reason = "may be null or left out, a strict object cannot leave it out"
        assert (f"u.b: {reason}",) == strict(schema, "openai")[1]
        assert () == strict(schema, "anthropic")[1]

    def test_parts_are_merged(self):
        """allOf is no keyword of a strict mode; what it says is one object."""
        part = {"properties": {"a": {"type": "integer", "minimum": 1}}, "required": ["a"]}
        more = {"properties": {"a": {"type": "number", "minimum": 2}, "b": {"type": "string"}}}
        schema = x(allOf=[{"$ref": "#/$defs/P"}, more], description="Both.") | {
            "$defs": {"P": part}
        }
        converted, faults = strict(schema, "openai")
        node = converted["properties"]["x"]
        assert ((), []) == (faults, violations(converted, "openai"))
        assert ("Both.", {"type": "integer", "minimum": 2}) == (
            node["description"],
            node["properties"]["a"],
        )

    @pytest.mark.parametrize(
        ("first", "second", "expected"),
        [
            ({"enum": ["a", "b"]}, {"enum": ["b", "c"]}, {"type": "string", "enum": ["b"]}),
            ({"title": "A", "type": "null"}, {"title": "B"}, {"title": "A", "type": "null"}),
            ({"type": "number"}, {"type": ["integer", "null"]}, {"type": "integer"}),
            ({"type": "integer", "maximum": 3}, {"maximum": 2}, {"type": "integer", "maximum": 2}),
            (closed({}), {"additionalProperties": {"type": "null"}}, closed({})),
            (
                {"items": {"type": "string"}},
                {"items": {"pattern": "^a"}},
                {"type": "array", "items": {"type": "string", "pattern": "^a"}},
            ),
        ],
    )
    def test_two_parts_are_one(self, first, second, expected):
        """What both parts say is narrowed to what satisfies both."""
        converted, faults = strict(x(allOf=[first, second]), "openai")
        assert ((), expected) == (faults, converted["properties"]["x"])

    @pytest.mark.parametrize(
        ("first", "second", "reason"),
        [
            ({"type": "string"}, {"type": "null"}, "no value satisfies it"),
            ({"type": "string"}, False, "no value satisfies it"),
            (
                {"properties": {}, "additionalProperties": {"type": "null"}},
                {"additionalProperties": {"type": "string"}},
                "takes any names, a strict object has only those that it lists",
            ),
        ],
    )
    def test_parts_that_contradict_are_faults(self, first, second, reason):
        """Where no value is left, nothing can be sent."""
        assert (f"x: {reason}",) == strict(x(allOf=[first, second]), "anthropic")[1]

    def test_restrictions_that_cannot_be_merged_are_said(self):
        """A second pattern is in the description."""
        schema = x(type="string", allOf=[{"pattern": "^a"}, {"pattern": "b$"}])
        converted, faults = strict(schema, "openai")
        node = {"type": "string", "pattern": "^a", "description": "Pattern: b$."}
        assert ((), node) == (faults, converted["properties"]["x"])

    def test_structure_beside_a_union_goes_into_its_branches(self):
        """An object with alternatives becomes alternative objects."""
        choice = {"anyOf": [{"required": ["a"]}, {"required": ["b"]}], "description": "One."}
        schema = x(
            type="object", properties={"a": {"type": "null"}, "b": {"type": "null"}}, **choice
        )
        converted, faults = strict(schema, "anthropic")
        branches = converted["properties"]["x"]["anyOf"]
        assert ((), []) == (faults, violations(converted, "anthropic"))
        assert [["a"], ["b"]] == [branch["required"] for branch in branches]

    def test_two_unions_at_once_multiply(self):
        """anyOf and oneOf side by side become one union of their combinations."""
        kinds = [{"type": "string"}, {"type": "integer"}]
        schema = x(anyOf=kinds, oneOf=[{"const": "a"}, {"const": 1}])
        converted, _ = strict(schema, "anthropic")
        assert '"const": "a"' in json.dumps(converted)

    @pytest.mark.parametrize(
        ("node", "expected"),
        [
            ({"const": "a"}, {"type": "string", "const": "a"}),
            ({"const": None}, {"type": "null"}),
            ({"enum": [1, 1.5]}, {"type": "number", "enum": [1, 1.5]}),
            ({"enum": [2.0]}, {"type": "integer", "enum": [2.0]}),
            ({"enum": ["a", 3], "type": "string"}, {"type": "string", "enum": ["a"]}),
            ({"type": ["integer", "number"]}, {"type": "number"}),
            (
                {"type": ["string", "null"], "pattern": "^a", "minimum": 3, "title": "T"},
                {"title": "T", "anyOf": [{"type": "string", "pattern": "^a"}, {"type": "null"}]},
            ),
            ({"items": [{"type": "null"}], "minItems": 1, "maxItems": 1}, None),
            ({"prefixItems": [{"type": "null"}], "minItems": 1, "maxItems": 1}, None),
            ({"items": {"type": "null"}}, {"type": "array", "items": {"type": "null"}}),
            ({"allOf": [{"type": "string"}, True]}, {"type": "string"}),
            ({"type": "string", "title": "T", "minimum": 1}, {"title": "T", "type": "string"}),
            ({"anyOf": [{"anyOf": [{"type": "null"}]}]}, {"anyOf": [{"type": "null"}]}),
            (
                {"anyOf": [{"enum": ["a", 1]}]},
                {"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "integer", "enum": [1]}]},
            ),
        ],
    )
    def test_spellings_have_one_form(self, node, expected):
        """Types are inferred, lists of types and enums of several types split."""
        if expected is None:
            expected = {"type": "array", "minItems": 1, "maxItems": 1, "items": {"type": "null"}}
        assert ({"x": expected}, ()) == (
            strict(x(**node), "openai")[0]["properties"],
            strict(x(**node), "openai")[1],
        )

    def test_older_tuples_with_more_items_are_tuples(self):
        """A list of schemas under ``items`` is what ``prefixItems`` is now."""
        node = {"items": [{"type": "null"}], "additionalItems": {"type": "string"}}
        assert strict(x(**node), "openai")[1]
        assert "items" in gemini(x(**node))["properties"]["x"]
        assert strict(x(items=[], type="array"), "openai")[1]

    def test_definitions_are_renamed_to_plain_names(self):
        """References to other places become definitions of their own."""
        schema = closed(
            {
                "a": {"$ref": "#/definitions/A~1B"},
                "b": {"$ref": "#/properties/c/items"},
                "c": {"type": "array", "items": closed({})},
                "d": {"$ref": "#/$defs/A_B"},
                "e": {"$ref": "#plain"},
            },
            "abcde",
            definitions={"A/B": closed({})},
            **{"$defs": {"A_B": closed({}), "E": {"$anchor": "plain", **closed({})}}},
        )
        converted, faults = strict(schema, "openai")
        assert ((), []) == (faults, violations(converted, "openai"))
        assert ["A_B", "items", "A_B_2", "plain"] == list(converted["$defs"])

    def test_unused_definitions_cost_nothing(self):
        """What is not referred to is left out, with its faults."""
        assert (closed({}), ()) == strict(closed({}, **{"$defs": {"A": {}}}), "openai")

    def test_content_of_json_text_is_said_in_full(self):
        """A schema inside the description refers to nothing outside of it."""
        converted, _ = strict(tool(j=(Json[Inner], ...)), "anthropic")
        text = converted["properties"]["j"]["description"]
        assert "$ref" not in text
        assert '"y"' in text

    @pytest.mark.parametrize(
        ("schema", "reason"),
        [
            (closed({f"p{n}": {"type": "null"} for n in range(5001)}), "more than 5000 properties"),
            (x(type="integer", enum=list(range(1001))), "more than 1000 enum values"),
            (
                closed({"a" * 120_001: {"type": "null"}}),
                "names and enum values are longer than 120000 characters",
            ),
            (
                x(type="string", enum=[f"value {n:060}" for n in range(260)]),
                "an enum's values are longer than 15000 characters",
            ),
        ],
    )
    def test_openai_limits_are_faults(self, schema, reason):
        """A schema beyond OpenAI's limits is not strict; Anthropic has none of them."""
        assert (reason,) == strict({**schema, "required": list(schema["properties"])}, "openai")[1]
        assert () == strict(schema, "anthropic")[1]

    def test_objects_may_nest_ten_deep_at_openai(self):
        """The root counts as one, and each definition on its own."""
        node = {"type": "string"}
        for _ in range(9):
            node = closed({"a": node}, "a")
        assert () == strict(closed({"a": node}, "a"), "openai")[1]
        deeper = closed({"a": {"type": "array", "items": closed({"a": node}, "a")}}, "a")
        assert ("objects nest 11 deep, 10 is the limit",) == strict(deeper, "openai")[1]
        defined = closed(
            {"a": {"$ref": "#/$defs/A"}}, "a", **{"$defs": {"A": closed({"b": node}, "b")}}
        )
        assert () == strict(defined, "openai")[1]

    @pytest.mark.parametrize("dialect", DIALECTS)
    def test_fan_out_stays_in_definitions(self, dialect):
        """References are kept, so thirty models stay thirty definitions."""
        converted, faults = strict(bomb(), dialect)
        assert ((), 31) == (faults, len(converted["$defs"]))

    @pytest.mark.parametrize(
        "definition",
        [
            {"type": "string", "anyOf": [{"$ref": "#/$defs/A"}]},
            {"allOf": [{"oneOf": [{"$ref": "#/$defs/A"}]}], "properties": {"a": {}}},
        ],
    )
    def test_definitions_that_only_lead_to_themselves_end(self, definition):
        """A union that holds itself is a fault, not an endless walk."""
        schema = closed({"x": {"$ref": "#/$defs/A"}}, **{"$defs": {"A": definition}})
        for dialect in DIALECTS:
            assert strict(schema, dialect)[1]

    def test_chains_of_definitions_may_be_long_but_not_endless(self):
        """Hundreds of models inside each other are a fault."""
        chain = {f"M{n}": closed({"a": {"$ref": f"#/$defs/M{n + 1}"}}, "a") for n in range(400)}
        schema = closed(
            {"x": {"$ref": "#/$defs/M0"}}, "x", **{"$defs": {**chain, "M400": closed({})}}
        )
        assert "the schema nests more than 128 levels deep" in strict(schema, "openai")[1][0]

    def test_unions_that_multiply_without_end_are_a_fault(self):
        """What grows too large when it is written out is not strict."""
        _, faults = strict(x(**doubling()), "anthropic")
        assert "(all arguments): the schema has more than 20000 parts" in faults


class TestGemini:
    @pytest.mark.parametrize("annotation", [*CLOSED_TYPES, *OPEN_TYPES, Node, Nest], ids=str)
    def test_every_type_fits_the_subset(self, annotation):
        """Whatever pydantic describes is converted to what Gemini reads."""
        assert [] == violations(gemini(parameters(annotation, description="Text.")), "gemini")

    @pytest.mark.parametrize(
        ("node", "expected"),
        [
            ({"const": "a"}, {"type": "string", "enum": ["a"]}),
            ({"const": True}, {"type": "boolean", "description": "Always: true."}),
            ({"enum": [True, False]}, {"type": "boolean", "description": "One of: [true, false]."}),
            ({"enum": [4, 6, 8], "type": "integer"}, {"type": "integer", "enum": [4, 6, 8]}),
            (
                {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
                {"type": "string", "nullable": True},
            ),
            ({"type": ["integer", "null"]}, {"type": "integer", "nullable": True}),
            ({"enum": ["a", None]}, {"type": "string", "enum": ["a"], "nullable": True}),
            ({"type": "null"}, {"type": "null"}),
            ({"oneOf": [{"type": "string"}]}, {"type": "string"}),
            (
                {
                    "anyOf": [{"type": "string", "title": "S"}, {"type": "null"}],
                    "title": "T",
                    "default": "a",
                },
                {"type": "string", "title": "T", "description": 'Default: "a".', "nullable": True},
            ),
            (
                {"type": "integer", "exclusiveMinimum": 0, "maximum": 9, "description": "Some"},
                {"type": "integer", "description": "Some. Greater than: 0.", "maximum": 9},
            ),
            (
                {"type": "string", "format": "uri", "minLength": 1, "deprecated": True},
                {"type": "string", "description": "Format: uri. Minimum length: 1. Deprecated."},
            ),
            (
                {"type": "object", "additionalProperties": {"type": "integer"}},
                {"type": "object", "additionalProperties": {"type": "integer"}},
            ),
            (
                {"type": "object", "additionalProperties": True},
                {"type": "object", "additionalProperties": True},
            ),
            (
                {"prefixItems": [{"type": "integer"}] * 2, "items": False},
                {
                    "type": "array",
                    "prefixItems": [{"type": "integer"}] * 2,
                    "items": {"type": "integer"},
                },
            ),
        ],
    )
    def test_nodes_are_said_in_the_subset(self, node, expected):
        """Each keyword outside the subset has its place in it, or in the description."""
        assert expected == gemini(x(**node))["properties"]["x"]

    def test_any_value_names_all_types(self):
        """A bare list has items, an untyped parameter a union of all types."""
        properties = gemini(tool(xs=(list, ...), v=(Any, None)))["properties"]
        kinds = {branch["type"] for branch in properties["v"]["anyOf"]}
        assert {"string", "number", "boolean", "object", "array", "null"} == kinds
        assert properties["v"]["anyOf"] == properties["xs"]["items"]["anyOf"]

    @given(
        st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists, max_leaves=3)
    )
    def test_any_value_admits_every_value(self, value):
        """Naming the types narrows nothing, down to the lists in lists."""
        schema = gemini(tool(v=(Any, ...)))
        nested = isinstance(value, list) and any(isinstance(i, list | type(None)) for i in value)
        assert nested or jsonschema_rs.is_valid(schema, {"v": value})

    def test_recursion_is_one_level_deep(self):
        """A tree's children are plain objects."""
        made = gemini(tool(n=(Node, ...)))
        assert "object" == made["properties"]["n"]["properties"]["kids"]["items"]["type"]

    @pytest.mark.parametrize(
        ("node", "ends"),
        [({"items": True}, False), ({}, False), ({"items": False}, True), ({"maxItems": 1}, True)],
    )
    def test_what_follows_a_tuple_may_be_anything(self, node, ends):
        """Items after those that are listed are any values, where there may be some."""
        made = gemini(x(type="array", prefixItems=[{"type": "null"}], **node))
        items = made["properties"]["x"]["items"]
        assert ends == (items == {"type": "null"})
        assert ends != ("anyOf" in items)


class TestOllama:
    @pytest.mark.parametrize("annotation", [*CLOSED_TYPES, *OPEN_TYPES, Node, Nest], ids=str)
    def test_every_type_is_said_within_four_keywords(self, annotation):
        """Every property has a type, and what the client drops is in the description."""
        assert [] == violations(ollama(parameters(annotation, description="Text.")), "ollama")

    @pytest.mark.parametrize(
        ("node", "expected"),
        [
            ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, {"type": ["integer", "null"]}),
            (
                {
                    "anyOf": [
                        {"title": "T", "anyOf": [{"type": "integer"}, {"type": "string"}]},
                        {"type": "null"},
                    ]
                },
                {
                    "type": ["integer", "string", "null"],
                    "description": "Integer or string or null.",
                },
            ),
            ({"const": "a"}, {"type": "string", "enum": ["a"]}),
            ({"enum": ["a", None]}, {"type": ["string", "null"], "enum": ["a", None]}),
            ({"type": "null"}, {"type": "null"}),
            (
                {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}]},
                {"type": ["integer", "null"], "description": "Integer (Minimum: 1.) or null."},
            ),
            (
                {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "string"}]},
                {
                    "type": ["array", "string"],
                    "items": {"type": "string"},
                    "description": "Array of string or string.",
                },
            ),
            (
                {"type": "object", "additionalProperties": {"type": "integer"}},
                {
                    "type": "object",
                    "additionalProperties": {"type": "integer"},
                    "description": "Object of integer.",
                },
            ),
        ],
    )
    def test_nodes_are_said_in_four_keywords(self, node, expected):
        """A union is a list of types, with details in the description."""
        assert expected == ollama(x(**node))["properties"]["x"]

    def test_structure_is_described_in_words(self):
        """Fields, their types, texts and defaults are in the description."""
        made = ollama(tool(pet=(Dog, Field(description="The pet"))))
        text = made["properties"]["pet"]["description"]
        assert text.startswith(
            'The pet. Object with kind ("dog"), inner (object with y (integer), '
        )
        assert 'note (string, optional: Default: "none".)' in text

    def test_untyped_properties_name_all_types(self):
        """Any value is a list of all types."""
        assert 6 == len(ollama(tool(v=(Any, ...)))["properties"]["v"]["type"])

    def test_one_text_is_said_once(self):
        """What the author has written already is not repeated."""
        schema = tool(n=(int, Field(5, description="How many. Default: 5.")))
        assert "How many. Default: 5." == ollama(schema)["properties"]["n"]["description"]


@pytest.mark.parametrize("convert", [gemini, ollama])
def test_unions_that_multiply_without_end_are_cut(convert):
    """Beyond twenty thousand nodes a schema says only its types."""
    made = convert(x(**doubling()))
    assert "object" == made["type"]
    assert len(json.dumps(made)) < 10_000_000


@pytest.mark.parametrize("name", CONVERSIONS)
def test_the_deepest_admitted_nesting_converts(name):
    """What passes the check of a definition never runs out of stack."""
    lists = objects = unions = {"type": "null"}
    for _ in range(62):
        lists = {"type": "array", "items": lists}
        objects = closed({"a": objects})
        unions = {"anyOf": [unions, {"type": "string"}]}
    for schema in (closed({"a": lists}), objects, closed({"a": unions})):
        assert () == check_local_refs(schema)
        assert "object" == CONVERSIONS[name](schema)["type"]


class TestTyped:
    def test_only_gaps_are_filled(self):
        """What has types stays as it is, references included."""
        schema = tool(n=(Node, ...), d=(dict[str, int], {}), t=(Optional[Inner], None))
        assert schema == typed(schema)

    def test_gaps_get_every_type(self):
        """A property has a type or anyOf, an array items; booleans that switch stay."""
        schema = closed({"v": {"default": 3}, "w": True, "n": False, "xs": {"type": "array"}})
        made = typed(schema)
        assert 3 == made["properties"]["v"]["default"]
        assert made["properties"]["w"] == made["properties"]["xs"]["items"]
        assert (False, False) == (made["properties"]["n"], made["additionalProperties"])
        assert made == typed(made)

    @pytest.mark.parametrize(
        ("node", "kind"),
        [
            ({"enum": ["a", 1, None]}, ["string", "integer", "null"]),
            ({"const": "a"}, "string"),
            ({"allOf": [{"type": "string"}, {"minLength": 3}]}, "string"),
            ({"allOf": [{"anyOf": [{"type": "string"}, {"type": "null"}]}]}, ["string", "null"]),
            ({"properties": {}}, "object"),
        ],
    )
    def test_types_that_follow_are_written_out(self, node, kind):
        """Values and the parts of allOf tell a type."""
        assert kind == typed(closed({"x": node}))["properties"]["x"]["type"]

    def test_one_of_is_any_of(self):
        """A discriminated union is one of its branches; the tag is in them."""
        made = typed(tool(pet=(Pet, ...)))["properties"]["pet"]
        assert [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}] == made["anyOf"]
        assert not {"discriminator", "oneOf"} & made.keys()

    @pytest.mark.parametrize(
        ("node", "most"),
        [
            ({"prefixItems": [{"type": "integer"}], "maxItems": 1}, 1),
            ({"prefixItems": [{"type": "integer"}], "items": False}, 1),
            ({"items": [{"type": "integer"}], "additionalItems": False}, 1),
            ({"prefixItems": [{"type": "integer"}], "items": False, "maxItems": 0}, 0),
        ],
    )
    def test_closed_tuples_have_items(self, node, most):
        """The items of a tuple that has an end are those it lists."""
        made = typed(closed({"x": {"type": "array", **node}}))["properties"]["x"]
        assert ({"type": "integer"}, most) == (made["items"], made["maxItems"])
        assert [{"type": "integer"}] == made["prefixItems"]

    def test_open_tuples_and_empty_arrays_have_items(self):
        """Whatever may follow, and nothing at all, have types too."""
        nodes = {
            "open": {"type": ["array", "null"], "prefixItems": [{"type": "integer"}]},
            "empty": {"type": "array", "items": False},
        }
        made = typed(closed(nodes))["properties"]
        assert made["open"]["items"] == made["empty"]["items"]
        assert ("maxItems" in made["open"], made["empty"]["maxItems"]) == (False, 0)

    def test_what_only_restricts_stays(self):
        """A type in a condition or a negation would change what it says."""
        aside = {"not": {"properties": {"a": {}}}, "if": {"minLength": 1}, "then": False}
        names = {"type": "object", "propertyNames": {"pattern": "^a"}}
        made = typed(closed({"x": names}, **aside))
        assert names == made["properties"]["x"]
        assert aside == {key: made[key] for key in aside}


class TestCounts:
    def test_optional_properties_count_once_a_definition(self):
        """References are not followed; each definition counts once."""
        schema = tool(a=(Inner, ...), b=(Inner, ...), c=(int, 1))
        assert 2 == count_optional(schema)
        assert 2 == count_optional(strict(schema, "anthropic")[0])
        assert 0 == count_optional(strict(schema, "openai")[0])

    def test_unions_count_wherever_they_are(self):
        """anyOf and lists of types are unions."""
        schema = closed({"a": {"type": ["string", "null"]}, "b": {"anyOf": [{"anyOf": []}]}})
        assert 3 == count_unions(schema)


FIXED = [
    bomb(),
    {},
    {"anyOf": [True, {"$ref": "#/$defs/A"}], "$defs": {"A": {"allOf": [{"$ref": "#/$defs/A"}]}}},
    tool(n=(Node, ...), t=(Nest, 1), i=(Inner, Inner(y=1)), v=(Any, None), p=(Pair, ...)),
    x(**{"$ref": "#/$defs/A", "minimum": 1}) | {"$defs": {"A": {"$ref": "#/$defs/A"}}},
    x(anyOf=[{"$ref": "#/$defs/A"}]) | {"$defs": {"A": {"anyOf": [{"$ref": "#/$defs/A"}]}}},
    closed({"a": {"$ref": "#/$defs/A"}}, **{"$defs": {"A": {"anyOf": [{"$ref": "#/$defs/A"}]}}}),
]


@pytest.mark.parametrize("name", CONVERSIONS)
@pytest.mark.parametrize("schema", FIXED)
def test_conversions_end_and_leave_their_input(schema, name):
    """No conversion hangs, changes what it was given, or shares lists and objects with it."""
    before = deepcopy(schema)
    made = CONVERSIONS[name](schema)
    spoil(made)
    assert before == schema


def spoil(value):
    if isinstance(value, dict):
        for child in list(value.values()):
            spoil(child)
        value["spoiled"] = True
    elif isinstance(value, list):
        for child in value:
            spoil(child)
        value.append("spoiled")


def test_a_union_without_a_tag_that_leaves_things_out_is_not_strict():
    """Null for a property of nobody knows which member could not be read back."""
    text, number = {"type": "string"}, {"type": "integer"}

    def one_of(*objects):
        return {
            "type": "object",
            "properties": {"how": {"anyOf": list(objects)}},
            "required": ["how"],
            "additionalProperties": False,
        }

    def made(properties, required):
        return {
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": False,
        }

    loose = one_of(made({"q": text, "limit": number}, ["q"]), made({"q": text}, ["q"]))
    (fault,) = strict(loose, "openai")[1]
    assert fault.startswith("how: ")
    assert () == strict(loose, "anthropic")[1]
    deep = one_of(made({"q": made({"a": text}, [])}, ["q"]), made({"q": text}, ["q"]))
    assert 1 == len(strict(deep, "openai")[1])
    whole = one_of(made({"q": text}, ["q"]), made({"r": text}, ["r"]))
    assert () == strict(whole, "openai")[1]
    tags = ({"const": "a"}, {"enum": ["b", "c"]})
    tagged = one_of(*(made({"kind": tag, "n": number}, ["kind"]) for tag in tags))
    assert () == strict(tagged, "openai")[1]
    same = one_of(*(made({"kind": tag, "n": number}, ["kind"]) for tag in (tags[0], tags[0])))
    assert 1 == len(strict(same, "openai")[1])
    lost = one_of({"$ref": "#/$defs/none"}, made({"q": text}, ["q"]))
    assert strict(lost, "openai")[1]
