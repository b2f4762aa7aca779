# ruff: noqa: F722, F821 - names that are not there are what is tested
"""Names in annotations -> types."""

import collections.abc
import datetime as dt
import functools
import gc
import importlib
import inspect
import sys
import textwrap
import types
import typing
import weakref
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import (
    Annotated,
    Any,
    Callable,
    Dict,
    Generic,
    List,
    Literal,
    NamedTuple,
    NotRequired,
    Optional,
    Required,
    TypedDict,
    TypeVar,
    Union,
    Unpack,
)

import pytest
import typing_extensions
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from toolreg import Injected
from toolreg._annotations import EMPTY, NoSignature, read, rebuild

T = TypeVar("T")
before_312 = pytest.mark.skipif(sys.version_info >= (3, 12), reason="pydantic takes it as it is")
since_312 = pytest.mark.skipif(sys.version_info < (3, 12), reason="new syntax")


class Point:
    x: int


class Unsubscriptable:
    pass


class Box(Generic[T]):
    pass


Json = Union[str, List["Json"]]


def parameters(func, namespace=None):
    return {each.name: each for each in read(func, namespace or {}).parameters}


def annotations(func, namespace=None):
    found = parameters(func, namespace)
    assert {name: None for name in found} == {name: each.problem for name, each in found.items()}
    return {name: each.annotation for name, each in found.items()}


def only(func, namespace=None):
    (found,) = read(func, namespace or {}).parameters
    return found


def shape(annotation):
    """Return a type as plain tuples: typing.Dict and dict are the same."""
    if isinstance(annotation, list):
        return [shape(each) for each in annotation]
    origin = typing.get_origin(annotation)
    if origin is None:
        return type(None) if annotation is None else annotation
    arguments = [shape(each) for each in typing.get_args(annotation)]
    if origin in (Union, types.UnionType):
        return Union, *sorted(arguments, key=repr)
    return origin, *arguments


def annotated(annotation):
    """Return a function of this module with one parameter of a type."""

    def function(a): ...

    function.__annotations__ = {"a": annotation}
    return function


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Write modules, by file name, and import one of them."""
    monkeypatch.syspath_prepend(tmp_path)
    names = set(sys.modules)

    def make(name, **files):
        for module, text in files.items():
            path = tmp_path / (module.replace("__", "/") + ".py")
            path.parent.mkdir(exist_ok=True)
            for folder in path.parents:
                if folder != tmp_path and folder.is_relative_to(tmp_path):
                    (folder / "__init__.py").touch()
            path.write_text(textwrap.dedent(text))
        importlib.invalidate_caches()
        return importlib.import_module(name)

    yield make
    for name in set(sys.modules) - names:
        del sys.modules[name]


GUARDED = {
    "plain": """
        from typing import TYPE_CHECKING
        if TYPE_CHECKING:
            from decimal import Decimal
        """,
    "attribute": """
        import typing
        if typing.TYPE_CHECKING:
            from decimal import Decimal
        """,
    "module alias": """
        import typing as t
        if t.TYPE_CHECKING:
            from decimal import Decimal
        """,
    "constant alias": """
        from typing import TYPE_CHECKING as CHECKING
        if CHECKING:
            from decimal import Decimal
        """,
    "constant of its own": """
        TYPE_CHECKING = False
        if TYPE_CHECKING:
            from decimal import Decimal
        """,
    "if False": """
        if False:
            from decimal import Decimal
        """,
    "else of not": """
        from typing import TYPE_CHECKING
        if not TYPE_CHECKING:
            pass
        else:
            from decimal import Decimal
        """,
    "elif": """
        import sys
        from typing import TYPE_CHECKING
        if sys.version_info < (3, 0):
            pass
        elif TYPE_CHECKING or len(sys.argv) > 999:
            from decimal import Decimal
        """,
    "try and with": """
        import contextlib
        from typing import TYPE_CHECKING
        with contextlib.suppress(Exception):
            try:
                if TYPE_CHECKING:
                    try:
                        from nowhere_at_all import Decimal
                    except ImportError:
                        from decimal import Decimal
                    else:
                        pass
            finally:
                pass
        """,
    "renamed": """
        from typing import TYPE_CHECKING
        if TYPE_CHECKING:
            from fractions import Fraction as Other
            from decimal import Context, Decimal as Decimal, getcontext
        """,
    "star": """
        from typing import TYPE_CHECKING
        if TYPE_CHECKING:
            from fractions import *
            from decimal import *
        """,
    "alias": """
        from typing import TYPE_CHECKING
        if TYPE_CHECKING:
            import decimal as d
            Decimal = d.Decimal
        """,
    "annotated alias": """
        from typing import TYPE_CHECKING
        if TYPE_CHECKING:
            from decimal import Decimal as D
            from typing import TypeAlias
            Decimal: TypeAlias = "D"
            Later: TypeAlias
            a.b = c[0] = 1
        """,
}


@pytest.mark.parametrize("source", GUARDED.values(), ids=GUARDED)
def test_names_that_only_type_checkers_see_are_imported(package, source):
    """A name imported under TYPE_CHECKING resolves, however the condition is spelt."""
    from decimal import Decimal

    module = package("guarded_mod", guarded_mod=source)
    exec("def f(a: 'Decimal | None', b: 'list[Decimal]'): ...", vars(module))
    assert "Decimal" not in vars(module)
    assert {"a": Decimal | None, "b": list[Decimal]} == annotations(module.f)
    assert "Decimal" not in vars(module)


DOTTED = {
    "import decimal": "decimal.Decimal",
    "import decimal as d": "d.Decimal",
    "import xml.dom.minidom": "xml.dom.minidom.Document",
    "import xml.dom.minidom as m": "m.Document",
    "import xml.dom, xml.sax": "xml.dom.minidom.Document",
    "from xml.dom import minidom": "minidom.Document",
    "import collections.abc": "collections.abc.Sequence[int]",
}


@pytest.mark.parametrize(("statement", "text"), DOTTED.items())
def test_dotted_names_of_guarded_modules_resolve(package, statement, text):
    """An annotation may go through modules that only type checkers import."""
    import decimal
    import xml.dom.minidom

    expected = {
        "Decimal": decimal.Decimal,
        "Document": xml.dom.minidom.Document,
        "Sequence[int]": collections.abc.Sequence[int],
    }
    source = f"""
        from __future__ import annotations
        from typing import TYPE_CHECKING
        if TYPE_CHECKING:
            {statement}
        def f(a: {text}): ...
        """
    module = package("dotted_mod", dotted_mod=source)
    assert expected[text.rpartition(".")[2]] == only(module.f).annotation


def test_a_guarded_submodule_of_an_imported_package_is_imported(package):
    """Where the package itself is imported at run time, its submodule still is found."""
    module = package(
        "user",
        pack__sub="class Thing: ...",
        user="""
            from __future__ import annotations
            from typing import TYPE_CHECKING
            import pack
            if TYPE_CHECKING:
                import pack.sub
            def f(a: pack.sub.Thing | None): ...
            """,
    )
    assert "pack.sub" not in sys.modules
    found = only(module.f).annotation
    assert sys.modules["pack.sub"].Thing | None == found


def test_relative_guarded_imports_resolve(package):
    """`from . import x` and `from .x import y` are relative to the function's own package."""
    module = package(
        "pack.user",
        pack__other="class Thing: ...",
        pack__user="""
            from __future__ import annotations
            from typing import TYPE_CHECKING
            if TYPE_CHECKING:
                from . import other
                from .other import Thing as It
            def f(a: other.Thing, b: It): ...
            """,
    )
    thing = importlib.import_module("pack.other").Thing
    assert {"a": thing, "b": thing} == annotations(module.f)


