"""Many calls give one result each, in their order."""

import asyncio
import threading
import time

import pytest

from toolreg import Registry, ToolCall

colours = pytest.mark.parametrize("colour", ["sync", "async"])


def run_all(registry, colour, calls, **options):
    if colour == "sync":
        return registry.execute_all(calls, **options)
    return asyncio.run(registry.aexecute_all(calls, **options))


@pytest.fixture
def registry():
    with Registry() as made:

        @made.tool
        async def wait(ms: int = 0, fail: bool = False) -> int:
            await asyncio.sleep(ms / 1000)
            if fail:
                raise ValueError("asked to")
            return ms

        @made.tool
        def block(ms: int = 0) -> int:
            time.sleep(ms / 1000)
            return ms

        yield made


@colours
def test_results_come_in_the_order_of_the_calls(registry, colour):
    """The slowest call first does not change the order."""
    calls = [ToolCall("wait", {"ms": ms}, str(ms)) for ms in (60, 30, 0)]
    assert ["60", "30", "0"] == [r.call_id for r in run_all(registry, colour, calls)]


@colours
def test_calls_run_side_by_side(registry, colour):
    """Ten naps take about the time of one, blocking or not."""
    for name in ("wait", "block"):
        calls = [ToolCall(name, {"ms": 100}, i) for i in range(10)]
        started = time.perf_counter()
        run_all(registry, colour, calls)
        assert 0.6 > time.perf_counter() - started


@colours
def test_one_failure_costs_no_other(registry, colour):
    """Failing, unknown and malformed calls have results like the others."""
    calls = [
        ToolCall("wait", "{}", "a"),
        ToolCall("wait", {"fail": True}, "b"),
        ToolCall("nope", "{}", "c"),
        ToolCall("wait", "{", "d"),
        ToolCall(None, None, None),
        ToolCall("wait", "{}", "a"),
    ]
    results = run_all(registry, colour, calls)
    kinds = ["success", "exception", "unknown_tool", "bad_json", "unknown_tool", "success"]
    assert kinds == [r.kind for r in results]
    assert ["a", "b", "c", "d"] == [r.call_id for r in results][:4]
    assert results[4].call_id
    assert "a" == results[5].call_id


@colours
def test_a_bound_is_kept_and_calls_are_pulled_as_needed(colour):
    """No more than max_concurrency run at once, and no more are pulled."""
    running = most = 0
    pulled = []

    async def work() -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.01)
        running -= 1

    def calls():
        for index in range(12):
            pulled.append(index)
            assert len(pulled) - len(done) <= 4
            yield ToolCall("work", None, index)

    done = []
    with Registry() as registry:
        registry.add(work)
        results = run_all(registry, colour, calls(), max_concurrency=3, on_result=done.append)
    assert list(range(12)) == [r.call_id for r in results]
    assert 3 == most
    assert 12 == len(done)


@colours
def test_an_endless_source_is_pulled_only_so_far(registry, colour):
    """Without a length at most a thousand calls are under way."""
    pulled = 0

    def calls():
        nonlocal pulled
        for _ in range(1500):
            pulled += 1
            yield ToolCall("wait", None, pulled)

    seen = []
    run_all(registry, colour, calls(), on_result=lambda result: seen.append(pulled))
    assert 1001 >= seen[0]
    assert 1500 == len(seen)


@colours
@pytest.mark.parametrize("limit", [0, -1])
def test_a_senseless_bound_is_refused(registry, colour, limit):
    """The programmer hears of it."""
    with pytest.raises(ValueError, match="at least 1"):
        run_all(registry, colour, [], max_concurrency=limit)


@colours
def test_on_result_sees_each_result_and_may_break(registry, colour, caplog):
    """A callback that raises is logged and costs no result."""
    seen = []

    def tell(result):
        seen.append(result.call_id)
        raise ValueError("callback")

    results = run_all(
        registry, colour, [ToolCall("wait", None, i) for i in range(3)], on_result=tell
    )
    assert [0, 1, 2] == [r.call_id for r in results] == sorted(seen)
    assert "callback" in caplog.text


