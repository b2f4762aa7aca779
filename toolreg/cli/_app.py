"""The commands."""

import contextlib
import logging
import sys
import traceback
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from pydantic_core import to_json
from rich.console import Console
from rich.table import Table
from rich.text import Text
from typer.core import TyperGroup

from .. import ToolCall, ToolDefinitionError, ToolResult, __version__, formats
from . import _check, _report
from ._chat import Talk
from ._clients import FORMATS
from ._findings import KINDS
from ._load import EXAMPLES, Tools, Unusable, load
from ._models import Model, local_model, remote_model

__all__ = ["app"]

_HELP = """Tools for language models: list, export, call, check, chat.

MODULE is a file or an importable module; MODULE:NAME takes one of several registries.

Exit status: 0 done; 1 the tool has failed (call), there are faults (check); 2 it could not be
done, for the reason on the standard error output.
"""
_ENDS = frozenset(("exit", "quit"))
_UNRUN = frozenset(("unknown_tool", "bad_json", "invalid_arguments", "denied", "approval_required"))
_WIDE = 10_000


class _Commands(TyperGroup):
    """Commands that say in one line why something cannot be done."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except Unusable as error:
            _fail(str(error))
        except ToolDefinitionError as error:
            _fail("; ".join(map(str, error.faults)))


app = typer.Typer(
    cls=_Commands,
    help=_HELP,
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

# Results say what was raised; tracebacks are for those who ask.
logging.getLogger("toolreg").addHandler(logging.NullHandler())

Module = Annotated[
    str, typer.Argument(help="A file or importable module, and :NAME for one of its registries.")
]
ModuleOption = Annotated[
    str,
    typer.Option(
        "--module", "-m", help="A file or importable module, and :NAME for one of its registries."
    ),
]
Folder = Annotated[
    Path, typer.Option(help="The folder that tools may read, where they ask for one.")
]


def _fail(text: str) -> NoReturn:
    _tell(text)
    raise typer.Exit(2)


def _tell(text: str) -> None:
    Console(stderr=True).print(Text(f"toolreg: {text}"), soft_wrap=True)


def _console() -> Console:
    """Return where results go; what is no terminal takes lines of any length."""
    return Console(width=None if sys.stdout.isatty() else _WIDE)


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
    registry = load(module)
    table = Table("tool", "parameters", "description", box=None, pad_edge=False)
    for tool in registry.values():
        names = ", ".join(tool.parameters.get("properties", ()))
        table.add_row(tool.name, Text(names), Text(tool.description.partition("\n")[0]))
    _console().print(table)


@app.command()
def spec(
    module: Module = EXAMPLES,
    format: Annotated[
        str | None,
        typer.Option(
            "--format", "-f", help=f"{', '.join(formats.FORMATS)}; without it, no provider's."
        ),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Ask for the provider's strict mode.")
    ] = False,
) -> None:
    """Print the specs of a module's tools as JSON."""
    if format is not None and format not in formats.FORMATS:
        raise Unusable(f"there is no format {format!r}; there are {', '.join(formats.FORMATS)}")
    typer.echo(to_json(load(module).specs(format, strict=strict), indent=2).decode())


@app.command()
def call(
    name: Annotated[str, typer.Argument(help="The tool's name.")],
    arguments: Annotated[
        str, typer.Argument(help="The arguments as a JSON object; - reads the standard input.")
    ] = "{}",
    module: ModuleOption = EXAMPLES,
    folder: Folder = Path(),
    approve: Annotated[
        bool, typer.Option("--approve", help="Run it also where it needs an approval.")
    ] = False,
    show_traceback: Annotated[
        bool, typer.Option("--traceback", help="Show where it raised what it raised.")
    ] = False,
) -> None:
    """Call one tool and print what a model would read.

    Exit status: 0 done; 1 the tool has failed; 2 it did not run.
    """
    registry = load(module)
    text = sys.stdin.read() if arguments == "-" else arguments
    with contextlib.redirect_stdout(sys.stderr):
        result = registry.execute(name, text, context={"folder": folder}, approved=approve)
    if show_traceback and result.exception is not None:
        typer.echo("".join(traceback.format_exception(result.exception)), err=True, nl=False)
    if result.is_error:
        _tell(_failure(result))
        raise typer.Exit(2 if result.kind in _UNRUN else 1)
    typer.echo(result.output)


