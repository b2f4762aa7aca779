"""Google Gemini: declarations, calls, streams, the model's content, results."""

import json
import re

import pytest
from google.genai import types as sdk
from hypothesis import given, settings
from hypothesis import strategies as st

from toolreg._types import Audio, File, Image, Part, Spec, ToolCall, ToolResult
from toolreg.formats import gemini

OBJECT = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}


def schema(properties, required=()):
    return OBJECT | {"properties": properties, "required": list(required)}


def response(*parts, reason="STOP"):
    content = {"role": "model", "parts": list(parts)}
    return {"candidates": [{"content": content, "finishReason": reason, "index": 0}]}


def call(name="add", id=None, **args):  # noqa: A002 - the words of the API
    made = {"name": name, "args": args} | ({} if id is None else {"id": id})
    return {"functionCall": made}


TEXT = {"text": "Let me look."}
THOUGHT = {"text": "I should add.", "thought": True}
SIGNED = call(id="1", a=1, b=None) | {"thoughtSignature": "AQIDBA=="}
CODE = {"executableCode": {"language": "PYTHON", "code": "1"}}


def fed(chunks):
    """Return a stream that took the chunks, and all that feeding it returned."""
    stream = gemini.stream()
    return stream, [each for chunk in chunks for each in stream.feed(chunk)]


class TestSpec:
    def test_all_declarations_are_in_one_tool(self):
        """None at all are no tool."""
        specs = [
            Spec(name="a", description="A.", parameters=OBJECT),
            Spec(name="b", parameters=OBJECT),
        ]
        [tool] = gemini.tools(specs)
        assert ["a", "b"] == [each["name"] for each in tool["functionDeclarations"]]
        assert "description" not in tool["functionDeclarations"][1]
        assert [] == gemini.tools([])

    def test_everything_exported_is_a_key_of_the_sdk(self):
        """The SDK refuses keys it does not know."""
        spec = Spec(
            name="find",
            description="Find.",
            parameters=schema({"q": {"type": "string", "default": "x"}}),
            title="Find",
            output={
                "anyOf": [{"$ref": "#/$defs/P"}, {"type": "null"}],
                "$defs": {"P": schema({"x": {"type": "integer"}})},
            },
            hints={"read_only": True},
            examples=[{"q": "x"}],
            provider_options={"gemini": {"behavior": "BLOCKING"}},
            strict=True,
        )
        [tool] = gemini.tools([spec])
        made = sdk.Tool.model_validate(tool).function_declarations[0]
        assert "BLOCKING" == made.behavior
        assert "$ref" not in json.dumps(tool)
        assert {"x"} == made.response_json_schema["properties"].keys()
        assert made.response_json_schema["nullable"] is True

    def test_an_output_that_says_nothing_is_left_out(self):
        """Any JSON needs no schema."""
        assert "responseJsonSchema" not in gemini.spec(Spec(name="f", parameters=OBJECT, output={}))

    def test_names_the_api_refuses_have_a_safe_spelling(self):
        """A name starts with a letter or an underscore; a parameter has no dash."""
        made = gemini.spec(Spec(name="1st", parameters=schema({"a-b": {}, "größe": {}}, ["a-b"])))
        assert "_1st" == made["name"]
        assert ["a_b"] == made["parametersJsonSchema"]["required"]
        for name in made["parametersJsonSchema"]["properties"]:
            assert re.fullmatch("[a-zA-Z_][a-zA-Z0-9_]{0,63}", name)
        assert {"a_b", gemini.safe_parameter("größe")} == made["parametersJsonSchema"][
            "properties"
        ].keys()

    def test_there_is_no_strict_flag(self):
        """The reason names the mode that does the same."""
        spec = Spec(name="f", parameters=OBJECT)
        assert gemini.spec(spec) == gemini.spec(spec, True)
        [reason] = gemini.strict_faults(spec)
        assert "VALIDATED" in reason


