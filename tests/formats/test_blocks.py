"""What the formats with messages of blocks have in common."""

import copy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolreg._types import Audio, Image, Part, ToolCall, ToolResult
from toolreg.formats import anthropic, bedrock, gemini, mcp
from toolreg.formats._blocks import pieces

ODD = [None, 0, -1, 1.5, True, "", "x", [], {}, [1], [[]], {"a": 1}, {"type": "tool_use"}]

ANTHROPIC = {
    "content": [
        {"type": "thinking", "thinking": "hm", "signature": "s"},
        {"type": "text", "text": "x", "citations": [{"type": "char_location", "file_id": "f"}]},
        {
            "type": "tool_use",
            "id": "1",
            "name": "a",
            "input": {"a": 1},
            "caller": {"type": "direct"},
        },
    ],
    "stop_reason": "max_tokens",
}
ANTHROPIC_EVENTS = [
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "x"}},
    {
        "type": "content_block_delta",
        "index": 0,
        "delta": {"type": "citations_delta", "citation": {}},
    },
    {
        "type": "content_block_start",
        "index": 1,
        "content_block": {"type": "tool_use", "id": "1", "name": "a"},
    },
    {"type": "content_block_delta", "index": 1, "delta": {"partial_json": "{}"}},
    {"type": "content_block_stop", "index": 1},
    {"type": "message_delta", "delta": {"stop_reason": "tool_use"}},
]
BEDROCK = {
    "output": {
        "message": {
            "content": [
                {"reasoningContent": {"reasoningText": {"text": "hm", "signature": "s"}}},
                {"text": "x"},
                {"toolUse": {"toolUseId": "1", "name": "a", "input": {"a": 1}}},
            ]
        }
    },
    "stopReason": "max_tokens",
}
BEDROCK_EVENTS = [
    {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"reasoningContent": {"text": "hm"}}}},
    {
        "contentBlockDelta": {
            "contentBlockIndex": 0,
            "delta": {"reasoningContent": {"redactedContent": b"x"}},
        }
    },
    {"contentBlockDelta": {"contentBlockIndex": 1, "delta": {"citation": {"title": "t"}}}},
    {"contentBlockStart": {"contentBlockIndex": 2, "start": {"toolResult": {"toolUseId": "s"}}}},
    {
        "contentBlockDelta": {
            "contentBlockIndex": 2,
            "delta": {"toolResult": [{"text": "a"}, {"text": "b"}]},
        }
    },
    {"contentBlockStart": {"contentBlockIndex": 3, "start": {"image": {"format": "png"}}}},
    {"contentBlockDelta": {"contentBlockIndex": 3, "delta": {"image": {"source": {}}}}},
    {
        "contentBlockStart": {
            "contentBlockIndex": 4,
            "start": {"toolUse": {"toolUseId": "1", "name": "a"}},
        }
    },
    {"contentBlockDelta": {"contentBlockIndex": 4, "delta": {"toolUse": {"input": "{}"}}}},
    {"contentBlockStop": {"contentBlockIndex": 4}},
    {"messageStop": {"stopReason": "tool_use"}},
]
GEMINI = {
    "candidates": [
        {
            "content": {
                "role": "model",
                "parts": [
                    {"text": "x", "thought": True},
                    {"functionCall": {"name": "a", "args": {"a": 1}}, "thoughtSignature": "AQ=="},
                ],
            },
            "finishReason": "MAX_TOKENS",
            "index": 0,
        }
    ]
}
GEMINI_PART = {
    "functionCall": {
        "name": "a",
        "partialArgs": [
            {"jsonPath": "$.a[0].b", "stringValue": "x", "willContinue": True},
            {"jsonPath": "$.a[0].b", "numberValue": 1},
        ],
        "willContinue": True,
    }
}
GEMINI_EVENTS = [
    {"candidates": [{"content": {"parts": [GEMINI_PART, {"functionCall": {}}]}, "index": 0}]},
    {"candidates": [{"finishReason": "STOP"}]},
]
MCP = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "a", "arguments": {}}}


def places(value, path=()):
    """Give the path to everything in a JSON value."""
    yield path
    if isinstance(value, dict | list):
        for key, each in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(each, (*path, key))


def put(value, path, other):
    """Return the value with another one in a place."""
    if not path:
        return other
    changed = copy.copy(value)
    changed[path[0]] = put(value[path[0]], path[1:], other)
    return changed


@pytest.mark.parametrize(
    ("form", "response"), [(anthropic, ANTHROPIC), (bedrock, BEDROCK), (gemini, GEMINI), (mcp, MCP)]
)
@given(data=st.data())
@settings(max_examples=80, deadline=None)
def test_no_shape_of_a_response_raises(form, response, data):
    """Whatever stands in whatever place, there are calls and a turn, or none."""
    for _ in range(data.draw(st.integers(1, 2))):
        path = data.draw(st.sampled_from(list(places(response))))
        response = put(response, path, data.draw(st.sampled_from(ODD)))
    for call in form.calls(response):
        assert isinstance(call.name, str)
    for turn in form.assistant(response):
        assert turn["role"] in {"assistant", "model"}


@pytest.mark.parametrize(
    ("form", "chunks"),
    [
        (anthropic, ANTHROPIC_EVENTS),
        (bedrock, BEDROCK_EVENTS),
        (gemini, GEMINI_EVENTS),
        (mcp, [MCP]),
    ],
)
@given(data=st.data())
@settings(max_examples=100, deadline=None)
def test_no_shape_of_a_stream_raises(form, chunks, data):
    """Whatever arrives, in whatever order, is read as calls or passed over."""
    for _ in range(data.draw(st.integers(1, 2))):
        path = data.draw(st.sampled_from([path for path in places(chunks) if path]))
        try:
            chunks = put(chunks, path, data.draw(st.sampled_from(ODD)))
        except (KeyError, IndexError, TypeError):
            continue
    stream = form.stream()
    returned = [call for chunk in data.draw(st.permutations(chunks)) for call in stream.feed(chunk)]
    assert all(isinstance(call, ToolCall) for call in [*returned, *stream.calls()])
    form.assistant(stream)


class TestPieces:
    def test_parts_that_are_the_output_stay(self):
        """Nothing was changed after they were made."""
        parts = (Part("a"), Part("b", is_error=True))
        assert parts == pieces(ToolResult(1, "f", "a\n\nError: b", parts=parts))

    def test_another_output_stands_for_their_texts(self):
        """Media stay; words for them are only added where the output has none."""
        image, audio = Image(b"x"), Audio(b"y")
        parts = (Part("a"), Part(str(image), media=image), Part(str(audio), media=audio))
        output = f"changed {image}"
        expected = (Part(output), Part("", media=image), Part(str(audio), media=audio))
        assert expected == pieces(ToolResult(1, "f", output, parts=parts))
