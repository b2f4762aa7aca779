"""Anthropic Messages: specs, calls, streams, the model's turn, results."""

import json
from collections.abc import Iterable
from dataclasses import replace
from functools import cache

import anthropic.types as sdk
import pytest
from anthropic.lib.streaming import InputJsonEvent, TextEvent
from anthropic.types import beta
from anthropic.types.content_block_param import ContentBlockParam
from anthropic.types.raw_message_stream_event import RawMessageStreamEvent
from anthropic.types.tool_param import ToolParam
from anthropic.types.user_message_param import UserMessageParam
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from toolreg._types import Audio, File, Image, Part, Spec, ToolCall, ToolResult
from toolreg.formats import anthropic

OBJECT = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}


def taken(kind, value):
    """Return what the SDK's type keeps of a value: all of it, if there is no unknown key."""
    return whole(adapter(kind).validate_python(value))


@cache
def adapter(kind):
    # kept alive: lazy lists are validated after the call
    return TypeAdapter(kind)


def whole(value):
    """Return validated values with their lazy lists read."""
    if isinstance(value, dict):
        return {key: whole(each) for key, each in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str):
        return [whole(each) for each in value]
    return value


def schema(properties, required=()):
    return OBJECT | {"properties": properties, "required": list(required)}


def message(*content, stop_reason="tool_use"):
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude",
        "content": list(content),
        "stop_reason": stop_reason,
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }


def use(name="add", id="toolu_1", **input):  # noqa: A002 - the words of the API
    return {"type": "tool_use", "id": id, "name": name, "input": input}


TEXT = {"type": "text", "text": "Let me look."}
THINKING = {"type": "thinking", "thinking": "hm", "signature": "c2ln"}
REDACTED = {"type": "redacted_thinking", "data": "b3BhcXVl"}
SERVER = {
    "type": "server_tool_use",
    "id": "srvtoolu_1",
    "name": "web_search",
    "input": {"query": "x"},
}


def fragments(text, cuts):
    places = sorted({0, len(text), *(cut % (len(text) + 1) for cut in cuts)})
    return [text[a:b] for a, b in zip(places, places[1:])] or [""]


