"""What is wrong with tools that can be defined all the same."""

import inspect
import itertools
import traceback
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, Final, cast

from pydantic_core import to_json

from .. import Registry, Tool, ToolDefinitionError, formats

__all__ = ["Finding", "Size", "as_json", "definition_findings", "findings", "sizes"]

_PACKAGE: Final = Path(__file__).parent.parent
_LONGEST: Final = 1024  # characters of a description; what OpenAI's API has refused beyond
_MOST: Final = {"openai": 128, "openai-responses": 128, "groq": 128}  # tools of one request
_NEAR: Final = 0.87
_STRICT: Final = ("openai", "anthropic", "bedrock")
_TYPED: Final = frozenset(("type", "anyOf", "oneOf", "allOf", "$ref", "enum", "const", "not"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing to mend.

    Attributes:
        kind: A fixed word for what is wrong.
        tool: The tool it is about.
        parameter: The parameter, or None.
        file: Where the function stands, or None.
        line: The line of its ``def``, or None.
        text: What is wrong, in a sentence.
    """

    kind: str
    tool: str
    text: str
    parameter: str | None = None
    file: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much of a request a tool takes, and what keeps it from strict modes.

    Attributes:
        tool: The tool's name.
        characters: Of its neutral spec as JSON.
        tokens: An estimate, a quarter of the characters.
        strict: Reasons by format; none where it can be strict.
    """

    tool: str
    characters: int
    tokens: int
    strict: dict[str, list[str]]


def findings(registry: Registry) -> list[Finding]:
    """Return what is to be mended, in the order of the tools."""
    found = [finding for tool in registry.values() for finding in _of_tool(tool)]
    found += _near(registry)
    found += _repeated(registry)
    found += _crowded(registry)
    return found


def sizes(registry: Registry) -> list[Size]:
    """Return the size of each tool, in order."""
    made: list[Size] = []
    for tool in registry.values():
        characters = len(to_json(tool.spec()).decode())
        strict = {name: list(tool.strict_faults(name)) for name in _STRICT}
        made.append(
            Size(tool=tool.name, characters=characters, tokens=characters // 4, strict=strict)
        )
    return made


def definition_findings(error: ToolDefinitionError) -> list[Finding]:
    """Return the faults of a definition that could not be made, where the module makes it."""
    frames = traceback.extract_tb(error.__traceback__)
    outside = [frame for frame in frames if not Path(frame.filename).is_relative_to(_PACKAGE)]
    place = outside[-1] if outside else None
    return [
        Finding(
            kind="definition",
            tool=fault.function,
            parameter=fault.parameter,
            text=f"{fault.problem}; {fault.cure}",
            file=None if place is None else place.filename,
            line=None if place is None else place.lineno,
        )
        for fault in error.faults
    ]


def as_json(found: list[Finding], measured: list[Size]) -> bytes:
    """Return all of it as JSON text; its keys and their order are stable."""
    values = {"faults": [asdict(item) for item in found], "tools": [asdict(s) for s in measured]}
    return to_json(values, indent=2)


def _of_tool(tool: Tool) -> Iterator[Finding]:
    where = _place(tool)
    if not tool.description:
        yield Finding(kind="undocumented-tool", tool=tool.name, text="has no description", **where)
    elif len(tool.description) > _LONGEST:
        text = f"its description has {len(tool.description)} characters; some APIs take {_LONGEST}"
        yield Finding(kind="long-description", tool=tool.name, text=text, **where)
    for name, schema in tool.parameters["properties"].items():
        for kind, text in _of_parameter(schema):
            yield Finding(kind=kind, tool=tool.name, parameter=name, text=text, **where)
    for name in tool.undeclared:
        text = "is documented, and the function has no such parameter"
        yield Finding(
            kind="undeclared-parameter", tool=tool.name, parameter=name, text=text, **where
        )
    for path, provider in _refused_names(tool):
        text = f"{provider} takes no property of this name inside an object"
        yield Finding(kind="refused-name", tool=tool.name, parameter=path, text=text, **where)


def _of_parameter(schema: Any) -> Iterator[tuple[str, str]]:
    description = schema.get("description", "")
    if not description:
        yield "undocumented-parameter", "has no description"
    elif len(description) > _LONGEST:
        text = f"its description has {len(description)} characters; some APIs take {_LONGEST}"
        yield "long-description", text
    if _TYPED.isdisjoint(schema):
        yield "untyped-parameter", "has no type, so a model may send anything"


def _refused_names(tool: Tool) -> Iterator[tuple[str, str]]:
    """Find the names inside objects that a provider's rule leaves out; top ones are respelled."""
    schema = tool.parameters
    top = set(schema["properties"])
    for name in dict.fromkeys(_names(schema)):
        if name in top:
            continue
        for provider in ("anthropic", "gemini"):
            if formats.FORMATS[provider].safe_parameter(name) != name:
                yield name, provider


def _names(schema: object) -> Iterator[str]:
    if isinstance(schema, list):
        for item in cast("list[object]", schema):
            yield from _names(item)
    elif isinstance(schema, dict):
        node = cast("dict[str, object]", schema)
        properties = node.get("properties")
        yield from cast("dict[str, object]", properties) if isinstance(properties, dict) else ()
        for value in node.values():
            yield from _names(value)


def _near(registry: Registry) -> Iterator[Finding]:
    for one, other in itertools.combinations(registry, 2):
        alike = SequenceMatcher(None, _plain(one), _plain(other)).ratio()
        if alike >= _NEAR:
            text = f"its name is near that of {one}; models mix them up"
            yield Finding(kind="near-name", tool=other, text=text, **_place(registry[other]))


def _plain(name: str) -> str:
    return name.replace("_", "").replace("-", "").lower()


def _repeated(registry: Registry) -> Iterator[Finding]:
    owners: dict[str, str] = {}
    for tool in registry.values():
        owner = owners.setdefault(tool.description, tool.name)
        if tool.description and owner != tool.name:
            text = f"has the description of {owner}"
            yield Finding(kind="repeated-description", tool=tool.name, text=text, **_place(tool))


def _crowded(registry: Registry) -> Iterator[Finding]:
    for provider, most in _MOST.items():
        for tool in list(registry.values())[most:]:
            text = f"{provider} has refused more than {most} tools in a request"
            yield Finding(kind="too-many-tools", tool=tool.name, text=text, **_place(tool))


def _place(tool: Tool) -> dict[str, Any]:
    func = inspect.unwrap(getattr(tool.func, "__func__", tool.func))
    code = getattr(func, "__code__", None)
    if code is None:
        return {}
    return {"file": code.co_filename, "line": code.co_firstlineno}
