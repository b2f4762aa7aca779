"""chat, against servers that refuse an unsound history."""

import json
import socket
import sys
import time
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.cli.conftest import SUMS as MODULE
from tests.servers.anthropic import Messages
from tests.servers.chat import Chat
from tests.servers.gemini import Gemini
from tests.servers.ollama import Ollama
from tests.servers.responses import Responses
from tests.servers.script import FINAL, SUMS, THOUGHT, Ask
from tests.servers.serving import Refused, Reply, json_reply, serve
from toolreg.cli._clients import FORMATS, Settings, _options

TWO_TURNS = (*SUMS, (Ask("divide", {"by": 0}), Ask("add", {"a": 40, "b": 2})))
ENDPOINTS = {
    "openai": (Chat, "/v1"),
    "openai-responses": (Responses, "/v1"),
    "anthropic": (Messages, ""),
    "gemini": (lambda script: Gemini(script, ids=False, partial=False), ""),
    "ollama": (Ollama, ""),
}
REFUSED_TOOLS = {
    "openai": {"tool_choice": "none"},
    "openai-responses": {"tool_choice": "none"},
    "anthropic": {"tool_choice": {"type": "none"}},
    "gemini": {"toolConfig": {"functionCallingConfig": {"mode": "NONE"}}},
    "ollama": {"tools": []},
}


@dataclass
class Watched:
    """An endpoint whose requests are kept; its model heeds that tools are not offered.

    Args:
        inner: The endpoint.
        refusal: What a request says that does not offer tools; None if it is not heeded.
    """

    inner: Any
    refusal: dict | None = None
    bodies: list = field(default_factory=list)

    @property
    def path(self):
        return self.inner.path

    def reply(self, request):
        self.bodies.append(json.loads(json.dumps(request.body)))
        if self.refusal is not None and self.refusal.items() <= request.body.items():
            self.inner.script = ()
        try:
            return self.inner.reply(request)
        except Refused as refused:
            return self.inner.refusal(str(refused))


@dataclass
class Fixed:
    """An endpoint that always answers the same."""

    answer: Reply
    path: str = ".*"

    def reply(self, request):
        return self.answer


@pytest.fixture(name="format", params=ENDPOINTS)
def spoken(request):
    return request.param


@pytest.fixture
def chat(run, write, format):
    """Ask a scripted model; give the result and the bodies of the requests."""
    write(MODULE)

    def chat(*arguments, script=SUMS, heeds=True, input=None):
        make, path = ENDPOINTS[format]
        endpoint = Watched(make(script), REFUSED_TOOLS[format] if heeds else None)
        with serve(endpoint) as url:
            options = ["--format", format, "--base-url", url + path, "--model", "m"]
            result = run("chat", "-m", "mine.py", *options, *arguments, input=input)
        return result, endpoint.bodies

    return chat


def said(format, body):
    """Return the texts of the user in a request."""
    messages = body.get("messages") or body.get("input") or body.get("contents")
    mine = [m for m in messages if m.get("role") == "user"]
    texts = [m.get("content") or m["parts"][0].get("text") for m in mine]
    return [text for text in texts if isinstance(text, str)]


def test_parallel_calls(chat, format):
    """Each call and each result is shown, numbered, then the answer."""
    result, bodies = chat("What is 19 plus 23, and 1 plus many?")
    assert (0, "") == (result.exit_code, result.stderr)
    lines = result.stdout.splitlines()
    calls = [line for line in lines if line.startswith("→")]
    assert ["→ 1 add ", "→ 2 add "] == [line[:8] for line in calls]
    assert '"many"}' in calls[1]
    assert {
        "← 1 add 42",
        "← 2 add (invalid_arguments) The arguments of add are invalid:",
        "  b: should be a valid integer",
    } <= set(lines)
    assert FINAL == lines[-1]
    assert lines.index("← 1 add 42") > lines.index(calls[1])
    assert 2 == len(bodies)
    assert "Never reckon in your head." in json.dumps(bodies[0])


def test_the_rounds_are_limited(chat, format):
    """After them the tools are not offered again, in the provider's words, and it is said."""
    result, bodies = chat("Go on.", "--max-rounds", 1, script=TWO_TURNS)
    assert 0 == result.exit_code, result.stderr
    assert "1 round of calls: the tools are not offered again" in result.stdout.splitlines()
    assert FINAL == result.stdout.splitlines()[-1]
    refusal = REFUSED_TOOLS[format]
    assert [False, True] == [refusal.items() <= body.items() for body in bodies]
    if format != "ollama":
        assert bodies[0]["tools"] == bodies[1]["tools"]


def test_rounds_without_end(chat, format):
    """A model that calls all the same is not heeded, and the talk goes on soundly."""
    questions = "Go on.\nAnd now?\n"
    options = ("--max-rounds", 1)
    result, bodies = chat(*options, script=TWO_TURNS, heeds=False, input=questions)
    assert 0 == result.exit_code, result.stderr
    lines = result.stdout.splitlines()
    assert "it asks for 2 further calls, not run" in lines
    assert FINAL == lines[-1]
    assert ["Go on.", "And now?"] == said(format, bodies[-1])


