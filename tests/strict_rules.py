"""The providers' rules for the schemas of tools, checked one by one.

Written from the rules alone; nothing here comes from the library.
"""

import math
import re
from collections.abc import Callable, Iterator
from typing import Any, Literal
from urllib.parse import unquote

import jsonschema_rs

Provider = Literal["openai", "anthropic", "bedrock", "gemini", "ollama"]
Node = dict[str, Any]

DRAFT = "https://json-schema.org/draft/2020-12/schema"
TYPES = {"string", "integer", "number", "boolean", "null", "array", "object"}
FORMATS = {"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}
BOUNDS = {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}
LOOKAROUND = re.compile(r"\(\?<?[=!]")
BACKREFERENCE = re.compile(r"\\[1-9]|\\k|\(\?P=")
BOUNDARY = re.compile(r"\\[bB]")
BASE = {
    "$defs",
    "$ref",
    "additionalProperties",
    "anyOf",
    "const",
    "description",
    "enum",
    "format",
    "items",
    "minItems",
    "pattern",
    "properties",
    "required",
    "title",
    "type",
}
KEYWORDS: dict[str, set[str]] = {
    "openai": BASE | BOUNDS | {"definitions", "maxItems"},
    "anthropic": BASE | {"allOf"},
    "bedrock": BASE | {"allOf", "minLength", "maxLength"},
    "gemini": {
        "additionalProperties",
        "anyOf",
        "description",
        "enum",
        "items",
        "maxItems",
        "maximum",
        "minItems",
        "minimum",
        "nullable",
        "prefixItems",
        "properties",
        "required",
        "title",
        "type",
    },
}


def violations(schema: Any, provider: Provider) -> list[str]:
    """Return every rule that a schema of arguments breaks, ``place: rule``.

    Args:
        schema: What would be sent, as a strict schema for openai, anthropic and bedrock.
        provider: Whose rules.
    """
    found = root_violations(schema)
    if not isinstance(schema, dict):
        return found
    for place, node in walk(schema):
        found.extend(
            f"{place}: {rule}" for check in CHECKS[provider] for rule in check(node, schema)
        )
    for whole in WHOLE[provider]:
        found.extend(whole(schema))
    return found


def root_violations(schema: Any) -> list[str]:
    """Return what is wrong for every provider, strict or not.

    Args:
        schema: What would be sent.
    """
    if type(schema) is not dict:
        return ["#: the schema must be an object"]
    found = [f"#: {rule}" for rule in _root(schema)]
    found.extend(f"{place}: {rule}" for place, rule in _plain(schema, "#"))
    for place, node in walk(schema):
        if "$ref" in node and look_up(schema, node["$ref"]) is None:
            found.append(f"{place}: $ref must be local and resolve")
    if not any(
        "plain JSON" in rule or "JSON number" in rule or "no text" in rule for rule in found
    ):
        try:
            jsonschema_rs.meta.validate({"$schema": DRAFT, **schema})
        except jsonschema_rs.ValidationError as error:
            found.append(f"#: is no JSON Schema 2020-12: {error.message}")
    return found


def walk(schema: Any, place: str = "#") -> Iterator[tuple[str, Node]]:
    """Yield every schema object of a document with its place, definitions included."""
    if not isinstance(schema, dict):
        return
    yield place, schema
    for key in ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas"):
        for name, child in schema.get(key, {}).items():
            yield from walk(child, f"{place}/{key}/{name}")
    for key in ("anyOf", "oneOf", "allOf", "prefixItems"):
        for index, child in enumerate(schema.get(key, [])):
            yield from walk(child, f"{place}/{key}/{index}")
    for key in ("items", "additionalProperties", "not", "if", "then", "else", "contains"):
        yield from walk(schema.get(key), f"{place}/{key}")
    for key in ("propertyNames", "unevaluatedItems", "unevaluatedProperties", "contentSchema"):
        yield from walk(schema.get(key), f"{place}/{key}")


def look_up(schema: Node, reference: Any) -> Any:
    """Return what a local reference points to, or None."""
    if not isinstance(reference, str) or not re.fullmatch(r"#(/.*)?", reference):
        return None
    found: Any = schema
    for step in reference.split("/")[1:]:
        name = unquote(step).replace("~1", "/").replace("~0", "~")
        found = found.get(name) if isinstance(found, dict) else None
    return found


def _root(schema: Node) -> Iterator[str]:
    if schema.get("type") != "object":
        yield 'the type must be the string "object"'
    if type(schema.get("properties")) is not dict:
        yield "properties must be present"
    for key in ("$ref", "anyOf", "oneOf", "allOf", "enum", "not"):
        if key in schema:
            yield f"{key} is refused at the root"


def _plain(value: Any, place: str) -> Iterator[tuple[str, str]]:
    if type(value) is dict:
        for key, child in value.items():
            if type(key) is not str:
                yield place, f"key {key!r} is no text"
            yield from _plain(child, f"{place}/{key}")
    elif type(value) is list:
        for index, child in enumerate(value):
            yield from _plain(child, f"{place}/{index}")
    elif type(value) not in (str, int, float, bool, type(None)):
        yield place, f"{type(value).__name__} is no plain JSON"
    elif type(value) is float and not math.isfinite(value):
        yield place, f"{value} is no JSON number"


def _keywords(provider: str) -> Callable[[Node, Node], Iterator[str]]:
    def check(node: Node, root: Node) -> Iterator[str]:
        for key in sorted(set(node) - KEYWORDS[provider]):
            yield f"{key} is not supported"

    return check


def _closed(node: Node, root: Node) -> Iterator[str]:
    if node.get("type") == "object" or "properties" in node:
        if node.get("additionalProperties") is not False:
            yield "additionalProperties must be false"
        if "properties" not in node:
            yield "an object must list its properties"
        if not set(node.get("required", [])) <= set(node.get("properties", {})):
            yield "required names what is no property"


def _all_required(node: Node, root: Node) -> Iterator[str]:
    if "properties" in node and sorted(node["properties"]) != sorted(node.get("required", [])):
        yield "every property must be required"


def _typed(node: Node, root: Node) -> Iterator[str]:
    if not set(node) & {"type", "anyOf", "allOf", "$ref"}:
        yield "has no type"
    if not set(types(node)) <= TYPES:
        yield f"{node['type']} is no type"
    if "anyOf" in node and not node["anyOf"]:
        yield "anyOf is empty"


def _items(node: Node, root: Node) -> Iterator[str]:
    if "array" in types(node) and not (isinstance(node.get("items"), dict) and node["items"]):
        yield "an array needs typed items"


def _bare_ref(node: Node, root: Node) -> Iterator[str]:
    if "$ref" in node and len(node) > 1:
        yield "a $ref may have no siblings"
    if "$ref" in node and not re.fullmatch(r"#|#/(\$defs|definitions)/[^/]+", str(node["$ref"])):
        yield "a $ref may lead to # or a definition only"


def _formats(*more: str) -> Callable[[Node, Node], Iterator[str]]:
    def check(node: Node, root: Node) -> Iterator[str]:
        if "format" in node and node["format"] not in FORMATS | set(more):
            yield f"format {node['format']} is not supported"

    return check


def _pattern(*refused: re.Pattern[str]) -> Callable[[Node, Node], Iterator[str]]:
    def check(node: Node, root: Node) -> Iterator[str]:
        if any(one.search(node.get("pattern", "")) for one in refused):
            yield f"pattern {node['pattern']} cannot be enforced"

    return check


def _few_items(node: Node, root: Node) -> Iterator[str]:
    if node.get("minItems", 0) not in (0, 1):
        yield "minItems may be 0 or 1 only"


def _scalar_values(node: Node, root: Node) -> Iterator[str]:
    values = [*node.get("enum", []), node.get("const")]
    if any(isinstance(value, dict | list) for value in values):
        yield "enum values must be scalars"


def _no_ref_in_all_of(node: Node, root: Node) -> Iterator[str]:
    if any("$ref" in part for part in node.get("allOf", [])):
        yield "allOf may hold no $ref"


def _not_recursive(root: Node) -> Iterator[str]:
    edges: dict[str, set[str]] = {"#": _refs({k: v for k, v in root.items() if k not in DEFS})}
    for key in DEFS:
        for name, definition in root.get(key, {}).items():
            edges[f"#/{key}/{name}"] = _refs(definition)
    reached = {start: set(ends) for start, ends in edges.items()}
    for middle in edges:
        for start in edges:
            if middle in reached[start]:
                reached[start] |= reached[middle]
    for start in edges:
        if start in reached[start]:
            yield f"{start}: is recursive"


DEFS = ("$defs", "definitions")


def _refs(schema: Any) -> set[str]:
    return {node["$ref"] for _, node in walk(schema) if "$ref" in node}


def _openai_limits(root: Node) -> Iterator[str]:
    names = [name for _, node in walk(root) for name in node.get("properties", {})]
    enums = [node["enum"] for _, node in walk(root) if "enum" in node]
    values = [value for enum in enums for value in enum]
    consts = [node["const"] for _, node in walk(root) if "const" in node]
    definitions = [name for key in DEFS for name in root.get(key, {})]
    if len(names) > 5000:
        yield "#: more than 5000 properties"
    if len(values) > 1000:
        yield "#: more than 1000 enum values"
    if sum(len(str(text)) for text in [*names, *definitions, *values, *consts]) > 120_000:
        yield "#: more than 120000 characters of names and values"
    for enum in enums:
        if len(enum) > 250 and sum(len(str(value)) for value in enum) > 15_000:
            yield "#: an enum of more than 250 values has more than 15000 characters"
    roots = [root, *(one for key in DEFS for one in root.get(key, {}).values())]
    if any(_depth({k: v for k, v in one.items() if k not in DEFS}) > 10 for one in roots):
        yield "#: more than 10 nested objects"


def _depth(node: Any) -> int:
    if not isinstance(node, dict):
        return 0
    children = [*node.get("properties", {}).values(), *node.get("anyOf", []), node.get("items")]
    return ("properties" in node) + max((_depth(child) for child in children), default=0)


def types(node: Node) -> list[str]:
    """Return the types a node names."""
    kind = node.get("type", [])
    return kind if isinstance(kind, list) else [kind]


def _one_type(node: Node, root: Node) -> Iterator[str]:
    if not isinstance(node.get("type", ""), str):
        yield "a list of types is not supported"
    if "nullable" in node and not (node["nullable"] is True and "type" in node):
        yield "nullable stands beside a type"


def _gemini_enum(node: Node, root: Node) -> Iterator[str]:
    python = {"string": str, "integer": int, "number": (int, float)}
    if "enum" in node:
        expected = python.get(str(node.get("type")))
        if expected is None:
            yield "an enum must have the type string, integer or number"
        elif any(isinstance(v, bool) or not isinstance(v, expected) for v in node["enum"]):
            yield "enum values must be of the type beside them"


def _no_refs(node: Node, root: Node) -> Iterator[str]:
    for key in ("$ref", "$defs", "definitions"):
        if key in node:
            yield f"{key} must be inlined"


def _ollama_properties(root: Node) -> Iterator[str]:
    for name, node in root.get("properties", {}).items():
        place, text = f"#/properties/{name}", node.get("description", "")
        if not types(node) or not set(types(node)) <= TYPES:
            yield f"{place}: has no type"
        if "array" in types(node) and not node.get("items"):
            yield f"{place}: an array needs typed items"
        for key in ("anyOf", "oneOf", "allOf", "const"):
            if key in node:
                yield f"{place}: {key} is dropped"
        unsaid = [*node.get("properties", {}), *(str(node[k]) for k in DROPPED if k in node)]
        for word in unsaid:
            if word not in text:
                yield f"{place}: {word} is dropped and not in the description"


DROPPED = ("format", "pattern", "minLength", "maxLength", "minItems", "maxItems", *sorted(BOUNDS))
COMMON = (_closed, _typed, _scalar_values)
NOT_REGULAR = (LOOKAROUND, BACKREFERENCE)
CHECKS: dict[str, tuple[Callable[[Node, Node], Iterator[str]], ...]] = {
    "openai": (
        *COMMON,
        _keywords("openai"),
        _all_required,
        _items,
        _bare_ref,
        _formats(),
        _pattern(LOOKAROUND),
    ),
    "anthropic": (
        *COMMON,
        _keywords("anthropic"),
        _few_items,
        _formats("uri"),
        _pattern(*NOT_REGULAR, BOUNDARY),
        _no_ref_in_all_of,
    ),
    "bedrock": (
        *COMMON,
        _keywords("bedrock"),
        _few_items,
        _formats("uri"),
        _pattern(*NOT_REGULAR),
        _no_ref_in_all_of,
    ),
    "gemini": (_keywords("gemini"), _no_refs, _typed, _items, _one_type, _gemini_enum),
    "ollama": (_no_refs,),
}
WHOLE: dict[str, tuple[Callable[[Node], Iterator[str]], ...]] = {
    "openai": (_openai_limits,),
    "anthropic": (_not_recursive,),
    "bedrock": (_not_recursive,),
    "gemini": (),
    "ollama": (_ollama_properties,),
}
