"""A hand-made violation of every rule is seen, and clean schemas pass."""

from copy import deepcopy
from decimal import Decimal

import pytest

from tests.strict_rules import root_violations, violations

STRICT = ("openai", "anthropic", "bedrock")
ALL = (*STRICT, "gemini", "ollama")


def closed(properties, required=None, **more):
    names = list(properties) if required is None else required
    return {
        "type": "object",
        "properties": properties,
        "required": names,
        "additionalProperties": False,
        **more,
    }


def x(**node):
    return closed({"x": node})


CLEAN = closed(
    {
        "text": {"type": "string", "description": "A text."},
        "kind": {"type": "string", "enum": ["a", "b"]},
        "counts": {"type": "array", "items": {"type": "integer"}, "minItems": 1},
    }
)
INNER = {"$ref": "#/$defs/Inner"}
DEFS = {"Inner": closed({"a": {"type": "integer"}})}


@pytest.mark.parametrize("provider", ALL)
def test_clean_schema_passes(provider):
    """A closed schema of plain types breaks no provider's rule."""
    clean = deepcopy(CLEAN)
    if provider == "ollama":
        clean["properties"]["counts"]["description"] = "Minimum items: 1."
    assert [] == violations(clean, provider)


@pytest.mark.parametrize("provider", STRICT)
@pytest.mark.parametrize(
    "schema",
    [
        closed({"i": INNER}, **{"$defs": DEFS}),
        closed({"i": {"anyOf": [INNER, {"type": "null"}]}}, **{"$defs": DEFS}),
        closed({"d": {"type": "string", "format": "date", "pattern": "^(?:a|b)+$"}}),
        closed({"k": {"type": "string", "const": "a"}}),
        closed({}),
    ],
)
def test_strict_subset_passes(schema, provider):
    """What the strict modes support breaks no rule."""
    assert [] == violations(schema, provider)


@pytest.mark.parametrize("provider", ("anthropic", "bedrock"))
def test_optional_properties_pass_outside_openai(provider):
    """Only OpenAI wants every property required."""
    assert [] == violations(closed({"a": {"type": "string"}}, required=[]), provider)


def test_recursion_passes_at_openai():
    """OpenAI takes references to definitions and to the root, recursive or not."""
    tree = closed({"kids": {"type": "array", "items": {"$ref": "#/$defs/T"}}})
    schema = closed({"t": {"$ref": "#/$defs/T"}, "r": {"$ref": "#"}}, **{"$defs": {"T": tree}})
    assert [] == violations(schema, "openai")


@pytest.mark.parametrize(
    "schema",
    [
        [],
        {"properties": {}},
        {"type": ["object"], "properties": {}},
        {"type": "object"},
        closed({}, anyOf=[{}]),
        closed({}, oneOf=[{}]),
        closed({}, allOf=[{}]),
        closed({}, enum=[{}]),
        closed({}, **{"not": {"required": ["a"]}}),
        {"$ref": "#/$defs/A", "type": "object", "properties": {}, "$defs": {"A": {}}},
        x(**{"$ref": "http://example.com/schema"}),
        x(**{"$ref": "#/$defs/Missing"}),
        x(**{"$ref": 3}),
        x(type="string", enum=("a",)),
        x(type="number", default=Decimal(1)),
        x(type="number", default=float("inf")),
        {**closed({}), 3: 4},
        x(type="text"),
        x(type="string", minLength=-1),
    ],
)
def test_broken_root_or_document_is_seen(schema):
    """The rules of all providers hold for every one of them."""
    assert root_violations(schema)
    assert violations(schema, "openai")


ANY_STRICT = [
    {**closed({}), "additionalProperties": True},
    {"type": "object", "properties": {}, "required": []},
    x(type="object"),
    x(type="object", additionalProperties={"type": "string"}),
    x(type="object", properties={"a": {"type": "string"}}, required=["a"]),
    x(type="object", additionalProperties=False),
    closed({}, required=["a"]),
    x(),
    x(enum=["a"]),
    x(anyOf=[]),
    x(type="string", oneOf=[{"minLength": 1}]),
    x(type="string", default="a"),
    x(type="array", items={"type": "string"}, uniqueItems=True),
    x(type="array", items={"type": "string"}, prefixItems=[{"type": "string"}]),
    x(type="array", items={"type": "string"}, contains={"type": "string"}),
    x(type="array", items={}),
    x(type="string", format="path"),
    x(type="string", pattern="^(?=a)"),
    x(type="string", pattern="^(?<!a)"),
    x(type="object", properties={}, additionalProperties=False, patternProperties={"a": {}}),
    x(type="array", items={"type": "array", "items": {"type": "object"}}),
    x(type="string", **{"not": {"const": "a"}}),
    x(type="array", items={"type": "array"}, enum=[[]]),
]


