"""From the MODULE of a command to its tools."""

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from .. import Registry, ToolDefinitionError, default_registry

__all__ = ["EXAMPLES", "Unusable", "load"]

EXAMPLES = "toolreg.examples"


class Unusable(Exception):
    """What was asked for cannot be done; the text is one line for the user."""


def load(target: str) -> Registry:
    """Return the tools of a file or module.

    Args:
        target: A path or an importable name, and after a colon the name of the registry in it.

    Raises:
        Unusable: If there is no such module, or no registry in it.
        ToolDefinitionError: If the module defines a tool that cannot be one.
    """
    place, _, name = _split(target)
    module = _module(place)
    if name:
        found = getattr(module, name, None)
        if not isinstance(found, Registry):
            raise Unusable(f"{place} has no registry {name!r}")
        return found
    registries = {id(v): (k, v) for k, v in vars(module).items() if isinstance(v, Registry)}
    own = dict(registries.values())
    if len(own) == 1:
        return next(iter(own.values()))
    if "registry" in own:
        return own["registry"]
    if own:
        raise Unusable(f"{place} has several registries; name one: {place}:{next(iter(own))}")
    if not default_registry:
        raise Unusable(f"{place} has no registry and no tools")
    return default_registry


def _split(target: str) -> tuple[str, str, str]:
    # A drive letter is no module.
    place, colon, name = target.rpartition(":")
    return (place, colon, name) if colon and name.isidentifier() else (target, "", "")


def _module(place: str) -> ModuleType:
    try:
        if place.endswith(".py") or Path(place).is_file():
            return _from_file(Path(place))
        if (here := str(Path.cwd())) not in sys.path:
            sys.path.insert(0, here)
        return importlib.import_module(place)
    except ToolDefinitionError:
        raise
    except ModuleNotFoundError as error:
        raise Unusable(f"there is no module {error.name!r}") from error
    except (Exception, SystemExit) as error:
        text = " ".join(f"{type(error).__name__}: {error}".split())
        raise Unusable(f"{place} cannot be imported: {text}") from error


def _from_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise Unusable(f"there is no file {path}")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise Unusable(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    sys.path.insert(0, str(path.resolve().parent))
    spec.loader.exec_module(module)
    return module
