"""Faults made on purpose have a known outcome, and what is called afterwards works."""

import asyncio
import logging
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import pytest

from toolreg import Registry, ToolCall, ToolDefinitionError, ToolResult

SPAWN = multiprocessing.get_context("spawn")
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
colours = pytest.mark.parametrize("colour", ["sync", "async"])


@pytest.fixture
def registry():
    with Registry() as made:
        made.add(well)
        made.add(awell)
        yield made


def well() -> str:
    return "well"


async def awell() -> str:
    await asyncio.sleep(0)
    return "well"


def run(registry, colour, name, arguments=None, **options):
    if colour == "sync":
        return registry.execute(name, arguments, **options)
    return asyncio.run(registry.aexecute(name, arguments, **options))


def works(registry):
    """Assert that everything can be called."""
    calls = [ToolCall("well", id=1), ToolCall("awell", id=2), ToolCall("well", id=3)]
    expected = [(1, "well"), (2, "well"), (3, "well")]
    alone = [registry.execute(call) for call in calls]
    together = registry.execute_all(calls)
    awaited = asyncio.run(registry.aexecute_all(calls))
    for results in (alone, together, awaited):
        assert expected == [(result.call_id, result.output) for result in results]


def program(text, *arguments):
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", text, *arguments],
        capture_output=True,
        text=True,
        timeout=60,
    )
    return done, time.perf_counter() - started


def pid() -> int:
    return os.getpid()


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def nap(ms: int) -> str:
    time.sleep(ms / 1000)
    return "woke"


class TestPools:
    def test_a_killed_worker_breaks_a_plain_pool_with_a_clear_result(self):
        """The call says that the process ended, and so does each later one."""
        with ProcessPoolExecutor(1, mp_context=SPAWN) as pool, Registry(executor=pool) as registry:
            for func in (pid, die, awell):
                registry.add(func)
            for name in ("die", "pid"):
                result = registry.execute(name, call_id="c")
                assert ("exception", "c") == (result.kind, result.call_id)
                assert isinstance(result.exception, BrokenProcessPool)
                assert result.output.startswith("BrokenProcessPool: ")
            assert "well" == registry.execute("awell").output

    @colours
    def test_a_pool_that_a_function_makes_is_replaced(self, colour):
        """After a killed worker the next call has a new pool; others keep theirs."""
        made = []

        def make():
            made.append(ProcessPoolExecutor(1, mp_context=SPAWN))
            return made[-1]

        with Registry(executor=make) as registry:
            registry.add(pid)
            registry.add(die)
            first = run(registry, colour, "pid").value
            assert first == run(registry, colour, "pid").value
            assert 1 == len(made)
            assert "exception" == run(registry, colour, "die").kind
            assert first != run(registry, colour, "pid").value
            assert 2 == len(made)

    def test_all_calls_of_a_broken_pool_are_answered(self):
        """Whoever waits for a pool that breaks is answered; then a new pool is made."""
        with Registry(executor=lambda: ProcessPoolExecutor(1, mp_context=SPAWN)) as registry:
            for func in (pid, die, nap):
                registry.add(func)
            calls = [ToolCall("die", id=0), *(ToolCall("nap", {"ms": 1}, n) for n in range(1, 5))]
            results = registry.execute_all(calls)
            assert [0, 1, 2, 3, 4] == [result.call_id for result in results]
            assert "exception" == results[0].kind
            assert "success" == registry.execute("pid").kind

    def test_a_shut_down_executor_is_a_clear_result(self):
        """A pool that takes no more work says so; one of a function is replaced."""
        pool = ThreadPoolExecutor(1)
        with Registry(executor=pool) as registry:
            registry.add(well)
            registry.add(awell)
            assert "well" == registry.execute("well").output
            pool.shutdown()
            result = registry.execute("well", call_id="c")
            assert ("exception", "c") == (result.kind, result.call_id)
            assert "RuntimeError: cannot schedule new futures after shutdown" == result.output
            assert "well" == registry.execute("awell").output
        made = []

        def make():
            made.append(ThreadPoolExecutor(1))
            return made[-1]

        with Registry(executor=make) as registry:
            registry.add(well)
            registry.add(awell)
            works(registry)
            made[0].shutdown()
            works(registry)
            assert 2 == len(made)
            registry.close()
            works(registry)
            assert 3 == len(made)

    def test_a_function_that_makes_no_pool_is_a_clear_result(self):
        """What the maker of a pool raises or returns instead is the outcome of the call."""
        for make, said in [
            (lambda: 1 / 0, "ZeroDivisionError"),
            (lambda: 7, "executor() returned int"),
        ]:
            with Registry(executor=make) as registry:
                registry.add(well)
                registry.add(awell)
                result = registry.execute("well")
                assert "exception" == result.kind
                assert said in result.output
                assert "well" == registry.execute("awell").output

    @needs_fork
    def test_after_a_fork_a_pool_is_made_anew(self):
        """The child of a program that uses a pool has a pool of its own."""
        done, _ = program(
            """
import os, warnings
from concurrent.futures import ThreadPoolExecutor
warnings.simplefilter("ignore", DeprecationWarning)
from toolreg import Registry
registry = Registry(executor=lambda: ThreadPoolExecutor(1))
@registry.tool(timeout=5)
def pid():
    return os.getpid()
assert os.getpid() == registry.execute("pid").value
child = os.fork()
works = os.getpid() == registry.execute("pid").value
if child == 0:
    os._exit(0 if works else 1)
print(works, os.waitpid(child, 0)[1])
"""
        )
        assert "True 0\n" == done.stdout, done.stderr

    def test_work_that_a_pool_drops_is_answered(self):
        """A pool that cancels what it has not begun loses no call."""
        pool = ThreadPoolExecutor(1)
        with Registry(executor=pool) as registry:
            registry.add(nap)
            results: list[ToolResult] = []
            calls = [ToolCall("nap", {"ms": 200}, number) for number in range(3)]
            thread = threading.Thread(target=lambda: results.extend(registry.execute_all(calls)))
            thread.start()
            time.sleep(0.05)
            pool.shutdown(wait=False, cancel_futures=True)
            thread.join(5)
            assert [0, 1, 2] == [result.call_id for result in results]
            assert ["success", "exception", "exception"] == [result.kind for result in results]