def events(content, stop_reason="tool_use", cuts=(3, 7, 8)):
    """Return the events of a stream that ends in this content."""
    made = [{"type": "message_start", "message": message(stop_reason=None)}]
    for index, block in enumerate(content):
        start, deltas = dict(block), []
        if "input" in block:
            start["input"] = {}
            pieces = fragments(json.dumps(block["input"]) if block["input"] else "", cuts)
            deltas = [
                {"type": "input_json_delta", "partial_json": piece} for piece in ["", *pieces]
            ]
        for key in ("text", "thinking"):
            if key in block:
                start[key] = ""
                deltas += [
                    {"type": f"{key}_delta", key: piece} for piece in fragments(block[key], cuts)
                ]
        if "signature" in block:
            start["signature"] = ""
            deltas.append({"type": "signature_delta", "signature": block["signature"]})
        if "citations" in block:
            start["citations"] = []
            deltas += [{"type": "citations_delta", "citation": each} for each in block["citations"]]
        made.append({"type": "content_block_start", "index": index, "content_block": start})
        made += [
            {"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas
        ]
        made.append({"type": "content_block_stop", "index": index})
    delta = {"stop_reason": stop_reason, "stop_sequence": None}
    made.append({"type": "message_delta", "delta": delta, "usage": {"output_tokens": 9}})
    return [*made, {"type": "message_stop"}]


def fed(chunks):
    """Return a stream that took the chunks, and all that feeding it returned."""
    stream = anthropic.stream()
    return stream, [call for chunk in chunks for call in stream.feed(chunk)]


class TestSpec:
    def test_a_bare_tool_has_exactly_three_keys(self):
        """Nothing is exported that was not said."""
        assert {"name": "now", "description": "", "input_schema": OBJECT} == anthropic.spec(
            Spec(name="now", parameters=OBJECT)
        )

    def test_everything_exported_is_a_key_of_the_sdk(self):
        """The SDK's type takes the tool whole."""
        spec = Spec(
            name="find",
            description="Find.",
            parameters=schema({"q": {"type": "string"}}, ["q"]),
            title="Find",
            output={"type": "string"},
            hints={"read_only": True},
            examples=[{"q": "x"}],
            provider_options={
                "anthropic": {"cache_control": {"type": "ephemeral"}, "defer_loading": True},
                "openai": {"other": 1},
            },
            strict=True,
        )
        made = anthropic.spec(spec)
        assert taken(ToolParam, made) == made
        assert [{"q": "x"}] == made["input_examples"]
        assert {"type": "ephemeral"} == made["cache_control"]
        assert made["strict"] is True
        assert "title" not in made
        assert "other" not in made

    def test_the_root_is_a_plain_object(self):
        """The API refuses combinators at the root."""
        union = {"anyOf": [schema({"a": {"type": "integer"}}), schema({"b": {"type": "string"}})]}
        made = anthropic.spec(Spec(name="either", parameters=union))["input_schema"]
        assert "object" == made["type"]
        assert {"a", "b"} == made["properties"].keys()
        assert "anyOf" not in made

    def test_parameters_the_api_refuses_have_a_safe_spelling(self):
        """Property keys, required and examples all use it."""
        spec = Spec(
            name="size",
            parameters=schema({"größe": {"type": "integer"}, "a.b": {}}, ["größe"]),
            examples=[{"größe": 1}],
        )
        made = anthropic.spec(spec)
        safe = anthropic.safe_parameter("größe")
        assert safe.isascii()
        assert [safe, "a.b"] == list(made["input_schema"]["properties"])
        assert [safe] == made["input_schema"]["required"]
        assert [{safe: 1}] == made["input_examples"]

    @pytest.mark.parametrize("name", ["now", "1st", "-x-", "a" * 64])
    def test_names_of_tools_stay(self, name):
        """Every name that a tool may have is a name for the API."""
        assert name is anthropic.safe_name(name)

    def test_changing_an_export_changes_no_tool(self):
        """What is handed out shares nothing with the spec."""
        spec = Spec(
            name="find", parameters=schema({"q": {"type": "string"}}), examples=[{"q": [1]}]
        )
        made = anthropic.spec(spec)
        made["input_schema"]["properties"]["q"]["type"] = "integer"
        made["input_examples"][0]["q"].append(2)
        assert {"type": "string"} == spec.parameters["properties"]["q"]
        assert [{"q": [1]}] == spec.examples


class TestStrict:
    def test_it_is_flagged_only_where_nothing_is_lost(self):
        """A tool that cannot be strict goes out as it is, and spoils no other."""
        plain = Spec(name="plain", parameters=schema({"a": {"type": "integer"}}, ["a"]))
        free = Spec(
            name="free",
            parameters=schema(
                {"m": {"type": "object", "additionalProperties": {"type": "string"}}}
            ),
        )
        first, second = anthropic.tools([free, plain], strict=True)
        assert anthropic.spec(free) == first
        assert "strict" not in first
        assert second["strict"] is True
        assert () == anthropic.strict_faults(plain)
        assert anthropic.strict_faults(free)

    def test_twenty_tools_of_a_request_are_strict(self):
        """The first come first."""
        specs = [Spec(name=f"t{i}", parameters=OBJECT) for i in range(22)]
        flags = ["strict" in tool for tool in anthropic.tools(specs, strict=True)]
        assert [True] * 20 + [False] * 2 == flags

    def test_optional_properties_are_counted_over_all_strict_tools(self):
        """A tool that no longer fits is left out; a smaller one after it still fits."""
        sizes = [20, 5, 4, 1]
        specs = [
            Spec(
                name=f"t{i}",
                parameters=schema({f"p{n}": {"type": "integer"} for n in range(size)}),
                strict=True,
            )
            for i, size in enumerate(sizes)
        ]
        flags = ["strict" in tool for tool in anthropic.tools(specs)]
        assert [True, False, True, False] == flags

    def test_unions_are_counted_over_all_strict_tools(self):
        """Sixteen properties of several types fit into a request."""
        either = {"anyOf": [{"type": "integer"}, {"type": "string"}]}
        specs = [
            Spec(name=f"t{i}", parameters=schema({"p": either}, ["p"]), strict=True)
            for i in range(18)
        ]
        assert 16 == sum("strict" in tool for tool in anthropic.tools(specs))

    def test_a_tool_too_large_alone_says_so(self):
        """The reasons name both limits."""
        either = {"anyOf": [{"type": "integer"}, {"type": "string"}]}
        large = Spec(name="large", parameters=schema({f"p{n}": either for n in range(30)}))
        optional, unions = anthropic.strict_faults(large)
        assert "30 optional properties; a request may have 24" == optional
        assert "30 properties of several types; a request may have 16" == unions
        assert "strict" not in anthropic.spec(large, True)

    def test_no_tools_are_an_empty_list(self):
        """An empty registry gives nothing to send."""
        assert [] == anthropic.tools([])


class TestCalls:
    def test_calls_come_in_order_with_their_ids(self):
        """Text and thinking between them are no calls."""
        found = anthropic.calls(message(THINKING, TEXT, use("a", "1", x=[1]), use("b", "2")))
        assert [("a", "1", {"x": [1]}), ("b", "2", {})] == [
            (c.name, c.id, c.arguments) for c in found
        ]
        assert not any(call.truncated for call in found)

    def test_an_object_of_the_sdk_is_as_good(self):
        """Both kinds of message give the same calls."""
        plain = message(TEXT, use(a=None, b=[{"c": 1.5}]))
        assert anthropic.calls(plain) == anthropic.calls(sdk.Message.model_validate(plain))
        assert anthropic.calls(plain) == anthropic.calls(beta.BetaMessage.model_validate(plain))

    def test_what_the_provider_runs_is_left_out(self):
        """Server tools are answered by the server."""
        remote = {
            "type": "mcp_tool_use",
            "id": "mcp_1",
            "name": "x",
            "input": {},
            "server_name": "s",
        }
        assert ["toolu_1"] == [call.id for call in anthropic.calls(message(SERVER, remote, use()))]

    @pytest.mark.parametrize("reason", ["max_tokens", "model_context_window_exceeded", "refusal"])
    def test_the_last_block_may_have_been_cut(self, reason):
        """Only the reason to stop tells: partial input may well be an object."""
        cut = anthropic.calls(message(use(id="1"), use(id="2"), stop_reason=reason))
        assert [False, True] == [call.truncated for call in cut]
        whole = anthropic.calls(message(use(), TEXT, stop_reason=reason))
        assert [False] == [call.truncated for call in whole]

    def test_what_the_provider_wants_back_is_kept(self):
        """Caller and toolset travel with the call."""
        block = use() | {"caller": {"type": "direct"}, "toolset_name": "browser"}
        [call] = anthropic.calls(message(block))
        assert {"caller": {"type": "direct"}, "toolset_name": "browser"} == call.extra
        [call] = anthropic.calls(message(use() | {"caller": None}))
        assert call.extra is None

    def test_input_that_is_no_object_stays_readable(self):
        """Text stays text, other values become JSON text: the core says what is wrong."""
        odd = [use() | {"input": value} for value in ('{"a": 1}', [1, 2], None)]
        assert ['{"a": 1}', "[1,2]", None] == [c.arguments for c in anthropic.calls(message(*odd))]

    @pytest.mark.parametrize(
        "odd",
        [
            None,
            7,
            "text",
            b"bytes",
            [],
            {},
            [1],
            {"content": None},
            {"content": "text"},
            {"content": [None, 1, "x", {}, {"type": 3}]},
            {"content": {"type": "tool_use"}},
            object(),
        ],
    )
    def test_odd_shapes_hold_no_calls(self, odd):
        """Nothing raises."""
        assert [] == anthropic.calls(odd)
        assert [] == anthropic.stream().feed(odd)

    def test_a_call_without_a_name_is_still_a_call(self):
        """Its id must be answered."""
        [call] = anthropic.calls({"content": [{"type": "tool_use", "id": "toolu_1"}]})
        assert ("", "toolu_1", None) == (call.name, call.id, call.arguments)

    def test_calls_themselves_pass(self):
        """A list of calls, or one, is taken as it is."""
        call = ToolCall("add", {"a": 1}, "toolu_1")
        assert [call] == anthropic.calls([call])
        assert [call] == anthropic.calls(call)


class TestStream:
    CONTENT = [
        THINKING,
        TEXT
        | {"citations": [{"type": "char_location", "cited_text": "x", "document_title": None}]},
        REDACTED,
        SERVER,
        use("a", "1", city="Paris", n=1.5),
        use("b", "2"),
    ]

    def test_fragments_become_calls(self):
        """The input of the start gives way to the fragments; none at all is no arguments."""
        stream, completed = fed(events(self.CONTENT))
        assert ["1", "2"] == [call.id for call in completed]
        assert completed == stream.calls() == anthropic.calls(stream)
        assert {"city": "Paris", "n": 1.5} == json.loads(completed[0].arguments)
        assert {} == (completed[1].arguments or {})

    def test_events_of_the_sdk_are_as_good(self):
        """Raw events as objects give the same; the helper's own events change nothing."""
        content = [TEXT, use(a=1)]
        raw = [adapter(RawMessageStreamEvent).validate_python(event) for event in events(content)]
        helping = [
            TextEvent(type="text", text="Let", snapshot="Let"),
            InputJsonEvent(type="input_json", partial_json='{"a', snapshot={}),
        ]
        mixed = [each for event in raw for each in (event, *helping)]
        stream, completed = fed(mixed)
        assert fed(events(content))[1] == completed == stream.calls()
        assert anthropic.assistant(message(*content)) == anthropic.assistant(stream)

    def test_a_call_is_complete_when_nothing_can_cut_it_any_more(self):
        """The end of its block is not enough: the reason to stop comes later."""
        chunks = events([use(id="1"), use(id="2")], stop_reason="max_tokens")
        stream = anthropic.stream()
        returned = [[call.id for call in stream.feed(chunk)] for chunk in chunks]
        kinds = [chunk["type"] for chunk in chunks]
        assert ["1"] == returned[kinds.index("content_block_start", 2)]
        assert ["2"] == returned[kinds.index("message_delta")]
        assert [False, True] == [call.truncated for call in stream.calls()]

    def test_a_broken_connection_leaves_a_cut_call(self):
        """What never ended is never run, and nothing was returned for it."""
        stream, completed = fed(events([use(id="1"), use(id="2", a=1)])[:-4])
        assert ["1"] == [call.id for call in completed]
        assert [False, True] == [call.truncated for call in stream.calls()]

    def test_an_ended_block_without_the_end_of_the_message_is_whole(self):
        """Only the end of the message is missing."""
        stream, completed = fed(events([use(id="1", a=1)])[:-2])
        assert [] == completed
        assert [("1", False)] == [(call.id, call.truncated) for call in stream.calls()]

    def test_input_may_come_whole_in_the_start(self):
        """Compatible servers send no fragments."""
        start = {"type": "content_block_start", "index": 0, "content_block": use(a=1)}
        stream, _ = fed([start, {"type": "content_block_stop", "index": 0}])
        assert [{"a": 1}] == [call.arguments for call in stream.calls()]

    def test_fragments_of_unknown_kinds_replace_what_they_name(self):
        """Compaction arrives as a delta of its own."""
        start = {"type": "compaction", "content": None}
        delta = {"type": "compaction_delta", "content": "so far", "encrypted_content": "e"}
        stream, _ = fed(
            [
                {"type": "content_block_start", "index": 0, "content_block": start},
                {"type": "content_block_delta", "index": 0, "delta": delta},
                {"type": "ping"},
                {"type": "unknown", "index": 0},
            ]
        )
        [turn] = anthropic.assistant(stream)
        expected = {"type": "compaction", "content": "so far", "encrypted_content": "e"}
        assert [expected] == turn["content"]

    @given(data=st.data())
    @settings(max_examples=60, deadline=None)
    def test_any_cut_of_a_stream_gives_the_same(self, data):
        """However the text is divided: the calls and the turn of the whole response."""
        json_values = st.recursive(
            st.none() | st.booleans() | st.integers() | st.text(max_size=8),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(st.text(max_size=3), inner, max_size=3)
            ),
            max_leaves=6,
        )
        inputs = st.dictionaries(st.text(min_size=1, max_size=5), json_values, max_size=3)
        block = st.one_of(
            st.sampled_from([TEXT, THINKING, REDACTED, SERVER]),
            inputs.map(lambda value: use() | {"input": value}),
        )
        content = [
            each | ({"id": f"toolu_{i}"} if "id" in each else {})
            for i, each in enumerate(data.draw(st.lists(block, max_size=5)))
        ]
        reason = data.draw(st.sampled_from(["tool_use", "max_tokens", "end_turn"]))
        cuts = data.draw(st.lists(st.integers(0, 200), max_size=6))
        stream, completed = fed(events(content, reason, cuts))
        whole = message(*content, stop_reason=reason)
        found = [
            replace(call, arguments=json.loads(call.arguments or "{}"))
            if not isinstance(call.arguments, dict)
            else call
            for call in stream.calls()
        ]
        assert anthropic.calls(whole) == found
        assert stream.calls() == completed
        assert anthropic.assistant(whole) == anthropic.assistant(stream)


