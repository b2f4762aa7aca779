"""OpenAI's Responses."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openai.types.responses import (
    CustomToolParam,
    FunctionToolParam,
    Response,
    ResponseCustomToolCallOutputParam,
    ResponseInputItemParam,
    ResponseStreamEvent,
)
from openai.types.responses.response_input_item_param import FunctionCallOutput
from pydantic import TypeAdapter

from toolreg import Audio, File, Image, ToolCall, ToolResult
from toolreg._types import Part, Spec
from toolreg.formats import openai_responses

SCHEMA = {
    "type": "object",
    "properties": {"path": {"type": "string"}},
    "required": ["path"],
    "additionalProperties": False,
}
REASONING = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAA"}
MESSAGE = {
    "type": "message",
    "id": "msg_1",
    "role": "assistant",
    "status": "completed",
    "content": [{"type": "output_text", "text": "Looking.", "annotations": []}],
}
SEARCH = {
    "type": "web_search_call",
    "id": "ws_1",
    "status": "completed",
    "action": {"type": "search", "query": "x", "queries": ["x"]},
}


def called(number=1, arguments='{"path": "/"}', **keys):
    made = {"type": "function_call", "id": f"fc_{number}", "call_id": f"call_{number}"}
    return {**made, "name": "lookup", "arguments": arguments, "status": "completed", **keys}


def custom(number=1, **keys):
    made = {"type": "custom_tool_call", "id": f"ctc_{number}", "call_id": f"call_{number}"}
    return {**made, "name": "sql", "input": "SELECT 1", **keys}


def response(*items, status="completed", **keys):
    top = {"id": "resp_1", "object": "response", "created_at": 1.0, "model": "m"}
    rest = {"parallel_tool_calls": True, "tool_choice": "auto", "tools": []}
    return {**top, **rest, "status": status, "output": list(items), **keys}


def brief(calls):
    return [(call.id, call.name, call.arguments, call.kind) for call in calls]


def fed(*events):
    stream = openai_responses.stream()
    return stream, [call for event in events for call in stream.feed(event)]


def event(kind, index=None, **keys):
    place = {} if index is None else {"output_index": index}
    return {"type": f"response.{kind}", "sequence_number": 0, **place, **keys}


def test_a_spec_is_flat_and_always_says_whether_it_is_strict(fits):
    """Parameters and strict are required keys here."""
    made = openai_responses.spec(Spec(name="lookup", description="Look.", parameters=SCHEMA))
    rest = {"description": "Look.", "parameters": SCHEMA, "strict": False}
    assert {"type": "function", "name": "lookup", **rest} == made
    fits(made, FunctionToolParam)


def test_strict_tools_are_flagged_and_others_are_not(fits):
    """One tool that cannot be strict leaves the others as they are."""
    loose = {"type": "object", "properties": {"labels": {"type": "object"}}}
    specs = [Spec(name="a", parameters=SCHEMA), Spec(name="b", parameters=loose), Spec(name="c")]
    made = openai_responses.tools(specs, strict=True)
    assert [True, False] == [tool["strict"] for tool in made[:2]]
    assert () == openai_responses.strict_faults(specs[0])
    assert openai_responses.strict_faults(specs[1])
    for tool in made:
        fits(tool, FunctionToolParam)


@pytest.mark.parametrize(
    ("output", "sent"),
    [
        ({"type": "object", "properties": {}}, True),
        ({"type": "array", "items": {}}, True),
        ({"type": "string"}, False),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, False),
        (None, False),
    ],
)
def test_the_output_schema_goes_along_where_the_output_is_json(fits, output, sent):
    """A string is sent as it is and is no JSON, so it has no schema."""
    made = openai_responses.spec(Spec(name="a", parameters=SCHEMA, output=output))
    assert sent == ("output_schema" in made)
    fits(made, FunctionToolParam)


def test_own_keys_are_merged(fits):
    """What only this format knows comes from the tool's own keys."""
    options = {"openai-responses": {"defer_loading": True, "allowed_callers": ["programmatic"]}}
    made = openai_responses.spec(Spec(name="a", parameters=SCHEMA, provider_options=options))
    assert made["defer_loading"] is True
    fits(made, FunctionToolParam)