class TestLoop:
    def test_a_tool_that_stops_the_loop_harms_nobody(self, registry):
        """The background loop goes on after loop.stop(), for the tool and for others."""

        @registry.tool
        async def stop() -> str:
            asyncio.get_running_loop().stop()
            await asyncio.sleep(0.01)
            return "stopped"

        @registry.tool
        async def wait() -> str:
            await asyncio.sleep(0.1)
            return "waited"

        results = registry.execute_all([ToolCall("wait"), ToolCall("stop"), ToolCall("wait")])
        assert ["waited", "stopped", "waited"] == [result.output for result in results]
        works(registry)

    def test_a_tool_that_closes_the_loop_is_told(self, registry):
        """A running loop refuses to be closed."""

        @registry.tool
        async def close() -> None:
            asyncio.get_running_loop().close()

        result = registry.execute("close")
        assert "RuntimeError: Cannot close a running event loop" == result.output
        works(registry)

    @pytest.mark.parametrize("raised", [SystemExit, KeyboardInterrupt])
    def test_what_a_task_of_a_tool_raises_does_not_end_the_loop(
        self, registry, raised, caplog, monkeypatch
    ):
        """A SystemExit in the background is logged, and every call is still answered."""
        monkeypatch.setattr(logging.getLogger("asyncio"), "disabled", True)

        async def leave() -> None:
            raise raised

        @registry.tool
        async def start() -> str:
            task = asyncio.ensure_future(leave())
            await asyncio.sleep(0.05)
            return type(task.exception()).__name__

        @registry.tool
        async def wait() -> str:
            await asyncio.sleep(0.1)
            return "waited"

        results = registry.execute_all([ToolCall("wait"), ToolCall("start")])
        assert ["waited", raised.__name__] == [result.output for result in results]
        assert "ran out of the loop" in caplog.text
        works(registry)

    def test_a_blocked_loop_keeps_its_other_calls(self, registry):
        """A tool that blocks the loop past its limit costs no other call its result."""

        @registry.tool(timeout=0.1)
        async def block() -> None:
            time.sleep(0.5)

        @registry.tool
        async def wait() -> str:
            await asyncio.sleep(0.2)
            return "waited"

        outputs = []
        threads = [
            threading.Thread(target=lambda: outputs.append(registry.execute("wait").output))
            for _ in range(3)
        ]
        for thread in threads:
            thread.start()
        time.sleep(0.05)
        started = time.perf_counter()
        assert ["timeout", "timeout"] == [
            result.kind for result in (registry.execute("block"), registry.execute("block"))
        ]
        assert 0.5 > time.perf_counter() - started
        works(registry)
        for thread in threads:
            thread.join(5)
        assert ["waited"] * 3 == outputs

    def test_a_loop_that_ends_leaves_no_caller_waiting(self):
        """Closing the last registry answers even the calls of tools that will not be cancelled."""
        done, elapsed = program(
            """
import asyncio, threading, time
from toolreg import Registry
registry = Registry()
@registry.tool
async def stubborn():
    while True:
        try:
            await asyncio.sleep(0.05)
        except asyncio.CancelledError:
            pass
@registry.tool
async def well():
    return "well"
def call():
    print(registry.execute("stubborn").output)
thread = threading.Thread(target=call)
thread.start()
time.sleep(0.1)
registry.close()
thread.join(1)
print(thread.is_alive(), registry.execute("well").output)
"""
        )
        assert "CancelledError\nFalse well\n" == done.stdout
        assert 10 > elapsed

    def test_a_nested_call_is_answered_on_time(self, registry):
        """A tool on the loop that calls a stubborn tool does not wait for its end."""

        @registry.tool(timeout=0.1)
        async def stubborn() -> None:
            for _ in range(10):
                try:
                    await asyncio.sleep(0.1)
                except asyncio.CancelledError:
                    pass

        @registry.tool
        async def outer() -> str:
            return registry.execute("stubborn").kind

        started = time.perf_counter()
        assert "timeout" == registry.execute("outer").output
        assert 0.4 > time.perf_counter() - started
        works(registry)

    def test_a_nested_loop_that_is_left_is_answered(self, registry):
        """A SystemExit in a task of a nested call is its outcome."""

        async def leave() -> None:
            raise SystemExit(3)

        @registry.tool
        async def start() -> None:
            asyncio.ensure_future(leave())
            await asyncio.sleep(1)

        @registry.tool
        async def outer() -> str:
            return registry.execute("start").output

        assert "SystemExit: 3" == registry.execute("outer").output
        works(registry)


