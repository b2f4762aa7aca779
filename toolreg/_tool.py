"""One function and all that a model must know of it."""

import inspect
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from typing import Any, Unpack

from pydantic import BaseModel
from pydantic_core import from_json

from . import _describe, _execute, formats
from ._annotations import Locals, Signature
from ._definition import awaits, define
from ._execute import Action, lacks_id, made_id
from ._options import Options, Settings, ToolOptions
from ._types import JsonObject, RawArguments, Spec, ToolCall, ToolResult

__all__ = [
    "Tool",
    "action_of",
    "make",
    "neutral",
    "options_of",
    "record_of",
    "settings_of",
    "written_of",
]


class Tool:
    """One function and all that a model must know of it; usable alone.

    Args:
        func: The function, or anything that can be called.
        options: What can be said of a tool; ``parameters`` (a pydantic model or a JSON Schema)
            stands in for the function's own signature.

    Raises:
        ToolDefinitionError: If the function cannot be made a tool; it holds every fault.

    Attributes:
        func: What was given.

    Example:
        >>> tool = Tool(func=lambda a, b: a + b, name="add", description="Add.")
        >>> tool.execute('{"a": 19, "b": 23}', call_id="c").output
        '42'
    """

    __slots__ = (
        "__weakref__",
        "_action",
        "_documentation",
        "_options",
        "_output",
        "_settings",
        "func",
    )

    def __init__(self, *, func: Callable[..., Any], **options: Unpack[ToolOptions]) -> None:
        self._build(func, Options(**options), Settings(), Locals(inspect.currentframe()))

    @classmethod
    def from_function(cls, func: Callable[..., Any], /, **options: Unpack[ToolOptions]) -> "Tool":
        """Make a tool of a function.

        Args:
            func: The function, or anything that can be called.
            options: What can be said of a tool.

        Raises:
            ToolDefinitionError: If it cannot be made a tool; it holds every fault.
        """
        return make(func, Options(**options), Settings(), Locals(inspect.currentframe()))

    def _build(
        self,
        func: Callable[..., Any],
        options: Options,
        settings: Settings,
        written: Signature | Locals,
    ) -> None:
        self.func = func
        self._options = options
        self._settings = settings
        self._output: bytes | None = None
        definition = define(func, options, settings, written)
        self._documentation = definition.documentation
        self._action = Action(
            name=definition.name,
            tool=self,
            func=func,
            arguments=definition.arguments,
            awaits=awaits(func),
            workers=settings.workers,
            in_thread=options.run_in_thread,
            timeout=settings.timeout if options.timeout is None else options.timeout,
            needs_approval=options.requires_approval,
            approve=settings.approve,
            mask=settings.mask_errors,
            max_output=settings.max_output if options.max_output is None else options.max_output,
            serializer=options.serializer,
            executor=settings.executor,
            sequential=options.sequential,
        )

    @property
    def name(self) -> str:
        """The tool's name."""
        return self._action.name

    @property
    def description(self) -> str:
        """What the model reads of it, possibly empty."""
        if self._options.description is not None:
            return self._options.description
        return self._documentation.description

    @property
    def title(self) -> str | None:
        """A name for people."""
        return self._options.title

    @property
    def tags(self) -> tuple[str, ...]:
        """Words to select tools by."""
        return tuple(self._options.tags)

    @property
    def hints(self) -> dict[str, bool]:
        """The tool annotations of the Model Context Protocol that were given."""
        return dict(self._options.hints)

    @property
    def model(self) -> type[BaseModel] | None:
        """The pydantic model of the arguments; None for a raw JSON Schema."""
        return self._action.arguments.model

    @property
    def parameters(self) -> JsonObject:
        """The JSON Schema of the arguments, a fresh copy."""
        schema: JsonObject = from_json(self._action.arguments.schema_json)
        return schema

    @property
    def undeclared(self) -> tuple[str, ...]:
        """The names that the documentation describes and the signature does not have."""
        return self._documentation.undeclared

    def spec(self, format: object = None, strict: bool = False) -> JsonObject:  # noqa: FBT001, FBT002 - the words of every provider's call
        """Return what a model is shown.

        Args:
            format: A provider's format, by name or itself; None is the neutral form.
            strict: Whether the provider's strict mode is wanted.
        """
        if format is None:
            return neutral(record_of(self, with_output=False), strict=strict)
        made = formats.get(format)
        return made.spec(record_of(self, with_output=formats.shows_output(made)), strict)

    def strict_faults(self, format: object) -> tuple[str, ...]:
        """Return why the tool cannot be exported strictly; nothing if it can.

        Args:
            format: A provider's format, by name or itself.
        """
        made = formats.get(format)
        record = record_of(self, with_output=formats.shows_output(made))
        return made.strict_faults(record)

    def execute(
        self,
        arguments: RawArguments = None,
        *,
        call_id: Any = None,
        context: Any = None,
        approved: bool = False,
    ) -> ToolResult:
        """Run the tool and block until it has its result.

        Args:
            arguments: JSON text, or a mapping that is taken as JSON would be.
            call_id: Echoed as it is; made where there is none.
            context: What injected parameters are taken from.
            approved: Whether somebody has allowed the call.

        Returns:
            The result, whatever happens.
        """
        return _execute.execute(self._action, self._call(arguments, call_id, context), approved)

    async def aexecute(
        self,
        arguments: RawArguments = None,
        *,
        call_id: Any = None,
        context: Any = None,
        approved: bool = False,
    ) -> ToolResult:
        """Run the tool and await its result; otherwise as `execute`."""
        call = self._call(arguments, call_id, context)
        return await _execute.aexecute(self._action, call, approved)

    def _call(self, arguments: RawArguments, call_id: Any, context: Any) -> ToolCall:
        if lacks_id(call_id):
            return ToolCall(self.name, arguments, made_id(), context, made_id=True)
        return ToolCall(self.name, arguments, call_id, context)

    def replace(self, **options: Unpack[ToolOptions]) -> "Tool":
        """Return a tool that differs in some options.

        Args:
            options: As where a tool is made.
        """
        changed = replace(self._options, **options)
        return make(self.func, changed, self._settings, written_of(self))

    def __repr__(self) -> str:
        return f"<Tool {self.name}({', '.join(self._action.arguments.names)})>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.func, self._options, self._settings)

    def __deepcopy__(self, memo: dict[int, Any]) -> "Tool":
        func = deepcopy(self.func, memo)
        return make(func, self._options, self._settings, written_of(self))


