"""The subset of JSON Schema that providers' strict modes enforce."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

from .._types import JsonObject
from .limits import openai_limits
from .normal import KEYWORDS, json_type, normal, nullable
from .refs import MAX_NODES, inline_refs, name_of, resolve
from .root import object_root
from .words import WORDS, described, sentences

__all__ = ["StrictDialect", "strict"]

StrictDialect: TypeAlias = Literal["openai", "anthropic", "bedrock"]

_FORMATS: Final = frozenset(
    {"date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "time", "uuid"}
)
_BOUNDS: Final = KEYWORDS["number"]
_SPOKEN: Final = ("deprecated", "uniqueItems", *WORDS)
_CONDITIONS: Final = ("dependentSchemas", "else", "if", "then")
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
        keywords=_BOUNDS | {"const", "enum", "format", "maxItems", "minItems", "pattern"},
        formats=_FORMATS,
        all_required=True,
        recursive=True,
    ),
    "anthropic": _Dialect(
        keywords=frozenset({"const", "enum", "format", "minItems", "pattern"}),
        formats=_FORMATS | {"uri"},
    ),
    "bedrock": _Dialect(
        keywords=frozenset({"const", "enum", "format", "minItems", "pattern"}),
        formats=_FORMATS | {"uri"},
    ),
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
    work = _Work(root=root, dialect=_DIALECTS[dialect])
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
    faults: list[str] = field(default_factory=list[str])
    definitions: JsonObject = field(default_factory=dict[str, Any])
    names: dict[int, str] = field(default_factory=dict[int, str])
    inside: list[int] = field(default_factory=list[int])
    made: int = 0

    def fault(self, path: str, reason: str) -> None:
        self.faults.append(f"{path or '(all arguments)'}: {reason}")

    def convert(self, schema: Any, path: str) -> JsonObject:
        self.made += 1
        if self.made > MAX_NODES:
            self.fault("", f"the schema has more than {MAX_NODES} parts")
            return {}
        node = normal(schema, self.root)
        for key in _CONDITIONS:
            if key in node:
                self.fault(path, f"'{key}' cannot be said in a strict schema")
        if "$ref" in node:
            return self.reference(node, path)
        if "anyOf" in node:
            return self.union(node, path)
        return self.typed(node, path)

    def reference(self, node: JsonObject, path: str) -> JsonObject:
        reference = node["$ref"]
        target = resolve(self.root, reference)
        if not isinstance(target, dict):
            self.fault(path, f"reference {reference!r} does not resolve inside the schema")
            return {}
        about = self.about(node, ("default", "deprecated", "examples"))
        if about and _is_leaf(target):
            inlined = self.convert(target, path)
            said = sentences(node, ("default", "deprecated", "examples"))
            text = node.get("description") or inlined.get("description")
            return {**inlined, **about, **described(text, said)}
        converted = {"$ref": self.definition(target, reference, path)}
        return {**about, "anyOf": [converted]} if about else converted

    def definition(self, target: JsonObject, reference: str, path: str) -> str:
        identity = id(target)
        if (target is self.root or identity in self.inside) and not self.dialect.recursive:
            self.fault(path, "refers back to what it is part of, recursion is not supported")
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
        if not node["anyOf"]:
            self.fault(path, "no value satisfies it")
        branches = [self.convert(branch, path) for branch in node["anyOf"]]
        return {**self.about(node, _SPOKEN), "anyOf": branches}

    def typed(self, node: JsonObject, path: str) -> JsonObject:
        kind = node.get("type")
        if kind is None:
            self.fault(path, "has no type, any JSON value would do")
            return self.about(node, _SPOKEN)
        known = {k: node[k] for k in self.dialect.keywords if k in node and self.takes(node, k)}
        self.check_values(node, path)
        made: JsonObject = {"type": kind}
        if kind == "object":
            known = self.object(node, path)
        elif kind == "array":
            known |= self.array(node, path)
        silent = [key for key in _SPOKEN if key not in known]
        return {**made, **self.about(node, silent), **known}

    def takes(self, node: JsonObject, key: str) -> bool:
        value = node[key]
        if key == "format":
            return value in self.dialect.formats
        if key == "pattern":
            return _PLAIN_PATTERN.fullmatch(value) is not None
        return key != "minItems" or self.dialect.all_required or value in (0, 1)

    def check_values(self, node: JsonObject, path: str) -> None:
        values = [*node.get("enum", ()), *([node["const"]] if "const" in node else ())]
        if any(json_type(value) in ("array", "object") for value in values):
            self.fault(path, "its values are arrays or objects, only scalars can be listed")

    def about(self, node: JsonObject, keys: Any) -> JsonObject:
        spoken = dict(node)
        if "contentSchema" in spoken:
            whole = {**spoken["contentSchema"], "$defs": self.root.get("$defs", {})}
            spoken["contentSchema"] = inline_refs(whole)
        said = sentences(spoken, keys)
        title = {"title": node["title"]} if "title" in node else {}
        return {**title, **described(node.get("description"), said)}

    def object(self, node: JsonObject, path: str) -> JsonObject:
        self.check_closed(node, path)
        required = node.get("required", [])
        properties: JsonObject = {}
        for name, schema in node.get("properties", {}).items():
            place = f"{path}.{name}" if path else name
            properties[name] = self.convert(schema, place)
            if self.dialect.all_required and name not in required:
                properties[name] = self.optional(schema, properties[name], place)
        names = [name for name in properties if self.dialect.all_required or name in required]
        return {"properties": properties, "required": names, "additionalProperties": False}

    def check_closed(self, node: JsonObject, path: str) -> None:
        more = node.get("additionalProperties", "properties" not in node)
        if more is not False or "patternProperties" in node:
            what = "any further names" if path == "" else "an object of any names"
            self.fault(path, f"takes {what}, a strict schema must list them all")

    def optional(self, schema: Any, converted: JsonObject, path: str) -> JsonObject:
        if nullable(schema, self.root):
            if not isinstance(schema, dict) or "default" not in schema:
                self.fault(path, "may be null or left out, in strict mode it cannot be left out")
            return converted
        if "anyOf" in converted:
            return {**converted, "anyOf": [*converted["anyOf"], {"type": "null"}]}
        own: JsonObject = {k: converted[k] for k in ("title", "description") if k in converted}
        rest = {k: v for k, v in converted.items() if k not in own}
        return {**own, "anyOf": [rest, {"type": "null"}]}

    def array(self, node: JsonObject, path: str) -> JsonObject:
        if "prefixItems" in node:
            return self.tuple(node, path)
        if not isinstance(node.get("items"), dict) or not node["items"]:
            self.fault(path, "its items have no type")
            return {"items": {}}
        return {"items": self.convert(node["items"], f"{path}[]")}

    def tuple(self, node: JsonObject, path: str) -> JsonObject:
        items, length = node["prefixItems"], len(node["prefixItems"])
        alike = all(item == items[0] for item in items)
        fixed = node.get("minItems") == node.get("maxItems") == length
        if not (alike and fixed and self.dialect.all_required):
            self.fault(path, "a tuple, a strict schema has only lists of one type")
        return {"items": self.convert(items[0], f"{path}[]")}


def _is_leaf(node: JsonObject) -> bool:
    return "enum" in node or node.get("type") in ("string", "integer", "number", "boolean")
