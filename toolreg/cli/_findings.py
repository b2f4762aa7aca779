"""What models or providers will stumble over in tools that can be defined all the same."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from types import TracebackType
from typing import Any, Final

from .. import Tool, ToolDefinitionError, formats
from .._schema import resolve
from .._schema.walk import nodes
from .._types import JsonObject
from ..formats._wire import record
from ._near import near
from ._places import Place, of_function, of_traceback

__all__ = ["KINDS", "Finding", "of_definition", "of_tools"]

KINDS: Final = {
    "definition": "a function that can be no tool as it is",
    "undocumented-tool": "a tool without a description",
    "undocumented-parameter": "a parameter without a description",
    "undeclared-parameter": "documentation of a parameter that does not exist",
    "untyped-parameter": "a parameter of no type",
    "long-description": "a description that some APIs refuse, and that takes room in each request",
    "near-name": "a name that is taken for another's",
    "repeated-description": "a description that another tool has too",
    "refused-name": "a name inside an object that some APIs refuse",
    "refused-schema": "a JSON Schema that some APIs refuse",
    "too-many-tools": "more tools than some APIs take",
}

_LONGEST: Final = 1024
_LIMITED: Final = ("openai",)  # what its API has answered to longer descriptions of functions
_MOST: Final = {128: ("openai", "openai-responses", "groq"), 512: ("gemini",)}
_DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"
_TYPED: Final = frozenset(("type", "anyOf", "oneOf", "allOf", "$ref", "enum", "const", "not"))

Found = Callable[..., "Finding"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing to mend.

    Attributes:
        kind: What is wrong, a key of ``KINDS``.
        tool: The tool it is about.
        parameter: The parameter, or None.
        file: Where the function stands, or None.
        line: The line of its ``def``, or of the parameter, or None.
        text: What is wrong, in a sentence.
        providers: Those who would refuse a request with it.
    """

    kind: str
    tool: str
    parameter: str | None
    file: str | None
    line: int | None
    text: str
    providers: Sequence[str] = ()


def of_tools(tools: Sequence[Tool]) -> list[Finding]:
    """Return what is to be mended.

    Args:
        tools: Tools whose parameters can be described.
    """
    makers = {tool.name: partial(_found, tool.name, of_function(tool.func)) for tool in tools}
    found = [finding for tool in tools for finding in _of_tool(tool, makers[tool.name])]
    for name, owner in near(makers):
        text = f"its name is near that of {owner}; models mix them up"
        found.append(makers[name]("near-name", text))
    found += _repeated(tools, makers)
    for most, providers in _MOST.items():
        for tool in tools[most : most + 1]:
            text = f"{', '.join(providers)} have refused more than {most} tools in a request"
            found.append(makers[tool.name]("too-many-tools", text, providers=providers))
    return found


def of_definition(
    error: ToolDefinitionError, trace: TracebackType | None = None, *, tool: Tool | None = None
) -> list[Finding]:
    """Return the faults of a definition.

    Args:
        error: What it has raised.
        trace: Which statements led to it.
        tool: The tool whose definition could not be completed, where there is one.
    """
    place = of_traceback(trace) if tool is None else of_function(tool.func)
    return [
        _found(
            fault.function,
            place,
            "definition",
            f"{fault.problem}; {fault.cure}",
            parameter=fault.parameter,
        )
        for fault in error.faults
    ]


def _found(
    tool: str,
    place: Place | None,
    kind: str,
    text: str,
    *,
    parameter: str | None = None,
    providers: Sequence[str] = (),
) -> Finding:
    return Finding(
        kind=kind,
        tool=tool,
        parameter=parameter,
        file=None if place is None else place.file,
        line=None if place is None else place.line_of(parameter),
        text=text,
        providers=providers,
    )


def _of_tool(tool: Tool, found: Found) -> Iterator[Finding]:
    if not tool.description.strip():
        yield found("undocumented-tool", "has no description")
    elif len(tool.description) > _LONGEST:
        yield found("long-description", _too_long(tool.description), providers=_LIMITED)
    schema = tool.parameters
    for name, node in schema.get("properties", {}).items():
        yield from _of_parameter(record(node), schema, partial(found, parameter=name))
    for name in tool.undeclared:
        text = "is documented, and the function has no such parameter"
        yield found("undeclared-parameter", text, parameter=name)
    yield from _refused_names(schema, found)
    if tool.model is None:
        yield from _refused_schema(schema, found)


def _of_parameter(node: JsonObject, schema: JsonObject, found: Found) -> Iterator[Finding]:
    description = _description(node, schema)
    if not description.strip():
        yield found("undocumented-parameter", "has no description")
    elif len(description) > _LONGEST:
        yield found("long-description", _too_long(description))
    if _TYPED.isdisjoint(node):
        yield found("untyped-parameter", "has no type, so a model may send anything")


def _description(node: JsonObject, schema: JsonObject) -> str:
    """Return the text about a parameter, its own or that of its type."""
    target = record(resolve(schema, node.get("$ref")))
    text: str = node.get("description") or target.get("description", "")
    return text


def _too_long(description: str) -> str:
    text = f"its description has {len(description):,} characters"
    return f"{text}; more than {_LONGEST:,} have been refused, and each request holds them"


def _refused_names(schema: JsonObject, found: Found) -> Iterator[Finding]:
    """Find the names inside objects that a provider's rule leaves out; top ones are respelled."""
    inside = (node for pointer, node in nodes(schema) if pointer)
    for name in dict.fromkeys(name for node in inside for name in node.get("properties", ())):
        providers = [
            provider
            for provider, made in formats.FORMATS.items()
            if made.safe_parameter(name) != name
        ]
        if providers:
            text = f"{', '.join(providers)} take no property of this name inside an object"
            yield found("refused-name", text, parameter=name, providers=providers)


def _refused_schema(schema: JsonObject, found: Found) -> Iterator[Finding]:
    # What checked the schema at its definition is installed, and took other drafts too.
    jsonschema: Any = import_module("jsonschema_rs")
    try:
        jsonschema.meta.validate({**schema, "$schema": _DRAFT})
    except jsonschema.ValidationError as error:
        text = f"anthropic takes draft 2020-12 of JSON Schema alone: {error.message}"
        yield found("refused-schema", text, providers=["anthropic"])


def _repeated(tools: Sequence[Tool], makers: Mapping[str, Found]) -> Iterator[Finding]:
    owners: dict[str, str] = {}
    for tool in tools:
        text = " ".join(tool.description.split())
        owner = owners.setdefault(text, tool.name)
        if text and owner != tool.name:
            yield makers[tool.name]("repeated-description", f"has the description of {owner}")
