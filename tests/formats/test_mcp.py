"""The Model Context Protocol: tools, requests, responses."""

import datetime as dt
import enum
from dataclasses import replace
from typing import Any, Literal, Optional, Union

import jsonschema
import mcp_types as sdk
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, TypeAdapter

from toolreg._serialize import cut, join, to_text
from toolreg._types import Audio, File, Image, Part, Spec, ToolResult
from toolreg.formats import mcp

OBJECT = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}


def request(name="add", id=7, **arguments):  # noqa: A002 - the words of the protocol
    params = {"name": name, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}


def kept(kind, value):
    """Return what the SDK's type keeps of a value: all of it, if there is no unknown key."""
    return kind.model_validate(value).model_dump(mode="json", by_alias=True, exclude_unset=True)


class Point(BaseModel):
    x: int
    next: Optional["Point"] = None


class Name(BaseModel):
    name: str


class Colour(enum.Enum):
    RED = "red"
    BLUE = 2


def output(kind):
    return TypeAdapter(kind).json_schema(mode="serialization")


class TestSpec:
    def test_a_bare_tool_has_a_name_and_a_schema(self):
        """Nothing is exported that was not said."""
        made = mcp.spec(Spec(name="now", parameters=OBJECT))
        assert {"name": "now", "inputSchema": OBJECT} == made

    def test_everything_exported_is_a_key_of_the_protocol(self):
        """Hints have its spelling, and only those that were given are there."""
        spec = Spec(
            name="find",
            description="Find.",
            parameters=OBJECT,
            title="Find things",
            output={"type": "string"},
            hints={"read_only": True, "open_world": False},
            provider_options={"mcp": {"_meta": {"x": 1}, "annotations": {"idempotentHint": True}}},
            strict=True,
        )
        [made] = mcp.tools([spec], strict=True)
        assert kept(sdk.Tool, made) == made
        hints = {"readOnlyHint": True, "openWorldHint": False, "idempotentHint": True}
        assert hints == made["annotations"]
        assert "Find things" == made["title"]
        assert {"x": 1} == made["_meta"]

    def test_every_hint_has_a_field_in_the_sdk(self):
        """A typo would pass in silence."""
        hints = dict.fromkeys(("read_only", "destructive", "idempotent", "open_world"), True)
        made = mcp.spec(Spec(name="f", parameters=OBJECT, hints=hints))
        assert (
            sdk.ToolAnnotations(**hints_of_the_sdk(made)).model_dump(
                by_alias=True, exclude_unset=True
            )
            == made["annotations"]
        )

    def test_names_stay(self):
        """Every name that a tool may have fits; parameters have no rule."""
        assert "-1st" == mcp.safe_name("-1st")
        assert "größe" == mcp.safe_parameter("größe")

    def test_there_is_no_strict_mode(self):
        """The reason says so."""
        assert ("the Model Context Protocol has no strict mode",) == mcp.strict_faults(
            Spec(name="f")
        )

    @pytest.mark.parametrize(
        ("kind", "schema"),
        [
            (
                int,
                {
                    "type": "object",
                    "properties": {"result": {"type": "integer"}},
                    "required": ["result"],
                },
            ),
            (dict[str, int], {"type": "object", "additionalProperties": {"type": "integer"}}),
            (Any, None),
            (Union[int, Any], None),
            (
                Union[int, list[int]],
                {
                    "type": "object",
                    "properties": {
                        "result": {
                            "anyOf": [
                                {"type": "integer"},
                                {"type": "array", "items": {"type": "integer"}},
                            ]
                        }
                    },
                    "required": ["result"],
                },
            ),
        ],
    )
    def test_the_output_schema_is_an_object(self, kind, schema):
        """Older revisions take nothing else; a schema that says nothing is left out."""
        assert schema == mcp.spec(Spec(name="f", output=output(kind))).get("outputSchema")

    def test_a_schema_that_may_be_anything_is_left_out(self):
        """An enum of objects is one of those."""
        assert "outputSchema" not in mcp.spec(Spec(name="f", output={"enum": [{"a": 1}]}))
        assert "outputSchema" not in mcp.spec(Spec(name="f", output={"type": ["object", "null"]}))


def hints_of_the_sdk(tool):
    names = {field.alias: name for name, field in sdk.ToolAnnotations.model_fields.items()}
    return {names[key]: value for key, value in tool["annotations"].items()}


