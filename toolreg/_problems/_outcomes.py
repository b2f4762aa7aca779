"""Failures of tools."""

import re
from collections.abc import Sequence
from typing import Any, Final

from pydantic_core import ValidationError

from ._line import line

__all__ = ["exception", "masked", "timeout", "unserializable"]

_LONGEST: Final = 2000
_MOST_MEMBERS: Final = 20
_VISIT: Final = re.compile(r"\s+For further information visit \S+")


def exception(error: BaseException) -> str:
    """Return ``Type: message`` of an exception in one line of at most 2,000 characters.

    Args:
        error: Any exception, also one whose text cannot be had. A group names its members.
    """
    try:
        said = _said(error)
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001 - the text of an error is code of its own
        said = f"{_type_name(error)} (its text cannot be read)"
    return line(said, _LONGEST)


def masked(tool: str) -> str:
    """Say that a tool failed, and no more.

    Args:
        tool: The tool's name.
    """
    return f"The tool {tool} failed; the reason is not shown."


def timeout(tool: str, seconds: float) -> str:
    """Say that a tool took too long.

    Args:
        tool: The tool's name.
        seconds: The limit.
    """
    return f"The tool {tool} timed out after {seconds:g} s."


def unserializable(tool: str, value: object, reason: str = "") -> str:
    """Say that a tool's value cannot be written.

    Args:
        tool: The tool's name.
        value: What it returned, if it is here.
        reason: What in it cannot be written.
    """
    kind = "" if value is None else f" of type {_type_name(value)}"
    said = f"The tool {tool} ran, but its result{kind} has no JSON form"
    return line(f"{said}: {reason}." if reason else f"{said}.", _LONGEST)


def _said(error: BaseException) -> str:
    text = str(error)
    if isinstance(error, ValidationError):
        text = _VISIT.sub("", text)
    said = type(error).__name__ + (f": {text}" if text.strip() else "")
    if not isinstance(error, BaseExceptionGroup):
        return said
    return f"{said}: {'; '.join(map(exception, _members(error)[:_MOST_MEMBERS]))}"


def _type_name(value: object) -> str:
    # A metaclass may answer for its classes' attributes, even by raising.
    name: str = type.__dict__["__name__"].__get__(type(value))
    return name


def _members(group: Any) -> Sequence[BaseException]:
    members: Sequence[BaseException] = group.exceptions
    return members
