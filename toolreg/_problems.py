"""Faults to text for the model."""

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

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

_NAME: Final = 64
_PATH: Final = 200
_MESSAGE: Final = 200
_EXCEPTION: Final = 2000
_ARGUMENTS: Final = 2300
_MOST_FAULTS: Final = 20
_MOST_NAMES: Final = 50
_MOST_MEMBERS: Final = 20
_PLAIN_KEY: Final = re.compile(r"[^\W\d]\w*")
_WORDS: Final = re.compile(r"[A-Z]?[^\W_A-Z]+|[A-Z]+(?![^\W_A-Z])")
_AGAIN: Final = "The tool did not run; call it again with one JSON object as its arguments."

_MISSING: Final = frozenset(
    {
        "missing",
        "missing_argument",
        "missing_keyword_only_argument",
        "missing_positional_only_argument",
    }
)
_UNKNOWN: Final = frozenset({"extra_forbidden", "unexpected_keyword_argument"})
_OBJECT: Final = "should be an object"
_ARRAY: Final = "should be an array"
_FIXED: Final[Mapping[str, str]] = {
    "model_type": _OBJECT,
    "model_attributes_type": _OBJECT,
    "dataclass_type": _OBJECT,
    "dict_type": _OBJECT,
    "mapping_type": _OBJECT,
    "list_type": _ARRAY,
    "tuple_type": _ARRAY,
    "set_type": _ARRAY,
    "frozen_set_type": _ARRAY,
    "deque_type": _ARRAY,
    "iterable_type": _ARRAY,
    "named_tuple_type": "should be an array or an object",
    "iteration_error": _ARRAY,
    "get_attribute_error": _OBJECT,
    "none_required": "should be null",
    "bool_parsing": "should be a boolean",
    "bool_type": "should be a boolean",
    "uuid_parsing": "should be a valid UUID",
    "complex_type": "should be a complex number such as '1+2j'",
    "complex_str_parsing": "should be a complex number such as '1+2j'",
}


def unknown_tool(name: object, known: Sequence[str]) -> str:
    """Say that there is no such tool.

    Args:
        name: What the model asked for, text or not.
        known: The names there are; the first 50 are listed.
    """
    if not isinstance(name, str) or not name:
        said = "The call names no tool."
        close = []
    else:
        said = f"There is no tool {_quoted(name)}."
        close = did_you_mean(name, known)
    guess = f" Did you mean {' or '.join(close)}?" if close else ""
    return f"{said}{guess} {_listed('tools', known)}"


def bad_json(reason: str) -> str:
    """Say that arguments are no JSON.

    Args:
        reason: What is wrong and where, as the parser says it.
    """
    said = _line(reason.removeprefix("Invalid JSON: "), _MESSAGE).rstrip(".")
    return f"The arguments are not valid JSON: {said}. {_AGAIN}"


def not_an_object(kind: str) -> str:
    """Say that arguments are JSON, yet no object.

    Args:
        kind: What they are instead, such as ``array``.
    """
    article = "an" if kind[:1] in set("aeiou") else "a"
    return f"The arguments must be one JSON object, not {article} {kind}. {_AGAIN}"


def truncated() -> str:
    """Say that the token limit may have cut the arguments."""
    return f"The token limit cut the arguments, so they are incomplete JSON. {_AGAIN}"


