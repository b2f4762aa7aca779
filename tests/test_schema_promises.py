"""Promises about schemas, tried on whatever pydantic or a stranger may write."""

import datetime as dt
import enum
import json
from copy import deepcopy
from decimal import Decimal
from typing import Annotated, Literal, Optional, Union
from uuid import UUID

import jsonschema_rs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import AnyUrl, Field, PositiveInt, create_model

from tests.strict_rules import root_violations, violations
from toolreg._schema import (
    check_local_refs,
    gemini,
    inline_refs,
    object_root,
    ollama,
    strict,
    typed,
)

DIALECTS = ("openai", "anthropic", "bedrock")


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


SCALARS = st.sampled_from(
    [
        int,
        str,
        float,
        bool,
        Color,
        Level,
        Literal["a", "b"],
        Literal[4, 6],
        Literal[True],
        dt.date,
        Decimal,
        UUID,
        PositiveInt,
        AnyUrl,
        Annotated[str, Field(max_length=3)],
        Annotated[str, Field(pattern="^a+$")],
    ]
)
NAMES = st.sampled_from(["a", "b", "title", "type", "default", "properties", "items", "größe"])


def fields(annotations, defaults):
    def field(annotation, described, default):
        text = {"description": "Some text"} if described else {}
        return annotation, Field(default, **text)

    each = st.builds(field, annotations, st.booleans(), defaults)
    return st.dictionaries(NAMES, each, max_size=3)


def models(annotations):
    count = iter(range(10**9))
    defaults = st.sampled_from([..., ..., None, 5, "a"])

    def model(members):
        return create_model(f"M{next(count)}", **members)

    return fields(annotations, defaults).map(model)


def wider(annotations):
    return st.one_of(
        annotations.map(lambda one: list[one]),
        annotations.map(lambda one: Optional[one]),
        models(annotations),
        SCALARS.map(lambda one: set[one]),
        SCALARS.map(lambda one: Union[int, None, one]),
    )


SCHEMAS = models(st.recursive(SCALARS, wider, max_leaves=4)).map(
    lambda model: model.model_json_schema()
)
SLOW = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
LOCAL = {
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "maxLength",
    "maximum",
    "minLength",
    "minimum",
    "pattern",
    "uniqueItems",
}


def loosened(node):
    """Return the schema without what local validation enforces."""
    if isinstance(node, list):
        return [loosened(child) for child in node]
    if not isinstance(node, dict):
        return node
    rest = {
        key: value for key, value in node.items() if key not in LOCAL or isinstance(value, dict)
    }
    named = {"properties", "$defs"} & rest.keys()
    maps = {key: {n: loosened(child) for n, child in rest[key].items()} for key in named}
    return {**{key: loosened(value) for key, value in rest.items() if key not in named}, **maps}


def adapted(value, node, root, change):
    """Return a value with `change` applied to every object in it that has properties."""
    if "$ref" in node:
        return adapted(value, root["$defs"][node["$ref"].split("/")[-1]], root, change)
    if isinstance(value, list):
        return [
            adapted(item, arm(node, root, "array").get("items", {}), root, change) for item in value
        ]
    known = arm(node, root, "object").get("properties", {})
    if not isinstance(value, dict):
        return value
    changed = change(value, arm(node, root, "object"), root)
    return {name: adapted(item, known[name], root, change) for name, item in changed.items()}


def arm(node, root, kind):
    if "$ref" in node:
        return arm(root["$defs"][node["$ref"].split("/")[-1]], root, kind)
    found = [arm(branch, root, kind) for branch in node.get("anyOf", [])]
    return next((one for one in found if one), node if node.get("type") == kind else {})


def without_null(value, node, root):
    kept = {}
    for name, item in value.items():
        schema = {**node["properties"][name], "$defs": root.get("$defs", {})}
        if (
            name in node.get("required", [])
            or item is not None
            or jsonschema_rs.is_valid(schema, None)
        ):
            kept[name] = item
    return kept


def with_null(value, node, root):
    return {**dict.fromkeys(node["properties"]), **value}


