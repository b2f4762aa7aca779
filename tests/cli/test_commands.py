"""list, spec, call, and what is common to all commands."""

import json

import pytest

from toolreg import __version__, formats
from toolreg.cli import _load

CALLED = """
    from typing import Annotated
    from toolreg import Injected, Registry, ToolError

    registry = Registry()

    @registry.tool
    def say(what: str) -> str:
        '''Say it.'''
        print("aloud")
        return what

    @registry.tool
    def fail() -> None:
        '''Fail.'''
        raise ToolError("not\\ntoday")

    @registry.tool(requires_approval=True)
    def careful() -> str:
        '''Ask first.'''
        return "done"

    @registry.tool
    def where(folder: Annotated[object, Injected]) -> str:
        '''Say where.'''
        return str(folder)
"""


@pytest.fixture
def called(write):
    write(CALLED)


def test_the_version(run):
    """It is that of the package."""
    result = run("--version")
    assert (0, f"{__version__}\n") == (result.exit_code, result.stdout)


@pytest.mark.parametrize("option", ["-h", "--help"])
@pytest.mark.parametrize("command", [(), ("call",), ("check",), ("chat",)])
def test_the_help_tells_the_exit_statuses(run, command, option):
    """Scripts can rely on them."""
    result = run(*command, option)
    assert 0 == result.exit_code
    assert "Exit status: 0" in result.stdout


def test_list(run, sums):
    """A line for each tool, its parameters and the beginning of its description."""
    result = run("list", "mine.py")
    head, *rows = [line.split(maxsplit=1) for line in result.stdout.splitlines()]
    assert "tool" == head[0]
    assert ["add", "divide"] == [row[0] for row in rows]
    assert "a, b        Add two integers." == rows[0][1].strip()


def test_a_list_that_is_piped_is_not_cut(run, write):
    """Its lines are as long as they must be."""
    write(f"""
        from toolreg import Registry

        registry = Registry()

        @registry.tool(description="{"long " * 100}end")
        def f():
            pass
    """)
    assert "end" in run("list", "mine.py").stdout.splitlines()[1]


def test_names_are_no_markup(run, write):
    """A parameter may be called like a word of the terminal's."""
    write("""
        from typing import Annotated
        from pydantic import Field
        from toolreg import Registry

        registry = Registry()

        @registry.tool
        def f(x: Annotated[int, Field(alias="[red]")]):
            '''See [bold].'''
    """)
    assert "f     [red]       See [bold]." in run("list", "mine.py").stdout


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("format", [None, *formats.FORMATS])
def test_spec(run, sums, format, strict):
    """What is printed is what a program gets."""
    options = [*(["--format", format] if format else []), *(["--strict"] if strict else [])]
    result = run("spec", "mine.py", *options)
    expected = _load.load("mine.py").specs(format, strict=strict)
    assert (0, expected) == (result.exit_code, json.loads(result.stdout))


def test_an_unknown_format(refused):
    """The formats are named."""
    expected = f"there is no format 'nope'; there are {', '.join(formats.FORMATS)}"
    assert expected == refused("spec", "--format", "nope")


def test_call(run, called):
    """What a model would read is printed; what the tool prints is not in it."""
    result = run("call", "say", '{"what": "hello"}', "--module", "mine.py")
    assert (0, "hello\n", "aloud\n") == (result.exit_code, result.stdout, result.stderr)


def test_call_reads_its_input(run, called):
    """A dash stands for the standard input."""
    result = run("call", "say", "-", "-m", "mine.py", input='{"what": "hello"}')
    assert (0, "hello\n") == (result.exit_code, result.stdout)


def test_call_without_arguments(run):
    """None are needed where none are declared."""
    result = run("call", "list_files", "--folder", ".")
    assert 0 == result.exit_code


def test_call_has_a_folder(run, called, folder):
    """Tools that want one are given it."""
    result = run("call", "where", "-m", "mine.py", "--folder", folder)
    assert f"{folder}\n" == result.stdout


def test_a_tool_that_fails(run, called):
    """Its text is told, and the status is 1."""
    result = run("call", "fail", "-m", "mine.py")
    assert (1, "", "toolreg: not\ntoday\n") == (result.exit_code, result.stdout, result.stderr)


def test_a_traceback_for_those_who_ask(run, sums):
    """It comes before the line."""
    result = run("call", "divide", '{"by": 0}', "-m", "mine.py", "--traceback")
    assert result.stderr.startswith("Traceback")
    assert result.stderr.endswith("\ntoolreg: ZeroDivisionError: division by zero\n")


@pytest.mark.parametrize(
    ("name", "arguments", "reason"),
    [
        ("nope", "{}", "there is no tool 'nope'"),
        ("say", "{", "JSON"),
        ("say", "[]", "object"),
        ("say", "{}", "The arguments of say are invalid: what: missing, required"),
        ("careful", "{}", "(--approve allows it)"),
    ],
)
def test_a_call_that_does_not_run(refused, called, name, arguments, reason):
    """It is said in one line why, and the status is 2."""
    line = refused("call", name, arguments, "--module", "mine.py")
    assert reason.lower() in line.lower()


def test_an_approved_call(run, called):
    """Whoever calls may allow it."""
    result = run("call", "careful", "-m", "mine.py", "--approve")
    assert (0, "done\n") == (result.exit_code, result.stdout)
