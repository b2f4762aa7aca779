"""The command line."""

import sys
from contextlib import suppress
from importlib import import_module
from typing import Any, cast

__all__ = ["main"]

_INSTALL = 'toolreg: the command line needs its extra: pip install "toolreg[cli]"'


def main() -> None:
    """Run the command line; what it needs is an extra."""
    try:
        app = import_module("._app", __name__).app
    except ModuleNotFoundError as error:
        if str(error.name).partition(".")[0] not in {"typer", "rich", "click"}:
            raise
        sys.exit(_INSTALL)
    with suppress(AttributeError):  # it may know fewer characters than tools write
        cast("Any", sys.stdout).reconfigure(errors="backslashreplace")
    app()