def test_only_the_names_that_are_needed_are_imported(package):
    """A guarded import that no parameter names is left alone."""
    module = package(
        "user",
        needed="class Thing: ...",
        needless="class Thing: ...",
        user="""
            from __future__ import annotations
            from typing import TYPE_CHECKING
            if TYPE_CHECKING:
                import absent_package
                from needless import Thing as Other
                from needed import Thing
            def f(a: Thing) -> Other: ...
            """,
    )
    signature = read(module.f, {})
    assert "needless" not in sys.modules
    assert sys.modules["needed"].Thing is signature.parameters[0].annotation
    assert EMPTY is signature.returns


def test_a_return_type_that_is_loaded_resolves(package):
    """A guarded return type resolves where this takes no import."""
    module = package(
        "user",
        user="""
            from __future__ import annotations
            from typing import TYPE_CHECKING
            if TYPE_CHECKING:
                from datetime import date
            def f() -> list[date]: ...
            """,
    )
    assert list[dt.date] == read(module.f, {}).returns


def test_names_of_an_alias_are_looked_up_where_it_was_written(package):
    """An alias from another module names types that only that module knows, guarded too."""
    module = package(
        "user",
        models="class Point: ...\nclass Line: ...",
        hub="from aliases import Shape as Form, Shapes",
        aliases="""
            from typing import TYPE_CHECKING, Union
            if TYPE_CHECKING:
                from models import Line, Point
            Shape = Union["Point", "Line"]
            Shapes = list[Shape]
            Text: str = "Point | None"
            """,
        user="""
            import aliases as al
            from typing import TYPE_CHECKING, Optional
            from hub import Form, Shapes
            from aliases import Text
            class Point: ...
            if TYPE_CHECKING:
                from hub import Form as Guarded
            def f(a: "Form", b: "Optional[Shapes]", c: "Guarded | None", d: "al.Shapes", e: "Text"): ...
            """,
    )
    models = importlib.import_module("models")
    shape = models.Point | models.Line
    expected = {"a": shape, "b": list[shape] | None, "c": shape | None, "d": list[shape]}
    assert expected | {"e": models.Point | None} == annotations(module.f)


def test_names_of_an_imported_alias_object_are_found(package):
    """The annotation may be the alias itself, no text that says where it came from."""
    module = package(
        "user",
        models="class Point: ...",
        aliases="""
            from typing import TYPE_CHECKING, Union
            if TYPE_CHECKING:
                from models import Point
            Shape = Union["Point", int]
            """,
        user="""
            from typing import Optional
            from aliases import Shape
            def f(a: Shape, b: Optional[list[Shape]] = None, c: list["Never"] = ()): ...
            """,
    )
    found = parameters(module.f)
    point = importlib.import_module("models").Point
    assert point | int == found["a"].annotation
    assert list[point | int] | None == found["b"].annotation
    assert found["c"].pending


def test_a_name_that_is_imported_from_where_it_is_guarded_too_resolves(package):
    """Guarded names are passed on from module to module."""
    module = package(
        "user",
        origin="class Thing: ...",
        between="""
            from typing import TYPE_CHECKING
            if TYPE_CHECKING:
                from origin import Thing
            """,
        user="""
            from typing import TYPE_CHECKING
            if TYPE_CHECKING:
                from between import Thing
            def f(a: "Thing"): ...
            """,
    )
    assert importlib.import_module("origin").Thing is only(module.f).annotation


def test_a_name_that_is_passed_on_in_vain_says_why(package):
    """The reason is that of the module that could not be imported."""
    module = package(
        "user",
        between="""
            from typing import TYPE_CHECKING
            if TYPE_CHECKING:
                from absent_package import Thing
            """,
        user="""
            from typing import TYPE_CHECKING
            if TYPE_CHECKING:
                from between import Thing
            def f(a: "Thing"): ...
            """,
    )
    assert "No module named 'absent_package'" in only(module.f).problem


def test_names_that_modules_pass_to_each_other_are_no_endless_loop(package):
    """Two modules that claim to have an alias from each other cost only that alias."""
    module = package(
        "user",
        user="""
            from typing import TYPE_CHECKING, List
            if TYPE_CHECKING:
                from other import Both
            Both = List["Missing"]
            def f(a: "Both"): ...
            """,
        other="""
            from typing import TYPE_CHECKING
            from user import Both
            """,
    )
    assert only(module.f).pending


