"""openai-agents: ``function_tool`` and ``on_invoke_tool``."""

import json
from typing import Any

from agents import FunctionTool, function_tool
from agents.tool import invoke_function_tool
from agents.tool_context import ToolContext


class Peer:
    distribution = "openai-agents"
    imports = "from agents import function_tool"
    missing = {
        "call": "async only",
        "middleware": "guardrails belong to an agent with a model",
        "unknown": "no lookup by name",
    }

    def toolset(
        self, functions: list[Any], timeout: float | None = None
    ) -> dict[str, FunctionTool]:
        made = [function_tool(f, timeout=timeout, strict_mode=False) for f in functions]
        return {tool.name: tool for tool in made}

    def specs(self, tools: dict[str, FunctionTool]) -> list[Any]:
        return [
            {
                "type": "function",
                "name": tool.name,
                "description": tool.description,
                "parameters": tool.params_json_schema,
                "strict": tool.strict_json_schema,
            }
            for tool in tools.values()
        ]

    async def acall(self, tools: dict[str, FunctionTool], name: str, raw: str) -> str:
        context = ToolContext(None, tool_name=name, tool_call_id="c", tool_arguments=raw)
        value = await invoke_function_tool(
            function_tool=tools[name], context=context, arguments=raw
        )
        return value if isinstance(value, str) else json.dumps(value)
