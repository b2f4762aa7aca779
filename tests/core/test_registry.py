"""Names to tools: decorate, add, remove, select, export."""

import asyncio
import copy
import gc
import json
import pickle
import sys
import threading
import types
import weakref
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated

import pytest
from pydantic import BaseModel

import toolreg
from toolreg import (
    DuplicateToolError,
    Injected,
    Registry,
    Tool,
    ToolCall,
    ToolDefinitionError,
    UnknownToolError,
    default_registry,
    formats,
)


def add(a: int, b: int = 1) -> int:
    """Add."""
    return a + b


def sub(a: int, b: int) -> int:
    return a - b


def fail():
    raise ValueError("the password is swordfish")


def observe(call):
    """Say that a call was seen."""
    result = yield call
    result.output += " (seen)"
    return result


@pytest.fixture
def registry():
    with Registry() as made:
        yield made


# Decorating


def test_the_decorator_returns_the_very_function(registry):
    """Bare, with options, called: nothing is written on the function."""

    def f(a: int) -> int:
        return a

    before = dict(vars(f))
    assert f is registry.tool(f) is registry.tool()(f) is registry.tool(name="g")(f)
    assert before == vars(f)
    assert ["f", "g"] == list(registry)


def test_decorated_functions_are_what_they_were(registry):
    """They are called, awaited and pickled as before."""

    @registry.tool
    async def awaited(a: int) -> int:
        return a

    registry.tool(add)
    assert asyncio.iscoroutinefunction(awaited)
    assert 1 == asyncio.run(awaited(1))
    assert add is pickle.loads(pickle.dumps(add))


def test_the_default_registry_is_behind_the_bare_decorator():
    """``@tool`` and ``@default_registry.tool`` are one."""

    @toolreg.tool(name="of_the_default_registry")
    def f() -> int:
        return 1

    try:
        assert "1" == default_registry.execute("of_the_default_registry").output
    finally:
        default_registry.remove(f)
    assert [] == list(default_registry)


def test_a_failed_definition_leaves_nothing_behind(registry):
    """What cannot be a tool is not half a tool."""
    with pytest.raises(ToolDefinitionError):
        registry.tool(lambda: 1)
    assert ([], []) == (list(registry), registry.specs())


def test_a_registry_needs_workers():
    """A pool that could never run anything is refused."""
    with pytest.raises(ValueError, match="workers"):
        Registry(workers=0)


# A mapping


def test_a_registry_is_a_mapping_of_names_to_tools(registry):
    """Lookup, membership, length, iteration and views are those of a mapping."""
    registry.tool(add)
    registry.tool(sub)
    assert isinstance(registry, Mapping)
    assert ["add", "sub"] == list(registry) == list(registry.keys())
    assert 2 == len(registry)
    assert add is registry["add"].func
    assert [("add", add), ("sub", sub)] == [(name, t.func) for name, t in registry.items()]
    assert registry.get("mul") is None
    assert ("add" in registry, add in registry, "mul" in registry) == (True, True, False)


@pytest.mark.parametrize("key", ["mul", sub, 5, None, [], {}], ids=repr)
def test_what_is_not_there_is_not_there(registry, key):
    """No key, of whatever type, breaks the question."""
    registry.tool(add)
    assert key not in registry
    with pytest.raises(UnknownToolError):
        registry[key]
    with pytest.raises(KeyError):
        registry.remove(key)


def test_an_unknown_name_is_answered_with_the_closest(registry):
    """The message of the error helps a programmer too."""
    registry.tool(add)
    with pytest.raises(UnknownToolError, match="add"):
        registry["ad"]


def test_tools_are_found_by_their_function(registry):
    """Identity counts: another function of the same code is another function."""
    registry.tool(add, name="plus")
    twin = types.FunctionType(add.__code__, add.__globals__)
    assert "plus" == registry[add].name
    assert twin not in registry


def test_registries_are_equal_by_identity():
    """Two empty registries are two."""
    one, other = Registry(), Registry()
    assert (one == one, one == other) == (True, False)
    assert 2 == len({one, other})


