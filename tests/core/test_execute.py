"""The way of a call ends in one result of a known kind."""

import asyncio
import json
import logging
import threading
import time
from typing import Annotated, Any

import pytest
from pydantic import (
    BaseModel,
    BeforeValidator,
    Field,
    OnErrorOmit,
    ValidationError,
    with_config,
)
from pydantic_core import PydanticCustomError
from typing_extensions import TypedDict

from toolreg import Image, Injected, MultiResult, Registry, Tool, ToolCall, ToolError


def run(registry, colour, name, arguments="{}", **options):
    if colour == "sync":
        return registry.execute(name, arguments, **options)
    return asyncio.run(registry.aexecute(name, arguments, **options))


colours = pytest.mark.parametrize("colour", ["sync", "async"])
kinds = pytest.mark.parametrize("is_async", [False, True], ids=["def", "async def"])


def register(registry, func, is_async, **options):
    """Register a function, or an async one that does the same."""
    if not is_async:
        registry.add(func, **options)
        return

    async def twin(*args, **kwargs):
        return func(*args, **kwargs)

    twin.__wrapped__ = func
    twin.__name__ = func.__name__
    registry.add(twin, **options)


@pytest.fixture
def registry():
    with Registry() as made:
        yield made


def add(a: int, b: int = 1) -> int:
    return a + b


@colours
@kinds
def test_a_value_becomes_text_and_keeps_the_id(registry, colour, is_async):
    """A call gives the function's value as text, under the caller's id."""
    register(registry, add, is_async)
    result = run(registry, colour, "add", '{"a": 19, "b": 23}', call_id="c1")
    assert ("42", 42, "success", False, "c1", "add") == (
        result.output,
        result.value,
        result.kind,
        result.is_error,
        result.call_id,
        result.name,
    )
    assert ToolCall("add", '{"a": 19, "b": 23}', "c1") == result.call


@pytest.mark.parametrize("call_id", [0, 7, "x", ("a", 1), 1.5, False])
def test_any_id_is_echoed_with_its_type(registry, call_id):
    """An id comes back as the very same value, zero among them."""
    registry.add(add)
    assert registry.execute("add", '{"a": 1}', call_id=call_id).call_id is call_id
    assert registry.execute(ToolCall("add", '{"a": 1}', call_id)).call_id is call_id


@pytest.mark.parametrize("call_id", [None, ""])
def test_a_missing_id_is_made_and_marked(registry, call_id):
    """Calls without an id get one of their own, and the call says so."""
    registry.add(add)
    results = [registry.execute("add", '{"a": 1}', call_id=call_id) for _ in range(3)]
    assert 3 == len({result.call_id for result in results})
    assert all(result.call.made_id for result in results)
    sent = ToolCall("add", '{"a": 1}', call_id)
    assert registry.execute(sent).call.made_id
    assert call_id == sent.id


@colours
@kinds
@pytest.mark.parametrize(
    "raised",
    [
        ValueError("no"),
        StopIteration(3),
        SystemExit(2),
        asyncio.CancelledError("own"),
        TimeoutError("own"),
        type("Foreign", (BaseException,), {})("x"),
        ExceptionGroup("many", [ValueError("one"), KeyError("two")]),
    ],
    ids=lambda error: type(error).__name__,
)
def test_whatever_a_tool_raises_is_a_result(registry, colour, is_async, raised):
    """Exceptions of every kind, those of the interpreter too, end as results."""

    def fail():
        raise raised

    register(registry, fail, is_async)
    result = run(registry, colour, "fail")
    assert "exception" == result.kind
    if not (is_async and isinstance(raised, StopIteration)):  # Python itself turns it
        assert result.exception is raised
        assert type(raised).__name__ in result.output
    assert "\n" not in result.output
    register(registry, add, is_async)
    assert "2" == run(registry, colour, "add", {"a": 1}).output


@colours
@kinds
@pytest.mark.parametrize("raised", [KeyboardInterrupt, GeneratorExit])
def test_what_the_program_must_see_passes(registry, colour, is_async, raised):
    """An interrupt is no result, whichever way the tool is run."""

    def stop():
        raise raised

    register(registry, stop, is_async)
    if is_async and colour == "sync" and raised is GeneratorExit:
        pytest.skip("a coroutine on the background loop cannot be closed by its caller")
    with pytest.raises(raised):
        run(registry, colour, "stop")