def make(
    func: Callable[..., Any],
    options: Options,
    settings: Settings,
    written: Signature | Locals,
) -> Tool:
    """Make a tool under a registry's settings.

    Args:
        func: What is to be called.
        options: What is said of the tool.
        settings: What the registry says.
        written: Its signature where that has been read, or the local names where it is defined.
    """
    tool = Tool.__new__(Tool)
    tool._build(func, options, settings, written)
    return tool


def _restored(func: Callable[..., Any], options: Options, settings: Settings) -> Tool:
    return make(func, options, settings, Locals())


def options_of(tool: Tool) -> Options:
    """Return the options a tool was made with."""
    return tool._options


def settings_of(tool: Tool) -> Settings:
    """Return the settings a tool was made under."""
    return tool._settings


def written_of(tool: Tool) -> Signature | Locals:
    """Return the signature a tool was made of, or where names come up that it waits for."""
    return tool._action.arguments.written


def action_of(tool: Tool) -> Action:
    """Return what running a tool takes."""
    return tool._action


def record_of(tool: Tool, *, with_output: bool = True) -> Spec:
    """Return what a format makes a spec of.

    Args:
        tool: The tool.
        with_output: Whether the JSON Schema of what it returns is needed; few formats show it,
            and making it takes as long as that of a few arguments.
    """
    options = tool._options
    return Spec(
        name=tool.name,
        description=tool.description,
        parameters=tool.parameters,
        title=options.title,
        output=_output(tool) if with_output else None,
        hints=options.hints,
        examples=options.examples,
        provider_options=options.provider_options,
        strict=options.strict,
        closed=not tool._action.arguments.open,
    )


def neutral(record: Spec, *, strict: bool = False) -> JsonObject:
    """Return a spec in no provider's words."""
    return {
        "type": "function",
        "name": record.name,
        "description": record.description,
        "parameters": record.parameters,
        "strict": strict or record.strict,
    }


def _output(tool: Tool) -> JsonObject | None:
    """Return the JSON Schema of what a tool returns, where that is known."""
    signature = written_of(tool)
    if tool._options.serializer is not None or not isinstance(signature, Signature):
        return None
    if tool._output is None:
        tool._output = _describe.output_json_of(signature.returns)
    schema: JsonObject | None = from_json(tool._output)
    return schema
