"""OpenAI's Chat Completions."""

import copy
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openai.types.chat import (
    ChatCompletion,
    ChatCompletionAssistantMessageParam,
    ChatCompletionChunk,
    ChatCompletionToolMessageParam,
    ChatCompletionToolUnionParam,
)

from toolreg import File, Image, ToolCall, ToolResult
from toolreg._types import Part, Spec
from toolreg.formats import openai

SCHEMA = {
    "type": "object",
    "properties": {"path": {"type": "string"}, "depth": {"type": "integer", "default": 1}},
    "required": ["path"],
    "additionalProperties": False,
}
OPEN = {"type": "object", "properties": {"labels": {"type": "object"}}, "required": []}


def entry(call_id="call_a", name="lookup", arguments='{"path": "/etc"}', **keys):
    function = {"name": name, "arguments": arguments}
    return {"id": call_id, "type": "function", "function": function, **keys}


def response(*entries, reason="tool_calls", **message):
    said = {"role": "assistant", "content": None, "tool_calls": list(entries), **message}
    choice = {"index": 0, "finish_reason": reason, "logprobs": None, "message": said}
    top = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "m"}
    return {**top, "choices": [choice]}


def fragment(index=0, call_id=None, name=None, arguments=None):
    function = {k: v for k, v in (("name", name), ("arguments", arguments)) if v is not None}
    made = {"function": function}
    if index is not None:
        made["index"] = index
    if call_id is not None:
        made |= {"id": call_id, "type": "function"}
    return made


def chunk(*fragments, reason=None, **delta):
    if fragments:
        delta["tool_calls"] = list(fragments)
    choice = {"index": 0, "delta": delta, "finish_reason": reason, "logprobs": None}
    top = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    return {**top, "choices": [choice]}


def streamed(*chunks):
    stream = openai.stream()
    for each in chunks:
        stream.feed(each)
    return stream


def brief(calls):
    return [(call.id, call.name, call.arguments) for call in calls]


def test_a_plain_spec_holds_nothing_but_the_agreed_keys(fits):
    """A tool that is not strict says so, and has no key beside the five."""
    made = openai.spec(Spec(name="lookup", description="Look.", parameters=SCHEMA))
    function = {"name": "lookup", "description": "Look.", "parameters": SCHEMA, "strict": False}
    assert {"type": "function", "function": function} == made
    fits(made, ChatCompletionToolUnionParam)


def test_an_empty_description_is_left_out():
    """No description is better than an empty one."""
    assert "description" not in openai.spec(Spec(name="lookup", parameters=SCHEMA))["function"]


def test_a_tool_without_parameters_has_an_object_schema():
    """Every tool has an object at the root of its schema, with properties."""
    parameters = openai.spec(Spec(name="now"))["function"]["parameters"]
    assert ("object", {}) == (parameters["type"], parameters["properties"])


def test_a_root_union_becomes_one_object():
    """OpenAI refuses a union at the root."""
    either = {"anyOf": [SCHEMA, {"type": "object", "properties": {"id": {"type": "integer"}}}]}
    parameters = openai.spec(Spec(name="f", parameters=either))["function"]["parameters"]
    assert "object" == parameters["type"]
    assert "anyOf" not in parameters
    assert {"path", "depth", "id"} == set(parameters["properties"])


@pytest.mark.parametrize("by_tool", [True, False])
def test_strict_is_flagged_where_nothing_is_lost(by_tool):
    """Strict mode may be wanted by the tool or for the request."""
    spec = Spec(name="f", parameters=SCHEMA, strict=by_tool)
    function = openai.spec(spec, not by_tool)["function"]
    assert function["strict"] is True
    assert ["path", "depth"] == function["parameters"]["required"]
    assert () == openai.strict_faults(spec)


def test_one_tool_that_cannot_be_strict_does_not_spoil_the_list():
    """It goes as it is, with its reasons; the others are strict."""
    specs = [Spec(name="a", parameters=SCHEMA), Spec(name="b", parameters=OPEN)]
    made = openai.tools(specs, strict=True)
    assert [True, False] == [tool["function"]["strict"] for tool in made]
    assert OPEN["properties"] == made[1]["function"]["parameters"]["properties"]
    assert openai.strict_faults(specs[1])


