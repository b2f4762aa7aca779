"""Amazon Bedrock Converse: specs, calls, streams, the model's turn, results."""

import json
from dataclasses import replace

import botocore.session
import pytest
from botocore.validate import ParamValidator
from hypothesis import given, settings
from hypothesis import strategies as st

from toolreg._types import Audio, File, Image, Part, Spec, ToolCall, ToolResult
from toolreg.formats import bedrock

OBJECT = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
SERVICE = botocore.session.get_session().get_service_model("bedrock-runtime")


def fault(name, value):
    """Return what botocore says against a value, and which keys it does not know."""
    shape = SERVICE.shape_for(name)
    report = ParamValidator().validate(value, shape)
    return report.generate_report() + "".join(unknown(value, shape))


def unknown(value, shape):
    if shape.type_name == "structure" and not getattr(shape, "is_document_type", False):
        for key, each in value.items():
            if key in shape.members:
                yield from unknown(each, shape.members[key])
            else:
                yield f"unknown {key} in {shape.name}"
    elif shape.type_name == "list":
        for each in value:
            yield from unknown(each, shape.member)


def schema(properties, required=()):
    return OBJECT | {"properties": properties, "required": list(required)}


def response(*content, reason="tool_use"):
    message = {"role": "assistant", "content": list(content)}
    return {"output": {"message": message}, "stopReason": reason}


def use(name="add", key="t1", **arguments):
    return {"toolUse": {"toolUseId": key, "name": name, "input": arguments}}


TEXT = {"text": "Let me look."}
REASONING = {"reasoningContent": {"reasoningText": {"text": "hm", "signature": "c2ln"}}}
REDACTED = {"reasoningContent": {"redactedContent": b"\xff\x00"}}
SERVER = {
    "toolUse": {"toolUseId": "s1", "name": "nova", "input": {"x": 1}, "type": "server_tool_use"}
}
SERVED = {
    "toolResult": {
        "toolUseId": "s1",
        "content": [{"json": {"out": 1}}, {"text": "done"}],
        "status": "success",
        "type": "nova_result",
    }
}
CITED = {
    "citationsContent": {
        "content": [{"text": "It says so."}],
        "citations": [{"title": "a", "location": {"web": {"url": "https://x"}}}],
    }
}
PICTURE = {"image": {"format": "png", "source": {"bytes": b"\x89"}}}


def fragments(text, cuts):
    places = sorted({0, len(text), *(cut % (len(text) + 1) for cut in cuts)})
    return [text[a:b] for a, b in zip(places, places[1:])]


def deltas(block, cuts):
    match block:
        case {"text": text}:
            return None, [{"text": piece} for piece in fragments(text, cuts)]
        case {"toolUse": tool}:
            start = {key: value for key, value in tool.items() if key != "input"}
            text = json.dumps(tool["input"]) if tool["input"] else ""
            return {"toolUse": start}, [{"toolUse": {"input": p}} for p in fragments(text, cuts)]
        case {"toolResult": result}:
            start = {key: value for key, value in result.items() if key != "content"}
            first, second = result["content"]
            pieces = [[{"text": piece}] for piece in fragments(second["text"], cuts)]
            return {"toolResult": start}, [{"toolResult": each} for each in [[first], *pieces]]
        case {"image": image}:
            return {"image": {"format": "png"}}, [{"image": {"source": image["source"]}}]
        case {"citationsContent": cited}:
            texts = [{"text": piece} for piece in fragments(cited["content"][0]["text"], cuts)]
            return None, [*texts, *({"citation": each} for each in cited["citations"])]
        case {"reasoningContent": {"reasoningText": text}}:
            said = [{"text": piece} for piece in fragments(text["text"], cuts)]
            signed = [{"signature": text["signature"]}] if "signature" in text else []
            return None, [{"reasoningContent": each} for each in [*said, *signed]]
        case {"reasoningContent": redacted}:
            return None, [{"reasoningContent": redacted}]


def events(content, reason="tool_use", cuts=(3, 7)):
    """Return the events of a stream that ends in this content."""
    made = [{"messageStart": {"role": "assistant"}}]
    for index, block in enumerate(content):
        start, pieces = deltas(block, cuts)
        at = {"contentBlockIndex": index}
        if start:
            made.append({"contentBlockStart": {"start": start, **at}})
        made += [{"contentBlockDelta": {"delta": piece, **at}} for piece in pieces]
        made.append({"contentBlockStop": at})
    return [*made, {"messageStop": {"stopReason": reason}}, {"metadata": {"usage": {}}}]


