"""Middleware sees every call and every outcome, in both colours."""

import asyncio
from contextlib import suppress
from dataclasses import replace
from types import MappingProxyType

import pytest

from toolreg import Registry, ToolCall, ToolDefinitionError, ToolResult

colours = pytest.mark.parametrize("colour", ["sync", "async", "batch", "abatch"])


def run(registry, colour, name, arguments="{}", call_id="c", *, approved=False):
    call = ToolCall(name, arguments, call_id)
    if colour == "sync":
        return registry.execute(call, approved=approved)
    if colour == "async":
        return asyncio.run(registry.aexecute(call, approved=approved))
    if colour == "batch":
        return registry.execute_all([call], approved=approved)[0]
    return asyncio.run(registry.aexecute_all([call], approved=approved))[0]


@pytest.fixture
def registry():
    with Registry() as made:

        @made.tool(tags=["maths"])
        def add(a: int, b: int = 1) -> int:
            return a + b

        @made.tool
        async def fail() -> None:
            raise ValueError("no")

        yield made


@colours
def test_the_first_added_is_outermost(registry, colour):
    """Wrappers nest in the order in which they were added."""
    log = []

    def wrapper(name):
        def wrap(call):
            log.append(f"+{name}")
            result = yield call
            log.append(f"-{name}")
            return result

        return wrap

    for name in "abc":
        registry.middleware(wrapper(name))
    assert "2" == run(registry, colour, "add", {"a": 1}).output
    assert ["+a", "+b", "+c", "-c", "-b", "-a"] == log


@colours
def test_it_sees_the_call_as_sent_and_every_outcome(registry, colour):
    """Unknown and malformed calls and failures reach it as calls and results."""
    seen = []

    @registry.middleware
    def watch(call):
        result = yield call
        seen.append((call.name, call.arguments, result.kind))

    for name, arguments in [("add", '{"a":1}'), ("nope", "{"), ("add", "{"), ("fail", "{}")]:
        run(registry, colour, name, arguments)
    assert [
        ("add", '{"a":1}', "success"),
        ("nope", "{", "unknown_tool"),
        ("add", "{", "bad_json"),
        ("fail", "{}", "exception"),
    ] == seen


@colours
def test_it_may_deny_change_retry_and_answer(registry, colour):
    """A wrapper decides what runs, how often, and what counts."""
    tries = []

    def flaky(n: int) -> int:
        tries.append(n)
        if len(tries) < 3:
            raise OSError("again")
        return n

    registry.add(flaky)

    def deny(call):
        return call.deny("closed")
        yield

    def change(call):
        return (yield replace(call, arguments={"a": 41}))

    def retry(call):
        result = yield call
        while result.kind == "exception":
            result = yield call
        return result

    def answer(call):
        return ToolResult("other", "other", "mine")
        yield

    for wrapper, name, arguments, expected in [
        (deny, "add", {"a": 1}, ("denied", "The call of 'add' was denied: closed")),
        (change, "add", {"a": 1}, ("success", "42")),
        (retry, "flaky", {"n": 7}, ("success", "7")),
        (answer, "add", {"a": 1}, ("success", "mine")),
    ]:
        registry.middleware(wrapper)
        result = run(registry, colour, name, arguments)
        assert expected == (result.kind, result.output)
        assert ("c", name) == (result.call_id, result.name)
        registry.remove_middleware(wrapper)