def test_specs_share_nothing_with_their_sources():
    """Changing what was handed out changes nothing inside."""
    options = {"openai": {"function": {"metadata": {"team": "x"}}}}
    spec = Spec(name="f", parameters=copy.deepcopy(SCHEMA), provider_options=options)
    made = openai.spec(spec)
    made["function"]["parameters"]["properties"]["path"]["type"] = "number"
    made["function"]["metadata"]["team"] = "y"
    assert SCHEMA == spec.parameters
    assert {"openai": {"function": {"metadata": {"team": "x"}}}} == options


def test_own_keys_of_a_format_win():
    """A tool's keys for this format are merged last, one level deep; others' keys are not."""
    options = {"openai": {"function": {"strict": True}, "cache_control": {}}, "groq": {"x": 1}}
    made = openai.spec(Spec(name="f", parameters=SCHEMA, provider_options=options))
    assert {"type", "function", "cache_control"} == set(made)
    assert "f" == made["function"]["name"]
    assert made["function"]["strict"] is True


def test_a_custom_tool_is_made_on_demand(fits):
    """A tool whose own keys say so takes free text."""
    options = {"openai": {"type": "custom", "custom": {"format": {"type": "text"}}}}
    made = openai.spec(Spec(name="sql", description="Run.", provider_options=options))
    custom = {"name": "sql", "description": "Run.", "format": {"type": "text"}}
    assert {"type": "custom", "custom": custom} == made
    fits(made, ChatCompletionToolUnionParam)


def test_names_that_fit_stay_the_same_object():
    """A safe spelling of a fine name is that very name."""
    name = "-look_up-2"
    assert openai.safe_name(name) is name
    assert openai.safe_parameter("größe") == "größe"


@pytest.mark.parametrize("read", [lambda v: v, ChatCompletion.model_validate], ids=["dict", "sdk"])
def test_calls_are_read_in_order(read):
    """Parallel calls keep their order, ids and texts."""
    second = entry("call_b", arguments='{\n "path": "/tmp"}')
    found = openai.calls(read(response(entry(), second, content="Looking.")))
    expected = [
        ("call_a", "lookup", '{"path": "/etc"}'),
        ("call_b", "lookup", '{\n "path": "/tmp"}'),
    ]
    assert expected == brief(found)
    assert {("function", False, False, None)} == {
        (c.kind, c.truncated, c.made_id, c.extra) for c in found
    }


@pytest.mark.parametrize("read", [lambda v: v, ChatCompletion.model_validate], ids=["dict", "sdk"])
def test_a_custom_call_holds_its_text(read):
    """The arguments of a custom call are its input, whatever it is."""
    custom = {"id": "call_c", "type": "custom", "custom": {"name": "sql", "input": "SELECT 1;\n"}}
    [call] = openai.calls(read(response(custom)))
    assert ("custom", "sql", "SELECT 1;\n", "call_c") == (
        call.kind,
        call.name,
        call.arguments,
        call.id,
    )


@pytest.mark.parametrize(
    ("given", "read"),
    [
        (None, None),
        ("", ""),
        ("null", "null"),
        ({"path": "/"}, {"path": "/"}),
        ([1], "[1]"),
        (True, "true"),
        ("[1]", "[1]"),
        ('{"path', '{"path'),
    ],
)
def test_arguments_are_kept_as_they_came(given, read):
    """Text and objects pass; other JSON is written as text, for the execution to refuse."""
    assert read == openai.calls(response(entry(arguments=given)))[0].arguments


def test_the_type_may_be_missing():
    """Calls without a type are function calls."""
    asked = entry()
    del asked["type"]
    assert [("call_a", "lookup", '{"path": "/etc"}')] == brief(openai.calls(response(asked)))


