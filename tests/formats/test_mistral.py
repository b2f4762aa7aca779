"""Mistral's chat completions."""

import re

import pytest
from mistralai.client.models import (
    AssistantMessageTypedDict,
    ChatCompletionResponse,
    CompletionEvent,
    ToolMessageTypedDict,
    ToolTypedDict,
)

from toolreg import File, Image, ToolCall, ToolResult
from toolreg._types import Part, Spec
from toolreg.formats import mistral

SCHEMA = {
    "type": "object",
    "properties": {"path": {"type": "string"}},
    "required": ["path"],
    "additionalProperties": False,
}
USAGE = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}


def called(call_id="D681PevKs", arguments='{"path": "/"}', **keys):
    identity = {} if call_id is None else {"id": call_id}
    return {**identity, "function": {"name": "look", "arguments": arguments}, **keys}


def response(*calls, reason="tool_calls", content=""):
    message = {"role": "assistant", "content": content, "tool_calls": list(calls)}
    choice = {"index": 0, "finish_reason": reason, "message": message}
    top = {"id": "1", "object": "chat.completion", "created": 1, "model": "m"}
    return {**top, "choices": [choice], "usage": USAGE}


def chunk(*calls, reason=None, **delta):
    if calls:
        delta["tool_calls"] = list(calls)
    return {
        "id": "1",
        "model": "m",
        "choices": [{"index": 0, "delta": delta, "finish_reason": reason}],
    }


def streamed(*chunks):
    stream = mistral.stream()
    return stream, [call for each in chunks for call in stream.feed(each)]


def brief(calls):
    return [(call.id, call.name, call.arguments) for call in calls]


def event(value):
    return CompletionEvent.model_validate({"data": value})


@pytest.mark.parametrize("strict", [True, False])
def test_a_spec_is_of_the_sdks_type(fits, strict):
    """The flag is there only if the tool is strict."""
    spec = Spec(name="look", parameters=SCHEMA, provider_options={"mistral": {"type": "function"}})
    [made] = mistral.tools([spec], strict)
    flag = {"strict": True} if strict else {}
    assert {"type": "function", "function": {"name": "look", "parameters": SCHEMA, **flag}} == made
    assert () == mistral.strict_faults(spec)
    fits(made, ToolTypedDict)


def test_names_that_fit_stay_the_same_object():
    """A safe spelling of a fine name is that very name."""
    name = "look_up-2"
    assert mistral.safe_name(name) is name
    assert mistral.safe_parameter("größe") == "größe"


@pytest.mark.parametrize(
    "read", [lambda v: v, ChatCompletionResponse.model_validate], ids=["dict", "sdk"]
)
@pytest.mark.parametrize("missing", ["null", None, ""])
def test_missing_ids_become_nine_letters_and_digits(fits, read, missing):
    """The SDK's word "null" is no id; what stands for it is the same in turn and answer."""
    body = read(response(called(), called(missing), called(missing)))
    found = mistral.calls(body)
    assert [False, True, True] == [call.made_id for call in found]
    assert all(re.fullmatch("[a-zA-Z0-9]{9}", call.id) for call in found)
    assert 3 == len({call.id for call in found})
    [turn] = mistral.assistant(body)
    assert [call.id for call in found] == [entry["id"] for entry in turn["tool_calls"]]
    fits(turn, AssistantMessageTypedDict)


@pytest.mark.parametrize(
    "read", [lambda v: v, ChatCompletionResponse.model_validate], ids=["dict", "sdk"]
)
@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ('{"path": null}', '{"path": null}'),
        ({"path": None}, {"path": None}),
        ("", {}),
        ('{"pa', {"INVALID_JSON": '{"pa'}),
        ("[1]", {"INVALID_JSON": "[1]"}),
    ],
)
def test_arguments_return_in_a_form_that_is_accepted(fits, read, given, sent):
    """They are read as they came; broken ones go back inside an object."""
    body = read(response(called(arguments=given)))
    assert [given] == [call.arguments for call in mistral.calls(body)]
    [turn] = mistral.assistant(body)
    expected = {
        "id": "D681PevKs",
        "type": "function",
        "function": {"name": "look", "arguments": sent},
    }
    assert {"role": "assistant", "content": "", "tool_calls": [expected]} == turn
    fits(turn, AssistantMessageTypedDict)


@pytest.mark.parametrize("reason", ["length", "model_length", "error"])
def test_a_cut_response_marks_its_last_call(reason):
    """Only the last call may have been cut."""
    found = mistral.calls(response(called(), called("b12345678"), reason=reason))
    assert [False, True] == [call.truncated for call in found]


@pytest.mark.parametrize("read", [lambda v: v, event], ids=["dict", "sdk"])
def test_continuations_replace_nothing(read):
    """An empty name and the id "null" of a fragment are no new call."""
    rest = {"id": "null", "function": {"name": "", "arguments": ' "/"}'}, "index": 0}
    chunks = [chunk(called(arguments='{"path":', index=0)), chunk(rest, reason="tool_calls")]
    stream, found = streamed(*map(read, chunks))
    assert [("D681PevKs", "look", '{"path": "/"}')] == brief(found) == brief(stream.calls())


@pytest.mark.parametrize("read", [lambda v: v, event], ids=["dict", "sdk"])
def test_whole_calls_in_a_stream_stay_apart(read):
    """Several whole calls may all claim index 0."""
    first, second = called("aaaaaaaaa", {"path": "/"}), called("bbbbbbbbb", {"path": "/b"})
    stream, _ = streamed(read(chunk(first, second, reason="tool_calls")))
    assert [("aaaaaaaaa", "look", {"path": "/"}), ("bbbbbbbbb", "look", {"path": "/b"})] == brief(
        stream.calls()
    )


def test_thoughts_of_a_stream_return(fits):
    """Content that changes from text to chunks in mid-message comes out as chunks."""

    def thought(text):
        return {"type": "thinking", "thinking": [{"type": "text", "text": text}]}

    stream, _ = streamed(
        chunk(role="assistant", content=""),
        chunk(content=[thought("H")]),
        chunk(content=[thought("m.")]),
        chunk(content="Look"),
        chunk(content="ing."),
        chunk(called(), reason="tool_calls"),
    )
    [turn] = mistral.assistant(stream)
    assert [thought("Hm."), {"type": "text", "text": "Looking."}] == turn["content"]
    fits(turn, AssistantMessageTypedDict)


def test_results_answer_one_by_one(fits):
    """They carry the tool's name; images go as such, files have a text in their place."""
    media = [Image(url="https://example.org/a.png"), File(b"x", name="a.bin")]
    parts = tuple(Part(str(each), media=each) for each in media)
    output = "\n\n".join(part.text for part in parts)
    results = [
        ToolResult("0", "web", "x", call=ToolCall("web", kind="server")),
        ToolResult("aaaaaaaaa", "look", "boom", "exception"),
        ToolResult("bbbbbbbbb", "look", output, parts=parts),
    ]
    failed, shown = mistral.messages(results)
    assert {
        "role": "tool",
        "tool_call_id": "aaaaaaaaa",
        "name": "look",
        "content": "Error: boom",
    } == failed
    image = {"type": "image_url", "image_url": "https://example.org/a.png"}
    assert [image, {"type": "text", "text": str(media[1])}] == shown["content"]
    for message in (failed, shown):
        fits(message, ToolMessageTypedDict)
