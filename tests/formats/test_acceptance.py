"""Every tool for every provider: exports, calls and results, by the providers' own types."""

import base64
import json
import re
import time
from typing import get_args

import mcp_types
import pytest
from anthropic.types import MessageParam, ToolParam
from cohere import ToolChatMessageV2, ToolV2
from google.genai import types as gemini_types
from groq.types.chat import ChatCompletionToolMessageParam as GroqMessage
from groq.types.chat import ChatCompletionToolParam as GroqTool
from mistralai.client.models import ToolMessageTypedDict, ToolTypedDict
from ollama import Message as OllamaMessage
from ollama import Tool as OllamaTool
from openai.types.chat import ChatCompletionToolMessageParam, ChatCompletionToolUnionParam
from openai.types.responses import FunctionToolParam
from openai.types.responses.response_input_item_param import FunctionCallOutput

from tests.formats.acceptance import DRAFT_7, EVERYWHERE, ROOT_UNION, SILENT, registered
from tests.formats.test_bedrock import fault
from tests.loops.exchange import RESPONSES, signature
from tests.strict_rules import root_violations, violations, walk
from toolreg import Audio, File, Image, MultiResult, Registry, Tool, ToolCall, ToolError
from toolreg._types import Kind, Spec
from toolreg.formats import FORMATS, openai, shows_output

REGISTRY, DUE = registered()
DIALECTS = {name: "openai" for name in EVERYWHERE} | {
    "anthropic": "anthropic",
    "bedrock": "bedrock",
}
#: Formats whose schemas need types everywhere; Gemini and Ollama have rules of their own.
TYPED = [name for name in FORMATS if name not in {"gemini", "ollama", "mcp"}]


def kept(kind, value):
    """Return what the SDK's model keeps of a value."""
    made = kind.model_validate(value)
    return made.model_dump(mode="json", by_alias=True, exclude_unset=True)


def shown(name, made):
    """Return the schema in an export."""
    return signature(name, made)[1]


def is_strict(name, made):
    """Whether an export carries the provider's flag."""
    inner = made.get("function") or made.get("toolSpec") or made
    return inner.get("strict", False)


def check_spec(name, made, fits):
    """Assert that an export is of the SDK's own type, without a key more."""
    kinds = {
        "openai": ChatCompletionToolUnionParam,
        "openai-responses": FunctionToolParam,
        "anthropic": ToolParam,
        "mistral": ToolTypedDict,
        "cohere": ToolV2,
        "groq": GroqTool,
    }
    match name:
        case "gemini":
            gemini_types.FunctionDeclaration.model_validate(made)
        case "bedrock":
            assert "" == fault("Tool", made)
        case "mcp":
            assert made == kept(mcp_types.Tool, made)
        case "ollama":
            sent = kept(OllamaTool, made)
            assert ({"type", "function"}, sent["function"]["name"]) == (
                made.keys(),
                made["function"]["name"],
            )
            assert made["function"].keys() <= {"name", "description", "parameters"}
        case _:
            fits(made, kinds[name])


def check_message(name, made, fits):
    """Assert that a message is of the SDK's own type, without a key more."""
    kinds = {
        "openai": ChatCompletionToolMessageParam,
        "openai-responses": FunctionCallOutput,
        "anthropic": MessageParam,
        "mistral": ToolMessageTypedDict,
        "cohere": ToolChatMessageV2,
        "groq": GroqMessage,
    }
    match name:
        case "gemini":
            gemini_types.Content.model_validate(made)
        case "bedrock":
            assert "" == fault("Message", made)
        case "mcp":
            kind = mcp_types.JSONRPCError if "error" in made else mcp_types.JSONRPCResponse
            assert made == kept(kind, made)
            if "result" in made:
                assert made["result"] == kept(mcp_types.CallToolResult, made["result"])
        case "ollama":
            images = [{"value": base64.b64decode(each)} for each in made.get("images", [])]
            OllamaMessage.model_validate({**made, "images": images})
            assert made.keys() <= {"role", "tool_name", "content", "images"}
        case _:
            fits(made, kinds[name])


