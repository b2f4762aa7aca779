"""The loop with Ollama's SDK."""

from ollama import Client

from tests.loops.looping import QUESTION, TEXTS, TWO_TURNS, fed, loop
from tests.servers import ollama_server
from tests.servers.script import FINAL
from toolreg import formats


def test_chat(registry, streamed):
    """Two turns of parallel calls end in the final text, answered by order and name."""
    tools = registry.specs("ollama")

    def ask(messages):
        made = client.chat(model="m", messages=messages, tools=tools, stream=streamed)
        return fed("ollama", made) if streamed else made

    messages = [{"role": "user", "content": QUESTION}]
    with ollama_server(TWO_TURNS) as url, Client(host=url) as client:
        last = loop(registry, "ollama", ask, messages)
    results = [message for message in messages if message["role"] == "tool"]
    assert TEXTS == [result["content"] for result in results]
    assert ["add", "add", "divide", "add"] == [result["tool_name"] for result in results]
    [said] = formats.ollama.assistant(last)
    assert FINAL == said["content"]
