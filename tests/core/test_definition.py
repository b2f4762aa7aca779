"""What makes a function a tool, and what is said where it cannot be one."""

import asyncio
import functools
import gc
import sys
import textwrap
import threading
import weakref
from typing import Annotated, Any, Optional
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import AliasChoices, BaseModel, ConfigDict, Field, RootModel

from toolreg import Injected, Registry, Tool, ToolDefinitionError, formats
from toolreg._annotations import Locals
from toolreg._definition import parameter_spellings, tool_spellings


class Order(BaseModel):
    item: str
    count: int = 1


def faults_of(func, **options):
    with pytest.raises(ToolDefinitionError) as caught:
        Tool.from_function(func, **options)
    return caught.value.faults


def fault_of(func, **options):
    (fault,) = faults_of(func, **options)
    return fault


def nothing():
    """Do nothing."""


# Names


@pytest.mark.parametrize("name", ["a", "A-b_9", "x" * 64, "---", "9lives", "__init__", "get"])
def test_a_name_is_kept_byte_for_byte(name):
    """What all providers take is never rewritten."""
    tool = Tool.from_function(nothing, name=name)
    assert name == tool.name == tool.spec()["name"]


@pytest.mark.parametrize("name", ["", "x" * 65, "a b", "a.b", "a/b", "naïve", "a\n", "é"])
def test_other_names_are_refused(name):
    """What some provider refuses is refused at the def, whatever the function is called."""
    fault = fault_of(nothing, name=name)
    assert "nothing" == fault.function
    assert "name=" in fault.cure


def test_a_function_of_another_alphabet_needs_a_name():
    """A function's own name has to be one that providers take."""
    scope = {}
    exec("def größe(): ...", scope)
    assert "größe" in fault_of(scope["größe"]).problem
    assert "size" == Tool.from_function(scope["größe"], name="size").name


def test_a_lambda_needs_a_name():
    """The cure says how to give one."""
    assert "name=" in fault_of(lambda: 1).cure
    assert "1" == Tool.from_function(lambda: 1, name="one").execute().output


class Greeter:
    """Greets people."""

    async def __call__(self, who: str) -> str:
        return f"hi {who}"


class Counter:
    def __init__(self, start: int = 0):
        self.start = start

    def add(self, n: int) -> int:
        """Add."""
        return self.start + n

    @classmethod
    def of_class(cls, n: int) -> str:
        return cls.__name__ * n

    @staticmethod
    def static(n: int) -> int:
        return -n

    def __call__(self, n: int) -> int:
        """Count on."""
        return self.start * n


async def awaited(n: int) -> int:
    await asyncio.sleep(0)
    return n


def generated(n: int):
    yield from range(n)


async def agenerated(n: int):
    for i in range(n):
        yield i


def logged(func):
    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        return func(*args, **kwargs)

    return wrapper


def plain(n: int) -> int:
    return n


def two(m: int, n: int) -> int:
    return m * n


@pytest.mark.parametrize(
    ("func", "name", "output"),
    [
        (plain, "plain", "3"),
        (awaited, "awaited", "3"),
        (generated, "generated", "[0,1,2]"),
        (agenerated, "agenerated", "[0,1,2]"),
        (functools.partial(two, 2), "two", "6"),
        (functools.partial(two, m=3), "two", "9"),
        (functools.partial(functools.partial(two, m=3)), "two", "9"),
        (Counter(1).add, "add", "4"),
        (Counter.of_class, "of_class", "CounterCounterCounter"),
        (Counter.static, "static", "-3"),
        (Counter(2), "Counter", "6"),
        (functools.partial(Counter(2)), "Counter", "6"),
        (logged(plain), "plain", "3"),
        (functools.lru_cache(plain), "plain", "3"),
    ],
)
def test_any_callable_is_a_tool(run, func, name, output):
    """Functions of all colours, partials, methods, objects, and what decorators make of them."""
    tool = Tool.from_function(func)
    assert (name, ["n"]) == (tool.name, tool.parameters["required"])
    assert {"n"} == set(tool.parameters["properties"])
    assert output == tool.execute({"n": 3}).output
    assert output == asyncio.run(tool.aexecute({"n": 3})).output


