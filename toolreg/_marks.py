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
    for name in _names(instance):
        for owner in type(instance).__mro__:
            function = _function(owner.__dict__.get(name))
            options = _marks.get(function) if inspect.isfunction(function) else None
            if options is not None:
                yield getattr(instance, name), options
                break


def public(instance: object) -> Iterator[tuple[Callable[..., Any], Options]]:
    """Yield the public methods of an object, bound, with the options of those that are marked.

    Args:
        instance: Any object.
    """
    known = {method.__name__: options for method, options in marked(instance)}
    for name in _names(instance):
        if not name.startswith("_") and inspect.isroutine(getattr(type(instance), name, None)):
            yield getattr(instance, name), known.get(name, Options())


def _names(instance: object) -> list[str]:
    """Return the names of an object's class, base classes first, in the order of definition."""
    classes = [owner for owner in reversed(type(instance).__mro__) if owner is not object]
    return list(dict.fromkeys(name for owner in classes for name in owner.__dict__))


def _function(method: Any) -> Any:
    return getattr(method, "__func__", method)
