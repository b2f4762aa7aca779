"""Methods marked in the body of their class, and objects that bring them."""

import functools
from dataclasses import dataclass

import pytest

from toolreg import DuplicateToolError, Registry, ToolDefinitionError

marks = Registry("marks")


class Weather:
    def __init__(self, key: str = "k"):
        self.key = key

    @marks.tool
    def now(self, city: str) -> str:
        """Say the weather."""
        return f"{self.key}:{city}"

    @marks.tool(name="week", tags=["slow"])
    async def forecast(self, city: str) -> str:
        return f"{self.key}:{city}*7"

    @marks.tool
    @classmethod
    def kind(cls) -> str:
        return cls.__name__

    @marks.tool(description="Add.")
    @staticmethod
    def add(a: int, b: int) -> int:
        return a + b

    def unmarked(self) -> str:
        return "unmarked"

    def _private(self): ...

    @property
    def broken(self):
        raise RuntimeError("properties are not touched")


class Override(Weather):
    def now(self, city: str, unit: str = "C") -> str:
        """Say it better."""
        return f"{city}{unit}"

    @classmethod
    def kind(cls) -> str:
        return "other"

    add = None


@pytest.fixture
def registry():
    return Registry()


def test_a_mark_is_never_exported_by_itself():
    """Marking registers nothing, anywhere."""
    assert [] == list(marks)


def test_the_marked_method_is_the_very_method():
    """The class looks as if it had not been decorated."""
    assert "function" == type(Weather.__dict__["now"]).__name__
    assert isinstance(Weather.__dict__["kind"], classmethod)
    assert isinstance(Weather.__dict__["add"], staticmethod)
    assert "k:Oslo" == Weather().now("Oslo")


def test_any_registry_can_be_given_an_instance(registry):
    """Every marked method of the object comes, bound, in the order of definition."""
    tools = registry.add(Weather("mine"))
    assert ["now", "week", "kind", "add"] == [tool.name for tool in tools] == list(registry)
    assert "mine:Oslo" == registry.execute("now", {"city": "Oslo"}).output
    assert "mine:Oslo*7" == registry.execute("week", {"city": "Oslo"}).output
    assert "Weather" == registry.execute("kind").output
    assert "3" == registry.execute("add", {"a": 1, "b": 2}).output


def test_options_of_the_mark_are_those_of_the_tool(registry):
    """Name, description and tags are what the decorator said."""
    registry.add(Weather())
    assert ("slow",) == registry["week"].tags
    assert ("Say the weather.", "Add.") == (
        registry["now"].description,
        registry["add"].description,
    )


def test_two_objects_of_a_class_have_a_prefix_each(registry):
    """Prefix, tags and injection hold for all that one addition brings."""
    registry.add(Weather("a"), prefix="a_", tags="first")
    registry.add(Weather("b"), prefix="b_", tags=["second"])
    assert "a:Oslo" == registry.execute("a_now", {"city": "Oslo"}).output
    assert "b:Oslo*7" == registry.execute("b_week", {"city": "Oslo"}).output
    assert (("first",), ("slow", "second")) == (registry["a_now"].tags, registry["b_week"].tags)


def test_injection_can_be_said_for_all_methods(registry):
    """What one addition injects is in no schema of what it brings."""
    registry.add(Weather(), inject="city")
    assert {} == registry["now"].parameters["properties"]
    assert "k:Oslo" == registry.execute("now", context={"city": "Oslo"}).output
    assert "k:Oslo*7" == registry.execute("week", context={"city": "Oslo"}).output


def test_an_override_of_a_marked_method_is_marked(registry):
    """Its own signature and documentation count; what is set to None is gone."""
    registry.add(Override())
    assert ["now", "week", "kind"] == list(registry)
    assert "Say it better." == registry["now"].description
    assert "OsloF" == registry.execute("now", {"city": "Oslo", "unit": "F"}).output
    assert "other" == registry.execute("kind").output


def test_a_mark_on_an_override_beats_that_on_the_method(registry):
    """The nearest mark has the options."""

    class Nearer(Weather):
        @marks.tool(name="right_now")
        def now(self, city: str) -> str:
            return "near"

    registry.add(Nearer())
    assert ["right_now", "week", "kind", "add"] == list(registry)