def invalid_arguments(errors: Sequence[Mapping[str, Any]], names: Sequence[str], tool: str) -> str:
    """Say every fault of the arguments, a line each.

    Args:
        errors: As pydantic's ``ValidationError.errors()`` gives them, with context and input.
        names: The arguments the tool has.
        tool: The tool's name.
    """
    lines = [f"The arguments of {tool} are invalid:"]
    room = _ARGUMENTS - len(lines[0])
    for error in errors[:_MOST_FAULTS]:
        line = _fault(error, names)
        room -= len(line) + 1
        if room < 0:
            break
        lines.append(line)
    rest = len(errors) - len(lines) + 1
    if rest:
        lines.append(f"… and {rest} more faults ({len(errors)} in all)")
    return "\n".join(lines)


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
        said = f"{type.__dict__['__name__'].__get__(type(error))} (its text cannot be read)"
    return _line(said, _EXCEPTION)


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
        value: What it returned.
        reason: What in it cannot be written.
    """
    said = f"The tool {tool} ran, but its result of type {type(value).__name__} has no JSON form"
    return _line(f"{said}: {reason}." if reason else f"{said}.", _EXCEPTION)


def did_you_mean(name: str, known: Sequence[str], n: int = 3) -> list[str]:
    """Return the known names closest to one that is not known, best first.

    Args:
        name: What was asked for.
        known: What there is.
        n: How many to return at most.
    """
    wanted = _normal(name[: 2 * _NAME])
    words = {word.casefold() for word in _WORDS.findall(name[: 2 * _NAME])}
    exact = [each for each in known if _normal(each) == wanted or _normal(each) in words]
    normal: dict[str, str] = {}
    for each in known:
        normal.setdefault(_normal(each), each)
    close = [normal[each] for each in difflib.get_close_matches(wanted, normal, n)]
    return list(dict.fromkeys(exact + close))[:n]


def _normal(name: str) -> str:
    return "".join(filter(str.isalnum, name.casefold()))


def _listed(what: str, names: Sequence[str]) -> str:
    if not names:
        return f"There are no {what}."
    more = len(names) - _MOST_NAMES
    tail = f" and {more} more" if more > 0 else ""
    return f"The {what} are: {', '.join(names[:_MOST_NAMES])}{tail}."


def _quoted(text: str) -> str:
    quoted = repr(text[:_NAME])
    if len(quoted) <= _NAME and len(text) <= _NAME:
        return quoted
    return f"{quoted[: _NAME - 2]}…{quoted[0]}"


def _line(text: str, limit: int) -> str:
    start = text if len(text) <= 4 * limit else text[: 2 * limit] + text[-2 * limit :]
    folded = " ".join(start.encode("utf-8", "backslashreplace").decode().split())
    if len(folded) <= limit:
        return folded
    tail = limit // 4
    return f"{folded[: limit - tail - 3]} … {folded[-tail:]}"


def _said(error: BaseException) -> str:
    text = str(error)
    said = type(error).__name__ + (f": {text[: _EXCEPTION * 4]}" if text.strip() else "")
    members: Sequence[BaseException] = getattr(error, "exceptions", ())
    if not isinstance(error, BaseExceptionGroup):
        return said
    return f"{said}: {'; '.join(map(exception, members[:_MOST_MEMBERS]))}"


def _fault(error: Mapping[str, Any], names: Sequence[str]) -> str:
    kind = error["type"]
    where = error["loc"]
    if kind in _UNKNOWN:
        said = "unknown argument" if len(where) == 1 else "unknown"
        close = did_you_mean(str(where[0]), names) if len(where) == 1 else []
        said += f"; did you mean {' or '.join(close)}?" if close else ""
    elif kind in _MISSING:
        said = "missing, required"
    else:
        said = _line(_message(error), _MESSAGE)
    return f"{_path(where)}: {said}"


def _message(error: Mapping[str, Any]) -> str:
    kind = error["type"]
    context = error.get("ctx", {})
    if kind in _FIXED:
        return _FIXED[kind]
    if kind == "union_tag_invalid":
        return f"{context['discriminator']} should be one of {context['expected_tags']}"
    if kind == "union_tag_not_found":
        return f"{context['discriminator']} is missing, required"
    return str(error["msg"]).removeprefix("Input ").removeprefix("Value error, ")


def _path(where: Iterable[str | int]) -> str:
    path = ""
    for step in where:
        if isinstance(step, int):
            path += f"[{step}]"
        elif len(step) <= _NAME and _PLAIN_KEY.fullmatch(step):
            path += f".{step}" if path else step
        else:
            path += f"[{_quoted(step)}]"
    return _line(path, _PATH) or "arguments"