def test_only_the_first_choice_is_read():
    """Of several choices the first one counts."""
    body = response(entry("first"))
    body["choices"].append(response(entry("second"))["choices"][0])
    assert ["first"] == [call.id for call in openai.calls(body)]


@pytest.mark.parametrize("reason", ["stop", None, "function_call"])
def test_the_reason_does_not_hide_calls(reason):
    """Calls are found whatever the finish reason is."""
    assert 1 == len(openai.calls(response(entry(), reason=reason)))


def test_a_response_cut_by_the_limit_marks_its_last_call():
    """Only the last call may have been cut."""
    found = openai.calls(response(entry(), entry("call_b", arguments='{"pa'), reason="length"))
    assert [False, True] == [call.truncated for call in found]


def test_missing_ids_are_made_and_the_same_everywhere():
    """The model's turn and the answers agree on an id that nobody gave."""
    body = response(entry(None), entry(""), entry(0))
    found = openai.calls(body)
    assert [True, True, False] == [call.made_id for call in found]
    assert 3 == len({call.id for call in found})
    [turn] = openai.assistant(body)
    assert [call.id for call in found] == [each["id"] for each in turn["tool_calls"]]
    assert 0 == found[2].id


def test_a_choice_or_a_message_will_do():
    """What is inside a response is read as well."""
    body = response(entry())
    expected = brief(openai.calls(body))
    assert expected == brief(openai.calls(body["choices"][0]))
    assert expected == brief(openai.calls(body["choices"][0]["message"]))


def test_calls_pass_through():
    """A list of calls, or one, is what it is."""
    calls = [ToolCall("a", id="1"), ToolCall("b", id="2")]
    assert calls == openai.calls(calls)
    assert calls[:1] == openai.calls(calls[0])


ODD = [
    None,
    "",
    0,
    [],
    {},
    object(),
    {"choices": None},
    {"choices": []},
    {"choices": [None]},
    {"choices": [{"message": None}]},
    {"choices": [{"message": {"tool_calls": None}}]},
    {"choices": [{"message": {"tool_calls": "x"}}]},
    {"choices": [{"message": {"tool_calls": [None, 1, {}, {"function": None}]}}]},
    {"choices": [{"message": {"function_call": {"name": "f", "arguments": "{}"}}}]},
]


@pytest.mark.parametrize("odd", ODD, ids=repr)
def test_odd_responses_have_no_calls(odd):
    """Nothing that might come makes reading raise."""
    assert [] == openai.calls(odd)
    assert [] == streamed(odd).calls()
    assert all("tool_calls" not in turn for turn in openai.assistant(odd))


def test_a_call_without_a_function_is_still_to_be_answered():
    """What has an id needs an answer, even if it says nothing."""
    assert [("x", "", None)] == brief(openai.calls(response({"id": "x", "function": None})))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "choices",
                    "message",
                    "delta",
                    "tool_calls",
                    "function",
                    "custom",
                    "id",
                    "index",
                    "name",
                    "arguments",
                    "content",
                    "type",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=25,
)


@settings(max_examples=150, deadline=None)
@given(json_values)
def test_no_json_makes_reading_raise(value):
    """Any JSON whatever is read, fed and returned without an exception."""
    for body in (
        value,
        {"choices": [{"message": value}]},
        {"choices": [{"message": {"tool_calls": value}}]},
    ):
        calls = openai.calls(body)
        openai.assistant(body)
        assert all(isinstance(call, ToolCall) and isinstance(call.name, str) for call in calls)
    stream = streamed(
        value, {"choices": [{"delta": {"tool_calls": value}}]}, {"choices": [{"delta": value}]}
    )
    assert isinstance(openai.assistant(stream), list)


# -- streams

WHOLE = [
    entry("c1", "first", '{"x": [1, {"y": "}"}]}'),
    entry("c2", "second", ""),
    entry("c3", "first", "{}"),
]
PIECES = [
    fragment(0, "c1", "first", ""),
    fragment(0, arguments='{"x": [1, '),
    fragment(1, "c2", "second", ""),
    fragment(0, arguments='{"y": "}"}]'),
    fragment(2, "c3", "first", "{"),
    fragment(0, arguments="}"),
    fragment(2, arguments="}"),
]


