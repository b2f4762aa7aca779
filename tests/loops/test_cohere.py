"""The loop with Cohere's SDK."""

from cohere import ClientV2

from tests.loops.looping import QUESTION, TEXTS, TWO_TURNS, fed, loop
from tests.servers import cohere_server
from tests.servers.script import FINAL
from toolreg import formats


def test_chat(registry, streamed):
    """Two turns of parallel calls end in the final text; the plan goes back."""
    tools = registry.specs("cohere")

    def ask(messages):
        if streamed:
            return fed("cohere", client.chat_stream(model="m", messages=messages, tools=tools))
        return client.chat(model="m", messages=messages, tools=tools)

    messages = [{"role": "user", "content": QUESTION}]
    with cohere_server(TWO_TURNS) as url, ClientV2(api_key="none", base_url=url) as client:
        last = loop(registry, "cohere", ask, messages)
    assert TEXTS == [m["content"] for m in messages if m["role"] == "tool"]
    [said] = formats.cohere.assistant(last)
    assert [{"type": "text", "text": FINAL}] == said["content"]