class TestStuck:
    @colours
    def test_sixty_four_stuck_workers_delay_nobody(self, colour):
        """All workers stuck in timed-out tools: the next call starts at once."""
        release = threading.Event()
        with Registry() as registry:
            registry.add(well)
            registry.add(awell)

            @registry.tool(timeout=0.1)
            def stuck() -> None:
                release.wait(20)

            calls = [ToolCall("stuck", id=number) for number in range(64)]
            if colour == "sync":
                results = registry.execute_all(calls)
            else:
                results = asyncio.run(registry.aexecute_all(calls))
            assert ["timeout"] * 64 == [result.kind for result in results]
            started = time.perf_counter()
            assert "well" == asyncio.run(registry.aexecute("well")).output
            assert 0.2 > time.perf_counter() - started
            works(registry)
            release.set()

    @colours
    @pytest.mark.parametrize("batch", [False, True])
    def test_a_swallowed_cancellation_is_answered_on_time(self, registry, colour, batch):
        """A tool that goes on after its time delays no answer."""

        async def stubborn():
            for _ in range(5):
                try:
                    await asyncio.sleep(0.1)
                except asyncio.CancelledError:
                    pass

        registry.add(stubborn, timeout=0.05)

        async def main():
            started = time.perf_counter()
            if batch:
                results = await registry.aexecute_all([ToolCall("stubborn")] * 3)
            else:
                results = [await registry.aexecute("stubborn")]
            return {result.kind for result in results}, time.perf_counter() - started

        if colour == "async":
            kinds, elapsed = asyncio.run(main())
        else:
            started = time.perf_counter()
            results = registry.execute_all([ToolCall("stubborn")] * (3 if batch else 1))
            kinds, elapsed = {result.kind for result in results}, time.perf_counter() - started
        assert {"timeout"} == kinds
        assert 0.25 > elapsed
        works(registry)

    @pytest.mark.parametrize("kind", ["def", "async def"])
    @pytest.mark.parametrize("way", ["execute", "execute_all", "aexecute", "thread"])
    def test_the_interpreter_exits_with_a_stuck_tool(self, kind, way):
        """A tool that hangs keeps the program alive no second longer."""
        body = "time.sleep(60)"
        if kind == "async def":
            body = """while True:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            pass"""
        done, _ = program(
            f"""
import asyncio, sys, threading, time
from toolreg import Registry, ToolCall
registry = Registry()
@registry.tool(timeout=0.1)
{kind} hang():
    {body}
async def main():
    print((await registry.aexecute("hang")).kind)
way = sys.argv[1]
if way == "execute":
    print(registry.execute("hang").kind)
elif way == "execute_all":
    print(registry.execute_all([ToolCall("hang")] * 3)[2].kind)
elif way == "thread":
    threading.Thread(target=registry.execute, args=("hang",), daemon=True).start()
    time.sleep(0.05)
    print("timeout")
else:  # not asyncio.run, which would wait for the tool itself
    asyncio.new_event_loop().run_until_complete(main())
print(time.time())
""",
            way,
        )
        kind, ended = done.stdout.split()
        assert ("timeout", 0) == (kind, done.returncode), done.stderr
        assert 1 > time.time() - float(ended)