@pytest.mark.parametrize(
    "read", [lambda v: v, ChatCompletionChunk.model_validate], ids=["dict", "sdk"]
)
def test_a_stream_gives_the_calls_of_the_whole_response(read):
    """Fragments are put together by index, whatever stands between."""
    stream = openai.stream()
    chunks = [chunk(role="assistant", content=""), *map(chunk, PIECES), chunk(reason="tool_calls")]
    given = [call for each in chunks for call in stream.feed(read(each))]
    assert openai.calls(response(*WHOLE)) == stream.calls()
    assert sorted(brief(stream.calls())) == sorted(brief(given))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(1, 3), min_size=len(PIECES), max_size=len(PIECES)), st.integers(0, 5))
def test_any_grouping_of_a_stream_gives_the_same(sizes, gap):
    """How fragments are spread over chunks makes no difference; each call is returned once."""
    rest, groups = list(PIECES), []
    for size in sizes:
        groups.append(rest[:size])
        rest = rest[size:]
    groups.insert(gap, [])
    stream = openai.stream()
    given = [call for group in groups for call in stream.feed(chunk(*group))]
    given += stream.feed(chunk(reason="tool_calls"))
    given += stream.feed({"choices": [], "usage": {}})
    assert openai.calls(response(*WHOLE)) == stream.calls()
    assert sorted(brief(stream.calls())) == sorted(brief(given))


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=30), st.data())
def test_arguments_cut_anywhere_come_out_whole(value, data):
    """The text of the arguments is the concatenation of its fragments."""
    whole = json.dumps({"value": value})
    at = data.draw(st.integers(0, len(whole)))
    stream = streamed(
        chunk(fragment(0, "c", "f", whole[:at])), chunk(fragment(0, arguments=whole[at:]))
    )
    assert [("c", "f", whole)] == brief(stream.calls())


def test_a_call_is_returned_when_the_next_one_begins():
    """A finished call need not wait for the end of the stream."""
    stream = openai.stream()
    assert [] == stream.feed(chunk(fragment(0, "c1", "a", '{"x": 1}')))
    assert ["c1"] == [c.id for c in stream.feed(chunk(fragment(1, "c2", "b", "{")))]
    assert [] == stream.feed(chunk(fragment(1, arguments="}")))
    assert ["c2"] == [c.id for c in stream.feed(chunk(reason="tool_calls"))]


def test_calls_are_ordered_by_index():
    """A later index that arrives first stands second."""
    stream = streamed(chunk(fragment(1, "c2", "b", "{}")), chunk(fragment(0, "c1", "a", "{}")))
    assert ["c1", "c2"] == [call.id for call in stream.calls()]


@pytest.mark.parametrize(
    ("fragments", "expected"),
    [
        (
            [fragment(0, "c1", "add", '{"a": 1'), fragment(0, "c1", "add", ', "b": 2}')],
            [("c1", "add", '{"a": 1, "b": 2}')],
        ),
        (
            [
                fragment(0, "c1", "add", "{}"),
                fragment(0, "c2", "add", '{"b"'),
                fragment(0, arguments=": 2}"),
            ],
            [("c1", "add", "{}"), ("c2", "add", '{"b": 2}')],
        ),
        (
            [
                fragment(None, "c1", "a", "{"),
                fragment(None, arguments="}"),
                fragment(None, "c2", "b", "{}"),
            ],
            [("c1", "a", "{}"), ("c2", "b", "{}")],
        ),
        (
            [
                fragment(0, "c1", "a", "{"),
                fragment(1, "c2", "b", "{"),
                fragment(None, "c1", arguments="}"),
                fragment(None, "c2", "", "}"),
            ],
            [("c1", "a", "{}"), ("c2", "b", "{}")],
        ),
        (
            [fragment(0, "r1", "a", '{"x"'), fragment(0, "r2", None, ": 1}")],
            [("r1", "a", '{"x": 1}')],
        ),
        (
            [fragment(0, None, "a", '{"x"'), fragment(0, "late", None, ": 1}")],
            [("late", "a", '{"x": 1}')],
        ),
        (
            [fragment(0, "x", "a", "{}"), fragment(0, "x", "b", "{}")],
            [("x", "a", "{}"), ("x", "b", "{}")],
        ),
        ([fragment(0, "c1"), fragment(0, None, "a", "{}")], [("c1", "a", "{}")]),
        ([fragment(0, "c1", "a", {"x": 1})], [("c1", "a", {"x": 1})]),
        ([{"index": 0}, fragment(0, "c1", "a", "{}")], [("c1", "a", "{}")]),
    ],
    ids=[
        "repeated",
        "index-0",
        "no-index",
        "found-by-id",
        "id-each",
        "late-id",
        "same-id",
        "late-name",
        "object",
        "empty",
    ],
)
def test_streams_of_servers_that_resemble_openai(fragments, expected):
    """A new id with a name is a new call; ids and names are never appended to."""
    assert expected == brief(streamed(*map(chunk, fragments), chunk(reason="stop")).calls())


