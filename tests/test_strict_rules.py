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


def told(found):
    return " | ".join(found)


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
    ("schema", "rule"),
    [
        ([], "the schema must be an object"),
        ({"properties": {}}, 'the type must be the string "object"'),
        ({"type": ["object"], "properties": {}}, 'the type must be the string "object"'),
        ({"type": "object"}, "properties must be present"),
        (closed({}, anyOf=[{}]), "anyOf is refused at the root"),
        (closed({}, oneOf=[{}]), "oneOf is refused at the root"),
        (closed({}, allOf=[{}]), "allOf is refused at the root"),
        (closed({}, enum=[{}]), "enum is refused at the root"),
        (closed({}, **{"not": {"required": ["a"]}}), "not is refused at the root"),
        (
            {"$ref": "#/$defs/A", "type": "object", "properties": {}, "$defs": {"A": {}}},
            "$ref is refused at the root",
        ),
        (x(**{"$ref": "http://example.com/schema"}), "$ref must be local and resolve"),
        (x(**{"$ref": "#/$defs/Missing"}), "$ref must be local and resolve"),
        (x(**{"$ref": 3}), "$ref must be local and resolve"),
        (x(type="string", enum=("a",)), "tuple is no plain JSON"),
        (x(type="number", default=Decimal(1)), "Decimal is no plain JSON"),
        (x(type="number", default=float("inf")), "inf is no JSON number"),
        ({**closed({}), 3: 4}, "key 3 is no text"),
        (x(type="text"), "is no JSON Schema 2020-12"),
        (x(type="string", minLength=-1), "is no JSON Schema 2020-12"),
    ],
)
def test_broken_root_or_document_is_seen(schema, rule):
    """The rules of all providers hold for every one of them."""
    assert rule in told(root_violations(schema))
    assert rule in told(violations(schema, "openai"))


ANY_STRICT = [
    ({**closed({}), "additionalProperties": True}, "additionalProperties must be false"),
    ({"type": "object", "properties": {}, "required": []}, "additionalProperties must be false"),
    (x(type="object"), "additionalProperties must be false"),
    (
        x(type="object", additionalProperties={"type": "string"}),
        "additionalProperties must be false",
    ),
    (
        x(type="object", properties={"a": {"type": "string"}}, required=["a"]),
        "additionalProperties must be false",
    ),
    (x(type="object", additionalProperties=False), "an object must list its properties"),
    (closed({}, required=["a"]), "required names what is no property"),
    (x(), "has no type"),
    (x(enum=["a"]), "has no type"),
    (x(anyOf=[]), "anyOf is empty"),
    (x(type="string", oneOf=[{"minLength": 1}]), "oneOf is not supported"),
    (x(type="string", default="a"), "default is not supported"),
    (x(type="array", items={"type": "string"}, uniqueItems=True), "uniqueItems is not supported"),
    (
        x(type="array", items={"type": "string"}, prefixItems=[{"type": "string"}]),
        "prefixItems is not supported",
    ),
    (
        x(type="array", items={"type": "string"}, contains={"type": "string"}),
        "contains is not supported",
    ),
    (x(type="array", items={}), "has no type"),
    (x(type="string", format="path"), "format path is not supported"),
    (x(type="string", pattern="^(?=a)"), "pattern ^(?=a) cannot be enforced"),
    (x(type="string", pattern="^(?<!a)"), "pattern ^(?<!a) cannot be enforced"),
    (
        x(type="object", properties={}, additionalProperties=False, patternProperties={"a": {}}),
        "patternProperties is not supported",
    ),
    (
        x(type="array", items={"type": "array", "items": {"type": "object"}}),
        "additionalProperties must be false",
    ),
    (x(type="string", **{"not": {"const": "a"}}), "not is not supported"),
    (x(type="array", items={"type": "array"}, enum=[[]]), "enum values must be scalars"),
]


@pytest.mark.parametrize("provider", STRICT)
@pytest.mark.parametrize(("schema", "rule"), ANY_STRICT)
def test_what_no_strict_mode_takes_is_seen(schema, rule, provider):
    """Open objects, missing types and unsupported keywords break every strict mode."""
    assert rule in told(violations(schema, provider))


NESTED = {"type": "string"}
for _ in range(11):
    NESTED = closed({"a": NESTED})
MANY = {"type": "string", "enum": [f"value {number:060}" for number in range(260)]}


