"""Names to tools: decorate, add, select."""

import inspect
import logging
import os
import sys
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import partial
from types import FrameType, MethodType, TracebackType
from typing import Any, Final, Self, TypeVar, Unpack, overload
from weakref import WeakSet

from . import _marks
from ._annotations import Locals, Signature
from ._arguments import Extra, Inject
from ._definition import name_of, tool_spellings
from ._execute import Approve, Mask
from ._middleware import Middleware, Passage, Wrapper, middleware_of, through
from ._options import WORKERS, Options, Settings, ToolOptions
from ._remote import Pool
from ._threads import Workers, leave
from ._tool import Tool, action_of, make, options_of, settings_of, written_of
from ._toolset import Table, Toolset
from ._types import ToolCall
from .errors import DuplicateToolError, Fault, ToolDefinitionError

__all__ = ["Registry", "RegistryOptions", "Selection", "default_registry", "tool"]

F = TypeVar("F", bound="Callable[..., Any] | classmethod[Any, Any, Any] | staticmethod[Any, Any]")
W = TypeVar("W", bound=Wrapper)


log: Final = logging.getLogger("toolreg")

_registries: "WeakSet[Registry]" = WeakSet()


class RegistryOptions(ToolOptions, total=False):
    """What can be said of a tool where it is put into a registry."""

    replace: bool


