"""Decorate plain functions; hand their specs to any model; get exactly one result per call."""

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
    "ToolCall",
    "ToolDefinitionError",
    "ToolError",
    "ToolResult",
    "ToolregError",
    "UnknownToolError",
]
