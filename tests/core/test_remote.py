"""What runs in another process comes back as itself where it can, else as text."""

import asyncio
import multiprocessing
import os
import pickle
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

import pytest
from pydantic import BaseModel

from toolreg import Image, Injected, MultiResult, Registry, ToolCall, ToolError
from toolreg._remote import Pool, RemoteError, Travelled, _Work
from toolreg._serialize import Unserializable
from toolreg._threads import Outcome
from toolreg._types import ToolResult

SPAWN = multiprocessing.get_context("spawn")


@pytest.fixture(scope="module")
def pool():
    with ProcessPoolExecutor(1, mp_context=SPAWN) as made:
        yield made


@pytest.fixture
def registry(pool):
    with Registry(executor=pool) as made:
        yield made


@dataclass
class Point:
    x: int


class Row(BaseModel):
    n: int


class TwoWords(Exception):
    """Pickles, and cannot be unpickled: its own arguments are not those of its base."""

    def __init__(self, one, two):
        super().__init__(f"{one} and {two}")


class AtHome(Exception):
    """Can be unpickled only in the process that made it."""

    def __reduce__(self):
        return only_in, (os.getpid(), AtHome, self.args)


class Homely:
    """A value that can be unpickled only in the process that made it."""

    def __init__(self, text):
        self.text = text

    def __reduce__(self):
        return only_in, (os.getpid(), Homely, (self.text,))

    def tolist(self):
        return [self.text]


class Speechless(Homely):
    tolist = None


def only_in(pid, kind, args):
    if pid != os.getpid():
        raise LookupError("not here")
    return kind(*args)


class Disguised(Exception):
    """Unpickles to something that is no exception."""

    def __reduce__(self):
        return int, ("7",)


class Leaves:
    """Leaves the program when it is pickled or written."""

    def __reduce__(self):
        raise SystemExit(3)

    def tolist(self):
        raise SystemExit(4)


class Picky:
    """An argument that can be pickled, and not be unpickled."""

    def __reduce__(self):
        return only_in, (-1, Picky, ())


class NoText(Exception):
    def __str__(self):
        raise ValueError("no")


def value(what: str) -> Any:
    return {
        "pid": os.getpid,
        "text": lambda: "ä\ud800",
        "point": lambda: Point(3),
        "row": lambda: Row(n=3),
        "numbers": lambda: (float("nan"), {1: b"a"}),
        "image": lambda: Image(b"abc"),
        "results": lambda: MultiResult(["a", ToolError("b"), ValueError("c"), Image(b"d")]),
        "tool error": lambda: ToolError("said"),
        "map": lambda: map(str, [1, 2]),
        "function": lambda: lambda: 1,
        "socket": socket.socket,
        "at home": lambda: Homely("x"),
        "speechless": lambda: Speechless("x"),
        "leaves": Leaves,
        "deep": deep,
    }[what]()


def deep():
    made: list = []
    for _ in range(100_000):
        made = [made]
    return made


def numbers(n: int) -> Iterator[int]:
    yield from range(n)
    if n > 2:
        raise ValueError("more than two")


def fail(what: str) -> None:
    make = {
        "value": lambda: ValueError("no"),
        "tool error": lambda: ToolError("said", Image(b"abc")),
        "two words": lambda: TwoWords("a", "b"),
        "at home": lambda: AtHome("x"),
        "disguised": lambda: Disguised("x"),
        "exit": lambda: SystemExit(3),
        "stop": lambda: StopIteration(3),
        "foreign": lambda: type("Foreign", (BaseException,), {})("x"),
        "no text": NoText,
        "socket": lambda: ValueError(socket.socket()),
    }[what]
    raise make()


def nap(ms: int) -> str:
    time.sleep(ms / 1000)
    return "woke"


def read(key: str, secret: Annotated[Any, Injected]) -> str:
    return f"{key}{secret}"


async def where() -> int:
    return os.getpid()


def promise() -> Any:
    return where()


def run(registry, colour, name, arguments=None, **options):
    if colour == "sync":
        return registry.execute(name, arguments, **options)
    return asyncio.run(registry.aexecute(name, arguments, **options))


colours = pytest.mark.parametrize("colour", ["sync", "async"])


@colours
def test_blocking_tools_run_in_the_pool_and_async_ones_do_not(registry, colour):
    """What blocks runs in another process; what awaits stays where its loop is."""
    registry.add(value)
    registry.add(where)
    assert os.getpid() != run(registry, colour, "value", {"what": "pid"}).value
    assert os.getpid() == run(registry, colour, "where").value


@colours
@pytest.mark.parametrize(
    ("what", "expected", "output"),
    [
        ("text", "ä\ud800", "ä\ufffd"),
        ("point", Point(3), '{"x":3}'),
        ("row", Row(n=3), '{"n":3}'),
        ("map", None, '["1","2"]'),
        ("at home", None, '["x"]'),
    ],
)
def test_a_value_comes_back_where_it_travels_and_else_its_text(
    registry, colour, what, expected, output
):
    """The output is the same as at home; the value is there if it can be unpickled here."""
    registry.add(value)
    result = run(registry, colour, "value", {"what": what})
    assert ("success", output) == (result.kind, result.output)
    if what != "map":
        assert expected == result.value


