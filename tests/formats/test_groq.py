"""Groq's Chat Completions."""

import pytest
from groq.types.chat import (
    ChatCompletion,
    ChatCompletionAssistantMessageParam,
    ChatCompletionChunk,
    ChatCompletionToolMessageParam,
    ChatCompletionToolParam,
)

from toolreg import Audio, Image, ToolCall, ToolResult
from toolreg._types import Part, Spec
from toolreg.formats import groq

SCHEMA = {
    "type": "object",
    "properties": {"path": {"type": "string"}},
    "required": ["path"],
    "additionalProperties": False,
}
CALL = {
    "id": "call_a",
    "type": "function",
    "function": {"name": "look", "arguments": '{"path": "/"}'},
}
RESPONSE = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 1,
    "model": "m",
    "choices": [
        {
            "index": 0,
            "finish_reason": "tool_calls",
            "logprobs": None,
            "message": {
                "role": "assistant",
                "content": None,
                "reasoning": "Hm.",
                "tool_calls": [CALL],
            },
        }
    ],
}


def chunk(reason=None, **delta):
    choice = {"index": 0, "delta": delta, "finish_reason": reason, "logprobs": None}
    top = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    return {**top, "choices": [choice]}


@pytest.mark.parametrize("strict", [True, False])
def test_the_flag_is_there_only_if_strict(fits, strict):
    """A tool that is not strict needs no flag."""
    spec = Spec(name="look", description="Look.", parameters=SCHEMA)
    [made] = groq.tools([spec], strict)
    flag = {"strict": True} if strict else {}
    assert {"name": "look", "description": "Look.", "parameters": SCHEMA, **flag} == made[
        "function"
    ]
    assert () == groq.strict_faults(spec)
    fits(made, ChatCompletionToolParam)


def test_own_keys_are_merged():
    """A tool's keys for this format win."""
    spec = Spec(name="look", provider_options={"groq": {"function": {"description": "Other."}}})
    assert "Other." == groq.spec(spec)["function"]["description"]


def test_names_that_fit_stay_the_same_object():
    """A safe spelling of a fine name is that very name."""
    name = "look_up-2"
    assert groq.safe_name(name) is name
    assert groq.safe_parameter("größe") == "größe"


@pytest.mark.parametrize("read", [lambda v: v, ChatCompletion.model_validate], ids=["dict", "sdk"])
def test_calls_are_read_and_the_turn_returns(fits, read):
    """The reasoning that came with a call goes back with it."""
    [call] = groq.calls(read(RESPONSE))
    assert ("call_a", "look", '{"path": "/"}') == (call.id, call.name, call.arguments)
    [turn] = groq.assistant(read(RESPONSE))
    assert RESPONSE["choices"][0]["message"] == turn
    fits(turn, ChatCompletionAssistantMessageParam)


@pytest.mark.parametrize(
    "read", [lambda v: v, ChatCompletionChunk.model_validate], ids=["dict", "sdk"]
)
def test_a_stream_gives_the_same_calls_and_turn(read):
    """Fragments of calls and reasoning are put together."""
    begun = {
        "index": 0,
        "id": "call_a",
        "type": "function",
        "function": {"name": "look", "arguments": ""},
    }
    rest = {"index": 0, "function": {"arguments": '{"path": "/"}'}}
    chunks = [
        chunk(role="assistant", content=None, reasoning="H"),
        chunk(reasoning="m.", tool_calls=[begun]),
        chunk(tool_calls=[rest]),
        chunk("tool_calls"),
    ]
    stream = groq.stream()
    found = [call for each in chunks for call in stream.feed(read(each))]
    assert groq.calls(RESPONSE) == found == stream.calls()
    assert groq.assistant(RESPONSE) == groq.assistant(stream)


def test_results_answer_one_by_one(fits):
    """Images go as such, sound has a text in its place; failed ones say so."""
    media = [Image(b"png"), Audio(b"wav")]
    parts = tuple(Part(str(each), media=each) for each in media)
    output = "\n\n".join(part.text for part in parts)
    results = [
        ToolResult("0", "web", "x", call=ToolCall("web", kind="server")),
        ToolResult("1", "look", "boom", "exception"),
        ToolResult("2", "look", output, parts=parts),
        ToolResult("3", "look", str(media[0]), parts=parts[:1]),
    ]
    made = groq.messages(results)
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,cG5n"}}
    sound = {"type": "text", "text": str(media[1])}
    assert ["Error: boom", [image, sound], [image]] == [message["content"] for message in made]
    for message in made:
        fits(message, ChatCompletionToolMessageParam)
