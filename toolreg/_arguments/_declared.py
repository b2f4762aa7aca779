"""What a signature declares: arguments for the model, injections for the program."""

import inspect
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from types import GenericAlias
from typing import Annotated, Any, Final, get_args, get_origin

import typing_extensions
from pydantic.fields import FieldInfo

from .._annotations import Parameter, Signature
from ..errors import Fault
from ._fields import told
from ._injection import EMPTY, Inject, Injection, injection_of

__all__ = ["Argument", "Declared", "declare", "keyword_names"]

_MUTABLE: Final = frozenset((list, dict, set))
_LEFT_OUT: Final = object()
_LIST: Final = inspect.Parameter.VAR_POSITIONAL
_KEYWORDS: Final = inspect.Parameter.VAR_KEYWORD
_UNPACK: Final = (typing.Unpack, typing_extensions.Unpack)
_QUALIFIERS: Final = (
    typing.Required,
    typing.NotRequired,
    typing_extensions.Required,
    typing_extensions.NotRequired,
    typing_extensions.ReadOnly,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """One thing a model may send.

    Attributes:
        name: The parameter's name in the function.
        wire: The name the model uses.
        annotation: The declared type.
        required: Whether the model has to send it.
        default: What shows as the default, or ``inspect.Parameter.empty``.
        description: Text given in the annotation, or empty.
        choices: All spellings that are accepted, as pydantic's alias paths, the model's first;
            empty where the name is the only one.
        supply: Makes the value, of those there are, where the model leaves it out; None leaves it
            to the function.
    """

    name: str
    wire: str
    annotation: Any
    required: bool
    default: object = EMPTY
    description: str = ""
    choices: tuple[list[str | int], ...] = ()
    supply: Callable[[dict[str, Any]], Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """All that a signature says.

    Attributes:
        arguments: What a model may send, in order.
        extras: The type of further named arguments, where the function takes any.
        injections: What the program supplies.
        reserved: Names that a model must not send beside the arguments.
        faults: What is wrong.
        pending: How many of them may be none once names exist that do not yet.
        missing: These names.
    """

    arguments: tuple[Argument, ...]
    extras: Argument | None
    injections: tuple[Injection, ...]
    reserved: frozenset[str]
    faults: tuple[Fault, ...] = ()
    pending: int = 0
    missing: frozenset[str] = frozenset()

    @property
    def every(self) -> tuple[Argument, ...]:
        """The arguments and, last, what further ones are like."""
        return self.arguments if self.extras is None else (*self.arguments, self.extras)


@dataclass(slots=True)
class _Reading:
    tool: str
    arguments: list[Argument] = field(default_factory=list[Argument])
    injections: list[Injection] = field(default_factory=list[Injection])
    faults: list[Fault] = field(default_factory=list[Fault])
    pending: list[Parameter] = field(default_factory=list[Parameter])
    extras: Argument | None = None


def declare(
    signature: Signature,
    *,
    tool: str,
    inject: Sequence[Inject] = (),
    spellings: Callable[[str], Iterable[str]] = lambda _name: (),
) -> Declared:
    """Sort the parameters of a function.

    Args:
        signature: The function's signature, its annotations resolved.
        tool: The name to give in faults.
        inject: What the program supplies besides marked parameters: each a mapping of names,
            patterns or marker types to values or factories, or a sequence of such keys.
        spellings: Gives the further spellings of a name that are taken for it.
    """
    reading = _Reading(tool)
    for parameter in _flattened(signature.parameters):
        is_variadic = parameter.kind in {_LIST, _KEYWORDS}
        injection = injection_of(parameter, () if is_variadic else inject)
        if injection is not None and is_variadic:
            reading.faults.append(_uninjectable(tool, parameter))
        elif injection is not None:
            reading.injections.append(injection)
        else:
            _read(reading, parameter)
    reading.arguments = [_respelled(item, spellings(item.wire)) for item in reading.arguments]
    _refuse_shared_names(reading)
    return Declared(
        arguments=tuple(reading.arguments),
        extras=reading.extras,
        injections=tuple(reading.injections),
        reserved=_reserved(reading, signature),
        faults=tuple(reading.faults),
        pending=len(reading.pending),
        missing=frozenset(item.missing for item in reading.pending if item.missing is not None),
    )


def _flattened(parameters: Iterable[Parameter]) -> Iterator[Parameter]:
    """Yield the parameters, each key of ``**kwargs: Unpack[…]`` as one of its own."""
    for parameter in parameters:
        if parameter.kind is not _KEYWORDS or get_origin(parameter.annotation) not in _UNPACK:
            yield parameter
            continue
        typed_dict = _unpacked(parameter.annotation)
        try:
            hints = typing_extensions.get_type_hints(typed_dict, include_extras=True)
        except Exception as error:  # noqa: BLE001 - annotations may be any code
            problem = f"has keys with types that cannot be resolved ({error})"
            missing = error.name if isinstance(error, NameError) else None
            yield replace(
                parameter,
                annotation=EMPTY,
                problem=problem,
                pending=missing is not None,
                missing=missing,
            )
            continue
        for name, hint in hints.items():
            yield Parameter(
                name=name,
                kind=inspect.Parameter.KEYWORD_ONLY,
                annotation=_unqualified(hint),
                default=EMPTY if name in typed_dict.__required_keys__ else _LEFT_OUT,
            )


def keyword_names(annotation: object) -> tuple[str, ...]:
    """Return the keys that the annotation of ``**kwargs`` lists, if it is ``Unpack[…]``."""
    if get_origin(annotation) not in _UNPACK:
        return ()
    return tuple(getattr(_unpacked(annotation), "__annotations__", ()))


def _unpacked(annotation: Any) -> Any:
    declared = get_args(annotation)[0]
    return get_origin(declared) or declared


def _unqualified(annotation: Any) -> Any:
    while get_origin(annotation) in _QUALIFIERS:
        annotation = get_args(annotation)[0]
    return annotation


def _read(reading: _Reading, parameter: Parameter) -> None:
    annotation = Any if parameter.annotation is EMPTY else parameter.annotation
    if parameter.problem is not None:
        if parameter.pending:
            reading.pending.append(parameter)
        reading.faults.append(_unresolved(reading.tool, parameter))
        annotation = Any
    if parameter.kind is _KEYWORDS:
        reading.extras = _argument(parameter.name, annotation, _LEFT_OUT)
    elif parameter.kind is _LIST:
        reading.arguments.append(_listed(parameter.name, annotation))
    elif isinstance(parameter.default, FieldInfo):
        annotation = Annotated[annotation, parameter.default]
        reading.arguments.append(_argument(parameter.name, annotation, EMPTY))
    else:
        reading.arguments.append(_argument(parameter.name, annotation, parameter.default))


def _listed(name: str, item: Any) -> Argument:
    argument = _argument(name, _array(item), _LEFT_OUT)
    return replace(argument, description=argument.description or told(item).description)


def _array(item: Any) -> Any:
    if get_origin(item) in _UNPACK:
        return get_args(item)[0]
    if isinstance(item, GenericAlias) and item.__unpacked__:
        origin: Any = item.__origin__  # *args: *tuple[int, ...]
        return origin[item.__args__]
    return list[item]


def _argument(name: str, annotation: Any, default: object) -> Argument:
    said = told(annotation)
    shown, supply = said.default, said.supply
    if default is not EMPTY and default is not _LEFT_OUT:
        shown = default
        supply = partial(_copied, default) if type(default) in _MUTABLE else None
    wire = next((str(path[0]) for path in said.aliases if len(path) == 1), name)
    others = (path for path in said.aliases if path != [wire])
    return Argument(
        name=name,
        wire=wire,
        annotation=said.annotation,
        required=default is EMPTY and supply is None,
        default=shown,
        description=said.description,
        choices=([wire], *others) if said.aliases else (),
        supply=supply,
    )


def _copied(default: Any, _values: Mapping[str, Any]) -> Any:
    return default.copy()


def _respelled(argument: Argument, spellings: Iterable[str]) -> Argument:
    further: tuple[list[str | int], ...] = tuple(
        [spelling] for spelling in spellings if spelling != argument.wire
    )
    if not further:
        return argument
    return replace(argument, choices=(*(argument.choices or ([argument.wire],)), *further))


def _reserved(reading: _Reading, signature: Signature) -> frozenset[str]:
    """Return the names that would reach through ``**kwargs`` what is not meant for the model."""
    hidden = {injection.name for injection in reading.injections} | signature.bound
    hidden |= {argument.name for argument in reading.arguments}
    code = getattr(signature.function, "__code__", None)
    if code is not None:
        last = code.co_argcount + code.co_kwonlyargcount
        hidden.update(code.co_varnames[code.co_posonlyargcount : last])
    return frozenset(hidden - {name for item in reading.arguments for name in _spellings(item)})


def _spellings(argument: Argument) -> Iterator[str]:
    for path in argument.choices or ([argument.wire],):
        if len(path) == 1:
            yield str(path[0])


def _refuse_shared_names(reading: _Reading) -> None:
    hidden = {injection.name for injection in reading.injections}
    for argument in reading.arguments:
        if argument.name in hidden:
            reading.faults.append(
                Fault(
                    function=reading.tool,
                    parameter=argument.name,
                    problem="is both supplied by the program and a key of `**kwargs`",
                    cure="give one of them another name",
                )
            )
    owners: dict[str, Argument] = {}
    for argument in reading.arguments:
        for spelling in _spellings(argument):
            owner = owners.setdefault(spelling, argument)
            if owner is not argument:
                reading.faults.append(
                    Fault(
                        function=reading.tool,
                        parameter=argument.name,
                        problem=f"has the name {spelling!r} for the model, as '{owner.name}' has",
                        cure="give one of them another alias",
                    )
                )


def _unresolved(tool: str, parameter: Parameter) -> Fault:
    return Fault(
        function=tool,
        parameter=parameter.name,
        problem=str(parameter.problem),
        cure="define or import it where the function can see it, or give the parameter `Injected`",
    )


def _uninjectable(tool: str, parameter: Parameter) -> Fault:
    return Fault(
        function=tool,
        parameter=parameter.name,
        problem="takes any number of arguments, so it cannot be injected",
        cure="give it a parameter of its own",
    )
