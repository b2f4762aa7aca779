"""Ways around the contract that are closed."""

import os
import threading
from typing import Annotated

import pytest
import typing_extensions

from toolreg import Injected, Registry, Tool, ToolCall, ToolDefinitionError, ToolError, formats


@pytest.fixture
def registry():
    with Registry() as made:
        yield made


def test_a_safe_spelling_passes_the_same_middleware(registry):
    """Middleware for a tool or tag also guards the spelling that a format has for it."""

    @registry.tool(name="2fa_reset", tags=["admin"])
    def reset() -> str:
        return "ran"

    @registry.middleware(tags=["admin"])
    def by_tag(call):
        return call.deny("no")
        yield

    assert "denied" == registry.execute("_2fa_reset").kind
    registry.remove_middleware(by_tag)
    registry.middleware(by_tag, tools=["2fa_reset"])
    assert "denied" == registry.execute("_2fa_reset").kind


def test_an_injected_name_is_no_key_of_kwargs():
    """A key that would reach an injected parameter is refused at the def."""
    keys = typing_extensions.TypedDict("keys", {"user": str}, total=False)

    def f(user: Annotated[str, Injected] = "anon", /, **kw: typing_extensions.Unpack[keys]):
        return [user, kw]

    with pytest.raises(ToolDefinitionError, match="both supplied by the program"):
        Tool.from_function(f)


def test_a_view_whose_condition_breaks_later_leaves_the_tool_out(registry, caplog):
    """What breaks at once is the programmer's; what breaks later is outside."""
    registry.add(lambda: 1, name="one")
    with pytest.raises(ZeroDivisionError):
        registry.select(where=lambda tool: 1 / 0)
    broken = []
    view = registry.select(where=lambda tool: 1 / 0 if broken else True)
    assert "1" == view.execute("one").output
    broken.append(True)
    assert "unknown_tool" == view.execute("one").kind
    assert "where= broke" in caplog.text


def test_a_call_that_is_returned_does_not_tell_its_context(registry):
    """A context never becomes text, wherever a tool puts its call or a result."""

    @registry.tool
    def echo(call: Annotated[ToolCall, Injected]):
        return {"deep": [call]}

    @registry.tool
    def outer():
        return registry.execute("echo", context={"token": "secret"})

    assert "secret" not in registry.execute("echo", context={"token": "secret"}).output
    assert "secret" not in registry.execute("outer").output


def test_a_tool_cannot_change_the_id_of_its_answer(registry):
    """The call that is injected is a copy."""

    @registry.tool
    def rename(call: Annotated[ToolCall, Injected]) -> str:
        call.id = "evil"
        return call.id

    assert "c" == registry.execute("rename", call_id="c").call_id


def test_a_static_method_may_call_its_parameter_self():
    """An annotated ``self`` is a parameter like others."""

    class Box:
        @staticmethod
        def show(self: int) -> int:
            return self

    assert "3" == Tool.from_function(Box.show).execute({"self": 3}).output


@pytest.mark.parametrize("name", sorted(formats.FORMATS))
def test_lone_surrogates_in_arguments_go_back_in_some_form(name):
    """No model's turn makes a format raise."""
    assert formats.FORMATS[name].assistant([ToolCall("a", '{"a":"\ud800"}', "c")]) is not None


def test_what_a_mapping_raises_is_not_told(registry):
    """The arguments of a program's own mapping stay its own."""

    class Odd(dict):
        def __iter__(self):
            raise RuntimeError("secret")

        keys = items = __iter__

    registry.add(lambda: 1, name="one")
    result = registry.execute("one", Odd(a=1))
    assert "secret" not in result.output


def test_the_name_of_an_injected_parameter_wraps_nothing(registry):
    """A wrapper key is never taken for what the program supplies."""

    @registry.tool
    def read(a: int, user: Annotated[str, Injected]) -> int:
        return a

    result = registry.execute("read", {"user": {"a": 1}}, context={"user": "u"})
    assert "invalid_arguments" == result.kind