@colours
@kinds
def test_a_tool_error_speaks_to_the_model(registry, colour, is_async):
    """Raised or returned, a ToolError's text is the output, under any masking."""
    with Registry(mask_errors=True) as masked:
        for owner in (registry, masked):

            def raises():
                raise ToolError("no such order", "try list_orders")

            def returns():
                return ToolError("no such order", "try list_orders")

            for func in (raises, returns):
                register(owner, func, is_async)
                result = run(owner, colour, func.__name__)
                assert "no such order\n\ntry list_orders" == result.output
                assert "tool_error" == result.kind


def test_a_tool_error_may_carry_an_image(registry):
    """Media in a ToolError is a part of the result."""
    image = Image(b"abc")

    @registry.tool
    def look():
        raise ToolError("blurred", image)

    result = registry.execute("look")
    assert [None, image] == [part.media for part in result.parts]
    assert all(part.is_error for part in result.parts)


def test_the_traceback_goes_to_the_log_once(registry, caplog):
    """The program reads the traceback in its log, the model never."""

    @registry.tool
    def fail():
        raise RuntimeError("secret place")

    result = registry.execute("fail")
    assert 1 == len(caplog.records)
    assert "toolreg" == caplog.records[0].name
    assert "Traceback" in caplog.text
    assert "Traceback" not in result.output
    assert result.exception.__traceback__ is not None


@colours
def test_masking_hides_the_text_of_exceptions(colour):
    """With a mask the model reads a fixed sentence, or what the mask makes of it."""

    def mask(error, tool):
        if isinstance(error, KeyError):
            raise RuntimeError("the mask itself")
        return f"{tool.name}: {type(error).__name__}" if isinstance(error, ValueError) else 7

    for given, expected in [
        (True, ["The tool fail failed; the reason is not shown."] * 3),
        (
            mask,
            [
                "fail: ValueError",
                "The tool fail failed; the reason is not shown.",
                "The tool fail failed; the reason is not shown.",
            ],
        ),
    ]:
        with Registry(mask_errors=given) as registry:

            @registry.tool
            def fail(kind: int) -> str:
                raise [ValueError, KeyError, OSError][kind]("pw")

            outputs = [run(registry, colour, "fail", {"kind": kind}).output for kind in range(3)]
            assert expected == outputs


def test_a_validation_error_in_the_body_is_an_exception(registry):
    """Only the arguments of the call can be invalid arguments."""

    class Row(BaseModel):
        n: int

    @registry.tool
    def read() -> Any:
        return Row(n="x")

    result = registry.execute("read")
    assert "exception" == result.kind
    assert isinstance(result.exception, ValidationError)


@colours
def test_what_cannot_be_written_keeps_its_value(registry, colour):
    """A value without a JSON form is a kind of its own, and the program still gets it."""
    thing = object()

    @registry.tool
    def make():
        return thing

    result = run(registry, colour, "make")
    assert "unserializable" == result.kind
    assert result.value is thing
    assert "object" in result.output


@colours
@kinds
def test_generators_and_awaitables_are_collected(registry, colour, is_async):
    """What a tool generates is a list, what it promises is awaited."""

    def several(n: int):
        yield from range(n)

    async def aseveral(n: int):
        for i in range(n):
            yield i

    def promises(n: int):
        return aseveral(n)

    async def twice(n: int):
        return promises(n)

    for func in (several, aseveral, promises, twice):
        registry.add(func)
        assert "[0,1]" == run(registry, colour, func.__name__, {"n": 2}).output


@colours
def test_a_generator_that_fails_midway_is_an_exception(registry, colour):
    """What was generated before a failure does not hide it."""

    @registry.tool
    def half():
        yield 1
        raise ValueError("midway")

    assert "ValueError: midway" == run(registry, colour, "half").output


@colours
def test_several_results_have_their_own_status(registry, colour):
    """A MultiResult joins its parts; only if all fail has the call failed."""

    async def bad():
        raise OSError("down")

    async def good():
        return {"n": 1}

    @registry.tool
    async def both() -> MultiResult:
        return await MultiResult.gather([good(), bad()])

    @registry.tool
    async def neither() -> MultiResult:
        return await MultiResult.gather([bad(), bad()])

    @registry.tool
    def none() -> MultiResult:
        return MultiResult()

    result = run(registry, colour, "both")
    assert '{"n":1}\n\nError: OSError: down' == result.output
    assert [False, True] == [part.is_error for part in result.parts]
    assert "success" == result.kind
    assert "tool_error" == run(registry, colour, "neither").kind
    assert "[]" == run(registry, colour, "none").output


