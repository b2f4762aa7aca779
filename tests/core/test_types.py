"""The records that pass between a loop, the library and a tool."""

import asyncio
import base64
import copy
import json
import pickle
from collections import UserDict
from dataclasses import replace
from datetime import date

import pytest

from toolreg import Audio, File, Image, Injected, MultiResult, ToolCall, ToolError, ToolResult
from toolreg._types import Part, Spec

CALL = ToolCall("add", '{"a": 1}', 0, extra={"signature": "s"})
RESULT = ToolResult(0, "add", "2", value=2, call=CALL)


def test_a_call_needs_only_its_name():
    """No arguments, no id, no context is a call."""
    assert ToolCall("ping") == ToolCall(
        name="ping",
        arguments=None,
        id=None,
        context=None,
        kind="function",
        extra=None,
        truncated=False,
        made_id=False,
    )


def test_the_context_is_never_in_a_repr():
    """A context may hold secrets, so no repr of a call or a result shows it."""
    call = ToolCall("f", "{}", "1", context="secret")
    assert "secret" not in repr(call)
    assert "secret" not in repr(ToolResult("1", "f", "", call=call))


def test_a_call_goes_through_json_and_back():
    """What `to_dict` writes is JSON that `from_dict` reads."""
    text = json.dumps(CALL.to_dict())
    assert ToolCall.from_dict(json.loads(text)) == CALL


def test_a_call_is_read_from_its_name_alone():
    """Only the name must be there."""
    assert ToolCall("ping") == ToolCall.from_dict({"name": "ping"})


@pytest.mark.parametrize(
    ("arguments", "plain"),
    [
        (None, None),
        ('{"a":1}', '{"a":1}'),
        (b'{"a":1}', '{"a":1}'),
        (bytearray(b"\xff"), "�"),
        ({"a": 1}, {"a": 1}),
        (UserDict({"a": 1}), {"a": 1}),
        ({"day": date(2024, 2, 3), "x": float("nan"), "o": Ellipsis}, None),
    ],
)
def test_arguments_are_plain_whatever_they_came_as(arguments, plain):
    """Bytes become text, mappings become dicts, and no value breaks JSON."""
    shown = ToolCall("f", arguments).to_dict()["arguments"]
    json.dumps(shown)
    if plain is not None:
        assert plain == shown


def test_plain_calls_share_nothing_with_the_call():
    """Changing what was written changes nothing in the call."""
    call = ToolCall("f", {"a": [1]}, extra={"b": [1]})
    shown = call.to_dict()
    shown["arguments"]["a"].append(2)
    shown["extra"]["b"].append(2)
    assert ({"a": [1]}, {"b": [1]}) == (call.arguments, call.extra)


def test_neither_context_nor_value_nor_exception_is_written():
    """What is not JSON stays in the process."""
    call = replace(CALL, context=object())
    shown = ToolResult(0, "add", "x", "exception", object(), ValueError("x"), call=call).to_dict()
    assert {"call_id", "name", "output", "kind", "is_error", "parts", "repairs", "call"} == set(
        shown
    )
    assert "context" not in shown["call"]
    json.dumps(shown)


def test_a_result_is_written_with_its_parts():
    """Text, media and repairs are all in the plain result."""
    parts = (Part("one"), Part("[image]", media=Image(b"\x89PNG", name="a.png")))
    shown = replace(RESULT, parts=parts, repairs=("json-text: a",)).to_dict()
    assert {
        "call_id": 0,
        "name": "add",
        "output": "2",
        "kind": "success",
        "is_error": False,
        "parts": [
            {"text": "one", "is_error": False},
            {
                "text": "[image]",
                "is_error": False,
                "media": {
                    "type": "image",
                    "media_type": "image/png",
                    "url": None,
                    "data": base64.b64encode(b"\x89PNG").decode(),
                },
            },
        ],
        "repairs": ["json-text: a"],
        "call": CALL.to_dict(),
    } == shown


def test_a_result_without_a_call_is_written():
    """A result made by hand need not have a call."""
    assert ToolResult("1", "f", "x").to_dict()["call"] is None