def test_objects_are_described_by_their_class_or_their_call():
    """The documentation of ``__call__`` comes first, then that of the class."""
    assert "Greets people." == Tool.from_function(Greeter(), name="greet").description
    assert "Count on." == Tool.from_function(Counter()).description
    assert "hi ann" == Tool.from_function(Greeter()).execute({"who": "ann"}).output


def test_a_class_is_no_tool():
    """An instance is what has tools."""
    assert "instance" in fault_of(Counter).cure


def test_what_cannot_be_called_is_no_tool():
    """A text instead of a function is refused in words."""
    assert "cannot be called" in fault_of("plain", name="plain").problem


def test_a_method_without_its_object_is_no_tool():
    """A function taken from its class still wants ``self``; the cure says what to add."""
    fault = fault_of(Counter.add)
    assert ("add", "self") == (fault.function, fault.parameter)
    assert "instance" in fault.cure


def test_a_callable_without_a_signature_is_no_tool():
    """Where Python knows of no parameters, the cure is to wrap it or to give them."""
    fault = fault_of(max)
    assert "max" == fault.function
    assert "parameters=" in fault.cure


def test_objects_that_make_up_their_attributes_end():
    """What has whatever it is asked for, also what it wraps, is refused or taken, in no time."""
    assert "signature" in fault_of(mock.call, name="made_up").problem
    Tool.from_function(mock.Mock(), name="mock")


def test_documentation_that_is_no_text_is_none():
    """The type of a callable may have anything under that name."""
    assert "" == Tool.from_function(Optional, name="special").description


def test_parameters_can_be_given_where_there_is_no_signature():
    """With ``parameters=`` nothing needs to be read."""

    class Values(BaseModel):
        default: int

    tool = Tool.from_function(max, parameters=Values, name="biggest", inject=["whatever"])
    assert {"default"} == set(tool.parameters["properties"])
    assert tool.description


# Options


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"hints": {"nice": True, "read_only": True}}, "'nice'"),
        ({"timeout": 0}, "timeout"),
        ({"timeout": -1.5}, "timeout"),
        ({"timeout": float("nan")}, "timeout"),
        ({"timeout": 1, "run_in_thread": False}, "blocking"),
        ({"max_output": 0}, "max_output"),
        ({"extra": "allow"}, "extra"),
        ({"timeout": "5"}, "timeout"),
        ({"timeout": True}, "timeout"),
        ({"timeout": 10**9}, "timeout"),
        ({"requires_approval": "yes"}, "requires_approval"),
        ({"parameters": "x"}, "str"),
        ({"parameters": int}, "type"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, word):
    """Each fault says what was given and what there is."""
    fault = fault_of(plain, **options)
    assert "plain" == fault.function
    assert word in fault.problem
    assert fault.cure


def test_settings_of_a_registry_are_checked_with_the_tool():
    """A registry's own timeout or output limit is a fault of the definition that meets it."""
    with pytest.raises(ToolDefinitionError, match="timeout"):
        Registry(timeout=-1).tool(plain)
    with pytest.raises(ToolDefinitionError, match="max_output"):
        Registry(max_output=0).tool(plain)
    with pytest.raises(ToolDefinitionError, match="extra"):
        Registry(extra="allow").tool(plain)


def test_an_async_tool_on_the_loop_can_be_timed():
    """Only a blocking function that runs on the loop cannot."""
    assert 1 == Tool.from_function(awaited, timeout=1, run_in_thread=False).execute({"n": 1}).value


def test_an_unknown_option_is_a_type_error():
    """A slip in an option's name is found at the def."""
    with pytest.raises(TypeError, match="label"):
        Tool.from_function(plain, label="x")


def test_a_class_and_a_bad_option_are_faults_together():
    """What can be told without reading a signature is told at once."""
    assert 2 == len(faults_of(Counter, max_output=0))


