"""A linter's report for people."""

from collections.abc import Iterator, Sequence
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ._check import Report
from ._findings import Finding
from ._providers import Provider, Size

__all__ = ["show"]

_NAMED: Final = 5


def show(report: Report, console: Console) -> None:
    """Print a report: what to mend, what cannot be strict, what providers make of it.

    Args:
        report: What was found.
        console: Where it is shown.
    """
    for finding in report.faults:
        console.print(_line(finding), soft_wrap=True)
    if report.tools:
        console.print(*([""] if report.faults else []), _sizes(report), sep="\n")
        if any(_reasons(size) for size in report.tools):
            console.print("", _not_strict(report), sep="\n")
        console.print("", _providers(report), "", sep="\n")
    console.print(_sum(report), soft_wrap=True)


def _line(finding: Finding) -> Text:
    who = finding.tool if finding.parameter is None else f"{finding.tool}({finding.parameter})"
    colour = "red" if finding.providers or finding.kind == "definition" else "yellow"
    return Text.assemble(
        ("" if finding.file is None else f"{finding.file}:{finding.line}", "bold"),
        "" if finding.file is None else ": ",
        (finding.kind, colour),
        " ",
        (who, "cyan"),
        f": {finding.text}",
    )


def _table(*headings: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in headings:
        right = heading in {"characters", "tokens, about"}
        table.add_column(heading, justify="right" if right else "left")
    return table


def _sizes(report: Report) -> Table:
    table = _table("tool", "characters", "tokens, about")
    for size in report.tools:
        table.add_row(size.tool, f"{size.characters:,}", f"{size.tokens:,}")
    if len(report.tools) > 1:
        characters = sum(size.characters for size in report.tools)
        tokens = sum(size.tokens for size in report.tools)
        table.add_row("all", f"{characters:,}", f"{tokens:,}", style="bold")
    return table


def _not_strict(report: Report) -> Table:
    table = _table("not strict", "with", "because")
    able = sum(provider.note is None for provider in report.providers)
    for size in report.tools:
        for reason, names in _reasons(size).items():
            who = "all that can be" if len(names) == able else ", ".join(names)
            table.add_row(size.tool, who, Text(reason))
    return table


def _reasons(size: Size) -> dict[str, list[str]]:
    """Return the first reasons, each with the providers that have it."""
    found: dict[str, list[str]] = {}
    for name, reasons in size.not_strict.items():
        for first in reasons[:1]:
            more = f" (and {len(reasons) - 1} more)" if len(reasons) > 1 else ""
            found.setdefault(f"{first}{more}", []).append(name)
    return found


def _providers(report: Report) -> Table:
    table = _table("provider", "refuses", "strict")
    for provider in report.providers:
        refused = Text(_listed(provider.refuses), "red") if provider.refuses else "nothing"
        table.add_row(provider.provider, refused, _strict(provider, len(report.tools)))
    return table


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


def _strict(provider: Provider, total: int) -> Text:
    return Text(f"{len(provider.strict)} of {total}" if provider.note is None else provider.note)


def _sum(report: Report) -> Text:
    return Text("".join(_sentences(report)), "bold red" if report.faults else "bold green")


def _sentences(report: Report) -> Iterator[str]:
    number = len(report.faults)
    yield f"{number or 'no'} {'fault' if number == 1 else 'faults'}"
    if report.is_whole:
        total = len({size.tool for size in report.tools} | {one.tool for one in report.faults})
        yield f" in {total or 'no'} {'tool' if total == 1 else 'tools'}"
    else:
        yield "; the module ends there, and its other tools were not looked at"