class Registry(Toolset):
    """Names to tools: decorates functions, exports their specs, executes calls.

    Equal and hashable by identity. It may be used and changed from several threads.

    Args:
        name: What it is called in its repr.
        instructions: Text about its tools for a system prompt.
        inject: Parameters that the program supplies in all its tools: names, patterns, marker
            types, or a mapping of these to values or factories.
        extra: What becomes of arguments that a tool does not declare.
        timeout: Seconds a tool may take.
        max_output: Characters of output at most.
        mask_errors: Whether the text of exceptions is kept from the model; or what makes the
            text, of the exception and the tool.
        approve: Who allows the calls that need it: of the call and the tool, gives True, False or
            a reason; may be async.
        executor: Where blocking functions run when not in threads of its own; or what makes it,
            called on need, and again once it is broken. What was made so is the registry's own.
        workers: How many blocking functions run at once when they are awaited.

    Raises:
        ValueError: If there are no workers.

    Example:
        >>> registry = Registry()
        >>> @registry.tool
        ... def add(a: int, b: int = 1) -> int:
        ...     return a + b
        >>> registry.execute("add", '{"a": 19, "b": 23}').output
        '42'
    """

    def __init__(
        self,
        name: str | None = None,
        instructions: str | None = None,
        *,
        inject: Inject = (),
        extra: Extra = "forbid",
        timeout: float | None = None,
        max_output: int | None = None,
        mask_errors: Mask = False,
        approve: Approve | None = None,
        executor: Executor | Callable[[], Executor] | None = None,
        workers: int = WORKERS,
    ) -> None:
        if workers < 1:
            raise ValueError(f"workers must be at least 1, not {workers}")
        self.name = name
        self._settings = Settings(
            inject=_rules(inject),
            extra=extra,
            timeout=timeout,
            max_output=max_output,
            mask_errors=mask_errors,
            approve=approve,
            executor=_executor(executor),
            workers=Workers(workers),
        )
        self._instructions = instructions
        self._table = Table()
        self._put_middleware(())
        self._added: list[Registry] = []
        self._lock = threading.RLock()
        _registries.add(self)

    @property
    def _owner(self) -> object:
        return self._settings.workers

    @property
    def instructions(self) -> str:
        """Its own text and that of each registry added to it, for a system prompt."""
        family: dict[Registry, None] = {self: None}
        waiting: list[Registry] = [self]
        while waiting:
            added = [each for each in waiting.pop()._added if each not in family]
            family.update(dict.fromkeys(added))
            waiting += added
        return "\n\n".join(each._instructions for each in family if each._instructions)

    @overload
    def tool(self, func: F, /, **options: Unpack[RegistryOptions]) -> F: ...

    @overload
    def tool(self, /, **options: Unpack[RegistryOptions]) -> Callable[[F], F]: ...

    def tool(self, func: Any = None, /, **options: Any) -> Any:
        """Make a function a tool; the function itself is returned, unchanged.

        In the body of a class it marks the method, for registries that are given an instance.

        Args:
            func: The function; without it, options are taken and a decorator is returned.
            options: What can be said of a tool, and ``replace=True`` to put it in the place of
                one that has its name.

        Raises:
            ToolDefinitionError: If it cannot be made a tool; it holds every fault.
            DuplicateToolError: If there is a tool of this name.
        """
        frame = sys._getframe(1)
        replacing = options.pop("replace", False)
        decorate = partial(self._decorate, Options(**options), frame, replacing)
        return decorate if func is None else decorate(func)

    def _decorate(self, options: Options, frame: FrameType, replacing: bool, func: Any) -> Any:  # noqa: FBT001 - bound before the function comes
        if _marks.is_body(frame, func):
            _marks.mark(func, options)
        else:
            made = make(func, options, self._settings, Locals(frame))
            self._put([made], replacing=replacing)
        return func

    def add(
        self,
        source: Any,
        /,
        *,
        prefix: str = "",
        methods: bool = False,
        **options: Unpack[RegistryOptions],
    ) -> list[Tool]:
        """Add what a tool, a registry, an object or a function has; all of it, or nothing.

        Args:
            source: A `Tool`; another `Registry`, whose tools keep the approval, injection,
                masking and rules they have; an object with marked methods; or anything that can
                be called.
            prefix: Put before the names.
            methods: Whether every public method of the object becomes a tool.
            options: What is said of all that this brings; ``tags`` and ``inject`` are added to
                those that are there.

        Returns:
            The tools added.

        Raises:
            ToolDefinitionError: If something in it cannot be made a tool.
            DuplicateToolError: If there is a tool of one of the names.
        """
        replacing = options.pop("replace", False)
        inject = _rules(options.pop("inject", ()))
        found = self._found(source, Locals(sys._getframe(1)), methods=methods)
        made = [
            make(
                item.func,
                _under(item.options, prefix, item.func, options),
                replace(item.settings, inject=(*inject, *item.settings.inject)),
                item.written,
            )
            for item in found
        ]
        self._put(made, replacing=replacing)
        if isinstance(source, Registry):
            self._added.append(source)
        return made

    def _found(self, source: Any, names: Locals, *, methods: bool) -> list["_Found"]:
        """Return the functions of a source, each with its own options and settings."""
        mine = self._settings
        if isinstance(source, Tool):
            return [_of_tool(source, _joined(settings_of(source), mine))]
        if isinstance(source, Toolset):
            return [
                _of_tool(tool, replace(settings_of(tool), workers=mine.workers))
                for tool in list(source._table.tools.values())
            ]
        if not inspect.isclass(source):
            of = _marks.public if methods else _marks.marked
            bound = [_Found(method, given, mine, names) for method, given in of(source)]
            if bound:
                return bound
        if not callable(source):
            name = type(source).__name__
            problem = "has no tools in it and cannot be called"
            cure = "mark methods with `@registry.tool`, or pass `methods=True`"
            raise ToolDefinitionError([Fault(function=name, problem=problem, cure=cure)])
        return [_Found(source, Options(), mine, names)]

    def _put(self, tools: Sequence[Tool], *, replacing: bool) -> None:
        with self._lock:
            known, actions = self._table.tools, self._table.actions
            fresh: dict[str, Tool] = {}
            spelled: dict[str, str] = {}
            for tool in tools:
                old = fresh.get(tool.name) or (None if replacing else known.get(tool.name))
                if old is not None and not _same(old, tool):
                    raise DuplicateToolError([_duplicate(old, tool)])
                fresh[tool.name] = tool
                for spelling in (tool.name, *tool_spellings(tool.name)):
                    taken = actions.get(spelling)
                    owner = spelled.setdefault(spelling, tool.name)
                    if owner != tool.name or (taken is not None and taken.name != tool.name):
                        raise ToolDefinitionError([_collision(tool, spelling)])
            known.update(fresh)
            actions.update({spelling: action_of(fresh[name]) for spelling, name in spelled.items()})
            self._table.exports = {}

    def remove(self, key: str | Callable[..., Any], /) -> Tool:
        """Take a tool out, by its name or its function.

        Returns:
            The tool.

        Raises:
            UnknownToolError: If there is none.
        """
        with self._lock:
            tool = self[key]
            del self._table.tools[tool.name]
            for spelling in (tool.name, *tool_spellings(tool.name)):
                del self._table.actions[spelling]
            self._table.exports = {}
        return tool

    @overload
    def middleware(
        self, wrapper: W, /, *, tools: str | Sequence[str] = (), tags: str | Sequence[str] = ()
    ) -> W: ...

    @overload
    def middleware(
        self, /, *, tools: str | Sequence[str] = (), tags: str | Sequence[str] = ()
    ) -> Callable[[W], W]: ...

    def middleware(
        self,
        wrapper: Any = None,
        /,
        *,
        tools: str | Sequence[str] = (),
        tags: str | Sequence[str] = (),
    ) -> Any:
        """Put a generator function around the calls; the first added is outermost.

        Args:
            wrapper: Takes the call, yields the call that is to run, is sent its result, and
                returns the result that counts; without it, a decorator is returned.
            tools: Names or patterns of the tools it is for; all where empty.
            tags: Tags of the tools it is for; all where empty.

        Raises:
            ToolDefinitionError: If it is no generator function.
        """
        if wrapper is None:
            return partial(self.middleware, tools=tools, tags=tags)
        made = middleware_of(wrapper, tools=tools, tags=tags)
        with self._lock:
            self._put_middleware((*self._middleware, made))
        return wrapper

    def remove_middleware(self, wrapper: Wrapper, /) -> None:
        """Take a middleware out.

        Raises:
            ValueError: If it is not in.
        """
        with self._lock:
            left = tuple(item for item in self._middleware if item.wrapper is not wrapper)
            if len(left) == len(self._middleware):
                raise ValueError(f"{wrapper!r} is no middleware of this registry")
            self._put_middleware(left)

    def _put_middleware(self, middleware: tuple[Middleware, ...]) -> None:
        self._middleware = middleware
        selective = any(item.tools or item.tags for item in middleware)
        # None where it depends on the call.
        self._chain = None if selective else tuple(item.wrapper for item in middleware)
        self._has_middleware = bool(middleware)

    def _passage(self, call: ToolCall) -> Passage:
        chain = self._chain
        if chain is None:
            chain = self._wrappers(call)
        return through(chain, call, masks=bool(self._settings.mask_errors))

    def _wrappers(self, call: ToolCall) -> tuple[Wrapper, ...]:
        action = self._table.actions.get(call.name)  # under any spelling a format has for it
        name, tags = (call.name, ()) if action is None else (action.name, action.tool.tags)
        return tuple(item.wrapper for item in self._middleware if item.concerns(name, tags))

    def select(
        self,
        *names: str,
        tags: str | Iterable[str] = (),
        where: Callable[[Tool], bool] | None = None,
    ) -> "Selection":
        """Return a live view of some tools; what is outside does not exist in it.

        Args:
            names: Names or patterns; all where there are none.
            tags: Tags of which a tool must have one; any where there are none.
            where: What a tool must satisfy; asked anew whenever the view is used.

        Raises:
            UnknownToolError: If a name or pattern meets no tool.
        """
        return Selection(self, self, names, tags, where)

    def close(self) -> None:
        """End the threads, and the background loop unless another registry uses it.

        It may go on being used: later calls make what they need anew.
        """
        if isinstance(self._settings.executor, Pool):
            self._settings.executor.close()
        self._settings.workers.close()
        leave(self._owner)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        name = "" if self.name is None else f" {self.name}"
        return f"<Registry{name}: {', '.join(self) or 'no tools'}>"

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_table": list(self._table.tools.values()), "_lock": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _table=Table(), _lock=threading.RLock())
        _registries.add(self)
        workers = self._settings.workers
        found = [
            _of_tool(tool, replace(settings_of(tool), workers=workers)) for tool in state["_table"]
        ]
        made = [make(item.func, item.options, item.settings, item.written) for item in found]
        self._put(made, replacing=False)


