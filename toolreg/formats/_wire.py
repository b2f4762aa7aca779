"""What several formats share: plain values of SDK objects, ids, safe names."""

import binascii
import math
import re
import unicodedata
from abc import ABC, abstractmethod
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import partial
from typing import Any, Final, TypeGuard

from pydantic import BaseModel
from pydantic_core import from_json, to_json

from .._schema import object_root, typed
from .._serialize import clean
from .._types import JsonObject, RawArguments, Spec, ToolCall, ToolResult, is_array, is_object

__all__ = [
    "Stream",
    "arguments_schema",
    "call_id",
    "clean",
    "dig",
    "error_text",
    "given",
    "json_object",
    "json_text",
    "loose",
    "made_id",
    "mapping_of",
    "merge",
    "options",
    "plain",
    "record",
    "records",
    "rename",
    "safe",
    "text",
]

_DEEPEST: Final = 200
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"


class Stream(ABC):
    """A response that arrives piece by piece."""

    @abstractmethod
    def feed(self, chunk: object) -> list[ToolCall]:
        """Take the next chunk; return the calls it completes.

        Args:
            chunk: What the SDK yields, or the same as plain values.
        """

    @abstractmethod
    def response(self) -> JsonObject:
        """Return what has arrived, in the shape of a whole response."""

    @abstractmethod
    def calls(self) -> list[ToolCall]:
        """Return all calls so far, in order."""


def _is_mapping(value: object) -> TypeGuard[Mapping[Any, Any]]:
    return isinstance(value, Mapping)


def _is_sequence(value: object) -> TypeGuard[list[Any] | tuple[Any, ...]]:
    return isinstance(value, list | tuple)


def plain(value: object, *, nulls: bool = True) -> Any:
    """Return new plain JSON values for an object of an SDK.

    Args:
        value: A pydantic model, a dataclass, a mapping, a list, anything within them.
        nulls: Whether fields of models are kept as they were received; otherwise those that
            are None are left out (and defaults of the SDK are in).
    """
    return _plain(value, nulls=nulls, depth=_DEEPEST)


def _plain(value: Any, *, nulls: bool, depth: int) -> Any:
    if isinstance(value, str):
        return clean(str.__str__(value))  # also of members of enumerations
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, int) or depth == 0:
        return value
    down = partial(_plain, nulls=nulls, depth=depth - 1)
    if _is_mapping(value):
        return {clean(str(key)): down(item) for key, item in value.items()}
    if _is_sequence(value):
        return [down(item) for item in value]
    return down(_opened(value, nulls=nulls))


def _opened(value: object, *, nulls: bool) -> object:
    if isinstance(value, BaseModel):
        return _dumped(value, nulls=nulls)
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: getattr(value, f.name) for f in fields(value)}
    if isinstance(value, bytes | bytearray):
        return b64encode(value).decode("ascii")
    return str(value)


def _dumped(model: BaseModel, *, nulls: bool) -> JsonObject:
    try:
        return model.model_dump(
            mode="json", by_alias=True, exclude_unset=nulls, exclude_none=not nulls, warnings=False
        )
    except ValueError:  # nested more deeply than JSON mode goes
        return model.model_dump(
            by_alias=True, exclude_unset=nulls, exclude_none=not nulls, warnings=False
        )


def dig(value: Any, *path: str | int) -> Any:
    """Return what lies at a path of keys and positions, None where there is nothing.

    Args:
        value: Plain JSON values, as `plain` returns them.
        path: Keys of objects, positions in lists.
    """
    for step in path:
        if is_object(value) and isinstance(step, str):
            value = value.get(step)
        elif is_array(value) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def record(value: Any) -> JsonObject:
    """Return the value if it is a JSON object, else an empty one."""
    return value if is_object(value) else {}


def records(value: Any) -> list[JsonObject]:
    """Return the objects in a JSON list; of anything else, none."""
    return [item for item in value if is_object(item)] if is_array(value) else []


def text(value: object) -> str:
    """Return the value if it is text, else none."""
    return value if isinstance(value, str) else ""


def json_object(text: str) -> JsonObject | None:
    """Return the JSON object that the text is, None if it is anything else.

    Args:
        text: JSON text; ``NaN`` and ``Infinity`` are no JSON.
    """
    try:
        value = from_json(text, allow_inf_nan=False)
    except (ValueError, TypeError):  # a TypeError where a lone surrogate is in it
        return None
    return record(plain(value)) if is_object(value) else None


def json_text(value: object) -> str:
    """Return compact JSON."""
    return to_json(plain(value)).decode("utf-8")


