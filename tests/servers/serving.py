"""HTTP on the loopback: requests in JSON to whoever answers their path."""

import json
import re
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, Protocol


class Refused(Exception):
    """A request that the provider would answer with status 400."""


@dataclass(frozen=True, kw_only=True)
class Request:
    path: str
    body: Any


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What goes over the wire; a stream has several pieces."""

    pieces: Sequence[bytes]
    kind: str = "application/json"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


class Endpoint(Protocol):
    path: str

    def reply(self, request: Request) -> Reply: ...

    def refusal(self, reason: str) -> Reply: ...


def json_reply(body: Any, **options: Any) -> Reply:
    return Reply(pieces=[json.dumps(body).encode()], **options)


def sse_reply(events: Sequence[Any], *, named: bool = False, end: str = "") -> Reply:
    """Return server-sent events.

    Args:
        events: The data, each an object.
        named: Whether the type of an event is also its name.
        end: What follows the last one.
    """
    pieces = [
        f"{'event: ' + event['type'] + chr(10) if named else ''}data: {json.dumps(event)}\n\n"
        for event in events
    ]
    return Reply(pieces=[piece.encode() for piece in [*pieces, end]], kind="text/event-stream")


@contextmanager
def serve(*endpoints: Endpoint) -> Iterator[str]:
    """Serve endpoints; give the address without a slash at its end."""
    with _Server(("127.0.0.1", 0), _Handler) as server:
        server.endpoints = endpoints
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


class _Server(ThreadingHTTPServer):
    endpoints: Sequence[Endpoint]
    daemon_threads = False


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    timeout = 10

    def do_POST(self):
        size = int(self.headers["Content-Length"])
        request = Request(path=self.path, body=json.loads(self.rfile.read(size)))
        self._write(self._reply(request))

    def do_GET(self):
        self._write(Reply(pieces=[], status=405))

    def _reply(self, request):
        for endpoint in self.server.endpoints:
            if re.fullmatch(endpoint.path, request.path):
                try:
                    return endpoint.reply(request)
                except Refused as refused:
                    return endpoint.refusal(str(refused))
                except Exception:  # noqa: BLE001 - a fault of the server must be seen by the test
                    return endpoint.refusal(traceback.format_exc())
        return json_reply({"error": f"nothing is at {request.path}"}, status=404)

    def _write(self, reply):
        self.send_response(reply.status)
        self.send_header("Content-Type", reply.kind)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.end_headers()
        for piece in reply.pieces:
            self.wfile.write(piece)
            self.wfile.flush()

    def log_message(self, *arguments):
        pass