def fed(chunks):
    """Return a stream that took the chunks, and all that feeding it returned."""
    stream = bedrock.stream()
    return stream, [call for chunk in chunks for call in stream.feed(chunk)]


class TestSpec:
    def test_a_tool_is_a_tool_spec(self):
        """An empty description is left out: it must have a character."""
        made = bedrock.spec(Spec(name="now", parameters=OBJECT))
        assert {"toolSpec": {"name": "now", "inputSchema": {"json": OBJECT}}} == made

    def test_everything_exported_is_in_the_service_model(self):
        """Own keys of the tool go into its toolSpec."""
        spec = Spec(
            name="find",
            description="Find.",
            parameters=schema({"q": {"type": "string"}, "größe": {}}, ["q"]),
            title="Find",
            output={"type": "string"},
            examples=[{"q": "x"}],
            provider_options={"bedrock": {"strict": False, "inputSchema": {"json": OBJECT}}},
        )
        made = bedrock.tools([spec])
        assert "" == fault("ToolConfiguration", {"tools": made})
        expected = {"name": "find", "description": "Find.", "strict": False}
        assert expected | {"inputSchema": {"json": OBJECT}} == made[0]["toolSpec"]

    def test_names_follow_the_rule_of_the_models(self):
        """Tools keep theirs; parameters get a safe spelling where they need one."""
        assert "-1" == bedrock.safe_name("-1")
        assert "a.b-c" == bedrock.safe_parameter("a.b-c")
        made = bedrock.spec(Spec(name="f", parameters=schema({"größe": {}}, ["größe"])))
        [required] = made["toolSpec"]["inputSchema"]["json"]["required"]
        assert bedrock.safe_parameter("größe") == required
        assert required.isascii()

    def test_strict_is_flagged_only_where_nothing_is_lost(self):
        """The reasons say why another tool is not."""
        plain = Spec(
            name="plain", parameters=schema({"a": {"type": "integer"}}, ["a"]), strict=True
        )
        free = Spec(name="free", parameters=schema({"m": {"type": "object"}}), strict=True)
        first, second = bedrock.tools([free, plain])
        assert "strict" not in first["toolSpec"]
        assert second["toolSpec"]["strict"] is True
        assert () == bedrock.strict_faults(plain)
        assert bedrock.strict_faults(free)

    def test_the_limits_of_a_request_hold(self):
        """Twenty strict tools, the first ones."""
        specs = [Spec(name=f"t{i}", parameters=OBJECT) for i in range(21)]
        made = bedrock.tools(specs, strict=True)
        assert [True] * 20 + [False] == ["strict" in tool["toolSpec"] for tool in made]
        large = Spec(name="l", parameters=schema({f"p{i}": {"type": "string"} for i in range(25)}))
        assert ("25 optional properties; a request may have 24",) == bedrock.strict_faults(large)


class TestCalls:
    def test_calls_come_in_order_with_their_ids(self):
        """Text, reasoning and server tools between them are no calls."""
        whole = response(REASONING, TEXT, SERVER, SERVED, use("a", "1", x=[1]), use("b", "2"))
        found = bedrock.calls(whole)
        assert [("a", "1", {"x": [1]}), ("b", "2", {})] == [
            (c.name, c.id, c.arguments) for c in found
        ]

    @pytest.mark.parametrize(
        "reason", ["max_tokens", "model_context_window_exceeded", "malformed_tool_use"]
    )
    def test_the_last_block_may_have_been_cut(self, reason):
        """Only the reason to stop tells."""
        cut = bedrock.calls(response(use(key="1"), use(key="2"), reason=reason))
        assert [False, True] == [call.truncated for call in cut]
        assert [False] == [
            call.truncated for call in bedrock.calls(response(use(), TEXT, reason=reason))
        ]

    @pytest.mark.parametrize(
        "odd",
        [
            None,
            7,
            "text",
            [],
            {},
            {"output": None},
            {"output": {"message": {"content": "x"}}},
            response(None, 1, {}, {"toolUse": None}, {"toolUse": "x"}),
            {"contentBlockStart": None},
            {"contentBlockDelta": {"contentBlockIndex": "x"}},
            {"messageStop": None},
        ],
    )
    def test_odd_shapes_hold_no_calls(self, odd):
        """Nothing raises."""
        assert [] == bedrock.calls(odd)
        assert [] == bedrock.stream().feed(odd)

    def test_calls_themselves_pass(self):
        """A list of calls is taken as it is."""
        call = ToolCall("add", {"a": 1}, "t1")
        assert [call] == bedrock.calls([call])