def test_a_registry_shows_its_name_and_tools(registry):
    """The repr is short and says what there is."""
    assert "<Registry: no tools>" == repr(registry)
    named = Registry("math")
    named.tool(add)
    named.tool(sub)
    assert "<Registry math: add, sub>" == repr(named)
    assert "<Selection: sub>" == repr(named.select("sub"))
    assert "<Selection: no tools>" == repr(named.select(tags="x"))


@pytest.mark.parametrize(
    "name", ["__init__", "get", "execute", "__proto__", "keys", "tool", "_table", "None"]
)
def test_no_tool_name_is_reserved(registry, name):
    """A tool may be called like a method of the registry, or of anything."""
    registry.tool(add, name=name)
    assert "2" == registry.execute(name, {"a": 1}).output
    assert name == registry.specs()[0]["name"]
    assert callable(registry.execute)


# Duplicates


def test_a_second_tool_of_a_name_is_refused(registry):
    """Both functions are named, the first stays, the cure is said."""
    registry.tool(add)
    with pytest.raises(DuplicateToolError) as caught:
        registry.tool(sub, name="add")
    (fault,) = caught.value.faults
    assert "sub" == fault.function
    assert "add" in fault.problem
    assert "replace=True" in fault.cure
    assert add is registry["add"].func


def test_replacing_keeps_the_place(registry):
    """The new tool stands where the old one stood, in every export."""
    registry.tool(add)
    registry.tool(sub)
    registry.tool(lambda a: -a, name="add", replace=True)
    assert ["add", "sub"] == [spec["name"] for spec in registry.specs()]
    assert "-1" == registry.execute("add", {"a": 1}).output


def test_the_very_same_function_again_is_no_fault(registry):
    """A module that is run twice may decorate twice; other options are another tool."""
    registry.tool(add, tags=["x"])
    registry.tool(add, tags=["x"])
    assert 1 == len(registry)
    with pytest.raises(DuplicateToolError):
        registry.tool(add, tags=["y"])


def test_names_that_a_format_spells_alike_collide(registry):
    """Where an export has to rename a tool, its safe name must not be another's."""
    registry.tool(add, name="9lives")
    safe = formats.gemini.safe_name("9lives")
    assert "9lives" != safe
    with pytest.raises(ToolDefinitionError, match=safe):
        registry.tool(sub, name=safe)
    registry.remove("9lives")
    registry.tool(sub, name=safe)
    with pytest.raises(ToolDefinitionError, match=safe):
        registry.tool(add, name="9lives")


def test_a_safe_name_is_accepted_beside_the_real_one(registry):
    """The model answers with the name it was shown."""
    registry.tool(add, name="9lives")
    safe = formats.gemini.safe_name("9lives")
    assert (
        "2"
        == registry.execute(safe, {"a": 1}).output
        == registry.execute("9lives", {"a": 1}).output
    )
    assert ["9lives"] == list(registry)
    registry.remove("9lives")
    assert "unknown_tool" == registry.execute(safe, {"a": 1}).kind


# Adding


def test_anything_can_be_added(registry):
    """A function, a tool, a registry: what was added comes back."""
    other = Registry()
    other.tool(sub)
    made = [
        *registry.add(add),
        *registry.add(Tool.from_function(add, name="plus")),
        *registry.add(other),
    ]
    assert ["add", "plus", "sub"] == [tool.name for tool in made] == list(registry)
    assert made == list(registry.values())
    assert other["sub"] is not registry["sub"]


def test_options_hold_for_all_that_is_added(registry):
    """A prefix, tags, a timeout: each tool of the addition has them."""
    other = Registry()
    other.tool(add, tags=["own"])
    other.tool(sub)
    registry.add(other, prefix="x_", tags="more", title="T")
    assert ["x_add", "x_sub"] == list(registry)
    assert [("own", "more"), ("more",)] == [tool.tags for tool in registry.values()]
    assert {"T"} == {tool.title for tool in registry.values()}
    assert ["add", "sub"] == list(other)


