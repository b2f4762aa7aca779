"""The README and the docstrings say what happens."""

import doctest
import importlib
import pkgutil
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from sybil import Sybil
from sybil.parsers.markdown import PythonCodeBlockParser

import toolreg
from tests.servers import anthropic_server, openai_server

README = Path(__file__).parent.parent / "README.md"
FLAGS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
MODULES = [module.name for module in pkgutil.walk_packages(toolreg.__path__, "toolreg.")]


@pytest.fixture
def servers(monkeypatch):
    """Local servers in the place of OpenAI's and Anthropic's."""
    with openai_server() as openai_url, anthropic_server() as anthropic_url:
        monkeypatch.setenv("OPENAI_BASE_URL", openai_url)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        monkeypatch.setenv("ANTHROPIC_BASE_URL", anthropic_url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "none")
        yield


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", README.read_text("utf-8"), re.DOTALL)


@pytest.mark.usefixtures("servers")
def test_every_python_block_of_the_readme_gives_what_it_shows():
    """The README's Python runs from top to bottom and its outputs are real."""
    parser = PythonCodeBlockParser(doctest_optionflags=FLAGS)
    document = Sybil(parsers=[parser], path=str(README.parent), pattern=README.name).parse(README)
    examples = list(document.examples())
    assert len(examples) > 40
    for example in examples:
        example.evaluate()


def test_the_readme_has_no_block_that_no_test_knows():
    """Every block is Python, a command, or a drawing of the exceptions."""
    languages = set(re.findall(r"^```(\w+)$", README.read_text("utf-8"), re.MULTILINE))
    assert languages == {"python", "console", "text"}


def test_the_exceptions_are_as_the_readme_draws_them():
    """The hierarchy in the README is that of the classes."""
    drawn = " ".join(blocks("text"))
    for name in re.findall(r"\w+Error", drawn):
        assert hasattr(toolreg, name) or name in {"TypeError", "KeyError"}


def test_the_commands_of_the_readme_exist():
    """The main command of the README answers with the real model, without its installation."""
    pytest.importorskip("needle")
    command = re.search(r"<!-- main -->\n```console\n\$ (.*)\n", README.read_text("utf-8"))[1]
    program, *arguments = shlex.split(command.split("&&")[-1])
    assert program == ".venv/bin/toolreg"
    run = [sys.executable, "-m", "toolreg", *arguments]
    done = subprocess.run(run, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    assert "Thursday" in done.stdout
    assert "42" in done.stdout


def test_each_command_that_the_readme_lists_has_its_help():
    """The table of commands names real ones."""
    pytest.importorskip("typer")
    listed = re.findall(r"^\| `toolreg (\w+)", README.read_text("utf-8"), re.MULTILINE)
    assert len(listed) == 5
    for name in listed:
        run = [sys.executable, "-m", "toolreg", name, "--help"]
        assert subprocess.run(run, capture_output=True, timeout=60).returncode == 0


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_in_docstrings_are_true(name):
    """What a docstring shows is what happens."""
    if name.startswith("toolreg.cli") or name == "toolreg.__main__":
        pytest.importorskip("typer")
    if name == "toolreg.__main__":
        pytest.skip("it runs the program")
    if name == "toolreg.local":
        pytest.importorskip("needle")
    failed, _ = doctest.testmod(importlib.import_module(name), optionflags=FLAGS)
    assert failed == 0