def test_typed_dicts_that_only_type_checkers_see_are_made(package):
    """A class under TYPE_CHECKING is executed, with the names it needs."""
    module = package(
        "user",
        user="""
            from __future__ import annotations
            from typing import TYPE_CHECKING
            if TYPE_CHECKING:
                from decimal import Decimal
                from typing import TypedDict, Unpack
                class Base(TypedDict):
                    amount: Decimal
                class Options(Base, total=False):
                    day: Absent
                    inner: list[Options]
            def f(a: Options, b: Options, **options: Unpack[Options]): ...
            """,
    )
    found = annotations(module.f)
    assert found["a"] is found["b"]
    assert frozenset({"amount"}) == found["a"].__required_keys__
    assert frozenset({"day", "inner"}) == found["a"].__optional_keys__
    assert "Unpack" in str(typing.get_origin(found["options"]))
    properties = TypeAdapter(found["a"]).json_schema()["properties"]
    assert {"amount", "day", "inner"} == properties.keys()


def test_an_absent_package_is_a_problem_of_its_parameter_alone(package):
    """What cannot be imported is named, and the other parameters resolve."""
    module = package(
        "user",
        user="""
            from __future__ import annotations
            from typing import TYPE_CHECKING
            if TYPE_CHECKING:
                import absent_package as ap
                from absent_package.sub import Thing
                from decimal import Absent
            def f(a: ap.Frame, b: int, c: list[Thing], d: Absent): ...
            """,
    )
    found = parameters(module.f)
    absent = "cannot be resolved: No module named 'absent_package'"
    assert f"annotation 'ap.Frame' {absent}" == found["a"].problem
    assert (EMPTY, False) == (found["a"].annotation, found["a"].pending)
    assert int is found["b"].annotation
    assert f"annotation 'list[Thing]' {absent}" == found["c"].problem
    assert "AttributeError: module 'decimal' has no attribute 'Absent'" in found["d"].problem


def test_a_union_does_without_members_that_are_not_installed(package):
    """No value of a type that is not installed can exist: the other members remain."""
    module = package(
        "user",
        user="""
            from __future__ import annotations
            from typing import TYPE_CHECKING, Optional, Union
            if TYPE_CHECKING:
                from absent_package import Thing
            Alias = Union["Thing", list["Thing"], str]
            def f(a: Thing | str | None, b: Union[Thing, int], c: Optional[Thing], d: Alias): ...
            def g(a: Thing | list[Thing]): ...
            """,
    )
    expected = {"a": str | None, "b": int, "c": type(None), "d": str}
    assert expected == annotations(module.f)
    assert "No module named 'absent_package'" in only(module.g).problem


def test_a_star_import_that_fails_hides_no_other(package):
    """Of several guarded star imports, the one that has the name counts."""
    module = package(
        "user",
        user="""
            from typing import TYPE_CHECKING
            if TYPE_CHECKING:
                from absent_package import *
                from decimal import *
            def f(a: "Decimal", b: "Nope"): ...
            """,
    )
    found = parameters(module.f)
    assert importlib.import_module("decimal").Decimal is found["a"].annotation
    assert found["b"].pending


def test_an_alias_may_stand_in_for_one_that_is_not_installed(package):
    """What is imported in vain is no place to look for the names of an alias."""
    module = package(
        "user",
        user="""
            from typing import Union
            import typing as Alias
            try:
                from absent_package import Alias
            except ImportError:
                Alias = Union["Thing", str]
            class Thing: ...
            def f(a: "Alias"): ...
            """,
    )
    assert module.Thing | str == only(module.f).annotation


def test_an_import_that_failed_before_says_why(package):
    """A name that the module itself could not import is told by its package."""
    module = package(
        "user",
        user="""
            from __future__ import annotations
            try:
                import absent_package as ap
            except ImportError:
                pass
            def f(a: ap.Thing, b: ap.Thing | int): ...
            """,
    )
    found = parameters(module.f)
    assert "No module named 'absent_package'" in found["a"].problem
    assert not found["a"].pending
    assert int is found["b"].annotation


Bounded = TypeVar("Bounded", bound="Point")
Constrained = TypeVar("Constrained", "Point", int)
Unbounded = TypeVar("Unbounded", bound="Nope")
Sortable = TypeVar("Sortable", bound="Box[Sortable]")


def test_type_variables_are_resolved_to_what_limits_them():
    """Where the limit is text, it is what it names that an argument has to be."""

    def f(a: Bounded, b: "list[Bounded]", c: Constrained, d: T, e: Unbounded, g: Sortable): ...

    found = parameters(f)
    expected = {"a": Point, "b": list[Point], "c": Point | int, "d": T, "e": EMPTY}
    assert expected | {"g": Box[Any]} == {name: each.annotation for name, each in found.items()}
    assert found["e"].pending


CIRCLES = {
    "by name": ("from first import late", "from second import Thing", "Thing"),
    "by attribute": ("import first\nfirst.late", "from second import Thing", "Thing"),
    "by module": ("from first import late", "import second", "second.Thing"),
}


@pytest.mark.parametrize(("back", "forth", "text"), CIRCLES.values(), ids=CIRCLES)
def test_a_half_imported_module_is_a_problem_that_may_pass(package, back, forth, text):
    """In a circular import the parameter is pending, the others are not, and the cure is told."""
    module = package(
        "first",
        second=f"{back}\nclass Thing: ...",
        first=f"""
            from __future__ import annotations
            from typing import TYPE_CHECKING
            from toolreg._annotations import read
            if TYPE_CHECKING:
                {forth}
            def f(a: {text}, b: int): ...
            early = read(f, {{}})
            late = 1
            """,
    )
    a, b = module.early.parameters
    assert a.pending
    assert "module 'first' is only half imported" in a.problem
    assert "define the tool once both are loaded" in a.problem
    assert int is b.annotation
    second = importlib.import_module("second")
    assert second.Thing is parameters(module.f)["a"].annotation


def test_the_module_that_is_half_imported_may_be_the_other_one(package):
    """The type may be defined further down in the module whose import came first."""
    module = package(
        "second",
        second="import first\nclass Thing: ...",
        first="""
            from typing import TYPE_CHECKING
            from toolreg._annotations import read
            if TYPE_CHECKING:
                from second import Thing
            def f(a: "Thing"): ...
            early = read(f, {})
            """,
    )
    first = sys.modules["first"]
    (early,) = first.early.parameters
    assert early.pending
    assert "module 'second' is only half imported" in early.problem
    assert module.Thing is only(first.f).annotation


