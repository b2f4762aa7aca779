"""From the MODULE of a command to its tools."""

import contextlib
import importlib
import importlib.util
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import Final, TypeAlias

from .. import Registry, ToolDefinitionError, default_registry
from .._registry import Selection

__all__ = ["EXAMPLES", "Tools", "Unusable", "load", "one_line"]

EXAMPLES: Final = "toolreg.examples"
_LONGEST: Final = 500
_END: Final = 100

Tools: TypeAlias = Registry | Selection


class Unusable(Exception):
    """What was asked for cannot be done; the text is one line for the user."""


def one_line(error: BaseException) -> str:
    """Return the kind and the text of an exception in one line, not too long."""
    text = " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":")
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - _END]}…{text[-_END:]}"


def load(target: str) -> Tools:
    """Return the tools of a file or module.

    What the module prints goes to the standard error output: the other is for results.

    Args:
        target: A path or an importable name, and after a colon the name of the registry in it.

    Raises:
        Unusable: If there is no such module, or no registry in it.
        ToolDefinitionError: If the module defines a tool that cannot be one.
    """
    place, name = _split(target)
    with contextlib.redirect_stdout(sys.stderr):
        module = _module(place)
    registries = {id(v): (k, v) for k, v in vars(module).items() if isinstance(v, Registry)}
    own = dict(registries.values())
    names = ", ".join(f"{place}:{name}" for name in own)
    if name:
        found = vars(module).get(name)
        if not isinstance(found, Tools):
            there = f"; there are {names}" if own else ""
            raise Unusable(f"{place} has no registry {name!r}{there}")
        return found
    if "registry" in own or len(own) == 1:
        return own.get("registry") or next(iter(own.values()))
    if own:
        raise Unusable(f"{place} has several registries; name one: {names}")
    if not default_registry:
        raise Unusable(f"{place} has no registry and no tools")
    return default_registry


def _split(target: str) -> tuple[str, str]:
    # A drive letter is no module.
    place, colon, name = target.rpartition(":")
    return (place, name) if colon and name.isidentifier() else (target, "")


def _module(place: str) -> ModuleType:
    try:
        return _found(place)
    except (ToolDefinitionError, Unusable):
        raise
    except ModuleNotFoundError as error:
        if error.name is not None and f"{place}.".startswith(f"{error.name}."):
            raise Unusable(f"there is no module {error.name!r}") from error
        raise Unusable(_unimportable(place, error)) from error
    except (Exception, SystemExit) as error:
        raise Unusable(_unimportable(place, error)) from error


def _found(place: str) -> ModuleType:
    path = Path(place)
    if (path / "__init__.py").is_file():
        return _from_file(path / "__init__.py")
    if path.is_file():
        return _from_file(path)
    if place.endswith(".py") or not all(map(str.isidentifier, place.split("."))):
        raise Unusable(f"there is no file {place}")
    _put_on_path(Path.cwd())
    return importlib.import_module(place)


def _unimportable(place: str, error: BaseException) -> str:
    text = f"{place} cannot be imported: {one_line(error)}"
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.name == "<module>"]
    return f"{text} ({frames[-1].filename}:{frames[-1].lineno})" if frames else text


def _from_file(path: Path) -> ModuleType:
    path = path.resolve()
    root, names = path.parent, [path.stem]
    while (root / "__init__.py").is_file():
        root, names = root.parent, [root.name, *names]
    _put_on_path(root)
    if len(names) > 1:  # relative imports need the package
        return importlib.import_module(".".join(names).removesuffix(".__init__"))
    name = path.stem
    while name in sys.modules:  # a file may be called like a module that others need
        name = f"{name}_"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise Unusable(f"{path} is no Python file")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _put_on_path(folder: Path) -> None:
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
