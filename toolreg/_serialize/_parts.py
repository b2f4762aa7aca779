"""Several outcomes to the parts of one answer."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from .._types import Audio, File, Image, Media, MultiResult, Part, kind_of
from ..errors import ToolError
from ._plain import Unserializable
from ._text import clean
from ._value import to_text

__all__ = ["error_text", "join", "parts", "pieces"]

_MEDIA: Final = (Image, Audio, File)
_TEXTUAL: Final = frozenset((str, int, float, bool, type(None), dict, list, tuple))


def pieces(value: Any) -> tuple[object, ...] | None:
    """Return the outcomes that a value consists of, or None if it is a single plain one.

    Args:
        value: Several outcomes are a `MultiResult`, `Image`, `Audio` or `File`, and a list or
            tuple that holds one of these three.
    """
    kind = kind_of(value)
    if kind is list or kind is tuple:
        try:
            if _TEXTUAL.issuperset(map(kind_of, value)):
                return None
            kinds: Iterable[type[Any]] = set(map(kind_of, value))
        except Exception:  # noqa: BLE001 - the hash of a class may be code of its metaclass
            kinds = map(kind_of, value)
        return tuple(value) if any(issubclass(each, _MEDIA) for each in kinds) else None
    if issubclass(kind, MultiResult):
        return tuple(value)
    return (value,) if issubclass(kind, _MEDIA) else None


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


def _part(
    outcome: Any, failure: Callable[[BaseException], str], text: Callable[[Any], str]
) -> Part:
    kind = kind_of(outcome)
    if issubclass(kind, ToolError):
        return Part(error_text(outcome, text), is_error=True, exception=outcome)
    if issubclass(kind, BaseException):
        return Part(failure(outcome), is_error=True, exception=outcome)
    try:
        if issubclass(kind, _MEDIA):
            media = _plain_media(outcome)
            return Part(str(media), value=outcome, media=media)
        return Part(text(outcome), value=outcome)
    except Unserializable as error:
        return Part(str(error), is_error=True, value=outcome, exception=error)


def _plain_media(media: Any) -> Media:
    """Return content of which every field has its type and every text can be sent."""
    base = next(each for each in _MEDIA if issubclass(type(media), each))
    try:
        data = media.data if type(media.data) is bytes else bytes(memoryview(media.data))
        url = None if media.url is None else clean(str.__str__(media.url))
        name = None if media.name is None else clean(str.__str__(media.name))
        return base(data, clean(str.__str__(media.media_type)), url, name)
    except Exception as error:
        reason = "data must be bytes; media_type, url and name must be text"
        raise Unserializable(f"{base.__name__} content cannot be sent: {reason}") from error