@pytest.mark.parametrize(("kind", "is_error"), [("success", False), ("denied", True)])
def test_only_success_is_no_error(kind, is_error):
    """Whatever is not a success is an error."""
    assert is_error is ToolResult("1", "f", "", kind).is_error


@pytest.mark.parametrize("record", [CALL, RESULT, Image(b"x"), Part("x"), Spec(name="f")])
def test_records_copy_and_pickle(record):
    """Records are equal to their copies, in this process and in another."""
    assert record == copy.deepcopy(record) == pickle.loads(pickle.dumps(record))


def test_denying_answers_the_very_call():
    """The result carries id, name, reason and the call itself."""
    result = ToolCall("wipe", "{}", 7).deny("not on Fridays")
    assert (7, "wipe", "denied") == (result.call_id, result.name, result.kind)
    assert result.output == "The call of 'wipe' was denied: not on Fridays"
    assert ToolCall("wipe", "{}", 7) == result.call


def test_denying_needs_no_reason():
    """Without a reason there is a sentence all the same."""
    assert ToolCall("wipe").deny().output == "The call of 'wipe' was denied."


def test_denying_a_long_name_is_short():
    """A name that a model made up is quoted, on one line, and cut."""
    output = ToolCall("do\nthis " * 1000).deny().output
    assert 120 > len(output)
    assert "\n" not in output


@pytest.mark.parametrize("kind", [Image, Audio, File])
def test_content_comes_from_a_file(kind, tmp_path):
    """Bytes, MIME type and name follow from a path."""
    path = tmp_path / "a.pdf"
    path.write_bytes(b"%PDF")
    content = kind.from_path(path)
    assert (b"%PDF", "application/pdf", "a.pdf") == (
        content.data,
        content.media_type,
        content.name,
    )
    assert "JVBERg==" == content.base64


@pytest.mark.parametrize(
    ("kind", "default"),
    [(Image, "image/png"), (Audio, "audio/wav"), (File, "application/octet-stream")],
)
def test_a_file_of_unknown_kind_has_the_usual_type(kind, default, tmp_path):
    """Where the path does not tell, the type is the kind's usual one."""
    path = tmp_path / "noextension"
    path.write_bytes(b"")
    assert default == kind.from_path(str(path)).media_type == kind(b"").media_type


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (Image(b"x" * 1200), "[image: image/png, 1,200 bytes]"),
        (Audio(b"", name="a.wav"), "[audio a.wav: audio/wav, 0 bytes]"),
        (File(url="https://x.test/a"), "[file: application/octet-stream, https://x.test/a]"),
    ],
)
def test_content_has_a_few_words_in_its_place(content, text):
    """Where only text can go, a note says what is missing."""
    assert text == str(content)
    assert b"xxx" not in repr(content).encode()


def test_outcomes_are_collected_in_order():
    """Values, failures and what a block raises stand in the order they came."""
    outcomes = MultiResult(["one"])
    outcomes.add(2)
    outcomes.fail("three is missing")
    with outcomes.catch():
        raise ValueError("four")
    with outcomes.catch():
        outcomes.add(5)
    one, two, three, four, five = outcomes
    assert ("one", 2, 5) == (one, two, five)
    assert (ToolError, ("three is missing",)) == (type(three), three.content)
    assert (ValueError, "four") == (type(four), str(four))
    assert len(outcomes) == 5
    assert repr(outcomes).startswith("MultiResult(['one', 2, ToolError(")


def test_catching_lets_interruptions_through():
    """What is no Exception is not a failure of one outcome."""
    with pytest.raises(KeyboardInterrupt), MultiResult().catch():
        raise KeyboardInterrupt


def test_gathering_keeps_the_order_and_every_sibling():
    """One failure costs no other outcome."""

    async def nap(seconds, value):
        await asyncio.sleep(seconds)
        if value is None:
            raise ValueError("none")
        return value

    async def main():
        return await MultiResult.gather([nap(0.02, 1), nap(0.01, None), nap(0, 3)])

    first, failed, last = asyncio.run(main())
    assert (1, 3) == (first, last)
    assert isinstance(failed, ValueError)


def test_markers_are_values():
    """Markers of the same meaning are equal and can be hashed."""
    assert {Injected("key")} == {Injected("key"), Injected("key", whole=False)}
    assert Injected() != Injected(whole=True)