# Names that do not exist yet


@pytest.fixture
def run(monkeypatch):
    """Run code as a module of its own and return its registry."""

    def run(code):
        module = type(sys)("module_of_tools")
        module.registry = Registry()
        monkeypatch.setitem(sys.modules, module.__name__, module)
        exec(compile(textwrap.dedent(code), module.__name__, "exec"), vars(module))
        return module.registry

    return run


HEADS = ["", "from __future__ import annotations\n"]


@pytest.mark.parametrize("head", HEADS)
def test_a_name_that_is_nowhere_defined_is_found_at_the_def(run, head):
    """The fault names function, parameter and annotation."""
    code = "@registry.tool\ndef f(a: 'Nowhere'): ..."
    with pytest.raises(ToolDefinitionError) as caught:
        run(head + code)
    (fault,) = caught.value.faults
    assert ("f", "a") == (fault.function, fault.parameter)
    assert "Nowhere" in fault.problem


@pytest.mark.parametrize("use", ["execute", "specs", "model", "parameters"])
@pytest.mark.parametrize("head", HEADS)
def test_a_class_further_down_is_waited_for(run, head, use):
    """At first use, whatever it is, the tool is complete."""
    registry = run(
        head
        + textwrap.dedent("""
        from pydantic import BaseModel

        @registry.tool
        def f(p: 'Later') -> int:
            return p.x

        class Later(BaseModel):
            x: int
    """)
    )
    tool = registry["f"]
    if use == "specs":
        assert "x" in registry.specs()[0]["parameters"]["$defs"]["Later"]["properties"]
    elif use == "model":
        assert {"p"} == set(tool.model.model_fields)
    elif use == "parameters":
        assert ["p"] == tool.parameters["required"]
    assert "4" == registry.execute("f", {"p": {"x": 4}}).output


def test_a_class_further_down_in_a_function_is_waited_for(run):
    """Local classes may follow the tool that takes them, too."""
    registry = run("""
        from pydantic import BaseModel

        def factory():
            @registry.tool
            def f(p: 'Later', q: 'int' = 0) -> int:
                return p.x

            @registry.tool
            def g(p: 'Outer') -> int:
                return p.later.x

            class Outer(BaseModel):
                later: 'Later'

            class Later(BaseModel):
                x: int

            Outer.model_rebuild()

        factory()
    """)
    assert "4" == registry.execute("f", {"p": {"x": 4}}).output
    assert "4" == registry.execute("g", {"p": {"later": {"x": 4}}}).output


def test_a_field_further_down_is_waited_for(run):
    """Also where it is a model's field that has no type yet."""
    registry = run("""
        from pydantic import BaseModel

        class Outer(BaseModel):
            later: 'Later'

        @registry.tool
        def f(p: Outer, q: 'list[Outer] | None' = None) -> int:
            return p.later.x

        @registry.tool(parameters=Outer)
        def g(later) -> int:
            return later.x

        class Later(BaseModel):
            x: int
    """)
    assert "4" == registry.execute("f", {"p": {"later": {"x": 4}}}).output
    assert "4" == registry.execute("g", {"later": {"x": 4}}).output


def test_a_field_that_is_nowhere_defined_is_found_at_the_def(run):
    """A model with a field of no type is a fault of its parameter."""
    with pytest.raises(ToolDefinitionError, match="'p'.*Nowhere"):
        run("""
            from pydantic import BaseModel

            class Outer(BaseModel):
                later: 'Nowhere'

            @registry.tool
            def f(p: Outer): ...
        """)


def test_a_name_that_never_comes_is_said_at_first_use(run):
    """A call then has an exception result, an export raises."""
    registry = run("""
        @registry.tool
        def f(p: 'Later'): ...

        if False:
            Later = int
    """)
    result = registry.execute("f", {"p": 1})
    assert ("exception", ToolDefinitionError) == (result.kind, type(result.exception))
    with pytest.raises(ToolDefinitionError, match="Later"):
        registry.specs()