class TestStream:
    CONTENT = (
        REASONING,
        REDACTED,
        TEXT,
        SERVER,
        SERVED,
        CITED,
        PICTURE,
        use("a", "1", n=1.5),
        use("b", "2"),
    )

    def test_fragments_become_calls_and_the_turn(self):
        """Blocks without a start begin by their first delta."""
        stream, completed = fed(events(self.CONTENT))
        assert ["1", "2"] == [call.id for call in completed]
        assert completed == stream.calls() == bedrock.calls(stream)
        assert {"n": 1.5} == json.loads(completed[0].arguments)
        assert "" == completed[1].arguments
        assert bedrock.assistant(response(*self.CONTENT)) == bedrock.assistant(stream)

    def test_a_call_is_complete_when_nothing_can_cut_it_any_more(self):
        """The end of its block is not enough."""
        chunks = events([use(key="1"), use(key="2")], reason="max_tokens")
        stream = bedrock.stream()
        returned = [[call.id for call in stream.feed(chunk)] for chunk in chunks]
        assert [[], [], [], ["1"], [], ["2"], []] == returned
        assert [False, True] == [call.truncated for call in stream.calls()]

    def test_a_broken_connection_leaves_a_cut_call(self):
        """What never ended is never run."""
        stream, completed = fed(events([use(key="1", a=1)])[:-3])
        assert [] == completed
        assert [True] == [call.truncated for call in stream.calls()]

    @given(data=st.data())
    @settings(max_examples=60, deadline=None)
    def test_any_cut_of_a_stream_gives_the_same(self, data):
        """However the text is divided: the calls and the turn of the whole response."""
        values = st.dictionaries(
            st.text(min_size=1, max_size=4), st.integers() | st.text(max_size=6), max_size=3
        )
        tool = values.map(
            lambda each: use() if not each else {"toolUse": use()["toolUse"] | {"input": each}}
        )
        block = st.one_of(
            st.sampled_from([TEXT, REASONING, REDACTED, SERVED, CITED, PICTURE]), tool
        )
        content = data.draw(st.lists(block, max_size=5))
        reason = data.draw(st.sampled_from(["tool_use", "max_tokens"]))
        cuts = data.draw(st.lists(st.integers(0, 200), max_size=6))
        stream, completed = fed(events(content, reason, cuts))
        found = [replace(call, arguments=json.loads(call.arguments or "{}")) for call in completed]
        assert bedrock.calls(response(*content, reason=reason)) == found
        assert stream.calls() == completed
        assert bedrock.assistant(response(*content)) == bedrock.assistant(stream)


class TestAssistant:
    def test_the_turn_goes_back_unchanged(self):
        """Reasoning keeps its signature, redacted reasoning its bytes."""
        content = list(TestStream.CONTENT)
        [turn] = bedrock.assistant(response(*content))
        assert {"role": "assistant", "content": content} == turn
        assert "" == fault("Message", turn)

    def test_broken_arguments_go_back_as_an_object(self):
        """The API takes nothing else."""
        stream, _ = fed(
            events([use()])[:2]
            + [
                {
                    "contentBlockDelta": {
                        "delta": {"toolUse": {"input": '{"a": '}},
                        "contentBlockIndex": 0,
                    }
                }
            ]
        )
        [turn] = bedrock.assistant(stream)
        assert {"INVALID_JSON": '{"a": '} == turn["content"][0]["toolUse"]["input"]

    def test_blank_texts_and_cut_reasoning_are_left_out(self):
        """The API refuses both; unsigned reasoning of other models stays."""
        unsigned = {"reasoningContent": {"reasoningText": {"text": "hm"}}}
        assert [] == bedrock.assistant(response({"text": " "}, unsigned))
        [turn] = bedrock.assistant(response(unsigned, {"text": ""}, TEXT))
        assert [unsigned, TEXT] == turn["content"]

    def test_calls_alone_become_blocks(self):
        """Without a response the turn is its calls."""
        [turn] = bedrock.assistant([ToolCall("add", b'{"a": 1}', "t1")])
        assert [use(a=1)] == turn["content"]

    @pytest.mark.parametrize("odd", [None, {}, response(), bedrock.stream()])
    def test_nothing_said_is_no_turn(self, odd):
        """No empty message is made."""
        assert [] == bedrock.assistant(odd)


