"""The loop with OpenAI's SDK."""

import asyncio

import pytest
from openai import AsyncOpenAI, BadRequestError, OpenAI

from tests.loops.looping import QUESTION, TEXTS, TWO_TURNS, fed, loop
from tests.servers import openai_server
from tests.servers.script import FINAL, Ask
from toolreg import formats

ASKED = {"role": "user", "content": QUESTION}


@pytest.fixture
def url():
    with openai_server(TWO_TURNS) as url:
        yield url


@pytest.fixture
def client(url):
    with OpenAI(base_url=url, api_key="none", max_retries=0) as client:
        yield client


def test_chat_completions(client, registry, streamed, strict):
    """Two turns of parallel calls end in the final text, each result in its place."""
    tools = registry.specs("openai", strict=strict)

    def ask(messages):
        made = client.chat.completions.create(
            model="m", messages=messages, tools=tools, stream=streamed
        )
        return fed("openai", made) if streamed else made

    messages = [ASKED]
    last = loop(registry, "openai", ask, messages)
    roles = ["user", *(["assistant", "tool", "tool"] * 2)]
    assert roles == [message["role"] for message in messages]
    assert TEXTS == [m["content"] for m in messages if m["role"] == "tool"]
    [said] = formats.openai.assistant(last)
    assert FINAL == said["content"]


def test_responses(client, registry, streamed, strict):
    """All items go back, reasoning too, before the outputs."""
    tools = registry.specs("openai-responses", strict=strict)

    def ask(items):
        made = client.responses.create(model="m", input=items, tools=tools, stream=streamed)
        return fed("openai-responses", made) if streamed else made

    items = [ASKED]
    last = loop(registry, "openai-responses", ask, items)
    outputs = [item["output"] for item in items if item.get("type") == "function_call_output"]
    assert TEXTS == outputs
    [said] = formats.openai_responses.assistant(last)
    assert FINAL == said["content"][0]["text"]


def test_the_last_turn_may_go_back_and_the_talk_go_on(client, registry):
    """After the final text a further question is asked with the whole history."""
    tools = registry.specs("openai-responses")

    def ask(items):
        return client.responses.create(model="m", input=items, tools=tools)

    items = [ASKED]
    items += formats.openai_responses.assistant(loop(registry, "openai-responses", ask, items))
    assert FINAL == ask([*items, ASKED]).output_text

    def ask_chat(messages):
        tools = registry.specs("openai")
        return client.chat.completions.create(model="m", messages=messages, tools=tools)

    messages = [ASKED]
    messages += formats.openai.assistant(loop(registry, "openai", ask_chat, messages))
    assert FINAL == ask_chat([*messages, ASKED]).choices[0].message.content


def test_under_asyncio(url, registry):
    """`adispatch` answers the asynchronous client, whole and streamed."""

    async def talk():
        messages = [ASKED]
        async with AsyncOpenAI(base_url=url, api_key="none", max_retries=0) as client:
            while True:
                stream = formats.openai.stream()
                async for chunk in await client.chat.completions.create(
                    model="m", messages=messages, tools=registry.specs("openai"), stream=True
                ):
                    stream.feed(chunk)
                answers = await registry.adispatch(stream, "openai")
                if not answers:
                    return messages
                messages += [*formats.openai.assistant(stream), *answers]

    messages = asyncio.run(talk())
    assert TEXTS == [m["content"] for m in messages if m["role"] == "tool"]


def test_wrong_calls_go_back_as_they_came_and_are_answered(registry, streamed):
    """A tool that does not exist and broken JSON end no loop, in either API."""
    script = [[Ask("ad", {}), Ask("add", '{"a": 1,'), Ask("add", '{"a": 41}')]]

    def chat(messages):
        tools = registry.specs("openai")
        made = client.chat.completions.create(
            model="m", messages=messages, tools=tools, stream=streamed
        )
        return fed("openai", made) if streamed else made

    def respond(items):
        tools = registry.specs("openai-responses")
        made = client.responses.create(model="m", input=items, tools=tools, stream=streamed)
        return fed("openai-responses", made) if streamed else made

    with (
        openai_server(script) as url,
        OpenAI(base_url=url, api_key="none", max_retries=0) as client,
    ):
        messages, items = [ASKED], [ASKED]
        loop(registry, "openai", chat, messages)
        loop(registry, "openai-responses", respond, items)
    contents = [m["content"] for m in messages if m["role"] == "tool"]
    outputs = [item["output"] for item in items if item.get("type") == "function_call_output"]
    assert contents == outputs
    unknown, broken, right = contents
    assert unknown.startswith("Error: ")
    assert "add" in unknown
    assert "JSON" in broken
    assert "42" == right


def test_a_loop_that_forgets_an_answer_fails(client, registry):
    """The server refuses it, so the loops above prove something."""

    def ask(messages):
        tools = registry.specs("openai")
        return client.chat.completions.create(
            model="m", messages=messages[:-1] or messages, tools=tools
        )

    with pytest.raises(BadRequestError, match="no result for"):
        loop(registry, "openai", ask, [ASKED])