@pytest.mark.parametrize(
    ("fragments", "expected"),
    [
        ([fragment(0, None, "a", "{}"), fragment(0, None, "a", "{}")], ["{}", "{}"]),
        ([fragment(0, None, "a", '{"x"'), fragment(0, None, "a", ": 1}")], ['{"x": 1}']),
        ([fragment(0, None, "a", "{}"), fragment(0, None, "a", "")], ["{}"]),
        ([fragment(0, None, "a", ""), fragment(0, None, "b", "")], ["", ""]),
    ],
)
def test_streams_without_ids_go_by_names(fragments, expected):
    """Without ids, a name after complete arguments, or another name, begins a call."""
    found = streamed(*map(chunk, fragments), chunk(reason="stop")).calls()
    assert expected == [call.arguments for call in found]
    assert all(call.made_id for call in found)


def test_a_custom_call_is_streamed_too():
    """The input of a custom call arrives in fragments as well."""
    start = {"index": 0, "id": "c", "type": "custom", "custom": {"name": "sql", "input": "SELECT"}}
    stream = streamed(chunk(start), chunk({"index": 0, "custom": {"input": " 1}"}}))
    [call] = stream.calls()
    assert ("custom", "sql", "SELECT 1}", True) == (
        call.kind,
        call.name,
        call.arguments,
        call.truncated,
    )
    assert [False] == [call.truncated for call in stream.feed(chunk(reason="tool_calls"))]


def test_a_stream_cut_by_the_limit_marks_its_last_call():
    """The reason comes in a chunk of its own."""
    stream = streamed(chunk(fragment(0, "c1", "a", "{}")), chunk(fragment(1, "c2", "b", '{"x"')))
    assert [False, True] == [call.truncated for call in stream.calls()]
    [last] = stream.feed(chunk(reason="length"))
    assert last.truncated
    assert [False, True] == [call.truncated for call in stream.calls()]


def test_a_stream_that_breaks_off_gives_no_runnable_half_call():
    """A call whose arguments are not complete counts as cut until the stream ends."""
    stream = streamed(chunk(fragment(0, "c1", "delete_all", "")))
    assert [True] == [call.truncated for call in stream.calls()]


def test_other_choices_of_a_stream_are_left_alone():
    """Of several choices the first one counts, also where it comes later."""
    second = chunk(fragment(0, "x", "b", "{}"))
    second["choices"][0]["index"] = 1
    both = chunk(fragment(0, "c", "a", "{}"))
    both["choices"].insert(0, second["choices"][0])
    assert ["c"] == [call.id for call in streamed(second, both).calls()]


def test_events_that_hold_a_chunk_are_opened():
    """The SDK's own stream helper wraps each chunk in an event."""
    stream = streamed({"type": "chunk", "chunk": chunk(fragment(0, "c", "a", "{}"))})
    assert ["c"] == [call.id for call in stream.calls()]
    assert openai.calls(stream) == stream.calls()