def test_a_prompt_goes_on(chat, format):
    """What was said before is kept in mind; blank lines are nothing, `exit` is the end."""
    result, bodies = chat(input="\nOne?\n  \nTwo?\nexit\nThree?\n")
    assert (0, "") == (result.exit_code, result.stderr)
    assert 2 == result.stdout.count(FINAL)
    assert ["One?", "Two?"] == said(format, bodies[-1])
    assert 3 == len(bodies)


def test_the_end_of_the_input_is_the_end(chat):
    """Nothing is asked."""
    result, bodies = chat(input="")
    assert (0, "", []) == (result.exit_code, result.stdout, bodies)


def port():
    """Return a port where nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def test_a_server_that_is_down(refused, sums, format):
    """It is said in one line, soon."""
    started = time.monotonic()
    url = f"http://127.0.0.1:{port()}"
    options = ["-m", "mine.py", "--format", format, "--base-url", url, "--model", "m"]
    assert refused("chat", "Hello?", *options).startswith(f"{url} gave no answer: ")
    assert time.monotonic() - started < 10


ANSWERS = {
    "html": Reply(pieces=[b"<html>\nno\n</html>"], kind="text/html"),
    "empty": json_reply({}),
    "list": json_reply([1]),
    "text": json_reply("hello"),
}


@pytest.mark.parametrize("answer", ANSWERS)
def test_a_server_that_speaks_something_else(refused, sums, format, answer):
    """It is said in one line."""
    with serve(Fixed(ANSWERS[answer])) as url:
        options = ["-m", "mine.py", "--format", format, "--base-url", url, "--model", "m"]
        line = refused("chat", "Hello?", *options)
    assert line.startswith((f"{url} does not speak {format}: ", f"{url} gave no answer: "))


@pytest.mark.parametrize("status", [400, 401, 429, 500, 503])
def test_a_server_that_fails(refused, sums, format, status):
    """It is said in one line, cut if it is long."""
    started = time.monotonic()
    error = {"error": {"message": "line\n" * 200, "code": status, "status": "X", "type": "x"}}
    with serve(Fixed(json_reply(error, status=status))) as url:
        options = ["-m", "mine.py", "--format", format, "--base-url", url, "--model", "m"]
        line = refused("chat", "Hello?", *options)
    assert line.startswith(f"{url} gave no answer: ")
    assert str(status) in line
    assert len(line) < 600
    assert time.monotonic() - started < 10


OPENAI = ("--model", "m", "--base-url")


def test_a_question_that_fails_is_forgotten(run, write):
    """It is told, the prompt goes on, and the status is 2 in the end."""

    @dataclass
    class Flaky(Watched):
        def reply(self, request):
            if "Two?" in json.dumps(request.body["messages"][-1]):
                self.bodies.append(request.body)
                return json_reply({"error": {"message": "busy"}}, status=503)
            return super().reply(request)

    write(MODULE)
    endpoint = Flaky(Chat(()))
    with serve(endpoint) as url:
        options = ["chat", "-m", "mine.py", *OPENAI, f"{url}/v1"]
        result = run(*options, input="One?\nTwo?\nThree?\n")
    assert (2, 2) == (result.exit_code, result.stdout.count(FINAL))
    [line] = result.stderr.splitlines()
    assert "503" in line
    assert ["One?", "Three?"] == said("openai", endpoint.bodies[-1])


CAREFUL = """
    from toolreg import Registry

    registry = Registry()

    @registry.tool(requires_approval=True)
    def delete(path: str) -> str:
        return f"deleted {path}"

    @registry.tool
    def stop() -> None:
        raise KeyboardInterrupt

    @registry.tool
    def tell(n: int = 1) -> str:
        return "\\x1b[31m" + "x" * 3000
