"""The exceptions a programmer can catch.

::

    Exception
    ├── ToolregError
    │   ├── ToolDefinitionError (also TypeError)
    │   │   └── DuplicateToolError
    │   └── UnknownToolError (also KeyError)
    └── ToolError            raised by tools, never by the library
"""

from collections.abc import Iterable
from dataclasses import dataclass

__all__ = [
    "DuplicateToolError",
    "Fault",
    "ToolDefinitionError",
    "ToolError",
    "ToolregError",
    "UnknownToolError",
]


class ToolregError(Exception):
    """Any error of the library's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing that is wrong with a definition.

    Attributes:
        function: The function or tool it is about.
        parameter: The parameter, or None where the whole definition is meant.
        problem: What is wrong.
        cure: What to do.
    """

    function: str
    problem: str
    cure: str
    parameter: str | None = None

    def __str__(self) -> str:
        where = "" if self.parameter is None else f"parameter '{self.parameter}' "
        return f"{self.function}(): {where}{self.problem}; {self.cure}"


class ToolDefinitionError(ToolregError, TypeError):
    """A function cannot be made a tool as it is.

    Raised where the tool is defined, with every fault of the definition.

    Args:
        faults: What is wrong, one record a fault.

    Attributes:
        faults: The same records, as a tuple.
    """

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))

    def __reduce__(self) -> tuple[type["ToolDefinitionError"], tuple[tuple[Fault, ...]]]:
        return type(self), (self.faults,)


class DuplicateToolError(ToolDefinitionError):
    """A registry already holds a tool of this name."""


class UnknownToolError(ToolregError, KeyError):
    """A registry holds no such tool."""

    def __str__(self) -> str:
        return Exception.__str__(self)


class ToolError(Exception):
    """Say something to the model: raised (or returned) by a tool.

    Its text always reaches the model, also where the text of other exceptions is masked.

    Args:
        content: Text, or several pieces: texts, `Image`, `Audio`, `File`.

    Example:
        >>> raise ToolError("no such order; try list_orders")
        Traceback (most recent call last):
        toolreg.errors.ToolError: no such order; try list_orders
    """

    @property
    def content(self) -> tuple[object, ...]:
        """What was given, piece by piece."""
        return self.args
