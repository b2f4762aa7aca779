"""The linter."""

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass

from pydantic_core import to_json

from .. import Tool, ToolDefinitionError
from ._findings import Finding, of_definition, of_tools
from ._load import Tools
from ._providers import Provider, Size, providers, sizes

__all__ = ["Report", "as_json", "examine", "examine_error"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """All that is found.

    Attributes:
        faults: What is to be mended.
        tools: What each tool takes of a request.
        providers: What each provider makes of them.
        is_whole: Whether the module could be read to its end.
    """

    faults: Sequence[Finding]
    tools: Sequence[Size]
    providers: Sequence[Provider]
    is_whole: bool = True


def examine(registry: Tools, ignored: Collection[str] = ()) -> Report:
    """Look at every tool of a registry.

    Args:
        registry: The tools.
        ignored: Kinds of faults that do not matter.
    """
    tools: list[Tool] = []
    found: list[Finding] = []
    for tool in registry.values():
        try:
            tool.spec()
        except ToolDefinitionError as error:  # a name that was to be defined later, and was not
            found += of_definition(error, tool=tool)
        else:
            tools.append(tool)
    found += of_tools(tools)
    found.sort(key=lambda finding: (finding.file or "", finding.line or 0))
    kept = [finding for finding in found if finding.kind not in ignored]
    measured = sizes(tools)
    return Report(faults=kept, tools=measured, providers=providers(measured, found))


def examine_error(error: ToolDefinitionError) -> Report:
    """Return the report on a module that cannot be read for a definition's faults."""
    faults = of_definition(error, error.__traceback__)
    return Report(faults=faults, tools=(), providers=(), is_whole=False)


def as_json(report: Report) -> bytes:
    """Return a report as JSON text; its keys and their order are stable."""
    values = {
        "faults": [asdict(item) for item in report.faults],
        "tools": [asdict(item) for item in report.tools],
        "providers": [asdict(item) for item in report.providers],
    }
    return to_json(values, indent=2)
