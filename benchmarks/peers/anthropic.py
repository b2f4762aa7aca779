"""anthropic's ``beta_tool``: ``BetaFunctionTool.call`` as its tool runner does it."""

import inspect
import json
from typing import Any

from anthropic import beta_async_tool, beta_tool


class Peer:
    distribution = "anthropic"
    imports = "from anthropic import beta_tool"
    missing = {
        "timeout": "none offered",
        "middleware": "none offered",
        "unknown": "no lookup by name",
        "blocking": "has no async call of a sync tool",
    }

    def toolset(self, functions: list[Any]) -> dict[str, Any]:
        made = [
            beta_async_tool(f) if inspect.iscoroutinefunction(f) else beta_tool(f)
            for f in functions
        ]
        return {tool.name: tool for tool in made}

    def specs(self, tools: dict[str, Any]) -> list[Any]:
        return [tool.to_dict() for tool in tools.values()]

    def call(self, tools: dict[str, Any], name: str, raw: str) -> str:
        try:
            return _text(tools[name].call(json.loads(raw)))
        except Exception as error:
            return repr(error)

    async def acall(self, tools: dict[str, Any], name: str, raw: str) -> str:
        try:
            return _text(await tools[name].call(json.loads(raw)))
        except Exception as error:
            return repr(error)


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)
