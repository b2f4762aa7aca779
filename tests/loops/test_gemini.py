"""The loop with Google's SDK."""

import pytest
from google import genai

from tests.loops.looping import OUTCOMES, QUESTION, TWO_TURNS, fed, loop
from tests.servers import gemini_server
from tests.servers.script import FINAL
from toolreg import formats


@pytest.mark.parametrize("ids", [False, True], ids=["nameless", "ids"])
@pytest.mark.parametrize("streamed", [None, "calls", "pieces"])
def test_generate_content(registry, streamed, ids):
    """Two turns of parallel calls end in the final text; signatures and ids go back."""
    tools = registry.specs("gemini")

    def ask(contents):
        make = client.models.generate_content_stream if streamed else client.models.generate_content
        made = make(model="gemini-3", contents=contents, config={"tools": tools})
        return fed("gemini", made) if streamed else made

    contents = [{"role": "user", "parts": [{"text": QUESTION}]}]
    with (
        gemini_server(TWO_TURNS, ids=ids, partial=streamed == "pieces") as url,
        genai.Client(api_key="none", http_options={"base_url": url}) as client,
    ):
        last = loop(registry, "gemini", ask, contents)
    assert ["user", *(["model", "user"] * 2)] == [content["role"] for content in contents]
    parts = [part for content in contents for part in content["parts"]]
    responses = [part["functionResponse"] for part in parts if "functionResponse" in part]
    expected = [{"error" if failed else "output": text} for failed, text in OUTCOMES]
    assert expected == [response["response"] for response in responses]
    assert ids == all("id" in response for response in responses)
    [said] = formats.gemini.assistant(last)
    assert [{"text": FINAL}] == said["parts"]
