"""Where tools stand in their source."""

import ast
import contextlib
import inspect
import linecache
import re
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from types import CodeType, TracebackType
from typing import Any, Final

__all__ = ["Place", "of_function", "of_traceback"]

_PACKAGE: Final = Path(__file__).parent.parent

_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where something stands.

    Attributes:
        file: The file, seen from the working directory where it is inside.
        line: The line of a function's ``def``, or of whatever else it is.
        parameters: The lines of a function's parameters.
        documentation: The lines of a function's docstring, by number.
    """

    file: str
    line: int
    parameters: Mapping[str, int] = field(default_factory=dict[str, int])
    documentation: Mapping[int, str] = field(default_factory=dict[int, str])

    def line_of(self, parameter: str | None) -> int:
        """Return where a parameter stands; the function where it does not stand anywhere.

        Args:
            parameter: One that is declared, or documented alone.
        """
        if parameter is None or parameter in self.parameters:
            return self.line if parameter is None else self.parameters[parameter]
        told = re.compile(rf"\W*(?:\w+\s+)?{re.escape(parameter)}\b")
        return next((n for n, text in self.documentation.items() if told.match(text)), self.line)


def of_function(func: Any) -> Place | None:
    """Return where a function stands, or None if it is none of Python's.

    Args:
        func: Whatever was made a tool.
    """
    code = _code(func)
    return None if code is None else _place(code.co_filename, code.co_firstlineno)


def of_traceback(trace: TracebackType | None) -> Place | None:
    """Return which statement of the user's led to an exception.

    Args:
        trace: Of an exception that this package has raised.
    """
    frames = traceback.extract_tb(trace)
    outside = [frame for frame in frames if not Path(frame.filename).is_relative_to(_PACKAGE)]
    if not outside:
        return None
    return _place(outside[-1].filename, outside[-1].lineno or 1)


def _code(func: Any) -> CodeType | None:
    while isinstance(func, partial):
        func = func.func
    func = inspect.unwrap(getattr(func, "__func__", func))
    if not hasattr(func, "__code__"):
        func = inspect.getattr_static(func, "__call__", None)
    return getattr(func, "__code__", None)


def _place(file: str, line: int) -> Place:
    path = Path(file)
    shown = str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else file
    for node in _functions(file):
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
        if first <= line <= node.lineno:
            return Place(
                file=shown,
                line=node.lineno,
                parameters=_parameters(node.args),
                documentation=_documentation(node),
            )
    return Place(file=shown, line=line)


@cache
def _functions(file: str) -> list[_Function]:
    with contextlib.suppress(SyntaxError):  # it may have changed since it was imported
        tree = ast.parse("".join(linecache.getlines(file)))
        return [node for node in ast.walk(tree) if isinstance(node, _Function)]
    return []


def _parameters(arguments: ast.arguments) -> dict[str, int]:
    usual = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    starred = [one for one in (arguments.vararg, arguments.kwarg) if one is not None]
    return {one.arg: one.lineno for one in [*usual, *starred]}


def _documentation(node: _Function) -> dict[int, str]:
    text = None if isinstance(node, ast.Lambda) else ast.get_docstring(node, clean=False)
    if isinstance(node, ast.Lambda) or text is None:
        return {}
    return dict(enumerate(text.split("\n"), start=node.body[0].lineno))
