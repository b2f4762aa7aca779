"""pydantic-ai-slim: ``FunctionToolset`` and ``ToolManager.handle_call``, as its agents do."""

from dataclasses import dataclass
from typing import Any

from pydantic_ai import RunContext, RunUsage, Tool
from pydantic_ai.exceptions import ToolRetryError
from pydantic_ai.messages import ToolCallPart, ToolReturnPart
from pydantic_ai.models.test import TestModel
from pydantic_ai.tool_manager import ToolManager
from pydantic_ai.toolsets import FunctionToolset


@dataclass
class _Tools:
    toolset: FunctionToolset
    manager: ToolManager | None = None


class Peer:
    distribution = "pydantic-ai-slim"
    imports = "from pydantic_ai import Tool"
    missing = {"call": "async only", "middleware": "capabilities belong to an agent with a model"}

    def toolset(self, functions: list[Any], timeout: float | None = None) -> _Tools:
        made = [Tool(function, timeout=timeout) for function in functions]
        return _Tools(FunctionToolset(made, max_retries=1))

    async def ready(self, tools: _Tools) -> None:
        context = RunContext(deps=None, model=TestModel(), usage=RunUsage())
        tools.manager = await ToolManager(tools.toolset).for_run_step(context)

    def specs(self, tools: _Tools) -> list[Any]:
        return [
            {
                "type": "function",
                "function": {
                    "name": tool.tool_def.name,
                    "description": tool.tool_def.description,
                    "parameters": tool.tool_def.parameters_json_schema,
                },
            }
            for tool in tools.toolset.tools.values()
        ]

    async def acall(self, tools: _Tools, name: str, raw: str) -> str:
        call = ToolCallPart(name, raw, tool_call_id="c")
        try:
            value = await tools.manager.handle_call(call)
        except ToolRetryError as error:
            return error.tool_retry.model_response_str()
        return ToolReturnPart(name, value, tool_call_id="c").model_response_str()
