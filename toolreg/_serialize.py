"""Values to text for the model."""

import base64
import dataclasses
import enum
import operator
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, Final

from pydantic_core import PydanticSerializationError, from_json, to_json, to_jsonable_python

from ._types import Audio, File, Image, MultiResult, Part
from .errors import ToolError

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

_DEEPEST: Final = 250
_MEDIA: Final = (Image, Audio, File)
_SCALARS: Final = (int, float, type(None))
_BYTES: Final = (bytes, bytearray, memoryview)
_ABSENT: Final = frozenset({"NaTType", "NAType"})  # pandas' own nulls
_INTERRUPTED: Final = re.compile(
    r"Error serializing to JSON: (\w+: Error calling function `\w*`: )?KeyboardInterrupt: "
)


class Unserializable(Exception):  # noqa: N818 - a state of the value, not of the library
    """A value that cannot be written as JSON.

    Args:
        problem: Names the type, such as ``a socket cannot be written as JSON``.
    """


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
    kind = type(value)
    if kind is str:
        text: Any = value
        return text if text.isascii() else clean(text)
    if issubclass(kind, str):
        return _text(value)
    try:
        if kind is int:
            return str(value)
        made = to_json(value, inf_nan_mode="null", fallback=_known).decode()
        if ("NaN" not in made and "Infinity" not in made) or _is_strict(made):
            return made
    except BaseException as error:  # noqa: BLE001 - what is not the value's is raised again
        _raise_unless_of_value(error)
    return _carefully(value)


def clean(text: str) -> str:
    """Return the text with each lone surrogate replaced by U+FFFD.

    Args:
        text: Any text; pairs of surrogates become the character they mean.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def cut(text: str, limit: int) -> str:
    r"""Return the text, shortened in its middle if it is longer than the limit.

    Args:
        text: Any text.
        limit: How many characters the result may have. A limit too small for the marker that
            says how much is missing gives the start of the text alone.

    Example:
        >>> cut("a" * 1000, 50)
        'aaaaaaaaaaaa\n[… 977 characters cut …]\naaaaaaaaaaa'
    """
    if len(text) <= limit:
        return text
    kept = limit - len(_marker(len(text)))
    if kept < 0:
        return text[: max(limit, 0)]
    head, tail = kept - kept // 2, kept // 2
    return text[:head] + _marker(len(text) - kept) + text[len(text) - tail :]


def pieces(value: Any) -> tuple[object, ...] | None:
    """Return the outcomes that a value consists of, or None if it is a single plain one.

    Args:
        value: Several outcomes are a `MultiResult`, `Image`, `Audio` or `File`, and a list or
            tuple that holds one of these three.
    """
    kind = _kind(value)
    if issubclass(kind, MultiResult):
        return tuple(value)
    if issubclass(kind, _MEDIA):
        return (value,)
    if kind is list or kind is tuple:
        kinds = set(map(type, value))
        return tuple(value) if any(issubclass(each, _MEDIA) for each in kinds) else None
    return None


def parts(
    outcomes: Iterable[object],
    *,
    failure: Callable[[BaseException], str],
    text: Callable[[Any], str] = to_text,
) -> tuple[Part, ...]:
    """Return one part an outcome.

    Args:
        outcomes: Values, media, and exceptions for those that failed.
        failure: Says an exception that is no `ToolError`.
        text: Writes a value; may raise `Unserializable`, which fails that part alone.
    """
    return tuple(_part(outcome, failure, text) for outcome in outcomes)


def join(made: Sequence[Part]) -> str:
    """Return the texts of all parts by blank lines, failed ones led by ``Error: ``.

    Args:
        made: What `parts` returned; none gives ``[]``.
    """
    if not made:
        return "[]"
    return "\n\n".join(f"Error: {part.text}" if part.is_error else part.text for part in made)


def error_text(error: ToolError, text: Callable[[Any], str] = to_text) -> str:
    """Return what a tool says by an error.

    Args:
        error: Its pieces are joined by blank lines; one without any gives its type's name.
        text: Writes a piece that is neither text nor media.
    """
    if type(error).__str__ is not BaseException.__str__:
        try:
            return clean(str(error))
        except Exception:  # noqa: BLE001 - the text of an error is code of its own
            return type(error).__name__
    said = parts(error.content, failure=repr, text=text)
    return "\n\n".join(part.text for part in said) if said else type(error).__name__


def _marker(missing: int) -> str:
    return f"\n[… {missing} characters cut …]\n"


def _part(
    outcome: Any, failure: Callable[[BaseException], str], text: Callable[[Any], str]
) -> Part:
    kind = _kind(outcome)
    if issubclass(kind, ToolError):
        return Part(error_text(outcome, text), is_error=True, exception=outcome)
    if issubclass(kind, BaseException):
        return Part(failure(outcome), is_error=True, exception=outcome)
    if issubclass(kind, _MEDIA):
        return Part(clean(str(outcome)), value=outcome, media=outcome)
    try:
        return Part(text(outcome), value=outcome)
    except Unserializable as error:
        return Part(str(error), is_error=True, value=outcome, exception=error)


def _is_strict(text: str) -> bool:
    try:
        from_json(text, allow_inf_nan=False)
    except ValueError:
        return False
    return True


def _raise_unless_of_value(error: BaseException) -> None:
    # pydantic-core gives an interrupt as text and panics where code of the value's own raises.
    if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
        raise error
    if isinstance(error, PydanticSerializationError) and _INTERRUPTED.match(str(error)):
        raise KeyboardInterrupt from error


def _carefully(value: object) -> str:
    try:
        return to_json(_plain(value, _DEEPEST), inf_nan_mode="null").decode()
    except Unserializable:
        raise
    except BaseException as error:
        _raise_unless_of_value(error)
        raise Unserializable(f"{_a(value)} cannot be written: {type(error).__name__}") from error


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
    kind = _kind(value)
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


def _kind(value: object) -> type[Any]:
    return type(value)


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
        return _known(value)


def _dumped(value: Any, serializer: Any) -> Any:
    try:
        return to_jsonable_python(value, fallback=_known)
    except ValueError:
        return serializer.to_python(value, by_alias=True, fallback=_known)


def _key(key: Any) -> str:
    if issubclass(type(key), (str, *_BYTES)):
        return _text(key)
    try:
        (name,) = from_json(to_json({key: None}, inf_nan_mode="null", fallback=_known))
    except ValueError:
        return to_text(key)
    return str(name)


def _known(value: object) -> Any:
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
    return list(value) if issubclass(_kind(value), Collection) else value


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
    ("__fspath__", os.fspath),
    ("__index__", operator.index),  # int() would ask __int__, which may cut
    ("__float__", float),
    ("__complex__", complex),
    ("__int__", int),
    ("keys", lambda value: {key: value[key] for key in value.keys()}),  # noqa: SIM118
    ("__len__", _collected),
)
