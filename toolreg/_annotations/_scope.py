"""Names -> values, as the code of one function or module sees them."""

import ast
import builtins
import importlib
import importlib.util
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from os import PathLike
from types import CodeType, ModuleType
from typing import (
    Annotated,
    Any,
    Final,
    ForwardRef,
    Literal,
    Optional,
    cast,
    get_args,
    get_origin,
)

from ._faults import Unresolved, unresolved
from ._forms import UNIONS, annotated, change, is_settled, limits, references, starred, union
from ._source import Definition, Import, Source, source

__all__ = ["Modules", "Scope"]

_BUILTINS: Final = vars(builtins)
# What stands in the stubs of the standard library under a name that only type checkers know.
_TYPESHED: Final[Mapping[str, object]] = {
    "BytesPath": bytes | PathLike[bytes],
    "FileDescriptorOrPath": int | str | bytes | PathLike[str] | PathLike[bytes],
    "StrOrBytesPath": str | bytes | PathLike[str] | PathLike[bytes],
    "StrPath": str | PathLike[str],
}


class Modules:
    """The modules whose names one reading needs.

    Attributes:
        may_import: Whether one that is not loaded yet may be.
        active: The expressions under evaluation, by namespace: an alias may name itself.
        classes: Those that only type checkers see, by namespace and name.
    """

    def __init__(self) -> None:
        self.may_import = True
        self.active: set[tuple[int, str]] = set()
        self.classes: dict[tuple[int, str], object] = {}
        self._scopes: dict[int, Scope] = {}

    def scope(self, module: ModuleType) -> "Scope":
        """Return the scope of a module's own code."""
        known = self._scopes.get(id(module))
        if known is None:
            known = self._scopes[id(module)] = Scope(self, vars(module), module=module)
        return known

    def load(self, name: str, package: str | None = None) -> ModuleType:
        """Return a module.

        Args:
            name: Its name, with leading dots where it is relative.
            package: What it is relative to.

        Raises:
            Unresolved: It cannot be imported, or not now.
        """
        try:
            absolute = importlib.util.resolve_name(name, package)
            if self.may_import:
                return importlib.import_module(absolute)
            return sys.modules[absolute]
        except Exception as error:
            raise unresolved(error) from error