def exports(tool):
    """Give each format, and what it makes of a tool, usual and strict."""
    for name in FORMATS:
        for wanted in (False, True):
            yield name, REGISTRY[tool].spec(name, strict=wanted)


@pytest.mark.parametrize("tool", DUE)
class TestExports:
    def test_an_export_is_of_the_sdks_own_type(self, tool, fits):
        """Nothing in it is unknown to the provider, and nothing that it needs is missing."""
        for name, made in exports(tool):
            check_spec(name, made, fits)

    def test_its_schema_is_one_that_the_provider_takes(self, tool):
        """It is 2020-12 with a plain object at its root; a strict one keeps the strict rules."""
        for name, made in exports(tool):
            schema = shown(name, made)
            assert [] == root_violations(schema)
            if name in {"gemini", "ollama"}:
                assert [] == violations(schema, name)
            if is_strict(name, made):
                assert [] == violations(schema, DIALECTS[name])

    def test_strict_is_flagged_where_it_is_due(self, tool):
        """Exactly where nothing is lost by it, and only where it is wanted."""
        flagged = {name for name in FORMATS if is_strict(name, REGISTRY[tool].spec(name, True))}
        assert DUE[tool] == flagged
        assert DUE[tool] == {name for name in FORMATS if not REGISTRY[tool].strict_faults(name)}
        assert not any(is_strict(name, REGISTRY[tool].spec(name)) for name in FORMATS)

    def test_every_property_has_a_type_and_every_array_items(self, tool):
        """Servers refuse a whole request for one array without items."""
        for name, made in exports(tool):
            for _, node in walk(shown(name, made)) if name in TYPED else ():
                for each in node.get("properties", {}).values():
                    assert {"$ref", "anyOf", "type"} & each.keys()
                if "array" in node.get("type", ()):
                    assert isinstance(node["items"], dict)
                    assert node["items"]


@pytest.mark.parametrize("name", FORMATS)
def test_names_that_a_provider_refuses_are_spelled_and_understood(name):
    """What a model sends under the names it was shown is what the tool takes."""
    sent = {"odd": [1, "a"], "long_parameter": [1], "9lives": [1], "-dash": [1], "n" * 64: [1]}
    for tool, values in sent.items():
        spelled, schema = signature(name, REGISTRY[tool].spec(name))
        assert FORMATS[name].safe_name(tool) == spelled
        arguments = dict(zip(schema["properties"], values))
        [call] = FORMATS[name].calls(RESPONSES[name](spelled, arguments))
        assert "success" == REGISTRY.execute(call).kind


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(
    ("tool", "sent"), [("root_union", {"q": "x"}), ("silent", {"a": 1, "b": 2})]
)
def test_a_schema_that_refuses_further_names_says_so(name, tool, sent):
    """A root that is silent is closed for providers, as it is enforced; neutral it stays silent."""
    spelled, schema = signature(name, REGISTRY[tool].spec(name))
    assert schema["additionalProperties"] is False
    assert "additionalProperties" not in REGISTRY[tool].spec()["parameters"]
    for further, kind in (({}, "success"), ({"z": 1}, "invalid_arguments")):
        [call] = FORMATS[name].calls(RESPONSES[name](spelled, sent | further))
        assert kind == REGISTRY.execute(call).kind


def test_a_schema_that_is_given_stays_as_it_is_without_a_format():
    """The neutral form holds it to the letter."""
    for name, schema in {"root_union": ROOT_UNION, "silent": SILENT, "draft_7": DRAFT_7}.items():
        assert schema == REGISTRY[name].spec()["parameters"]


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("tool", ["lenient", "told", "open", "kwargs"])
def test_tools_that_take_or_ignore_further_names_are_not_closed(name, tool):
    """Only a strict schema closes what is ignored; names in conditions are not hidden."""
    schema = shown(name, REGISTRY[tool].spec(name))
    assert schema.get("additionalProperties") is not False