class TestCalls:
    @pytest.mark.parametrize("key", [7, 0, "a"])
    def test_the_id_of_the_request_is_that_of_the_call(self, key):
        """With its type."""
        [call] = mcp.calls(request(id=key, a=1))
        assert ("add", key, {"a": 1}) == (call.name, call.id, call.arguments)
        assert type(key) is type(call.id)

    def test_arguments_may_be_absent(self):
        """And the parameters alone are a call as well."""
        [call] = mcp.calls({"id": 1, "method": "tools/call", "params": {"name": "now"}})
        assert call.arguments is None
        [call] = mcp.calls({"name": "now", "_meta": {"progressToken": 3}})
        assert call.id is None
        assert {"_meta": {"progressToken": 3}} == call.extra

    def test_several_requests_are_several_calls(self):
        """A batch keeps its order."""
        assert [1, 2] == [call.id for call in mcp.calls([request(id=1), request(id=2)])]

    @pytest.mark.parametrize(
        "given",
        [
            sdk.JSONRPCRequest.model_validate(request(a=None)),
            sdk.CallToolRequest.model_validate(request(a=None)),
            sdk.CallToolRequestParams(name="add", arguments={"a": None}),
        ],
    )
    def test_objects_of_the_sdk_are_as_good(self, given):
        """A null argument stays."""
        [call] = mcp.calls(given)
        assert ("add", {"a": None}) == (call.name, call.arguments)
        assert call.id in {7, None}

    @pytest.mark.parametrize(
        "odd",
        [
            None,
            7,
            "text",
            [],
            {},
            [None, 1],
            request() | {"method": "prompts/get"},
            sdk.GetPromptRequest(params=sdk.GetPromptRequestParams(name="add")),
            {"method": "tools/call", "params": "x"},
            {"method": "tools/call"},
        ],
    )
    def test_other_requests_hold_no_calls(self, odd):
        """Nothing raises."""
        assert [] == mcp.calls(odd)
        assert [] == mcp.stream().feed(odd)

    def test_requests_one_after_another_are_a_stream(self):
        """Each is complete at once."""
        stream = mcp.stream()
        assert [1] == [call.id for call in stream.feed(request(id=1))]
        assert [2] == [call.id for call in stream.feed(request(id=2))]
        assert [1, 2] == [call.id for call in mcp.calls(stream)]
        assert {"requests": [request(id=1), request(id=2)]} == stream.response()

    def test_there_is_no_turn_to_go_back(self):
        """The client keeps the conversation."""
        assert [] == mcp.assistant(request())


def answer(result):
    """Return the result in the one response, checked against the SDK's types."""
    [made] = mcp.messages([result])
    assert kept(sdk.JSONRPCResponse, made) == made
    assert kept(sdk.CallToolResult, made["result"]) == made["result"]
    return made["result"]


