"""strands-agents: ``@tool``, its registry, and ``stream`` of a tool use."""

import json
from typing import Any

from strands import tool
from strands.tools.registry import ToolRegistry


class Peer:
    distribution = "strands-agents"
    imports = "from strands import tool"
    missing = {
        "call": "async only",
        "timeout": "none offered",
        "middleware": "hooks belong to an agent with a model",
        "unknown": "answered by an agent with a model",
    }

    def toolset(self, functions: list[Any]) -> ToolRegistry:
        registry = ToolRegistry()
        registry.process_tools([tool(function) for function in functions])
        return registry

    def specs(self, tools: ToolRegistry) -> list[Any]:
        return tools.get_all_tool_specs()

    async def acall(self, tools: ToolRegistry, name: str, raw: str) -> str:
        use = {"toolUseId": "c", "name": name, "input": json.loads(raw)}
        events = [event async for event in tools.registry[name].stream(use, {})]
        return events[-1].tool_result["content"][0]["text"]
