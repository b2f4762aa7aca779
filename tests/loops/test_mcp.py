"""The Model Context Protocol: the SDK's client against a server made of the format."""

import asyncio
import sys
import textwrap
from datetime import date
from pathlib import Path

import pytest
from mcp import Client, MCPError, StdioServerParameters
from pydantic import BaseModel

from tests.loops.conversations import post
from tests.loops.looping import OUTCOMES
from tests.servers import mcp_server
from tests.servers.mcp import Mcp
from tests.servers.serving import serve
from toolreg import Image, MultiResult

CALLS = [
    ("add", {"a": 19, "b": 23}),
    ("add", {"a": 1, "b": "many"}),
    ("divide", {"by": 0}),
    ("add", {"a": 40, "b": 2}),
]
NAMES = ["add", "divide", "order", "now"]


async def outcomes(client):
    """Make two turns of parallel calls; return what each came to."""
    turns = [CALLS[:2], CALLS[2:]]
    results = [await asyncio.gather(*(client.call_tool(*c) for c in turn)) for turn in turns]
    return [(r.is_error, r.content[0].text) for turn in results for r in turn]


@pytest.mark.parametrize("stateless", [True, False], ids=["stateless", "handshake"])
def test_calls_over_http(registry, streamed, stateless):
    """The client lists the tools and every parallel call gets its own result."""

    async def talk():
        async with Client(url) as client:
            listed = await client.list_tools()
            assert NAMES == [tool.name for tool in listed.tools]
            assert stateless == (client.protocol_version == "2026-07-28")
            return await outcomes(client)

    with mcp_server(registry, stateless=stateless, streamed=streamed) as url:
        assert OUTCOMES == asyncio.run(talk())


def test_calls_over_standard_streams():
    """A program of a few lines is a server."""
    program = """
        from toolreg import Registry
        from tests.servers.mcp import talk

        registry = Registry()

        @registry.tool
        def add(a: int, b: int = 1) -> int:
            return a + b

        @registry.tool
        def divide(by: int) -> float:
            return 1 / by

        talk(registry)
    """
    server = StdioServerParameters(
        command=sys.executable,
        args=["-c", textwrap.dedent(program)],
        cwd=Path(__file__).parents[2],
    )

    async def talk():
        async with Client(server) as client:
            return await outcomes(client)

    assert OUTCOMES == asyncio.run(talk())


def test_an_unknown_tool_is_an_error_of_the_protocol(registry):
    """The client raises, with the names there are."""

    async def talk():
        async with Client(url) as client:
            with pytest.raises(MCPError, match="add"):
                await client.call_tool("ad", {})

    with mcp_server(registry) as url:
        asyncio.run(talk())


class Point(BaseModel):
    x: int
    label: str | None = None


def test_what_returns_fits_the_output_schema(registry):
    """The client checks structured content itself, of values of any type."""
    values = [7, None, "text", [1, 2], Point(x=1), {"a": date(2026, 12, 24)}, [Point(x=2)]]
    kinds = [int, None, str, list[int], Point, dict[str, date], list[Point]]
    for place, (value, kind) in enumerate(zip(values, kinds, strict=True)):
        registry.add(returning(value, kind), name=f"give_{place}")

    async def talk():
        async with Client(url) as client:
            await client.list_tools()
            made = [await client.call_tool(f"give_{place}") for place in range(len(values))]
        return [result.structured_content for result in made]

    with mcp_server(registry) as url:
        structured = asyncio.run(talk())
    assert [
        {"result": 7},
        {"result": None},
        {"result": "text"},
        {"result": [1, 2]},
        {"x": 1, "label": None},
        {"a": "2026-12-24"},
        {"result": [{"x": 2, "label": None}]},
    ] == structured


def returning(value, kind):
    """Return a function that returns a value and says so."""

    def give():
        return value

    give.__annotations__["return"] = kind
    return give


def test_content_that_is_no_text(registry):
    """An image and a text arrive as two parts."""

    @registry.tool
    def draw():
        return MultiResult([Image(data=b"png", media_type="image/png"), "drawn"])

    async def talk():
        async with Client(url) as client:
            return (await client.call_tool("draw")).content

    with mcp_server(registry) as url:
        image, text = asyncio.run(talk())
    assert ("image", "cG5n", "image/png") == (image.type, image.data, image.mime_type)
    assert "drawn" == text.text


@pytest.mark.parametrize(
    "wrong",
    [
        {"content": [], "isError": False, "resultType": "complete"},
        {
            "content": [],
            "isError": False,
            "resultType": "complete",
            "structuredContent": {"result": "many"},
        },
        {"content": [{"type": "text"}], "isError": False, "resultType": "complete"},
    ],
)
def test_the_client_refuses_results_that_are_wrong(registry, wrong):
    """So a result it takes is right: it has its text and fits the output schema."""

    class Wrong(Mcp):
        def answer(self, message):
            answer = super().answer(message)
            return {**answer, "result": wrong} if message["method"] == "tools/call" else answer

    async def talk():
        async with Client(url) as client:
            await client.list_tools()
            with pytest.raises((RuntimeError, ValueError)):
                await client.call_tool("add", {"a": 1})

    with serve(Wrong(registry)) as address:
        url = f"{address}/mcp"
        asyncio.run(talk())


def test_the_server_refuses_an_id_that_was_used_and_unknown_keys(registry):
    """As the protocol wants it."""
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "now"}}
    with mcp_server(registry) as url:
        assert 200 == post(url, call)[0]
        assert "was used before" in post(url, call)[1]["error"]["message"]
        stray = {**call, "id": 2, "colour": "red"}
        assert "colour: is unknown" in post(url, stray)[1]["error"]["message"]
