"""The subset of JSON Schema that providers' strict modes enforce."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

from .._types import JsonObject, is_object
from .ambiguity import is_ambiguous
from .limits import openai_limits
from .normal import KEYWORDS, NOTHING, json_type, normal, nullable
from .refs import MAX_NODES, inlined, name_of, resolve
from .root import object_root
from .walk import SINGLE, nodes
from .words import SPOKEN, about, described, sentences, unmerged

__all__ = ["StrictDialect", "strict"]

StrictDialect: TypeAlias = Literal["openai", "anthropic", "bedrock"]

_MAX_LEVELS: Final = 128
_FORMATS: Final = frozenset(
    {"date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "time", "uuid"}
)
_BESIDE_REFERENCES: Final = ("default", "examples", "deprecated")
_UNSAYABLE: Final = ("$dynamicRef", "$recursiveRef", "dependentSchemas", "else", "if", "then")
_KEYWORDS: Final = frozenset({"const", "enum", "format", "minItems", "pattern"})
_LENGTHS: Final = frozenset({"maxLength", "minLength"})
_SAID_SCHEMAS: Final = SINGLE & set(SPOKEN)
_HOLDS_SCHEMAS: Final = SINGLE | {"$ref", "allOf", "anyOf", "oneOf", "prefixItems", "properties"}
# A grammar can be made of these alone: no lookaround or other extension group, no
# backreference, no word boundary, no letter escape that is not ECMA-262.
_PLAIN_PATTERN: Final = re.compile(r"(?:\\[^AbBGkKpPzZ1-9]|\(\?:|\((?!\?)|[^\\(])*", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Dialect:
    keywords: frozenset[str]
    formats: frozenset[str]
    all_required: bool = False
    recursive: bool = False


_DIALECTS: Final[Mapping[str, _Dialect]] = {
    "openai": _Dialect(
        keywords=_KEYWORDS | KEYWORDS["number"] | {"maxItems"},
        formats=_FORMATS,
        all_required=True,
        recursive=True,
    ),
    "anthropic": _Dialect(keywords=_KEYWORDS, formats=_FORMATS | {"uri"}),
    "bedrock": _Dialect(keywords=_KEYWORDS | _LENGTHS, formats=_FORMATS | {"uri"}),
}


def strict(schema: JsonObject, dialect: StrictDialect) -> tuple[JsonObject, tuple[str, ...]]:
    """Convert a schema for a provider's strict mode.

    Objects are closed, ``oneOf`` becomes ``anyOf``; for OpenAI every property is required and
    one that was optional may be null. Keywords that the mode does not know and that only
    restrict a value (lengths, most formats, defaults) are said in the description: what the
    model can send stays at least as wide, and the arguments are validated locally in any case.

    Args:
        schema: JSON Schema of a tool's arguments; not changed.
        dialect: Whose strict mode.

    Returns:
        The converted schema, and the reasons, ``path: reason``, why it cannot say every valid
        call; with any of them it must not be sent as strict.
    """
    root = object_root(schema)
    uses = Counter(node["$ref"] for _, node in nodes(root) if "$ref" in node)
    work = _Work(root=root, dialect=_DIALECTS[dialect], uses=uses)
    converted = work.convert(root, "")
    if work.definitions:
        converted["$defs"] = work.definitions
    if dialect == "openai":
        work.faults.extend(openai_limits(converted))
    return converted, tuple(dict.fromkeys(work.faults))


@dataclass(slots=True, kw_only=True)
class _Work:
    root: JsonObject
    dialect: _Dialect
    uses: Counter[str]
    faults: list[str] = field(default_factory=list[str])
    definitions: JsonObject = field(default_factory=dict[str, Any])
    names: dict[int, str] = field(default_factory=dict[int, str])
    inside: list[int] = field(default_factory=list[int])
    made: int = 0
    level: int = 0

    @property
    def sized(self) -> bool:
        return "maxItems" in self.dialect.keywords

    def fault(self, path: str, reason: str) -> None:
        self.faults.append(f"{path or '(all arguments)'}: {reason}")

    def convert(self, schema: Any, path: str) -> JsonObject:
        self.made += 1
        if self.made > MAX_NODES:
            self.fault("", f"the schema has more than {MAX_NODES} parts")
            return {}
        if self.level > _MAX_LEVELS:
            self.fault("", f"the schema nests more than {_MAX_LEVELS} levels deep")
            return {}
        self.level += 1
        converted = self.write(self.spoken(normal(schema, self.root), path), path)
        self.level -= 1
        return converted

    def spoken(self, node: JsonObject, path: str) -> JsonObject:
        for key in _UNSAYABLE:
            if key in node:
                self.fault(path, f"'{key}' cannot be said in a strict schema")
        for part in node.get("allOf", ()):
            for key in part.keys() - set(SPOKEN):
                self.fault(path, f"its parts disagree on '{key}'")
        schemas = {key: inlined(node[key], self.root) for key in _SAID_SCHEMAS & node.keys()}
        return unmerged({**node, **schemas})

    def write(self, node: JsonObject, path: str) -> JsonObject:
        if "$ref" in node:
            return self.reference(node, path)
        if "anyOf" in node:
            return self.union(node, path)
        return self.typed(node, path)

    def reference(self, node: JsonObject, path: str) -> JsonObject:
        reference = node["$ref"]
        target = resolve(self.root, reference)
        if not is_object(target):
            self.fault(path, f"reference {reference!r} does not resolve inside the schema")
            return {}
        own = about(node, _BESIDE_REFERENCES)
        if own and self.stands_alone(target, reference):
            inside = self.convert(target, path)
            text = node.get("description") or inside.get("description")
            return {**inside, **own, **described(text, sentences(node, _BESIDE_REFERENCES))}
        converted = {"$ref": self.definition(target, reference, path)}
        return {**own, "anyOf": [converted]} if own else converted

    def stands_alone(self, target: JsonObject, reference: str) -> bool:
        # What is put around a reference is a union, and outside of OpenAI those are counted.
        once = not self.dialect.recursive and self.uses[reference] == 1
        return once or not target.keys() & _HOLDS_SCHEMAS

    def definition(self, target: JsonObject, reference: str, path: str) -> str:
        identity = id(target)
        if (target is self.root or identity in self.inside) and not self.dialect.recursive:
            self.fault(path, "refers back to what it is inside of, which is not supported")
        if target is self.root:
            return "#"
        if identity not in self.names:
            self.names[identity] = name = self.new_name(name_of(reference))
            self.definitions[name] = {}
            self.inside.append(identity)
            self.definitions[name] = self.convert(target, path)
            self.inside.pop()
        return f"#/$defs/{self.names[identity]}"

    def new_name(self, wanted: str) -> str:
        plain = name = re.sub(r"[^a-zA-Z0-9_.-]", "_", wanted) or "_"
        number = 2
        while name in self.definitions:
            name = f"{plain}_{number}"
            number += 1
        return name

    def union(self, node: JsonObject, path: str) -> JsonObject:
        if self.dialect.all_required and is_ambiguous(node["anyOf"], self.root):
            self.fault(path, "has members that no tag tells apart, with properties to leave out")
        branches: list[JsonObject] = []
        for branch in node["anyOf"]:
            converted = self.convert(branch, path)
            branches.extend(converted["anyOf"] if converted.keys() == {"anyOf"} else [converted])
        return {**about(node, SPOKEN), "anyOf": branches}

    def typed(self, node: JsonObject, path: str) -> JsonObject:
        kind = node.get("type")
        if node.get("not") == NOTHING["not"]:
            self.fault(path, "no value satisfies it")
        elif kind is None:
            self.fault(path, "has no type, any value would do")
        if kind is None:
            return about(node, SPOKEN)
        self.check_values(node, path)
        kept = {k: v for k, v in node.items() if k in self.dialect.keywords and self.takes(k, v)}
        inside: JsonObject = {}
        if kind == "object":
            inside = self.object(node, path)
        elif kind == "array":
            inside = {"items": self.items(node, path)}
        silent = [key for key in SPOKEN if key not in kept]
        return {**about(node, silent), "type": kind, **kept, **inside}

    def takes(self, key: str, value: Any) -> bool:
        if key == "format":
            return value in self.dialect.formats
        if key == "pattern":
            return _PLAIN_PATTERN.fullmatch(value) is not None
        return key != "minItems" or self.sized or value in (0, 1)

    def check_values(self, node: JsonObject, path: str) -> None:
        values = [*node.get("enum", ()), *([node["const"]] if "const" in node else ())]
        if any(json_type(value) in ("array", "object") for value in values):
            self.fault(path, "lists arrays or objects as its values, only scalars can be listed")

    def object(self, node: JsonObject, path: str) -> JsonObject:
        self.check_names(node, path)
        required = node.get("required", ())
        properties: JsonObject = {}
        for name, schema in node.get("properties", {}).items():
            place = f"{path}.{name}" if path else name
            properties[name] = self.convert(schema, place)
            if self.dialect.all_required and name not in required:
                properties[name] = self.optional(schema, properties[name], place)
        names = [name for name in properties if self.dialect.all_required or name in required]
        return {"properties": properties, "required": names, "additionalProperties": False}

    def check_names(self, node: JsonObject, path: str) -> None:
        declared = node.get("properties", {})
        closed = node.get("unevaluatedProperties", "properties" not in node)
        more = node.get("additionalProperties", closed)
        if more is not False or "patternProperties" in node:
            self.fault(path, "takes any names, a strict object has only those that it lists")
        for name in node.get("required", ()):
            if name not in declared:
                self.fault(path, f"requires {name!r}, which is not among its properties")

    def optional(self, schema: Any, converted: JsonObject, path: str) -> JsonObject:
        if nullable(schema, self.root):
            if not is_object(schema) or "default" not in schema:
                self.fault(path, "may be null or left out, a strict object cannot leave it out")
            return converted
        if "anyOf" in converted:
            return {**converted, "anyOf": [*converted["anyOf"], {"type": "null"}]}
        own: JsonObject = {k: converted[k] for k in ("title", "description") if k in converted}
        rest = {key: value for key, value in converted.items() if key not in own}
        return {**own, "anyOf": [rest, {"type": "null"}]}

    def items(self, node: JsonObject, path: str) -> JsonObject:
        place = f"{path}[]"
        prefix = node.get("prefixItems")
        if prefix is None:
            return self.convert(node.get("items", True), place)
        alike = all(item == prefix[0] for item in prefix)
        fixed = node.get("minItems") == node.get("maxItems") == len(prefix)
        if not (alike and fixed and self.sized):
            self.fault(path, "is a tuple, a strict array has items of one type")
        return self.convert(prefix[0], place)
