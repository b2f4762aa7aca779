"""A server of the Model Context Protocol, made of a registry and its format alone.

Over HTTP it is an endpoint; as a program it speaks on its standard streams.
"""

import json
import sys

from tests.servers import shapes
from tests.servers.serving import Refused, Reply, json_reply, sse_reply
from toolreg import Registry

HANDSHAKES = ("2025-03-26", "2025-06-18", "2025-11-25")
STATELESS = "2026-07-28"
ABOUT = {"capabilities": {"tools": {}}, "serverInfo": {"name": "tools", "version": "1"}}
COMPLETE = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}


class Mcp:
    """``/mcp``, the streamable HTTP transport without sessions.

    Args:
        registry: The tools.
        stateless: Whether it speaks the revision without a handshake.
        streamed: Whether responses come as events.
    """

    path = "/mcp"

    def __init__(self, registry: Registry, *, stateless: bool = True, streamed: bool = False):
        self.registry = registry
        self.stateless = stateless
        self.streamed = streamed
        self.keys = []

    def reply(self, request):
        answer = self.answer(request.body)
        if answer is None:
            return Reply(pieces=[], status=202)
        return sse_reply([answer]) if self.streamed else json_reply(answer)

    def refusal(self, reason):
        error = {"code": -32600, "message": reason}
        return json_reply({"jsonrpc": "2.0", "id": None, "error": error}, status=400)

    def answer(self, message):
        """Return the response to a request, nothing to a notification."""
        if "id" not in message:
            return None
        shapes.exactly(message, "request", ["jsonrpc", "id", "method"], ["params"])
        if message["id"] in self.keys:
            raise Refused(f"request.id: {message['id']!r} was used before")
        self.keys.append(message["id"])
        if message["method"] == "tools/call":
            shapes.exactly(message["params"], "params", ["name"], ["arguments", "_meta"])
            [answer] = self.registry.dispatch(message, "mcp")
            return answer
        result = self.result(message["method"], message.get("params", {}))
        answer = {"result": result} if result else {"error": {"code": -32601, "message": "unknown"}}
        return {"jsonrpc": "2.0", "id": message["id"], **answer}

    def result(self, method, params):
        match method:
            case "initialize" if params["protocolVersion"] in HANDSHAKES:
                return {**ABOUT, "protocolVersion": params["protocolVersion"]}
            case "server/discover" if self.stateless:
                return {**ABOUT, **COMPLETE, "supportedVersions": [STATELESS]}
            case "tools/list":
                return {**COMPLETE, "tools": self.registry.specs("mcp")}
            case _:
                return None


def talk(registry: Registry) -> None:
    """Answer line by line on the standard streams until there is no more."""
    server = Mcp(registry)
    for line in sys.stdin:
        answer = server.answer(json.loads(line))
        if answer is not None:
            print(json.dumps(answer), flush=True)