def test_another_fault_is_not_put_off(run):
    """What is wrong anyway is said at the def, together with the name that is missing."""
    with pytest.raises(ToolDefinitionError) as caught:
        run("""
            class Database: ...

            @registry.tool
            def f(a: 'Later', b: Database): ...

            Later = int
        """)
    assert ["a", "b"] == [fault.parameter for fault in caught.value.faults]


def test_an_option_s_fault_is_not_put_off(run):
    """A bad option beside a missing name is found at the def."""
    with pytest.raises(ToolDefinitionError) as caught:
        run("""
            @registry.tool(max_output=0)
            def f(a: 'Later'): ...

            Later = int
        """)
    assert 2 == len(caught.value.faults)


def test_what_waits_can_be_put_elsewhere(run):
    """Copies, views and other registries wait for the same name."""
    registry = run("""
        from toolreg import Registry
        other = Registry()

        @other.tool
        def f(p: 'Later', q: int = 0) -> int:
            return p

        registry.add(other, prefix="x_")
        registry.add(other["f"].replace(name="g"))
        Later = int
    """)
    assert "4" == registry.execute("x_f", {"p": "4"}).output
    assert "4" == registry.execute("g", {"p": "4"}).output


def test_what_waits_keeps_no_frame_once_it_has_come():
    """The locals of a function live no longer than they are needed."""

    class Local:
        pass

    def factory(local):
        @registry.tool
        def f(p: "Later") -> int:  # noqa: F821
            return p

        Later = int  # noqa: F841

    registry = Registry()
    local = Local()
    gone = weakref.ref(local)
    factory(local)
    del local
    assert "1" == registry.execute("f", {"p": 1}).output
    gc.collect()
    assert gone() is None


def test_many_threads_may_be_first(run):
    """Whichever thread's call makes the tool complete, each call has all of it."""
    for _ in range(5):
        registry = run("""
            from typing import Annotated
            from toolreg import Injected

            @registry.tool
            def f(p: 'Later', /, *rest: 'Later', user: Annotated[str, Injected] = "nobody") -> str:
                return f"{user} {p}"

            Later = int
        """)
        outputs = []
        start = threading.Barrier(8)

        def call():
            start.wait()
            result = registry.execute("f", {"p": "1"}, context={"user": "ann"})
            outputs.append(result.output)

        threads = [threading.Thread(target=call) for _ in range(8)]
        interval = sys.getswitchinterval()
        sys.setswitchinterval(1e-6)
        try:
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        finally:
            sys.setswitchinterval(interval)
        assert ["ann 1"] * 8 == outputs


def test_a_name_of_a_caller_is_found():
    """A function that decorates for another one sees that one's local names."""

    def decorate(func):
        return Tool.from_function(func)

    def factory():
        class Local(BaseModel):
            x: int

        def f(p: "Local"):
            return p.x

        return decorate(f)

    assert "4" == factory().execute({"p": {"x": 4}}).output


def test_the_names_of_the_frames_are_a_mapping():
    """Those of the frame come first, then those of its callers."""

    def inner():
        near = 1  # noqa: F841
        return Locals(sys._getframe())

    far = 2  # noqa: F841
    names = inner()
    assert (1, 2) == (names["near"], names["far"])
    assert {"near", "far"} <= set(names)
    assert len(names) == len(set(names))
    assert "nowhere" not in names
    assert {} == dict(Locals())


def test_a_half_imported_module_is_waited_for(tmp_path, monkeypatch):
    """Modules that import each other in a circle get their types once both are loaded."""
    (tmp_path / "circle_a.py").write_text(
        textwrap.dedent("""
        from __future__ import annotations
        from toolreg import Registry
        registry = Registry()

        def tool(x: Later) -> int:
            return x

        import circle_b
        Later = int
        """)
    )
    (tmp_path / "circle_b.py").write_text(
        textwrap.dedent("""
        from __future__ import annotations
        import circle_a
        circle_a.registry.tool(circle_a.tool)
        """)
    )
    monkeypatch.syspath_prepend(tmp_path)
    import circle_a

    assert "1" == circle_a.registry.execute("tool", {"x": "1"}).output


