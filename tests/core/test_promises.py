"""No input, no name, no id and no behaviour of a tool makes execution raise or lose a call."""

import asyncio
import inspect
import itertools
import json
import logging
import random
from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import Annotated, Any, Literal, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, create_model
from pydantic_core import from_json

from tests.core import strange
from toolreg import Registry, ToolCall, ToolResult, formats
from toolreg._types import Kind

KINDS = frozenset(get_args(Kind))
ROUND = itertools.cycle(formats.FORMATS)
WAYS = ("execute", "aexecute", "execute_all", "aexecute_all")


@pytest.fixture(autouse=True)
def quiet():
    """Ten thousand tracebacks are too many for a report."""
    log = logging.getLogger("toolreg")
    log.propagate = False
    yield
    log.propagate = True


def run(registry: Registry, way: str, call: ToolCall) -> ToolResult:
    if way == "execute":
        return registry.execute(call)
    if way == "aexecute":
        return asyncio.run(registry.aexecute(call))
    if way == "execute_all":
        (result,) = registry.execute_all([call])
    else:
        (result,) = asyncio.run(registry.aexecute_all([call]))
    return result


def check(result: ToolResult, call: ToolCall) -> None:
    """Assert what holds of every result."""
    assert type(result) is ToolResult
    assert result.kind in KINDS
    assert type(result.output) is str
    result.output.encode()
    if call.id is None or (type(call.id) is str and not call.id):
        assert result.call_id
    else:
        assert result.call_id is call.id
    said = type(result.value)
    if result.kind == "success" and not result.parts and not issubclass(said, str):
        json.loads(result.output, parse_constant=pytest.fail, parse_int=str)


def give_up(value: object) -> str:
    """Say what json cannot write: bytes in the messages of Bedrock, ids of all kinds."""
    return "foreign"


def sound(messages: list, *, ids: bool = True) -> None:
    """Assert that messages can be sent."""
    assert messages
    json.dumps(
        messages if ids else repr_free(messages), ensure_ascii=False, default=give_up
    ).encode()


def repr_free(value: Any) -> Any:
    """Return messages without the ids that were put in."""
    hidden = {"tool_call_id", "call_id", "tool_use_id", "toolUseId", "id"}
    if isinstance(value, dict):
        return {key: repr_free(each) for key, each in value.items() if key not in hidden}
    return [repr_free(each) for each in value] if isinstance(value, list) else value


def through_all(registry: Registry, make, *, ids: bool = True) -> list[ToolResult]:
    """Run a call every way, and have every format answer it."""
    results = []
    for way in WAYS:
        call = make()
        results.append(run(registry, way, call))
        check(results[-1], call)
    for each in formats.FORMATS.values():
        sound(each.messages(results[:1]), ids=ids)
    sound(registry.dispatch([make()], next(ROUND)), ids=ids)
    asyncio.run(adispatched(registry, make(), ids=ids))
    return results


async def adispatched(registry: Registry, call: ToolCall, *, ids: bool) -> None:
    # What it returned would be printed by asyncio.run.
    sound(await registry.adispatch([call], next(ROUND)), ids=ids)


BEHAVIOURS = {
    **{f"gives {name}": (make, False) for name, make in strange.VALUES.items()},
    **{f"gives {name}": (make, False) for name, make in strange.AWAITABLES.items()},
    **{f"raises {name}": (make, True) for name, make in strange.ERRORS.items()},
}
LIGHT = [name for name in BEHAVIOURS if name.partition(" ")[2] not in strange.HEAVY]


def behave(what: str) -> Any:
    make, raises = BEHAVIOURS[what]
    if raises:
        raise make()
    return make()


async def abehave(what: str) -> Any:
    return behave(what)


def add(a: int, b: int = 1) -> int:
    return a + b


async def many(**names: Any) -> int:
    return len(names)


@pytest.fixture(scope="module")
def registry():
    with Registry() as made:
        for func in (behave, abehave, add, many):
            made.add(func)
        yield made


@pytest.fixture(scope="module")
def masked():
    with Registry(mask_errors=True, max_output=1000, timeout=20) as made:
        for func in (behave, abehave, add, many):
            made.add(func)
        yield made


@pytest.mark.parametrize("what", LIGHT)
@pytest.mark.parametrize("name", ["behave", "abehave"])
def test_no_behaviour_of_a_tool_loses_a_call(registry, name, what):
    """Whatever a tool gives or raises, every way answers once, with text that can be sent."""
    through_all(registry, lambda: ToolCall(name, {"what": what}, "c"))


