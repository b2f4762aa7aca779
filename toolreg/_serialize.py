"""Values to text for the model."""

import base64
import dataclasses
import enum
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, Final

from pydantic_core import from_json, to_json, to_jsonable_python

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

_DEEPEST: Final = 255
_MEDIA: Final = (Image, Audio, File)
_SCALARS: Final = (int, float, type(None))
_TEXTS: Final = (str, bytes, bytearray, memoryview)


class Unserializable(Exception):  # noqa: N818 - a state of the value, no failure of the library
    """A value that cannot be written as JSON; the text says which type and why.

    Args:
        problem: A phrase such as ``a socket cannot be written as JSON``.
    """


def to_text(value: object) -> str:
    """Return what the model reads of a value.

    Text stays as it is; everything else becomes compact JSON as pydantic writes it, with NaN as
    null and unescaped non-ASCII. Bytes are read as UTF-8, else written in base64.

    Args:
        value: Whatever a tool returned. Iterators in it are consumed.

    Raises:
        Unserializable: The value, or something in it, has no JSON form.

    Example:
        >>> to_text({"a": (1, float("nan"))})
        '{"a":[1,null]}'
    """
    if type(value) is str:
        return value if value.isascii() else clean(value)
    if issubclass(type(value), _TEXTS):
        return _text(value)
    try:
        raw = to_json(value, inf_nan_mode="null", fallback=_known)
    except Exception as error:
        if "KeyboardInterrupt" in str(error)[:50]:
            raise KeyboardInterrupt from error
    else:
        if b"NaN" not in raw and b"Infinity" not in raw:
            return raw.decode()
    return _strictly(value)


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
    if isinstance(value, MultiResult):
        return tuple(value)
    if isinstance(value, _MEDIA):
        return (value,)
    if not issubclass(type(value), list | tuple):
        return None
    has_media = any(issubclass(kind, _MEDIA) for kind in set(map(type, value)))
    return tuple(value) if has_media else None


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
        text: Writes a piece that is no media.
    """
    if type(error).__str__ is not BaseException.__str__:
        return clean(str(error))
    said = parts(error.content, failure=repr, text=text)
    return join(said) if said else type(error).__name__


def _marker(missing: int) -> str:
    return f"\n[… {missing} characters cut …]\n"


def _part(
    outcome: object,
    failure: Callable[[BaseException], str],
    text: Callable[[Any], str],
) -> Part:
    if isinstance(outcome, ToolError):
        return Part(error_text(outcome, text), is_error=True, exception=outcome)
    if isinstance(outcome, BaseException):
        return Part(failure(outcome), is_error=True, exception=outcome)
    if isinstance(outcome, _MEDIA):
        return Part(clean(str(outcome)), value=outcome, media=outcome)
    try:
        return Part(text(outcome), value=outcome)
    except Unserializable as error:
        return Part(str(error), is_error=True, value=outcome, exception=error)


def _text(value: Any) -> str:
    if isinstance(value, str):
        return clean(str.__str__(value))
    raw = bytes(value)
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return base64.b64encode(raw).decode()


def _strictly(value: object) -> str:
    try:
        return to_json(_plain(value, _DEEPEST), inf_nan_mode="null").decode()
    except Unserializable:
        raise
    except Exception as error:
        raise Unserializable(f"{_a(value)} cannot be written: {type(error).__name__}") from error


def _a(value: object) -> str:
    name = type(value).__name__
    return f"{'an' if name[:1] in 'aeiouAEIOU' else 'a'} {name}"


def _plain(value: Any, levels: int) -> Any:
    kind = _kind(value)
    if issubclass(kind, _SCALARS):
        return value
    if issubclass(kind, _TEXTS):
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
    except ValueError:
        return _known(value)


def _dumped(value: Any, serializer: Any) -> Any:
    try:
        return to_jsonable_python(value, fallback=_known)
    except ValueError:
        return serializer.to_python(value, by_alias=True, fallback=_known)


def _key(key: Any) -> str:
    if issubclass(type(key), _TEXTS):
        return _text(key)
    try:
        (name,) = from_json(to_json({key: None}, inf_nan_mode="null", fallback=_known))
    except ValueError:
        return to_text(key)
    return str(name)


def _known(value: object) -> Any:
    kind = type(value)
    for method, convert in _CONVERSIONS:
        if hasattr(kind, method):
            try:
                made = convert(value)
            except (TypeError, ValueError, OverflowError):
                continue
            if type(made) is not kind:
                return made
    raise Unserializable(f"{_a(value)} cannot be written as JSON")


def _collected(value: Any) -> Any:
    return list(value) if issubclass(_kind(value), Collection) else value


_CONVERSIONS: Final[tuple[tuple[str, Callable[[Any], Any]], ...]] = (
    ("release", bytes),
    ("to_dicts", lambda value: value.to_dicts()),
    ("iloc", lambda value: value.to_dict(orient="records")),
    ("tolist", lambda value: value.tolist()),
    ("to_list", lambda value: value.to_list()),
    ("item", lambda value: value.item()),
    ("__index__", int),
    ("__float__", float),
    ("__complex__", complex),
    ("keys", dict),
    ("__len__", _collected),
)