class Foreign(BaseException):
    pass


class TestRuin:
    @colours
    @pytest.mark.parametrize("kind", ["def", "async def"])
    @pytest.mark.parametrize("in_time", [False, True])
    def test_a_tool_that_leaves_the_program_is_a_result(self, registry, colour, kind, in_time):
        """sys.exit, os.abort's kin and foreign BaseExceptions of a tool end as results."""

        def leave(how: str) -> None:
            if how == "exit":
                sys.exit("bye")
            raise Foreign("bye")

        async def aleave(how: str) -> None:
            leave(how)

        func = leave if kind == "def" else aleave
        registry.add(func, name="leave", timeout=5 if in_time else None)
        for how, said in [("exit", "SystemExit: bye"), ("raise", "Foreign: bye")]:
            result = run(registry, colour, "leave", {"how": how}, call_id="c")
            assert ("exception", said, "c") == (result.kind, result.output, result.call_id)
            (result,) = registry.execute_all([ToolCall("leave", {"how": how})])
            assert said == result.output
            (result,) = asyncio.run(registry.aexecute_all([ToolCall("leave", {"how": how})]))
            assert said == result.output
        works(registry)

    @colours
    def test_recursion_without_end_is_a_result(self, registry, colour):
        """A tool that calls itself, or the registry, for ever ends as a result."""

        @registry.tool
        def itself(n: int = 0) -> int:
            return itself(n + 1)

        @registry.tool
        async def aitself(n: int = 0) -> int:
            return await aitself(n + 1)

        for name in ("itself", "aitself"):
            result = run(registry, colour, name)
            assert ("exception", "RecursionError") == (result.kind, result.output[:14])
        works(registry)

    def test_a_registry_called_without_end_comes_back(self, registry, caplog):
        """Each level of a tool that executes itself has its result."""
        caplog.set_level(logging.CRITICAL, "toolreg")

        @registry.tool
        def again(n: int = 0) -> str:
            return registry.execute("again", {"n": n + 1}).kind

        assert registry.execute("again").kind in {"success", "exception"}
        works(registry)

    @needs_fork
    @pytest.mark.parametrize("kind", ["def", "async def"])
    @pytest.mark.parametrize("way", ["execute", "aexecute"])
    def test_a_tool_that_forks_ends_in_the_child(self, kind, way):
        """Where a thread of the registry forks, the parent goes on and the child ends."""
        done, _ = program(
            f"""
import asyncio, os, sys, time, warnings
warnings.simplefilter("ignore", DeprecationWarning)
from toolreg import Registry, ToolCall
registry = Registry()
@registry.tool(timeout=20)
{kind} fork():
    return os.fork()
@registry.tool
{kind} well():
    return "well"
if {way == "execute"}:
    registry.execute("well")
    child = registry.execute("fork").value
else:
    asyncio.run(registry.aexecute("well"))
    loop = asyncio.new_event_loop()
    child = loop.run_until_complete(registry.aexecute("fork")).value
if child == 0:
    os._exit(7)
for _ in range(200):
    done, status = os.waitpid(child, os.WNOHANG)
    if done:
        break
    time.sleep(0.02)
print(bool(done), registry.execute("well").output, asyncio.run(registry.aexecute("well")).output)
"""
        )
        assert "True well well\n" == done.stdout, done.stderr

    @colours
    def test_a_tool_that_closes_the_registry(self, registry, colour):
        """A blocking tool is answered; later calls make anew what they need."""

        closing: list[int] = []

        @registry.tool
        def close() -> str:
            closing.append(1)
            registry.close()
            closing.pop()
            return "closed"

        assert "closed" == run(registry, colour, "close").output
        names = ["close", "well", "close"]
        results = registry.execute_all([ToolCall(name, id=n) for n, name in enumerate(names)])
        assert [0, 1, 2] == [result.call_id for result in results]
        assert {"success", "exception"} >= {result.kind for result in results}
        time.sleep(0.05)
        while closing:
            time.sleep(0.01)
        works(registry)

        @registry.tool
        async def aclose() -> str:
            registry.close()
            return "closed"

        assert "closed" == run(registry, colour, "aclose").output
        works(registry)

    @pytest.mark.parametrize("timeout", [None, 5])
    def test_a_tool_that_cancels_itself_is_answered(self, registry, timeout):
        """In a batch, and on the background loop, the task is the library's: a result."""

        async def cancel(everybody: bool) -> None:
            await asyncio.sleep(0.03)  # until the others have begun
            mine = asyncio.current_task()
            for task in asyncio.all_tasks() if everybody else [mine]:
                if task.get_name() != "caller":
                    task.cancel()
            await asyncio.sleep(0.01)

        registry.add(cancel, timeout=timeout)

        async def main(calls):
            asyncio.current_task().set_name("caller")
            return await registry.aexecute_all(calls)

        for everybody in (False, True):
            call = ToolCall("cancel", {"everybody": everybody}, "c")
            results = [registry.execute(call), *registry.execute_all([call, call])]
            results += asyncio.run(main([call, call]))
            expected = ("exception", "CancelledError", "c")
            assert {expected} == {(each.kind, each.output, each.call_id) for each in results}
        works(registry)

    @colours
    def test_a_tool_that_changes_the_registry(self, registry, colour):
        """Tools may add, replace and remove tools, themselves too, while they run."""

        @registry.tool
        def change() -> str:
            registry.remove("change")
            registry.add(lambda: "other", name="change")
            registry.add(lambda: "new", name="fresh")
            return "changed"

        calls = [ToolCall("change"), ToolCall("fresh")]
        if colour == "sync":
            results = [registry.execute("change"), *registry.execute_all(calls)]
        else:
            results = [asyncio.run(registry.aexecute("change"))]
            results += asyncio.run(registry.aexecute_all(calls))
        assert ["changed", "other", "new"] == [result.output for result in results]
        registry.remove("change")
        registry.remove("fresh")
        assert "unknown_tool" == run(registry, colour, "change").kind
        works(registry)

    @colours
    def test_a_tool_that_deletes_its_registry(self, colour):
        """A registry that is forgotten under a call still answers it."""
        box = [Registry()]

        @box[0].tool
        def forget() -> str:
            box.clear()
            return "gone"

        assert "gone" == run(box[0], colour, "forget").output
        assert [] == box

    @colours
    def test_a_tool_that_replaces_the_worlds_functions(self, registry, colour, monkeypatch):
        """What a tool does to its own function, or to its defaults, is its own affair."""

        @registry.tool
        def spoil(items: list = []) -> list:
            items.append(1)
            return items

        assert ["[1]", "[1]"] == [run(registry, colour, "spoil").output for _ in range(2)]
        works(registry)