def test_masking_reaches_the_parts():
    """A failed part is masked as a failed call is."""
    with Registry(mask_errors=True) as registry:

        @registry.tool
        def read() -> MultiResult:
            outcomes = MultiResult(["fine"])
            with outcomes.catch():
                raise RuntimeError("pw")
            outcomes.fail("said")
            return outcomes

        result = registry.execute("read")
        assert "pw" not in result.output
        assert "said" in result.output


def test_media_is_a_part(registry):
    """An image comes as a part beside the words in its place."""

    @registry.tool
    def draw() -> list:
        return ["see", Image(b"abc")]

    result = registry.execute("draw")
    assert "see\n\n[image: image/png, 3 bytes]" == result.output
    assert result.parts[1].media == Image(b"abc")


@colours
def test_output_is_cut_and_the_value_whole(registry, colour):
    """max_output limits what the model reads, not what the program gets."""

    @registry.tool(max_output=80)
    def long() -> str:
        return "x" * 1000

    @registry.tool(max_output=80)
    def error() -> str:
        raise ToolError("y" * 1000)

    result = run(registry, colour, "long")
    assert 80 >= len(result.output)
    assert "cut" in result.output
    assert 1000 == len(result.value)
    assert 80 >= len(run(registry, colour, "error").output)


@colours
def test_a_serializer_replaces_the_text(registry, colour):
    """serializer= makes the text; one that breaks leaves the value."""
    registry.add(add, serializer=lambda value: f"<{value}>\ud800")
    assert "<3>\ufffd" == run(registry, colour, "add", {"a": 2}).output
    registry.add(add, name="bad", serializer=lambda value: value)
    result = run(registry, colour, "bad", {"a": 2})
    assert ("exception", 3) == (result.kind, result.value)
    assert "not text" in result.output


@colours
@pytest.mark.parametrize("in_thread", [True, False])
def test_context_variables_reach_the_tool(registry, colour, in_thread):
    """A tool sees the context variables of its caller."""
    import contextvars

    who = contextvars.ContextVar("who", default="none")

    def name() -> str:
        return who.get()

    registry.add(name, run_in_thread=in_thread)

    async def aname() -> str:
        return who.get()

    registry.add(aname)
    who.set("ann")
    assert "ann" == run(registry, colour, "name").output
    assert "ann" == run(registry, colour, "aname").output


def test_a_blocking_tool_leaves_the_loop_free(registry):
    """While a blocking tool works, the loop of its caller goes on."""

    @registry.tool
    def nap() -> int:
        time.sleep(0.2)
        return threading.get_ident()

    async def main():
        beats = 0
        task = asyncio.ensure_future(registry.aexecute("nap"))
        while not task.done():
            await asyncio.sleep(0.01)
            beats += 1
        return beats, (await task).value

    beats, thread = asyncio.run(main())
    assert 5 < beats
    assert threading.get_ident() != thread


def test_run_in_thread_false_stays_on_the_loop(registry):
    """Without a worker the function runs where it is awaited."""

    @registry.tool(run_in_thread=False)
    def where() -> int:
        return threading.get_ident()

    assert threading.get_ident() == asyncio.run(registry.aexecute("where")).value


def test_async_tools_share_one_loop_under_execute(registry):
    """A client that is bound to its loop survives from call to call."""

    @registry.tool
    async def loop() -> int:
        return id(asyncio.get_running_loop())

    assert registry.execute("loop").value == registry.execute("loop").value


def test_execute_works_inside_a_running_loop(registry):
    """It blocks that loop, and still gives the result."""

    @registry.tool
    async def nap() -> str:
        await asyncio.sleep(0)
        return "A"

    async def main():
        return registry.execute("nap").output

    assert "A" == asyncio.run(main())


@colours
def test_tools_call_the_registry_again(registry, colour):
    """Nested calls work in every mixture of sync and async, on the background loop too."""
    registry.add(add)

    @registry.tool
    async def aadd(a: int) -> int:
        return a + 1

    @registry.tool
    async def nested(a: int) -> str:
        inner = registry.execute("aadd", {"a": a})
        also = await registry.aexecute("add", {"a": a})
        many = registry.execute_all([ToolCall("aadd", {"a": 1}), ToolCall("add", {"a": 1})])
        return inner.output + also.output + "".join(result.output for result in many)

    @registry.tool
    def outer(a: int) -> str:
        return registry.execute("nested", {"a": a}).output

    assert "3322" == run(registry, colour, "outer", {"a": 2}).output


