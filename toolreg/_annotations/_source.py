"""What the source of a module says of its names, also of those that only type checkers see."""

import ast
import linecache
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

__all__ = ["Binding", "Definition", "Import", "Source", "source"]

# TYPE_CHECKING of typing, and the constants that stood for it before and beside it.
_CHECKING: Final = frozenset({"TYPE_CHECKING", "MYPY", "MYPY_CHECK_RUNNING"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Import:
    """A name that an import statement binds.

    Attributes:
        module: The module, with leading dots where it is relative.
        name: What is taken from it; None for the module itself.
        is_root: Whether only the first part of a dotted module is bound (``import a.b``).
    """

    module: str
    name: str | None = None
    is_root: bool = False


@dataclass(frozen=True, slots=True)
class Definition:
    """A name that an assignment, a class or a ``type`` statement binds.

    Attributes:
        node: The value of the assignment, or the class statement.
    """

    node: ast.expr | ast.ClassDef


Binding = Import | Definition


@dataclass(frozen=True, slots=True)
class Source:
    """The names that a module binds at its top level.

    Attributes:
        guarded: Those that only a type checker sees, in the order of the statements.
        imported: Those that are imported, guarded or not.
        stars: The modules all names of which are imported, guarded.
    """

    guarded: Mapping[str, Sequence[Binding]]
    imported: Mapping[str, Sequence[Import]]
    stars: Sequence[str]


_NOTHING: Final = Source({}, {}, ())
_read: dict[str, tuple[list[str], Source]] = {}


def source(path: str | None, variables: dict[str, object]) -> Source:
    """Return what the source of a module says; nothing where there is none to be had.

    Args:
        path: The file, as the module or its code names it.
        variables: The module's namespace: its loader may know the text.
    """
    if path is None:
        return _NOTHING
    lines = linecache.getlines(path, variables)
    known = _read.get(path)
    if known is None or known[0] is not lines:
        known = _read[path] = (lines, _parsed("".join(lines)))
    return known[1]


def _parsed(text: str) -> Source:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return _NOTHING
    guarded: dict[str, list[Binding]] = {}
    imported: dict[str, list[Import]] = {}
    stars: list[str] = []
    for name, binding, is_guarded in _statements(tree.body, _checking(tree), is_guarded=False):
        if isinstance(binding, Import):
            imported.setdefault(name, []).append(binding)
        if is_guarded and name == "*" and isinstance(binding, Import):
            stars.append(binding.module)
        elif is_guarded:
            guarded.setdefault(name, []).append(binding)
    return Source(guarded, imported, tuple(stars))


def _checking(tree: ast.Module) -> frozenset[str]:
    """Return the names of the constant that only a type checker takes for true."""
    imports = (node for node in tree.body if isinstance(node, ast.ImportFrom))
    aliases = (alias for node in imports for alias in node.names if alias.name in _CHECKING)
    return _CHECKING.union(alias.asname for alias in aliases if alias.asname)


def _statements(
    body: Iterable[ast.stmt], checking: frozenset[str], *, is_guarded: bool
) -> Iterator[tuple[str, Binding, bool]]:
    for node in body:
        if isinstance(node, ast.If):
            then, otherwise = _branches(node.test, checking)
            yield from _statements(node.body, checking, is_guarded=is_guarded or then)
            yield from _statements(node.orelse, checking, is_guarded=is_guarded or otherwise)
        else:
            for name, binding in _bindings(node):
                yield name, binding, is_guarded
            yield from _statements(_inner(node), checking, is_guarded=is_guarded)


def _branches(test: ast.expr, checking: frozenset[str]) -> tuple[bool, bool]:
    """Say which branches of a condition are for type checkers alone."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        then, otherwise = _branches(test.operand, checking)
        return otherwise, then
    if isinstance(test, ast.Constant):
        return not test.value, False
    names = {node.id for node in ast.walk(test) if isinstance(node, ast.Name)}
    names |= {node.attr for node in ast.walk(test) if isinstance(node, ast.Attribute)}
    return not names.isdisjoint(checking), False


def _inner(node: ast.stmt) -> Iterator[ast.stmt]:
    """Yield the statements inside one that has its names in the same scope."""
    if isinstance(node, ast.Try | ast.TryStar):
        yield from node.body
        for handler in node.handlers:
            yield from handler.body
        yield from node.orelse
        yield from node.finalbody
    elif isinstance(node, ast.With):
        yield from node.body


def _bindings(node: ast.stmt) -> Iterator[tuple[str, Binding]]:
    match node:
        case ast.Import(names=aliases):
            for alias in aliases:
                root = alias.name.partition(".")[0]
                is_root = alias.asname is None
                yield alias.asname or root, Import(module=alias.name, is_root=is_root)
        case ast.ImportFrom(names=aliases):
            module = "." * node.level + (node.module or "")
            for alias in aliases:
                yield alias.asname or alias.name, Import(module=module, name=alias.name)
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                if isinstance(target, ast.Name):
                    yield target.id, Definition(value)
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            yield name, Definition(value)
        case ast.ClassDef(name=name):
            yield name, Definition(node)
        case _:
            yield from _type_statement(node)


def _type_statement(node: Any) -> Iterator[tuple[str, Binding]]:
    # ast.TypeAlias is not there before Python 3.12.
    if type(node).__name__ == "TypeAlias":
        yield node.name.id, Definition(node.value)