def values(node, root):
    """Return a strategy of what a schema admits, formats aside."""
    if "$ref" in node:
        return values(root["$defs"][node["$ref"].split("/")[-1]], root)
    if "anyOf" in node:
        return st.one_of([values(branch, root) for branch in node["anyOf"]])
    if "const" in node or "enum" in node:
        return st.sampled_from(node.get("enum") or [node["const"]])
    return SIMPLE[node["type"]](node, root)


def objects(node, root):
    each = {name: values(one, root) for name, one in node["properties"].items()}
    required = {name: each.pop(name) for name in node.get("required", [])}
    return st.fixed_dictionaries(required, optional=each)


def arrays(node, root):
    unique = repr if node.get("uniqueItems") else None
    return st.lists(values(node["items"], root), max_size=3, unique_by=unique)


def texts(node, root):
    if "pattern" in node:
        return st.from_regex(node["pattern"], fullmatch=True)
    return st.text(min_size=node.get("minLength", 0), max_size=node.get("maxLength", 9))


SIMPLE = {
    "object": objects,
    "array": arrays,
    "string": texts,
    "integer": lambda node, root: st.integers(node.get("exclusiveMinimum", -9) + 1, 99),
    "number": lambda node, root: st.floats(allow_nan=False, allow_infinity=False),
    "boolean": lambda node, root: st.booleans(),
    "null": lambda node, root: st.none(),
}


class TestPromises:
    @pytest.mark.parametrize("dialect", DIALECTS)
    @SLOW
    @given(schema=SCHEMAS)
    def test_closed_models_convert_by_the_rules(self, dialect, schema):
        """Models of closed types are due strict, and converting twice changes nothing."""
        before = deepcopy(schema)
        converted, faults = strict(schema, dialect)
        assert ((), []) == (faults, violations(converted, dialect))
        assert (converted, ()) == strict(converted, dialect)
        assert before == schema

    @SLOW
    @given(schema=SCHEMAS)
    def test_other_exports_keep_their_rules(self, schema):
        """Gemini's and Ollama's schemas break no rule, and converting twice changes nothing."""
        assert [] == violations(gemini(schema), "gemini")
        assert [] == violations(ollama(schema), "ollama")
        assert gemini(schema) == gemini(deepcopy(schema))
        assert inline_refs(schema) == inline_refs(inline_refs(schema))
        assert object_root(schema) == object_root(object_root(schema))
        assert typed(schema) == typed(typed(schema))

    @pytest.mark.parametrize("dialect", DIALECTS)
    @SLOW
    @given(schema=SCHEMAS, data=st.data())
    def test_what_a_strict_mode_lets_through_is_valid(self, dialect, schema, data):
        """Arguments by the strict schema satisfy the original but for what is said in words."""
        converted, _ = strict(schema, dialect)
        value = data.draw(values(converted, converted))
        arguments = adapted(value, schema, schema, without_null)
        jsonschema_rs.validate(loosened(schema), arguments)

    @pytest.mark.parametrize("dialect", DIALECTS)
    @SLOW
    @given(schema=SCHEMAS, data=st.data())
    def test_every_valid_call_can_be_said_in_a_strict_mode(self, dialect, schema, data):
        """Nothing is lost: what the original admits, the strict schema admits."""
        value = data.draw(values(schema, schema))
        said = adapted(value, schema, schema, with_null) if dialect == "openai" else value
        jsonschema_rs.validate(strict(schema, dialect)[0], said)

    @SLOW
    @given(schema=SCHEMAS, data=st.data())
    def test_inlining_changes_no_meaning(self, schema, data):
        """Without recursion, the inlined schema admits exactly what the original does."""
        value = data.draw(values(schema, schema))
        jsonschema_rs.validate(inline_refs(schema), value)
        plain = inline_refs(schema)
        jsonschema_rs.validate(schema, data.draw(values(plain, plain)))


def at(places, schemas):
    return st.dictionaries(st.sampled_from(places), schemas, max_size=3)