def test_a_prefix_goes_before_the_name_that_is_given(registry):
    """``name=`` and ``prefix=`` work together."""
    registry.add(add, prefix="x_", name="plus")
    registry.add(Tool.from_function(add, name="own"), prefix="y_")
    assert ["x_plus", "y_own"] == list(registry)


def test_adding_several_is_all_or_nothing(registry):
    """One clash, or one bad definition, and nothing is added."""
    registry.tool(add)
    other = Registry()
    other.tool(sub)
    other.tool(lambda: 1, name="add")
    with pytest.raises(DuplicateToolError):
        registry.add(other)
    with pytest.raises(ToolDefinitionError):
        registry.add(other, prefix="no good ")
    assert ["add"] == list(registry)
    registry.add(other, replace=True)
    assert ["add", "sub"] == list(registry)


def test_two_tools_of_one_name_in_one_addition_clash_even_when_replacing(registry):
    """Replacing means what was there before."""

    class Twins:
        def one(self): ...

        def other(self): ...

    with pytest.raises(DuplicateToolError):
        registry.add(Twins(), methods=True, name="same", replace=True)
    assert [] == list(registry)


def secured():
    """A registry whose tools have rules of all kinds."""
    made = Registry(
        inject={"user": "ann"},
        extra="ignore",
        timeout=5,
        max_output=10,
        mask_errors=True,
        approve=lambda call, tool: "no",
    )

    @made.tool
    def who(user) -> str:
        return user

    @made.tool(requires_approval=True)
    def wipe(): ...

    @made.tool
    def long() -> str:
        return "x" * 1000

    made.tool(fail)
    return made


@pytest.mark.parametrize("way", ["registry", "view", "tools"])
def test_added_tools_keep_their_rules(registry, way):
    """Approval, injection, masking, limits and extra are those they had."""
    source = secured()
    if way == "tools":
        for tool in source.values():
            registry.add(tool)
    else:
        registry.add(source if way == "registry" else source.select("*"))
    assert "ann" == registry.execute("who", {"other": 1}).output
    assert "denied" == registry.execute("wipe").kind
    assert "swordfish" not in registry.execute("fail").output
    assert 1000 > len(registry.execute("long").output)


def test_a_tool_that_is_added_alone_gets_what_it_lacks():
    """Injection, masking, approval and limits of the registry hold for it."""
    registry = secured()
    registry.add(Tool.from_function(lambda user: user, name="own"))
    registry.add(Tool.from_function(fail, name="own_fail"))
    assert "ann" == registry.execute("own", {"other": 1}).output
    assert "swordfish" not in registry.execute("own_fail").output


def test_local_types_survive_being_added(registry):
    """What was resolved where it was defined need not be resolved again."""

    def factory():
        made = Registry()

        class Local(BaseModel):
            x: int

        @made.tool
        def f(p: "Local") -> int:
            return p.x

        return made

    registry.add(factory(), prefix="x_")
    assert "4" == registry.execute("x_f", {"p": {"x": 4}}).output
    assert "4" == copy.deepcopy(registry).execute("x_f", {"p": {"x": 4}}).output


def test_injection_of_an_addition_comes_before_the_registry_s():
    """The nearest rule wins: tool, addition, registry."""
    registry = Registry(inject={"user": "registry", "key": "registry", "all": "registry"})

    def f(user, key, all):  # noqa: A002
        return [user, key, all]

    registry.tool(f, inject={"user": "tool"})
    registry.add(registry["f"], inject={"user": "addition", "key": "addition"}, name="g")
    assert ["tool", "registry", "registry"] == registry.execute("f").value
    assert ["tool", "addition", "registry"] == registry.execute("g").value