@pytest.mark.parametrize("provider", STRICT)
@pytest.mark.parametrize("schema", ANY_STRICT)
def test_what_no_strict_mode_takes_is_seen(schema, provider):
    """Open objects, missing types and unsupported keywords break every strict mode."""
    assert violations(schema, provider)


NESTED = {"type": "string"}
for _ in range(11):
    NESTED = closed({"a": NESTED})
MANY = {"type": "string", "enum": [f"value {number:060}" for number in range(260)]}


@pytest.mark.parametrize(
    "schema",
    [
        closed({"a": {"type": "string"}}, required=[]),
        x(type="string", minLength=1),
        x(type="string", maxLength=1),
        x(type="string", format="uri"),
        x(type="array"),
        closed({"i": {**INNER, "description": "Inner."}}, **{"$defs": DEFS}),
        closed({"i": {"$ref": "#/properties/j"}, "j": {"type": "string"}}),
        x(allOf=[{"type": "string"}]),
        NESTED,
        closed({}, **{"$defs": {"A": NESTED}}),
        closed({f"p{number}": {"type": "null"} for number in range(5001)}),
        x(type="integer", enum=list(range(1001))),
        closed({"a" * 120_001: {"type": "null"}}),
        closed({"a": MANY}),
    ],
)
def test_what_openai_refuses_is_seen(schema):
    """OpenAI's strict mode has rules of its own, and limits."""
    assert violations(schema, "openai")


LOOP = {
    "A": closed({"b": {"$ref": "#/$defs/B"}}),
    "B": closed({"a": {"type": "array", "items": {"$ref": "#/$defs/A"}}}),
}


@pytest.mark.parametrize("provider", ("anthropic", "bedrock"))
@pytest.mark.parametrize(
    "schema",
    [
        x(type="integer", minimum=1),
        x(type="integer", exclusiveMaximum=1),
        x(type="integer", multipleOf=2),
        x(type="array", items={"type": "null"}, maxItems=3),
        x(type="array", items={"type": "null"}, minItems=2),
        x(type="string", pattern=r"(a)\1"),
        closed({"i": {"allOf": [INNER]}}, **{"$defs": DEFS}),
        closed({"a": {"$ref": "#/$defs/A"}}, **{"$defs": LOOP}),
        closed({"a": {"$ref": "#"}}),
    ],
)
def test_what_grammars_of_claude_refuse_is_seen(schema, provider):
    """Bounds, recursion and patterns that are not regular break Anthropic's and Bedrock's."""
    assert violations(schema, provider)


@pytest.mark.parametrize(
    "schema",
    [
        x(type="string", minLength=1),
        x(type="string", pattern=r"\ba"),
        x(type="string", maxLength=1),
    ],
)
def test_what_only_anthropic_refuses_is_seen(schema):
    """Lengths and word boundaries are for Bedrock, not for Anthropic."""
    assert violations(schema, "anthropic")
    assert [] == violations(schema, "bedrock")


@pytest.mark.parametrize(
    "schema",
    [
        closed({"i": INNER}, **{"$defs": DEFS}),
        x(),
        x(type="array"),
        x(type=["string", "null"]),
        x(type="string", const="a"),
        x(type="boolean", enum=[True]),
        x(enum=["a"]),
        x(type="integer", enum=[True]),
        x(type="string", enum=[1]),
        x(type="string", format="date"),
        x(type="string", default="a"),
        x(type="integer", exclusiveMinimum=1),
        x(anyOf=[{"type": "string"}], nullable=True),
        x(type="string", nullable=False),
        x(oneOf=[{"type": "string"}]),
        x(allOf=[{"type": "string"}]),
    ],
)
def test_what_gemini_refuses_is_seen(schema):
    """Gemini reads a subset without references, with a type everywhere."""
    assert violations(schema, "gemini")


@pytest.mark.parametrize(
    "schema",
    [
        closed({"i": INNER}, **{"$defs": DEFS}),
        x(),
        x(type=["string", "text"]),
        x(type="array"),
        x(anyOf=[{"type": "string"}]),
        x(type="string", const="a"),
        x(type="object", properties={"inner": {"type": "string"}}),
        x(type="string", format="date"),
        x(type="integer", minimum=77),
    ],
)
def test_what_ollama_loses_is_seen(schema):
    """What Ollama's client drops has to be in the description."""
    assert violations(schema, "ollama")


def test_ollama_keeps_what_is_said():
    """A structure that the description repeats is no loss."""
    inner = {"inner": {"type": "string"}}
    schema = x(type="object", properties=inner, description="An object with inner (string).")
    assert [] == violations(schema, "ollama")
