"""Ollama's chat."""

import pytest
from ollama import ChatResponse, Message, Tool

from toolreg import File, Image, ToolCall, ToolResult
from toolreg._types import Part, Spec
from toolreg.formats import ollama

SCHEMA = {
    "$defs": {"Point": {"type": "object", "properties": {"x": {"type": "integer"}}}},
    "type": "object",
    "properties": {
        "path": {"type": "string"},
        "depth": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "at": {"$ref": "#/$defs/Point"},
    },
    "required": ["path"],
    "additionalProperties": False,
}


def called(**arguments):
    return {"function": {"name": "look", "arguments": arguments}}


def response(*calls, content="", **keys):
    message = {"role": "assistant", "content": content, "tool_calls": list(calls)}
    return {"model": "m", "message": message, "done": True, "done_reason": "stop", **keys}


def brief(calls):
    return [(call.id, call.name, call.arguments) for call in calls]


@pytest.mark.parametrize("strict", [True, False])
def test_a_spec_survives_the_sdk(strict):
    """The SDK drops what it does not know without a word, so nothing else is sent."""
    spec = Spec(name="look", description="Look.", parameters=SCHEMA)
    [made] = ollama.tools([spec], strict)
    sent = Tool.model_validate(made).model_dump(exclude_none=True, by_alias=True)
    properties = sent["function"]["parameters"]["properties"]
    assert ["integer", "null"] == list(properties["depth"]["type"])
    assert "object" == properties["at"]["type"]
    assert ("look", "Look.", ["path"]) == (
        sent["function"]["name"],
        sent["function"]["description"],
        sent["function"]["parameters"]["required"],
    )
    assert 1 == len(ollama.strict_faults(spec))


def test_own_keys_are_merged():
    """A tool's keys for this format win."""
    spec = Spec(name="look", provider_options={"ollama": {"function": {"description": "Other."}}})
    assert "Other." == ollama.spec(spec)["function"]["description"]


def test_names_that_fit_stay_the_same_object():
    """A safe spelling of a fine name is that very name."""
    name = "look_up-2"
    assert ollama.safe_name(name) is name
    assert ollama.safe_parameter("größe") == "größe"


@pytest.mark.parametrize("read", [lambda v: v, ChatResponse.model_validate], ids=["dict", "sdk"])
def test_calls_have_no_ids(read):
    """None is made here: results answer by order and name."""
    found = ollama.calls(read(response(called(path="/a"), called(path="/b"))))
    assert [(None, "look", {"path": "/a"}), (None, "look", {"path": "/b"})] == brief(found)
    assert {False} == {call.made_id for call in found}


def test_an_id_that_a_server_gives_is_kept():
    """Newer servers number their calls."""
    assert ["call_1"] == [call.id for call in ollama.calls(response({**called(), "id": "call_1"}))]


def test_a_response_cut_by_the_limit_marks_its_last_call():
    """Only the last call may have been cut."""
    found = ollama.calls(response(called(), called(), done_reason="length"))
    assert [False, True] == [call.truncated for call in found]


@pytest.mark.parametrize("read", [lambda v: v, ChatResponse.model_validate], ids=["dict", "sdk"])
def test_whole_calls_of_a_stream_stay_apart(fits, read):
    """Each chunk may hold whole calls, with neither id nor index."""
    parts = [
        {"message": {"role": "assistant", "content": "", "thinking": "H"}, "done": False},
        {"message": {"role": "assistant", "content": "", "thinking": "m."}, "done": False},
        {
            "message": {"role": "assistant", "content": "Loo", "tool_calls": [called(path="/a")]},
            "done": False,
        },
        {
            "message": {
                "role": "assistant",
                "content": "k.",
                "tool_calls": [called(path="/a"), called(path="/b")],
            },
            "done": False,
        },
        {"message": {"role": "assistant", "content": ""}, "done": True, "done_reason": "stop"},
    ]
    stream = ollama.stream()
    given = [call for part in parts for call in stream.feed(read({"model": "m", **part}))]
    expected = [(None, "look", {"path": path}) for path in ("/a", "/a", "/b")]
    assert expected == brief(given) == brief(stream.calls())
    [turn] = ollama.assistant(stream)
    assert ("assistant", "Look.", "Hm.") == (turn["role"], turn["content"], turn["thinking"])
    assert [called(path="/a"), called(path="/a"), called(path="/b")] == turn["tool_calls"]
    fits(turn, Message)


def test_a_stream_may_end_without_a_reason():
    """`done` alone ends it."""
    stream = ollama.stream()
    assert [] == stream.feed({"message": {"tool_calls": [called()]}, "done": False})
    assert 1 == len(stream.feed({"message": {"content": ""}, "done": True}))


@pytest.mark.parametrize("read", [lambda v: v, ChatResponse.model_validate], ids=["dict", "sdk"])
def test_the_turn_returns_without_ids(fits, read):
    """Arguments are an object, calls have nothing but a function."""
    [turn] = ollama.assistant(read(response(called(path=None))))
    assert {"role": "assistant", "content": "", "tool_calls": [called(path=None)]} == turn
    fits(turn, Message)


def test_broken_arguments_return_inside_an_object(fits):
    """A server that gives text gets an object back."""
    entry = {"function": {"name": "look", "arguments": '{"pa'}}
    [turn] = ollama.assistant(response(entry))
    assert [called(INVALID_JSON='{"pa')] == turn["tool_calls"]
    fits(turn, Message)


def test_results_answer_by_name(fits):
    """No id goes out, made or not; images stand beside the text."""
    media = [Image(b"png"), Image(url="https://example.org/a.png"), File(b"x")]
    parts = tuple(Part(str(each), media=each) for each in media)
    output = "\n\n".join(part.text for part in parts)
    results = [
        ToolResult("0", "web", "x", call=ToolCall("web", kind="server")),
        ToolResult("made", "look", "boom", "exception"),
        ToolResult("made", "look", output, parts=parts),
    ]
    failed, shown = ollama.messages(results)
    assert {"role": "tool", "tool_name": "look", "content": "Error: boom"} == failed
    assert (output, ["cG5n"]) == (shown["content"], shown["images"])
    fits(failed, Message)
    shown["images"] = [{"value": image} for image in shown["images"]]  # the SDK's client does it
    assert ["cG5n"] == Message.model_validate(shown).model_dump()["images"]