def test_instructions_are_those_of_all_registries():
    """For a system prompt: its own text, and that of each registry added to it, once."""
    main, math, deep = (
        Registry(instructions="Be brief."),
        Registry(instructions="Sums."),
        Registry(),
    )
    deep._instructions = "Deep."
    math.add(deep)
    main.add(math)
    main.add(math, prefix="again_")
    main.add(main, prefix="self_")
    math.add(main, prefix="circle_")
    assert "Be brief.\n\nSums.\n\nDeep." == main.instructions == main.select().instructions
    assert "" == Registry().instructions


# Removing


def test_tools_are_removed_by_name_and_by_function(registry):
    """What was removed comes back, and is unknown from then on."""
    registry.tool(add)
    registry.tool(sub)
    assert add is registry.remove("add").func
    assert "sub" == registry.remove(sub).name
    assert [] == list(registry) == registry.specs()
    assert "unknown_tool" == registry.execute("add", {"a": 1}).kind


def test_a_removed_name_is_free_again(registry):
    """Another tool can have it."""
    registry.tool(add)
    registry.remove(add)
    registry.tool(sub, name="add")
    assert sub is registry["add"].func


# Views


@pytest.fixture
def tagged(registry):
    registry.tool(add, tags=["math", "cheap"])
    registry.tool(sub, tags=["math"])
    registry.tool(fail)
    return registry


@pytest.mark.parametrize(
    ("names", "options", "expected"),
    [
        ((), {}, ["add", "sub", "fail"]),
        (("sub", "add"), {}, ["add", "sub"]),
        (("*d*",), {}, ["add"]),
        ((), {"tags": "math"}, ["add", "sub"]),
        ((), {"tags": ["cheap", "x"]}, ["add"]),
        (("sub", "fail"), {"tags": ["math"]}, ["sub"]),
        ((), {"where": lambda tool: not tool.tags}, ["fail"]),
    ],
)
def test_views_select_by_name_tag_and_predicate(tagged, names, options, expected):
    """All that is said must hold; the order is the registry's."""
    view = tagged.select(*names, **options)
    assert expected == list(view) == [spec["name"] for spec in view.specs()]
    assert len(expected) == len(view)


@pytest.mark.parametrize("name", ["mul", "m*"])
def test_views_of_unknown_names_are_refused(tagged, name):
    """A slip is found where it is made."""
    with pytest.raises(UnknownToolError):
        tagged.select("add", name)
    with pytest.raises(UnknownToolError):
        tagged.select("add").select("sub")


def test_a_view_is_live(tagged):
    """What is added, replaced and removed in the registry is so in the view."""
    view = tagged.select(tags="math")
    tagged.tool(lambda: 7, name="seven", tags="math")
    tagged.remove("add")
    assert ["sub", "seven"] == list(view)
    tagged.tool(lambda: 8, name="seven", tags="math", replace=True)
    assert "8" == view.execute("seven").output
    assert ["sub", "seven"] == [spec["name"] for spec in view.specs()]


def test_a_predicate_is_asked_anew(tagged):
    """A view by permission follows the permission, not only the registry."""
    allowed = {"add"}
    view = tagged.select(where=lambda tool: tool.name in allowed)
    assert ["add"] == list(view) == [spec["name"] for spec in view.specs()]
    assert "unknown_tool" == view.execute("sub", {"a": 1, "b": 1}).kind
    allowed.add("sub")
    assert ["add", "sub"] == list(view) == [spec["name"] for spec in view.specs()]
    allowed.remove("add")
    assert "unknown_tool" == view.execute("add", {"a": 1}).kind


def test_a_view_is_a_boundary(tagged):
    """What is outside is unknown, is not listed, and is not there under another spelling."""
    tagged.tool(add, name="9lives")
    view = tagged.select("add").select("add")
    for call in ("sub", "fail", "9lives", formats.gemini.safe_name("9lives")):
        result = view.execute(call, {"a": 1})
        assert "unknown_tool" == result.kind
        assert "sub" not in result.output.replace(call, "")
    assert sub not in view
    results = view.execute_all([ToolCall("sub", {"a": 1, "b": 2}), ToolCall("add", {"a": 1})])
    assert ["unknown_tool", "success"] == [result.kind for result in results]
    assert "unknown_tool" == asyncio.run(view.aexecute("sub", {"a": 1, "b": 2})).kind


