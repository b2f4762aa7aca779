"""Workers and the background loop never keep a program, nor a call, waiting."""

import asyncio
import gc
import os
import subprocess
import sys
import threading
import time
import weakref
from concurrent.futures import ThreadPoolExecutor

import pytest

from toolreg import Registry, ToolCall
from toolreg._threads import Outcome, Workers, leave, wait_for


@pytest.fixture(autouse=True)
def _threads_of_other_tests():
    names.before = set(threading.enumerate())


def names():
    """The names of the library's threads that this test brought."""
    fresh = set(threading.enumerate()) - names.before
    return [thread.name for thread in fresh if thread.name.startswith("toolreg")]


def program(text):
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", text], capture_output=True, text=True, timeout=30
    )


def test_workers_are_made_on_need_and_used_again():
    """One thread serves calls one after another; close() ends it."""
    with Registry() as registry:

        @registry.tool
        def where() -> int:
            return threading.get_ident()

        async def main():
            return {(await registry.aexecute("where")).value for _ in range(20)}

        assert 1 == len(asyncio.run(main()))
    assert "toolreg-worker" not in names()


def test_no_more_workers_than_allowed():
    """What has no worker waits for one."""
    running = most = 0
    lock = threading.Lock()

    with Registry(workers=3) as registry:

        @registry.tool
        def work() -> None:
            nonlocal running, most
            with lock:
                running += 1
                most = max(most, running)
            time.sleep(0.01)
            with lock:
                running -= 1

        async def main():
            return await registry.aexecute_all([ToolCall("work")] * 12)

        results = asyncio.run(main())
    assert ["success"] * 12 == [r.kind for r in results]
    assert 3 == most


def test_stuck_workers_do_not_delay_the_next_call():
    """Workers stuck in timed-out tools are written off; new calls start at once."""
    release = threading.Event()
    with Registry(workers=4) as registry:

        @registry.tool(timeout=0.05)
        def stuck() -> None:
            release.wait(10)

        @registry.tool
        def quick() -> str:
            return "ok"

        async def main():
            first = await registry.aexecute_all([ToolCall("stuck")] * 4)
            started = time.perf_counter()
            second = await registry.aexecute("quick")
            return first, second, time.perf_counter() - started

        first, second, elapsed = asyncio.run(main())
        assert ["timeout"] * 4 == [r.kind for r in first]
        assert "ok" == second.output
        assert 0.1 > elapsed
        release.set()
    deadline = time.time() + 2
    while "toolreg-worker" in names() and time.time() < deadline:
        time.sleep(0.01)
    assert "toolreg-worker" not in names()


def test_waiting_for_a_worker_counts():
    """A call whose time runs out in the queue is answered, and its job never runs."""
    ran = []
    with Registry(workers=1) as registry:

        @registry.tool
        def first() -> None:
            time.sleep(0.2)

        @registry.tool(timeout=0.05)
        def second() -> None:
            ran.append(True)

        async def main():
            slow = asyncio.ensure_future(registry.aexecute("first"))
            await asyncio.sleep(0.01)
            result = await registry.aexecute("second")
            await slow
            return result

        assert "timeout" == asyncio.run(main()).kind
        time.sleep(0.05)
    assert [] == ran


def test_a_registry_goes_on_after_close():
    """close() ends threads; later calls make new ones."""
    registry = Registry()

    @registry.tool
    def where() -> str:
        return threading.current_thread().name

    @registry.tool
    async def awhere() -> str:
        return threading.current_thread().name

    for _ in range(2):
        assert "toolreg-worker" == asyncio.run(registry.aexecute("where")).output
        assert "toolreg-loop" == registry.execute("awhere").output
        registry.close()
        assert "toolreg-worker" not in names()


def test_a_busy_worker_ends_after_close():
    """A worker that is at work when its registry is closed ends with its job."""
    registry = Registry()

    @registry.tool
    def work() -> None:
        time.sleep(0.1)

    async def main():
        task = asyncio.ensure_future(registry.aexecute("work"))
        await asyncio.sleep(0.02)
        registry.close()
        return await task

    assert "success" == asyncio.run(main()).kind
    time.sleep(0.05)
    assert "toolreg-worker" not in names()


def test_closing_inside_an_async_tool_does_not_wait_for_itself():
    """The loop's own thread may be told to end the loop."""
    registry = Registry()

    @registry.tool
    async def close() -> None:
        registry.close()
        await asyncio.sleep(0.01)

    result = registry.execute("close")
    assert result.call_id
    assert "exception" == result.kind or "success" == result.kind


def test_async_with_closes():
    """The registry is an asynchronous context manager too."""

    async def main():
        async with Registry() as registry:
            registry.add(lambda: 1, name="one")
            return await registry.aexecute("one")

    assert "1" == asyncio.run(main()).output
    assert "toolreg-worker" not in names()


