"""fastmcp: ``FastMCP.tool`` and ``call_tool``, in process."""

import json
from typing import Any

from fastmcp import FastMCP
from fastmcp.server.middleware import Middleware


class Peer:
    distribution = "fastmcp"
    imports = "from fastmcp import FastMCP"
    missing = {"call": "async only"}

    def toolset(
        self, functions: list[Any], timeout: float | None = None, middlewares: int = 0
    ) -> FastMCP:
        server = FastMCP("bench", middleware=[_Passing() for _ in range(middlewares)])
        for function in functions:
            server.tool(function, timeout=timeout)
        return server

    async def specs(self, tools: FastMCP) -> list[Any]:
        listed = await tools.list_tools()
        return [tool.to_mcp_tool().model_dump(exclude_none=True) for tool in listed]

    async def acall(self, tools: FastMCP, name: str, raw: str) -> str:
        try:
            return (await tools.call_tool(name, json.loads(raw))).content[0].text
        except Exception as error:
            return str(error)


class _Passing(Middleware):
    async def on_call_tool(self, context: Any, call_next: Any) -> Any:
        return await call_next(context)