@colours
@kinds
def test_a_timeout_answers_on_time(registry, colour, is_async):
    """A tool that takes too long is answered at its limit, whatever it does."""

    def slow():
        time.sleep(0.5)

    async def aslow():
        try:
            await asyncio.sleep(5)
        finally:
            await asyncio.sleep(0.5)

    async def swallows():
        while True:
            try:
                await asyncio.sleep(5)
            except asyncio.CancelledError:
                await asyncio.sleep(0.3)
                return

    func = [slow, aslow, swallows][is_async]
    registry.add(func, timeout=0.1)
    started = time.perf_counter()
    result = run(registry, "sync", func.__name__)
    assert "timeout" == result.kind
    assert 0.3 > time.perf_counter() - started
    assert f"The tool {func.__name__} timed out after 0.1 s." == result.output
    assert isinstance(result.exception, TimeoutError)


def test_an_async_tool_that_blocks_its_loop_is_answered_too(registry):
    """Under execute even a blocked background loop costs no answer, nor the next call."""

    @registry.tool(timeout=0.1)
    async def blocks() -> str:
        time.sleep(0.6)
        return "late"

    @registry.tool
    async def fine() -> str:
        return "fine"

    started = time.perf_counter()
    assert "timeout" == registry.execute("blocks").kind
    assert "fine" == registry.execute("fine").output
    assert 0.5 > time.perf_counter() - started
    time.sleep(0.7)


def test_a_late_outcome_is_logged(registry, caplog):
    """What comes after the time is read and noted."""
    caplog.set_level(logging.INFO, "toolreg")

    @registry.tool(timeout=0.05)
    async def late() -> str:
        try:
            await asyncio.sleep(5)
        except asyncio.CancelledError:
            return "late"

    assert "timeout" == registry.execute("late").kind
    time.sleep(0.1)
    assert "after it had timed out" in caplog.text


def test_a_tool_in_time_is_not_touched(registry):
    """A limit that is not reached changes nothing."""

    @registry.tool(timeout=5)
    async def quick() -> str:
        return "ok"

    @registry.tool(timeout=5)
    def own() -> str:
        raise TimeoutError("mine")

    assert "ok" == registry.execute("quick").output
    assert "exception" == registry.execute("own").kind


@pytest.mark.parametrize("timeout", [None, 5])
def test_cancelling_the_caller_reaches_the_tool(registry, timeout):
    """A cancelled call cancels the tool and passes on."""
    seen = []

    async def wait():
        try:
            await asyncio.sleep(5)
        except asyncio.CancelledError:
            seen.append("cancelled")
            raise

    registry.add(wait, timeout=timeout)

    async def main():
        task = asyncio.ensure_future(registry.aexecute("wait"))
        await asyncio.sleep(0.02)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.sleep(0)

    asyncio.run(main())
    assert ["cancelled"] == seen


def test_a_truncated_call_is_never_run(registry):
    """What the token limit may have cut is answered bad_json, valid or not."""
    ran = []

    @registry.tool
    def write(text: str = "") -> None:
        ran.append(text)

    result = registry.execute(ToolCall("write", '{"text": "a"}', "c", truncated=True))
    assert ("bad_json", []) == (result.kind, ran)


def test_free_text_goes_to_the_one_parameter(registry):
    """A custom call's text is the argument of a tool with one parameter."""

    @registry.tool
    def sql(query: str) -> str:
        return query.upper()

    registry.add(add)
    assert '{"A' == registry.execute(ToolCall("sql", '{"a', "c", kind="custom")).output
    result = registry.execute(ToolCall("add", "text", "c", kind="custom"))
    assert "invalid_arguments" == result.kind