def _after_fork() -> None:
    # Another thread may have held a lock; in the child it never lets go.
    for registry in list(_registries):
        registry._lock = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


class Selection(Toolset):
    """A live view of some of a registry's tools."""

    def __init__(
        self,
        registry: Registry,
        parent: Toolset,
        names: Sequence[str],
        tags: str | Iterable[str],
        where: Callable[[Tool], bool] | None,
    ) -> None:
        self._registry = registry
        self._parent = parent
        self._names = tuple(names)
        self._tags = frozenset((tags,) if isinstance(tags, str) else tags)
        self._where = where
        self._seen: tuple[object, Table] | None = None
        if where is not None:
            for tool in parent.values():
                where(tool)  # what breaks at once is told at once
        for name in names:
            if not any(fnmatchcase(known, name) for known in parent):
                parent[name]

    @property
    def _table(self) -> Table:  # type: ignore[override]  # computed here
        whole = self._parent._table
        if self._where is None and self._seen is not None and self._seen[0] is whole.exports:
            return self._seen[1]
        exports = whole.exports
        tools = {name: tool for name, tool in list(whole.tools.items()) if self._has(tool)}
        if self._seen is None or self._seen[0] is not exports or self._seen[1].tools != tools:
            inside = {id(action_of(tool)) for tool in tools.values()}
            actions = {
                name: action for name, action in list(whole.actions.items()) if id(action) in inside
            }
            self._seen = (exports, Table(tools, actions))
        return self._seen[1]

    def _has(self, tool: Tool) -> bool:
        if self._names and not any(fnmatchcase(tool.name, name) for name in self._names):
            return False
        if self._tags and self._tags.isdisjoint(tool.tags):
            return False
        if self._where is None:
            return True
        try:
            return bool(self._where(tool))
        except Exception:
            log.exception("where= broke at the tool %s, which is left out", tool.name)
            return False

    @property
    def _has_middleware(self) -> bool:  # type: ignore[override]  # that of the registry
        return self._registry._has_middleware

    @property
    def _owner(self) -> object:
        return self._registry._owner

    def _passage(self, call: ToolCall) -> Passage:
        return self._registry._passage(call)

    @property
    def instructions(self) -> str:
        """The text of the registry, for a system prompt."""
        return self._registry.instructions

    def select(
        self,
        *names: str,
        tags: str | Iterable[str] = (),
        where: Callable[[Tool], bool] | None = None,
    ) -> "Selection":
        """Return a live view of some tools of this view; otherwise as `Registry.select`."""
        return Selection(self._registry, self, names, tags, where)

    def __reduce__(self) -> tuple[Any, ...]:
        return Selection, (self._registry, self._parent, self._names, self._tags, self._where)

    def __repr__(self) -> str:
        return f"<Selection: {', '.join(self) or 'no tools'}>"