# Parameters that are given: a model


def test_a_model_stands_in_for_the_signature():
    """Its fields are what the model may send; the function gets them by name."""

    def order(item, count):
        """Order."""
        return f"{count} {item}"

    tool = Tool(func=order, name="buy", description="Buy.", parameters=Order)
    assert ("buy", "Buy.", Order) == (tool.name, tool.description, tool.model)
    assert ["item"] == tool.parameters["required"]
    assert "2 x" == tool.execute({"item": "x", "count": "2"}).output
    assert "1 x" == tool.execute({"item": "x"}).output


@pytest.mark.parametrize("annotation", [Order, Annotated[Order, "an order"], Any])
def test_a_function_may_take_the_model_itself(annotation):
    """A single parameter of that type, or of none, gets the instance."""

    def order(order: annotation, user: Annotated[str, Injected] = ""):
        return f"{user}{type(order).__name__} {order.count}"

    tool = Tool.from_function(order, parameters=Order)
    assert "Order 1" == tool.execute({"item": "x"}).output
    assert "ann Order 1" == tool.execute({"item": "x"}, context={"user": "ann "}).output


def test_a_model_keeps_its_own_rule_for_further_names():
    """``extra`` is what the model says, not what the tool or the registry says."""

    class Open(Order):
        model_config = ConfigDict(extra="allow")

    class Closed(Order):
        model_config = ConfigDict(extra="forbid")

    def order(**values):
        return sorted(values)

    sent = {"item": "x", "other": 1}
    assert ["count", "item"] == Tool.from_function(order, parameters=Order).execute(sent).value
    assert ["count", "item", "other"] == (
        Tool.from_function(order, parameters=Open).execute(sent).value
    )
    closed = Tool.from_function(order, parameters=Closed, extra="ignore")
    assert "invalid_arguments" == closed.execute(sent).kind
    assert closed.parameters["additionalProperties"] is False


def test_aliases_of_a_model_are_names_for_the_model():
    """Fields are sent by alias and passed by name."""

    class Aliased(BaseModel):
        class_: int = Field(alias="class")
        other: int = Field(0, validation_alias=AliasChoices("o", "p"))

    def f(class_, other):
        return class_, other

    tool = Tool.from_function(f, parameters=Aliased)
    assert "<Tool f(class, o)>" == repr(tool)
    assert [1, 2] == list(tool.execute({"class": 1, "p": 2}).value)


def test_a_model_that_does_not_fit_is_refused():
    """Fields without parameter, required parameters without field: all are named."""

    def order(item, user, *, note=""): ...

    faults = faults_of(order, parameters=Order)
    assert [(None, True), ("user", False)] == [
        (fault.parameter, "'count'" in fault.problem) for fault in faults
    ]


def test_a_model_that_admits_further_names_needs_a_function_that_takes_them():
    """Otherwise a valid call would break."""

    class Open(Order):
        model_config = ConfigDict(extra="allow")

    def order(item, count): ...

    assert "**kwargs" in fault_of(order, parameters=Open).problem


def test_what_is_supplied_cannot_be_given_by_the_model():
    """A parameter that is injected is no field, and no further name either."""

    class Open(BaseModel):
        model_config = ConfigDict(extra="allow")

    def order(item, user: Annotated[str, Injected] = "me", **more):
        return user

    def needs_user(user: Annotated[str, Injected] = "me", **more):
        return user

    class WithUser(BaseModel):
        item: str
        user: str

    assert "user" == fault_of(order, parameters=WithUser).parameter
    tool = Tool.from_function(needs_user, parameters=Open)
    assert "me" == tool.execute({"x": 1}).output
    assert "invalid_arguments" == tool.execute({"user": "admin"}).kind