def test_an_import_that_fails_is_a_problem(package):
    """Whatever a module raises when it is imported is told, not raised."""
    module = package(
        "user",
        broken="1 / 0",
        user="""
            from typing import TYPE_CHECKING
            if TYPE_CHECKING:
                from broken import Thing
            def f(a: "Thing"): ...
            """,
    )
    expected = "annotation 'Thing' cannot be resolved: ZeroDivisionError: division by zero"
    assert expected == only(module.f).problem


def test_path_types_of_the_stubs_are_known(package):
    """The names of _typeshed that stand for paths resolve, though there is no such module."""
    module = package(
        "user",
        user="""
            from typing import TYPE_CHECKING
            if TYPE_CHECKING:
                from _typeshed import StrPath, SupportsRead
            def f(a: "StrPath", b: "SupportsRead[str]"): ...
            """,
    )
    found = parameters(module.f)
    assert str | PathLike[str] == found["a"].annotation
    assert "No module named '_typeshed'" in found["b"].problem


def test_code_without_a_source_keeps_its_names_unresolved():
    """Where no source can be found, a name is pending."""
    space = {"__name__": "nowhere"}
    exec("def f(a: 'Nope', b: int): ...", space)
    found = parameters(space["f"])
    assert found["a"].pending
    assert int is found["b"].annotation


@pytest.mark.parametrize("text", ["def f(:", "\0", "x = (" * 300])
def test_a_source_that_does_not_parse_is_no_source(package, text):
    """A file that has changed into no Python costs only the names it would have told."""
    module = package("user", user="def f(a: 'Nope'): ...")
    Path(module.__file__).write_text(text)
    assert only(module.f).pending


def test_plain_annotations_pass_through_untouched():
    """What is no text is the very object that was declared, also what is no type."""
    generic = Dict[str, List[int]]
    text = Annotated[int, "Point", Unsubscriptable()]
    called = Callable[[int], str]

    def f(a: int, b: generic, c: text, d: 3, e: None, g: Literal["Point"], h: called, i): ...

    found = annotations(f)
    expected = {"a": int, "b": generic, "c": text, "d": 3, "e": None, "h": called, "i": EMPTY}
    assert expected.items() <= found.items()
    assert Literal["Point"] is found["g"]
    assert found["b"] is generic
    assert found["c"] is text


FORMS = [
    ("Point", Point),
    (" Point ", Point),
    ("'Point'", Point),
    ("None", None),
    ("list['Point']", list[Point]),
    (list["Point"], list[Point]),
    (List["Point"], list[Point]),
    (Dict[str, "Point"], dict[str, Point]),
    (Optional["Point"], Point | None),
    (Union["Point", int, None], Point | int | None),
    (dict[str, list["Point"]] | None, dict[str, list[Point]] | None),
    (Callable[["Point", int], "Point"], collections.abc.Callable[[Point, int], Point]),
    (Callable[..., "Point"], collections.abc.Callable[..., Point]),
    (Callable[[int], "Point"], collections.abc.Callable[[int], Point]),
    ("Callable[['Point'], None]", collections.abc.Callable[[Point], None]),
    (tuple["Point", ...], tuple[Point, ...]),
    ("tuple['Point', ...]", tuple[Point, ...]),
    (type["Point"], type[Point]),
    (Annotated["Point", "Point"], Annotated[Point, "Point"]),
    ("Annotated['Point', 'Point']", Annotated[Point, "Point"]),
    (Annotated[list["Point"], "Point"], Annotated[list[Point], "Point"]),
    ("Literal['Point'] | None", Literal["Point"] | None),
    ("Literal['Point', 1] | 'Point'", Literal["Point", 1] | Point),
    ("Literal['Point'] | list['Point']", Literal["Point"] | list[Point]),
    ("int | 'Point'", int | Point),
    ("Union['Point', int]", Point | int),
    ("Optional['Point']", Point | None),
    ("Optional[Unsubscriptable[int]]", Unsubscriptable | None),
    ("Unsubscriptable['Point']", Unsubscriptable),
    ("Json", str | list[Any]),
    ("collections.abc.Sequence['Point']", collections.abc.Sequence[Point]),
    ("dt.date", dt.date),
    ("type(1) | 'Point'", int | Point),
    ("dict[\n    str,\n    Point,\n]", dict[str, Point]),
    ("Box['Point']", Box[Point]),
    ("Required['Point']", Required[Point]),
]


@pytest.mark.parametrize(("annotation", "expected"), FORMS, ids=[str(form[0]) for form in FORMS])
def test_text_in_annotations_resolves_wherever_it_stands(annotation, expected):
    """Text is evaluated at any depth, and Literal and the rest of Annotated are left alone."""
    found = only(annotated(annotation))
    assert (shape(expected), None) == (shape(found.annotation), found.problem)


@pytest.mark.parametrize("annotation", ["*tuple[int, 'Point']", "*tuple[int, Point]"])
def test_starred_annotations_of_positional_arguments_resolve(annotation):
    """``*args: *tuple[…]`` keeps its star."""
    space = {"Point": Point}
    source = f"from __future__ import annotations\ndef f(*args: {annotation}): ..."
    exec(source, space)
    (star,) = tuple[int, Point]
    assert star == only(space["f"]).annotation
    exec(source.partition("\n")[2], space)
    assert star == only(space["f"]).annotation


def test_starred_type_arguments_resolve():
    """A star in the middle of a type is one too."""
    expected = tuple[int, *tuple[Point, ...]]
    assert expected == only(annotated("tuple[int, *tuple['Point', ...]]")).annotation


def test_a_default_of_none_does_not_make_an_annotation_optional():
    """The annotation is what was declared, whatever the default."""

    def f(a: "int" = None, b: int = None): ...

    assert {"a": int, "b": int} == annotations(f)


