"""Cohere's chat, version 2."""

import json

import pytest
from cohere import V2ChatResponse
from cohere.core.unchecked_base_model import construct_type
from cohere.types import AssistantChatMessageV2, ToolChatMessageV2, ToolV2
from cohere.v2.types import V2ChatStreamResponse

from toolreg import Image, ToolCall, ToolResult
from toolreg._types import Part, Spec
from toolreg.formats import cohere

SCHEMA = {
    "type": "object",
    "properties": {"path": {"type": "string"}},
    "required": ["path"],
    "additionalProperties": False,
}


def called(call_id="look_1", arguments='{"path":"/"}'):
    return {"id": call_id, "type": "function", "function": {"name": "look", "arguments": arguments}}


def response(*calls, reason="TOOL_CALL", **message):
    said = {"role": "assistant", "tool_plan": "I will look.", "tool_calls": list(calls), **message}
    return {"id": "c1", "finish_reason": reason, "message": said}


def started(index, call_id, name="look"):
    call = {"id": call_id, "type": "function", "function": {"name": name, "arguments": ""}}
    return {"type": "tool-call-start", "index": index, "delta": {"message": {"tool_calls": call}}}


def more(index, arguments):
    call = {"function": {"arguments": arguments}}
    return {"type": "tool-call-delta", "index": index, "delta": {"message": {"tool_calls": call}}}


def told(kind, index=None, **message):
    place = {} if index is None else {"index": index}
    return {"type": kind, **place, "delta": {"message": message}}


def ended(reason):
    return {"type": "message-end", "id": "c1", "delta": {"finish_reason": reason}}


START = {
    "type": "message-start",
    "id": "c1",
    "delta": {
        "message": {
            "role": "assistant",
            "content": [],
            "tool_plan": "",
            "tool_calls": [],
            "citations": [],
        }
    },
}
EVENTS = [
    START,
    told("tool-plan-delta", tool_plan="I will"),
    told("tool-plan-delta", tool_plan=" look."),
    started(0, "look_1"),
    more(0, '{"path":'),
    more(0, '"/"}'),
    {"type": "tool-call-end", "index": 0},
    started(1, "now_1", "now"),
    {"type": "tool-call-end", "index": 1},
    ended("TOOL_CALL"),
]


def whole(value):
    return construct_type(type_=V2ChatResponse, object_=value)


def event(value):
    return construct_type(type_=V2ChatStreamResponse, object_=value)


def streamed(*events):
    stream = cohere.stream()
    return stream, [call for each in events for call in stream.feed(each)]


def brief(calls):
    return [(call.id, call.name, call.arguments) for call in calls]


@pytest.mark.parametrize("strict", [True, False])
def test_a_spec_has_no_strict(fits, strict):
    """Strict mode belongs to the request."""
    spec = Spec(name="look", description="Look.", parameters=SCHEMA)
    [made] = cohere.tools([spec], strict)
    function = {"name": "look", "description": "Look.", "parameters": SCHEMA}
    assert {"type": "function", "function": function} == made
    assert 1 == len(cohere.strict_faults(spec))
    fits(made, ToolV2)


def test_own_keys_are_merged():
    """A tool's keys for this format win."""
    spec = Spec(name="look", provider_options={"cohere": {"function": {"description": "Other."}}})
    assert "Other." == cohere.spec(spec)["function"]["description"]


def test_names_that_fit_stay_the_same_object():
    """A safe spelling of a fine name is that very name."""
    name = "look_up-2"
    assert cohere.safe_name(name) is name
    assert cohere.safe_parameter("größe") == "größe"


@pytest.mark.parametrize("read", [lambda v: v, whole], ids=["dict", "sdk"])
def test_calls_are_read_and_the_turn_returns(fits, read):
    """The plan goes back with the calls."""
    body = read(response(called(), called("look_2", None)))
    assert [("look_1", "look", '{"path":"/"}'), ("look_2", "look", None)] == brief(
        cohere.calls(body)
    )
    [turn] = cohere.assistant(body)
    entries = [called(), called("look_2", "{}")]
    assert {"role": "assistant", "tool_plan": "I will look.", "tool_calls": entries} == turn
    fits(turn, AssistantChatMessageV2)


def test_broken_arguments_return_as_json(fits):
    """The arguments of a call that goes back are always an object's text."""
    [turn] = cohere.assistant(response(called(arguments='{"pa')))
    arguments = json.loads(turn["tool_calls"][0]["function"]["arguments"])
    assert {"INVALID_JSON": '{"pa'} == arguments