class TestApproval:
    @colours
    @kinds
    @pytest.mark.parametrize(
        ("answer", "kind", "text"),
        [
            (True, "success", "2"),
            (False, "denied", "The call of 'add' was denied."),
            ("not today\ud800", "denied", "The call of 'add' was denied: not today\ufffd"),
            (1, "exception", "TypeError: approve answered int, not True, False or a reason"),
            (None, "exception", "TypeError: approve answered NoneType"),
            (ValueError("x"), "exception", "ValueError: x"),
        ],
    )
    def test_the_approver_decides(self, colour, is_async, answer, kind, text):
        """True runs it, False and a reason deny it, anything else is an exception."""

        def decide(call, tool):
            if isinstance(answer, Exception):
                raise answer
            return answer

        async def adecide(call, tool):
            return decide(call, tool)

        ran = []

        def add(a: int) -> int:
            ran.append(a)
            return a + 1

        with Registry(approve=adecide if is_async else decide) as registry:
            registry.add(add, requires_approval=True)
            result = run(registry, colour, "add", {"a": 1}, call_id="c")
        assert (kind, "c") == (result.kind, result.call_id)
        assert text in result.output
        assert bool(ran) == (kind == "success")

    @colours
    def test_what_was_approved_is_what_runs(self, colour):
        """The approver sees the validated, repaired arguments and the call's context."""
        seen = []

        def approve(call, tool):
            seen.append((call.arguments, call.context, tool.name))
            call.arguments["a"] = 100
            return True

        with Registry(approve=approve) as registry:
            registry.add(add, requires_approval=True)
            result = run(registry, colour, "add", '"{\\"a\\": \\"3\\"}"', context={"user": 1})
        assert [({"a": 100}, {"user": 1}, "add")] == seen
        assert "4" == result.output
        assert '"{\\"a\\": \\"3\\"}"' == result.call.arguments

    @colours
    def test_a_predicate_says_which_calls_need_it(self, registry, colour):
        """Only calls for which the predicate holds wait."""
        registry.add(add, requires_approval=lambda call: call.arguments["a"] > 10)
        assert "success" == run(registry, colour, "add", {"a": 1}).kind
        assert "approval_required" == run(registry, colour, "add", {"a": 11}).kind
        assert "12" == run(registry, colour, "add", {"a": 11}, approved=True).output
        registry.add(add, name="odd", requires_approval=lambda call: "yes")
        assert "exception" == run(registry, colour, "odd", {"a": 1}).kind

    def test_waiting_is_not_the_tools_time(self):
        """A slow approver does not use up the timeout."""

        def approve(call, tool):
            time.sleep(0.15)
            return True

        with Registry(approve=approve, timeout=0.1) as registry:
            registry.add(add, requires_approval=True)
            assert "2" == registry.execute("add", {"a": 1}).output


class TestInjection:
    @colours
    @kinds
    def test_factories_are_closed_in_every_outcome(self, registry, colour, is_async):
        """A generator factory is resumed after the tool, whatever came of it."""
        log = []

        def connect(context):
            log.append("open")
            yield context["n"]
            log.append("close")

        async def aconnect(context):
            log.append("open")
            yield context["n"]
            log.append("close")

        factory = aconnect if is_async else connect

        @registry.tool
        def read(fail: bool, db: Annotated[int, Injected(factory)]) -> int:
            log.append("run")
            if fail:
                raise ValueError
            return db

        assert "5" == run(registry, colour, "read", {"fail": False}, context={"n": 5}).output
        assert "exception" == run(registry, colour, "read", {"fail": True}, context={"n": 5}).kind
        assert ["open", "run", "close"] * 2 == log

    @colours
    def test_a_factory_that_breaks_when_closed_costs_nothing(self, registry, colour, caplog):
        """The result stands; the log names the factory."""

        def connect():
            yield 1
            raise OSError("closing")

        async def aconnect():
            yield 1
            raise OSError("closing")

        @registry.tool
        def read(
            a: Annotated[int, Injected(connect)], b: Annotated[int, Injected(aconnect)]
        ) -> int:
            return a + b

        assert "2" == run(registry, colour, "read").output
        assert 2 == caplog.text.count("OSError: closing")

    @colours
    def test_what_is_missing_is_masked(self, registry, colour, caplog):
        """The model reads that the tool failed; the log names the parameter."""

        @registry.tool
        def read(key: Annotated[str, Injected]) -> str:
            return key

        @registry.tool
        def broken(key: Annotated[str, Injected(lambda: 1 / 0)]) -> str:
            return key

        for name in ("read", "broken"):
            result = run(registry, colour, name, context={"other": 1})
            assert ("exception", f"The tool {name} failed; the reason is not shown.") == (
                result.kind,
                result.output,
            )
            assert result.exception is not None
        assert "key cannot be supplied" in caplog.text

    @colours
    def test_every_source_is_understood(self, registry, colour):
        """By name, by key, whole, from an object, by async factory, and the call itself."""

        class Context:
            user = "ann"

        async def later(context):
            return context.user.upper()

        @registry.tool
        def read(
            user: Annotated[str, Injected],
            again: Annotated[str, Injected("user")],
            whole: Annotated[Any, Injected(whole=True)],
            upper: Annotated[str, Injected(later)],
            plain: Annotated[list, Injected(list)],
            call: Annotated[ToolCall, Injected],
            missing: Annotated[int, Injected] = 7,
            nowhere: Annotated[Any, Injected("gone")] = None,
        ) -> list:
            return [user, again, type(whole).__name__, upper, plain, call.id, missing, nowhere]

        result = run(registry, colour, "read", context=Context(), call_id="c1")
        assert ["ann", "ann", "Context", "ANN", [], "c1", 7, None] == json.loads(result.output)


