"""The records that pass between a loop, the library and a tool."""

import asyncio
import base64
import mimetypes
from collections.abc import Awaitable, Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Literal, Self, TypeAlias, TypeGuard

from pydantic_core import SchemaSerializer, core_schema, to_jsonable_python

from .errors import ToolError

__all__ = [
    "HINTS",
    "Audio",
    "File",
    "Image",
    "Injected",
    "JsonObject",
    "Kind",
    "Media",
    "MultiResult",
    "Part",
    "RawArguments",
    "Spec",
    "ToolCall",
    "ToolResult",
    "answered",
    "called",
    "is_array",
    "is_object",
    "kind_of",
    "may_hold_nan",
    "named",
    "plain_name",
]

JsonObject: TypeAlias = dict[str, Any]
RawArguments: TypeAlias = str | bytes | bytearray | Mapping[str, Any] | None

Kind = Literal[
    "success",
    "unknown_tool",
    "bad_json",
    "invalid_arguments",
    "denied",
    "approval_required",
    "tool_error",
    "exception",
    "timeout",
    "unserializable",
]

kind_of: Final[Callable[[object], type[Any]]] = type  # as checkers understand it of any value

_new: Final = object.__new__


def is_object(value: object) -> TypeGuard[JsonObject]:
    """Whether a JSON value is an object."""
    return isinstance(value, dict)


def is_array(value: object) -> TypeGuard[list[Any]]:
    """Whether a JSON value is an array."""
    return isinstance(value, list)


def may_hold_nan(text: str) -> bool:
    """Whether JSON text may hold one of JSON's unofficial numbers, NaN and the infinities."""
    # Most texts lack both letters, and to look for one letter takes a tenth of the time.
    return ("N" in text or "I" in text) and ("NaN" in text or "Infinity" in text)


_LONGEST_NAME: Final = 64
HINTS: Final = ("read_only", "destructive", "idempotent", "open_world")


@dataclass(frozen=True, slots=True, kw_only=True)
class Spec:
    """All that a model may know of a tool; what a format turns into a provider's words.

    Attributes:
        name: The tool's name, 1 to 64 of ``a-zA-Z0-9_-``.
        description: Text for the model, possibly empty.
        parameters: JSON Schema of the arguments, an object at its root.
        title: A name for people.
        output: JSON Schema of what the tool returns, where it could be described.
        hints: The tool annotations of the Model Context Protocol that were given, by the names
            in ``HINTS``.
        examples: Arguments objects as a model might send them.
        provider_options: Further keys by format, merged into that format's export.
        strict: Whether the provider's strict mode is wanted for this tool.
        closed: Whether names that the schema does not list are refused, though it may not say so.
    """

    name: str
    description: str = ""
    parameters: JsonObject = field(default_factory=dict[str, Any])
    title: str | None = None
    output: JsonObject | None = None
    hints: Mapping[str, bool] = field(default_factory=dict[str, bool])
    examples: Sequence[JsonObject] = ()
    provider_options: Mapping[str, JsonObject] = field(default_factory=dict[str, JsonObject])
    strict: bool = False
    closed: bool = False


