"""Methods marked in the body of their class, for any registry that is given an instance."""

import inspect
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, Final
from weakref import WeakKeyDictionary

from ._options import Options

__all__ = ["is_body", "mark", "marked", "public"]

_marks: Final["WeakKeyDictionary[Callable[..., Any], Options]"] = WeakKeyDictionary()


def mark(method: Any, options: Options) -> None:
    """Remember a method as a tool of its class.

    Args:
        method: The function, or the ``staticmethod`` or ``classmethod`` around it.
        options: What is said of the tool.
    """
    _marks[_function(method)] = options


def is_body(frame: FrameType, method: Any) -> bool:
    """Whether the frame is the body of the class that the method is being defined in."""
    owner = frame.f_locals.get("__qualname__") if "__module__" in frame.f_locals else None
    function = _function(method)
    name = getattr(function, "__qualname__", "")
    return owner is not None and name == f"{owner}.{getattr(function, '__name__', '')}"


def marked(instance: object) -> Iterator[tuple[Callable[..., Any], Options]]:
    """Yield the marked methods of an object, bound, with their options.

    A method that overrides a marked one is marked as well.

    Args:
        instance: Any object.
    """
    for name, options in _methods(instance):
        if options is not None:
            yield getattr(instance, name), options


def public(instance: object) -> Iterator[tuple[Callable[..., Any], Options]]:
    """Yield the public methods of an object, bound, with the options of those that are marked.

    Args:
        instance: Any object.
    """
    for name, options in _methods(instance):
        if not name.startswith("_"):
            yield getattr(instance, name), options or Options()


def _methods(instance: object) -> Iterator[tuple[str, Options | None]]:
    """Yield the methods of an object's class and the marks on them, base classes first."""
    classes = [owner for owner in type(instance).__mro__ if owner is not object]
    names = dict.fromkeys(name for owner in reversed(classes) for name in owner.__dict__)
    for name in names:
        definitions = [owner.__dict__[name] for owner in classes if name in owner.__dict__]
        if inspect.isroutine(definitions[0]):
            functions = [_function(each) for each in definitions]
            marks = [_marks.get(each) for each in functions if inspect.isfunction(each)]
            yield name, next(filter(None, marks), None)


def _function(method: Any) -> Any:
    return getattr(method, "__func__", method)
