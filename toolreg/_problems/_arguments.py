"""Faults of arguments."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, get_args

from pydantic_core.core_schema import ErrorType

from .._types import is_array, is_object
from ._line import LONGEST_NAME, line, quoted
from ._names import did_you_mean

__all__ = ["bad_json", "invalid_arguments", "not_an_object", "truncated"]

_PATH: Final = 200
_MESSAGE: Final = 200
_ARGUMENTS: Final = 2300
_MOST_FAULTS: Final = 20
_MOST_TEXTS: Final = 100
_TELLING: Final = 4  # a shorter text may stand in a message by chance
_SHORTEST_NUMBER: Final = 1000
_LONGEST_NUMBER: Final = 10**300  # text of a much longer one cannot be had
_ABSENT: Final = object()
_OR: Final = " or "
_KEY: Final = "[key]"  # pydantic's step to the key of a dict, not its value
_AGAIN: Final = "The tool did not run; call it again with one JSON object as its arguments."

_MISSING: Final = {
    "missing": "missing, required",
    "missing_argument": "missing, required",
    "missing_keyword_only_argument": "missing, required",
    "missing_positional_only_argument": "missing, required",
}
_UNKNOWN_NAME: Final = frozenset({"extra_forbidden", "unexpected_keyword_argument"})
_OBJECT: Final = "should be an object"
_ARRAY: Final = "should be an array"
_FIXED: Final[Mapping[str, str]] = {
    **_MISSING,
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
    "string_type": "should be a valid string",
    "bool_type": "should be a valid boolean",
    "bool_parsing": "should be a valid boolean",
    "int_type": "should be a valid integer",
    "int_parsing": "should be a valid integer",
    "float_type": "should be a valid number",
    "float_parsing": "should be a valid number",
    "uuid_parsing": "should be a valid UUID",
    "complex_type": "should be a complex number such as '1+2j'",
    "complex_str_parsing": "should be a complex number such as '1+2j'",
}
# Texts of these hold nothing of the input; those of validators may.
_PYDANTIC: Final = frozenset(get_args(ErrorType)) - {"value_error", "assertion_error"}


def bad_json(reason: str) -> str:
    """Say that arguments are no JSON.

    Args:
        reason: What is wrong and where, as the parser says it.
    """
    said = line(reason.removeprefix("Invalid JSON: "), _MESSAGE).rstrip(".")
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


def invalid_arguments(
    errors: Sequence[Mapping[str, Any]],
    names: Sequence[str],
    tool: str,
    *,
    data: object = _ABSENT,
) -> str:
    """Say every fault of the arguments, a line each; at most 20, then a count.

    Args:
        errors: As pydantic's ``ValidationError.errors()`` gives them, with context and input.
        names: The arguments the tool has.
        tool: The tool's name.
        data: The arguments that failed. They are not shown; with them the faults of the members
            of a union are told from each other.
    """
    chosen = errors if len(errors) <= _MOST_FAULTS else _telling(errors)
    lines: dict[str, str] = {}
    for error in chosen:
        where, said = _fault(error, names, data)
        if where not in lines:
            lines[where] = said
        elif said not in lines[where].split(_OR):
            lines[where] += f"{_OR}{said}"
    text = f"The arguments of {tool} are invalid:"
    for where, said in lines.items():
        text += f"\n{where}: {said}"
    if len(chosen) == len(errors) and len(text) <= _ARGUMENTS:
        return text
    while len(text) > _ARGUMENTS:
        text = text[: text.rindex("\n")]
        lines.popitem()
    left = len(errors) - sum(_fault(error, names, data)[0] in lines for error in chosen)
    return f"{text}\n… and {left} more faults ({len(errors)} in all)"


def _telling(errors: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    # The first of each kind of fault before the hundredth of one list.
    seen: Counter[object] = Counter()
    ranked: list[tuple[int, int]] = []
    for index, error in enumerate(errors):
        where = tuple(0 if isinstance(step, int) else step for step in error["loc"])
        ranked.append((seen[error["type"], where], index))
        seen[error["type"], where] += 1
    return [errors[index] for index in sorted(each for _, each in sorted(ranked)[:_MOST_FAULTS])]


def _fault(error: Mapping[str, Any], names: Sequence[str], data: object) -> tuple[str, str]:
    kind = error["type"]
    steps, label = error["loc"], ""
    if len(steps) > 1:
        steps, label = _steps(error, data)
    where = _path(steps)
    if kind in _UNKNOWN_NAME:
        return where, _unknown(steps, names)
    said = _FIXED.get(kind) or line(_message(error), _MESSAGE)
    if label == _KEY:
        return f"{where} (key)", said
    return where, f"{said} (as {line(label, LONGEST_NAME)})" if label else said


def _unknown(steps: Sequence[str | int], names: Sequence[str]) -> str:
    if len(steps) != 1:
        return "unknown key"
    close = did_you_mean(str(steps[0]), names)
    guess = f"; did you mean {_OR.join(close)}?" if close else ""
    return f"unknown argument{guess}"


def _steps(error: Mapping[str, Any], data: Any) -> tuple[Sequence[str | int], str]:
    # Between the keys of the data pydantic names the members of unions; the last such name that
    # has keys behind it is returned too.
    where: Sequence[str | int] = error["loc"]
    last = len(where) - 1 if error["type"] in _MISSING else len(where)
    steps: list[str | int] = []
    label = waiting = ""
    for index, step in enumerate(where):
        if index == last or _holds(data, step):
            steps.append(step)
            label = waiting
            data = data[step] if index < last and data is not _ABSENT else data
        else:
            waiting = str(step)
    return steps, waiting if waiting == _KEY else label


def _holds(data: Any, step: str | int) -> bool:
    if data is _ABSENT:
        return step != _KEY
    if is_array(data):
        return isinstance(step, int) and step < len(data)
    return is_object(data) and step in data


def _message(error: Mapping[str, Any]) -> str:
    kind = error["type"]
    context = error.get("ctx", {})
    if kind == "union_tag_invalid":
        return f"{context['discriminator']} should be one of {context['expected_tags']}"
    if kind == "union_tag_not_found":
        return f"{context['discriminator']} is missing, required"
    said = str(error["msg"])
    if kind in _PYDANTIC:
        return said.removeprefix("Input ")
    for prefix in ("Value error, ", "Assertion failed, "):
        said = said.removeprefix(prefix)
    return _without(said, error.get("input"))


def _without(text: str, value: object) -> str:
    for each in sorted(_texts(value), key=len, reverse=True):
        for said in (each, repr(each)[1:-1]):
            if len(said) >= _TELLING:
                text = text.replace(said, "…")
            elif said in text:
                text = re.sub(rf"(?<!\w){re.escape(said)}(?!\w)", "…", text)
    return text


def _texts(value: Any) -> set[str]:
    found: set[str] = set()
    waiting: list[Any] = [value]
    while waiting and len(found) < _MOST_TEXTS:
        each = waiting.pop()
        if isinstance(each, str) and len(each) > 1:
            found.add(each)
        elif isinstance(each, int | float) and _SHORTEST_NUMBER <= abs(each) < _LONGEST_NUMBER:
            found.add(str(each))
        elif is_object(each):
            waiting.extend(each.values())
        elif is_array(each):
            waiting.extend(each)
    return found


def _path(where: Sequence[str | int]) -> str:
    path = ""
    for step in where:
        if isinstance(step, int):
            path += f"[{step}]"
        elif step.isidentifier() and len(step) <= LONGEST_NAME:
            path = f"{path}.{step}" if path else step
        else:
            path += f"[{quoted(step)}]"
    if len(path) > _PATH:
        return line(path, _PATH)
    return path or "arguments"