def test_annotations_do_not_matter_where_parameters_are_given():
    """A function of somebody else's may be annotated with what does not resolve."""

    def order(item: "Nowhere", count: "AlsoNowhere"):  # noqa: F821
        return item * count

    assert (
        "xx"
        == Tool.from_function(order, parameters=Order).execute({"item": "x", "count": 2}).output
    )


def test_defaults_of_the_function_are_supplied_beside_a_model():
    """A parameter that is no field gets its own default, a fresh copy where it is a container."""

    def order(item, count, seen=[], n=Field(default_factory=lambda: 7)):  # noqa: B006
        seen.append(item)
        return seen, n

    tool = Tool.from_function(order, parameters=Order)
    for _ in range(2):
        assert [["x"], 7] == list(tool.execute({"item": "x"}).value)


@pytest.mark.parametrize(
    "model",
    [RootModel[list[int]], RootModel[int], RootModel[list[Order] | int]],
    ids=["list", "int", "union"],
)
def test_a_model_that_is_no_object_is_refused(model):
    """Providers want an object at the root."""
    assert "parameters" == fault_of(lambda root: root, name="f", parameters=model).parameter


def test_a_root_model_of_objects_is_taken():
    """A model of alternatives has its root passed on."""
    model = RootModel[Order | dict[str, int]]
    tool = Tool.from_function(lambda root: root, name="f", parameters=model, serializer=repr)
    assert Order(item="x") == tool.execute({"item": "x"}).value
    assert {"a": 1} == tool.execute({"a": 1}).value


def test_a_model_without_schema_is_refused():
    """What cannot be described is found at the def."""

    class Database:
        pass

    class Bad(BaseModel):
        model_config = ConfigDict(arbitrary_types_allowed=True)
        db: Database

    assert "parameters" == fault_of(lambda db: db, name="f", parameters=Bad).parameter


def test_descriptions_of_given_parameters_can_be_required():
    """A field without description is a fault of the definition."""

    class Told(BaseModel):
        a: int = Field(description="told")
        b: int

    def f(a, b):
        """Do it."""

    assert "b" == fault_of(f, parameters=Told, require_descriptions=True).parameter


def test_descriptions_of_a_schema_can_be_required(enforced):
    """A property without text, also one that is only true, is a fault."""
    schema = {"type": "object", "properties": {"a": {"description": "told"}, "b": True, "c": {}}}
    faults = faults_of(forecast, parameters=schema, require_descriptions=True)
    assert ["b", "c"] == [fault.parameter for fault in faults]
    schema["properties"] = {"a": {"description": "told"}}
    Tool.from_function(forecast, parameters=schema, require_descriptions=True)


def test_odd_names_of_a_model_are_taken_in_the_spelling_of_a_format():
    """What an export has to rename comes back under the safe name."""

    class Odd(BaseModel):
        model_config = ConfigDict(extra="forbid")
        size: int = Field(alias="größe")

    tool = Tool.from_function(lambda size: size, name="f", parameters=Odd)
    safe = formats.anthropic.safe_parameter("größe")
    assert "7" == tool.execute({"größe": 7}).output == tool.execute({safe: 7}).output
    assert "bad_json" == tool.execute(f'["{safe}"]').kind
    assert "bad_json" == tool.execute(f'{{"{safe}": ').kind
    assert "invalid_arguments" == tool.execute({"größe": "x", safe: 7}).kind


def test_names_of_a_model_that_are_spelled_alike_are_refused():
    """Two names that one format cannot tell apart are a definition error."""
    safe = formats.anthropic.safe_parameter("größe")

    class Odd(BaseModel):
        a: int = Field(alias="größe")
        b: int = Field(alias=safe)

    assert safe in fault_of(lambda a, b: a, name="f", parameters=Odd).problem


# Parameters that are given: a JSON Schema


SCHEMA = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "minLength": 2},
        "days": {"type": "array", "items": {"$ref": "#/$defs/day"}},
    },
    "required": ["city"],
    "$defs": {"day": {"type": "integer", "minimum": 1}},
    "x-vendor": {"kept": True},
}