@pytest.mark.parametrize("read", [lambda v: v, ChatCompletion.model_validate], ids=["dict", "sdk"])
def test_the_turn_goes_back_as_it_came(fits, read):
    """Text and calls return, the SDK's nulls and indexes do not."""
    body = response(
        entry(index=0),
        content="Looking.",
        refusal=None,
        audio=None,
        annotations=[],
        function_call=None,
    )
    [turn] = openai.assistant(read(body))
    assert {"role": "assistant", "content": "Looking.", "tool_calls": [entry()]} == turn
    fits(turn, ChatCompletionAssistantMessageParam)


def test_the_turn_without_text_has_null_content(fits):
    """Content is null where there is none."""
    [turn] = openai.assistant(response(entry()))
    assert turn["content"] is None
    fits(turn, ChatCompletionAssistantMessageParam)


def test_a_turn_without_calls_has_no_list_of_them(fits):
    """An empty list of calls would be refused."""
    [turn] = openai.assistant(response(content="42"))
    assert {"role": "assistant", "content": "42"} == turn
    assert [] == openai.assistant(response())


def test_custom_calls_and_refusals_return(fits):
    """All that the model said goes back."""
    custom = {"id": "c", "type": "custom", "custom": {"name": "sql", "input": "SELECT 1"}}
    [turn] = openai.assistant(response(custom, refusal="No."))
    assert ([custom], "No.") == (turn["tool_calls"], turn["refusal"])
    fits(turn, ChatCompletionAssistantMessageParam)


def test_spoken_answers_return_by_their_id(fits):
    """Of audio only the id goes back."""
    audio = {"id": "audio_1", "data": "AAAA", "expires_at": 1, "transcript": "Hi"}
    [turn] = openai.assistant(response(audio=audio))
    assert {"role": "assistant", "content": None, "audio": {"id": "audio_1"}} == turn
    fits(turn, ChatCompletionAssistantMessageParam)


@pytest.mark.parametrize(
    ("given", "sent"),
    [(None, "{}"), (" ", "{}"), ({"a": 1}, '{"a":1}'), ('{"a": ', '{"a": '), ("\ud800", "\ufffd")],
)
def test_arguments_return_as_text(fits, given, sent):
    """A string stays what it was, broken or not; none is an empty object."""
    [turn] = openai.assistant(response(entry(arguments=given)))
    assert sent == turn["tool_calls"][0]["function"]["arguments"]
    fits(turn, ChatCompletionAssistantMessageParam)


def test_what_other_servers_add_returns():
    """Signatures and reasoning that servers want back are kept."""
    signed = entry(extra_content={"google": {"thought_signature": "s"}})
    builtin = {**entry("b"), "type": "builtin_function"}
    body = response(signed, builtin, reasoning_content="Hm.", provider_specific_fields={"x": 1})
    [turn] = openai.assistant(body)
    assert [signed, builtin] == turn["tool_calls"]
    assert "Hm." == turn["reasoning_content"]
    assert "provider_specific_fields" not in turn


def test_the_turn_of_a_stream_is_that_of_the_response():
    """Text, reasoning and calls of a stream are put together."""
    details = [{"type": "reasoning.text", "text": "a"}, {"type": "reasoning.text", "text": "b"}]
    stream = streamed(
        chunk(
            role="assistant", content="Look", reasoning_content="H", reasoning_details=details[:1]
        ),
        chunk(
            role="assistant", content="ing.", reasoning_content="m.", reasoning_details=details[1:]
        ),
        chunk({**fragment(0, "call_a", "lookup", '{"path":'), "extra_content": {"s": 1}}),
        chunk(fragment(0, arguments=' "/etc"}')),
        chunk(audio={"id": "audio_1"}),
        chunk(audio={"data": "AAAA"}),
        chunk(reason="tool_calls"),
    )
    whole = response(
        entry(extra_content={"s": 1}),
        content="Looking.",
        reasoning_content="Hm.",
        reasoning_details=details,
        audio={"id": "audio_1"},
    )
    assert openai.assistant(whole) == openai.assistant(stream)