class TestMessages:
    def test_each_result_is_a_response(self):
        """In order, with the id of its request."""
        made = mcp.messages([ToolResult(7, "add", "42"), ToolResult("b", "now", "", "exception")])
        assert [7, "b"] == [response["id"] for response in made]
        assert {
            "content": [{"type": "text", "text": "42"}],
            "isError": False,
            "resultType": "complete",
            "structuredContent": {"result": 42},
        } == made[0]["result"]
        failed = made[1]["result"]
        assert failed["isError"] is True
        assert failed["content"][0]["text"].strip()
        assert "structuredContent" not in failed
        assert [] == mcp.messages([])

    def test_an_unknown_tool_is_an_error_of_the_protocol(self):
        """The model's client asked for what is not there."""
        [made] = mcp.messages([ToolResult(7, "x", "no tool 'x'", "unknown_tool")])
        assert {"code": -32602, "message": "no tool 'x'"} == made["error"]
        assert kept(sdk.JSONRPCError, made) == made

    @pytest.mark.parametrize(
        ("value", "structured"),
        [
            ({"a": 1}, {"a": 1}),
            (Point(x=1), {"x": 1, "next": None}),
            ([1, 2], {"result": [1, 2]}),
            (None, {"result": None}),
            ("12", {"result": "12"}),
            ('{"a": 1}', {"result": '{"a": 1}'}),
            (b"12", {"result": "12"}),
            ("", {"result": ""}),
        ],
    )
    def test_only_objects_are_structured_as_they_are(self, value, structured):
        """Everything else is under one key, text as text."""
        assert (
            structured
            == answer(ToolResult(1, "f", to_text(value), value=value))["structuredContent"]
        )

    def test_an_output_that_was_cut_does_not_cut_the_structure(self):
        """A client checks it against the output schema."""
        value = {"a": list(range(50))}
        output = cut(to_text(value), 60)
        made = answer(ToolResult(1, "f", output, value=value))
        assert value == made["structuredContent"]
        assert output == made["content"][0]["text"]

    def test_an_output_that_was_rewritten_stands_for_the_value(self):
        """What a middleware hides stays hidden."""
        made = answer(ToolResult(1, "f", "***", value={"secret": 1}))
        assert {"result": "***"} == made["structuredContent"]

    def test_an_output_without_value_is_its_own(self):
        """Also where a serializer wrote what JSON cannot hold."""
        assert {"result": "hello"} == answer(ToolResult(1, "f", "hello"))["structuredContent"]
        made = answer(ToolResult(1, "f", "an object", value=object()))
        assert {"result": "an object"} == made["structuredContent"]

    def content(self, *media, kind="success", value=None):
        parts = tuple(Part(str(each), media=each) for each in media)
        return answer(ToolResult(1, "f", join(parts), kind, parts=parts, value=value))

    @pytest.mark.parametrize(
        ("media", "block"),
        [
            (Image(b"x"), {"type": "image", "data": "eA==", "mimeType": "image/png"}),
            (Audio(b"x"), {"type": "audio", "data": "eA==", "mimeType": "audio/wav"}),
            (File(b"x", "image/gif"), {"type": "image", "data": "eA==", "mimeType": "image/gif"}),
            (
                File(b"a,b", "text/csv", name="a b.csv"),
                {
                    "type": "resource",
                    "resource": {"uri": "file:///a%20b.csv", "mimeType": "text/csv", "text": "a,b"},
                },
            ),
            (
                File(b"%PDF", "application/pdf"),
                {
                    "type": "resource",
                    "resource": {
                        "uri": "file:///file",
                        "mimeType": "application/pdf",
                        "blob": "JVBERg==",
                    },
                },
            ),
            (
                Image(url="https://x/y.png"),
                {
                    "type": "resource_link",
                    "uri": "https://x/y.png",
                    "name": "https://x/y.png",
                    "mimeType": "image/png",
                },
            ),
            (Image(), {"type": "text", "text": "[image: image/png, 0 bytes]"}),
        ],
    )
    @pytest.mark.parametrize("kind", ["success", "tool_error"])
    def test_media_are_blocks(self, media, block, kind):
        """Also in failed results; there is no structure beside them."""
        made = self.content(media, kind=kind)
        assert [block] == made["content"]
        assert "structuredContent" not in made

    def test_a_list_that_holds_media_is_structured_by_its_texts(self):
        """A list was promised by the output schema."""
        parts = (Part('{"a":1}'), Part("[image]", media=Image(b"x")))
        made = answer(ToolResult(1, "f", join(parts), parts=parts, value=[{"a": 1}, Image(b"x")]))
        assert {"result": [{"a": 1}, "[image]"]} == made["structuredContent"]

    def test_a_rewritten_output_replaces_the_texts_of_the_parts(self):
        """What a middleware took out does not come back through the parts."""
        parts = (Part("secret"), Part("[image]", media=Image(b"x")))
        result = replace(ToolResult(1, "f", join(parts), parts=parts, value=[]), output="***")
        made = answer(result)
        assert ["text", "image"] == [block["type"] for block in made["content"]]
        assert "secret" not in str(made)


KINDS = {
    int: st.integers(),
    str: st.text() | st.sampled_from(["12", "null", '{"x": 1}']),
    bytes: st.binary(max_size=4),
    type(None): st.none(),
    list[float]: st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=3),
    dict[str, int]: st.dictionaries(st.text(max_size=3), st.integers(), max_size=3),
    Point: st.builds(Point, x=st.integers(), next=st.none() | st.builds(Point, x=st.integers())),
    Optional[Point]: st.none() | st.builds(Point, x=st.integers()),
    Union[Point, Name, int]: st.builds(Name, name=st.text(max_size=3)) | st.integers(),
    Union[Point, Name]: st.builds(Name, name=st.text(max_size=3)),
    Literal["a", 1]: st.sampled_from(["a", 1]),
    Colour: st.sampled_from(Colour),
    dt.date: st.dates(),
}


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
@settings(max_examples=20, deadline=None)
def test_what_succeeded_fits_the_output_schema(kind, data):
    """A client refuses a result whose structure does not."""
    value = data.draw(KINDS[kind])
    spec = mcp.spec(Spec(name="f", output=output(kind)))
    made = answer(ToolResult(1, "f", to_text(value), value=value))
    jsonschema.validate(made["structuredContent"], spec["outputSchema"])