class TestMiddleware:
    @pytest.mark.parametrize("raised", [ValueError, SystemExit, Foreign, asyncio.CancelledError])
    @pytest.mark.parametrize("where", ["before", "after", "both"])
    def test_one_that_breaks_costs_no_call(self, registry, raised, where):
        """Before or after the tool, one call or a batch: a result, and the next one runs."""

        @registry.middleware
        def wrap(call):
            if where != "after":
                raise raised("no")
            yield call
            raise raised("no")

        call = ToolCall("well", None, "c")
        results = [
            registry.execute(call),
            asyncio.run(registry.aexecute(call)),
            *registry.execute_all([call, call]),
            *asyncio.run(registry.aexecute_all([call, call])),
        ]
        ran = "the tool had run (success)" if where == "after" else "the tool did not run"
        for result in results:
            assert ("exception", "c") == (result.kind, result.call_id)
            assert ran in result.output
            assert ("well" if where == "after" else None) == result.value
        registry.remove_middleware(wrap)
        works(registry)

    def test_one_that_never_yields_answers_itself_or_breaks(self, registry):
        """A generator that returns at once answers with its result, or with none at all."""
        answers = [None, 7, ToolResult("x", "y", "mine"), ToolResult("x", "y", 7)]

        @registry.middleware(tools="well")
        def wrap(call):
            return answers[int(call.id)]
            yield

        results = registry.execute_all([ToolCall("well", id=str(n)) for n in range(4)])
        assert ["exception", "exception", "success", "exception"] == [r.kind for r in results]
        assert ["0", "1", "2", "3"] == [r.call_id for r in results]
        assert ["well"] * 4 == [r.name for r in results]
        registry.remove_middleware(wrap)
        works(registry)

    def test_one_that_yields_without_end_is_the_programs(self, registry):
        """It may run the tool again and again; whoever stops it is the program."""
        runs = []

        @registry.middleware
        def wrap(call):
            while len(runs) < 500:
                runs.append((yield call).kind)

        assert "success" == registry.execute("well").kind
        assert ["success"] * 500 == runs

    @pytest.mark.parametrize("name", [None, 7, ["a"], b"x"])
    def test_one_that_spoils_the_call_is_answered(self, registry, name):
        """A changed call may hold anything; the answer keeps the first name and id."""
        from dataclasses import replace

        @registry.middleware
        def wrap(call):
            return (yield replace(call, name=name, id=object(), arguments=object()))

        for result in (
            registry.execute("well", call_id="c"),
            *registry.execute_all([ToolCall("well", id="c")]),
        ):
            assert ("unknown_tool", "c", "well") == (result.kind, result.call_id, result.name)
        registry.remove_middleware(wrap)
        works(registry)