def test_a_dropped_registry_leaves_no_thread():
    """Idle workers end when their pool is forgotten."""
    registry = Registry()
    registry.add(lambda: 1, name="one")
    asyncio.run(registry.aexecute("one"))
    gone = weakref.ref(registry)
    del registry
    gc.collect()
    assert gone() is None
    deadline = time.time() + 2
    while "toolreg-worker" in names() and time.time() < deadline:
        time.sleep(0.01)
    assert "toolreg-worker" not in names()


@pytest.mark.parametrize("is_async", [False, True])
def test_a_stuck_tool_does_not_delay_the_exit(is_async):
    """A program ends within a second though a tool of it hangs."""
    kind = "async " if is_async else ""
    body = "await asyncio.sleep(60)" if is_async else "time.sleep(60)"
    text = f"""
import asyncio, time, threading
from toolreg import Registry
registry = Registry(timeout=0.1)
@registry.tool
{kind}def hang():
    {body}
print(registry.execute("hang").kind)
threading.Thread(target=lambda: registry.execute("hang"), daemon=True).start()
time.sleep(0.05)
"""
    started = time.perf_counter()
    done = program(text)
    assert ("timeout\n", "", 0) == (done.stdout, done.stderr, done.returncode)
    assert 5 > time.perf_counter() - started


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_after_a_fork_both_processes_work():
    """The child has a loop and workers of its own."""
    done = program(
        """
import asyncio, os, warnings
warnings.simplefilter("ignore", DeprecationWarning)
from toolreg import Registry, ToolCall
registry = Registry()
@registry.tool
async def pid():
    return os.getpid()
@registry.tool
def block():
    return os.getpid()
@registry.tool
def fork():
    return os.fork()
def both():
    return [r.value for r in registry.execute_all([ToolCall("pid"), ToolCall("block")])]
assert both() == [os.getpid()] * 2
child = registry.execute("fork").value
assert both() == [os.getpid()] * 2
if child == 0:
    os._exit(0)
print(os.waitpid(child, 0)[1])
"""
    )
    assert ("0\n", "") == (done.stdout, done.stderr)


def test_an_interrupted_wait_cancels_the_task():
    """Ctrl-C during execute reaches the async tool."""
    done = program(
        """
import asyncio, os, signal, threading, time
from toolreg import Registry
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have it ignored
registry = Registry()
seen = []
@registry.tool
async def wait():
    try:
        await asyncio.sleep(20)
    except asyncio.CancelledError:
        seen.append("cancelled")
        raise
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    registry.execute("wait")
except KeyboardInterrupt:
    time.sleep(0.1)
    print(seen)
"""
    )
    assert "['cancelled']\n" == done.stdout


def test_a_loop_that_stops_under_a_call_is_an_outcome():
    """Work cut off by the end of its loop is a cancellation of its own."""
    done = program(
        """
import asyncio, time
from toolreg._threads import leave, start
async def wait():
    await asyncio.sleep(5)
class Owner:
    pass
owner = Owner()
future = start(wait(), owner)
time.sleep(0.05)
leave(owner)
print(future.cancelled() or isinstance(future.result().error, asyncio.CancelledError))
"""
    )
    assert ("True\n", "") == (done.stdout, done.stderr)


def test_exceptions_travel_as_values():
    """An interrupt inside the background loop is an outcome, and the loop lives on."""
    owner = type("Owner", (), {})()

    async def stop():
        raise KeyboardInterrupt

    async def fine():
        return 3

    assert isinstance(wait_for(stop(), owner).error, KeyboardInterrupt)
    assert Outcome(3) == wait_for(fine(), owner)
    leave(owner)


def test_a_caller_whose_loop_is_gone_is_not_missed():
    """A worker whose caller's loop was closed ends its job quietly."""
    workers = Workers(1)
    release = threading.Event()

    async def main():
        task = asyncio.ensure_future(workers.run(release.wait))
        await asyncio.sleep(0.02)
        assert not task.done()

    asyncio.run(main())
    release.set()
    workers.close()
    time.sleep(0.05)
    assert "toolreg-worker" not in names()


def triple(n: int) -> int:
    return n * 3


def test_an_executor_runs_the_blocking_tools():
    """Threads of somebody else, or a process pool, give the same results."""
    with ThreadPoolExecutor(2) as pool, Registry(executor=pool) as registry:
        registry.add(triple)
        assert "6" == registry.execute("triple", {"n": 2}).output
        assert "6" == asyncio.run(registry.aexecute("triple", {"n": 2})).output
        pool.shutdown()
        assert "exception" == registry.execute("triple", {"n": 2}).kind
