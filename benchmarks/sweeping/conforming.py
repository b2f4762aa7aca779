"""Values that a JSON Schema admits, drawn by a seeded generator.

Not every keyword is kept to; what a tool refuses is for the caller to drop.
"""

import re
import string
from collections.abc import Callable
from random import Random
from typing import Any

JsonObject = dict[str, Any]

DEPTH = 4
_LETTERS = string.ascii_letters + string.digits + " _-"
_SAMPLES = {
    "binary": "bytes",
    "date": "2026-03-14",
    "date-time": "2026-03-14T15:09:26Z",
    "duration": "P1DT2H",
    "email": "ada@example.org",
    "ipv4": "127.0.0.1",
    "ipv6": "::1",
    "json-string": "[1]",
    "path": "data/table.csv",
    "regex": "[a-z]+",
    "time": "15:09:26Z",
    "uri": "https://example.org/",
    "uuid": "12345678-1234-5678-1234-567812345678",
}


class Inconceivable(Exception):
    """No value could be thought of."""


def arguments(schema: JsonObject, random: Random) -> JsonObject:
    """Return an object for the parameters of a tool.

    It holds what is required and a random part of the rest, but is empty only where nothing may
    be in it.

    Args:
        schema: The exported parameters.
        random: Where the values come from.

    Raises:
        Inconceivable: If there is no value for something required.
    """
    return _object(schema, schema, random, DEPTH)


def _value(schema: Any, root: JsonObject, random: Random, depth: int) -> Any:
    if isinstance(schema, bool):
        return _anything(random)
    if "$ref" in schema:
        if not depth:
            raise Inconceivable(schema["$ref"])
        target = _referred(schema["$ref"], root)
        return _value({**target, **_without(schema, "$ref")}, root, random, depth - 1)
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return _branch(schema[key], _without(schema, key), root, random, depth)
    if "allOf" in schema:
        rest = _without(schema, "allOf")
        for part in schema["allOf"]:
            rest = {**part, **rest}
        return _value(rest, root, random, depth)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return random.choice(schema["enum"])
    kinds = schema.get("type", "object" if "properties" in schema else None)
    if kinds is None:
        return _anything(random)
    kind = random.choice(kinds) if isinstance(kinds, list) else kinds
    return _MAKERS[kind](schema, root, random, depth)


def _without(schema: JsonObject, key: str) -> JsonObject:
    return {name: value for name, value in schema.items() if name != key}


def _referred(reference: str, root: JsonObject) -> JsonObject:
    target: Any = root
    for step in reference.split("/")[1:]:
        target = target[step.replace("~1", "/").replace("~0", "~")]
    return target


def _branch(
    branches: list[JsonObject], rest: JsonObject, root: JsonObject, random: Random, depth: int
) -> Any:
    for branch in random.sample(branches, len(branches)):
        try:
            return _value({**rest, **branch}, root, random, depth)
        except Inconceivable:
            continue
    raise Inconceivable("no branch")


def _anything(random: Random) -> Any:
    """Return a value for a parameter of which nothing is known, mostly a plain one."""
    makers: list[Callable[[], Any]] = [
        lambda: random.randint(-9, 99),
        lambda: round(random.uniform(-9, 9), 3),
        lambda: _text(random, 1, 12),
        lambda: random.random() < 0.5,
        lambda: None,
        lambda: [random.randint(0, 9) for _ in range(random.randint(0, 6))],
        lambda: [[round(random.uniform(-9, 9), 2) for _ in range(2)] for _ in range(2)],
        lambda: [_text(random, 1, 6) for _ in range(random.randint(1, 3))],
        lambda: {_text(random, 1, 6): random.randint(0, 9) for _ in range(random.randint(0, 3))},
    ]
    return random.choices(makers, weights=[4, 4, 4, 2, 1, 2, 1, 1, 1])[0]()


def _text(random: Random, least: int, most: int) -> str:
    return "".join(random.choices(_LETTERS, k=random.randint(least, most)))


def _string(schema: JsonObject, root: JsonObject, random: Random, depth: int) -> str:
    if "pattern" in schema:
        candidates = ["1", "2.5", "abc", "Abc_1", *_SAMPLES.values()]
        fitting = [each for each in candidates if re.search(schema["pattern"], each)]
        if not fitting:
            raise Inconceivable(schema["pattern"])
        return random.choice(fitting)
    if schema.get("format") in _SAMPLES:
        return _SAMPLES[schema["format"]]
    least = schema.get("minLength", 0)
    return _text(random, least, max(least, schema.get("maxLength", 12)))


def _integer(schema: JsonObject, root: JsonObject, random: Random, depth: int) -> int:
    least = schema.get("minimum", schema.get("exclusiveMinimum", 0) + 1)
    most = schema.get("maximum", schema.get("exclusiveMaximum", least + 100) - 1)
    step = schema.get("multipleOf", 1)
    return random.randint(int(min(least, most)), int(most)) // step * step


def _number(schema: JsonObject, root: JsonObject, random: Random, depth: int) -> float:
    least = schema.get("minimum", schema.get("exclusiveMinimum", -9))
    most = schema.get("maximum", schema.get("exclusiveMaximum", max(least, 0) + 9))
    return round(random.uniform(least, most), 3)


def _array(schema: JsonObject, root: JsonObject, random: Random, depth: int) -> list[Any]:
    made = [_value(each, root, random, depth) for each in schema.get("prefixItems", ())]
    items = schema.get("items", True)
    least = max(schema.get("minItems", 0) - len(made), 0)
    most = max(schema.get("maxItems", len(made) + least + 3) - len(made), least)
    if items is False:
        return made
    try:
        made += [_value(items, root, random, depth) for _ in range(random.randint(least, most))]
    except Inconceivable:
        if least:
            raise
    if schema.get("uniqueItems"):
        return list({repr(each): each for each in made}.values())
    return made


def _object(schema: JsonObject, root: JsonObject, random: Random, depth: int) -> JsonObject:
    properties = schema.get("properties", {})
    required = schema.get("required", ())
    made = {name: _value(properties.get(name, True), root, random, depth) for name in required}
    optional = [name for name in properties if name not in made]
    share = random.random()
    chosen = [name for name in optional if random.random() < share]
    if not (made or chosen) and optional:
        chosen = [random.choice(optional)]
    for name in chosen:
        try:
            made[name] = _value(properties[name], root, random, depth)
        except Inconceivable:
            continue
    further = schema.get("additionalProperties", False)
    if further is not False and (not made or random.random() < 0.5):
        made |= {f"further_{n}": _value(further, root, random, depth) for n in range(2)}
    return made


_MAKERS: dict[str, Callable[[JsonObject, JsonObject, Random, int], Any]] = {
    "null": lambda *_: None,
    "boolean": lambda _schema, _root, random, _depth: random.random() < 0.5,
    "integer": _integer,
    "number": _number,
    "string": _string,
    "array": _array,
    "object": _object,
}
