"""Named tools: read, exported, executed."""

import marshal
from abc import abstractmethod
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from types import MethodType
from typing import Any, TypeAlias

from pydantic_core import from_json, to_json

from . import _batch, _problems, formats
from ._arguments import Refused
from ._execute import Action, aexecute, drive, execute, lacks_id, made_id
from ._middleware import Passage
from ._schema import inline_refs as inlined
from ._threads import on_loop, wait_for
from ._tool import Tool, neutral, record_of
from ._types import (
    JsonObject,
    RawArguments,
    ToolCall,
    ToolResult,
    called,
    kind_of,
    named,
    plain_name,
)
from .errors import UnknownToolError

__all__ = ["OnResult", "Table", "Toolset"]

OnResult: TypeAlias = Callable[[ToolResult], Any]
_Run: TypeAlias = Callable[[Action, ToolCall, bool], Coroutine[Any, Any, ToolResult]]


@dataclass(frozen=True, slots=True)
class Export:
    """The specs of a table in one format.

    Attributes:
        format: The format, kept so that its identity is not used again.
        text: JSON.
        packed: The same values for `marshal`, which makes them anew in half the time of JSON.
    """

    format: object
    text: bytes
    packed: bytes


@dataclass(slots=True, eq=False)
class Table:
    """The tools as they are.

    Attributes:
        tools: By name, in order.
        actions: What running them takes, by name and by every spelling a format has for it.
        exports: Their specs as JSON text and as what is fastest to read, by format; thrown
            away at every change.
    """

    tools: dict[str, Tool] = field(default_factory=dict[str, Tool])
    actions: dict[str, Action] = field(default_factory=dict[str, Action])
    exports: dict[Any, Export] = field(default_factory=dict[Any, "Export"])


