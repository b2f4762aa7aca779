"""The loop with boto3, Bedrock's Converse."""

import boto3

from tests.loops.looping import OUTCOMES, QUESTION, TWO_TURNS, fed, loop
from tests.servers import bedrock_server
from tests.servers.script import FINAL
from toolreg import formats

KEYS = {"aws_access_key_id": "none", "aws_secret_access_key": "none", "region_name": "us-east-1"}


def test_converse(registry, streamed, strict):
    """Two turns of parallel calls end in the final text; reasoning goes back signed."""
    config = {"tools": registry.specs("bedrock", strict=strict)}

    def ask(messages):
        if streamed:
            made = client.converse_stream(modelId="m", messages=messages, toolConfig=config)
            return fed("bedrock", made["stream"])
        return client.converse(modelId="m", messages=messages, toolConfig=config)

    messages = [{"role": "user", "content": [{"text": QUESTION}]}]
    with bedrock_server(TWO_TURNS) as url:
        client = boto3.client("bedrock-runtime", endpoint_url=url, **KEYS)
        last = loop(registry, "bedrock", ask, messages)
        client.close()
    assert ["user", *(["assistant", "user"] * 2)] == [message["role"] for message in messages]
    results = [b["toolResult"] for m in messages for b in m["content"] if "toolResult" in b]
    assert OUTCOMES == [(r["status"] == "error", r["content"][0]["text"]) for r in results]
    [said] = formats.bedrock.assistant(last)
    assert [{"text": FINAL}] == said["content"]