class TestCalls:
    def test_calls_come_in_order(self):
        """Thoughts, code and text between them are no calls; absent arguments are none."""
        found = gemini.calls(response(THOUGHT, SIGNED, CODE, {"functionCall": {"name": "now"}}))
        assert [("add", "1", {"a": 1, "b": None}), ("now", None, None)] == [
            (each.name, each.id, each.arguments) for each in found
        ]
        assert [{"thoughtSignature": "AQIDBA=="}, None] == [each.extra for each in found]

    @pytest.mark.parametrize("dump", [None, "model_dump", "to_json_dict"])
    def test_an_object_of_the_sdk_is_as_good(self, dump):
        """So are its dumps, whose keys have underscores."""
        plain = response(TEXT, SIGNED)
        made = sdk.GenerateContentResponse.model_validate(plain)
        given = getattr(made, dump)() if dump else made
        assert gemini.calls(plain) == gemini.calls(given)
        assert gemini.assistant(plain) == gemini.assistant(given)

    def test_only_the_first_candidate_is_read(self):
        """The others are alternatives, not further turns."""
        first, second = response(call("a")), response(call("b"))
        both = {"candidates": first["candidates"] + second["candidates"]}
        assert ["a"] == [each.name for each in gemini.calls(both)]

    def test_the_last_part_may_have_been_cut(self):
        """Only the reason to stop tells."""
        cut = gemini.calls(response(call("a"), call("b"), reason="MAX_TOKENS"))
        assert [False, True] == [each.truncated for each in cut]
        whole = gemini.calls(response(call("a"), TEXT, reason="MAX_TOKENS"))
        assert [False] == [each.truncated for each in whole]

    @pytest.mark.parametrize(
        "odd",
        [
            None,
            7,
            "text",
            [],
            {},
            {"candidates": None},
            {"candidates": [None]},
            {"candidates": [{"finishReason": "SAFETY", "index": 0}]},
            {"candidates": [{"content": {"parts": "x"}}]},
            {"promptFeedback": {"blockReason": "SAFETY"}},
            response(None, 1, {}, {"functionCall": None}, {"functionCall": "x"}),
        ],
    )
    def test_odd_shapes_hold_no_calls(self, odd):
        """Nothing raises."""
        assert [] == gemini.calls(odd)
        assert [] == gemini.stream().feed(odd)

    def test_calls_themselves_pass(self):
        """A list of calls is taken as it is."""
        made = ToolCall("add", {"a": 1})
        assert [made] == gemini.calls([made])


def partial(path, *, more=True, **value):
    piece = {"jsonPath": path, **value}
    return {"functionCall": {"partialArgs": [piece], "willContinue": more}}


BEGUN = {
    "functionCall": {"name": "find", "id": "1", "willContinue": True},
    "thoughtSignature": "AQ==",
}
ENDED = {"functionCall": {}}


def values(*pieces):
    """Return what a call's streamed arguments are in the end, and whether they are whole."""
    stream, _ = fed(response(part) for part in [BEGUN, *pieces, ENDED])
    [made] = stream.calls()
    return made.arguments, not made.truncated


