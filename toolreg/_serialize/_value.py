"""Values to text."""

from typing import Any, Final

from pydantic_core import from_json, to_json

from .._types import may_hold_nan
from ._plain import carefully, known, raise_unless_of_value
from ._text import clean

__all__ = ["to_text"]

_WORDS: Final[dict[Any, str]] = {None: "null", True: "true", False: "false"}


def to_text(value: object) -> str:
    """Return what the model reads of a value.

    Text stays as it is; everything else becomes compact JSON as pydantic writes it, with NaN as
    null and unescaped non-ASCII. Bytes that are no UTF-8 are written in base64, arrays as lists,
    frames as their records, numbers of other libraries by their value.

    Args:
        value: Whatever a tool returned. Iterators in it are consumed.

    Raises:
        Unserializable: The value, or something in it, has no JSON form.

    Example:
        >>> to_text({"a": (1, float("nan"))})
        '{"a":[1,null]}'
    """
    text: Any = value
    kind = type(value)
    if kind is str:
        return text if text.isascii() else clean(text)
    try:
        if kind is int:
            return str(value)
        if value is None or kind is bool:
            return _WORDS[value]
        if issubclass(kind, str):
            return clean(str.__str__(text))
        made = to_json(value, inf_nan_mode="null", fallback=known).decode()
        if not may_hold_nan(made) or _is_strict(made):
            return made
    except BaseException as error:  # noqa: BLE001 - what is not the value's is raised again
        raise_unless_of_value(error)
    return carefully(value)


def _is_strict(text: str) -> bool:
    try:
        from_json(text, allow_inf_nan=False)
    except ValueError:
        return False
    return True