def forecast(**arguments):
    """Forecast."""
    return arguments


@pytest.fixture
def enforced():
    pytest.importorskip("jsonschema_rs")


def weather(schema=SCHEMA, func=forecast, **options):
    return Tool.from_function(func, name="weather", parameters=schema, **options)


def test_a_schema_is_exported_verbatim(enforced):
    """In the neutral form not a word of it is changed."""
    tool = weather()
    assert SCHEMA == tool.parameters == tool.spec()["parameters"]
    assert tool.model is None


def test_a_schema_may_change_afterwards(enforced):
    """What the program does with its dict later is its own affair."""
    import copy

    schema = copy.deepcopy(SCHEMA)
    tool = weather(schema)
    schema["properties"]["city"]["minLength"] = 50
    assert SCHEMA == tool.parameters


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        ({"city": "Oslo", "days": [1, 2]}, None),
        ({}, ["city: missing"]),
        ({"city": "x", "days": [0, "1"]}, ["city: ", "days[0]: ", "days[1]: "]),
        ({"city": "Oslo", "dayz": []}, ["dayz: unknown argument; did you mean days?"]),
    ],
)
def test_a_schema_is_enforced_on_every_call(enforced, arguments, lines):
    """All faults come at once, each by its path."""
    result = weather().execute(arguments)
    if lines is None:
        assert arguments == result.value
    else:
        assert "invalid_arguments" == result.kind
        assert len(lines) == len(result.output.splitlines()) - 1
        assert all(line in result.output for line in lines)


@pytest.mark.parametrize(
    ("words", "sent", "is_taken"),
    [
        ({}, "other", False),
        ({"additionalProperties": True}, "other", True),
        ({"additionalProperties": {"type": "string"}}, "other", False),
        ({"additionalProperties": {"type": "integer"}}, "other", True),
        ({"additionalProperties": False}, "other", False),
        ({"unevaluatedProperties": True}, "other", True),
        ({"patternProperties": {"^x-": {}}}, "x-other", True),
        ({"patternProperties": {"^x-": {}}}, "other", False),
        ({"patternProperties": {"^\\p{L}+$": {}}}, "other", True),
        ({"allOf": [{"properties": {"other": {}}}]}, "other", True),
        ({"anyOf": [{"properties": {"other": {}}}, {"required": ["city"]}]}, "other", True),
        ({"oneOf": [{"additionalProperties": True}]}, "other", True),
        ({"if": True, "then": {"properties": {"other": {}}}}, "other", True),
        ({"dependentSchemas": {"city": {"properties": {"other": {}}}}}, "other", True),
        ({"$ref": "#/$defs/more", "$defs": {"more": {"properties": {"other": {}}}}}, "other", True),
        ({"$ref": "#/allOf/0", "allOf": [{"properties": {"other": {}}}]}, "other", True),
        (
            {"$ref": "#more", "$defs": {"m": {"$anchor": "more", "properties": {"other": {}}}}},
            "other",
            True,
        ),
        (
            {
                "$ref": "#/$defs/a",
                "$defs": {"a": {"anyOf": [{"properties": {}}, {"$ref": "#/$defs/a"}]}},
            },
            "other",
            False,
        ),
    ],
    ids=str,
)
def test_unknown_names_are_refused_unless_the_schema_admits_them(enforced, words, sent, is_taken):
    """As everywhere; what any part of the schema speaks of is known."""
    schema = {"type": "object", "properties": {"city": {}}, **words}
    result = weather(schema).execute({"city": "Oslo", sent: 1})
    assert is_taken is (result.kind == "success")


def test_unknown_names_can_be_ignored(enforced):
    """``extra="ignore"`` drops what the schema does not admit."""
    result = weather(extra="ignore").execute({"city": "Oslo", "other": 1})
    assert {"city": "Oslo"} == result.value


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"a": {"$ref": "http://169.254.169.254/latest"}}},
        {"properties": {"a": {"$ref": "file:///etc/passwd"}}},
        {"properties": {"a": {"$ref": "other.json"}}},
        {"properties": {"a": {"$ref": "#/$defs/missing"}}},
        {"properties": {"a": {"$dynamicRef": "http://x.test/y"}}},
    ],
    ids=str,
)
def test_references_to_other_places_are_refused(enforced, schema):
    """They are never fetched: the definition is refused."""
    assert "parameters" == fault_of(forecast, parameters=schema).parameter


