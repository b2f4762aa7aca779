"""JSON Schema to JSON Schema: what providers take of it.

Every function takes and returns plain dictionaries and changes none that it was given.
"""

from .any_value import typed
from .gemini import gemini
from .limits import count_optional, count_unions
from .ollama import ollama
from .refs import check_local_refs, inline_refs, resolve
from .root import object_root
from .strict import StrictDialect, strict

__all__ = [
    "StrictDialect",
    "check_local_refs",
    "count_optional",
    "count_unions",
    "gemini",
    "inline_refs",
    "object_root",
    "ollama",
    "resolve",
    "strict",
    "typed",
]