def test_a_view_has_the_middleware_of_its_registry(tagged):
    """Also what is added after the view was taken."""
    view = tagged.select("add").select("add")
    assert "2" == view.execute("add", {"a": 1}).output
    tagged.middleware(observe)
    assert "2 (seen)" == view.execute("add", {"a": 1}).output
    assert view.execute("mul").output.endswith("(seen)")
    tagged.remove_middleware(observe)
    assert "2" == view.execute("add", {"a": 1}).output


def test_a_view_copies_and_pickles(tagged):
    """The copy is a view of a copy of the registry."""
    view = tagged.select("add", tags="math")
    for copied in (copy.deepcopy(view), pickle.loads(pickle.dumps(view))):
        assert ["add"] == list(copied)
        assert "2" == copied.execute("add", {"a": 1}).output
        tagged_copy = copied._registry
        assert tagged_copy is not tagged


# Specs


@pytest.mark.parametrize("name", [None, *formats.FORMATS])
def test_specs_are_plain_json(tagged, name):
    """Every format gives values that JSON has, the same as the bytes."""
    specs = tagged.specs(name)
    assert specs == json.loads(json.dumps(specs)) == json.loads(tagged.specs_json(name))
    assert [] == Registry().specs(name)


def test_specs_stand_in_the_order_of_registration(registry):
    """Names are not sorted."""
    for name in ("z", "a", "m"):
        registry.tool(add, name=name)
    assert ["z", "a", "m"] == [spec["name"] for spec in registry.specs()]


def test_changing_a_spec_changes_nothing_inside(tagged):
    """Each export is a copy of its own."""
    expected = tagged.specs("openai")
    first = tagged.specs("openai")
    first[0]["function"]["parameters"]["properties"]["a"]["type"] = "spoilt"
    first.clear()
    assert expected == tagged.specs("openai")


def test_specs_are_made_once(tagged):
    """Until something changes, the very same bytes are handed out."""
    for options in ({}, {"strict": True}, {"inline_refs": True}):
        for name in (None, "openai", formats.openai):
            kept = tagged.specs_json(name, **options)
            assert kept is tagged.specs_json(name, **options)
    tagged.tool(lambda: 1, name="one")
    assert 4 == len(tagged.specs())


def test_references_can_be_written_out(registry):
    """For models that cannot follow them there are no definitions."""

    class Point(BaseModel):
        x: int

    @registry.tool
    def f(p: Point, q: Point): ...

    assert "$ref" in registry.specs_json().decode()
    for name in (None, "openai", "anthropic"):
        text = registry.specs_json(name, inline_refs=True).decode()
        assert ("$ref" not in text, "$defs" not in text) == (True, True)
    assert "$ref" in registry.specs_json().decode()


def test_strict_is_asked_for_all_or_for_one(registry):
    """A tool's own wish, or that of the export, is in the neutral form."""
    registry.tool(add, strict=True)
    registry.tool(sub)
    assert [True, False] == [spec["strict"] for spec in registry.specs()]
    assert [True, True] == [spec["strict"] for spec in registry.specs(strict=True)]


def test_one_tool_never_spoils_a_strict_list(registry):
    """What cannot be strict is exported as it is, and the reasons can be had."""
    registry.tool(add)

    @registry.tool
    def free(values: dict[str, int]): ...

    flags = [
        spec["function"].get("strict", False) for spec in registry.specs("openai", strict=True)
    ]
    assert [True, False] == flags
    assert registry["free"].strict_faults("openai")


