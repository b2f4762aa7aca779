"""toolregistry: ``invoke``, ``ainvoke``, and ``aexecute_tool_calls`` in threads for a batch."""

import json
from typing import Any

from toolregistry import ToolMetadata, ToolRegistry
from toolregistry.llm.tool_calls import ToolCall


class Peer:
    distribution = "toolregistry"
    imports = "from toolregistry import ToolRegistry"
    missing = {"middleware": "none offered"}

    def toolset(self, functions: list[Any], timeout: float | None = None) -> ToolRegistry:
        registry = ToolRegistry()
        registry.set_default_execution_mode("thread")
        for function in functions:
            registry.register(function, metadata=ToolMetadata(timeout=timeout))
        return registry

    def specs(self, tools: ToolRegistry) -> list[Any]:
        return tools.get_schemas(api_format="openai-chat")

    def call(self, tools: ToolRegistry, name: str, raw: str) -> str:
        return _text(tools.invoke(name, json.loads(raw)))

    async def acall(self, tools: ToolRegistry, name: str, raw: str) -> str:
        return _text(await tools.ainvoke(name, json.loads(raw)))

    async def batch(self, tools: ToolRegistry, calls: list[tuple[str, str]]) -> list[str]:
        wanted = [ToolCall(str(index), name, raw) for index, (name, raw) in enumerate(calls)]
        return [_text(each) for each in await tools.aexecute_tool_calls(wanted)]


def _text(result: Any) -> str:
    if not hasattr(result, "result"):
        return str(result)
    return result.result if isinstance(result.result, str) else json.dumps(result.result)