def test_each_annotation_fails_on_its_own():
    """One that cannot be resolved says why, and the others are not touched."""

    def f(
        a: "Nope",
        b: "list[Nope]",
        c: "the first",
        d: "1 / 0",
        e: "Point.nope",
        g: "int + 1",
        h: "",
        i: list["Nope"],
        j: "x" * 200,
        k: "Point",
        n: Optional["Nope"],
        m: "dt['Point']",
    ): ...

    found = parameters(f)
    undefined = "cannot be resolved: name 'Nope' is not defined"
    expected = {
        "a": f"annotation 'Nope' {undefined}",
        "b": f"annotation 'list[Nope]' {undefined}",
        "c": "annotation 'the first' cannot be resolved: it is not a Python expression",
        "d": "annotation '1 / 0' cannot be resolved: ZeroDivisionError: division by zero",
        "h": "annotation '' cannot be resolved: it is not a Python expression",
        "i": f"annotation 'Nope' {undefined}",
        "k": None,
        "n": f"annotation 'Nope' {undefined}",
    }
    assert expected.items() <= {name: each.problem for name, each in found.items()}.items()
    assert "AttributeError: type object 'Point' has no attribute 'nope'" in found["e"].problem
    assert "TypeError" in found["g"].problem
    assert "TypeError: 'module' object is not subscriptable" in found["m"].problem
    assert f"annotation '{80 * 'x'}…'" in found["j"].problem
    assert {"a", "b", "i", "j", "n"} == {name for name, each in found.items() if each.pending}
    assert {EMPTY, Point} == {each.annotation for each in found.values()}


def test_a_name_that_comes_later_resolves_then():
    """What is pending at first resolves once the name is there."""
    space = {}
    exec("def f(a: 'Later'): ...", space)
    assert only(space["f"]).pending
    space["Later"] = Point
    assert Point is only(space["f"]).annotation


@pytest.mark.parametrize("text", ["Annotated['Nope', Injected]", "Annotated[Nope, Injected]"])
def test_marks_survive_a_type_that_has_no_value(text):
    """A parameter that the program supplies need not have a type that resolves."""
    for annotation in (text, Annotated["Nope", Injected]):
        found = only(annotated(annotation))
        assert Annotated[Any, Injected] == found.annotation
        assert "name 'Nope' is not defined" in found.problem


@pytest.mark.parametrize("text", ["Annotated[Nope, Nope]", "dict[Nope, int]"])
def test_nothing_survives_elsewhere(text):
    """Without a mark that can be read there is no annotation."""
    assert EMPTY is only(annotated(text)).annotation


def test_a_return_type_never_blocks():
    """One that fails is as none; one that is fine is resolved."""

    def f() -> "Nope": ...

    def g() -> "list[Point]": ...

    def h() -> "1 +": ...

    def i() -> int: ...

    def j(): ...

    expected = [EMPTY, list[Point], EMPTY, int, EMPTY]
    assert expected == [read(each, {}).returns for each in (f, g, h, i, j)]


def test_local_types_come_from_the_closure_and_the_frames():
    """Names of the functions around come before global ones, as Python has it."""

    class Point:
        pass

    class Other:
        pass

    def f(a: "Point", b: "Other", c: "Unsubscriptable"):
        return Other

    namespace = {"Point": Point, "Unsubscriptable": int, "Other": int}
    expected = {"a": Point, "b": Other, "c": Unsubscriptable}
    assert expected == annotations(f, namespace)
    assert globals()["Point"] is annotations(f)["a"]


def test_names_of_other_frames_come_last():
    """A function that was made elsewhere does not see what is local where it is added."""
    namespace = {"Point": int, "int": str, "Missing": float}

    def made():
        def f(a: "Point", b: "int", c: "Missing"): ...

        return f

    assert {"a": Point, "b": int, "c": float} == annotations(made(), namespace)
    assert {"a": Point, "b": int, "c": float} == annotations(make(), namespace)


def make():
    def f(a: "Point", b: "int", c: "Missing"): ...

    return f


def enclosing(kind):
    def inner():
        class Point:
            def method(self, a: "Point", b: "Only"): ...

        Only = Point
        return Point, Only, locals()

    return inner()


def test_the_functions_around_are_found_at_any_depth():
    """A method of a local class sees the local names of all functions around it."""
    cls, other, namespace = enclosing("kind")
    assert {"a": cls, "b": other} == annotations(cls().method, {**namespace, "kind": 1})
    assert {"self": EMPTY, "a": cls, "b": cls} == annotations(cls.method, namespace)


def test_an_empty_cell_is_no_name():
    """A local name that is not bound yet does not hide one that is."""

    def f(a: "Point"):
        return Point

    assert globals()["Point"] is only(f).annotation
    for Point in ():
        pass


class Shop:
    class Item:
        pass

    Items = list["Item"]
    LIMIT = 10

    def list(self, a: "list[int]", b: "Item", c: "Annotated[int, LIMIT]", d: "Items"): ...

    @staticmethod
    def static(a: "Item"): ...

    @classmethod
    def by_class(cls, a: "Item", b: "Shop"): ...

    def __call__(self, a: "Item"): ...


class Kiosk(Shop):
    class Item:
        pass


def test_names_of_the_class_body_resolve():
    """Methods see the types in the body of their own class, and no method hides a type."""
    expected = {
        "a": list[int],
        "b": Shop.Item,
        "c": Annotated[int, 10],
        "d": list[Shop.Item],
    }
    assert expected == annotations(Shop().list)
    assert expected == annotations(Kiosk().list)
    for func in (Shop.static, Shop().static, Shop(), Kiosk()):
        assert {"a": Shop.Item} == annotations(func)
    assert {"a": Shop.Item, "b": Shop} == annotations(Kiosk.by_class)


def test_names_of_a_class_body_resolve_while_it_is_executed():
    """A method can be read before its class exists."""
    namespace = {}

    class Body:
        class Point:
            pass

        def method(self, a: "Point"): ...

        namespace.update(locals())

    found = parameters(namespace["method"], namespace)
    assert Body.Point is found["a"].annotation
    assert Point is parameters(namespace["method"])["a"].annotation


def test_a_local_class_knows_its_own_name():
    """A method may name its class though that is local to a function."""

    class Local:
        def join(self, other: "Local | None"): ...

    assert Local | None == only(Local().join).annotation


