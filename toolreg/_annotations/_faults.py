"""Why an annotation cannot be resolved."""

import sys
from types import ModuleType

__all__ = ["Unresolved", "unresolved"]


class Unresolved(Exception):
    """A name or an expression in an annotation has no value.

    Attributes:
        pending: Whether it may have one later.
        absent: Whether it belongs to a module that is not installed.
        missing: The name that has none yet; None where a module is half imported.
        text: The name or expression.
    """

    def __init__(
        self,
        reason: str,
        *,
        pending: bool = False,
        absent: bool = False,
        missing: str | None = None,
    ) -> None:
        super().__init__(reason)
        self.pending = pending or missing is not None
        self.absent = absent
        self.missing = missing
        self.text: str | None = None


def unresolved(error: Exception) -> Unresolved:
    """Return any error in words, with the cure where modules import each other in a circle.

    Args:
        error: What an import, a look-up or an expression raised.
    """
    if isinstance(error, Unresolved):
        return error
    half = _half_imported(error)
    if half is not None:
        reason = (
            f"module {half!r} is only half imported, since modules import each other in a circle; "
            "define the tool once both are loaded, or move the type to a module of its own"
        )
        return Unresolved(reason, pending=True)
    reason = " ".join(str(error).split())
    if isinstance(error, SyntaxError):
        reason = "it is not a Python expression"
    elif not isinstance(error, ImportError):
        reason = f"{type(error).__name__}: {reason}"
    return Unresolved(reason, absent=isinstance(error, ModuleNotFoundError))


def _half_imported(error: Exception) -> str | None:
    """Return the name of the module that an error found in the middle of its own import."""
    module: object = None
    if isinstance(error, ImportError) and error.name is not None:
        module = sys.modules.get(error.name)
    elif isinstance(error, AttributeError):
        module = error.obj
    if not isinstance(module, ModuleType):
        return None
    spec = vars(module).get("__spec__")
    return module.__name__ if getattr(spec, "_initializing", False) else None
