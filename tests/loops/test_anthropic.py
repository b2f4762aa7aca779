"""The loop with Anthropic's SDK."""

import asyncio

import pytest
from anthropic import Anthropic, AsyncAnthropic

from tests.loops.looping import OUTCOMES, QUESTION, TWO_TURNS, fed, loop
from tests.servers import anthropic_server
from tests.servers.script import FINAL
from toolreg import formats

ASKED = {"role": "user", "content": QUESTION}


@pytest.fixture
def url():
    with anthropic_server(TWO_TURNS) as url:
        yield url


@pytest.fixture
def client(url):
    with Anthropic(base_url=url, api_key="none", max_retries=0) as client:
        yield client


def outcomes(messages):
    blocks = [b for m in messages if isinstance(m["content"], list) for b in m["content"]]
    return [(b["is_error"], b["content"]) for b in blocks if b["type"] == "tool_result"]


def test_messages(client, registry, streamed, strict):
    """Two turns of parallel calls end in the final text; thinking goes back signed."""
    tools = registry.specs("anthropic", strict=strict)

    def ask(messages):
        made = client.messages.create(
            model="m", max_tokens=9, messages=messages, tools=tools, stream=streamed
        )
        return fed("anthropic", made) if streamed else made

    messages = [ASKED]
    last = loop(registry, "anthropic", ask, messages)
    assert ["user", *(["assistant", "user"] * 2)] == [message["role"] for message in messages]
    assert OUTCOMES == outcomes(messages)
    [said] = formats.anthropic.assistant(last)
    assert [{"type": "text", "text": FINAL}] == said["content"]


def test_the_events_of_the_streaming_manager(client, registry):
    """What `messages.stream` yields beside the raw events does no harm, nor does its end."""
    tools = registry.specs("anthropic")

    def ask(messages):
        with client.messages.stream(
            model="m", max_tokens=9, messages=messages, tools=tools
        ) as stream:
            taken = fed("anthropic", stream)
            whole = stream.get_final_message()
        assert formats.anthropic.assistant(whole) == formats.anthropic.assistant(taken)
        return taken

    messages = [ASKED]
    loop(registry, "anthropic", ask, messages)
    assert OUTCOMES == outcomes(messages)


def test_under_asyncio(url, registry):
    """`adispatch` answers the asynchronous client."""

    async def talk():
        messages = [ASKED]
        async with AsyncAnthropic(base_url=url, api_key="none", max_retries=0) as client:
            while True:
                response = await client.messages.create(
                    model="m",
                    max_tokens=9,
                    messages=messages,
                    tools=registry.specs("anthropic"),
                )
                messages += formats.anthropic.assistant(response)
                answers = await registry.adispatch(response, "anthropic")
                if not answers:
                    return messages
                messages += answers

    messages = asyncio.run(talk())
    assert OUTCOMES == outcomes(messages)
    assert FINAL == messages[-1]["content"][0]["text"]