class Toolset(Mapping[str, Tool]):
    """Tools by name, ready to be exported and executed.

    What a registry and its views have in common; equal and hashable by identity.
    """

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    _table: Table
    _has_middleware: bool

    @abstractmethod
    def _passage(self, call: ToolCall) -> Passage:
        """Return the way of a call through the middleware that concerns it."""

    @property
    @abstractmethod
    def _owner(self) -> object:
        """Return who uses the background loop."""

    def __getitem__(self, key: str | Callable[..., Any]) -> Tool:
        """Return the tool of a name, or of a function.

        Raises:
            UnknownToolError: If there is none.
        """
        tools = self._table.tools
        if isinstance(key, str):
            if key in tools:
                return tools[key]
            raise UnknownToolError(_problems.unknown_tool(key, list(tools)))
        for tool in list(tools.values()):
            if tool.func is key or (isinstance(key, MethodType) and tool.func == key):
                return tool
        raise UnknownToolError(f"{key!r} is not the function of a tool here")

    def __contains__(self, key: object) -> bool:
        try:
            self[key]  # type: ignore[index]  # anything may be asked for
        except UnknownToolError:
            return False
        return True

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._table.tools))

    def __len__(self) -> int:
        return len(self._table.tools)

    def specs(
        self,
        format: object = None,
        *,
        strict: bool = False,
        inline_refs: bool = False,
    ) -> list[JsonObject]:
        """Return what goes into ``tools=`` of a request, in order of registration.

        Args:
            format: A provider's format, by name or itself; None is the neutral form.
            strict: Whether the provider's strict mode is wanted for every tool that can have it.
            inline_refs: Whether to write definitions where they are used, for models that
                cannot follow references.

        Returns:
            Fresh plain JSON values; changing them changes nothing here.
        """
        made = self._export(format, strict=strict, inline_refs=inline_refs)
        listed: list[JsonObject] = marshal.loads(made.packed)  # noqa: S302 - packed right here
        return listed

    def specs_json(
        self,
        format: object = None,
        *,
        strict: bool = False,
        inline_refs: bool = False,
    ) -> bytes:
        """Return the same as `specs`, as JSON text."""
        return self._export(format, strict=strict, inline_refs=inline_refs).text

    def _export(self, format: object, *, strict: bool, inline_refs: bool) -> Export:
        exports = self._table.exports
        key = (format if isinstance(format, str) else id(format), strict, inline_refs)
        if key not in exports:
            made = self._exported(format, strict=strict, inline_refs=inline_refs)
            text = to_json(made)
            exports[key] = Export(format, text, marshal.dumps(from_json(text)))
        return exports[key]

    def _exported(
        self,
        format: object,
        *,
        strict: bool,
        inline_refs: bool,
    ) -> list[JsonObject]:
        made = None if format is None else formats.get(format)
        shows = made is not None and formats.shows_output(made)
        records = [record_of(tool, with_output=shows) for tool in list(self._table.tools.values())]
        if inline_refs:
            records = [replace(item, parameters=inlined(item.parameters)) for item in records]
        if made is None:
            return [neutral(record, strict=strict) for record in records]
        return made.tools(records, strict)

    def execute(
        self,
        call: ToolCall | str,
        arguments: RawArguments = None,
        *,
        call_id: Any = None,
        context: Any = None,
        approved: bool = False,
    ) -> ToolResult:
        """Run one call and block until it has its result.

        Args:
            call: The call, or the name of the tool.
            arguments: With a name: JSON text, or a mapping that is taken as JSON would be.
            call_id: With a name: echoed as it is; made where there is none.
            context: What injected parameters are taken from; the call's own wins.
            approved: Whether somebody has allowed the call.

        Returns:
            The result, whatever happens.
        """
        if type(call) is str and type(call_id) is str and call_id:
            call = called(call, arguments, call_id, context)
        else:
            call = _call(call, arguments, call_id, context)
        if self._has_middleware:
            return drive(self._led(self._table.actions, call, _blocking, approved=approved))
        try:
            action = self._table.actions[call.name]
        except KeyError:
            return self._unknown(call)
        return execute(action, call, approved)

    def aexecute(
        self,
        call: ToolCall | str,
        arguments: RawArguments = None,
        *,
        call_id: Any = None,
        context: Any = None,
        approved: bool = False,
    ) -> Coroutine[Any, Any, ToolResult]:
        """Run one call and await its result; otherwise as `execute`."""
        if type(call) is str and type(call_id) is str and call_id:
            call = called(call, arguments, call_id, context)
        else:
            call = _call(call, arguments, call_id, context)
        if not self._has_middleware:
            try:
                return aexecute(self._table.actions[call.name], call, approved)
            except KeyError:
                pass
        return self._led(self._table.actions, call, aexecute, approved=approved)

    def execute_all(
        self,
        calls: Iterable[ToolCall],
        *,
        context: Any = None,
        approved: bool = False,
        max_concurrency: int | None = None,
        on_result: OnResult | None = None,
    ) -> list[ToolResult]:
        """Run calls side by side and block until all have their results.

        Args:
            calls: Any iterable, pulled as there is room.
            context: What injected parameters are taken from; a call's own wins.
            approved: Whether somebody has allowed the calls.
            max_concurrency: How many run at once; None is all of a collection.
            on_result: Called with each result as it comes.

        Returns:
            One result for each call, in the order of the calls.
        """
        if on_loop():  # blocking it would wait for itself
            again = self.aexecute_all(
                calls,
                context=context,
                approved=approved,
                max_concurrency=max_concurrency,
                on_result=on_result,
            )
            outcome = wait_for(again, self._owner)
            if outcome.error is not None:
                raise outcome.error
            results: list[ToolResult] = outcome.value
            return results
        actions = dict(self._table.actions)
        return _batch.batch(
            _prepared(calls, context),
            partial(self._start, actions, approved),
            owner=self._owner,
            is_sequential=_sequential(actions),
            limit=_limit(calls, max_concurrency),
            on_result=on_result,
        )

    async def aexecute_all(
        self,
        calls: Iterable[ToolCall],
        *,
        context: Any = None,
        approved: bool = False,
        max_concurrency: int | None = None,
        on_result: OnResult | None = None,
    ) -> list[ToolResult]:
        """Run calls side by side and await all their results; otherwise as `execute_all`."""
        actions = dict(self._table.actions)
        return await _batch.abatch(
            _prepared(calls, context),
            partial(self._start, actions, approved),
            is_sequential=_sequential(actions),
            limit=_limit(calls, max_concurrency),
            on_result=on_result,
        )

    def dispatch(
        self,
        response: object,
        format: object,
        *,
        context: Any = None,
        max_concurrency: int | None = None,
        on_result: OnResult | None = None,
    ) -> list[JsonObject]:
        """Answer every call of a model's response.

        Calls that wait for an approval are left to the program: they are not in the messages.

        Args:
            response: The SDK's object or plain values, a finished stream, or calls.
            format: The provider's format, by name or itself.
            context: What injected parameters are taken from.
            max_concurrency: How many calls run at once; None is all.
            on_result: Called with each result as it comes.

        Returns:
            The messages to append to the history; none where the model called nothing.
        """
        made = formats.get(format)
        results = self.execute_all(
            _runnable(made, response),
            context=context,
            max_concurrency=max_concurrency,
            on_result=on_result,
        )
        return _answers(made, results)

    async def adispatch(
        self,
        response: object,
        format: object,
        *,
        context: Any = None,
        max_concurrency: int | None = None,
        on_result: OnResult | None = None,
    ) -> list[JsonObject]:
        """Answer every call of a model's response; otherwise as `dispatch`."""
        made = formats.get(format)
        results = await self.aexecute_all(
            _runnable(made, response),
            context=context,
            max_concurrency=max_concurrency,
            on_result=on_result,
        )
        return _answers(made, results)

    def _start(
        self,
        actions: Mapping[str, Action],
        approved: bool,  # noqa: FBT001 - bound before the call comes
        call: ToolCall,
    ) -> Coroutine[Any, Any, ToolResult]:
        """Return the coroutine that runs a call, the shortest there is."""
        if self._has_middleware:
            return self._led(actions, call, aexecute, approved=approved)
        try:
            action = actions[call.name]
        except KeyError:
            return self._led(actions, call, aexecute, approved=approved)
        return aexecute(action, call, approved)

    async def _led(
        self, actions: Mapping[str, Action], call: ToolCall, run: _Run, *, approved: bool
    ) -> ToolResult:
        """Lead a call through its middleware, if any, to what runs it."""
        allows = _approval(actions, call) if approved else _nothing
        passage = self._passage(call)
        try:
            inner = next(passage)
            while True:
                try:
                    action = actions.get(inner.name)
                    if action is None:
                        result = self._unknown(inner)
                    else:
                        result = await run(action, inner, allows(inner))
                except BaseException as error:  # noqa: BLE001 - raised again in the passage
                    inner = passage.throw(error)
                else:
                    inner = passage.send(result)
        except StopIteration as stop:
            final: ToolResult = stop.value
            return final

    def _unknown(self, call: ToolCall) -> ToolResult:
        text = _problems.unknown_tool(call.name, list(self._table.tools))
        return ToolResult(call.id, call.name, text, "unknown_tool", call=call)


