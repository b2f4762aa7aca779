"""Values to text for the model."""

from ._parts import error_text, join, parts, pieces
from ._plain import Unserializable
from ._text import clean, cut
from ._value import to_text

__all__ = [
    "Unserializable",
    "clean",
    "cut",
    "error_text",
    "join",
    "parts",
    "pieces",
    "to_text",
]