class TestStream:
    def test_whole_calls_are_returned_at_once(self):
        """Every chunk holds whole parts."""
        chunks = [response(THOUGHT), response(SIGNED, call("b")), response({"text": ""})]
        stream = gemini.stream()
        assert [0, 2, 0] == [len(stream.feed(chunk)) for chunk in chunks]
        assert gemini.calls(response(SIGNED, call("b"))) == stream.calls() == gemini.calls(stream)
        [turn] = gemini.assistant(stream)
        assert {"role": "model", "parts": [THOUGHT, SIGNED, call("b")]} == turn

    def test_another_candidate_is_no_part_of_it(self):
        """Chunks of several candidates may be mixed."""
        other = response(call("b"))
        other["candidates"][0]["index"] = 1
        stream, completed = fed([response(call("a")), other])
        assert ["a"] == [each.name for each in completed]
        assert completed == stream.calls()

    def test_the_reason_may_come_late(self):
        """What was the last part then counts as cut."""
        stream, _ = fed(
            [response(call("a"), reason=None), {"candidates": [{"finishReason": "MAX_TOKENS"}]}]
        )
        assert [True] == [each.truncated for each in stream.calls()]

    def test_streamed_arguments_are_put_together(self):
        """The call is complete with its last piece, and goes back as a whole one."""
        pieces = [
            partial("$.city", stringValue="Pa", willContinue=True),
            partial("$.city", stringValue="ris"),
            partial("$.days[0].n", numberValue=2),
            partial("$.days[0]['a b']", boolValue=False),
            partial('$.days[1]["it\\"s"]', nullValue="NULL_VALUE"),
            partial("$.days[2]"),
            partial("$.city"),
        ]
        expected = {"city": "Paris", "days": [{"n": 2, "a b": False}, {'it"s': None}, None]}
        assert (expected, True) == values(*pieces)
        stream = gemini.stream()
        returned = [len(stream.feed(response(part))) for part in [BEGUN, *pieces, ENDED]]
        assert [0] * 8 + [1] == returned
        [turn] = gemini.assistant(stream)
        whole = {
            "functionCall": {"name": "find", "id": "1", "args": expected},
            "thoughtSignature": "AQ==",
        }
        assert [whole] == turn["parts"]
        assert [{"thoughtSignature": "AQ=="}] == [each.extra for each in stream.calls()]

    def test_the_last_piece_may_end_the_call(self):
        """Both in one chunk are one call."""
        piece = partial("$.a", more=False, numberValue=1)
        _, completed = fed([response(BEGUN, piece, ENDED)])
        assert [{"a": 1}] == [each.arguments for each in completed]

    def test_an_unfinished_call_is_cut(self):
        """It is never returned by feeding; another call may follow it."""
        stream, completed = fed([response(BEGUN, partial("$.a", numberValue=1), call("b"))])
        assert ["b"] == [each.name for each in completed]
        assert [("find", True), ("b", False)] == [
            (each.name, each.truncated) for each in stream.calls()
        ]

    @pytest.mark.parametrize(
        "path",
        [
            "",
            "$",
            "a",
            "$.a.b",
            "$.a[0]",
            "$..",
            "$.l[5]",
            "$.l.x",
            "$.l[1",
            pytest.param(f"$.l[{'1' * 5000}]", id="huge"),
            "$.l[0]",
        ],
    )
    def test_a_piece_that_fits_nowhere_breaks_the_call(self, path):
        """Half a call is never run."""
        before = [partial("$.a", numberValue=1), partial("$.l[0]", stringValue="x")]
        _, is_whole = values(*before, partial(path, numberValue=2))
        assert (path == "$.l[0]") is is_whole

    @given(data=st.data())
    @settings(max_examples=60, deadline=None)
    def test_any_grouping_of_parts_gives_the_same(self, data):
        """Streamed arguments too, however they are divided."""
        scalars = st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=6)
        names = st.text("ab c.['\"\\]ö", min_size=1, max_size=4)
        tree = st.recursive(
            scalars,
            lambda inner: (
                st.lists(inner, min_size=1, max_size=3)
                | st.dictionaries(names, inner, min_size=1, max_size=3)
            ),
            max_leaves=6,
        )
        expected = data.draw(st.dictionaries(names, tree, min_size=1, max_size=3))
        parts = [TEXT, BEGUN, *streamed("$", expected), ENDED, call("b")]
        cuts = data.draw(st.sets(st.integers(1, len(parts) - 1)))
        edges = [0, *sorted(cuts), len(parts)]
        groups = [parts[a:b] for a, b in zip(edges, edges[1:])]
        stream, completed = fed(response(*group, reason=None) for group in groups)
        assert [("find", expected), ("b", {})] == [
            (each.name, each.arguments) for each in completed
        ]
        assert completed == stream.calls()
        whole = {
            "functionCall": {"name": "find", "id": "1", "args": expected},
            "thoughtSignature": "AQ==",
        }
        assert [{"role": "model", "parts": [TEXT, whole, call("b")]}] == gemini.assistant(stream)


def streamed(path, value):
    """Return a value as the parts that stream it."""
    if isinstance(value, dict):
        escaped = {
            key.replace("\\", "\\\\").replace("'", "\\'"): each for key, each in value.items()
        }
        return [
            part for key, each in escaped.items() for part in streamed(f"{path}['{key}']", each)
        ]
    if isinstance(value, list):
        return [part for i, each in enumerate(value) for part in streamed(f"{path}[{i}]", each)]
    if isinstance(value, str):
        pieces = [value[:2], value[2:]]
        return [partial(path, stringValue=piece, willContinue=True) for piece in pieces]
    if value is None:
        return [partial(path, nullValue="NULL_VALUE")]
    return [partial(path, **{"boolValue" if isinstance(value, bool) else "numberValue": value})]