def test_parameters_of_every_kind():
    """Kinds and defaults are those of Python."""

    def f(a, /, b: int, c=1, *d: str, e: "int", g=None, **h: "Point"): ...

    kinds = inspect.Parameter
    expected = [
        ("a", kinds.POSITIONAL_ONLY, EMPTY, EMPTY),
        ("b", kinds.POSITIONAL_OR_KEYWORD, int, EMPTY),
        ("c", kinds.POSITIONAL_OR_KEYWORD, EMPTY, 1),
        ("d", kinds.VAR_POSITIONAL, str, EMPTY),
        ("e", kinds.KEYWORD_ONLY, int, EMPTY),
        ("g", kinds.KEYWORD_ONLY, EMPTY, None),
        ("h", kinds.VAR_KEYWORD, Point, EMPTY),
    ]
    found = read(f, {})
    assert expected == [(p.name, p.kind, p.annotation, p.default) for p in found.parameters]
    assert f is found.function
    assert frozenset() == found.bound


def test_unpacked_typed_dicts_stay():
    """``**kwargs: Unpack[TD]`` is not taken apart."""

    class Options(typing_extensions.TypedDict):
        a: int

    def f(**options: Unpack[Options]): ...

    def g(**options: "Unpack[Options]"): ...

    assert Unpack[Options] == only(f).annotation
    assert Unpack[Options] == only(g, locals()).annotation


class Kinds:
    """Callables of all kinds."""

    def method(self, a: "Point", b: int = 1): ...

    async def coroutine(self, a: "Point", b: int = 1): ...

    def generator(self, a: "Point", b: int = 1):
        yield

    @classmethod
    def of_class(cls, a: "Point", b: int = 1): ...

    @staticmethod
    def static(a: "Point", b: int = 1): ...

    @functools.lru_cache
    def cached(self, a: "Point", b: int = 1): ...

    @functools.singledispatchmethod
    def dispatched(self, a: "Point", b: int = 1): ...

    @functools.singledispatchmethod
    @staticmethod
    def dispatched_static(a: "Point", b: int = 1): ...

    def __call__(self, a: "Point", b: int = 1): ...

    bound = functools.partialmethod(method, b=2)
    both = functools.partialmethod(functools.partial(method, b=3))


def function(a: "Point", b: int = 1) -> None:
    """Say nothing."""


def wrapped(func, **names):
    """Return a wrapper from a module that knows none of the function's names."""
    space = {"functools": functools, "__name__": "elsewhere", **names}
    exec("def wrap(f):\n @functools.wraps(f)\n def w(*a, **k): return f(*a, **k)\n return w", space)
    return space["wrap"](func)


CALLABLES = {
    "function": function,
    "lambda": functools.wraps(function)(lambda a, b=1: None),
    "method": Kinds().method,
    "coroutine": Kinds().coroutine,
    "generator": Kinds().generator,
    "class method": Kinds.of_class,
    "static method": Kinds.static,
    "object": Kinds(),
    "wrapped": wrapped(function),
    "wrapped twice": wrapped(wrapped(function)),
    "wrapped method": wrapped(Kinds().method),
    "cached": functools.lru_cache(function),
    "cached wrapper": wrapped(functools.cache(function)),
    "partial": functools.partial(function),
    "partial of wrapped": functools.partial(wrapped(function)),
    "wrapped partial": wrapped(functools.partial(function)),
    "partial of object": functools.partial(Kinds()),
    "class": type("New", (), {"__init__": Kinds.method}),
    "class with new": type("New", (), {"__new__": Kinds.method}),
}


@pytest.mark.parametrize("func", CALLABLES.values(), ids=CALLABLES)
def test_any_callable_is_read(func):
    """All kinds of callables have the parameters a caller can give, resolved."""
    assert {"a": Point, "b": int} == annotations(func)
    assert [EMPTY, 1] == [each.default for each in parameters(func).values()]


def test_the_innermost_function_is_told():
    """Documentation and name are those of the function inside, or of the class."""
    partial = functools.partial(wrapped(Kinds().method), 1)
    assert Kinds.method is read(partial, {}).function
    assert Kinds.__call__ is read(Kinds(), {}).function
    assert Point is read(Point, {}).function
    assert len is read(len, {}).function


PARTIALS = {
    "by position": (functools.partial(function, 1), ["b"], set()),
    "by keyword": (functools.partial(function, b=1), ["a"], {"b"}),
    "first by keyword": (functools.partial(function, a=1), ["b"], {"a"}),
    "twice": (functools.partial(functools.partial(function, 1), b=1), [], {"b"}),
    "wrapped": (wrapped(functools.partial(function, a=1)), ["b"], {"a"}),
    "method": (Kinds().bound, ["a"], {"b"}),
    "unbound method": (Kinds.bound, ["self", "a"], {"b"}),
    "method of partial": (Kinds().both, ["a"], {"b"}),
    "marked": (functools.update_wrapper(functools.partial(function, 1), function), ["b"], set()),
    "marked inside": (
        functools.partial(
            functools.update_wrapper(functools.partial(function, a=1), function), b=2
        ),
        [],
        {"a", "b"},
    ),
}


@pytest.mark.parametrize(("func", "free", "bound"), PARTIALS.values(), ids=PARTIALS)
def test_bound_arguments_leave(func, free, bound):
    """What a partial binds is no parameter any more, and by keyword it is told as bound."""
    found = read(func, {})
    assert free == [each.name for each in found.parameters]
    assert bound == found.bound


def test_parameters_after_one_bound_by_keyword_are_keyword_only():
    """They can no longer be passed by position."""
    found = parameters(functools.partial(function, a=1))
    assert inspect.Parameter.KEYWORD_ONLY is found["b"].kind


def test_a_signature_that_was_set_is_honoured():
    """``__signature__`` says what the parameters are; their names resolve where they can."""

    def inner(a: "Point"): ...

    outer = wrapped(inner, Outer=int)
    first = inspect.Parameter("x", inspect.Parameter.KEYWORD_ONLY, annotation="Point")
    second = first.replace(name="y", annotation="Outer")
    outer.__signature__ = inspect.Signature([first, second])
    sys.modules["elsewhere"] = types.ModuleType("elsewhere")
    vars(sys.modules["elsewhere"]).update(outer.__globals__)
    try:
        assert {"x": Point, "y": int} == annotations(outer)
    finally:
        del sys.modules["elsewhere"]