def test_missing_ids_are_made_and_the_same_everywhere(fits):
    """The model's turn and the answers agree on an id that nobody gave."""
    body = response(called(None))
    [call] = cohere.calls(body)
    [turn] = cohere.assistant(body)
    assert call.made_id
    assert call.id == turn["tool_calls"][0]["id"]
    fits(turn, AssistantChatMessageV2)


@pytest.mark.parametrize("reason", ["MAX_TOKENS", "ERROR", "TIMEOUT"])
def test_a_cut_response_marks_its_last_call(reason):
    """Only the last call may have been cut."""
    found = cohere.calls(response(called(), called("b"), reason=reason))
    assert [False, True] == [call.truncated for call in found]


@pytest.mark.parametrize("read", [lambda v: v, event], ids=["dict", "sdk"])
def test_events_give_calls_and_turn(fits, read):
    """A call is returned at its end; the plan is put together."""
    stream = cohere.stream()
    given = [brief(stream.feed(read(each))) for each in EVENTS]
    assert [[("look_1", "look", '{"path":"/"}')], [], [("now_1", "now", "")], []] == given[6:]
    assert [] == [call for calls in given[:6] for call in calls]
    assert [call for calls in given for call in calls] == brief(stream.calls())
    assert {False} == {call.truncated for call in stream.calls()}
    [turn] = cohere.assistant(stream)
    now = {"id": "now_1", "type": "function", "function": {"name": "now", "arguments": "{}"}}
    assert {"role": "assistant", "tool_plan": "I will look.", "tool_calls": [called(), now]} == turn
    fits(turn, AssistantChatMessageV2)


def test_a_call_that_never_ends_is_cut():
    """The limit was reached within the last call."""
    stream, found = streamed(*EVENTS[:5], ended("MAX_TOKENS"))
    assert [True] == [call.truncated for call in stream.calls()]
    assert brief(stream.calls()) == brief(found)


def test_a_complete_call_is_not_cut_by_what_comes_after():
    """The end of a call says that it is whole."""
    stream, _ = streamed(*EVENTS[:7], ended("MAX_TOKENS"))
    assert [False] == [call.truncated for call in stream.calls()]


@pytest.mark.parametrize("read", [lambda v: v, event], ids=["dict", "sdk"])
def test_text_thoughts_and_citations_of_a_stream_return(fits, read):
    """What the model said beside its calls goes back."""
    citation = {"start": 0, "end": 2, "text": "It", "sources": []}
    stream, _ = streamed(
        *map(
            read,
            [
                START,
                told("content-start", 0, content={"type": "thinking", "thinking": ""}),
                told("content-delta", 0, content={"thinking": "Hm."}),
                {"type": "content-end", "index": 0},
                told("content-start", 1, content={"type": "text", "text": ""}),
                told("content-delta", 1, content={"text": "It "}),
                told("content-delta", 1, content={"text": "is."}),
                told("citation-start", 0, citations=citation),
                ended("COMPLETE"),
            ],
        )
    )
    [turn] = cohere.assistant(stream)
    assert [{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "It is."}] == turn[
        "content"
    ]
    assert [citation] == turn["citations"]
    fits(turn, AssistantChatMessageV2)


@pytest.mark.parametrize(
    "odd",
    [None, {}, {"type": []}, {"type": "tool-call-start"}, {"type": "tool-call-end"}, 1, "x"],
    ids=repr,
)
def test_odd_events_give_nothing(odd):
    """Nothing that might come makes feeding raise."""
    stream, found = streamed(odd)
    assert [] == found == stream.calls()


def test_results_answer_one_by_one(fits):
    """Several outcomes are blocks of text; failed ones say so."""
    image = Image(b"png")
    parts = (Part("one"), Part("two", is_error=True), Part(str(image), media=image))
    output = f"one\n\nError: two\n\n{image}"
    results = [
        ToolResult("0", "web", "x", call=ToolCall("web", kind="server")),
        ToolResult("1", "look", '{"files":[]}'),
        ToolResult("2", "look", output, parts=parts),
    ]
    made = cohere.messages(results)
    texts = ["one", "Error: two", str(image)]
    assert ['{"files":[]}', [{"type": "text", "text": text} for text in texts]] == [
        m["content"] for m in made
    ]
    for message in made:
        fits(message, ToolChatMessageV2)