def test_keys_that_are_no_text_are_described_as_the_text_they_are_sent_in():
    """An object's names are text; those of a dict by numbers read as numbers."""
    named = REGISTRY["int_keys"].parameters["properties"]["a"]["propertyNames"]
    for text, fits in {"7": True, "-12": True, "x": False, "": False}.items():
        assert fits is bool(re.search(named["pattern"], text))
        kind = "success" if fits else "invalid_arguments"
        assert kind == REGISTRY.execute("int_keys", {"a": {text: "v"}}).kind


@pytest.mark.parametrize("name", FORMATS)
def test_what_a_provider_has_a_word_for_is_said(name):
    """Titles, hints, examples and outputs go where the provider has a field for them."""
    made = json.dumps(REGISTRY["find"].spec(name))
    said = {
        "Address finder": {"mcp"},
        "readOnlyHint": {"mcp"},
        '"input_examples": [{"q": "Main"}]': {"anthropic"},
        "The first day.": {"openai-responses", "gemini", "mcp"},
        "What to look for.": set(FORMATS),
        "ephemeral": {"anthropic"},
        "defer_loading": {"openai-responses"},
        "BLOCKING": {"gemini"},
        "_meta": {"mcp"},
    }
    assert {text for text, names in said.items() if name in names} == {
        text for text in said if text in made
    }


@pytest.mark.parametrize("name", FORMATS)
def test_an_output_is_described_for_those_that_show_it(name):
    """Where a format has no field for it, its schema need not be made."""
    output = {"type": "object", "properties": {"a": {"type": "integer"}}}
    with_output = FORMATS[name].spec(Spec(name="f", output=output))
    assert shows_output(FORMATS[name]) is (with_output != FORMATS[name].spec(Spec(name="f")))


CONTENT = {
    "image": Image(b"an image"),
    "audio": Audio(b"a recording", "audio/wav"),
    "pdf": File(b"%PDF", "application/pdf"),
    "csv": File(b"a,b", "text/csv"),
    "video": File(b"a video", "video/mp4"),
    "zip": File(b"a file", "application/zip"),
}


@pytest.mark.parametrize(
    ("name", "native"),
    {
        "openai": "",
        "openai-responses": "image pdf csv video zip",
        "anthropic": "image pdf csv",
        "gemini": "image pdf csv",
        "bedrock": "image pdf csv video",
        "mistral": "image",
        "cohere": "",
        "groq": "image",
        "ollama": "image",
        "mcp": "image audio pdf csv video zip",
    }.items(),
)
def test_content_that_a_provider_takes_goes_as_such(name, native, fits):
    """What it does not take is a few words, so that the model knows of it."""
    registry = Registry()

    @registry.tool
    def show(key: str):
        return CONTENT[key]

    for key, media in CONTENT.items():
        result = registry.execute("show", {"key": key}, call_id="abcdefghi")
        [made] = FORMATS[name].messages([result])
        check_message(name, made, fits)
        sent = [media.base64, repr(media.data), media.data.decode()]
        assert (key in native.split()) is any(each in repr(made) for each in sent)
        assert key in native.split() or str(media) in repr(made)


def results():
    """Return a result of every kind, and of every content."""
    registry = Registry(approve=lambda call, tool: False)
    blob = {"data": b"\x89PNG", "name": "it"}
    several = MultiResult(["text", "", Image(b"x")])
    several.fail("one of them")
    failed = MultiResult()
    failed.fail("all of them")
    contents = {
        "empty": "",
        "blank": " \n",
        "none": None,
        "surrogate": "a\ud800b",
        "object": {"$ref": "#/x", "größe": [1, None]},
        "image": Image(**blob),
        "webp": Image(b"x", "image/webp"),
        "image_url": Image(url="https://example.org/a.png"),
        "audio": Audio(b"x", "audio/wav"),
        "pdf": File(b"%PDF", "application/pdf", name="a.pdf"),
        "csv": File(b"a,b", "text/csv", name="a.csv"),
        "file_url": File(url="https://example.org/a.pdf", media_type="application/pdf"),
        "unknown_file": File(b"\0\1"),
        "empty_image": Image(),
        "list": [Image(b"x"), "and", Audio(b"y")],
        "several": several,
        "all_failed": failed,
        "no_outcomes": MultiResult(),
        "told": ToolError("no"),
        "told_blank": ToolError(""),
        "unserializable": object(),
    }

    def give(what: str, n: int = 0):
        return contents[what]

    def break_down():
        raise ValueError("broken")

    def wait():
        time.sleep(0.2)

    registry.add(give)
    registry.add(break_down)
    registry.add(wait, timeout=0.01)
    registry.add(give, name="asking", requires_approval=True)
    unasked = Registry()
    unasked.add(give, name="asking", requires_approval=True)
    calls = [ToolCall("give", {"what": key}) for key in contents]
    calls += [ToolCall("give", text) for text in ('{"what":', "[1]", '{"n": "x"}')]
    calls += [ToolCall(name, {}) for name in ("break_down", "wait", "nope")]
    calls.append(ToolCall("asking", {"what": "none"}))
    for number, call in enumerate(calls):
        call.id = f"call{number:05}"
    last = ToolCall("asking", {"what": "none"}, "call99999")
    return [*registry.execute_all(calls), unasked.execute(last)]