def test_a_custom_tool_is_made_on_demand(fits):
    """A tool whose own keys say so takes free text."""
    syntax = {"type": "grammar", "syntax": "regex", "definition": "[a-z]+"}
    options = {"openai-responses": {"type": "custom", "format": syntax}}
    made = openai_responses.spec(Spec(name="sql", description="Run.", provider_options=options))
    assert {"type": "custom", "name": "sql", "description": "Run.", "format": syntax} == made
    fits(made, CustomToolParam)


def test_names_that_fit_stay_the_same_object():
    """A safe spelling of a fine name is that very name."""
    name = "look_up-2"
    assert openai_responses.safe_name(name) is name
    assert openai_responses.safe_parameter("größe") == "größe"


@pytest.mark.parametrize("read", [lambda v: v, Response.model_validate], ids=["dict", "sdk"])
def test_calls_are_found_among_other_items(read):
    """Calls are known by call_id; hosted tools and reasoning are no calls of ours."""
    items = [REASONING, called(1), MESSAGE, SEARCH, custom(2), called(3, "")]
    expected = [
        ("call_1", "lookup", '{"path": "/"}', "function"),
        ("call_2", "sql", "SELECT 1", "custom"),
        ("call_3", "lookup", "", "function"),
    ]
    body = read(response(*items))
    assert expected == brief(openai_responses.calls(body))
    output = body["output"] if isinstance(body, dict) else body.output
    assert expected == brief(openai_responses.calls(output))


@pytest.mark.parametrize(
    ("items", "status", "expected"),
    [
        ([called(1), called(2, '{"pa', status="incomplete")], "completed", [False, True]),
        ([called(1), called(2, '{"pa')], "incomplete", [False, True]),
        ([called(1), MESSAGE], "incomplete", [False]),
        ([called(1, status="in_progress")], "in_progress", [True]),
        ([custom(1)], "failed", [True]),
    ],
)
def test_what_was_cut_is_marked(items, status, expected):
    """An incomplete item, or the last one of an incomplete response, is never run."""
    found = openai_responses.calls(response(*items, status=status))
    assert expected == [call.truncated for call in found]


def test_what_the_provider_wants_back_is_kept(fits):
    """The caller of a programmatic call, and a namespace, are echoed with the answer."""
    caller = {"type": "program", "caller_id": "call_p"}
    body = response(called(1, caller=caller, namespace="math"), custom(2, caller=caller))
    calls = openai_responses.calls(body)
    assert {"caller": caller, "namespace": "math"} == calls[0].extra
    results = [ToolResult(call.id, call.name, "42", call=call) for call in calls]
    function, free = openai_responses.messages(results)
    assert (caller, "math", "function_call_output") == (
        function["caller"],
        function["namespace"],
        function["type"],
    )
    assert (caller, "custom_tool_call_output") == (free["caller"], free["type"])
    fits(function, FunctionCallOutput)
    fits(free, ResponseCustomToolCallOutputParam)


def test_missing_ids_are_made_and_the_same_everywhere(fits):
    """The model's turn and the answers agree on an id that nobody gave."""
    body = response(called(1, call_id=None), called(2, call_id=""), called(3))
    found = openai_responses.calls(body)
    turn = openai_responses.assistant(body)
    assert [True, True, False] == [call.made_id for call in found]
    assert [call.id for call in found] == [item["call_id"] for item in turn]
    assert 3 == len({call.id for call in found})
    for item in turn:
        fits(item, ResponseInputItemParam)


@pytest.mark.parametrize(
    "odd",
    [None, [], {}, "x", 1, {"output": None}, {"output": [None, {}, {"type": []}]}, object()],
    ids=repr,
)
def test_odd_responses_have_no_calls(odd):
    """Nothing that might come makes reading raise."""
    assert [] == openai_responses.calls(odd)
    stream, found = fed(odd)
    assert [] == found == stream.calls()


