"""The commands."""

import contextlib
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Annotated, NoReturn, Optional

import typer
from pydantic_core import to_json
from rich.console import Console
from rich.table import Table
from rich.text import Text

from .. import Registry, ToolDefinitionError, __version__, formats
from . import _check
from ._chat import converse
from ._load import EXAMPLES, Unusable, load
from ._models import FORMATS, Model, local_model, remote_model

__all__ = ["app"]

app = typer.Typer(
    help="Tools for language models: list, export, call, check, chat.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)

Module = Annotated[
    str, typer.Argument(help="A file or importable module, and :registry for one of several.")
]
OfModule = Annotated[
    str, typer.Option("--module", "-m", help="A file or importable module, and :registry.")
]
Folder = Annotated[Path, typer.Option(help="What the file tools of the examples may read.")]


def _fail(text: str) -> NoReturn:
    Console(stderr=True, soft_wrap=True).print(Text(f"toolreg: {text}"))
    raise typer.Exit(2)


@contextlib.contextmanager
def _told() -> Generator[None]:
    """Tell what cannot be done in one line."""
    try:
        yield
    except Unusable as error:
        _fail(str(error))
    except ToolDefinitionError as error:
        _fail("; ".join(map(str, error.faults)))


@app.callback(invoke_without_command=True)
def _main(
    version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
) -> None:
    if version:
        typer.echo(__version__)
        raise typer.Exit


@app.command("list")
def list_tools(module: Module = EXAMPLES) -> None:
    """List the tools of a module."""
    with _told():
        registry = load(module)
    table = Table("tool", "parameters", "description", box=None, pad_edge=False)
    for tool in registry.values():
        summary = tool.description.partition("\n")[0]
        table.add_row(tool.name, ", ".join(tool.parameters["properties"]), Text(summary))
    Console().print(table)


@app.command()
def spec(
    module: Module = EXAMPLES,
    format: Annotated[
        str | None,
        typer.Option("--format", "-f", help="A provider's format; neutral without it."),
    ] = None,
    strict: Annotated[bool, typer.Option(help="Ask for the provider's strict mode.")] = False,
) -> None:
    """Print the specs of a module's tools as JSON."""
    if format is not None and format not in formats.FORMATS:
        _fail(f"there is no format {format!r}; there are {', '.join(formats.FORMATS)}")
    with _told():
        specs = load(module).specs(format, strict=strict)
    typer.echo(to_json(specs, indent=2).decode())


@app.command()
def call(
    name: Annotated[str, typer.Argument(help="The tool's name.")],
    arguments: Annotated[str, typer.Argument(help="The arguments as a JSON object.")] = "{}",
    module: OfModule = EXAMPLES,
    folder: Folder = Path(),
) -> None:
    """Call one tool and print what a model would read; status 1 if it failed, 2 if it never ran."""
    with _told():
        registry = load(module)
    with registry:
        result = registry.execute(name, arguments, context={"folder": folder})
    if result.kind in {"unknown_tool", "bad_json"}:
        _fail(" ".join(result.output.split()))
    typer.echo(result.output, err=result.is_error)
    if result.is_error:
        raise typer.Exit(1)


@app.command()
def check(
    module: Module = EXAMPLES,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Look for what models will stumble over; status 0 if there is nothing, 1 if there is."""
    found: list[_check.Finding] = []
    measured: list[_check.Size] = []
    try:
        registry = load(module)
        found, measured = _check.findings(registry), _check.sizes(registry)
    except Unusable as error:
        _fail(str(error))
    except ToolDefinitionError as error:
        found = _check.definition_findings(error)
    if as_json:
        typer.echo(_check.as_json(found, measured).decode())
    else:
        _show(found, measured)
    if found:
        raise typer.Exit(1)


def _show(found: list[_check.Finding], measured: list[_check.Size]) -> None:
    console = Console(soft_wrap=True)
    for item in found:
        place = "" if item.file is None else f"{item.file}:{item.line}: "
        who = item.tool if item.parameter is None else f"{item.tool}({item.parameter})"
        console.print(Text(f"{place}{who}: {item.text} [{item.kind}]"))
    if measured:
        table = Table("tool", "characters", "tokens, about", "not strict in", box=None)
        for size in measured:
            kept = [f"{name}: {why[0]}" for name, why in size.strict.items() if why]
            table.add_row(size.tool, str(size.characters), str(size.tokens), "\n".join(kept))
        console.print(table)
    console.print(f"{len(found)} faults" if found else "no faults")


@app.command()
def chat(
    question: Annotated[
        str | None, typer.Argument(help="One question; without it, a prompt that goes on.")
    ] = None,
    module: OfModule = EXAMPLES,
    model: Annotated[str, typer.Option(help="local, or a model's name at the server.")] = "local",
    base_url: Annotated[Optional[str], typer.Option(help="Where the server is.")] = None,
    format: Annotated[
        str, typer.Option(help=f"What the server speaks: {', '.join(FORMATS)}.")
    ] = "openai",
    max_rounds: Annotated[int, typer.Option(min=1, help="Rounds of calls for a question.")] = 10,
    folder: Folder = Path(),
) -> None:
    """Let a model answer with the tools of a module, each call and result shown."""
    console = Console()
    with _told(), load(module) as registry:
        chosen = _model(registry, model, base_url, format)
        for asked in _questions(question, console):
            converse(
                asked,
                model=chosen,
                registry=registry,
                context={"folder": folder},
                console=console,
                max_rounds=max_rounds,
            )


def _model(registry: Registry, name: str, base_url: str | None, format: str) -> Model:
    if name == "local" and base_url is None:
        return local_model(registry)
    return remote_model(registry, name=name, format=format, base_url=base_url)


def _questions(question: str | None, console: Console) -> Iterator[str]:
    if question is not None:
        yield question
        return
    while True:
        try:
            asked = console.input("[bold]> [/]").strip()
        except (EOFError, KeyboardInterrupt):
            return
        if asked in {"exit", "quit"}:
            return
        if asked:
            yield asked
