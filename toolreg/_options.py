"""What can be said of a tool, and of all tools of a registry."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final, TypedDict

from pydantic import BaseModel

from ._arguments import Extra, Inject
from ._execute import Approve, Mask
from ._remote import Pool
from ._threads import Workers
from ._types import JsonObject, ToolCall

__all__ = ["WORKERS", "Options", "Settings", "ToolOptions"]

WORKERS: Final = 64
_workers: Final = Workers(WORKERS)


class ToolOptions(TypedDict, total=False):
    """What can be said of a tool where it is defined; the README has the table."""

    name: str | None
    description: str | None
    title: str | None
    tags: Iterable[str]
    timeout: float | None
    requires_approval: bool | Callable[[ToolCall], Any]
    strict: bool
    extra: Extra | None
    examples: Sequence[JsonObject]
    hints: Mapping[str, bool]
    parameters: type[BaseModel] | JsonObject | None
    inject: Inject
    serializer: Callable[[Any], str] | None
    max_output: int | None
    run_in_thread: bool
    sequential: bool
    require_descriptions: bool
    provider_options: Mapping[str, JsonObject]


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of one tool, as given."""

    name: str | None = None
    description: str | None = None
    title: str | None = None
    tags: Iterable[str] = ()
    timeout: float | None = None
    requires_approval: bool | Callable[[ToolCall], Any] = False
    strict: bool = False
    extra: Extra | None = None
    examples: Sequence[JsonObject] = ()
    hints: Mapping[str, bool] = field(default_factory=dict[str, bool])
    parameters: type[BaseModel] | JsonObject | None = None
    inject: Inject = ()
    serializer: Callable[[Any], str] | None = None
    max_output: int | None = None
    run_in_thread: bool = True
    sequential: bool = False
    require_descriptions: bool = False
    provider_options: Mapping[str, JsonObject] = field(default_factory=dict[str, JsonObject])

    def __post_init__(self) -> None:
        tags = (self.tags,) if isinstance(self.tags, str) else tuple(self.tags)
        object.__setattr__(self, "tags", tags)
        inject = (self.inject,) if isinstance(self.inject, str) else self.inject
        object.__setattr__(self, "inject", inject)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a registry says for its tools; an option of the tool wins."""

    inject: tuple[Inject, ...] = ()
    extra: Extra = "forbid"
    timeout: float | None = None
    max_output: int | None = None
    mask_errors: Mask = False
    approve: Approve | None = None
    executor: Executor | Pool | None = None
    workers: Workers = field(default=_workers, compare=False)

    def __deepcopy__(self, memo: dict[int, Any]) -> "Settings":
        return replace(self, workers=Workers(self.workers.limit))

    def __reduce__(self) -> tuple[Any, ...]:
        # Threads and pools of processes stay where they are.
        executor = None if isinstance(self.executor, Executor) else self.executor
        values = {item.name: getattr(self, item.name) for item in fields(self)}
        return _restored, ({**values, "executor": executor, "workers": self.workers.limit},)


def _restored(values: dict[str, Any]) -> Settings:
    limit = values.pop("workers")
    return Settings(**values, workers=_workers if limit == WORKERS else Workers(limit))
