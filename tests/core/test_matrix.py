"""Every option holds for sync and async tools, every way they are called, and with every other."""

import asyncio
import itertools
import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Annotated, Any, get_args

import pytest

from toolreg import Image, Injected, MultiResult, Registry, ToolCall, ToolError, ToolResult, formats
from toolreg._types import Kind

SECRET = "hunter2"
LONG = "x" * 100
WAYS = ("execute", "aexecute", "execute_all", "aexecute_all", "dispatch", "adispatch")
SWITCHES = ("approval", "middleware", "view", "mask", "max_output", "timeout")

ways = pytest.mark.parametrize("way", WAYS)
colours = pytest.mark.parametrize("is_async", [False, True], ids=["def", "async def"])


def run(toolset: Any, way: str, calls: list[ToolCall], **options: Any) -> list[ToolResult]:
    """Run calls one way or another; return their results in order."""
    order = [call.id for call in calls]
    if way == "execute":
        return [toolset.execute(call, **options) for call in calls]
    if way == "execute_all":
        return toolset.execute_all(calls, **options)
    if way == "dispatch":
        found: list[ToolResult] = []
        toolset.dispatch(calls, "openai", on_result=found.append, **options)
        return sorted(found, key=lambda result: order.index(result.call_id))

    async def main() -> list[ToolResult]:
        if way == "aexecute":
            return [await toolset.aexecute(call, **options) for call in calls]
        if way == "aexecute_all":
            return await toolset.aexecute_all(calls, **options)
        results: list[ToolResult] = []
        await toolset.adispatch(calls, "openai", on_result=results.append, **options)
        return results

    return sorted(asyncio.run(main()), key=lambda result: order.index(result.call_id))


class Mode(Enum):
    fast = "fast"
    slow = "slow"