class Scope:
    """The names that annotations can use, and what they stand for.

    Args:
        modules: Where other modules are found.
        variables: The global names.
        module: The module, where this is the scope of one.
        path: The file that holds the source, where the global names do not say it.
        first: Names that come before the global ones.
        last: Names to be tried when all else has failed.
        others: Scopes to be tried then.
    """

    def __init__(
        self,
        modules: Modules,
        variables: dict[str, Any],
        *,
        module: ModuleType | None = None,
        path: str | None = None,
        first: Sequence[Mapping[str, object]] = (),
        last: Sequence[Mapping[str, object]] = (),
        others: "Sequence[Scope]" = (),
    ) -> None:
        self._modules = modules
        self._variables = variables
        self._module = module
        self._path = path
        self._first = first
        self._last = last
        self._others = others

    def resolved(self, annotation: object) -> object:
        """Return a type with everything in it that is still text replaced by what it names.

        Args:
            annotation: Any type, or the text of one.

        Raises:
            Unresolved: A name has no value, or an expression fails.
        """
        if isinstance(annotation, str):
            return self._evaluated(annotation)
        if isinstance(annotation, ForwardRef):
            return self._reference(annotation)
        if get_origin(annotation) in UNIONS:
            return union(self.resolved, get_args(annotation))
        if get_origin(annotation) is None and not is_settled(annotation):
            return self._limited(annotation)
        return change(annotation, self.resolved)

    def untyped(self, annotation: object) -> object:
        """Return ``Annotated[Any, ...]`` for such a type the first part of which has no value.

        Args:
            annotation: Any type, or the text of one.

        Raises:
            Unresolved: It is something else, or the rest of it fails too.
        """
        if not isinstance(annotation, str):
            if get_origin(annotation) is Annotated:
                return annotated(Any, get_args(annotation)[1:])
        else:
            match ast.parse(annotation.strip(), mode="eval").body:
                case ast.Subscript(value=form, slice=ast.Tuple(elts=[_, *metadata])):
                    if self._value(form) is Annotated:
                        return annotated(Any, map(self._run, metadata))
                case _:
                    pass
        raise Unresolved("it is not Annotated")

    def of_module(self, module: ModuleType | None) -> "Scope":
        """Return the names of a module, followed by those of this scope."""
        variables = {} if module is None else vars(module)
        return Scope(self._modules, variables, module=module, others=[self])

    def member(self, name: str) -> object:
        """Return what a name stands for in the module this is the scope of."""
        try:
            value = getattr(self._module, name)
        except Exception as error:  # noqa: BLE001 - a lazy module may raise anything
            value = self._hidden_member(name, error)
        return self._whole(name, value)

    def _hidden_member(self, name: str, error: Exception) -> object:
        try:
            return self._hidden(name)
        except Unresolved as hidden:
            if not hidden.pending:
                raise
        try:
            return self._modules.load(f"{self._variables['__name__']}.{name}")
        except Unresolved:
            raise unresolved(error) from error

    def __getitem__(self, name: str) -> object:
        for names in (*self._first, self._variables, _BUILTINS):
            if name in names:
                return names[name]
        try:
            return self._hidden(name)
        except Unresolved:
            for names in self._last:
                if name in names:
                    return names[name]
            for other in self._others:
                with suppress(Unresolved):
                    return other[name]
            raise

    def _hidden(self, name: str) -> object:
        """Return what a name stands for that only type checkers see, or a failed import."""
        failure = Unresolved(f"name {name!r} is not defined", missing=name)
        bindings = self._source.guarded.get(name) or self._source.imported.get(name, ())
        for binding in bindings:
            try:
                if isinstance(binding, Import):
                    return self._imported(binding)
                return self._defined(binding)
            except Unresolved as error:
                failure = error
        for star in self._source.stars:
            with suppress(Unresolved):
                return self._imported(Import(module=star, name=name))
        raise failure

    def _imported(self, binding: Import) -> object:
        if binding.module == "_typeshed" and (known := _TYPESHED.get(binding.name or "")):
            return known
        module = self._modules.load(binding.module, self._package)
        if binding.is_root:
            return sys.modules[binding.module.partition(".")[0]]
        return module if binding.name is None else self._modules.scope(module).member(binding.name)

    def _defined(self, binding: Definition) -> object:
        if isinstance(binding.node, ast.expr):
            return self._value(binding.node)
        key = (id(self._variables), binding.node.name)
        if key not in self._modules.classes:
            self._modules.classes[key] = self._class(binding.node)
        return self._modules.classes[key]

    def _class(self, node: ast.ClassDef) -> object:
        variables = dict(self._variables)
        for each in ast.walk(node):
            if isinstance(each, ast.Name) and each.id not in _BUILTINS:
                variables[each.id] = Any
                if each.id != node.name:
                    with suppress(Unresolved):
                        variables[each.id] = self._value(each)
        code = compile(ast.Module([node], []), "<annotation>", "exec", dont_inherit=True)
        exec(code, variables)  # noqa: S102 - the module's own code
        return cast("object", variables[node.name])

    @property
    def _source(self) -> Source:
        return source(self._variables.get("__file__") or self._path, self._variables)

    @property
    def _package(self) -> str | None:
        package: str | None = self._variables.get("__package__")
        return package

    def _whole(self, name: str, value: object) -> object:
        """Return the value of a name; what is text in it is read where the name was defined."""
        if is_settled(value):
            return value
        return self._home(name).resolved(value)

    def _home(self, name: str) -> "Scope":
        """Return the scope in which a name was defined that this one may only import."""
        home, seen = self, set[tuple[int, str]]()
        while (id(home), name) not in seen:
            seen.add((id(home), name))
            home, name = home._origin(name)
        return home

    def _origin(self, name: str) -> "tuple[Scope, str]":
        """Return the scope that a name was imported from, and what it is called there."""
        for binding in self._source.imported.get(name, ()):
            if binding.name is not None:
                with suppress(Unresolved):
                    module = self._modules.load(binding.module, self._package)
                    return self._modules.scope(module), binding.name
        return self, name

    def _reference(self, reference: ForwardRef) -> object:
        text = reference.__forward_arg__
        failure: Unresolved | None = None
        for scope in self._homes(reference):
            try:
                return scope.resolved(text)
            except Unresolved as error:
                failure = failure or error
                if not error.pending:
                    break
        assert failure is not None
        raise failure

    def _homes(self, reference: ForwardRef) -> Iterator["Scope"]:
        """Yield the scopes in which a forward reference may have been written."""
        module: object = reference.__forward_module__
        if isinstance(module, str):
            module = sys.modules.get(module)
        if isinstance(module, ModuleType):
            yield self._modules.scope(module)
        yield self
        for name, value in list(self._variables.items()):
            if not isinstance(value, str) and reference.__forward_arg__ in references(value):
                yield self._home(name)

    def _limited(self, variable: object) -> object:
        """Return what a type variable is limited to, where that had to be resolved."""
        try:
            parts = limits(variable)
        except NameError as error:
            raise Unresolved(str(error), missing=error.name) from error
        if not parts:
            return variable
        home = self.of_module(sys.modules.get(str(getattr(variable, "__module__", None))))
        return union(home.resolved, parts)

    def _evaluated(self, text: str) -> object:
        key = (id(self._variables), text)
        if key in self._modules.active:
            # An alias that names itself: pydantic would recurse without end.
            return Any
        self._modules.active.add(key)
        try:
            return self._expression(text.strip())
        except Exception as error:
            problem = unresolved(error)
            problem.text = problem.text or text
            raise problem from error
        finally:
            self._modules.active.discard(key)

    def _expression(self, text: str) -> object:
        if text.isidentifier():
            return self._whole(text, self[text])
        if text.startswith("*"):
            return starred(self._expression(text[1:]))
        if "\n" in text:
            text = f"({text})"
        try:
            value = self._run(text)
        except (TypeError, AttributeError):
            value = text
        except Unresolved as error:
            if not error.absent:
                raise
            value = text
        if is_settled(value):
            return value
        if next(references(value), None) is None:
            return self.resolved(value)
        return self._value(ast.parse(text, mode="eval").body)

    def _value(self, node: ast.expr) -> object:  # noqa: PLR0911 - a form of expression each
        """Evaluate a type as a type checker would read it, also where Python could not."""
        match node:
            case ast.Name(id=name):
                return self._whole(name, self[name])
            case ast.Attribute(value=owner, attr=name):
                return self._attribute(self._value(owner), name)
            case ast.Constant(value=str(text)):
                return self._evaluated(text)
            case ast.Constant(value=value):
                return value
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                return union(self._value, (left, right))
            case ast.List(elts=elements):
                return [self._value(element) for element in elements]
            case ast.Tuple(elts=elements):
                return tuple([self._value(element) for element in elements])
            case ast.Starred(value=value):
                return starred(self._value(value))
            case ast.Subscript(value=form, slice=arguments):
                return self._subscript(self._value(form), arguments)
            case _:
                return self._run(node)

    def _attribute(self, owner: object, name: str) -> object:
        if isinstance(owner, ModuleType):
            return self._modules.scope(owner).member(name)
        return getattr(owner, name)

    def _subscript(self, form: Any, arguments: ast.expr) -> object:
        if form is Literal:
            return form[self._run(arguments)]
        if form in UNIONS:
            return union(self._value, _elements(form, arguments))
        if form is Annotated and isinstance(arguments, ast.Tuple):
            first, *metadata = arguments.elts
            return annotated(self._value(first), map(self._run, metadata))
        value = self._value(arguments)
        try:
            return form[value]
        except TypeError:
            # Generic for type checkers alone: the bare form is all there is at run time.
            if isinstance(form, type) or get_origin(form) is not None:
                return form
            raise

    def _run(self, expression: str | ast.expr) -> object:
        if isinstance(expression, str):
            code = _compiled(expression)
        else:
            code = compile(ast.Expression(expression), "<annotation>", "eval", dont_inherit=True)
        # What annotations say is code of their own module.
        value: object = eval(code, self._variables, cast("Mapping[str, object]", self))  # noqa: S307
        return value


def _elements(form: object, arguments: ast.expr) -> list[ast.expr]:
    elements = arguments.elts if isinstance(arguments, ast.Tuple) else [arguments]
    return [*elements, ast.Constant(None)] if form is Optional else elements


@lru_cache(maxsize=1024)
def _compiled(text: str) -> CodeType:
    return compile(text, "<annotation>", "eval", dont_inherit=True)
