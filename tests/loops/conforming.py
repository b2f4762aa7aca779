"""JSON Schema -> a strategy for the values it admits."""

import re
from typing import Any

from hypothesis import strategies as st

DEPTH = 3
PLAIN = st.booleans() | st.integers() | st.floats(-9, 9) | st.text(max_size=5)
ANYTHING = (
    st.none()
    | PLAIN
    | st.lists(PLAIN, max_size=2)
    | st.dictionaries(st.text(max_size=3), st.none() | PLAIN | st.lists(PLAIN), max_size=2)
)
TEXTS = {
    "binary": st.text(max_size=9),
    "date": st.dates().map(str),
    "date-time": st.datetimes().map(lambda moment: f"{moment.isoformat()}Z"),
    "duration": st.builds("P{}DT{}H".format, st.integers(0, 99), st.integers(0, 23)),
    "ipv4": st.ip_addresses(v=4).map(str),
    "path": st.from_regex("[a-z/]+", fullmatch=True),
    "time": st.times().map("{}Z".format),
    "uri": st.from_regex("https://[a-z]{1,9}/", fullmatch=True),
    "uuid": st.uuids().map(str),
}


def values(schema: Any, root: Any = None, depth: int = DEPTH) -> st.SearchStrategy[Any]:
    """Return a strategy for the values of a schema.

    Args:
        schema: The schema; formats are kept to.
        root: Where its references lead.
        depth: How often references may follow each other before nothing is admitted.
    """
    root = schema if root is None else root
    if isinstance(schema, bool):
        return ANYTHING if schema else st.nothing()
    if "$ref" in schema:
        return values(_referred(schema, root), root, depth - 1) if depth else st.nothing()
    for key in ("anyOf", "oneOf"):
        if key in schema:
            rest = {name: value for name, value in schema.items() if name != key}
            branches = [_both(rest, branch) for branch in schema[key]]
            return st.one_of([values(branch, root, depth) for branch in branches])
    if "allOf" in schema:
        rest = {name: value for name, value in schema.items() if name != "allOf"}
        for part in schema["allOf"]:
            rest = _both(rest, part)
        return values(rest, root, depth)
    return _nullable(schema, root, depth) if schema.get("nullable") else _typed(schema, root, depth)


def _referred(schema, root):
    target = root
    for step in schema["$ref"].split("/")[1:]:
        target = target[step.replace("~1", "/").replace("~0", "~")]
    return _both({name: value for name, value in schema.items() if name != "$ref"}, target)


def _both(one, other):
    """Return two schemas in one; they speak of different things."""
    return {**other, **one} if isinstance(other, dict) else other and one


def _nullable(schema, root, depth):
    return st.none() | _typed(schema, root, depth)


def _typed(schema, root, depth):
    if "const" in schema:
        return st.just(schema["const"])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    kinds = schema.get("type", [])
    makers = {
        "null": lambda *_: st.none(),
        "boolean": lambda *_: st.booleans(),
        "integer": _integer,
        "number": _number,
        "string": _string,
        "array": _array,
        "object": _object,
    }
    if not kinds:
        return _object(schema, root, depth) if "properties" in schema else ANYTHING
    listed = kinds if isinstance(kinds, list) else [kinds]
    return st.one_of([makers[kind](schema, root, depth) for kind in listed])


def _integer(schema, *_):
    least, most = schema.get("minimum"), schema.get("maximum")
    if "exclusiveMinimum" in schema:
        least = schema["exclusiveMinimum"] + 1
    if "exclusiveMaximum" in schema:
        most = schema["exclusiveMaximum"] - 1
    step = schema.get("multipleOf", 1)
    return st.integers(least, most).map(lambda number: number // step * step)


def _number(schema, *_):
    bounded = {"exclusiveMinimum", "exclusiveMaximum", "minimum", "maximum"} & schema.keys()
    floats = st.floats(
        schema.get("minimum", schema.get("exclusiveMinimum")),
        schema.get("maximum", schema.get("exclusiveMaximum")),
        exclude_min="exclusiveMinimum" in schema,
        exclude_max="exclusiveMaximum" in schema,
        allow_nan=False,
        allow_infinity=False,
    )
    return floats if bounded else floats | st.integers(-9, 9)


def _string(schema, *_):
    least, most = schema.get("minLength", 0), schema.get("maxLength")
    if "pattern" in schema:
        pattern = re.sub(r"(?<!\\)\$$", r"\\Z", schema["pattern"])
        return st.from_regex(pattern).filter(lambda text: least <= len(text) <= (most or len(text)))
    plain = st.text(min_size=least, max_size=9 if most is None else most)
    return TEXTS.get(schema.get("format"), plain)


def _array(schema, root, depth):
    prefix = [values(one, root, depth) for one in schema.get("prefixItems", ())]
    items = values(schema.get("items", True), root, depth)
    least = max(schema.get("minItems", 0) - len(prefix), 0)
    most = schema.get("maxItems", len(prefix) + least + 2) - len(prefix)
    if items.is_empty:
        most = 0
    if most < least:
        return st.nothing()
    unique = {"unique_by": repr} if schema.get("uniqueItems") else {}
    rest = st.lists(items, min_size=least, max_size=most, **unique) if most else st.just([])
    return st.tuples(*prefix, rest).map(lambda made: [*made[:-1], *made[-1]])


def _object(schema, root, depth):
    listed = {name: values(one, root, depth) for name, one in schema.get("properties", {}).items()}
    required = schema.get("required", [])
    fixed = {name: listed.get(name, ANYTHING) for name in required}
    if any(strategy.is_empty for strategy in fixed.values()):
        return st.nothing()
    optional = {
        name: one for name, one in listed.items() if name not in required and not one.is_empty
    }
    known = st.fixed_dictionaries(fixed, optional=optional)
    return st.tuples(_further(schema, root, depth, listed), known).map(lambda d: d[0] | d[1])


def _further(schema, root, depth, listed):
    """Return a strategy for what an object holds beside its properties."""
    admitted = schema.get("additionalProperties", True)
    named = {"type": "string", **schema.get("propertyNames", {"maxLength": 4})}
    names = values(named, root, depth)
    for pattern, one in schema.get("patternProperties", {}).items():
        names, admitted = values({"type": "string", "pattern": pattern}), one
    least, most = schema.get("minProperties", 0), schema.get("maxProperties", 2)
    if not admitted or names.is_empty:
        return st.just({})
    inner = values(admitted, root, depth)
    if inner.is_empty:
        return st.just({})
    unlisted = names.filter(lambda name: name not in listed)
    return st.dictionaries(unlisted, inner, min_size=least, max_size=most)