@pytest.mark.parametrize("what", [name for name in BEHAVIOURS if name not in LIGHT])
def test_no_size_or_depth_loses_a_call(registry, what):
    """Megabytes and depths of a hundred thousand end as a result of some kind."""
    for name in ("behave", "abehave"):
        call = ToolCall(name, {"what": what}, "c")
        result = registry.execute(call)
        check(result, call)
        for each in formats.FORMATS.values():
            assert each.messages([result])
    call = ToolCall("abehave", {"what": what}, "c")
    check(asyncio.run(registry.aexecute(call)), call)


@pytest.mark.parametrize("what", LIGHT)
def test_masks_limits_and_timeouts_lose_no_call(masked, what):
    """Options that stand between a tool and the model change none of it."""
    for way in WAYS:
        call = ToolCall("behave" if "all" in way else "abehave", {"what": what}, 0)
        result = run(masked, way, call)
        check(result, call) if len(result.output) < 1000 else None
        assert 1000 >= len(result.output)


@pytest.mark.parametrize("what", strange.ENDLESS)
def test_what_never_ends_times_out(what):
    """An awaitable without end is answered at its limit, every way."""
    with Registry(timeout=0.05) as registry:
        registry.add(lambda: strange.ENDLESS[what](), name="sync")

        @registry.tool(name="async")
        async def twin() -> Any:
            return strange.ENDLESS[what]()

        for name in ("sync", "async"):
            for way in WAYS:
                call = ToolCall(name, None, "c")
                result = run(registry, way, call)
                check(result, call)
                assert "timeout" == result.kind


@pytest.mark.parametrize("what", strange.NAMES)
def test_no_name_loses_a_call(registry, what):
    """A name may be anything at all; the result says that there is no such tool."""
    make = strange.NAMES[what]
    results = through_all(registry, lambda: ToolCall(make(), {"a": 1}, "c"))
    assert {"success" if what == "text that refuses" else "unknown_tool"} == {
        r.kind for r in results
    }
    assert all(type(result.name) is str for result in results)
    assert all(200 > len(result.output) for result in results)


@pytest.mark.parametrize("what", strange.IDS)
@pytest.mark.parametrize("name", ["add", "behave", "nope"])
def test_no_id_is_lost(registry, name, what):
    """An id of any type comes back as the very same object."""
    made = strange.IDS[what]()
    arguments = {"a": 1} if name == "add" else {"what": "raises no text"}
    through_all(registry, lambda: ToolCall(name, arguments, made), ids=False)
    if name in registry:
        assert made is registry[name].execute(arguments, call_id=made).call_id


@pytest.mark.parametrize("what", strange.ARGUMENTS)
@pytest.mark.parametrize("name", ["add", "many"])
def test_no_arguments_lose_a_call(registry, name, what):
    """Arguments may be anything; what is no JSON object is said to be none."""
    make = strange.ARGUMENTS[what]
    if what in strange.HEAVY:
        call = ToolCall(name, make(), "c")
        for result in (registry.execute(call), asyncio.run(registry.aexecute(call))):
            check(result, call)
        return
    through_all(registry, lambda: ToolCall(name, make(), "c"))


@pytest.fixture(scope="module")
def wrapped(registry):
    with Registry(approve=lambda call, tool: True) as made:
        for func in (behave, abehave, add, many):
            made.add(func, requires_approval=lambda call: bool(call.arguments))

        @made.middleware
        def twice(call):
            yield call
            return (yield call)

        @made.middleware(tools=["a*", "b*"])
        def watch(call):
            return (yield call)

        yield made


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)
near = st.fixed_dictionaries(
    {},
    optional={
        "a": json_values,
        "b": json_values,
        "what": st.sampled_from(LIGHT) | json_values,
        "c": json_values,
    },
)
raw_text = st.one_of(
    near.map(json.dumps),
    near.map(json.dumps).map(json.dumps),
    st.tuples(near.map(json.dumps), st.integers(0, 60)).map(lambda cut: cut[0][: cut[1]]),
    st.tuples(near.map(json.dumps), st.text(max_size=3), st.integers(0, 60)).map(
        lambda text: text[0][: text[2]] + text[1] + text[0][text[2] :]
    ),
    st.text(),
    st.text(alphabet='{}[]",:\\ntrue0.eE-+\ud800\x00 '),
)
raw = st.one_of(
    near,
    near.map(lambda value: {"arguments": value}),
    raw_text,
    near.map(json.dumps).map(lambda text: text.encode("utf-16")),
    st.binary(),
)


@dataclass(frozen=True)
class Strange:
    """Names a strange thing, which hypothesis could not even print."""

    table: str
    name: str

    def made(self) -> Any:
        return getattr(strange, self.table)[self.name]()


def stranges(table: str) -> st.SearchStrategy[Strange]:
    light = [name for name in getattr(strange, table) if name not in strange.HEAVY]
    return st.builds(Strange, st.just(table), st.sampled_from(light))