def _failure(result: ToolResult) -> str:
    if result.kind == "approval_required":
        return f"{result.output} (--approve allows it)"
    return result.output if result.kind not in _UNRUN else " ".join(result.output.split())


@app.command(
    help=f"""Look for what models and providers will stumble over.

Exit status: 0 there is nothing; 1 there is; 2 the module cannot be read.

Kinds of faults:

{chr(10).join(f"- {kind}: {meaning}" for kind, meaning in KINDS.items())}
"""
)
def check(
    module: Module = EXAMPLES,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    ignore: Annotated[
        list[str] | None,
        typer.Option(help="A kind of fault that does not matter; may be repeated."),
    ] = None,
) -> None:
    for kind in ignore or ():
        if kind not in KINDS:
            raise Unusable(f"there is no kind of fault {kind!r}; there are {', '.join(KINDS)}")
    try:
        report = _check.examine(load(module), ignore or ())
    except ToolDefinitionError as error:
        report = _check.examine_error(error)
    if as_json:
        typer.echo(_check.as_json(report).decode())
    else:
        _report.show(report, _console())
    if report.faults:
        raise typer.Exit(1)


@app.command()
def chat(
    question: Annotated[
        str | None, typer.Argument(help="One question; without it, a prompt that goes on.")
    ] = None,
    module: ModuleOption = EXAMPLES,
    model: Annotated[
        str | None, typer.Option(help="A model's name at the server; without it, the local model.")
    ] = None,
    base_url: Annotated[str | None, typer.Option(help="Where the server is.")] = None,
    format: Annotated[
        str | None,
        typer.Option(
            "--format",
            "-f",
            help=f"What the server speaks: {', '.join(FORMATS)}; openai without it.",
        ),
    ] = None,
    max_rounds: Annotated[int, typer.Option(min=1, help="Rounds of calls for a question.")] = 10,
    folder: Folder = Path(),
) -> None:
    """Let a model answer with the tools of a module, each call and result shown.

    The prompt ends with exit, quit, or the end of the input. What was said before is kept in mind;
    the local model takes each question for itself. Keys of providers are taken from where their
    SDKs look for them, OPENAI_API_KEY for instance.

    Exit status: 0 answered; 2 the model or the module cannot be used.
    """
    registry = load(module)
    talk = Talk(
        model=_model(registry, model, base_url, format),
        registry=registry,
        context={"folder": folder},
        console=Console(),
        max_rounds=max_rounds,
        allow=_allow,
    )
    if question is not None:
        talk.answer(question)
        return
    outcomes = [_answered(talk, asked) for asked in _questions()]
    if not all(outcomes):
        raise typer.Exit(2)


def _model(registry: Tools, name: str | None, base_url: str | None, format: str | None) -> Model:
    if name in {None, "local"} and base_url is None:
        if format is not None:
            raise Unusable("--format needs --model")
        return local_model(registry)
    return remote_model(
        registry, model=name or "local", format=format or "openai", base_url=base_url
    )


def _answered(talk: Talk, question: str) -> bool:
    """Answer one of several questions; one that fails is told, and forgotten."""
    try:
        talk.answer(question)
    except Unusable as error:
        _tell(str(error))
    except KeyboardInterrupt:
        typer.echo()
    else:
        return True
    talk.model.forget()
    return False


def _questions() -> Iterator[str]:
    prompt = "> " if sys.stdin.isatty() else ""
    with contextlib.suppress(ImportError):
        import_module("readline")  # lines can be edited then, and had back
    with contextlib.suppress(EOFError, KeyboardInterrupt):
        while (asked := input(prompt).strip()) not in _ENDS:
            if asked:
                yield asked


def _allow(call: ToolCall) -> bool:
    with contextlib.suppress(EOFError):
        return input(f"Run {call.name}? [y/N] ").strip().lower() in {"y", "yes"}
    return False