@pytest.mark.parametrize("what", ["socket", "function", "leaves", "speechless", "deep"])
def test_what_can_neither_travel_nor_be_written_is_unserializable(registry, what):
    """The model reads what it is, and the pool lives on."""
    registry.add(value)
    result = registry.execute("value", {"what": what}, call_id="c")
    assert ("unserializable", "c", None) == (result.kind, result.call_id, result.value)
    assert "NoneType" not in result.output
    assert "success" == registry.execute("value", {"what": "pid"}).kind


def test_several_results_and_media_travel(registry):
    """Outcomes keep their status, content its bytes."""
    registry.add(value)
    result = registry.execute("value", {"what": "results"})
    assert [False, True, True, False] == [part.is_error for part in result.parts]
    assert Image(b"d") == result.parts[3].media
    assert Image(b"abc") == registry.execute("value", {"what": "image"}).parts[0].media


@colours
def test_a_generator_is_read_where_it_runs(registry, colour):
    """Generators cannot travel, what they give can; one that fails midway has failed."""
    registry.add(numbers)
    assert "[0,1]" == run(registry, colour, "numbers", {"n": 2}).output
    assert "ValueError: more than two" == run(registry, colour, "numbers", {"n": 3}).output


@colours
def test_tool_errors_travel_raised_or_returned(registry, colour):
    """A ToolError says the same from another process, its image too."""
    registry.add(value)
    registry.add(fail)
    raised = run(registry, colour, "fail", {"what": "tool error"})
    assert ("tool_error", Image(b"abc")) == (raised.kind, raised.parts[1].media)
    assert raised.output.startswith("said")
    returned = run(registry, colour, "value", {"what": "tool error"})
    assert ("tool_error", "said") == (returned.kind, returned.output)


@pytest.mark.parametrize(
    ("what", "kind", "output"),
    [
        ("value", ValueError, "ValueError: no"),
        ("exit", SystemExit, "SystemExit: 3"),
        ("stop", StopIteration, "StopIteration: 3"),
        ("no text", NoText, "NoText (its text cannot be read)"),
        ("two words", RemoteError, "TwoWords: a and b"),
        ("at home", RemoteError, "AtHome: x"),
        ("disguised", RemoteError, "Disguised: x"),
        ("foreign", RemoteError, "Foreign: x"),
    ],
)
def test_an_exception_comes_back_where_it_travels_and_else_its_text(registry, what, kind, output):
    """The model reads the same; one that cannot be unpickled does not break the pool."""
    registry.add(fail)
    result = registry.execute("fail", {"what": what})
    assert ("exception", output, kind) == (result.kind, result.output, type(result.exception))
    registry.add(value)
    assert "success" == registry.execute("value", {"what": "pid"}).kind


def test_an_exception_that_holds_a_socket_is_text(registry):
    """What an exception holds may keep it from travelling."""
    registry.add(fail)
    result = registry.execute("fail", {"what": "socket"})
    assert RemoteError is type(result.exception)
    assert result.output.startswith("ValueError: <socket.socket")


def test_the_log_has_the_traceback_of_the_other_process(registry, caplog):
    """The program reads where it was raised, the model does not."""
    registry.add(fail)
    result = registry.execute("fail", {"what": "value"})
    assert "in fail" in caplog.text
    assert "Traceback" not in result.output


def test_arguments_that_cannot_be_sent_are_a_clear_result(registry):
    """What does not pickle says so, under its id; what does not unpickle there says that."""
    registry.add(read)
    result = registry.execute(
        "read", {"key": "k"}, call_id="c", context={"secret": threading.Lock()}
    )
    assert ("exception", "c") == (result.kind, result.call_id)
    assert "cannot pickle" in result.output
    result = registry.execute("read", {"key": "k"}, call_id="c", context={"secret": Picky()})
    assert ("exception", "c") == (result.kind, result.call_id)
    assert "could not be read where it was to run: LookupError: not here" in result.output
    assert "kx" == registry.execute("read", {"key": "k"}, context={"secret": "x"}).output


def test_a_function_that_the_process_cannot_find_is_a_clear_result(registry):
    """A local function does not pickle; the pool lives on."""
    registry.add(lambda: 1, name="local")
    result = registry.execute("local")
    assert "exception" == result.kind
    assert "local" in result.output  # the words are those of pickle, different in each Python
    registry.add(value)
    assert "success" == registry.execute("value", {"what": "pid"}).kind


def test_a_promise_cannot_travel(registry):
    """What returns an awaitable has no loop in another process; it is told so."""
    registry.add(promise)
    result = registry.execute("promise")
    assert "unserializable" == result.kind
    assert "coroutine" in result.output