def called(*drawn: Any) -> ToolCall:
    return ToolCall(*(each.made() if type(each) is Strange else each for each in drawn))


named = st.sampled_from(["add", "many", "behave", "abehave"])
calls = st.tuples(
    named | st.text() | stranges("NAMES"),
    raw | stranges("ARGUMENTS"),
    st.text() | st.integers() | st.none() | stranges("IDS"),
)
slow = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@slow
@given(calls, st.sampled_from(WAYS))
def test_no_call_raises_or_is_lost(wrapped, drawn, way):
    """Any name, arguments and id, through middleware and approval, give one result."""
    call = called(*drawn)
    check(run(wrapped, way, call), call)


@slow
@given(st.lists(calls, max_size=5), st.sampled_from(list(formats.FORMATS)))
def test_no_batch_loses_a_call(wrapped, drawn, format):
    """Each call of a batch is answered in its place, and every format writes the answers."""
    calls = [called(*each) for each in drawn]
    for results in (wrapped.execute_all(calls), asyncio.run(wrapped.aexecute_all(calls))):
        assert len(calls) == len(results)
        for call, result in zip(calls, results, strict=True):
            check(result, call)
        if calls:
            sound(formats.get(format).messages(results), ids=False)
    messages = wrapped.dispatch(calls, format)
    sound(messages, ids=False) if calls else None


class Colour(Enum):
    red = "red"
    blue = 2


class Line(BaseModel):
    model_config = ConfigDict(extra="forbid")
    sku: str
    count: Annotated[int, Field(ge=1)] = 1
    tags: list[str] | None = None


FIELDS: dict[str, Any] = {
    "whole": (int, ...),
    "half": (float, 0.5),
    "text": (str, ""),
    "flag": (bool, False),
    "day": (date | None, None),
    "colour": (Colour, Colour.red),
    "word": (Literal["a", "b", 3], "a"),
    "line": (Line | None, None),
    "lines": (list[Line], []),
    "table": (dict[str, int | str], {}),
    "pair": (tuple[int, str] | None, None),
    "any": (Any, None),
}
Reference = create_model("Reference", __config__=ConfigDict(extra="forbid"), **FIELDS)
scalars = st.sampled_from(
    [None, True, False, 0, 1, 3, -1, 1.0, 2.5, 1e300, "", "a", "A", "3", "1.0", "true", "red", "RED",
     2, "2026-12-24", "x" * 50, "null", "[]", "{}", '{"sku": "a"}']
)  # fmt: skip
lines = st.fixed_dictionaries(
    {}, optional={"sku": scalars, "count": scalars, "tags": st.lists(scalars, max_size=2) | scalars}
)
fitting = {
    "whole": st.integers(-5, 5),
    "half": st.floats(allow_nan=False, allow_infinity=False),
    "text": st.text(st.characters(codec="utf-8"), max_size=5),
    "flag": st.booleans(),
    "day": st.dates().map(str),
    "colour": st.sampled_from(["red", 2]),
    "word": st.sampled_from(["a", "b", 3]),
    "line": st.fixed_dictionaries({"sku": st.just("a")}, optional={"count": st.integers(1, 9)}),
    "lines": st.lists(st.fixed_dictionaries({"sku": st.just("b")}), max_size=2),
    "table": st.dictionaries(st.sampled_from("xyz"), st.integers() | st.just("t"), max_size=2),
    "pair": st.tuples(st.integers(), st.just("p")).map(list),
    "any": scalars | st.lists(scalars, max_size=2),
}
odd = scalars | lines | st.lists(scalars | lines, max_size=2)
valid = st.fixed_dictionaries(
    {"whole": fitting["whole"]},
    optional={name: s for name, s in fitting.items() if name != "whole"},
)
mixed = st.tuples(
    valid, st.dictionaries(st.sampled_from([*FIELDS, "other"]), odd, max_size=2)
).map(lambda both: {**both[0], **both[1]})  # fmt: skip


def recorder():
    """Return a tool of the reference's fields that keeps what it was called with."""
    seen: list[dict[str, Any]] = []

    def record(**values: Any) -> None:
        seen.append(values)

    record.__signature__ = inspect.Signature(
        [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                annotation=kind,
                default=inspect.Parameter.empty if default is ... else default,
            )
            for name, (kind, default) in FIELDS.items()
        ]
    )
    return record, seen


@pytest.fixture(scope="module")
def recording():
    record, seen = recorder()
    with Registry() as made:
        made.add(record)
        yield made, seen


