"""The formats of the providers, a module each."""

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, Protocol, runtime_checkable

from .._types import JsonObject, Spec, ToolCall, ToolResult
from ._foreign import Completed, Foreign
from ._wire import Stream

if TYPE_CHECKING:
    from . import (
        anthropic,
        bedrock,
        cohere,
        gemini,
        groq,
        mcp,
        mistral,
        ollama,
        openai,
        openai_responses,
    )

__all__ = [
    "FORMATS",
    "Format",
    "Stream",
    "anthropic",
    "bedrock",
    "cohere",
    "gemini",
    "get",
    "groq",
    "mcp",
    "mistral",
    "ollama",
    "openai",
    "openai_responses",
    "shows_output",
]


@runtime_checkable
class Format(Protocol):
    """What a format is: a module of these functions, or any object that has them."""

    def spec(self, spec: Spec, strict: bool = False) -> JsonObject:  # noqa: FBT001, FBT002 - a format's one choice
        """Return one tool in the provider's words.

        Args:
            spec: The tool.
            strict: Whether the provider's strict mode is wanted; it is flagged only if the
                schema loses nothing by it.
        """
        ...

    def strict_faults(self, spec: Spec) -> tuple[str, ...]:
        """Return why a tool cannot be strict, nothing if it can.

        Args:
            spec: The tool.
        """
        ...

    def tools(self, specs: Sequence[Spec], strict: bool = False) -> list[JsonObject]:  # noqa: FBT001, FBT002 - a format's one choice
        """Return what goes into ``tools=`` of a request.

        Args:
            specs: The tools, in order.
            strict: Whether the provider's strict mode is wanted for all of them.
        """
        ...

    def safe_name(self, name: str) -> str:
        """Return a tool's name under the provider's rule.

        Args:
            name: The tool's name.
        """
        ...

    def safe_parameter(self, name: str) -> str:
        """Return a parameter's name under the provider's rule.

        Args:
            name: The parameter's name.
        """
        ...

    def calls(self, response: object) -> list[ToolCall]:
        """Return the calls in a response, in order.

        Args:
            response: An object of the provider's SDK, the same as plain values, a stream, or
                calls.
        """
        ...

    def stream(self) -> Stream:
        """Return what puts the chunks of a stream together."""
        ...

    def assistant(self, response: object) -> list[JsonObject]:
        """Return the model's own turn as it must go back.

        Args:
            response: What was handed to `calls`.
        """
        ...

    def messages(self, results: Sequence[ToolResult]) -> list[JsonObject]:
        """Return the results of one turn as messages, in order.

        Args:
            results: One for each call of the turn.
        """
        ...


_MODULES: Final = {
    name: name.replace("-", "_")
    for name in (
        "openai",
        "openai-responses",
        "anthropic",
        "gemini",
        "bedrock",
        "mistral",
        "cohere",
        "groq",
        "ollama",
        "mcp",
    )
}
_WITHOUT_OUTPUT: Final = frozenset(
    f"{__name__}.{module}"
    for module in ("anthropic", "bedrock", "cohere", "groq", "mistral", "ollama", "openai")
)


class _Formats(Mapping[str, Format]):
    """The formats by name; each is loaded where it is first asked for."""

    def __getitem__(self, name: str) -> Format:
        module: Any = import_module(f".{_MODULES[name]}", __name__)
        made: Format = module
        return made

    def __iter__(self) -> Iterator[str]:
        return iter(_MODULES)

    def __len__(self) -> int:
        return len(_MODULES)


FORMATS: Final[Mapping[str, Format]] = _Formats()


def __getattr__(name: str) -> Any:
    if name not in _MODULES.values():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(f".{name}", __name__)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def get(name: object) -> Format:
    """Return a format.

    Args:
        name: A key of `FORMATS`, or a format itself; one of another's making may lack
            ``strict_faults``, ``safe_name`` and ``safe_parameter``.

    Raises:
        ValueError: There is no format of that name.
        TypeError: The object lacks a format's functions.

    Example:
        >>> get("openai").__name__
        'toolreg.formats.openai'
    """
    if isinstance(name, str):
        if name not in FORMATS:
            raise ValueError(f"there is no format {name!r}; there are: {', '.join(FORMATS)}")
        return FORMATS[name]
    if isinstance(name, Format):
        return name
    if isinstance(name, Foreign):
        return Completed(name)
    raise TypeError(f"{name!r} is no format: it lacks functions that `Format` describes")


def shows_output(made: object) -> bool:
    """Return whether a format may say what a tool returns; one of another's making may.

    Args:
        made: The format.

    Example:
        >>> shows_output(get("openai")), shows_output(get("mcp"))
        (False, True)
    """
    return not (isinstance(made, ModuleType) and made.__name__ in _WITHOUT_OUTPUT)