class TestMessages:
    def test_all_results_go_into_one_message_in_order(self):
        """A success without text has no block, for a blank one is refused."""
        [made] = bedrock.messages(
            [
                ToolResult("1", "add", "42"),
                ToolResult("2", "now", "no clock", "tool_error"),
                ToolResult("3", "none", " "),
            ]
        )
        assert "user" == made["role"]
        assert [
            {"toolUseId": "1", "content": [{"text": "42"}], "status": "success"},
            {"toolUseId": "2", "content": [{"text": "no clock"}], "status": "error"},
            {"toolUseId": "3", "content": [], "status": "success"},
        ] == [block["toolResult"] for block in made["content"]]
        assert "" == fault("Message", made)

    def test_no_results_are_no_message(self):
        """Neither are those of calls the server ran."""
        assert [] == bedrock.messages([])
        server = ToolCall("search", id="s", kind="server")
        assert [] == bedrock.messages([ToolResult("s", "search", "x", call=server)])

    def test_an_error_is_never_blank(self):
        """The API refuses a failed result without content."""
        [made] = bedrock.messages([ToolResult("1", "f", "", "exception")])
        assert made["content"][0]["toolResult"]["content"][0]["text"].strip()

    def content(self, *media, kind="success"):
        parts = tuple(Part(str(each), media=each) for each in media)
        output = "\n\n".join(part.text for part in parts)
        [made] = bedrock.messages([ToolResult("1", "f", output, kind, parts=parts)])
        assert "" == fault("Message", made)
        return made["content"][0]["toolResult"]["content"]

    @pytest.mark.parametrize(
        ("media", "kind", "form"),
        [
            (Image(b"x"), "image", "png"),
            (Image(b"x", "image/jpg"), "image", "jpeg"),
            (File(b"x", "video/quicktime"), "video", "mov"),
            (File(b"%PDF", "application/pdf"), "document", "pdf"),
            (File(b"a,b", "text/csv"), "document", "csv"),
            (File(b"{}", "application/json"), "document", "txt"),
        ],
    )
    def test_media_the_api_takes_are_blocks(self, media, kind, form):
        """Their bytes go as bytes."""
        [block] = self.content(media)
        assert form == block[kind]["format"]
        assert {"bytes": media.data} == block[kind]["source"]

    def test_addresses_in_s3_are_fetched_there(self):
        """No other address is."""
        [block] = self.content(Image(url="s3://bucket/key.png"))
        assert {"s3Location": {"uri": "s3://bucket/key.png"}} == block["image"]["source"]

    @pytest.mark.parametrize(
        "media",
        [Audio(b"x"), Image(b"x", "image/tiff"), Image(url="https://x/y.png"), File(b"\xff")],
    )
    def test_other_media_leave_a_few_words(self, media):
        """The model reads that there was something."""
        assert [{"text": str(media)}] == self.content(media)

    def test_a_failed_result_is_text_alone(self):
        """Claude refuses anything else."""
        assert [{"text": str(Image(b"x"))}] == self.content(Image(b"x"), kind="tool_error")

    @pytest.mark.parametrize(
        "name", [None, "", "report.pdf", "a  _b/c.tar.gz", "größe.pdf", ".pdf", "x" * 300]
    )
    def test_names_of_documents_are_legal_and_never_the_same(self, name):
        """A conversation must not hold two documents of one name."""
        pdf = File(b"%PDF", "application/pdf", name=name)
        names = [block["document"]["name"] for block in self.content(pdf, pdf)]
        assert 2 == len(set(names))
        for each in names:
            assert 200 >= len(each)
            assert each.isascii()
            assert not set(each) - set(
                "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-()[] "
            )
            assert "  " not in each
        assert names[0].startswith("report ") or name != "report.pdf"
