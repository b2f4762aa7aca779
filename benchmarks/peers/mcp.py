"""The Model Context Protocol's own SDK: ``MCPServer.add_tool`` and ``call_tool``, in process."""

import json
from typing import Any

from mcp.server.mcpserver import MCPServer


class Peer:
    distribution = "mcp"
    imports = "from mcp.server.mcpserver import MCPServer"
    missing = {
        "call": "async only",
        "timeout": "none offered",
        "middleware": "on requests of a connection only",
    }

    def toolset(self, functions: list[Any]) -> MCPServer:
        server = MCPServer("bench")
        for function in functions:
            server.add_tool(function)
        return server

    async def specs(self, tools: MCPServer) -> list[Any]:
        return [tool.model_dump(exclude_none=True) for tool in await tools.list_tools()]

    async def acall(self, tools: MCPServer, name: str, raw: str) -> str:
        try:
            return (await tools.call_tool(name, json.loads(raw))).content[0].text
        except Exception as error:
            return str(error)