def test_all_public_methods_can_be_added(registry):
    """``methods=True`` takes unmarked ones as well, with the options of those that are marked."""
    registry.add(Weather(), methods=True)
    assert ["now", "week", "kind", "add", "unmarked"] == list(registry)


def test_objects_of_foreign_classes_can_be_added(registry):
    """Neither marks nor source are needed."""

    class Foreign:
        attribute = 1

        class Inner: ...

        def one(self) -> int:
            return 1

        two = one

        @staticmethod
        def three() -> int:
            return 3

    registry.add(Foreign(), methods=True)
    assert ["one", "three"] == list(registry)


def test_a_class_is_refused(registry):
    """The cure is to add an instance."""
    with pytest.raises(ToolDefinitionError, match="instance"):
        registry.add(Weather)


def test_an_object_without_tools_is_refused(registry):
    """What has no marks and cannot be called brings nothing; the cure says how to get at it."""

    class Empty:
        def method(self): ...

    with pytest.raises(ToolDefinitionError, match="methods=True"):
        registry.add(Empty())


def test_marks_come_before_calling(registry):
    """An object that has marked methods and can be called brings its methods."""

    class Both:
        def __call__(self): ...

        @marks.tool
        def method(self): ...

    registry.add(Both())
    assert ["method"] == list(registry)


def test_dataclasses_with_slots_keep_their_marks(registry):
    """The class is made anew, its functions are not."""

    @dataclass(slots=True)
    class Box:
        n: int

        @marks.tool
        def get(self) -> int:
            return self.n

    registry.add(Box(7))
    assert "7" == registry.execute("get").output


def test_nested_and_local_classes_are_marked(registry):
    """Wherever a class body stands, it is one."""

    class Outer:
        class Inner:
            @marks.tool
            def inner(self) -> str:
                return "inner"

        @marks.tool
        def outer(self) -> str:
            return "outer"

    registry.add(Outer())
    registry.add(Outer.Inner())
    assert ["outer", "inner"] == list(registry)


def logged(func):
    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        return func(*args, **kwargs)

    return wrapper


def test_decorated_methods_are_marked(registry):
    """Other decorators may stand between the mark and the method."""

    class Logged:
        @marks.tool
        @logged
        def method(self, a: int) -> int:
            return a

    registry.add(Logged())
    assert "1" == registry.execute("method", {"a": "1"}).output


def test_a_function_from_elsewhere_is_a_tool_in_a_class_body_too():
    """Only what is defined in the body is a method; a call there registers as anywhere."""
    registry = Registry()

    def outside(a: int) -> int:
        return a

    class Body:
        registry.tool(outside)

    assert ["outside"] == list(registry)


def test_annotations_of_methods_may_name_their_class(registry):
    """The class exists once an instance is added."""
    from pydantic import BaseModel

    class Node(BaseModel):
        value: int = 1

        @marks.tool
        def join(self, other: "Node") -> int:
            return self.value + other.value

    registry.add(Node())
    assert "3" == registry.execute("join", {"other": {"value": 2}}).output


def test_mangled_names_are_marked(registry):
    """A private name is spelled by the class, and found all the same."""

    class Private:
        @marks.tool(name="secret")
        def __secret(self) -> int:
            return 1

    registry.add(Private())
    assert "1" == registry.execute("secret").output


def test_instances_share_no_tool_of_one_name(registry):
    """Two objects of one class clash without a prefix; the same one again is no fault."""
    weather = Weather()
    registry.add(weather)
    registry.add(weather)
    with pytest.raises(DuplicateToolError):
        registry.add(Weather())


def test_methods_are_found_by_the_method(registry):
    """A bound method is equal to itself however often it is taken."""
    weather = Weather()
    registry.add(weather)
    assert "now" == registry[weather.now].name
    assert Weather().now not in registry
    assert "now" == registry.remove(weather.now).name


def test_marks_do_not_keep_classes_alive():
    """The table of marks is weak."""
    import gc
    import weakref

    class Gone:
        @marks.tool
        def method(self): ...

    gone = weakref.ref(Gone)
    del Gone
    gc.collect()
    assert gone() is None
