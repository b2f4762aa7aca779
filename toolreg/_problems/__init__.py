"""Faults to text for the model."""

from ._arguments import bad_json, invalid_arguments, not_an_object, truncated
from ._names import did_you_mean, unknown_tool
from ._outcomes import exception, masked, timeout, unserializable

__all__ = [
    "bad_json",
    "did_you_mean",
    "exception",
    "invalid_arguments",
    "masked",
    "not_an_object",
    "timeout",
    "truncated",
    "unknown_tool",
    "unserializable",
]
