"""llama-index-core: ``FunctionTool`` and ``call_tool_with_selection``; it does not validate."""

import inspect
import json
from typing import Any

from llama_index.core.llms.llm import ToolSelection
from llama_index.core.tools import FunctionTool
from llama_index.core.tools.calling import acall_tool_with_selection, call_tool_with_selection


class Peer:
    distribution = "llama-index-core"
    imports = "from llama_index.core.tools import FunctionTool"
    missing = {
        "timeout": "none offered",
        "middleware": "none offered",
        "error": "arguments are not validated",
        "repair": "arguments are not validated",
        "unknown": "raises KeyError",
    }

    def toolset(self, functions: list[Any]) -> list[FunctionTool]:
        return [
            FunctionTool.from_defaults(
                **{"async_fn" if inspect.iscoroutinefunction(function) else "fn": function}
            )
            for function in functions
        ]

    def specs(self, tools: list[FunctionTool]) -> list[Any]:
        return [tool.metadata.to_openai_tool() for tool in tools]

    def call(self, tools: list[FunctionTool], name: str, raw: str) -> str:
        return call_tool_with_selection(_selection(name, raw), tools).content

    async def acall(self, tools: list[FunctionTool], name: str, raw: str) -> str:
        return (await acall_tool_with_selection(_selection(name, raw), tools)).content


def _selection(name: str, raw: str) -> ToolSelection:
    return ToolSelection(tool_id="c", tool_name=name, tool_kwargs=json.loads(raw))
