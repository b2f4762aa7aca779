"""Modules written to a folder of their own, and the command line run there."""

import linecache
import sys
from textwrap import dedent

import pytest
from typer.testing import CliRunner

from toolreg import default_registry
from toolreg.cli._app import app

SUMS = """
    from toolreg import Registry

    registry = Registry(instructions="Never reckon in your head.")

    @registry.tool
    def add(a: int, b: int = 1) -> int:
        '''Add two integers.

        Args:
            a: The first.
            b: The second.
        '''
        return a + b

    @registry.tool
    def divide(by: int) -> float:
        '''Divide one by a number.

        Args:
            by: The number.
        '''
        return 1 / by
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """The working directory; what is imported from it is forgotten afterwards."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    for key in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.delenv(key, raising=False)
    before = dict(sys.modules)
    yield tmp_path
    for name in sys.modules.keys() - before.keys():
        if str(tmp_path) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]
    for name in list(default_registry):
        default_registry.remove(name)
    sys.path_importer_cache.clear()
    linecache.clearcache()


@pytest.fixture
def write(folder):
    """Write a module."""

    def write(text, name="mine.py"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text), encoding="utf-8")
        return path

    return write


@pytest.fixture
def sums(write):
    """A module with two tools."""
    return write(SUMS)


@pytest.fixture
def run():
    """Run a command; an exception that comes through is a fault."""

    def run(*arguments, input=None):
        result = CliRunner().invoke(app, [str(one) for one in arguments], input=input)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return run


@pytest.fixture
def refused(run):
    """Run a command that cannot be done; give the one line that says why."""

    def refused(*arguments, input=None):
        result = run(*arguments, input=input)
        assert (2, "") == (result.exit_code, result.stdout)
        [line] = result.stderr.splitlines()
        assert line.startswith("toolreg: ")
        return line.removeprefix("toolreg: ")

    return refused
