"""Keywords of JSON Schema said in words."""

import json
from collections.abc import Iterable
from typing import Any, Final

from .._types import JsonObject

__all__ = ["WORDS", "described", "sentences", "text_of"]

# Every keyword here restricts or explains a value and hides none: what is only said in words
# is still enforced where the arguments are validated.
WORDS: Final = {
    "const": "Always",
    "contains": "Contains",
    "contentEncoding": "Encoding",
    "contentMediaType": "Media type",
    "contentSchema": "Content",
    "default": "Default",
    "dependentRequired": "Needed together",
    "enum": "One of",
    "examples": "Examples",
    "exclusiveMaximum": "Less than",
    "exclusiveMinimum": "Greater than",
    "format": "Format",
    "maxContains": "Containing at most",
    "maxItems": "Maximum items",
    "maxLength": "Maximum length",
    "maxProperties": "Maximum properties",
    "maximum": "Maximum",
    "minContains": "Containing at least",
    "minItems": "Minimum items",
    "minLength": "Minimum length",
    "minProperties": "Minimum properties",
    "minimum": "Minimum",
    "multipleOf": "Multiple of",
    "not": "Not",
    "pattern": "Pattern",
    "propertyNames": "Property names",
}
_BARE: Final = frozenset({"contentEncoding", "contentMediaType", "format", "pattern"})


def text_of(value: Any) -> str:
    """Return a value as compact JSON.

    Args:
        value: Plain JSON.
    """
    return json.dumps(value, ensure_ascii=False)


def sentences(node: JsonObject, keys: Iterable[str]) -> list[str]:
    """Return a sentence for each keyword that a node has.

    Args:
        node: A JSON Schema.
        keys: The keywords to speak of; those without words are passed over.
    """
    said: list[str] = []
    for key in keys:
        value = node.get(key)
        if key in ("uniqueItems", "deprecated"):
            said.extend(
                ["No item twice." if key == "uniqueItems" else "Deprecated."][: bool(value)]
            )
        elif key in WORDS and key in node and (key, value) != ("default", None):
            bare = key in _BARE and isinstance(value, str)
            said.append(f"{WORDS[key]}: {value if bare else text_of(value)}.")
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