class Signed:
    """An object that says what it takes, and no function that takes it."""

    __signature__ = inspect.Signature(
        [inspect.Parameter("a", inspect.Parameter.KEYWORD_ONLY, annotation="Point")]
    )
    __call__ = functools.partial(print)


def test_names_of_a_signature_without_a_function_resolve_in_the_module():
    """An object or class may have a signature and nothing written in Python behind it."""
    assert {"a": Point} == annotations(Signed)
    assert {"a": Point} == annotations(Signed())
    nowhere = type("Nowhere", (Signed,), {"__module__": None})()
    assert only(nowhere).pending


def test_annotations_that_were_copied_resolve_in_the_module_they_came_from():
    """A wrapper that hides what it wraps still has its annotations."""
    outer = wrapped(lambda *a, **k: None)
    outer.__annotations__ = {"a": "Point"}
    outer.__module__ = __name__
    del outer.__wrapped__
    assert Point is parameters(outer)["a"].annotation


def test_inherited_fields_of_a_dataclass_resolve_in_its_own_module(package):
    """The `__init__` of a dataclass has annotations from several modules."""
    base = package(
        "base",
        base="""
            from __future__ import annotations
            from dataclasses import dataclass
            from decimal import Decimal
            @dataclass
            class Base:
                a: Decimal
            """,
    )

    @dataclass
    class Child(base.Base):
        b: "Point"

    assert {"a": base.Decimal, "b": Point} == annotations(Child)


class Pair(NamedTuple):
    a: "Point"
    b: int = 1


def test_named_tuples_are_read():
    """The class may have its parameters from `__new__`."""
    assert {"a": Point, "b": int} == annotations(Pair)


POSITIONAL = inspect.Parameter.POSITIONAL_ONLY
EITHER = inspect.Parameter.POSITIONAL_OR_KEYWORD


def through(wrapper):
    return functools.wraps(function)(wrapper)


WRAPPERS = {
    "all": (through(lambda *args, **kwargs: None), [EITHER, EITHER]),
    "same": (through(lambda a, b=1: None), [EITHER, EITHER]),
    "by position": (through(lambda *args: None), [POSITIONAL, POSITIONAL]),
    "first by position": (through(lambda *args, b: None), [POSITIONAL, EITHER]),
    "renamed": (through(lambda x, *args, **kwargs: None), [POSITIONAL, EITHER]),
    "same then all": (through(lambda a, *args, **kwargs: None), [EITHER, EITHER]),
    "partial": (functools.partial(through(lambda x, *args, **kwargs: None), 1), [EITHER]),
    "dispatched": (functools.singledispatch(function), [POSITIONAL, EITHER]),
    "dispatched method": (Kinds().dispatched, [POSITIONAL, EITHER]),
    "dispatched static method": (Kinds().dispatched_static, [POSITIONAL, EITHER]),
}


@pytest.mark.parametrize(("func", "kinds"), WRAPPERS.values(), ids=WRAPPERS)
def test_parameters_are_of_the_kind_that_the_wrapper_passes_on(func, kinds):
    """What a wrapper takes by position only is positional only."""
    found = parameters(func)
    assert kinds == [each.kind for each in found.values()]
    assert ["a", "b"][-len(kinds) :] == list(found)


def test_the_first_name_of_a_wrapped_method_is_the_object():
    """A wrapper's name for the object hides no parameter."""

    class Local:
        @through
        def method(this, *args, **kwargs): ...

    assert [EITHER] == [each.kind for each in parameters(Local().method).values()]


def test_a_callable_without_a_signature_says_so():
    """Builtins whose parameters are unknown, and what cannot be called, have a reason."""
    assert ["obj"] == list(parameters(len))
    with pytest.raises(NoSignature, match="no signature found for builtin"):
        read(max, {})
    with pytest.raises(NoSignature, match="not a callable object"):
        read(3, {})
    loop = wrapped(function)
    loop.__wrapped__ = loop
    with pytest.raises(NoSignature, match="wrapper loop"):
        read(loop, {})


def test_a_signature_in_a_loop_of_wrappers_is_read():
    """A signature that was set ends the search for one, and so does a wrapper seen before."""
    loop = wrapped(function)
    loop.__wrapped__ = loop
    loop.__signature__ = inspect.Signature()
    assert () == read(loop, {}).parameters


def test_generic_functions_know_their_type_parameters():
    """The type parameters of a function and its class resolve, also from text."""
    if sys.version_info < (3, 12):
        pytest.skip("new syntax")
    space = {}
    source = """
        from __future__ import annotations
        def f[T](a: T, b: list[T]): ...
        class Box[S]:
            def put[R](self, a: S, b: R): ...
        type Alias[Q] = list[Q]
        def g(a: Alias[int]): ...
        def h[U: Box[U]](a: U): ...
        """
    exec(textwrap.dedent(source), space)
    (t,) = space["f"].__type_params__
    (s,) = space["Box"].__type_params__
    (r,) = space["Box"].put.__type_params__
    assert {"a": t, "b": list[t]} == annotations(space["f"])
    assert {"a": s, "b": r} == annotations(space["Box"]().put)
    assert {"a": space["Alias"][int]} == annotations(space["g"])
    assert {"a": space["h"].__type_params__[0]} == annotations(space["h"])


def test_limits_and_aliases_that_name_what_is_not_there_are_problems():
    """What is evaluated on need may fail like any name."""
    if sys.version_info < (3, 12):
        pytest.skip("new syntax")
    space = {}
    source = """
        def f[T: Later](a: T): ...
        type Alias = list[Later]
        def g(a: Alias | None): ...
        """
    exec(textwrap.dedent(source), space)
    for func in (space["f"], space["g"]):
        found = only(func)
        assert found.pending
        assert "name 'Later' is not defined" in found.problem
    space["Later"] = int
    assert space["Alias"] | None == only(space["g"]).annotation


def test_guarded_type_statements_resolve(package):
    """A `type` statement under TYPE_CHECKING is an alias like any other."""
    if sys.version_info < (3, 12):
        pytest.skip("new syntax")
    module = package(
        "user",
        user="""
            from typing import TYPE_CHECKING
            if TYPE_CHECKING:
                from decimal import Decimal
                type Amount = Decimal | int
            def f(a: "Amount"): ...
            """,
    )
    assert importlib.import_module("decimal").Decimal | int == only(module.f).annotation


