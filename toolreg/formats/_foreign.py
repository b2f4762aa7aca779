"""Formats of others, which need not have every function of ours."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from .._types import JsonObject, Spec, ToolCall, ToolResult
from ._wire import Stream

__all__ = ["Completed", "Foreign"]


@runtime_checkable
class Foreign(Protocol):
    """The functions without which nothing is a format."""

    def spec(self, spec: Spec, strict: bool = False) -> JsonObject: ...  # noqa: FBT001, FBT002 - as in Format
    def tools(self, specs: Sequence[Spec]) -> list[JsonObject]: ...
    def calls(self, response: object) -> list[ToolCall]: ...
    def stream(self) -> Stream: ...
    def assistant(self, response: object) -> list[JsonObject]: ...
    def messages(self, results: Sequence[ToolResult]) -> list[JsonObject]: ...


@dataclass(frozen=True)
class Completed:
    """A foreign format with the functions that it may leave out."""

    base: Foreign

    def spec(self, spec: Spec, strict: bool = False) -> JsonObject:  # noqa: FBT001, FBT002 - as in Format
        return self.base.spec(spec, strict)

    def strict_faults(self, spec: Spec) -> tuple[str, ...]:  # noqa: ARG002 - as in Format
        return ("the format does not say whether its tools can be strict",)

    def tools(self, specs: Sequence[Spec], strict: bool = False) -> list[JsonObject]:  # noqa: FBT001, FBT002 - as in Format
        return self.base.tools([replace(s, strict=strict or s.strict) for s in specs])

    def safe_name(self, name: str) -> str:
        return name

    def safe_parameter(self, name: str) -> str:
        return name

    def calls(self, response: object) -> list[ToolCall]:
        return self.base.calls(response)

    def stream(self) -> Stream:
        return self.base.stream()

    def assistant(self, response: object) -> list[JsonObject]:
        return self.base.assistant(response)

    def messages(self, results: Sequence[ToolResult]) -> list[JsonObject]:
        return self.base.messages(results)
