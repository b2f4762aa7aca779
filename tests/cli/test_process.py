"""The command line as a process."""

import importlib
import io
import os
import runpy
import subprocess
import sys

import pytest

from toolreg import __version__, cli

BLOCKED = """
import sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {blocked!r}:
            raise ModuleNotFoundError("No module named " + repr(name), name=name)

sys.meta_path.insert(0, Blocker())
sys.argv = ["toolreg", *{arguments!r}]
from toolreg.cli import main
main()
"""


def python(*arguments, input=""):
    """Run Python; give the status and both outputs."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        [sys.executable, *arguments],
        input=input,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=environment,
        timeout=60,
    )
    return done.returncode, done.stdout, done.stderr


def blocked(*names, arguments=()):
    return python("-c", BLOCKED.format(blocked=set(names), arguments=list(arguments)))


def test_as_a_module():
    """`python -m toolreg` is the command line."""
    assert (0, f"{__version__}\n", "") == python("-m", "toolreg", "--version")


@pytest.mark.parametrize("name", ["typer", "rich"])
def test_without_the_extra(name):
    """One line tells how to get it."""
    line = 'toolreg: the command line needs its extra: pip install "toolreg[cli]"\n'
    assert (1, "", line) == blocked(name, arguments=["list"])


def test_another_module_that_is_missing_is_a_fault():
    """The extra is not blamed for it."""
    status, _, error = blocked("pydantic_core")
    assert status == 1
    assert "No module named 'pydantic_core'" in error
    assert "extra" not in error


def test_without_the_local_model():
    """One line tells how to get it."""
    status, out, error = blocked("needle", arguments=["chat", "hello"])
    assert (2, "") == (status, out)
    [line] = error.splitlines()
    assert line.startswith("toolreg: the local model needs the extra `local`")


def test_commands(sums):
    """Results and faults go where a shell expects them."""
    call = ("-m", "toolreg", "call", "--module", str(sums))
    assert (0, "42\n", "") == python(*call, "add", '{"a": 19, "b": 23}')
    status, out, error = python(*call, "divide", '{"by": 0}')
    assert (1, "", "toolreg: ZeroDivisionError: division by zero\n") == (status, out, error)
    status, out, error = python(*call, "divide", "{")
    assert (2, "", 1) == (status, out, len(error.splitlines()))


def test_a_reader_that_stops_reading(sums):
    """There is no traceback."""
    shell = f'"{sys.executable}" -m toolreg spec --format openai | head -n 1'
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(shell, shell=True, capture_output=True, text=True, env=environment)
    assert ("[\n", "") == (done.stdout, done.stderr)


def test_an_output_that_knows_few_characters(write):
    """What it cannot show does not stop it."""
    write("""
        from toolreg import Registry

        registry = Registry()

        @registry.tool(description="Größe")
        def tell() -> None: ...
    """)
    done = subprocess.run(
        [sys.executable, "-m", "toolreg", "list", "mine.py"],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert b"" == done.stderr
    assert b"Gr\\xf6\\xdfe" in done.stdout


def test_an_output_that_is_none(monkeypatch, capsys):
    """Whoever takes what is printed may be anything."""
    monkeypatch.setattr(sys, "argv", ["toolreg", "--version"])
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    with pytest.raises(SystemExit):
        cli.main()


def test_main_runs_the_commands(monkeypatch, capsys):
    """The entry point and the module do the same; importing the module does nothing."""
    importlib.import_module("toolreg.__main__")
    monkeypatch.delitem(sys.modules, "toolreg.__main__")
    monkeypatch.setattr(sys, "argv", ["toolreg", "--version"])
    for run in (cli.main, lambda: runpy.run_module("toolreg", run_name="__main__")):
        with pytest.raises(SystemExit) as stopped:
            run()
        assert (0, f"{__version__}\n") == (stopped.value.code, capsys.readouterr().out)


@pytest.mark.parametrize(("name", "raised"), [("typer", SystemExit), ("json", ImportError)])
def test_main_tells_what_is_missing(monkeypatch, name, raised):
    """Only what belongs to the extra is called that."""

    def missing(*arguments):
        raise ModuleNotFoundError(name=name)

    monkeypatch.setattr(cli, "import_module", missing)
    with pytest.raises(raised):
        cli.main()