class TestAssistant:
    def test_the_turn_goes_back_unchanged(self):
        """Thinking keeps its signature, server tools their results."""
        found = {
            "type": "web_search_tool_result",
            "tool_use_id": "srvtoolu_1",
            "content": [
                {
                    "type": "web_search_result",
                    "title": "t",
                    "url": "https://x",
                    "encrypted_content": "e",
                }
            ],
        }
        content = [THINKING, REDACTED, TEXT, SERVER, found, use(a=1)]
        turn = anthropic.assistant(message(*content))
        assert [{"role": "assistant", "content": content}] == turn
        assert [taken(ContentBlockParam, block) for block in content] == content

    def test_objects_of_the_sdk_lose_what_the_input_does_not_take(self):
        """Neither the id of a cited file nor an empty caller may go back."""
        citation = {
            "type": "char_location",
            "cited_text": "x",
            "document_index": 0,
            "document_title": None,
            "start_char_index": 0,
            "end_char_index": 1,
        }
        text = {"type": "text", "text": "x", "citations": [citation | {"file_id": "f"}]}
        plain = message(text, use(a=None) | {"caller": None, "toolset_name": None})
        [turn] = anthropic.assistant(sdk.Message.model_validate(plain))
        assert [citation] == turn["content"][0]["citations"]
        assert use(a=None) | {"toolset_name": None} == turn["content"][1]
        assert [taken(ContentBlockParam, block) for block in turn["content"]] == turn["content"]

    @pytest.mark.parametrize(
        ("broken", "sent"),
        [
            ('{"a": ', {"INVALID_JSON": '{"a": '}),
            ('{"a": NaN}', {"INVALID_JSON": '{"a": NaN}'}),
            ([1], {"INVALID_JSON": "[1]"}),
            ('{"a": 1}', {"a": 1}),
            ("", {}),
            (None, {}),
        ],
    )
    def test_broken_arguments_go_back_as_an_object(self, broken, sent):
        """The API takes nothing else."""
        [turn] = anthropic.assistant(message(use() | {"input": broken}))
        assert sent == turn["content"][0]["input"]

    def test_blank_texts_and_cut_thinking_are_left_out(self):
        """The API refuses both; thinking of others that is not signed stays."""
        unsigned = {"type": "thinking", "thinking": "hm", "signature": ""}
        blank = {"type": "text", "text": " \n"}
        assert [] == anthropic.assistant(message(blank, unsigned, stop_reason="max_tokens"))
        [turn] = anthropic.assistant(message(unsigned, blank, TEXT))
        assert [unsigned, TEXT] == turn["content"]

    def test_content_may_be_text(self):
        """A message that a program wrote is as good."""
        text = {"type": "text", "text": "hello"}
        assert [{"role": "assistant", "content": [text]}] == anthropic.assistant(
            {"content": "hello"}
        )

    def test_calls_alone_become_blocks(self):
        """Without a response the turn is its calls."""
        call = ToolCall("add", '{"a": 1}', "toolu_1", extra={"toolset_name": "t"})
        [turn] = anthropic.assistant([call])
        assert [use(a=1) | {"toolset_name": "t"}] == turn["content"]

    @pytest.mark.parametrize("odd", [None, {}, {"content": [1]}, "text", anthropic.stream()])
    def test_nothing_said_is_no_turn(self, odd):
        """No empty message is made."""
        assert [] == anthropic.assistant(odd)