@pytest.mark.parametrize(
    ("schema", "rule"),
    [
        (closed({"a": {"type": "string"}}, required=[]), "every property must be required"),
        (x(type="string", minLength=1), "minLength is not supported"),
        (x(type="string", maxLength=1), "maxLength is not supported"),
        (x(type="string", format="uri"), "format uri is not supported"),
        (x(type="array"), "an array needs typed items"),
        (
            closed({"i": {**INNER, "description": "Inner."}}, **{"$defs": DEFS}),
            "a $ref may have no siblings",
        ),
        (
            closed({"i": {"$ref": "#/properties/j"}, "j": {"type": "string"}}),
            "a $ref may lead to # or a definition only",
        ),
        (x(allOf=[{"type": "string"}]), "allOf is not supported"),
        (NESTED, "more than 10 nested objects"),
        (closed({}, **{"$defs": {"A": NESTED}}), "more than 10 nested objects"),
        (
            closed({f"p{number}": {"type": "null"} for number in range(5001)}),
            "more than 5000 properties",
        ),
        (x(type="integer", enum=list(range(1001))), "more than 1000 enum values"),
        (
            closed({"a" * 120_001: {"type": "null"}}),
            "more than 120000 characters of names and values",
        ),
        (closed({"a": MANY}), "an enum of more than 250 values has more than 15000 characters"),
    ],
)
def test_what_openai_refuses_is_seen(schema, rule):
    """OpenAI's strict mode has rules of its own, and limits."""
    assert rule in told(violations(schema, "openai"))


LOOP = {
    "A": closed({"b": {"$ref": "#/$defs/B"}}),
    "B": closed({"a": {"type": "array", "items": {"$ref": "#/$defs/A"}}}),
}


@pytest.mark.parametrize("provider", ("anthropic", "bedrock"))
@pytest.mark.parametrize(
    ("schema", "rule"),
    [
        (x(type="integer", minimum=1), "minimum is not supported"),
        (x(type="integer", exclusiveMaximum=1), "exclusiveMaximum is not supported"),
        (x(type="integer", multipleOf=2), "multipleOf is not supported"),
        (x(type="array", items={"type": "null"}, maxItems=3), "maxItems is not supported"),
        (x(type="array", items={"type": "null"}, minItems=2), "minItems may be 0 or 1 only"),
        (x(type="string", pattern=r"(a)\1"), "pattern (a)\\1 cannot be enforced"),
        (closed({"i": {"allOf": [INNER]}}, **{"$defs": DEFS}), "allOf may hold no $ref"),
        (closed({"a": {"$ref": "#/$defs/A"}}, **{"$defs": LOOP}), "is recursive"),
        (closed({"a": {"$ref": "#"}}), "is recursive"),
    ],
)
def test_what_grammars_of_claude_refuse_is_seen(schema, rule, provider):
    """Bounds, recursion and patterns that are not regular break Anthropic's and Bedrock's."""
    assert rule in told(violations(schema, provider))


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
    ("schema", "rule"),
    [
        (closed({"i": INNER}, **{"$defs": DEFS}), "$defs is not supported"),
        (x(), "has no type"),
        (x(type="array"), "an array needs typed items"),
        (x(type=["string", "null"]), "a list of types is not supported"),
        (x(type="string", const="a"), "const is not supported"),
        (x(type="boolean", enum=[True]), "an enum must have the type string, integer or number"),
        (x(enum=["a"]), "has no type"),
        (x(type="integer", enum=[True]), "enum values must be of the type beside them"),
        (x(type="string", enum=[1]), "enum values must be of the type beside them"),
        (x(type="string", format="date"), "format is not supported"),
        (x(type="string", default="a"), "default is not supported"),
        (x(type="integer", exclusiveMinimum=1), "exclusiveMinimum is not supported"),
        (x(anyOf=[{"type": "string"}], nullable=True), "nullable stands beside a type"),
        (x(type="string", nullable=False), "nullable stands beside a type"),
        (x(oneOf=[{"type": "string"}]), "oneOf is not supported"),
        (x(allOf=[{"type": "string"}]), "allOf is not supported"),
    ],
)
def test_what_gemini_refuses_is_seen(schema, rule):
    """Gemini reads a subset without references, with a type everywhere."""
    assert rule in told(violations(schema, "gemini"))


@pytest.mark.parametrize(
    ("schema", "rule"),
    [
        (closed({"i": INNER}, **{"$defs": DEFS}), "has no type"),
        (x(), "has no type"),
        (x(type=["string", "text"]), "has no type"),
        (x(type="array"), "an array needs typed items"),
        (x(anyOf=[{"type": "string"}]), "has no type"),
        (x(type="string", const="a"), "const is dropped"),
        (
            x(type="object", properties={"inner": {"type": "string"}}),
            "inner is dropped and not in the description",
        ),
        (x(type="string", format="date"), "date is dropped and not in the description"),
        (x(type="integer", minimum=77), "77 is dropped and not in the description"),
    ],
)
def test_what_ollama_loses_is_seen(schema, rule):
    """What Ollama's client drops has to be in the description."""
    assert rule in told(violations(schema, "ollama"))


def test_ollama_keeps_what_is_said():
    """A structure that the description repeats is no loss."""
    inner = {"inner": {"type": "string"}}
    schema = x(type="object", properties=inner, description="An object with inner (string).")
    assert [] == violations(schema, "ollama")