"""


@pytest.fixture
def scripted(run, write):
    """Run a script of one turn with tools that are careful."""
    write(CAREFUL)

    def scripted(*asks, arguments=("Go on.",), input=None):
        endpoint = Watched(Chat((asks,)))
        with serve(endpoint) as url:
            options = ["chat", "-m", "mine.py", *OPENAI, f"{url}/v1"]
            return run(*options, *arguments, input=input), endpoint.bodies

    return scripted


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ("y\n", "← delete deleted x"),
        ("YES\n", "← delete deleted x"),
        ("\n", "← delete (denied) The call of 'delete' was denied: the user does not want it"),
        ("", "← delete (denied) The call of 'delete' was denied: the user does not want it"),
    ],
)
def test_a_call_that_needs_an_approval(scripted, answer, outcome):
    """The user is asked; who does not say yes says no."""
    result, bodies = scripted(Ask("delete", {"path": "x"}), input=answer)
    assert 0 == result.exit_code
    assert "Run delete? [y/N] " in result.stdout
    assert outcome in result.stdout
    assert (
        outcome.split(") ")[-1].removeprefix("← delete ") in bodies[-1]["messages"][-1]["content"]
    )


def test_an_interrupt_ends_a_question(scripted):
    """The prompt goes on, and the question is forgotten."""
    result, bodies = scripted(Ask("stop", {}), arguments=(), input="One?\nTwo?\n")
    assert 2 == result.exit_code
    assert ["Two?"] == said("openai", bodies[-1])


def test_texts_cannot_steer_the_terminal(scripted):
    """Control sequences are shown, long texts are cut, and repairs are told."""
    result, _ = scripted(Ask("tell", {"n": None}))
    assert "\x1b" not in result.stdout
    [line] = [line for line in result.stdout.splitlines() if line.startswith("← ")]
    assert line.startswith("← tell (mended: null-dropped: n) ␛[31mxxx")
    assert line.endswith("x…")
    assert len(line) < 2100


def test_what_is_said_beside_calls(scripted):
    """It is shown before them, and a single call has no number."""
    result, _ = scripted(Ask("tell", {}))
    assert [THOUGHT.strip(), "→ tell {}"] == [t.strip() for t in result.stdout.splitlines()[:2]]


def test_a_model_that_says_nothing(run, sums):
    """It is said that it does not."""
    choice = {"index": 0, "message": {"role": "assistant", "content": None}}
    body = {"id": "x", "object": "chat.completion", "choices": [choice], "model": "m", "created": 1}
    with serve(Fixed(json_reply(body))) as url:
        result = run("chat", "Hello?", "-m", "mine.py", *OPENAI, url)
    assert (0, "no tool fits, and it says nothing\n") == (result.exit_code, result.stdout)


@pytest.mark.parametrize("rounds", [1, 10])
def test_a_module_without_tools(run, write, format, rounds):
    """Then none are offered."""
    write("from toolreg import Registry\nregistry = Registry()\n")

    @dataclass
    class Bare(Watched):
        def reply(self, request):
            self.bodies.append(request.body)
            return self.inner.reply(
                type(request)(path=request.path, body={**request.body, "tools": []})
            )

    make, path = ENDPOINTS[format]
    endpoint = Bare(make(()))
    with serve(endpoint) as url:
        options = ["--format", format, "--base-url", url + path, "--model", "m"]
        result = run("chat", "Hello?", "-m", "mine.py", *options, "--max-rounds", rounds)
    assert (0, f"{FINAL}\n") == (result.exit_code, result.stdout)
    [body] = endpoint.bodies
    assert not body.get("tools")
    assert "tool_choice" not in body


@pytest.mark.parametrize(("format", "entry"), FORMATS.items())
def test_an_sdk_that_is_missing(refused, sums, monkeypatch, format, entry):
    """One line tells how to get it."""
    monkeypatch.setitem(sys.modules, entry[0], None)
    line = refused("chat", "Hello?", "-m", "mine.py", "--format", format, "--model", "m")
    name = entry[0].replace(".", "-")
    assert f"{format} needs its SDK: pip install {name}" == line


@pytest.mark.parametrize("format", ["openai", "openai-responses", "anthropic", "gemini"])
def test_a_key_that_is_missing(refused, sums, format):
    """One line says what the SDK says."""
    line = refused("chat", "Hello?", "-m", "mine.py", "--format", format, "--model", "m")
    assert line.startswith((f"the SDK of {format} cannot be used: ", f"{format} gave no answer: "))


def test_keys_are_taken_from_where_they_are(monkeypatch):
    """A server of one's own needs none, and is sent the one that there is."""
    settings = Settings(model="m", base_url="http://localhost")
    found = {"base_url": "http://localhost", "api_key": "none"}
    assert found == _options(settings, "OPENAI_API_KEY")
    monkeypatch.setenv("GEMINI_API_KEY", "secret")
    keys = ("GOOGLE_API_KEY", "GEMINI_API_KEY")
    assert {**found, "api_key": "secret"} == _options(settings, *keys)
    assert {} == _options(Settings(model="m"), *keys)


@pytest.mark.parametrize("name", ["nope", "bedrock"])
def test_a_format_that_is_not_spoken(refused, sums, name):
    """Those that are spoken are named."""
    line = refused("chat", "Hello?", "-m", "mine.py", "--format", name, "--model", "m")
    assert f"chat speaks {', '.join(FORMATS)}, not {name}" == line


def test_a_format_needs_a_model(refused):
    """The local model is not meant then."""
    assert "--format needs --model" == refused("chat", "Hello?", "--format", "anthropic")


def test_at_least_one_round(run, sums):
    """None is no number of rounds."""
    result = run("chat", "Hello?", "--max-rounds", 0)
    assert 2 == result.exit_code
    assert "--max-rounds" in result.stderr