class TestAssistant:
    def test_the_content_goes_back_unchanged(self):
        """Signatures stay where they were, also on a part without text."""
        parts = [THOUGHT, SIGNED, CODE, {"text": "", "thoughtSignature": "AQ=="}]
        [turn] = gemini.assistant(response(*parts))
        assert {"role": "model", "parts": parts} == turn
        assert b"\1\2\3\4" == sdk.Content.model_validate(turn).parts[1].thought_signature

    def test_empty_parts_are_left_out(self):
        """A content without parts is no turn."""
        assert [] == gemini.assistant(response({"text": ""}, {}, {"text": "", "thought": True}))

    def test_the_role_is_added_where_it_is_missing(self):
        """A content needs it in a conversation."""
        made = {"candidates": [{"content": {"parts": [TEXT]}}]}
        assert [{"role": "model", "parts": [TEXT]}] == gemini.assistant(made)

    def test_broken_arguments_go_back_as_an_object(self):
        """The API takes nothing else."""
        part = {"functionCall": {"name": "f", "args": "{broken"}}
        [turn] = gemini.assistant(response(part))
        assert {"INVALID_JSON": "{broken"} == turn["parts"][0]["functionCall"]["args"]

    def test_calls_alone_become_parts(self):
        """An id that was made here is unknown to the provider."""
        given = ToolCall("a", "{}", "1", extra={"thoughtSignature": "AQ=="})
        made = ToolCall("b", {"x": 1}, "call_1", made_id=True)
        [turn] = gemini.assistant([given, made])
        assert [call("a", "1") | {"thoughtSignature": "AQ=="}, call("b", x=1)] == turn["parts"]

    @pytest.mark.parametrize("odd", [None, {}, response(), gemini.stream(), {"candidates": [{}]}])
    def test_nothing_said_is_no_turn(self, odd):
        """No empty content is made."""
        assert [] == gemini.assistant(odd)


class TestMessages:
    def test_all_results_go_into_one_content_in_order(self):
        """Output and error have a key each."""
        [made] = gemini.messages(
            [ToolResult("1", "add", "42"), ToolResult(None, "now", "no clock", "tool_error")]
        )
        assert {
            "role": "user",
            "parts": [
                {"functionResponse": {"name": "add", "id": "1", "response": {"output": "42"}}},
                {"functionResponse": {"name": "now", "response": {"error": "no clock"}}},
            ],
        } == made
        sdk.Content.model_validate(made)

    def test_no_results_are_no_message(self):
        """Neither are those of calls the server ran."""
        assert [] == gemini.messages([])
        server = ToolCall("search", kind="server")
        assert [] == gemini.messages([ToolResult("s", "search", "x", call=server)])

    def test_a_made_id_stays_here(self):
        """The provider gave none."""
        result = ToolResult("c1", "f", "x", call=ToolCall("f", id="c1", made_id=True))
        assert "id" not in gemini.messages([result])[0]["parts"][0]["functionResponse"]

    def test_the_name_is_the_one_that_was_called(self):
        """As the model wrote it; without a call, as it was exported."""
        called = ToolResult("1", "1st", "x", call=ToolCall("_1st", id="1"))
        [made] = gemini.messages([called, ToolResult("2", "1st", "x")])
        assert ["_1st", "_1st"] == [part["functionResponse"]["name"] for part in made["parts"]]

    def test_an_error_is_never_blank(self):
        """A success may be."""
        [made] = gemini.messages([ToolResult("1", "f", "", "exception"), ToolResult("2", "f", "")])
        first, second = (part["functionResponse"]["response"] for part in made["parts"])
        assert first["error"].strip()
        assert {"output": ""} == second

    def test_a_reference_in_the_output_is_text(self):
        """As an object it would be taken for a reference to media."""
        text = '{"$ref":"#/x"}'
        [made] = gemini.messages([ToolResult("1", "f", text, value={"$ref": "#/x"})])
        assert {"output": text} == made["parts"][0]["functionResponse"]["response"]

    @pytest.mark.parametrize(
        ("media", "part"),
        [
            (Image(b"x"), {"inlineData": {"mimeType": "image/png", "data": "eA=="}}),
            (
                File(b"%PDF", "application/pdf"),
                {"inlineData": {"mimeType": "application/pdf", "data": "JVBERg=="}},
            ),
            (File(b"a,b", "text/csv"), {"inlineData": {"mimeType": "text/plain", "data": "YSxi"}}),
            (Image(url="gs://b/k"), {"fileData": {"mimeType": "image/png", "fileUri": "gs://b/k"}}),
            (Audio(b"x"), None),
            (Image(url="file:///x.png"), None),
            (Image(b"x", "image/tiff"), None),
        ],
    )
    def test_media_go_beside_the_response(self, media, part):
        """A few words stand in the text in any case."""
        result = ToolResult("1", "f", str(media), parts=(Part(str(media), media=media),))
        [made] = gemini.messages([result])
        answer = made["parts"][0]["functionResponse"]
        assert {"output": str(media)} == answer["response"]
        assert ([part] if part else None) == answer.get("parts")
        sdk.Content.model_validate(made)