def test_a_tool_runs_without_a_registry():
    """The explicit form alone validates, runs, serializes."""

    class Add(BaseModel):
        a: int
        b: int

    async def plus(a: int, b: int) -> int:
        return a + b

    tool = Tool(name="add", description="Add.", parameters=Add, func=plus)
    result = asyncio.run(tool.aexecute({"a": 19, "b": 23}, call_id="call_add_1"))
    assert ("42", False, "call_add_1") == (result.output, result.is_error, result.call_id)
    assert "42" == tool.execute('{"a": 19, "b": 23}').output
    spec = tool.spec()
    assert ("function", "add", "Add.", False) == (
        spec["type"],
        spec["name"],
        spec["description"],
        spec["strict"],
    )
    assert ["a", "b"] == spec["parameters"]["required"]


@colours
@pytest.mark.parametrize("options", [{}, {"timeout": 9}])
def test_a_default_that_raises_stop_iteration_is_an_exception_like_any_other(colour, options):
    """A coroutine cannot raise it, and no call is lost by that."""

    def stop():
        raise StopIteration("over")

    registry = Registry()

    @registry.tool(**options)
    def take(a: Annotated[int, Field(default_factory=stop)]) -> int:
        return a

    with registry:
        result = run(registry, colour, "take")
    assert ("exception", "StopIteration: over") == (result.kind, result.output)


def test_nan_beside_a_plain_fault_is_bad_json():
    """Arguments that are no JSON are told so first."""
    registry = Registry()

    @registry.tool
    def take(a: int, b: float = 0) -> float:
        return a + b

    assert registry.execute("take", '{"a": "many", "b": NaN}').kind == "bad_json"
    assert registry.execute("take", '{"a": "many", "b": 1}').kind == "invalid_arguments"


@pytest.mark.parametrize(
    ("annotation", "arguments"),
    [
        (int, '{"p": NaN}'),
        (list[int], '{"p": Infinity}'),
        (int, '{"p": "x", "q": NaN}'),
        (int, {"p": float("nan")}),
        (list[OnErrorOmit[int]], '{"p": [1, NaN]}'),
        (Annotated[str, Field(coerce_numbers_to_str=True)], '{"p": NaN}'),
        (
            with_config({"coerce_numbers_to_str": True})(TypedDict("D", {"v": str})),
            '{"p": {"v": NaN}}',
        ),
    ],
)
def test_nan_is_bad_json_whatever_the_type(annotation, arguments):
    """No number that JSON lacks reaches a tool, or is taken for a fault of a type."""
    registry = Registry()

    def take(p):
        return p

    take.__annotations__ = {"p": annotation}
    registry.add(take)
    assert registry.execute("take", arguments).kind == "bad_json"


def test_a_validator_s_own_missing_is_no_missing_argument():
    """A slip before a validator is mended, whatever the validator says of it."""

    def check(value):
        if isinstance(value, str):
            raise PydanticCustomError("missing", "no text")
        return value

    def strict(value):
        if isinstance(value, str):
            raise KeyError(value)
        return value

    registry = Registry()

    @registry.tool
    def take(p: Annotated[list[int], BeforeValidator(check)]) -> list[int]:
        return p

    @registry.tool
    def look(p: Annotated[list[int], BeforeValidator(strict)]) -> list[int]:
        return p

    assert ("[1]", ("json-text: p",)) == (
        (result := registry.execute("take", '{"p": "[1]"}')).output,
        result.repairs,
    )
    hidden = json.dumps(json.dumps({"p": " [1]"}))
    assert "[1]" == registry.execute("look", hidden).output