@dataclass(slots=True)
class ToolCall:
    """What a model asks for.

    Attributes:
        name: The tool's name, as the model wrote it.
        arguments: JSON text, or a mapping, or None for no arguments.
        id: What the provider calls this call; echoed as it is.
        context: What injected parameters are taken from; wins over the context of the batch.
        kind: ``function``; ``custom`` where the arguments are free text; ``server`` where the
            provider runs the tool itself.
        extra: What the provider wants back unchanged.
        truncated: Whether the token limit may have cut the arguments; such a call is never run.
        made_id: Whether the id was made here because the provider gave none.
    """

    name: str
    arguments: RawArguments = None
    id: Any = None
    context: Any = field(default=None, repr=False)
    kind: Literal["function", "custom", "server"] = "function"
    extra: JsonObject | None = None
    truncated: bool = False
    made_id: bool = False

    def deny(self, reason: str = "") -> "ToolResult":
        """Return the result that says this call was not allowed.

        Args:
            reason: Why, for the model.
        """
        text = f"The call of {str(self.name)[:_LONGEST_NAME]!r} was denied"
        output = f"{text}: {reason}" if reason else f"{text}."
        return ToolResult(self.id, self.name, output, "denied", call=self)

    def to_dict(self) -> JsonObject:
        """Return the call as plain JSON values, without its context."""
        arguments = self.arguments
        if isinstance(arguments, bytes | bytearray):
            arguments = arguments.decode("utf-8", "replace")
        elif isinstance(arguments, Mapping):
            arguments = _plain(dict(arguments))
        return {
            "name": self.name,
            "arguments": arguments,
            "id": self.id,
            "kind": self.kind,
            "extra": _plain(self.extra),
            "truncated": self.truncated,
            "made_id": self.made_id,
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "ToolCall":
        """Return the call that `to_dict` wrote.

        Args:
            values: At least ``name``; other keys as in `to_dict`.
        """
        return cls(**values)


@dataclass(slots=True)
class _Content:
    data: bytes = field(default=b"", repr=False)
    media_type: str = "application/octet-stream"
    url: str | None = None
    name: str | None = None

    @classmethod
    def from_path(cls, path: str | Path) -> Self:
        """Read a file; its MIME type and name follow from the path."""
        guess = mimetypes.guess_type(str(path))[0]
        made = cls(Path(path).read_bytes(), name=Path(path).name)
        made.media_type = guess or made.media_type
        return made

    @property
    def base64(self) -> str:
        """The bytes as base64 text."""
        return base64.b64encode(self.data).decode("ascii")

    def __str__(self) -> str:
        kind = type(self).__name__.lower()
        name = f" {self.name}" if self.name else ""
        size = self.url or f"{len(self.data):,} bytes"
        return f"[{kind}{name}: {self.media_type}, {size}]"


@dataclass(slots=True)
class Image(_Content):
    """An image for the model: bytes, or an address the provider fetches.

    Args:
        data: The bytes of the file.
        media_type: Its MIME type.
        url: An address instead of bytes.
        name: The file's name.
    """

    media_type: str = "image/png"


@dataclass(slots=True)
class Audio(_Content):
    """A recording for the model.

    Args:
        data: The bytes of the file.
        media_type: Its MIME type.
        url: An address instead of bytes.
        name: The file's name.
    """

    media_type: str = "audio/wav"


@dataclass(slots=True)
class File(_Content):
    """A document for the model.

    Args:
        data: The bytes of the file.
        media_type: Its MIME type.
        url: An address instead of bytes.
        name: The file's name.
    """


Media: TypeAlias = Image | Audio | File


@dataclass(slots=True)
class Part:
    """One outcome of a call that has several, or one piece of its content.

    Attributes:
        text: What the model reads; for media, a few words in their place.
        is_error: Whether this part failed.
        value: What the tool gave.
        exception: What was raised instead.
        media: Content that is not text.
    """

    text: str
    is_error: bool = False
    value: Any = field(default=None, repr=False)  # its repr is code of its own
    exception: BaseException | None = field(default=None, repr=False)
    media: Media | None = None


@dataclass(slots=True)
class ToolResult:
    """What answers one call. Change it by `dataclasses.replace` alone.

    Attributes:
        call_id: The id of the call, as the caller gave it, or one made.
        name: The name that was called.
        output: Text for the model, always valid UTF-8.
        kind: How the call ended.
        value: What the tool returned.
        exception: What was raised, the original object.
        parts: The outcomes of a call that has several, or content that is not text.
        repairs: What had to be mended in the arguments.
        call: The call that is answered.
    """

    call_id: Any
    name: str
    output: str
    kind: Kind = "success"
    value: Any = field(default=None, repr=False)  # its repr is code of its own
    exception: BaseException | None = field(default=None, repr=False)
    parts: tuple[Part, ...] = ()
    repairs: tuple[str, ...] = ()
    call: ToolCall | None = None

    @property
    def is_error(self) -> bool:
        """Whether the call did anything but succeed."""
        return self.kind != "success"

    def to_dict(self) -> JsonObject:
        """Return the result as plain JSON values, without value, exception, and context."""
        return {
            "call_id": self.call_id,
            "name": self.name,
            "output": self.output,
            "kind": self.kind,
            "is_error": self.is_error,
            "parts": [_part_to_dict(part) for part in self.parts],
            "repairs": list(self.repairs),
            "call": None if self.call is None else self.call.to_dict(),
        }


def _plain(value: Any) -> Any:
    return to_jsonable_python(value, bytes_mode="base64", inf_nan_mode="constants", fallback=str)


def _plainly(kind: type[ToolCall] | type[ToolResult]) -> None:
    """Let pydantic write a record as its `to_dict`, so that a context never becomes text."""
    as_dict = core_schema.plain_serializer_function_ser_schema(kind.to_dict)
    written = core_schema.any_schema(serialization=as_dict)
    kind.__pydantic_serializer__ = SchemaSerializer(written)  # type: ignore[union-attr]  # pyright: ignore[reportAttributeAccessIssue]


_plainly(ToolCall)
_plainly(ToolResult)


def called(name: str, arguments: RawArguments, call_id: Any, context: Any) -> ToolCall:
    """Return a call of a function by its name, spared what a dataclass costs to call."""
    call = _new(ToolCall)
    call.name = name
    call.arguments = arguments
    call.id = call_id
    call.context = context
    call.kind = "function"
    call.extra = None
    call.truncated = False
    call.made_id = False
    return call


def named(call: ToolCall) -> ToolCall:
    """Return a call whose name is plain text, whatever a program gave it."""
    return call if type(call.name) is str else replace(call, name=plain_name(call.name))


def plain_name(name: Any) -> str:
    """Return a name as plain text; empty where it is none."""
    return str.__str__(name) if issubclass(kind_of(name), str) else ""


def answered(
    call: ToolCall, output: str, value: Any, repairs: tuple[str, ...], kind: Kind = "success"
) -> ToolResult:
    """Return the result of a call.

    It is made on every call, and to call a dataclass costs half as much again.
    """
    result = _new(ToolResult)
    result.call_id = call.id
    result.name = call.name
    result.output = output
    result.kind = kind
    result.value = value
    result.exception = None
    result.parts = ()
    result.repairs = repairs
    result.call = call
    return result


def _part_to_dict(part: Part) -> JsonObject:
    plain: JsonObject = {"text": part.text, "is_error": part.is_error}
    if part.media is not None:
        media = part.media
        plain["media"] = {
            "type": type(media).__name__.lower(),
            "media_type": media.media_type,
            "url": media.url,
            "data": media.base64,
        }
    return plain


class MultiResult:
    """Several outcomes of one call, each with its own success or failure.

    Args:
        outcomes: Values that succeeded; an exception among them is one that failed.

    Example:
        >>> outcomes = MultiResult(["one"])
        >>> outcomes.fail("two is missing")
        >>> with outcomes.catch():
        ...     raise ValueError("three broke")
        >>> len(outcomes)
        3
    """

    def __init__(self, outcomes: Iterable[object] = ()) -> None:
        self._outcomes = list(outcomes)

    def add(self, value: object) -> None:
        """Append a value that succeeded.

        Args:
            value: Anything a tool may return; also `Image`, `Audio`, `File`.
        """
        self._outcomes.append(value)

    def fail(self, text: str) -> None:
        """Append a failure.

        Args:
            text: What the model reads of it.
        """
        self._outcomes.append(ToolError(text))

    @contextmanager
    def catch(self) -> Generator[None]:
        """Append whatever exception the block raises as a failure."""
        try:
            yield
        except Exception as error:  # noqa: BLE001 - each failure keeps its siblings
            self._outcomes.append(error)

    @classmethod
    async def gather(cls, awaitables: Iterable[Awaitable[object]]) -> "MultiResult":
        """Await all at once and keep their outcomes in order; one failure costs no sibling.

        Args:
            awaitables: Coroutines, tasks or futures.
        """
        return cls(await asyncio.gather(*awaitables, return_exceptions=True))

    def __iter__(self) -> Iterator[object]:
        return iter(self._outcomes)

    def __len__(self) -> int:
        return len(self._outcomes)

    def __repr__(self) -> str:
        return f"MultiResult({self._outcomes!r})"


@dataclass(frozen=True, slots=True)
class Injected:
    """Mark a parameter that the program supplies and the model never sees.

    Used in ``Annotated[T, Injected]``, or ``Annotated[T, Injected(...)]``.

    Args:
        source: The key to look up in the context (by default the parameter's name), or a
            factory: called with the context if it takes a parameter; it may be async, or a
            generator with one ``yield`` that is closed after the call.
        whole: Pass the context itself.
    """

    source: str | Callable[..., Any] | None = None
    whole: bool = field(default=False, kw_only=True)
