"""Keywords of JSON Schema said in words."""

import json
from collections.abc import Iterable
from typing import Any, Final

from .._types import JsonObject

__all__ = ["SPOKEN", "about", "described", "sentences", "text_of", "unmerged"]

# Each of these restricts or explains a value and hides none: what is only said in words is
# still enforced where the arguments are validated.
_LABELS: Final = {
    "enum": "One of",
    "const": "Always",
    "format": "Format",
    "pattern": "Pattern",
    "contentEncoding": "Encoding",
    "contentMediaType": "Media type",
    "contentSchema": "Content",
    "minLength": "Minimum length",
    "maxLength": "Maximum length",
    "minimum": "Minimum",
    "exclusiveMinimum": "Greater than",
    "maximum": "Maximum",
    "exclusiveMaximum": "Less than",
    "multipleOf": "Multiple of",
    "minItems": "Minimum items",
    "maxItems": "Maximum items",
    "contains": "Contains",
    "minContains": "Containing at least",
    "maxContains": "Containing at most",
    "propertyNames": "Property names",
    "minProperties": "Minimum properties",
    "maxProperties": "Maximum properties",
    "dependentRequired": "Needed together",
    "not": "Not",
    "default": "Default",
    "examples": "Examples",
}
_FLAGS: Final = {"uniqueItems": "No item twice.", "deprecated": "Deprecated."}
_BARE: Final = frozenset({"contentEncoding", "contentMediaType", "format", "pattern"})
SPOKEN: Final = (*_LABELS, *_FLAGS)


def text_of(value: Any) -> str:
    """Return a value as JSON text.

    Args:
        value: Plain JSON.
    """
    return json.dumps(value, ensure_ascii=False)


def sentences(node: JsonObject, keys: Iterable[str]) -> list[str]:
    """Return a sentence for each keyword that a node has.

    A default of null says no more than that the value may be left out, so it is passed over.

    Args:
        node: A JSON Schema.
        keys: The keywords to speak of, some of ``SPOKEN``.
    """
    said: list[str] = []
    for key in keys:
        if key not in node:
            continue
        value = node[key]
        if key in _FLAGS:
            said.extend([_FLAGS[key]] if value else [])
        elif (key, value) != ("default", None):
            said.append(f"{_LABELS[key]}: {value if key in _BARE else text_of(value)}.")
    return said


def described(description: Any, said: Iterable[str]) -> JsonObject:
    """Return the ``description`` of a node with further sentences, or nothing if it is empty.

    Args:
        description: What there is, possibly None.
        said: Sentences to add; one that is there already is not repeated.
    """
    text = description.strip() if isinstance(description, str) else ""
    for sentence in said:
        if sentence not in text:
            stop = "" if not text or text[-1] in ".!?:;" else "."
            text = f"{text}{stop} {sentence}".strip()
    return {"description": text} if text else {}


def unmerged(node: JsonObject) -> JsonObject:
    """Return a node with what its ``allOf`` still holds said in the description instead.

    Args:
        node: A node in its plain form, where only what could not be merged is left there.
    """
    parts: list[JsonObject] = node.get("allOf", [])
    said = [text for part in parts for text in sentences(part, SPOKEN)]
    rest = {key: value for key, value in node.items() if key != "allOf"}
    return {**rest, **described(node.get("description"), said)}


def about(node: JsonObject, keys: Iterable[str]) -> JsonObject:
    """Return title and description of a node, with a sentence for each keyword it has.

    Args:
        node: A JSON Schema.
        keys: The keywords to speak of, some of ``SPOKEN``.
    """
    title = {"title": node["title"]} if "title" in node else {}
    return {**title, **described(node.get("description"), sentences(node, keys))}