@dataclass(frozen=True, slots=True)
class _Found:
    """A function to be added, and what is known of it."""

    func: Callable[..., Any]
    options: Options
    settings: Settings
    written: Signature | Locals


def _of_tool(tool: Tool, settings: Settings) -> _Found:
    return _Found(tool.func, options_of(tool), settings, written_of(tool))


def _joined(own: Settings, registry: Settings) -> Settings:
    """Return the settings of a tool that is added alone: what it lacks is the registry's."""
    return replace(
        registry,
        inject=(*own.inject, *registry.inject),
        extra=own.extra if own.extra != "forbid" else registry.extra,
        timeout=registry.timeout if own.timeout is None else own.timeout,
        max_output=registry.max_output if own.max_output is None else own.max_output,
        approve=own.approve or registry.approve,
        mask_errors=own.mask_errors or registry.mask_errors,
        executor=own.executor or registry.executor,
    )


def _under(
    given: Options, prefix: str, func: Callable[..., Any], options: Mapping[str, Any]
) -> Options:
    """Return the options of one tool with those of the addition that brings it."""
    changes = dict(options)
    if "tags" in changes:
        changes["tags"] = (*given.tags, *Options(tags=changes["tags"]).tags)
    if prefix:
        name = changes.get("name") or given.name or name_of(func)
        changes["name"] = f"{prefix}{name}"
    return replace(given, **changes) if changes else given


def _executor(given: Executor | Callable[[], Executor] | None) -> Executor | Pool | None:
    return given if isinstance(given, Executor) or not callable(given) else Pool(given)


def _rules(inject: Inject) -> tuple[Inject, ...]:
    return ((inject,),) if isinstance(inject, str) else (inject,) if inject else ()


def _same(old: Tool, new: Tool) -> bool:
    same = old.func is new.func or (isinstance(new.func, MethodType) and old.func == new.func)
    return same and options_of(old) == options_of(new)


def _duplicate(old: Tool, new: Tool) -> Fault:
    places = [getattr(tool.func, "__qualname__", repr(tool.func)) for tool in (old, new)]
    return Fault(
        function=places[1],
        problem=f"has the name {new.name!r}, which {places[0]} has already",
        cure="give another `name=`, or `replace=True`",
    )


def _collision(tool: Tool, spelling: str) -> Fault:
    return Fault(
        function=tool.name,
        problem=f"is spelled {spelling!r} in some format, as another tool is",
        cure="give another `name=`",
    )


default_registry: Final = Registry("default")
tool: Final = default_registry.tool