def test_calls_pass_through():
    """A list of calls is what it is."""
    calls = [ToolCall("a", id="1")]
    assert calls == openai_responses.calls(calls)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.fixed_dictionaries(
            {},
            optional={
                "type": st.sampled_from(
                    ["function_call", "custom_tool_call", "message", "reasoning", None, 1]
                ),
                "call_id": st.none() | st.text(max_size=3) | st.integers(),
                "name": st.none() | st.text(max_size=3) | st.lists(st.none()),
                "arguments": st.none()
                | st.text()
                | st.dictionaries(st.text(), st.none())
                | st.integers(),
                "input": st.none() | st.text() | st.floats(),
                "content": st.none() | st.lists(st.none() | st.dictionaries(st.text(), st.none())),
                "status": st.none() | st.text() | st.lists(st.none()),
            },
        )
    ),
    st.none() | st.text(max_size=4) | st.integers(),
)
def test_no_item_makes_reading_raise(items, index):
    """Items of any shape are read, fed and returned without an exception."""
    for call in openai_responses.calls({"output": items}):
        assert isinstance(call.name, str)
    assert len(items) == len(openai_responses.assistant({"output": items}))
    events = [
        {"type": "response.output_item.done", "output_index": index, "item": item} for item in items
    ]
    stream, _ = fed(*events, {"type": "response.completed", "response": {"output": items}})
    assert len(stream.calls()) == len(openai_responses.calls({"output": items}))


EVENTS = [
    event("created", response=response(status="in_progress")),
    event("output_item.added", 0, item={**REASONING, "encrypted_content": "g"}),
    event("output_item.done", 0, item=REASONING),
    event("output_item.added", 1, item=called(1, "", status="in_progress")),
    event("output_item.added", 2, item=custom(2, input="")),
    event("function_call_arguments.delta", 1, item_id="fc_1", delta='{"path"'),
    event("custom_tool_call_input.delta", 2, item_id="ctc_2", delta="SELECT"),
    event("function_call_arguments.delta", 1, item_id="fc_1", delta=': "/"}'),
    event("custom_tool_call_input.delta", 2, item_id="ctc_2", delta=" 1"),
    event(
        "function_call_arguments.done", 1, item_id="fc_1", name="lookup", arguments='{"path": "/"}'
    ),
    event("custom_tool_call_input.done", 2, item_id="ctc_2", input="SELECT 1"),
    event("output_item.done", 1, item=called(1)),
    event("output_item.done", 2, item=custom(2)),
    event("completed", response=response(REASONING, called(1), custom(2))),
]
WHOLE = response(REASONING, called(1), custom(2))
ADAPTER = TypeAdapter(ResponseStreamEvent)


@pytest.mark.parametrize("read", [lambda v: v, ADAPTER.validate_python], ids=["dict", "sdk"])
def test_a_stream_gives_the_calls_and_the_turn_of_the_whole_response(read):
    """Each call is returned once, when its item is done."""
    stream, found = fed(*map(read, EVENTS))
    assert openai_responses.calls(WHOLE) == stream.calls() == found
    assert openai_responses.assistant(WHOLE) == openai_responses.assistant(stream)
    assert stream.calls() == openai_responses.calls(stream)


@pytest.mark.parametrize("kept", ["delta", "done", "output_item.done", "completed"])
def test_any_one_kind_of_event_is_enough(kept):
    """Deltas, final texts, final items or the final response give the same calls."""
    kinds = {"delta": ("added", ".delta"), "done": ("added", "arguments.done", "input.done")}
    wanted = kinds.get(kept, (kept,))
    over = event("completed", response=response())
    stream, found = fed(*[e for e in EVENTS if e["type"].endswith(wanted)], over)
    expected = brief(openai_responses.calls(WHOLE))
    assert expected == brief(stream.calls()) == brief(found)


def test_events_without_a_place_go_by_the_id_of_their_item():
    """A server may leave the index out."""
    bare = [{k: v for k, v in e.items() if k != "output_index"} for e in EVENTS[1:-1]]
    stream, found = fed(*bare)
    assert brief(openai_responses.calls(WHOLE)) == brief(stream.calls()) == brief(found)


def test_fragments_before_their_item_are_kept():
    """What arrives early is not lost."""
    stream, found = fed(event("function_call_arguments.delta", 0, item_id="fc_1", delta="{"))
    assert [] == found
    assert [(True, "{")] == [(call.truncated, call.arguments) for call in stream.calls()]


def test_an_unfinished_call_counts_as_cut():
    """Until its item is done a call is not to be run, of either kind."""
    stream, found = fed(*EVENTS[:8])
    assert [] == found
    assert [True, True] == [call.truncated for call in stream.calls()]


def test_an_incomplete_stream_marks_its_last_call():
    """The end of the response says that the limit was reached."""
    body = response(called(1), called(2, '{"pa', status="incomplete"), status="incomplete")
    stream, found = fed(
        event("output_item.done", 0, item=called(1)), event("incomplete", response=body)
    )
    assert [False, True] == [call.truncated for call in stream.calls()]
    assert found == stream.calls()


