"""What tools take of a request, and what each provider makes of them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pydantic_core import to_json

from .. import Tool, formats
from .._tool import record_of
from .._types import JsonObject, Spec
from ..formats._wire import record
from ._findings import Finding

__all__ = ["Provider", "Size", "providers", "sizes"]

_CROWDED: Final = "the request's strict schemas are used up by the tools before it"
_CHARACTERS: Final = 4  # of a token, about
_TRIVIAL: Final = Spec(name="now", parameters={"type": "object", "properties": {}})


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much of a request a tool takes, and what keeps it from strict modes.

    Attributes:
        tool: The tool's name.
        characters: Of its neutral spec as JSON.
        tokens: An estimate.
        not_strict: The reasons, by each provider whose strict mode does not take it.
    """

    tool: str
    characters: int
    tokens: int
    not_strict: Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """What a provider makes of the tools.

    Attributes:
        provider: The name of its format.
        refuses: The tools for which it would refuse the request.
        strict: The tools that its strict mode takes, all in one request.
        note: Why there are none, where it has no such mode.
    """

    provider: str
    refuses: Sequence[str]
    strict: Sequence[str]
    note: str | None


def sizes(tools: Sequence[Tool]) -> list[Size]:
    """Return the size of each tool, in order.

    Args:
        tools: Tools whose parameters can be described.
    """
    flagged = {name: _flagged(name, tools) for name in formats.FORMATS if not _note(name)}
    made: list[Size] = []
    for tool in tools:
        characters = len(to_json(tool.spec()).decode())
        reasons = {
            name: list(tool.strict_faults(name)) or [_CROWDED]
            for name, strict in flagged.items()
            if tool.name not in strict
        }
        made.append(
            Size(
                tool=tool.name,
                characters=characters,
                tokens=characters // _CHARACTERS,
                not_strict=reasons,
            )
        )
    return made


def providers(measured: Sequence[Size], found: Sequence[Finding]) -> list[Provider]:
    """Return what each provider would do.

    Args:
        measured: The sizes of the tools.
        found: What is wrong with them.
    """
    return [
        Provider(
            provider=name,
            refuses=list(dict.fromkeys(one.tool for one in found if name in one.providers)),
            strict=[one.tool for one in measured if note is None and name not in one.not_strict],
            note=note,
        )
        for name, note in ((name, _note(name)) for name in formats.FORMATS)
    ]


def _note(name: str) -> str | None:
    return next(iter(formats.FORMATS[name].strict_faults(_TRIVIAL)), None)


def _flagged(name: str, tools: Sequence[Tool]) -> set[str]:
    """Return the names of the tools that are strict where all are in one request."""
    specs = formats.FORMATS[name].tools([record_of(tool) for tool in tools], strict=True)
    return {tool.name for tool, spec in zip(tools, specs, strict=True) if any(_flags(spec))}


def _flags(spec: JsonObject) -> Iterator[bool]:
    for node in (spec, *spec.values()):
        yield record(node).get("strict") is True