@colours
def test_one_that_breaks_is_a_result_that_keeps_the_value(registry, colour):
    """Whatever breaks in a wrapper, the model is told, and whether the tool ran."""

    def before(call):
        raise ValueError("early")
        yield

    def after(call):
        yield call
        raise SystemExit(3)

    def odd(call):
        yield 7

    def silent(call):
        return None
        yield

    def wrong(call):
        yield call
        return "text"

    def later(call):
        yield call
        yield 7

    def needs_more(call, more):
        yield call

    class Hostile(ToolCall):
        @property
        def name(self):
            raise ValueError("no name")

    def hostile(call):
        yield Hostile.__new__(Hostile)

    def clinging(call):
        with suppress(GeneratorExit):
            yield 7
        yield call

    for wrapper, said, value in [
        (before, "the tool did not run. ValueError: early", None),
        (after, "the tool had run (success). SystemExit: 3", 2),
        (odd, "it yielded int, not a ToolCall", None),
        (silent, "it returned nothing, not a ToolResult", None),
        (wrong, "it returned str, not a ToolResult", 2),
        (later, "the tool had run (success). TypeError: it yielded int, not a ToolCall", 2),
        (needs_more, "the tool did not run. TypeError", None),
        (hostile, "the tool did not run. ValueError: no name", None),
        (clinging, "the tool did not run. RuntimeError: generator ignored GeneratorExit", None),
    ]:
        registry.middleware(wrapper)
        result = run(registry, colour, "add", {"a": 1})
        assert ("exception", "c", value) == (result.kind, result.call_id, result.value)
        assert said in result.output
        registry.remove_middleware(wrapper)
    assert "2" == run(registry, colour, "add", {"a": 1}).output


@colours
def test_one_that_breaks_keeps_the_repairs_and_the_call(registry, colour):
    """What the arguments needed is known though the wrapper broke afterwards."""

    @registry.middleware
    def after(call):
        yield call
        raise ValueError("late")

    result = run(registry, colour, "add", '{"arguments": {"a": 1}}')
    assert ("exception", ("wrapper: arguments",)) == (result.kind, result.repairs)
    assert ("c", "add") == (result.call.id, result.call.name)


@colours
def test_an_interrupt_is_thrown_in_and_goes_on(registry, colour):
    """A wrapper can clean up, and cannot hold back an interrupt."""
    cleaned = []

    @registry.middleware
    def wrap(call):
        try:
            yield call
        except KeyboardInterrupt:
            cleaned.append(True)
            return ToolResult(call.id, call.name, "held back")

    @registry.tool
    def stop():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(registry, colour, "stop")
    assert [True] == cleaned


def test_a_wrapper_that_yields_again_on_an_interrupt_is_closed(registry):
    """It goes on whatever the wrapper does."""

    @registry.middleware
    def stubborn(call):
        for _ in range(3):
            try:
                yield call
            except BaseException:
                continue

    @registry.tool
    def stop():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        registry.execute("stop")


def test_a_cancellation_passes_through(registry):
    """The caller's cancellation is thrown in and goes on."""
    cleaned = []

    @registry.middleware
    def wrap(call):
        try:
            yield call
        finally:
            cleaned.append(True)

    @registry.tool
    async def wait():
        await asyncio.sleep(5)

    async def main():
        task = asyncio.ensure_future(registry.aexecute("wait"))
        await asyncio.sleep(0.02)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert [True] == cleaned


def test_it_concerns_the_tools_and_tags_it_names(registry):
    """tools= and tags= choose the calls a wrapper is for."""
    seen = []

    @registry.middleware(tools=["f*", "nope"])
    def named(call):
        seen.append(("named", call.name))
        return (yield call)

    @registry.middleware(tags="maths")
    def tagged(call):
        seen.append(("tagged", call.name))
        return (yield call)

    for name in ("add", "fail", "nope", "other", None):
        registry.execute(name, {"a": 1})
    assert [("tagged", "add"), ("named", "fail"), ("named", "nope")] == seen


def test_a_callable_object_may_wrap(registry):
    """An object whose call is a generator function is middleware too."""

    class Count:
        calls = 0

        def __call__(self, call):
            self.calls += 1
            return (yield call)

    count = Count()
    registry.middleware(count)
    registry.execute("add", {"a": 1})
    assert 1 == count.calls


def test_what_cannot_wrap_is_refused(registry):
    """A function that is no generator is a definition error, and names itself."""

    def plain(call):
        return call

    with pytest.raises(ToolDefinitionError, match="plain"):
        registry.middleware(plain)
    with pytest.raises(ToolDefinitionError, match="object"):
        registry.middleware(object())
    with pytest.raises(ValueError, match="no middleware"):
        registry.remove_middleware(plain)