def test_the_old_function_call_returns_but_is_no_call():
    """It has no id that could be answered; its turn is kept all the same."""
    asked = {"name": "f", "arguments": '{"x": 1}'}
    whole = response(function_call=asked, reason="function_call")
    stream = streamed(
        chunk(function_call={"name": "f", "arguments": '{"x"'}),
        chunk(function_call={"arguments": ": 1}"}),
    )
    assert [] == openai.calls(whole) == stream.calls()
    expected = [{"role": "assistant", "content": None, "function_call": asked}]
    assert expected == openai.assistant(whole) == openai.assistant(stream)


def test_a_turn_is_made_of_calls():
    """Calls alone, without the response they came in, make a turn; the provider's own do not."""
    calls = [ToolCall("a", {"x": 1}, "1"), ToolCall("web", id="2", kind="server")]
    [turn] = openai.assistant(calls)
    assert [entry("1", "a", '{"x":1}')] == turn["tool_calls"]


def test_every_result_is_a_message_of_its_own(fits):
    """Results answer in order, failed ones led by a word that says so."""
    results = [
        ToolResult("1", "a", "42"),
        ToolResult("2", "b", "no such file", "exception"),
        ToolResult("3", "c", ""),
    ]
    made = openai.messages(results)
    expected = [("1", "42"), ("2", "Error: no such file"), ("3", "")]
    assert expected == [(m["tool_call_id"], m["content"]) for m in made]
    for each in made:
        fits(each, ChatCompletionToolMessageParam)


def test_an_error_is_never_empty_or_said_twice():
    """A failed result always has a text, and one lead."""
    results = [
        ToolResult("1", "a", " ", "timeout"),
        ToolResult("2", "a", "Error: no", "tool_error"),
    ]
    assert ["Error: The call failed: timeout.", "Error: no"] == [
        m["content"] for m in openai.messages(results)
    ]


def test_lone_surrogates_are_replaced():
    """What goes out is valid UTF-8."""
    [message] = openai.messages([ToolResult("1", "a", "x\udfff")])
    assert "x\ufffd" == message["content"]


def test_several_outcomes_are_parts_of_one_answer(fits):
    """Each part has its own status; media that cannot go have a text in their place."""
    media = Image(b"...")
    parts = (Part("one"), Part("two is missing", is_error=True), Part(str(media), media=media))
    output = f"one\n\nError: two is missing\n\n{media}"
    [message] = openai.messages([ToolResult("1", "a", output, parts=parts)])
    texts = ["one", "Error: two is missing", str(media)]
    assert [{"type": "text", "text": text} for text in texts] == message["content"]
    fits(message, ChatCompletionToolMessageParam)


def test_one_part_is_plain_text():
    """A single text needs no list."""
    media = File(b"...", "text/csv", name="a.csv")
    [message] = openai.messages(
        [ToolResult("1", "a", str(media), parts=(Part(str(media), media=media),))]
    )
    assert str(media) == message["content"]


def test_an_output_that_was_changed_wins_over_its_parts():
    """What middleware or a limit made of the output is what the model reads."""
    parts = (Part("one"), Part("two"))
    [message] = openai.messages([ToolResult("1", "a", "shorter", parts=parts)])
    assert "shorter" == message["content"]


def test_parts_of_a_failure_that_say_nothing_of_it_are_led():
    """If the whole failed, the first part says so."""
    result = ToolResult("1", "a", "one\n\ntwo", "tool_error", parts=(Part("one"), Part("two")))
    [message] = openai.messages([result])
    assert ["Error: one", "two"] == [block["text"] for block in message["content"]]


def test_calls_that_the_provider_ran_are_not_answered():
    """A result of such a call has no message."""
    served = ToolResult("1", "web", "x", call=ToolCall("web", id="1", kind="server"))
    ours = ToolResult("2", "a", "y", call=ToolCall("a", id="2"))
    assert ["2"] == [m["tool_call_id"] for m in openai.messages([served, ours])]
    assert [] == openai.messages([])