@dataclass
class World:
    """A registry under some switches, and what happened in it."""

    on: frozenset[str]
    is_async: bool
    ran: list[tuple[Any, ...]] = field(default_factory=list)
    approved: list[tuple[Any, ...]] = field(default_factory=list)
    seen: list[tuple[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.registry = Registry(
            approve=self.approve if "approval" in self.on else None,
            mask_errors="mask" in self.on,
            max_output=40 if "max_output" in self.on else None,
            timeout=0.25 if "timeout" in self.on else None,
        )
        work, other = (self.awork, self.other_later) if self.is_async else (self.work, self.other)
        needs = "approval" in self.on
        self.registry.add(work, name="work", requires_approval=needs)
        self.registry.add(other, name="other", requires_approval=lambda call: needs)
        if "middleware" in self.on:
            self.registry.middleware(self.wrap)
        self.toolset = self.registry.select("w*") if "view" in self.on else self.registry

    async def approve(self, call: ToolCall, tool: Any) -> Any:
        if call.name == "other":
            return True
        self.approved.append((call.arguments["n"], call.arguments["mode"], call.context))
        return "four is too many" if call.arguments["n"] == 4 else True

    def wrap(self, call: ToolCall) -> Any:
        if call.name == "work" and json.loads(call.arguments).get("n") == 105:
            call = replace(call, arguments='{"n": 5, "mode": "slow"}')
        result = yield call
        self.seen.append((call.name, result.kind))
        return result

    def step(self, n: int, mode: Mode, context: Any) -> Any:
        self.ran.append((n, mode, context))
        if n == 1:
            raise ValueError(SECRET)
        if n == 2:
            return MultiResult(["one", ValueError(SECRET), Image(b"abc")])
        if n == 6:
            raise ToolError("said")
        return LONG

    def work(self, n: int, mode: Mode, context: Annotated[Any, Injected(whole=True)]) -> Any:
        if n == 3:
            time.sleep(0.6)
        return self.step(n, mode, context)

    async def awork(self, n: int, mode: Mode, context: Annotated[Any, Injected(whole=True)]) -> Any:
        if n == 3:
            await asyncio.sleep(0.6)
        return self.step(n, mode, context)

    def other(self) -> str:
        self.ran.append(("other",))
        return "other"

    async def other_later(self) -> str:
        return self.other()

    def expected(self, n: int) -> str:
        if n == 1:
            return "exception"
        if n == 4 and "approval" in self.on:
            return "denied"
        return {3: "timeout", 6: "tool_error"}.get(n, "success")


def switched() -> list[frozenset[str]]:
    return [
        frozenset(chosen)
        for size in range(len(SWITCHES) + 1)
        for chosen in itertools.combinations(SWITCHES, size)
    ]


@pytest.mark.parametrize("on", switched(), ids=lambda on: "+".join(sorted(on)) or "none")
def test_options_hold_together_every_way(on):
    """Each set of options, each colour of a tool, each way of a call: the same outcomes."""
    numbers = [0, 1, 2, 4, 6, 105]
    if on in ({"timeout"}, set(SWITCHES)):
        numbers.insert(3, 3)
    for is_async, way in itertools.product((False, True), WAYS):
        world = World(on, is_async)
        calls = [
            ToolCall("work", json.dumps({"n": str(n), "mode": "SLOW" if n % 2 else "fast"}), n)
            for n in numbers[:-1]
        ]
        calls += [
            ToolCall("work", '{"n": 105, "mode": "fast"}', 105),
            ToolCall("work", '{"n": "many", "mode": "fast"}', "bad"),
            ToolCall("other", "{}", "other"),
        ]
        with world.registry:
            results = run(world.toolset, way, calls, context="mine")
        check(world, numbers, results, (is_async, way))


def check(world: World, numbers: list[int], results: list[ToolResult], where: Any) -> None:
    on = world.on
    bad, other = results[-2:]
    assert [*numbers, "bad", "other"] == [result.call_id for result in results], where
    assert [world.expected(n) for n in numbers] == [r.kind for r in results[:-2]], where
    assert "invalid_arguments" == bad.kind
    for n, result in zip(numbers, results, strict=False):
        if n in {1, 2} and "max_output" not in on:
            assert (SECRET in result.output) == ("mask" not in on), where
        if n == 0 and "max_output" not in on:
            assert LONG == result.output
        assert n != 0 or LONG == result.value
        assert "max_output" not in on or n == 1 or result.is_error or 40 >= len(result.output)
        assert (2 if n == 2 else 0) == sum(part.media is None for part in result.parts), where
        assert bool(result.repairs) == (n in {1, 3}), where
    if "view" in on:
        assert "unknown_tool" == other.kind
        assert "other" not in other.output.partition("The tools are")[2]
        assert ("other",) not in world.ran
    else:
        assert ("success", "other") == (other.kind, other.output)
    runs = [run for run in world.ran if run != ("other",)]
    if "approval" in on:
        allowed = [each for each in world.approved if each[0] not in {3, 4}]
        assert sorted(map(str, allowed)) == sorted(str(run) for run in runs if run[0] != 3), where
    assert all(type(run[1]) is Mode and run[2] == "mine" for run in runs)
    if "middleware" in on:
        assert len(results) == len(world.seen)
        assert {"invalid_arguments", "success", "exception"} <= {kind for _, kind in world.seen}
        assert (5, Mode.slow, "mine") in runs
    else:
        assert (105, Mode.fast, "mine") in runs


@ways
@colours
@pytest.mark.parametrize("answer", [True, False, "not now"])
@pytest.mark.parametrize("approver", ["def", "async def"])
def test_what_was_approved_is_what_runs(way, is_async, answer, approver):
    """The approver's arguments are the tool's, whoever touches the call in between."""
    shown: list[Any] = []
    ran: list[Any] = []

    def approve(call: ToolCall, tool: Any) -> Any:
        shown.append(dict(call.arguments))
        call.arguments["n"] = 99
        call.name = "other"
        registry.add(lambda n, mode: ran.append("replaced"), name="work", replace=True)
        return answer

    async def aapprove(call: ToolCall, tool: Any) -> Any:
        return approve(call, tool)

    def work(n: int, mode: Mode = Mode.fast, tags: list[str] | None = None) -> None:
        ran.append({"n": n, "mode": mode, "tags": tags})

    async def awork(n: int, mode: Mode = Mode.fast, tags: list[str] | None = None) -> None:
        work(n, mode, tags)

    with Registry(approve=approve if approver == "def" else aapprove) as registry:
        registry.add(awork if is_async else work, name="work", requires_approval=True)
        sent = {"n": "3", "mode": "SLOW", "tags": '["a"]'}
        (result,) = run(registry, way, [ToolCall("work", sent, "c")])
    assert [{"n": 3, "mode": Mode.slow, "tags": ["a"]}] == shown
    assert (shown if answer is True else []) == ran
    assert ("success" if answer is True else "denied") == result.kind
    assert {"n": "3", "mode": "SLOW", "tags": '["a"]'} == sent


@ways
@colours
def test_nothing_runs_that_nobody_could_approve(way, is_async):
    """Without an approver the call waits; said to be approved, it runs as it was sent."""
    ran: list[int] = []

    def work(n: int) -> None:
        ran.append(n)

    async def awork(n: int) -> None:
        ran.append(n)

    with Registry() as registry:
        registry.add(
            awork if is_async else work,
            name="work",
            requires_approval=lambda call: call.arguments["n"] > 1,
        )
        calls = [ToolCall("work", {"n": 1}, 1), ToolCall("work", {"n": 2}, 2)]
        results = run(registry, way, calls)
        assert ["success", "approval_required"] == [result.kind for result in results]
        assert [1] == ran
        if "dispatch" in way:
            messages = registry.dispatch(calls, "openai")
            assert [1] == [message["tool_call_id"] for message in messages]
        else:
            (result,) = run(registry, way, [results[1].call], approved=True)
            assert ("success", 2) == (result.kind, ran[-1])


@ways
@colours
def test_a_view_neither_runs_nor_names_an_outsider(way, is_async):
    """Under its name, a near name, a format's spelling, by middleware: it does not exist."""
    ran: list[str] = []

    def secret_tool() -> None:
        ran.append("secret")

    async def asecret_tool() -> None:
        ran.append("secret")

    def work() -> str:
        return "work"

    async def awork() -> str:
        return "work"

    with Registry() as registry:
        registry.add(asecret_tool if is_async else secret_tool, name="secret-tool", tags=["in"])
        registry.add(awork if is_async else work, name="work", tags=["in", "out"])
        views = [
            registry.select("work"),
            registry.select(tags="out"),
            registry.select(where=lambda tool: tool.name != "secret-tool"),
            registry.select(tags="in").select("w*"),
        ]

        @registry.middleware(tools="detour")
        def detour(call: ToolCall) -> Any:
            return (yield replace(call, name="secret-tool"))

        names = ["secret-tool", "secret_tool", "secret-tol", "detour", "SECRET-TOOL", ""]
        calls = [ToolCall(name, None, number) for number, name in enumerate(names)]
        for view in views:
            for result in run(view, way, [*calls, ToolCall("work", None, "work")]):
                if result.call_id == "work":
                    assert "work" == result.output
                    continue
                assert "unknown_tool" == result.kind
                listed = result.output.replace(repr(result.name), "", 1).replace(
                    "'secret-tool'", "", 1
                )
                assert "secret" not in listed.lower()
            assert ["work"] == list(view)
            assert "secret" not in json.dumps(view.specs("openai"))
        assert [] == ran


@ways
@colours
@pytest.mark.parametrize("factory", ["def", "async def", "yield", "async yield", "key", "value"])
def test_injection_holds_every_way(way, is_async, factory):
    """Whatever supplies it, the function gets it, and what was opened is closed."""
    log: list[str] = []

    def plain(context: Any) -> str:
        return context["who"]

    async def awaited(context: Any) -> str:
        return context["who"]

    def opened(context: Any) -> Any:
        yield context["who"]
        log.append("closed")

    async def aopened(context: Any) -> Any:
        yield context["who"]
        log.append("closed")

    inject: Any = {
        "def": {"who": plain},
        "async def": {"who": awaited},
        "yield": {"who": opened},
        "async yield": {"who": aopened},
        "key": ["who"],
        "value": {"who": "ann"},
    }[factory]

    def work(n: int, who: str, fail: bool = False) -> str:
        if fail:
            raise ValueError("no")
        return f"{n}{who}"

    async def awork(n: int, who: str, fail: bool = False) -> str:
        return work(n, who, fail)

    with Registry(inject=inject) as registry:
        registry.add(awork if is_async else work, name="work")
        calls = [
            ToolCall("work", {"n": 1}, 1, {"who": "ann"}),
            ToolCall("work", {"n": 2, "fail": True}, 2),
            ToolCall("work", {"n": 3, "who": "bob"}, 3),
        ]
        results = run(registry, way, calls, context={"who": "ann"})
    assert ["1ann", "ValueError: no"] == [result.output for result in results[:2]]
    assert "invalid_arguments" == results[2].kind
    assert ["closed"] * (2 if "yield" in factory else 0) == log


@ways
@colours
def test_executors_serializers_and_barriers_hold_every_way(way, is_async):
    """The rest of the options, all at once."""
    log: list[str] = []

    def work(n: int) -> list[int]:
        log.append(f"+{n}")
        time.sleep(0.005)
        log.append(f"-{n}")
        return [n]

    async def awork(n: int) -> list[int]:
        log.append(f"+{n}")
        await asyncio.sleep(0.005)
        log.append(f"-{n}")
        return [n]

    with ThreadPoolExecutor(2) as pool, Registry(executor=pool, workers=2) as registry:
        func = awork if is_async else work
        registry.add(func, name="work", serializer=lambda value: f"<{value[0]}>")
        registry.add(func, name="alone", sequential=True, max_output=30)
        calls = [ToolCall("alone" if n % 3 == 0 else "work", {"n": n}, n) for n in range(7)]
        results = run(registry, way, calls)
    assert ["[0]", "<1>", "<2>", "[3]", "<4>", "<5>", "[6]"] == [r.output for r in results]
    for n in (0, 3, 6):
        assert f"-{n}" == log[log.index(f"+{n}") + 1]


def made(kind: str) -> tuple[ToolResult, str]:
    """Return a result of a kind, as execution makes it, and what its text holds."""
    with Registry(approve=None) as registry:

        @registry.tool(timeout=0.01)
        async def late() -> None:
            await asyncio.sleep(1)

        @registry.tool
        def odd() -> Any:
            return object()

        @registry.tool
        def fail() -> None:
            raise ValueError("wrong")

        @registry.tool
        def say() -> None:
            raise ToolError("said")

        @registry.tool(requires_approval=True)
        def ask() -> None:
            return None

        @registry.tool
        def work(n: int = 1) -> dict[str, int]:
            return {"n": n}

        @registry.tool
        def several() -> MultiResult:
            return MultiResult(["one", ToolError("two"), Image(b"abc"), {"n": 3}])

        @registry.tool
        def picture() -> Image:
            return Image(b"abc")

        @registry.middleware(tools="closed")
        def close(call: ToolCall) -> Any:
            return call.deny("closed")
            yield

        name, arguments, said = {
            "success": ("work", "{}", '{"n":1}'),
            "unknown_tool": ("nope", "{}", "There is no tool 'nope'"),
            "bad_json": ("work", '{"n":', "not valid JSON"),
            "invalid_arguments": ("work", '{"n": "x"}', "n: should be a valid integer"),
            "denied": ("closed", "{}", "was denied: closed"),
            "approval_required": ("ask", "{}", "waits for approval"),
            "tool_error": ("say", "{}", "said"),
            "exception": ("fail", "{}", "ValueError: wrong"),
            "timeout": ("late", "{}", "timed out after 0.01 s"),
            "unserializable": ("odd", "{}", "has no JSON form"),
            "several": ("several", "{}", "two"),
            "picture": ("picture", "{}", "image"),
        }[kind]
        return registry.execute(name, arguments, call_id=f"call_{kind[:9]}"), said


KINDS = get_args(Kind)
FLAGS: dict[str, Callable[[dict[str, Any]], bool]] = {
    "anthropic": lambda message: message["content"][0]["is_error"],
    "bedrock": lambda message: message["content"][0]["toolResult"]["status"] == "error",
    "gemini": lambda message: "error" in message["parts"][0]["functionResponse"]["response"],
    "mcp": lambda message: message["result"]["isError"],
}


@pytest.mark.parametrize("name", formats.FORMATS)
@pytest.mark.parametrize("kind", [*KINDS, "several", "picture"])
def test_each_kind_of_result_goes_through_each_format(name, kind):
    """A provider is told the text, under the id, and that it failed if it did."""
    result, said = made(kind)
    assert kind in {result.kind, "several", "picture"}
    messages = formats.FORMATS[name].messages([result])
    text = json.dumps(messages, default=lambda raw: raw.hex())
    if kind != "picture":
        assert json.dumps(said)[1:-1] in text.replace('\\\\\\"', '\\"')
    if name != "ollama":
        assert result.call_id in text
    first = messages[0]
    if name in FLAGS and (name, kind) != ("mcp", "unknown_tool"):
        assert result.is_error == FLAGS[name](first)
    elif name not in FLAGS:
        assert (result.is_error or kind == "several") == ("Error: " in text)


@pytest.mark.parametrize("name", formats.FORMATS)
def test_all_kinds_of_results_go_into_one_turn(name):
    """Ten results of one turn are ten answers, in order."""
    results = [made(kind)[0] for kind in KINDS]
    text = json.dumps(formats.FORMATS[name].messages(results))
    if name != "ollama":
        places = [text.index(result.call_id) for result in results]
        assert places == sorted(places)
    outputs = [json.dumps(result.output)[1:-1][:20] for result in results if result.is_error]
    assert all(output in text for output in outputs)