@dataclass
class Person:
    name: str


class Movie(TypedDict, total=False):
    """A film."""

    title: Required[str]
    year: "int"
    sequel: "Movie"
    cast: Annotated[NotRequired["list[Person]"], "who"]


class Part(Movie):
    number: "NotRequired[int]"
    of: "Annotated[Required[Movie], 'whole']"


class Page(TypedDict, Generic[T]):
    items: List[T]
    next: "Optional[Page[T]]"


@before_312
@pytest.mark.parametrize(
    "form",
    [
        lambda x: x,
        lambda x: list[x],
        lambda x: Dict[str, x],
        lambda x: x | None,
        lambda x: Optional[List[x]],
        lambda x: Annotated[x, "text"],
        lambda x: Annotated[Union[int, x], "text"],
        lambda x: tuple[int, x],
        lambda x: Unpack[x],
        lambda x: Callable[[x], int],
    ],
)
def test_typed_dicts_are_rebuilt_at_any_depth(form):
    """A ``typing.TypedDict`` that pydantic refuses is replaced by one it takes."""
    found = rebuild(form(Movie))
    assert shape(form(rebuild(Movie))) == shape(found)
    assert shape(form(Movie)) != shape(found)
    assert found == only(annotated(form(Movie))).annotation


class Plain(TypedDict):
    x: int


@before_312
def test_a_rebuilt_typed_dict_is_like_the_old_one():
    """Keys, their qualifiers, documentation and place are kept."""
    new = rebuild(Part)
    assert ("Part", "Part", __name__) == (new.__name__, new.__qualname__, new.__module__)
    assert "A film." == rebuild(Movie).__doc__
    assert {"title", "of"} == new.__required_keys__
    assert {"year", "sequel", "cast", "number"} == new.__optional_keys__
    assert rebuild(Movie) is new.__annotations__["sequel"]
    assert rebuild(Part) is new
    assert rebuild(new) is new
    assert {"x": 1} == new(x=1)


@before_312
def test_rebuilt_typed_dicts_validate():
    """Pydantic takes them: also those that refer to themselves, and generic ones."""
    film = {"title": "a", "sequel": {"title": "b", "year": "3"}}
    assert {"title": "b", "year": 3} == TypeAdapter(rebuild(Movie)).validate_python(film)["sequel"]
    page = {"items": ["1"], "next": {"items": [], "next": None}}
    assert [1] == TypeAdapter(rebuild(Page[int])).validate_python(page)["items"]
    assert rebuild(Page)[int] == rebuild(Page[int])


@before_312
def test_attributes_of_a_typed_dict_are_kept():
    """Also the configuration that pydantic reads."""

    class Strict(TypedDict):
        x: int

    Strict.__pydantic_config__ = {"extra": "forbid"}
    assert {"extra": "forbid"} == rebuild(Strict).__pydantic_config__


@before_312
def test_local_typed_dicts_are_rebuilt():
    """Fields may name what is local to the function around, where the frames are known."""

    class Inner(TypedDict):
        x: int

    class Outer(TypedDict):
        inner: "Inner"
        others: list["Inner"]

    def f(a: Outer): ...

    found = only(f, {"Inner": Inner}).annotation
    assert {"inner": rebuild(Inner), "others": list[rebuild(Inner)]} == found.__annotations__


@before_312
def test_a_typed_dict_that_does_not_resolve_is_a_problem():
    """A field without a value keeps the whole typed dictionary, and those it is in, as it was."""

    class Open(TypedDict):
        me: "Open"
        missing: "Nope"

    class Around(TypedDict):
        fine: Plain
        inner: Open

    namespace = {"Open": Open}
    found = only(annotated(Around), namespace)
    assert found.pending
    assert "annotation 'Nope' cannot be resolved: name 'Nope' is not defined" == found.problem
    assert rebuild(Around) is Around
    later = only(annotated(Around), namespace | {"Nope": int})
    assert int is later.annotation.__annotations__["inner"].__annotations__["missing"]


@before_312
def test_rebuilt_typed_dicts_do_not_keep_the_old_ones():
    """A type that nobody uses can be collected."""
    local = TypedDict("Local", {"x": int})
    rebuild(local)
    gone = weakref.ref(local)
    del local
    gc.collect()
    assert gone() is None


def test_a_type_without_a_typed_dict_is_itself():
    """Nothing is rebuilt that need not be."""
    for annotation in (int, None, list[int], Dict[str, Optional[int]], Literal["a"], "text", Point):
        assert annotation is rebuild(annotation)


@since_312
def test_typed_dicts_stay_where_pydantic_takes_them():
    """From Python 3.12 on nothing is rebuilt."""
    assert Movie is rebuild(Movie)
    assert Movie is only(annotated(Movie)).annotation


@given(st.text(alphabet="abPoint.,[]|'\"\n *:=#\\\0é", max_size=30))
@settings(max_examples=300, deadline=None)
def test_no_text_makes_reading_fail(text):
    """Whatever stands in an annotation, reading answers with a type or a problem."""
    found = only(annotated(text))
    assert found.problem is None or found.annotation is EMPTY


_ATOMS = st.sampled_from(["int", "str", "Point", "dt.date", "None", "'Point'", "Literal['a', 1]"])
_TEXTS = st.recursive(
    _ATOMS,
    lambda inner: st.one_of(
        inner.map("list[{}]".format),
        inner.map("Annotated[{}, 'x']".format),
        inner.map("Optional[{}]".format),
        st.tuples(inner, inner).map("dict[{0[0]}, {0[1]}]".format),
        st.tuples(inner, inner).map("Union[{0[0]}, {0[1]}]".format),
        st.tuples(inner, inner).map("Callable[[{0[0]}], {0[1]}]".format),
    ),
    max_leaves=6,
)


@given(_TEXTS)
@settings(max_examples=200, deadline=None)
def test_text_and_type_come_to_the_same(text):
    """An annotation means the same as text, and as the object that the text makes."""
    expected = shape(eval(text.replace("'Point'", "Point"), globals()))
    for annotation in (text, eval(text, globals())):
        found = only(annotated(annotation))
        assert (expected, None) == (shape(found.annotation), found.problem)
