"""The loop with Mistral's SDK."""

from mistralai.client import Mistral

from tests.loops.looping import QUESTION, TEXTS, TWO_TURNS, fed, loop
from tests.servers import mistral_server
from tests.servers.script import FINAL
from toolreg import formats


def test_chat(registry, streamed, strict):
    """Two turns of parallel calls end in the final text, each result under its name."""
    tools = registry.specs("mistral", strict=strict)

    def ask(messages):
        if streamed:
            with client.chat.stream(model="m", messages=messages, tools=tools) as events:
                return fed("mistral", events)
        return client.chat.complete(model="m", messages=messages, tools=tools)

    messages = [{"role": "user", "content": QUESTION}]
    with mistral_server(TWO_TURNS) as url, Mistral(api_key="none", server_url=url) as client:
        last = loop(registry, "mistral", ask, messages)
    results = [message for message in messages if message["role"] == "tool"]
    assert TEXTS == [result["content"] for result in results]
    assert ["add", "add", "divide", "add"] == [result["name"] for result in results]
    [said] = formats.mistral.assistant(last)
    assert FINAL == said["content"]