PNG = Image(b"\x89PNG", name="dot.png")


class TestMessages:
    def test_all_results_go_into_one_message_in_order(self):
        """The next message must answer every call."""
        made = anthropic.messages(
            [
                ToolResult("1", "add", "42"),
                ToolResult("2", "now", "no clock", "tool_error"),
                ToolResult("3", "none", ""),
            ]
        )
        assert [
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "1", "content": "42", "is_error": False},
                    {
                        "type": "tool_result",
                        "tool_use_id": "2",
                        "content": "no clock",
                        "is_error": True,
                    },
                    {"type": "tool_result", "tool_use_id": "3", "content": "", "is_error": False},
                ],
            }
        ] == made
        assert taken(UserMessageParam, made[0]) == made[0]

    def test_no_results_are_no_message(self):
        """Neither are those of calls the server ran."""
        assert [] == anthropic.messages([])
        server = ToolCall("search", id="s", kind="server")
        assert [] == anthropic.messages([ToolResult("s", "search", "x", call=server)])

    @pytest.mark.parametrize("output", ["", " \n"])
    @pytest.mark.parametrize("parts", [(), (Part("", is_error=True),)])
    def test_an_error_is_never_blank(self, output, parts):
        """The API refuses a failed result without content."""
        [made] = anthropic.messages([ToolResult("1", "f", output, "exception", parts=parts)])
        content = made["content"][0]["content"]
        assert (content if isinstance(content, str) else content[0]["text"]).strip()

    def test_the_toolset_is_named_again(self):
        """A member of a toolset is answered as one."""
        call = ToolCall("click", id="1", extra={"toolset_name": "browser", "caller": {}})
        [made] = anthropic.messages([ToolResult("1", "click", "ok", call=call)])
        assert "browser" == made["content"][0]["toolset_name"]
        assert "caller" not in made["content"][0]
        assert taken(UserMessageParam, made) == made

    def result(self, *parts, kind="success"):
        texts = [f"Error: {part.text}" if part.is_error else part.text for part in parts]
        return ToolResult("1", "f", "\n\n".join(texts), kind, parts=parts)

    def content(self, *parts, kind="success"):
        [made] = anthropic.messages([self.result(*parts, kind=kind)])
        assert taken(UserMessageParam, made) == made
        return made["content"][0]["content"]

    def test_each_part_is_a_block(self):
        """A failed one among others says so; blank ones are left out."""
        content = self.content(Part("one"), Part("two", is_error=True), Part(" "))
        assert [{"type": "text", "text": "one"}, {"type": "text", "text": "Error: two"}] == content
        assert "" == self.content(Part(" "))

    @pytest.mark.parametrize(
        ("media", "block"),
        [
            (
                PNG,
                {
                    "type": "image",
                    "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw=="},
                },
            ),
            (
                Image(b"x", "image/JPG; q=1"),
                {
                    "type": "image",
                    "source": {"type": "base64", "media_type": "image/jpeg", "data": "eA=="},
                },
            ),
            (
                Image(url="https://x/y.png"),
                {"type": "image", "source": {"type": "url", "url": "https://x/y.png"}},
            ),
            (
                File(b"%PDF", "application/pdf", name="a.pdf"),
                {
                    "type": "document",
                    "source": {
                        "type": "base64",
                        "media_type": "application/pdf",
                        "data": "JVBERg==",
                    },
                    "title": "a.pdf",
                },
            ),
            (
                File(url="https://x/a.pdf", media_type="application/pdf"),
                {"type": "document", "source": {"type": "url", "url": "https://x/a.pdf"}},
            ),
            (
                File("größe".encode(), "text/csv"),
                {
                    "type": "document",
                    "source": {"type": "text", "media_type": "text/plain", "data": "größe"},
                },
            ),
        ],
    )
    def test_media_the_api_takes_are_blocks(self, media, block):
        """Images, PDF and plain text."""
        content = self.content(Part("see"), Part(str(media), media=media))
        assert [{"type": "text", "text": "see"}, block] == content

    @pytest.mark.parametrize(
        "media",
        [
            Audio(b"x"),
            Image(b"x", "image/tiff"),
            Image(url="s3://b/k"),
            Image(),
            File(b"\xff", "text/plain"),
            File(b" ", "text/plain"),
            File(b"x"),
            File(url="https://x/a.pdf"),
        ],
    )
    def test_other_media_leave_a_few_words(self, media):
        """The model reads that there was something."""
        assert [{"type": "text", "text": str(media)}] == self.content(Part(str(media), media=media))

    def test_a_failed_result_is_text_alone(self):
        """The API refuses anything else where is_error is true."""
        content = self.content(
            Part("see", is_error=True), Part(str(PNG), media=PNG), kind="tool_error"
        )
        assert [
            {"type": "text", "text": "Error: see"},
            {"type": "text", "text": str(PNG)},
        ] == content

    def test_a_rewritten_output_replaces_the_texts_of_the_parts(self):
        """What a middleware took out does not come back through the parts."""
        result = replace(self.result(Part("secret"), Part(str(PNG), media=PNG)), output="***")
        content = anthropic.messages([result])[0]["content"][0]["content"]
        assert "secret" not in json.dumps(content)
        assert ["text", "image"] == [block["type"] for block in content]
