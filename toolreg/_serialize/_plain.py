"""Values that pydantic cannot write to ones that it can."""

import base64
import dataclasses
import enum
import operator
import os
import re
from collections.abc import Callable, Collection, Iterator
from typing import Any, Final

from pydantic_core import PydanticSerializationError, from_json, to_json, to_jsonable_python

from .._types import kind_of
from ._text import clean

__all__ = ["Unserializable", "carefully", "known", "raise_unless_of_value"]

_DEEPEST: Final = 250
_SCALARS: Final = (int, float, type(None))
_BYTES: Final = (bytes, bytearray, memoryview)
_ABSENT: Final = frozenset({"NaTType", "NAType"})  # pandas' own nulls
_INTERRUPTED: Final = re.compile(
    r"Error serializing to JSON: (\w+: Error calling function `\w*`: )?KeyboardInterrupt: "
)


class Unserializable(Exception):
    """A value that cannot be written as JSON.

    Args:
        problem: Names the type, such as ``a socket cannot be written as JSON``.
    """


def carefully(value: object) -> str:
    """Return a value as JSON, piece by piece.

    Args:
        value: One that pydantic alone could not write, or not as strict JSON.

    Raises:
        Unserializable: Something in it has no JSON form.
    """
    try:
        return to_json(_plain(value, _DEEPEST), inf_nan_mode="null").decode()
    except Unserializable:
        raise
    except BaseException as error:
        raise_unless_of_value(error)
        raise Unserializable(f"{_a(value)} cannot be written: {type(error).__name__}") from error


def raise_unless_of_value(error: BaseException) -> None:
    """Raise an error again, unless it is a fault of the value that was written."""
    # pydantic-core gives an interrupt as text and panics where code of the value's own raises.
    if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
        raise error
    if isinstance(error, PydanticSerializationError) and _INTERRUPTED.match(str(error)):
        raise KeyboardInterrupt from error


def _a(value: object) -> str:
    # A metaclass may answer for its classes' attributes, even by raising.
    name: str = type.__dict__["__name__"].__get__(type(value))
    return f"{'an' if name[:1] in 'aeiouAEIOU' else 'a'} {name}"


def _text(value: Any) -> str:
    if issubclass(type(value), str):
        return clean(str.__str__(value))
    raw = bytes(value)
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return base64.b64encode(raw).decode()


def _plain(value: Any, levels: int) -> Any:
    kind = kind_of(value)
    if issubclass(kind, _SCALARS):
        return value
    if issubclass(kind, (str, *_BYTES)):
        return _text(value)
    if not levels:
        raise Unserializable(f"a value is nested more than {_DEEPEST} levels deep, or in itself")
    if issubclass(kind, dict):
        return {_key(key): _plain(each, levels - 1) for key, each in value.items()}
    if issubclass(kind, list | tuple | set | frozenset):
        return [_plain(each, levels - 1) for each in value]
    return _plain(_simpler(value, kind), levels - 1)


def _simpler(value: Any, kind: type[Any]) -> Any:
    if issubclass(kind, Iterator):
        raise Unserializable(f"{_a(value)} cannot be read twice")
    if hasattr(kind, "__pydantic_serializer__"):
        return _dumped(value, kind.__pydantic_serializer__)
    if issubclass(kind, enum.Enum):
        return value.value
    if dataclasses.is_dataclass(kind):
        return {each.name: getattr(value, each.name) for each in dataclasses.fields(kind)}
    try:
        return to_jsonable_python(value)
    except (TypeError, ValueError):
        return known(value)


def _dumped(value: Any, serializer: Any) -> Any:
    try:
        return to_jsonable_python(value, fallback=known)
    except ValueError:
        return serializer.to_python(value, by_alias=True, fallback=known)


def _key(key: Any) -> str:
    if issubclass(type(key), (str, *_BYTES)):
        return _text(key)
    try:
        (name,) = from_json(to_json({key: None}, inf_nan_mode="null", fallback=known))
    except ValueError:
        return carefully(key)
    return str(name)


def known(value: object) -> Any:
    """Return an equivalent that pydantic can write.

    Args:
        value: An object of a type that pydantic does not know.

    Raises:
        Unserializable: There is none.
    """
    kind = type(value)
    if kind.__name__ in _ABSENT:
        return None
    for method, convert in _CONVERSIONS:
        if hasattr(kind, method):
            try:
                made = convert(value)
            except (AttributeError, OverflowError, TypeError, ValueError):
                continue
            if type(made) is not kind:
                return made
    raise Unserializable(f"{_a(value)} cannot be written as JSON")


def _labelled(frame: Any) -> Any:
    index = frame.index
    if index.inferred_type == "integer" and index.name is None:
        return frame
    if frame.ndim > 1:
        return frame.reset_index().to_dict(orient="records")
    return frame.to_dict() if index.is_unique else frame


def _moments(array: Any) -> Any:
    code = array.dtype.str[1:]
    return array.astype(f"{code[0]}8[us]").tolist() if code.endswith("8[ns]") else array


def _collected(value: Any) -> Any:
    return list(value) if issubclass(kind_of(value), Collection) else value


# Each by a method that some type has, most telling first; a conversion that raises, or gives
# the same type, passes to the next.
_CONVERSIONS: Final[tuple[tuple[str, Callable[[Any], Any]], ...]] = (
    ("release", bytes),  # memoryview
    ("reset_index", _labelled),  # pandas, with labels that are no row numbers
    ("to_dicts", lambda value: value.to_dicts()),  # polars
    ("to_dict", lambda value: value.to_dict(orient="records")),  # pandas
    ("to_pylist", lambda value: value.to_pylist()),  # pyarrow
    ("astype", _moments),  # numpy gives nanoseconds as integers
    ("tolist", lambda value: value.tolist()),
    ("to_list", lambda value: value.to_list()),
    ("item", lambda value: value.item()),
    ("__array__", lambda value: value.__array__().tolist()),
    ("limit_denominator", str),  # fractions, which pydantic before 2.12 does not know
    ("__fspath__", os.fspath),
    ("__index__", operator.index),  # int() would ask __int__, which may cut
    ("__float__", float),
    ("__complex__", complex),
    ("__int__", int),
    ("keys", lambda value: {key: value[key] for key in value.keys()}),  # noqa: SIM118
    ("__len__", _collected),
)