CONSTANTS = st.sampled_from(["a", "b", 1, 2, 1.5, True, None])
KINDS = st.sampled_from(["string", "integer", "number", "boolean", "null", "array", "object"])
LEAVES = st.one_of(
    st.sampled_from(
        [
            {},
            True,
            False,
            {"$ref": "#/$defs/A"},
            {"$ref": "#/$defs/B", "description": "B."},
            {"$ref": "#/$defs/B", "minimum": 1},
        ]
    ),
    st.fixed_dictionaries(
        {"type": KINDS | st.lists(KINDS, min_size=1, max_size=2, unique=True)},
        optional={
            "default": CONSTANTS,
            "description": st.just("Text"),
            "enum": st.lists(CONSTANTS, min_size=1, max_size=3, unique_by=repr),
            "format": st.sampled_from(["date", "uri"]),
            "minItems": st.integers(0, 2),
            "minimum": st.integers(0, 3),
            "pattern": st.sampled_from(["^a", "(?=a)"]),
            "uniqueItems": st.booleans(),
        },
    ),
    st.fixed_dictionaries({"const": CONSTANTS}),
)


def larger(schemas):
    several = st.lists(schemas, min_size=1, max_size=3)
    return st.one_of(
        st.fixed_dictionaries(
            {"type": st.just("object"), "properties": at(["a", "b", "items"], schemas)},
            optional={
                "additionalProperties": schemas,
                "anyOf": several,
                "patternProperties": at(["^x"], schemas),
                "required": st.lists(st.sampled_from(["a", "b"]), unique=True),
            },
        ),
        st.fixed_dictionaries(
            {"type": st.just("array")},
            optional={"contains": schemas, "items": schemas, "prefixItems": several},
        ),
        st.fixed_dictionaries({"anyOf": several}, optional={"not": schemas, "type": KINDS}),
        st.fixed_dictionaries({"oneOf": several}),
        st.fixed_dictionaries({"allOf": several}, optional={"if": schemas}),
    )


NODES = st.recursive(LEAVES, larger, max_leaves=6)
STRANGE = st.builds(
    lambda root, first, second: {
        **(root if isinstance(root, dict) else {}),
        "$defs": {"A": first, "B": second},
    },
    NODES,
    NODES,
    NODES,
).filter(lambda schema: not check_local_refs(schema))
VALUES = [
    "a", "ab", 0, 1, 1.5, True, None, [], [1], ["a"], [None, "a"], {}, {"a": 1}, {"a": "a"},
    {"b": None}, {"a": "a", "b": 1}, {"a": {"a": 1}}, {"items": 1}, {"a": [1]}, {"b": {}},
]  # fmt: skip


def opened(node):
    """Return the schema with every object that is closed left open."""
    if isinstance(node, list):
        return [opened(child) for child in node]
    if not isinstance(node, dict):
        return node
    closed = node.get("additionalProperties") is False
    return {k: opened(v) for k, v in node.items() if not (closed and k == "additionalProperties")}


class TestStrangeSchemas:
    @SLOW
    @given(schema=STRANGE)
    def test_every_conversion_keeps_the_rules(self, schema):
        """Whatever JSON Schema a stranger writes, no export breaks its provider's rules."""
        before = deepcopy(schema)
        assert [] == root_violations(object_root(schema))
        assert [] == violations(gemini(schema), "gemini")
        assert [] == violations(ollama(schema), "ollama")
        assert typed(schema) == typed(typed(schema))
        assert '"$ref"' not in json.dumps(inline_refs(schema))
        assert before == schema

    @pytest.mark.parametrize("dialect", DIALECTS)
    @SLOW
    @given(schema=STRANGE)
    def test_a_strict_schema_without_faults_keeps_the_rules(self, dialect, schema):
        """There are faults, or a schema by the rules that stays as it is when converted again."""
        converted, faults = strict(schema, dialect)
        assert faults or [] == violations(converted, dialect)
        assert faults or (converted, ()) == strict(converted, dialect)

    @pytest.mark.parametrize("dialect", ("anthropic", "bedrock"))
    @SLOW
    @given(schema=STRANGE)
    def test_a_strict_schema_without_faults_loses_nothing(self, dialect, schema):
        """What the original takes for an argument, the strict schema takes."""
        inner = {key: value for key, value in schema.items() if key != "$defs"}
        whole = {"type": "object", "properties": {"x": inner}, "$defs": schema["$defs"]}
        converted, faults = strict(whole, dialect)
        for value in [] if faults else VALUES:
            before = jsonschema_rs.is_valid(whole, {"x": value})
            assert not before or jsonschema_rs.is_valid(opened(converted), {"x": value})