def test_a_format_may_be_any_object_with_its_functions(registry):
    """A format of somebody's own need not even be hashable."""

    def spec(record, strict=False):
        return {"n": record.name}

    own = types.SimpleNamespace(
        spec=spec,
        tools=lambda records, strict=False: [spec(record) for record in records],
        calls=lambda response: [ToolCall("add", response)],
        stream=lambda: None,
        assistant=lambda response: [],
        messages=lambda results: [{"output": result.output} for result in results],
    )
    registry.tool(add)
    assert [{"n": "add"}] == registry.specs(own)
    registry.tool(sub)
    assert [{"n": "add"}, {"n": "sub"}] == registry.specs(own)
    assert [{"output": "2"}] == registry.dispatch({"a": 1}, own)


def test_an_unknown_format_raises(registry):
    """A slip in a format's name is an error of the program."""
    with pytest.raises(ValueError, match="openai"):
        registry.specs("opnai")
    with pytest.raises(TypeError):
        registry.specs(5)


# Copies


def copies(registry):
    yield copy.deepcopy(registry)
    yield pickle.loads(pickle.dumps(registry))


def test_registries_copy_and_pickle():
    """Tools, options, settings, middleware and instructions are all in the copy."""
    registry = Registry(
        "r", "Be brief.", extra="ignore", max_output=10, mask_errors=True, workers=3
    )
    registry.tool(add, tags=["x"], title="Sum")
    registry.tool(fail)
    registry.middleware(observe)
    other = Registry(instructions="Sums.", timeout=4)
    other.tool(sub)
    registry.add(other)
    for copied in copies(registry):
        assert "<Registry r: add, fail, sub>" == repr(copied)
        assert registry.specs() == copied.specs()
        assert (add, ("x",), "Sum") == (copied["add"].func, copied["add"].tags, copied["add"].title)
        assert "2 (seen)" == copied.execute("add", {"a": 1, "z": 1}).output
        assert "swordfish" not in copied.execute("fail").output
        assert "Be brief.\n\nSums." == copied.instructions
        assert 4 == copied["sub"]._action.timeout
        assert 3 == copied._settings.workers.limit


def test_a_copy_goes_its_own_way(tagged):
    """Adding to the copy adds nothing to the original, nor the other way round."""
    for copied in copies(tagged):
        copied.tool(lambda: 1, name="one")
        copied.remove("add")
        assert ["add", "sub", "fail"] == list(tagged)
    tagged.remove("sub")
    assert ["sub", "fail", "one"] == list(copied)


def test_registries_in_a_circle_copy_and_pickle():
    """Two registries that were added to each other keep doing so in the copy."""
    one, other = Registry(instructions="One."), Registry(instructions="Other.")
    one.tool(add)
    other.add(one)
    one.add(other, prefix="x_")
    for copied in copies(one):
        assert "One.\n\nOther." == copied.instructions
        assert ["add", "x_add"] == list(copied)


def test_an_executor_is_kept_by_deep_copies_and_left_by_pickles():
    """Pools stay in their process; what makes one travels."""
    with ThreadPoolExecutor(1) as pool:
        registry = Registry(executor=pool)
        registry.tool(add)
        assert pool is copy.deepcopy(registry)._settings.executor
        assert pickle.loads(pickle.dumps(registry))._settings.executor is None
    made = Registry(executor=ThreadPoolExecutor)
    made.tool(add)
    for copied in copies(made):
        with copied:
            assert copied._settings.executor is not None
            assert "2" == copied.execute("add", {"a": 1}).output


def test_copies_survive_a_fork_like_their_originals():
    """A lock that another thread held is made anew in a child process."""
    from toolreg._registry import _after_fork

    for registry in (Registry(), pickle.loads(pickle.dumps(Registry()))):
        threading.Thread(target=registry._lock.acquire).start()
        _after_fork()
        registry.tool(add)
        assert ["add"] == list(registry)


def test_a_tool_goes_on_with_the_spelling_of_a_format(registry):
    """Awaiting, a batch and a response know the safe name as well."""
    registry.tool(add, name="9lives")
    safe = formats.gemini.safe_name("9lives")
    call = {"functionCall": {"name": safe, "args": {"a": 1}}}
    response = {"candidates": [{"content": {"role": "model", "parts": [call]}}]}
    expected = registry.dispatch(response, "gemini")
    assert expected == asyncio.run(registry.adispatch(response, "gemini"))
    assert "2" in json.dumps(expected)
    assert "2" == asyncio.run(registry.aexecute(safe, {"a": 1})).output