def test_a_result_that_cannot_be_read_is_one_that_broke(registry):
    """What a wrapper returns is looked at where nothing can escape, also by wrappers around it."""

    class Apart(ToolResult):
        def __init__(self, text):
            super().__init__("", "", text)

    class Liar:
        __class__ = property(lambda self: ToolResult)

    def apart(call):
        yield call
        return Apart("hi")

    def spoilt(call):
        result = yield call
        del result.output
        return result

    def emptied(call):
        result = yield call
        for name in ("output", "kind"):
            delattr(result, name)
        return result

    def lying(call):
        yield call
        return Liar()

    @registry.middleware
    def outer(call):
        result = yield call
        seen.append(result.kind)
        return result

    for wrapper in (apart, spoilt, emptied, lying):
        seen = []
        registry.middleware(wrapper)
        results = registry.execute_all([ToolCall("add", '{"a": 1}', n) for n in (0, "b")])
        assert [("exception", 0), ("exception", "b")] == [(r.kind, r.call_id) for r in results]
        assert ["exception", "exception"] == seen
        registry.remove_middleware(wrapper)
        registry.remove_middleware(outer)
        registry.middleware(wrapper)
        assert registry.execute("add", {"a": 1}, call_id="c").kind == "exception"
        registry.remove_middleware(wrapper)
        registry.middleware(outer)


@colours
def test_an_id_and_a_name_are_echoed_whatever_a_wrapper_makes_of_the_call(registry, colour):
    """The object that a wrapper gets may be the caller's own."""

    @registry.middleware
    def rename(call):
        call.id = "mine"
        call.name = "other"
        result = yield ToolCall("add", call.arguments, "theirs")
        return result

    result = run(registry, colour, "add", {"a": 1})
    assert ("c", "add", "success") == (result.call_id, result.name, result.kind)


@colours
@pytest.mark.parametrize("change", ["replace", "set", "in place"])
def test_what_was_approved_is_what_runs(colour, change):
    """Arguments that a wrapper changes need an approval of their own, however it changes them."""
    registry = Registry()

    @registry.tool(requires_approval=True)
    def pay(amount: int) -> int:
        return amount

    @registry.middleware
    def more(call):
        if change == "replace":
            call = replace(call, arguments={"amount": 1000})
        elif change == "set":
            call.arguments = {"amount": 1000}
        else:
            call.arguments["amount"] = 1000
        return (yield call)

    asked = {"amount": 5}
    assert run(registry, colour, "pay", asked, approved=True).kind == "approval_required"
    registry.remove_middleware(more)
    assert run(registry, colour, "pay", {"amount": 5}, approved=True).output == "5"


def test_what_was_approved_runs_inside_middleware():
    """Arguments that stay as they were need no second approval."""
    registry = Registry()

    @registry.tool(requires_approval=True)
    def pay(amount: int) -> int:
        return amount

    @registry.middleware
    def same(call):
        return (yield replace(call))

    for arguments in ({"amount": 5}, '{"amount": 5}', MappingProxyType({"amount": 5})):
        assert registry.execute("pay", arguments, approved=True).output == "5"
    assert registry.execute("pay", "{", approved=True).kind == "bad_json"
    assert registry.execute("pay", object(), approved=True).kind == "bad_json"
    assert registry.execute("other", {}, approved=True).kind == "unknown_tool"


@pytest.mark.parametrize("other", [True, 1.0, "1"])
def test_an_approval_of_1_is_none_of_what_equals_it(other):
    """What JSON tells apart is not the same call."""
    registry = Registry()

    @registry.tool(requires_approval=True)
    def take(x: int | bool | float | str) -> object:
        return x

    @registry.middleware
    def swap(call):
        return (yield replace(call, arguments={"x": other}))

    assert registry.execute("take", {"x": 1}, approved=True).kind == "approval_required"


def test_one_that_breaks_at_a_retry_says_that_the_tool_ran(registry):
    """What the first run gave is kept."""
    tries = []

    @registry.middleware
    def again(call):
        yield call
        return (yield call)

    @registry.middleware
    def once(call):
        tries.append(call)
        if len(tries) > 1:
            raise ValueError("no more")
        return (yield call)

    result = registry.execute("add", {"a": 1}, call_id="c")
    assert ("exception", 2) == (result.kind, result.value)
    assert "the tool had run (success). ValueError: no more" in result.output
