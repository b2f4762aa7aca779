"""One plain form for the many spellings of a JSON Schema node."""

from typing import Any, Final

from .._types import JsonObject, is_array, is_object
from .merge import ANNOTATIONS, both, types_of
from .refs import resolve

__all__ = ["KEYWORDS", "NOTHING", "json_type", "normal", "nullable", "with_prefix"]

_MAX_LEVELS: Final = 64
NOTHING: Final[JsonObject] = {"not": {}}
_NUMERIC: Final = frozenset(
    {"exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum", "multipleOf"}
)
KEYWORDS: Final = {
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
    "integer": _NUMERIC,
    "number": _NUMERIC,
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
    "boolean": frozenset[str](),
    "null": frozenset[str](),
}
_TYPED: Final = frozenset[str]().union(*KEYWORDS.values())
_STRUCTURE: Final = frozenset(
    {
        "$ref",
        "additionalProperties",
        "allOf",
        "anyOf",
        "const",
        "enum",
        "items",
        "oneOf",
        "patternProperties",
        "prefixItems",
        "properties",
        "required",
        "type",
    }
)
_PYTHON_TYPES: Final = (
    (bool, "boolean"),
    (str, "string"),
    (list, "array"),
    (dict, "object"),
    (int, "integer"),
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


def normal(schema: Any, root: JsonObject) -> JsonObject:
    """Return the schema in one of four forms.

    A reference with nothing but annotations beside it; a union (``anyOf``, never ``oneOf``)
    with nothing structural beside it; a node of one ``type`` with the keywords of that type;
    or a node without a type. ``allOf`` is merged (what cannot be merged stays there, one
    keyword a schema), lists of types and enums of several types become unions, older tuples
    ``prefixItems``. Only the node itself is changed, not what is inside.

    Args:
        schema: A JSON Schema; not changed.
        root: The document it is part of.
    """
    if not is_object(schema):
        return {} if schema is True else NOTHING
    node = with_prefix(_flat(schema, root, ()))
    for key in ("oneOf", "anyOf"):
        if key in node:
            return _union(node, key)
    return node if "$ref" in node else _typed(node)


def nullable(schema: Any, root: JsonObject) -> bool:
    """Return whether a schema admits null.

    Args:
        schema: A JSON Schema.
        root: The document it is part of.
    """
    return _nullable(schema, root, _MAX_LEVELS)


def _nullable(schema: Any, root: JsonObject, levels: int) -> bool:
    node = normal(schema, root)
    if levels == 0:
        return False
    if "$ref" in node:
        target = resolve(root, node["$ref"])
        return target is not None and _nullable(target, root, levels - 1)
    if "anyOf" in node:
        return any(_nullable(branch, root, levels - 1) for branch in node["anyOf"])
    return node.get("type", "null") == "null" and "not" not in node


def _flat(node: JsonObject, root: JsonObject, inside: tuple[str, ...]) -> JsonObject:
    parts = list(node.get("allOf", ()))
    rest = {key: value for key, value in node.items() if key != "allOf"}
    if "$ref" in rest and (parts or not rest.keys() <= ANNOTATIONS | {"$ref"}):
        parts.insert(0, {"$ref": rest.pop("$ref")})
    if (
        len(parts) == 1
        and is_object(parts[0])
        and "$ref" in parts[0]
        and rest.keys() <= ANNOTATIONS
    ):
        return {**parts[0], **rest}
    for part in parts:
        rest = both(rest, _followed(part, root, inside))
    return rest


def _followed(part: Any, root: JsonObject, inside: tuple[str, ...]) -> JsonObject:
    if not is_object(part):
        return {} if part is True else NOTHING
    flat = _flat(part, root, inside)
    reference = flat.pop("$ref", None)
    if reference is None or reference in inside:
        return flat
    target = _followed(resolve(root, reference), root, (*inside, reference))
    return both(flat, target)


def with_prefix(node: JsonObject) -> JsonObject:
    """Return the node with an older tuple, ``items`` that are a list, as ``prefixItems``.

    Args:
        node: A JSON Schema; not changed.
    """
    items = node.get("items")
    if not is_array(items):
        return node
    rest = {k: v for k, v in node.items() if k not in ("items", "additionalItems")}
    if items:
        rest["prefixItems"] = items
    if "additionalItems" in node:
        rest["items"] = node["additionalItems"]
    return {"type": "array", **rest}


def _union(node: JsonObject, key: str) -> JsonObject:
    structure = {k: v for k, v in node.items() if k in _STRUCTURE and k != key}
    rest = {k: v for k, v in node.items() if k not in _STRUCTURE and k != key}
    branches = [one for branch in node[key] for one in _branches(branch) if one is not False]
    if structure:
        branches = [{"allOf": [structure, branch]} for branch in branches]
    return {**rest, "anyOf": branches} if branches else {**rest, **NOTHING}


def _branches(branch: Any) -> list[Any]:
    for key in ("oneOf", "anyOf"):
        if is_object(branch) and key in branch and branch.keys() <= {key, "discriminator"}:
            return [one for inner in branch[key] for one in _branches(inner)]
    return [branch]


def _typed(node: JsonObject) -> JsonObject:
    kinds = [kind for kind in types_of(node) or _inferred(node) if kind in KEYWORDS]
    if "number" in kinds:
        kinds = [kind for kind in kinds if kind != "integer"]
    if "enum" in node:
        kinds = [kind for kind in kinds if _values(node["enum"], kind)]
    if "const" in node:
        kinds = [kind for kind in kinds if _values([node["const"]], kind)]
    if len(kinds) == 1:
        return _of_type(node, kinds[0])
    rest = {key: value for key, value in node.items() if key != "type"}
    if not kinds:
        return {**rest, **NOTHING} if "type" in node else rest
    own = {key: value for key, value in rest.items() if key in ANNOTATIONS}
    rest = {key: value for key, value in rest.items() if key not in ANNOTATIONS}
    return {**own, "anyOf": [_of_type(rest, kind) for kind in kinds]}


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