def test_an_async_callback_is_awaited(registry):
    """on_result may be a coroutine function under asyncio."""
    seen = []

    async def tell(result):
        await asyncio.sleep(0)
        seen.append(result.call_id)

    calls = [ToolCall("wait", None, i) for i in range(3)]
    asyncio.run(registry.aexecute_all(calls, on_result=tell))
    assert [0, 1, 2] == sorted(seen)


def test_callbacks_and_sources_run_in_the_callers_thread(registry):
    """A blocking batch calls back and pulls where it was called."""
    threads = set()

    def calls():
        threads.add(threading.get_ident())
        yield ToolCall("wait")

    registry.execute_all(calls(), on_result=lambda result: threads.add(threading.get_ident()))
    assert {threading.get_ident()} == threads


@colours
def test_a_sequential_tool_runs_alone(registry, colour):
    """What was called before it has ended, what comes after has not begun."""
    log = []

    async def around(n: int) -> None:
        log.append(f"+{n}")
        await asyncio.sleep(0.02)
        log.append(f"-{n}")

    async def alone() -> None:
        log.append("(")
        await asyncio.sleep(0.02)
        log.append(")")

    registry.add(around)
    registry.add(alone, sequential=True)
    calls = [
        ToolCall("around", {"n": 1}),
        ToolCall("around", {"n": 2}),
        ToolCall("alone"),
        ToolCall("around", {"n": 3}),
    ]
    run_all(registry, colour, calls)
    at = log.index("(")
    assert ")" == log[at + 1]
    assert {"+1", "+2", "-1", "-2"} == set(log[:at])
    assert ["+3", "-3"] == log[at + 2 :]


@colours
def test_the_context_of_a_call_wins(colour):
    """A call's own context is taken before that of the batch."""
    from typing import Annotated

    from toolreg import Injected

    with Registry() as registry:

        @registry.tool
        def who(user: Annotated[str, Injected]) -> str:
            return user

        calls = [ToolCall("who", context={"user": "own"}), ToolCall("who")]
        results = run_all(registry, colour, calls, context={"user": "batch"})
    assert ["own", "batch"] == [r.output for r in results]


@colours
def test_a_batch_sees_the_tools_as_they_were(registry, colour):
    """A tool removed while a batch runs still answers in it."""

    def calls():
        yield ToolCall("wait")
        registry.remove("wait")
        yield ToolCall("wait")

    assert ["success", "success"] == [r.kind for r in run_all(registry, colour, calls())]
    assert "wait" not in registry


@colours
def test_an_interrupt_ends_the_batch(registry, colour):
    """KeyboardInterrupt passes, and what was under way is cancelled."""
    ended = []

    async def long() -> None:
        try:
            await asyncio.sleep(5)
        finally:
            ended.append(True)

    async def stop() -> None:
        await asyncio.sleep(0.02)
        raise KeyboardInterrupt

    registry.add(long)
    registry.add(stop)
    with pytest.raises(KeyboardInterrupt):
        run_all(registry, colour, [ToolCall("long"), ToolCall("stop")])
    time.sleep(0.05)
    assert [True] == ended


def test_cancelling_a_batch_cancels_its_calls(registry):
    """The cancellation of the caller reaches every tool under way."""
    ended = []

    async def long() -> None:
        try:
            await asyncio.sleep(5)
        finally:
            ended.append(True)

    registry.add(long)

    async def main():
        task = asyncio.ensure_future(registry.aexecute_all([ToolCall("long")] * 3))
        await asyncio.sleep(0.02)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert 1 == len(asyncio.all_tasks())

    asyncio.run(main())
    assert [True] * 3 == ended


@colours
def test_a_source_that_breaks_ends_the_batch(registry, colour):
    """The error of the caller's own iterator is the caller's."""

    def calls():
        yield ToolCall("wait", {"ms": 20})
        raise LookupError("source")

    with pytest.raises(LookupError, match="source"):
        run_all(registry, colour, calls())


def test_several_threads_and_loops_at_once(registry):
    """Eight threads with loops of their own get all their results."""
    outputs = []

    def work(number):
        calls = [
            ToolCall("block" if i % 2 else "wait", {"ms": i % 3}, (number, i)) for i in range(40)
        ]
        results = (
            registry.execute_all(calls) if number % 2 else asyncio.run(registry.aexecute_all(calls))
        )
        outputs.append([r.call_id for r in results] == [(number, i) for i in range(40)])

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [True] * 8 == outputs