def test_results_copy_and_pickle(registry):
    """Results of every kind travel, with their call."""
    registry.tool(add)
    for result in (
        registry.execute("add", {"a": 1}),
        registry.execute("add", {}),
        registry.execute("mul"),
    ):
        assert result == copy.deepcopy(result) == pickle.loads(pickle.dumps(result))


# Memory and threads


def test_models_of_dropped_registries_are_collected():
    """Short-lived registries leave nothing behind."""

    def make():
        registry = Registry()

        @registry.tool
        def f(a: int) -> int:
            return a

        registry.execute("f", {"a": 1})
        registry.specs("openai")
        return weakref.ref(registry), weakref.ref(registry["f"].model), weakref.ref(f)

    references = [reference for _ in range(3) for reference in make()]
    gc.collect()
    assert {None} == {reference() for reference in references}


def test_registries_are_changed_and_exported_from_several_threads(registry):
    """Whoever exports sees whole tools, and in the end all of them."""
    broken = []
    done = threading.Event()

    def export():
        while not done.is_set():
            try:
                specs = registry.specs("openai")
                assert all(spec["function"]["parameters"]["required"] == ["a"] for spec in specs)
                assert len(list(registry.values())) >= len(specs)
                registry.select(tags="x").specs()
                registry.execute("t0_0", {"a": 1})
            except BaseException as error:
                broken.append(error)
                return

    def put(thread):
        for index in range(20):
            registry.tool(add, name=f"t{thread}_{index}", tags=["x"])

    exporters = [threading.Thread(target=export) for _ in range(2)]
    adders = [threading.Thread(target=put, args=(n,)) for n in range(4)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for thread in (*exporters, *adders):
            thread.start()
        for thread in adders:
            thread.join()
    finally:
        done.set()
        sys.setswitchinterval(interval)
    for thread in exporters:
        thread.join()
    assert [] == broken
    assert 80 == len(registry) == len(registry.specs("openai"))


def test_one_name_from_several_threads_is_taken_once(registry):
    """Of many that want a name, one gets it and the others are told."""
    outcomes = []
    start = threading.Barrier(8)

    def put():
        start.wait()
        try:
            registry.tool(lambda: 1, name="one")
            outcomes.append("put")
        except DuplicateToolError:
            outcomes.append("refused")

    threads = [threading.Thread(target=put) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ["put"] + ["refused"] * 7 == sorted(outcomes)


def test_a_batch_sees_the_tools_as_they_were(registry):
    """A tool that removes another does so for the next batch."""
    registry.tool(add)

    @registry.tool(sequential=True)
    def drop() -> None:
        registry.remove("add")

    calls = [ToolCall("drop", None, 1), ToolCall("add", {"a": 1}, 2)]
    assert ["success", "success"] == [result.kind for result in registry.execute_all(calls)]
    assert "unknown_tool" == registry.execute("add", {"a": 1}).kind


def test_injected_parameters_of_a_registry_are_in_no_export():
    """What the whole registry supplies no model sees."""
    registry = Registry(inject="run_*")

    @registry.tool
    def f(q: str, run_context: object, user: Annotated[str, Injected]): ...

    for name in (None, *formats.FORMATS):
        text = registry.specs_json(name).decode()
        assert ("run_context" in text, "user" in text) == (False, False)


def test_a_registry_is_closed_and_goes_on():
    """Ended in either colour, it makes what it needs anew."""
    registry = Registry()
    registry.tool(add)

    async def main():
        async with registry as entered:
            assert entered is registry
            return await registry.aexecute("add", {"a": 1})

    assert "2" == asyncio.run(main()).output
    with registry as entered:
        assert entered is registry
    assert "2" == asyncio.run(registry.aexecute("add", {"a": 1})).output
    registry.close()
