"""The rules of a request's shape: keys, names, schemas."""

import re
from collections.abc import Collection
from typing import Any, get_args

import jsonschema_rs

from tests.servers.serving import Refused
from tests.strict_rules import DRAFT, Provider, root_violations, violations

__all__ = ["exactly", "function", "named", "schema", "text", "valid"]


def exactly(value: Any, where: str, required: Collection[str], optional: Collection[str] = ()):
    """Refuse what is no object, lacks a key, or has one that the provider does not know."""
    if not isinstance(value, dict):
        raise Refused(f"{where}: must be an object")
    for key in required:
        if key not in value:
            raise Refused(f"{where}.{key}: is missing")
    for key in value:
        if key not in {*required, *optional}:
            raise Refused(f"{where}.{key}: is unknown")


def text(value: Any, where: str, *, empty: bool = True):
    if not isinstance(value, str) or not (empty or value):
        raise Refused(f"{where}: must be text")
    if re.search("[\ud800-\udfff]", value):
        raise Refused(f"{where}: is no valid UTF-8")


def named(name: Any, where: str, pattern: str = r"[a-zA-Z0-9_-]{1,64}"):
    text(name, where)
    if not re.fullmatch(pattern, name):
        raise Refused(f"{where}: {name!r} does not match {pattern}")


def schema(value: Any, where: str, *, provider: Provider | str, strict: bool = False):
    """Refuse a schema that is invalid, or breaks what the provider's strict mode allows."""
    always = provider in ("gemini", "ollama")
    if strict and provider not in get_args(Provider):
        raise Refused(f"{where}: there is no strict mode")
    broken = violations(value, provider) if strict or always else root_violations(value)
    if broken:
        raise Refused(f"{where}: {broken}")


def valid(value: Any, where: str):
    """Refuse what is no JSON Schema."""
    if not isinstance(value, dict) or not jsonschema_rs.meta.is_valid({"$schema": DRAFT, **value}):
        raise Refused(f"{where}: is no JSON Schema")


def function(tool: Any, where: str, *, provider: str, strict: bool = True):
    """Check a tool of the shape ``{"type": "function", "function": {...}}``.

    Args:
        tool: The tool.
        where: Its place in the request.
        provider: Whose rules its schema follows.
        strict: Whether the provider knows the key.
    """
    exactly(tool, where, ["type", "function"])
    if tool["type"] != "function":
        raise Refused(f"{where}.type: {tool['type']!r} is unknown")
    inner, where = tool["function"], f"{where}.function"
    exactly(inner, where, ["name", "parameters"], ["description", *(["strict"] if strict else [])])
    named(inner["name"], f"{where}.name")
    if "description" in inner:
        text(inner["description"], f"{where}.description")
    if not isinstance(inner.get("strict", False), bool):
        raise Refused(f"{where}.strict: must be true or false")
    is_strict = inner.get("strict", False)
    schema(inner["parameters"], f"{where}.parameters", provider=provider, strict=is_strict)