def test_an_approver_cannot_change_what_runs():
    """What the approver is shown is a copy, at every depth."""

    def approve(call, tool):
        call.arguments["paths"].append("/etc")
        return True

    with Registry(approve=approve) as registry:

        @registry.tool(requires_approval=True)
        def delete(paths: list[str]) -> list[str]:
            return paths

        assert '["/tmp"]' == registry.execute("delete", {"paths": ["/tmp"]}).output


@pytest.mark.parametrize("is_batch", [False, True])
def test_approval_is_of_the_call_that_was_approved(registry, is_batch):
    """Middleware that changes a call loses the approval given in advance."""
    from dataclasses import replace

    registry.add(lambda: "safe", name="safe", requires_approval=True)
    registry.add(lambda: "ran", name="danger", requires_approval=True)

    def run(name):
        if is_batch:
            return registry.execute_all([ToolCall(name)], approved=True)[0]
        return registry.execute(name, approved=True)

    @registry.middleware
    def switch(call):
        return (yield replace(call, name="danger"))

    assert "approval_required" == run("safe").kind
    registry.remove_middleware(switch)

    @registry.middleware
    def same(call):
        return (yield replace(call, extra={}))

    assert "safe" == run("safe").output


def test_lazy_values_are_read_where_the_tool_runs(registry):
    """What an iterator raises is the tool's own error."""

    def boom(n):
        raise ToolError("said")

    registry.add(lambda: map(boom, [1]), name="lazy")
    registry.add(lambda: zip("ab", "cd", strict=True), name="pairs")
    assert ("tool_error", "said") == (
        registry.execute("lazy").kind,
        registry.execute("lazy").output,
    )
    assert '[["a","c"],["b","d"]]' == registry.execute("pairs").output


@pytest.mark.parametrize("timeout", [float("inf"), float("nan"), True, "3", 0, -1, 10**400])
def test_a_senseless_timeout_is_refused_at_the_def(timeout):
    """Only numbers of seconds that a clock can wait for are taken."""
    with pytest.raises(ToolDefinitionError, match="timeout"):
        Tool.from_function(lambda: 1, name="one", timeout=timeout)


@pytest.mark.parametrize("needed", ["yes", 1, None])
def test_a_senseless_approval_is_refused_at_the_def(needed):
    """requires_approval is a bool or a predicate."""
    with pytest.raises(ToolDefinitionError, match="requires_approval"):
        Tool.from_function(lambda: 1, name="one", requires_approval=needed)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_fork_leaves_no_lock_held_and_makes_other_ids(registry):
    """The child can add tools though another thread was adding, and makes ids of its own."""
    registry.add(lambda: 1, name="one")
    held = threading.Event()
    release = threading.Event()

    def hold():
        with registry._lock:
            held.set()
            release.wait(10)

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait(5)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            registry.add(lambda: 2, name="two")
            os.write(writer, registry.execute("two").call_id.encode())
            code = 0
        finally:
            os._exit(code)  # whatever happens, it must not go on as a second run of the tests
    release.set()
    thread.join()
    assert 0 == os.waitpid(child, 0)[1]
    made = os.read(reader, 100).decode()
    os.close(reader)
    os.close(writer)
    assert made.startswith("call_")
    assert not made.startswith(registry.execute("one").call_id[:13])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"hints": ["read_only"]}, "hints"),
        ({"examples": ["no"]}, "examples"),
        ({"examples": {"a": 1}}, "examples"),
        ({"max_output": "x"}, "max_output"),
        ({"serializer": 5}, "serializer"),
        ({"inject": ["uesr"]}, "'uesr'"),
    ],
)
def test_a_senseless_option_is_refused_at_the_def(options, said):
    """An option of the wrong kind, or a name that injects nothing, is told where it is given."""
    with pytest.raises(ToolDefinitionError, match=said):
        Tool.from_function(lambda user="": user, name="one", **options)


def test_a_registry_has_at_least_one_worker():
    """Without workers no awaited call would ever end."""
    with pytest.raises(ValueError, match="at least 1"):
        Registry(workers=0)