@colours
def test_a_timeout_answers_on_time_and_the_pool_works_on(registry, colour):
    """The process goes on with what was given up; then it takes the next call."""
    registry.add(nap, timeout=0.1)
    registry.add(value)
    run(registry, colour, "value", {"what": "pid"})
    started = time.perf_counter()
    result = run(registry, colour, "nap", {"ms": 400})
    assert "timeout" == result.kind
    assert 0.3 > time.perf_counter() - started
    assert "success" == run(registry, colour, "value", {"what": "pid"}).kind


def test_masking_hides_what_came_from_elsewhere(pool):
    """A mask holds for the errors of another process too."""
    with Registry(executor=pool, mask_errors=True) as registry:
        registry.add(fail)
        for what in ("value", "two words"):
            result = registry.execute("fail", {"what": what})
            assert "The tool fail failed; the reason is not shown." == result.output


def test_a_batch_uses_the_pool(registry):
    """Calls side by side keep their order and ids."""
    registry.add(nap)
    registry.add(fail)
    calls = [
        ToolCall("nap", {"ms": 1}, 1),
        ToolCall("fail", {"what": "exit"}, 2),
        ToolCall("no", id=3),
    ]
    expected = [(1, "success"), (2, "exception"), (3, "unknown_tool")]
    assert expected == [(r.call_id, r.kind) for r in registry.execute_all(calls)]
    assert expected == [(r.call_id, r.kind) for r in asyncio.run(registry.aexecute_all(calls))]


def test_in_threads_nothing_has_to_travel():
    """An executor of threads gives back the very objects, and promises are kept."""
    thing, error = threading.Lock(), TwoWords("a", "b")
    with ThreadPoolExecutor(1) as threads, Registry(executor=threads) as registry:

        @registry.tool
        def give() -> Any:
            return thing

        @registry.tool
        def fall() -> None:
            raise error

        registry.add(promise)
        assert thing is registry.execute("give").value
        assert error is registry.execute("fall").exception
        assert os.getpid() == registry.execute("promise").value
        assert isinstance(asyncio.run(registry.aexecute("promise")), ToolResult)


def there(work):
    """Run work as another process would, on copies of all that passes."""
    answer = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(_Work(work)))()))
    return answer.outcome


@pytest.mark.parametrize(
    ("what", "expected"),
    [
        ("point", Outcome(Point(3))),
        ("map", None),
        ("at home", None),
        ("function", None),
        ("leaves", None),
    ],
)
def test_a_copy_of_a_value_says_what_became_of_it(what, expected):
    """Value, text, or the reason why there is neither."""
    found = there(partial(value, what))
    if expected is not None:
        assert expected == found
    elif what in {"function", "leaves"}:
        assert isinstance(found.error, Unserializable)
        assert "nor can it travel" in str(found.error)
    else:
        assert found.error is None


def test_a_copy_that_cannot_be_made_here_is_text(monkeypatch):
    """What could be read where it was made, and not here, is its text."""
    blobs = [
        pickle.dumps(_Work(partial(value, "at home"))()),
        pickle.dumps(_Work(partial(fail, "at home"))()),
    ]
    monkeypatch.setattr(os, "getpid", lambda: -2)
    given, raised = (pickle.loads(blob).outcome for blob in blobs)
    assert Travelled('["x"]') == given.value
    assert "AtHome: x" == str(raised.error)


def test_a_copy_of_an_error_keeps_where_it_was_raised():
    """The traceback travels as text, in the cause of the error."""
    error = there(partial(fail, "value")).error
    assert "ValueError: no" == f"{type(error).__name__}: {error}"
    assert "in fail" in str(error.__cause__)
    assert "no" == str(there(partial(fail, "value")).error)
    assert RemoteError is type(there(partial(fail, "two words")).error)
    assert isinstance(there(partial(fail, "no text")).error, NoText)


def test_a_traceback_that_cannot_be_written_costs_no_error():
    """Code of the error's own may break it."""

    assert "SystemExit: 3" in str(there(partial(raises, Untraceable)).error.__cause__)


class Untraceable(Exception):
    @property
    def __notes__(self):
        raise SystemExit(3)


def raises(kind):
    raise kind


def test_work_that_cannot_be_read_says_so_when_it_is_called():
    """Whoever sent it gets the reason as the outcome of the call."""
    error = there(partial(read, "k", Picky())).error
    assert RemoteError is type(error)
    assert "could not be read where it was to run" in str(error)


def test_a_pool_of_a_function_travels_with_the_registry():
    """A registry that is pickled makes a pool of its own when it needs one."""
    pool = pickle.loads(pickle.dumps(Pool(make_threads)))
    with Registry(executor=pool) as registry:
        registry.add(value)
        assert os.getpid() == registry.execute("value", {"what": "pid"}).value


def make_threads():
    return ThreadPoolExecutor(1)