def mapping_of(arguments: RawArguments) -> JsonObject:
    """Return arguments as the object some providers demand; broken text under one key.

    Args:
        arguments: As a call holds them.
    """
    if arguments is None:
        return {}
    if isinstance(arguments, Mapping):
        return record(plain(arguments))
    text = arguments if isinstance(arguments, str) else arguments.decode("utf-8", "replace")
    if not text.strip() or text.strip() == "null":
        return {}
    found = json_object(text)
    return {"INVALID_JSON": clean(text)} if found is None else found


def call_id(value: object) -> Any:
    """Return a provider's id as it is, None where it is none.

    The Mistral SDK writes ``"null"`` for an id that is missing.
    """
    is_id = isinstance(value, str | int) and not isinstance(value, bool)
    return value if is_id and value not in {"", "null"} else None


def made_id(seed: object, position: int) -> str:
    """Return nine letters and digits, the same for the same call of the same response.

    Args:
        seed: What sets the call apart from those of other turns.
        position: Where the call stands in its turn.
    """
    digest = binascii.crc32(json_text([seed, position]).encode("utf-8"))
    return f"{digest:08x}{_DIGITS[position % len(_DIGITS)]}"


def given(response: Any) -> list[ToolCall] | None:
    """Return the calls of what is no response: a stream, a call, a list of calls.

    Args:
        response: Whatever was handed to `calls`.
    """
    if isinstance(response, Stream):
        return response.calls()
    if isinstance(response, ToolCall):
        return [response]
    if not _is_sequence(response):
        return None
    calls = [item for item in response if isinstance(item, ToolCall)]
    return calls if calls and len(calls) == len(response) else None


def safe(
    name: str, allowed: str = "a-zA-Z0-9_-", *, first: str = "a-zA-Z_", length: int = 64
) -> str:
    """Return a fixed spelling of a name under a provider's rule; the name itself if it fits.

    Args:
        name: Any name.
        allowed: The characters there may be, as the inside of a regular expression's class.
        first: The characters it may begin with.
        length: How many there may be.
    """
    if re.fullmatch(f"[{first}][{allowed}]{{0,{length - 1}}}", name):
        return name
    fitting = re.compile(f"[{allowed}]")
    spelled = "".join(_spelled(character, fitting) for character in name)
    if not re.match(f"[{first}]", spelled):
        spelled = f"_{spelled}"
    if len(spelled) <= length:
        return spelled
    digest = binascii.crc32(name.encode("utf-8", "surrogatepass"))
    return f"{spelled[: length - 9]}_{digest:08x}"


def _spelled(character: str, fitting: re.Pattern[str]) -> str:
    if fitting.match(character):
        return character
    base = unicodedata.normalize("NFKD", character)[0]
    if base != character and base.isascii() and fitting.match(base):
        return base
    return "_" if character.isascii() else f"_u{ord(character):04x}"


def rename(schema: JsonObject, spelling: Callable[[str], str]) -> JsonObject:
    """Return the schema with its top-level properties spelled another way.

    Args:
        schema: JSON Schema of an object.
        spelling: A name -> the name for the provider.
    """
    if "properties" not in schema:
        return schema
    renamed = dict(schema)
    renamed["properties"] = {spelling(name): s for name, s in schema["properties"].items()}
    if "required" in schema:
        renamed["required"] = [spelling(name) for name in schema["required"]]
    return renamed


def arguments_schema(spec: Spec) -> JsonObject:
    """Return a tool's schema with a plain object at its root, as new values.

    Args:
        spec: The tool.
    """
    return object_root(spec.parameters, closed=spec.closed)


def loose(spec: Spec) -> JsonObject:
    """Return a tool's schema as it is sent where nothing enforces it.

    Args:
        spec: The tool.
    """
    return typed(arguments_schema(spec))


def options(spec: Spec, name: str) -> JsonObject:
    """Return a tool's own keys for a format, as new values.

    Args:
        spec: The tool.
        name: The format.
    """
    return record(plain(spec.provider_options.get(name, {})))


def merge(base: JsonObject, further: JsonObject) -> JsonObject:
    """Return both objects in one; of two objects under a key, both their keys.

    Args:
        base: What gives way.
        further: What wins.
    """
    merged = dict(base)
    for key, value in further.items():
        both = is_object(value) and is_object(merged.get(key))
        merged[key] = {**merged[key], **value} if both else value
    return merged


def error_text(result: ToolResult) -> str:
    """Return a result's text, never an empty one."""
    return clean(result.output) if result.output.strip() else f"The call failed: {result.kind}."