RESULTS = results()


def test_the_results_are_of_every_kind():
    """None is forgotten in what follows."""
    assert set(get_args(Kind)) == {result.kind for result in RESULTS}


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("result", RESULTS, ids=lambda result: f"{result.kind}-{result.call_id}")
def test_a_result_is_of_the_sdks_own_type(name, result, fits):
    """Every kind of result with every content, and an error is never without text."""
    [made] = FORMATS[name].messages([result])
    check_message(name, made, fits)
    if result.is_error:
        assert result.output.strip() in json.dumps(made, ensure_ascii=False).replace("\\n", "\n")
        assert '""' not in json.dumps(made)


@pytest.mark.parametrize("name", FORMATS)
def test_a_turn_answers_each_call_once(name, fits):
    """All results together, in order, each under the id of its call."""
    made = FORMATS[name].messages(RESULTS)
    for message in made:
        check_message(name, message, fits)
    if name == "ollama":  # it has no ids
        assert [r.name for r in RESULTS] == [message["tool_name"] for message in made]
    else:
        text = repr(made)
        places = [text.index(result.call_id) for result in RESULTS]
        assert sorted(places) == places
        assert all(text.count(result.call_id) == 1 for result in RESULTS)


class Lines:
    """A format of somebody's own, with the functions that a format is and none besides."""

    def spec(self, spec, strict=False):
        return {"line": f"{spec.name}({', '.join(spec.parameters['properties'])})"}

    def tools(self, specs):
        return [self.spec(each) for each in specs]

    def calls(self, response):
        named = (line.partition(" ") for line in response.splitlines())
        return [ToolCall(name, text, number) for number, (name, _, text) in enumerate(named)]

    def stream(self):
        return openai.stream()

    def assistant(self, response):
        return [{"said": response}]

    def messages(self, results):
        return [{"line": f"{each.call_id} {each.output}"} for each in results]


class TestOwnFormat:
    def test_specs_and_calls_go_through_it(self):
        """A registry takes the object wherever it takes a name."""
        registry, mine = Registry(), Lines()

        @registry.tool
        def add(a: int, b: int = 1):
            return a + b

        asked = 'add {"a": 1}\nadd {"a": "x"}'
        assert [{"line": "add(a, b)"}] == registry.specs(mine) == registry.specs(mine, strict=True)
        assert {"line": "add(a, b)"} == registry["add"].spec(mine)
        assert [{"line": "add(a, b)"}] == json.loads(registry.specs_json(mine))
        first, second = registry.dispatch(asked, mine)
        assert {"line": "0 2"} == first
        assert second["line"].startswith("1 The arguments of add are invalid")
        assert [{"line": "0 2"}] == registry.select("add").dispatch('add {"a": 1}', mine)
        assert [] == registry.dispatch("", mine)

    def test_it_says_nothing_of_strict_mode(self):
        """What it does not say is answered for it."""
        tool = Tool.from_function(Lines().calls, name="f")
        assert 1 == len(tool.strict_faults(Lines()))