@pytest.mark.parametrize(
    "schema",
    [{"type": "nonsense"}, {"properties": []}, {"properties": {"a": {"minimum": "1"}}}],
    ids=str,
)
def test_what_is_no_schema_is_refused(enforced, schema):
    """The fault says that it is no valid JSON Schema."""
    assert "JSON Schema" in fault_of(forecast, parameters=schema).problem


def test_a_schema_cannot_be_fetched_by_its_own_dialect(enforced):
    """A dialect of somebody's own would have to be fetched, so it is refused."""
    schema = {"$schema": "http://x.test/dialect", "type": "object"}
    assert "parameters" == fault_of(forecast, parameters=schema).parameter


def test_a_schema_needs_the_extra(monkeypatch):
    """Without a validator the definition is refused with the line that installs it."""
    monkeypatch.setitem(sys.modules, "jsonschema_rs", None)
    assert 'pip install "toolreg[schema]"' == fault_of(forecast, parameters=SCHEMA).cure


def test_a_schema_passes_names_that_are_no_identifiers(enforced):
    """A property of any name arrives through ``**kwargs``."""
    schema = {"type": "object", "properties": {"a-b": {}, "größe": {}, "": {}}}
    sent = {"a-b": 1, "größe": 2, "": 3}
    tool = weather(schema)
    assert sent == tool.execute(sent).value
    safe = formats.gemini.safe_parameter("a-b")
    assert {"a-b": 1} == tool.execute({safe: 1}).value


def test_a_schema_that_admits_further_names_needs_a_function_that_takes_them(enforced):
    """Otherwise a valid call would break."""
    schema = {"type": "object", "properties": {}, "additionalProperties": True}
    assert "**kwargs" in fault_of(lambda: 0, name="f", parameters=schema).problem


def test_arguments_of_a_schema_are_an_object(enforced):
    """JSON that is no object is no arguments, NaN is no JSON."""
    assert "bad_json" == weather().execute("[1]").kind
    assert "bad_json" == weather().execute('{"city": NaN}').kind
    assert "invalid_arguments" == weather().execute("").kind


def test_faults_in_branches_are_those_of_the_nearest(enforced):
    """Of several alternatives the one that was meant says what is wrong."""
    schema = {
        "type": "object",
        "properties": {
            "pet": {
                "anyOf": [
                    {"type": "string"},
                    {
                        "type": "object",
                        "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
                        "required": ["name"],
                        "additionalProperties": False,
                    },
                ]
            },
            "never": False,
            "size": {"oneOf": [{"type": "integer"}, {"type": "boolean"}]},
        },
    }
    output = weather(schema).execute({"pet": {"age": "x", "b": 1}, "never": 1, "size": "x"}).output
    assert "pet.name: missing" in output
    assert "pet.b: unknown" in output
    assert "pet.age: " in output
    assert "never: unknown argument" in output
    assert "size: " in output


def test_faults_of_a_schema_never_show_what_was_sent(enforced):
    """The model's own values are not repeated to it."""
    assert "swordfish" not in weather().execute({"city": ["swordfish"]}).output


@given(st.from_regex(r"[a-zA-Z_][a-zA-Z0-9_]{0,63}", fullmatch=True))
@settings(deadline=None, database=None)
def test_a_plain_name_needs_no_other_spelling(name):
    """Every format takes letters, digits and ``_``, for tools and for parameters."""
    spelled = {name}
    for made in formats.FORMATS.values():
        spelled |= {made.safe_name(name), made.safe_parameter(name)}
    assert {name} == spelled
    assert () == tool_spellings(name) == parameter_spellings(name)
