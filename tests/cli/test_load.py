"""From MODULE to a registry."""

import json
import sys

import pytest

from toolreg.cli import _load

ONE = """
    from toolreg import Registry

    {name} = Registry()

    @{name}.tool
    def {tool}() -> int:
        '''Do it.'''
        return 1
"""


def names(result):
    assert 0 == result.exit_code, result.stderr
    return [spec["name"] for spec in json.loads(result.stdout)]


def test_a_file(run, sums):
    """A path is a module."""
    assert ["add", "divide"] == names(run("spec", sums))
    assert ["add", "divide"] == names(run("spec", "mine.py"))


def test_a_dotted_name(run, write):
    """An importable name is a module, sought in the working directory too."""
    write(ONE.format(name="registry", tool="one"), "inner/tools.py")
    assert ["one"] == names(run("spec", "inner.tools"))


def test_without_a_module_it_is_the_examples(run):
    """The examples stand in."""
    assert "calculate" in names(run("spec"))


def test_a_registry_by_its_name(run, write):
    """After a colon, a registry or a view is named."""
    path = write(ONE.format(name="first", tool="one"))
    path.write_text(path.read_text() + "\nsecond = Registry()\nview = first.select('one')\n")
    assert ["one"] == names(run("spec", "mine:first"))
    assert [] == names(run("spec", f"{path}:second"))
    assert ["one"] == names(run("spec", "mine.py:view"))


def test_one_called_registry_is_preferred(run, write):
    """Of several registries, the one called `registry` is meant."""
    write(ONE.format(name="registry", tool="one") + "\n    other = Registry()\n")
    assert ["one"] == names(run("spec", "mine.py"))


def test_a_second_name_of_one_registry_is_no_second_registry(run, write):
    """One registry may have several names."""
    write(ONE.format(name="first", tool="one") + "\n    again = first\n")
    assert ["one"] == names(run("spec", "mine.py"))


def test_the_default_registry(run, write):
    """A module that uses the bare decorator needs no registry."""
    write("""
        from toolreg import tool

        @tool
        def one() -> int:
            '''Do it.'''
            return 1
    """)
    assert ["one"] == names(run("spec", "mine.py"))


def test_a_package(run, write):
    """A folder that is a package, and a file inside one, are imported as what they are."""
    write("from .inner import registry", "pack/__init__.py")
    write(ONE.format(name="registry", tool="one"), "pack/inner.py")
    assert ["one"] == names(run("spec", "pack"))
    assert ["one"] == names(run("spec", "./pack"))
    assert ["one"] == names(run("spec", "pack/inner.py"))
    assert ["one"] == names(run("spec", "pack/__init__.py"))


def test_a_file_called_like_a_module_that_is_needed(run, write):
    """The module stays what it is."""
    write(ONE.format(name="registry", tool="one"), "json.py")
    assert ["one"] == names(run("spec", "json.py"))
    assert json is sys.modules["json"]


def test_what_a_module_prints_is_no_result(run, write):
    """It goes to the other output."""
    write("print('hello')\n" + "from toolreg.examples import registry\n")
    result = run("spec", "mine.py")
    assert "calculate" in names(result)
    assert "hello\n" == result.stderr


def test_two_modules_beside_each_other(run, write):
    """A file imports its neighbours."""
    write(ONE.format(name="registry", tool="one"), "inner/tools.py")
    write("from tools import registry", "inner/main.py")
    assert ["one"] == names(run("spec", "inner/main.py"))


@pytest.mark.parametrize(
    ("module", "reason"),
    [
        ("nope", "there is no module 'nope'"),
        ("nope.deeper", "there is no module 'nope'"),
        ("json.nope", "there is no module 'json.nope'"),
        ("nope.py", "there is no file nope.py"),
        ("./nope", "there is no file ./nope"),
        (".nope", "there is no file .nope"),
        ("", "there is no file "),
        ("data.txt", "{folder}/data.txt is no Python file"),
        ("json", "json has no registry and no tools"),
        ("json:loads", "json has no registry 'loads'"),
        ("mine.py:nope", "mine.py has no registry 'nope'; there are mine.py:registry"),
    ],
)
def test_what_cannot_be_found(refused, sums, folder, module, reason):
    """It is said in one line what there is not."""
    (folder / "data.txt").write_text("1")
    assert reason.format(folder=folder) == refused("list", module)


def test_several_registries(refused, write):
    """They are named."""
    write("from toolreg import Registry\na, b = Registry(), Registry()\n")
    assert "mine has several registries; name one: mine:a, mine:b" == refused("list", "mine")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1 / 0", "ZeroDivisionError: division by zero ({file}:1)"),
        ("\nraise ValueError('a\\nb')", "ValueError: a b ({file}:2)"),
        ("raise ValueError", "ValueError ({file}:1)"),
        ("import sys\nsys.exit(3)", "SystemExit: 3 ({file}:2)"),
        ("import not_installed", "ModuleNotFoundError: No module named 'not_installed' ({file}:1)"),
        ("raise ModuleNotFoundError", "ModuleNotFoundError ({file}:1)"),
        ("def :", "SyntaxError: invalid syntax (mine.py, line 1)"),
        ("raise ValueError('x' * 1000)", f"ValueError: {'x' * 388}…{'x' * 100} ({{file}}:1)"),
    ],
)
def test_a_module_that_cannot_be_imported(refused, write, text, reason):
    """What it raises is said, and where."""
    file = write(text)
    expected = f"mine.py cannot be imported: {reason.format(file=file)}"
    assert expected == refused("list", "mine.py")


def test_an_interrupt_comes_through(write):
    """Whoever stops the program stops it."""
    write("raise KeyboardInterrupt")
    with pytest.raises(KeyboardInterrupt):
        _load.load("mine.py")


@pytest.mark.parametrize("command", ["list", "spec", "chat"])
def test_a_definition_that_is_wrong(refused, write, command):
    """All faults of it are said in one line."""
    write("""
        from toolreg import Registry

        registry = Registry()

        @registry.tool
        def f(a: object(), b: "Nope") -> int:
            return 1
    """)
    options = ["--module", "mine.py"] if command == "chat" else ["mine.py"]
    line = refused(command, *options)
    assert "f(): parameter 'a'" in line
    assert "f(): parameter 'b'" in line