async def _blocking(action: Action, call: ToolCall, approved: bool) -> ToolResult:  # noqa: FBT001 - as `execute` takes it
    return execute(action, call, approved)


def _call(call: Any, arguments: RawArguments, call_id: Any, context: Any) -> ToolCall:
    """Return a call that has a text for a name, an id, and a context if there is one to have."""
    if issubclass(kind_of(call), ToolCall):
        known = named(call)
        context = known.context if known.context is not None else context
        if not lacks_id(known.id):
            return known if context is known.context else replace(known, context=context)
        return replace(known, id=made_id(), made_id=True, context=context)
    name = call if type(call) is str else plain_name(call)
    if lacks_id(call_id):
        return ToolCall(name, arguments, made_id(), context, made_id=True)
    return ToolCall(name, arguments, call_id, context)


def _approval(actions: Mapping[str, Action], call: ToolCall) -> Callable[[ToolCall], bool]:
    """Return what tells whether a call asks for what was approved.

    Middleware may have had its way with it, also with the very object that was approved.
    """
    asked = _asked(actions, call)
    return lambda inner: asked is not None and asked == _asked(actions, inner)


def _asked(actions: Mapping[str, Action], call: ToolCall) -> tuple[str, str] | None:
    """Return what a call asks for as text, or None where that cannot be told."""
    try:
        return call.name, actions[call.name].arguments.text_of(call)
    except (KeyError, Refused):
        return None


def _nothing(_call: ToolCall) -> bool:
    return False


def _prepared(calls: Iterable[ToolCall], context: Any) -> Iterator[ToolCall]:
    return (_call(call, None, None, context) for call in calls)


def _limit(calls: Iterable[ToolCall], limit: int | None) -> int:
    if limit is None:
        return max(len(calls), 1) if isinstance(calls, Sequence) else _batch.LAZY
    if limit < 1:
        raise ValueError(f"max_concurrency must be at least 1, not {limit}")
    return limit


def _sequential(actions: Mapping[str, Action]) -> Callable[[ToolCall], bool] | None:
    """Return what tells the calls that have to run alone, if there are such tools."""
    names = [name for name, action in actions.items() if action.sequential]
    return (lambda call: call.name in names) if names else None


def _runnable(made: formats.Format, response: object) -> list[ToolCall]:
    return [call for call in made.calls(response) if call.kind != "server"]


def _answers(made: formats.Format, results: Sequence[ToolResult]) -> list[JsonObject]:
    final = [result for result in results if result.kind != "approval_required"]
    return made.messages(final) if final else []