class TestThreads:
    def test_tools_come_and_go_while_others_execute_and_export(self):
        """Threads that change a registry disturb neither calls nor exports."""
        with Registry() as registry:
            registry.add(well)
            registry.add(awell)
            faults: list[BaseException] = []
            ends = threading.Event()

            def forever(work):
                try:
                    while not ends.is_set():
                        work()
                except BaseException as error:
                    faults.append(error)

            def change(number):
                def come(n: int = number) -> int:
                    return n

                def turn():
                    registry.add(come, name=f"come{number}", replace=True)
                    assert str(number) == registry.execute(f"come{number}").output
                    registry.remove(f"come{number}")

                return turn

            def export():
                for name in (None, "openai", "anthropic", "gemini"):
                    listed = registry.specs(name)
                    assert listed
                view = registry.select("*well")
                assert ["well", "awell"] == list(view)

            def call():
                names = ["well", "come0", "awell", "come1", "well"]
                results = registry.execute_all(
                    [ToolCall(each, id=n) for n, each in enumerate(names)]
                )
                assert [0, 1, 2, 3, 4] == [result.call_id for result in results]
                assert {"success", "unknown_tool"} >= {result.kind for result in results}
                assert "well" == results[0].output == results[2].output

            def acall():
                result = asyncio.run(registry.aexecute("well"))
                assert "well" == result.output

            def wrap():
                def through(call):
                    return (yield call)

                registry.middleware(through)
                registry.remove_middleware(through)

            work = [change(0), change(1), change(2), export, export, call, call, acall, wrap]
            threads = [threading.Thread(target=forever, args=(each,)) for each in work]
            for thread in threads:
                thread.start()
            time.sleep(2)
            ends.set()
            for thread in threads:
                thread.join(20)
            assert [] == faults
            assert ["well", "awell"] == list(registry)
            works(registry)

    def test_a_registry_that_is_closed_over_and_over_loses_no_call(self):
        """Whoever calls while others close gets each result, some of them cancelled."""
        with Registry() as registry:
            registry.add(well)
            registry.add(awell)
            ends = threading.Event()
            outputs: set[str] = set()
            faults: list[BaseException] = []

            def call():
                calls = [ToolCall("awell", id=0), ToolCall("well", id=1)]
                try:
                    while not ends.is_set():
                        results = [*registry.execute_all(calls), registry.execute("awell")]
                        assert [0, 1] == [result.call_id for result in results[:2]]
                        outputs.update(result.output for result in results)
                except BaseException as error:
                    faults.append(error)

            threads = [threading.Thread(target=call, daemon=True) for _ in range(4)]
            for thread in threads:
                thread.start()
            for _ in range(20):
                time.sleep(0.02)
                registry.close()
            ends.set()
            for thread in threads:
                thread.join(10)
            assert [] == faults
            assert not any(thread.is_alive() for thread in threads)
            assert {"well"} <= outputs <= {"well", "CancelledError"}
            works(registry)

    def test_one_name_for_many_threads_is_given_once(self):
        """Of threads that add a tool of one name, one succeeds and the others are told."""
        with Registry() as registry:
            outcomes: list[str] = []
            gate = threading.Barrier(8)

            def add(number):
                gate.wait()
                try:
                    registry.add(lambda: number, name="one")
                    outcomes.append("added")
                except ToolDefinitionError:
                    outcomes.append("refused")

            threads = [threading.Thread(target=add, args=(number,)) for number in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert ["added", *["refused"] * 7] == sorted(outcomes)
            assert "success" == registry.execute("one").kind


class TestInterrupts:
    """Ctrl-C is the one thing that a call hands on, wherever it strikes."""

    @staticmethod
    def interrupted(*args: Any, **options: Any) -> Any:
        raise KeyboardInterrupt

    @staticmethod
    def opened() -> Any:
        yield 1
        raise KeyboardInterrupt

    @staticmethod
    async def aopened() -> Any:
        yield 1
        raise KeyboardInterrupt

    @colours
    @pytest.mark.parametrize(
        "where",
        ["tool", "factory", "closing", "aclosing", "mask", "approve", "predicate", "serializer",
         "middleware", "text"],
    )  # fmt: skip
    def test_an_interrupt_passes_wherever_it_strikes(self, colour, where):
        """It reaches the caller, and the next call works."""

        class Interrupting(Exception):
            def __str__(self) -> str:
                raise KeyboardInterrupt

        def work(db: Any = None) -> str:
            if where == "tool":
                raise KeyboardInterrupt
            if where == "text":
                raise Interrupting
            if where == "mask":
                raise ValueError("no")
            return "done"

        factories = {
            "factory": self.interrupted, "closing": self.opened, "aclosing": self.aopened
        }  # fmt: skip
        with Registry(
            mask_errors=self.interrupted if where == "mask" else False,
            approve=self.interrupted if where == "approve" else lambda call, tool: True,
        ) as registry:
            registry.add(
                work,
                inject={"db": factories[where]} if where in factories else {},
                serializer=self.interrupted if where == "serializer" else None,
                requires_approval=self.interrupted if where == "predicate" else where == "approve",
            )
            if where == "middleware":

                @registry.middleware(tools="work")
                def wrap(call):
                    raise KeyboardInterrupt
                    yield

            with pytest.raises(KeyboardInterrupt):
                run(registry, colour, "work")
            registry.add(well)
            registry.add(awell)
            works(registry)

    @colours
    def test_an_interrupt_in_a_log_handler_passes(self, registry, colour, monkeypatch):
        """Handlers may break without harm, but not hold an interrupt back."""

        @registry.tool
        def fail() -> None:
            raise ValueError("no")

        raised: list[BaseException] = [KeyboardInterrupt(), SystemExit(3), ValueError("handler")]

        class Breaks(logging.Handler):
            def emit(self, record: logging.LogRecord) -> None:
                raise raised[0]

        handler = Breaks()
        logging.getLogger("toolreg").addHandler(handler)
        try:
            with pytest.raises(KeyboardInterrupt):
                run(registry, colour, "fail")
            del raised[0]
            assert "ValueError: no" == run(registry, colour, "fail").output
            del raised[0]
            assert "ValueError: no" == run(registry, colour, "fail").output
        finally:
            logging.getLogger("toolreg").removeHandler(handler)
        works(registry)


class TestCallbacks:
    def test_a_blocking_batch_awaits_its_callbacks(self, registry, caplog):
        """on_result may be async there too; one that breaks costs no result."""
        told: list[Any] = []

        async def tell(result: ToolResult) -> None:
            await asyncio.sleep(0.001)
            told.append(result.call_id)
            if result.call_id == 1:
                raise ValueError("callback")

        calls = [ToolCall("well", id=number) for number in range(3)]
        results = registry.execute_all(calls, on_result=tell)
        assert [0, 1, 2] == [result.call_id for result in results] == sorted(told)
        assert "ValueError: callback" in caplog.text

    def test_a_nested_batch_may_be_cut_short(self, registry):
        """A batch on the background loop hands on what its caller must see."""

        def calls() -> Any:
            yield ToolCall("well")
            raise LookupError("source")

        @registry.tool
        async def outer() -> str:
            try:
                registry.execute_all(calls())
            except LookupError as error:
                return f"{error}"
            return "all"

        assert "source" == registry.execute("outer").output