@pytest.mark.parametrize("read", [lambda v: v, Response.model_validate], ids=["dict", "sdk"])
def test_all_items_go_back(fits, read):
    """Reasoning, text and hosted calls return as they came, nulls that input refuses do not."""
    items = [
        {**REASONING, "content": None, "status": None},
        {**MESSAGE, "phase": "commentary"},
        SEARCH,
        called(1, namespace=None),
        custom(2),
        {"type": "image_generation_call", "id": "ig_1", "status": "failed", "result": None},
        {"type": "compaction", "id": "cmp_1", "encrypted_content": "x", "created_by": "m"},
    ]
    made = openai_responses.assistant(read(response(*items)))
    assert [REASONING, items[1], SEARCH, called(1), custom(2), items[5]] == made[:-1]
    assert {"type", "id", "encrypted_content"} == set(made[-1])
    for item in made:
        fits(item, ResponseInputItemParam)


def test_what_the_sdk_parsed_stays_here(fits):
    """`responses.parse` adds keys that the API does not take."""
    parsed = [{**MESSAGE["content"][0], "parsed": {"x": 1}}]
    body = response({**MESSAGE, "content": parsed}, called(1, parsed_arguments={"path": "/"}))
    made = openai_responses.assistant(body)
    assert [MESSAGE, called(1)] == made


@pytest.mark.parametrize(("given", "sent"), [(None, "{}"), ({"a": 1}, '{"a":1}'), ('{"a', '{"a')])
def test_arguments_return_as_text(given, sent):
    """A string stays what it was, broken or not."""
    [item] = openai_responses.assistant(response(called(1, given)))
    assert sent == item["arguments"]


def test_a_turn_is_made_of_calls(fits):
    """Calls alone make a turn; the provider's own do not."""
    calls = [
        ToolCall("a", {"x": 1}, "1"),
        ToolCall("sql", "SELECT", "2", kind="custom"),
        ToolCall("web", id="3", kind="server"),
    ]
    made = openai_responses.assistant(calls)
    assert [("1", '{"x":1}', None), ("2", None, "SELECT")] == [
        (item["call_id"], item.get("arguments"), item.get("input")) for item in made
    ]
    for item in made:
        fits(item, ResponseInputItemParam)


def test_every_result_is_an_item_of_its_own(fits):
    """Results answer in order; there is no flag, so failed ones say so; served ones are left out."""
    served = ToolResult("0", "web", "x", call=ToolCall("web", id="0", kind="server"))
    results = [
        served,
        ToolResult("1", "a", "42"),
        ToolResult("2", "b", "boom", "exception"),
        ToolResult("3", "c", ""),
    ]
    made = openai_responses.messages(results)
    assert [("1", "42"), ("2", "Error: boom"), ("3", "")] == [
        (m["call_id"], m["output"]) for m in made
    ]
    for item in made:
        fits(item, FunctionCallOutput)


def test_media_are_native_where_they_can_be(fits):
    """Images and files go as such, sound has a text in its place."""
    media = [
        Image(b"png"),
        Image(url="https://example.org/a.png"),
        File(b"pdf", "application/pdf", name="a.pdf"),
        File(b"x"),
        File(url="https://example.org/a.pdf"),
        Audio(b"wav"),
        Image(),
    ]
    parts = (Part("see:"), *(Part(str(each), media=each) for each in media))
    output = "\n\n".join(part.text for part in parts)
    [made] = openai_responses.messages([ToolResult("1", "a", output, parts=parts)])
    assert [
        {"type": "input_text", "text": "see:"},
        {"type": "input_image", "image_url": "data:image/png;base64,cG5n", "detail": "auto"},
        {"type": "input_image", "image_url": "https://example.org/a.png", "detail": "auto"},
        {
            "type": "input_file",
            "filename": "a.pdf",
            "file_data": "data:application/pdf;base64,cGRm",
        },
        {
            "type": "input_file",
            "filename": "file",
            "file_data": "data:application/octet-stream;base64,eA==",
        },
        {"type": "input_file", "file_url": "https://example.org/a.pdf"},
        {"type": "input_text", "text": str(media[5])},
        {"type": "input_text", "text": str(media[6])},
    ] == made["output"]
    fits(made, FunctionCallOutput)
