"""Decorate plain functions; hand their specs to any model; get exactly one result per call."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import formats
    from ._registry import Registry, default_registry, tool
    from ._tool import Tool
    from ._types import (
        Audio,
        File,
        Image,
        Injected,
        MultiResult,
        ToolCall,
        ToolResult,
    )
    from .errors import (
        DuplicateToolError,
        ToolDefinitionError,
        ToolError,
        ToolregError,
        UnknownToolError,
    )

__all__ = [
    "Audio",
    "DuplicateToolError",
    "File",
    "Image",
    "Injected",
    "MultiResult",
    "Registry",
    "Tool",
    "ToolCall",
    "ToolDefinitionError",
    "ToolError",
    "ToolResult",
    "ToolregError",
    "UnknownToolError",
    "default_registry",
    "formats",
    "tool",
]

_HOMES = {
    "._registry": ("Registry", "default_registry", "tool"),
    "._tool": ("Tool",),
    "._types": ("Audio", "File", "Image", "Injected", "MultiResult", "ToolCall", "ToolResult"),
    ".errors": (
        "DuplicateToolError",
        "ToolDefinitionError",
        "ToolError",
        "ToolregError",
        "UnknownToolError",
    ),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    # As pydantic does: what is not used is not loaded.
    if name == "__version__":
        return import_module("importlib.metadata").version("toolreg")
    if name == "formats":
        return import_module(".formats", __name__)
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOME_OF[name], __name__), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
