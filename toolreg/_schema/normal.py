"""One plain form for the many spellings of a JSON Schema node."""

from typing import Any, Final

from .._types import JsonObject
from .merge import ANNOTATIONS, both, types_of
from .refs import resolve

__all__ = ["KEYWORDS", "json_type", "normal", "nullable"]

KEYWORDS: Final[dict[str, frozenset[str]]] = {
    "string": frozenset(
        {
            "contentEncoding",
            "contentMediaType",
            "contentSchema",
            "format",
            "maxLength",
            "minLength",
            "pattern",
        }
    ),
    "number": frozenset(
        {"exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum", "multipleOf"}
    ),
    "array": frozenset(
        {
            "contains",
            "items",
            "maxContains",
            "maxItems",
            "minContains",
            "minItems",
            "prefixItems",
            "unevaluatedItems",
            "uniqueItems",
        }
    ),
    "object": frozenset(
        {
            "additionalProperties",
            "dependentRequired",
            "dependentSchemas",
            "maxProperties",
            "minProperties",
            "patternProperties",
            "properties",
            "propertyNames",
            "required",
            "unevaluatedProperties",
        }
    ),
    "boolean": frozenset(),
    "null": frozenset(),
}
KEYWORDS["integer"] = KEYWORDS["number"]
_TYPED: Final = frozenset[str]().union(*KEYWORDS.values())
_STRUCTURE: Final = frozenset(
    {
        "$ref",
        "additionalProperties",
        "anyOf",
        "const",
        "enum",
        "items",
        "patternProperties",
        "prefixItems",
        "properties",
        "required",
        "type",
    }
)


def json_type(value: Any) -> str:
    """Return the name JSON Schema has for the type of a value.

    Args:
        value: Plain JSON.
    """
    if value is None:
        return "null"
    for kind, name in _PYTHON_TYPES:
        if isinstance(value, kind):
            return name
    return "integer" if float(value).is_integer() else "number"


_PYTHON_TYPES: Final = (
    (bool, "boolean"),
    (str, "string"),
    (list, "array"),
    (dict, "object"),
    (int, "integer"),
)


def normal(schema: Any, root: JsonObject) -> JsonObject:
    """Return the schema in one of four forms.

    A reference with nothing but annotations beside it; a union (``anyOf``, never ``oneOf``)
    with nothing structural beside it; a node of one ``type`` with the keywords of that type;
    or a node without a type. ``allOf`` is merged, lists of types and enums of several types
    become unions, older tuples ``prefixItems``. Only the node itself is changed, not what is
    inside.

    Args:
        schema: A JSON Schema; not changed.
        root: The document it is part of.
    """
    if not isinstance(schema, dict):
        return {} if schema is True else {"not": {}}
    node = _tuples(_flat(schema, root, ()))
    for key in ("oneOf", "anyOf"):
        if isinstance(node.get(key), list):
            return _union(node, key)
    return node if "$ref" in node else _typed(node)


def nullable(schema: Any, root: JsonObject) -> bool:
    """Return whether a schema admits null.

    Args:
        schema: A JSON Schema.
        root: The document it is part of.
    """
    return _nullable(schema, root, ())


def _nullable(schema: Any, root: JsonObject, inside: tuple[str, ...]) -> bool:
    node = normal(schema, root)
    reference = node.get("$ref")
    if reference is not None:
        target = resolve(root, reference)
        known = reference in inside or target is None
        return not known and _nullable(target, root, (*inside, reference))
    if "anyOf" in node:
        return any(_nullable(branch, root, inside) for branch in node["anyOf"])
    return node.get("type", "null") == "null" and "not" not in node


def _flat(node: JsonObject, root: JsonObject, inside: tuple[str, ...]) -> JsonObject:
    parts = list(node.get("allOf", ()))
    rest = {key: value for key, value in node.items() if key != "allOf"}
    if "$ref" in rest and (parts or not rest.keys() <= ANNOTATIONS | {"$ref"}):
        parts.insert(0, {"$ref": rest.pop("$ref")})
    if len(parts) == 1 and "$ref" in parts[0] and rest.keys() <= ANNOTATIONS:
        return {**parts[0], **rest}
    for part in parts:
        rest = both(rest, _followed(part, root, inside))
    return rest


def _followed(part: Any, root: JsonObject, inside: tuple[str, ...]) -> JsonObject:
    if not isinstance(part, dict):
        return {} if part is True else {"not": {}}
    reference = part.get("$ref")
    if reference is None:
        return _flat(part, root, inside)
    target = resolve(root, reference)
    if reference in inside or not isinstance(target, dict):
        return {"not": {}} if target is False else {}
    beside = {key: value for key, value in part.items() if key != "$ref"}
    inside = (*inside, reference)
    return both(_flat(beside, root, inside), _followed(target, root, inside))


def _tuples(node: JsonObject) -> JsonObject:
    if not isinstance(node.get("items"), list):
        return node
    rest = {k: v for k, v in node.items() if k not in ("items", "additionalItems")}
    more = {"items": node["additionalItems"]} if "additionalItems" in node else {}
    return {**rest, "prefixItems": node["items"], **more}


def _union(node: JsonObject, key: str) -> JsonObject:
    structure = {k: v for k, v in node.items() if k in _STRUCTURE and k != key}
    rest = {k: v for k, v in node.items() if k not in _STRUCTURE and k != key}
    branches = [branch for branch in node[key] if branch is not False]
    if structure:
        branches = [{"allOf": [structure, branch]} for branch in branches]
    return {**rest, "anyOf": branches}


def _typed(node: JsonObject) -> JsonObject:
    kinds = types_of(node) or _inferred(node)
    if "number" in kinds:
        kinds = [kind for kind in kinds if kind != "integer"]
    if "enum" in node:
        kinds = [kind for kind in kinds if _values(node["enum"], kind)]
    if len(kinds) > 1:
        own = {k: v for k, v in node.items() if k in ANNOTATIONS}
        rest = {k: v for k, v in node.items() if k not in ANNOTATIONS}
        return {**own, "anyOf": [_of_type(rest, kind) for kind in kinds]}
    if not kinds:
        return {key: value for key, value in node.items() if key != "type"}
    return _of_type(node, kinds[0])


def _of_type(node: JsonObject, kind: str) -> JsonObject:
    foreign = _TYPED - KEYWORDS[kind]
    kept = {key: value for key, value in node.items() if key not in foreign}
    if kind == "null":
        kept = {key: value for key, value in kept.items() if key not in ("const", "enum")}
    elif "enum" in kept:
        kept["enum"] = _values(kept["enum"], kind)
    return {**kept, "type": kind}


def _values(values: list[Any], kind: str) -> list[Any]:
    kinds = ("integer", "number") if kind == "number" else (kind,)
    return [value for value in values if json_type(value) in kinds]


def _inferred(node: JsonObject) -> list[str]:
    if "const" in node:
        return [json_type(node["const"])]
    if "enum" in node:
        return list(dict.fromkeys(json_type(value) for value in node["enum"]))
    if "properties" in node or "additionalProperties" in node:
        return ["object"]
    return ["array"] if "items" in node or "prefixItems" in node else []