@settings(max_examples=400, deadline=None)
@given(valid | mixed)
def test_what_validates_is_never_changed(recording, arguments):
    """What pydantic takes as it is, the function gets as it is; what it refuses is mended aloud."""
    registry, seen = recording
    text = json.dumps(arguments)
    seen.clear()
    try:
        expected = Reference.model_validate_json(text)
    except ValidationError:
        result = registry.execute("record", text)
        assert result.kind == "invalid_arguments" or (result.kind == "success" and result.repairs)
        assert bool(seen) == (result.kind == "success")
        return
    for sent in (text, arguments, text.encode()):
        seen.clear()
        result = registry.execute("record", sent)
        assert ("success", ()) == (result.kind, result.repairs)
        made = {name: getattr(expected, name) for name in expected.model_fields_set}
        assert [{"lines": [], "table": {}, **made}] == seen  # such defaults are copied


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet='{}[]",:\\ntrue0.eE- whole') | raw_text)
def test_broken_json_is_never_guessed(recording, text):
    """Text that is no JSON does not run, whatever could be made of it."""
    registry, seen = recording
    seen.clear()
    try:
        from_json(text.encode("utf-8", "surrogatepass"), allow_inf_nan=False)
    except ValueError:
        if text.strip():
            assert "bad_json" == registry.execute("record", text).kind
            assert [] == seen


def hostile(draw: random.Random, number: int) -> ToolCall:
    """Return one call out of right, wrong and hostile ones."""
    name = draw.choice(["add", "add_later", "behave", "abehave", "many", "block", "nope"])
    if draw.random() < 0.02:
        name = strange.NAMES[draw.choice(list(strange.NAMES))]()
    light = [each for each in strange.ARGUMENTS if each not in strange.HEAVY]
    arguments = draw.choice(
        [
            {"a": number},
            '{"a": 1, "b": 2}',
            {"what": draw.choice(LIGHT)},
            {"what": draw.choice(LIGHT)},
            '{"a": "x"}',
            '{"a": ',
            None,
            strange.ARGUMENTS[draw.choice(light)](),
        ]
    )
    return ToolCall(name, arguments, number)


@pytest.mark.parametrize("colour", ["sync", "async"])
def test_ten_thousand_calls_are_answered_once_each(colour):
    """Right, wrong and hostile calls of right and hostile tools: no exception, no id lost."""
    draw = random.Random(7)
    with Registry(workers=8) as registry:
        for func in (behave, abehave, add, many):
            registry.add(func)

        @registry.tool
        async def add_later(a: int, b: int = 1) -> int:
            await asyncio.sleep(0)
            return a + b

        @registry.tool(timeout=5)
        def block(a: int = 0) -> int:
            return a

        calls = [hostile(draw, number) for number in range(5000)]
        if colour == "sync":
            results = [registry.execute(call) for call in calls[:2500]]
            results += registry.execute_all(calls[2500:], max_concurrency=50)
        else:

            async def main():
                alone = [await registry.aexecute(call) for call in calls[:2500]]
                return alone + await registry.aexecute_all(calls[2500:], max_concurrency=50)

            results = asyncio.run(main())
    assert list(range(5000)) == [result.call_id for result in results]
    for call, result in zip(calls, results, strict=True):
        check(result, call)
    kinds = {result.kind for result in results}
    assert {
        "success", "unknown_tool", "bad_json", "invalid_arguments", "tool_error", "exception",
        "unserializable",
    } <= kinds  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(valid, st.sampled_from([json.dumps, lambda arguments: {"input": arguments}]))
def test_what_was_wrapped_is_taken_as_it_is_if_it_validates(recording, arguments, wrapped):
    """Arguments inside a text or under one wrapper key are mended no further if they validate."""
    registry, seen = recording
    seen.clear()
    assert registry.execute("record", json.dumps(arguments)).kind == "success"
    [expected] = seen
    seen.clear()
    result = registry.execute("record", json.dumps(wrapped(arguments)))
    if not arguments:
        return  # nothing tells such a wrapper from an unknown argument
    assert ("success", 1) == (result.kind, len(result.repairs)), result.output
    assert [expected] == seen


def test_slips_inside_a_text_are_mended_if_it_does_not_validate():
    """What was hidden in a text is looked into only where it needs to be."""
    registry = Registry()

    @registry.tool
    def take(
        point: dict[str, int],
        note: Annotated[str, BeforeValidator(lambda value: value or "")] = "x",
    ) -> list[object]:
        return [point, note]

    hidden = json.dumps({"point": {"x": "1"}, "note": None})
    result = registry.execute("take", json.dumps(hidden))
    assert ('[{"x":1},""]', ("double-encoded",)) == (result.output, result.repairs)
    hidden = json.dumps({"point": '{"x": "1"}', "note": None})
    result = registry.execute("take", json.dumps(hidden))
    assert ('[{"x":1},"x"]', "success") == (result.output, result.kind)
    assert {"double-encoded", "json-text: point", "null-dropped: note"} <= set(result.repairs)
