"""The loop with Groq's SDK."""

from groq import Groq

from tests.loops.looping import QUESTION, TEXTS, TWO_TURNS, fed, loop
from tests.servers import groq_server
from tests.servers.script import FINAL
from toolreg import formats


def test_chat(registry, streamed, strict):
    """Two turns of parallel calls end in the final text; reasoning goes back."""
    tools = registry.specs("groq", strict=strict)

    def ask(messages):
        made = client.chat.completions.create(
            model="m", messages=messages, tools=tools, stream=streamed
        )
        return fed("groq", made) if streamed else made

    messages = [{"role": "user", "content": QUESTION}]
    with groq_server(TWO_TURNS) as url, Groq(api_key="none", base_url=url) as client:
        last = loop(registry, "groq", ask, messages)
    assert TEXTS == [m["content"] for m in messages if m["role"] == "tool"]
    [said] = formats.groq.assistant(last)
    assert FINAL == said["content"]
