"""langchain-core: ``@tool`` and ``invoke`` of a tool call."""

import inspect
import json
from typing import Any

from langchain_core.tools import StructuredTool
from langchain_core.utils.function_calling import convert_to_openai_tool


class Peer:
    distribution = "langchain-core"
    imports = "from langchain_core.tools import StructuredTool"
    missing = {
        "timeout": "none offered",
        "middleware": "none in langchain-core",
        "unknown": "no lookup by name",
    }

    def toolset(self, functions: list[Any]) -> dict[str, Any]:
        made = [_make(function) for function in functions]
        return {tool.name: tool for tool in made}

    def specs(self, tools: dict[str, Any]) -> list[Any]:
        return [convert_to_openai_tool(tool) for tool in tools.values()]

    def call(self, tools: dict[str, Any], name: str, raw: str) -> str:
        return tools[name].invoke(_call(name, raw)).content

    async def acall(self, tools: dict[str, Any], name: str, raw: str) -> str:
        return (await tools[name].ainvoke(_call(name, raw))).content


def _call(name: str, raw: str) -> dict[str, Any]:
    return {"type": "tool_call", "name": name, "args": json.loads(raw), "id": "c"}


def _make(function: Any) -> StructuredTool:
    kind = "coroutine" if inspect.iscoroutinefunction(function) else "func"
    documented = "Args:" in (function.__doc__ or "")
    return StructuredTool.from_function(
        **{kind: function},
        parse_docstring=documented,
        handle_validation_error=str,
        handle_tool_error=True,
    )
