"""What a signature declares: arguments for the model, injections for the program."""

import inspect
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import partial
from typing import Annotated, Any, Final, TypeAlias, get_args, get_origin

import typing_extensions
from pydantic.fields import FieldInfo

from .._annotations import Parameter, Signature
from .._types import Injected, ToolCall
from ..errors import Fault

__all__ = ["EMPTY", "Argument", "Declared", "Inject", "Injection", "declare", "keyword_names"]

Inject: TypeAlias = Sequence[object] | Mapping[Any, object]

_MUTABLE: Final = frozenset((list, dict, set))
EMPTY: Final = inspect.Parameter.empty
_POSITIONAL: Final = (
    inspect.Parameter.POSITIONAL_ONLY,
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
)
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
        choices: Further spellings that are accepted, as pydantic's alias paths.
        supply: Makes the value where the model leaves it out; None leaves it to the function.
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
class Injection:
    """A parameter that the program supplies.

    Attributes:
        name: The parameter's name.
        source: A key of the context, or a factory.
        whole: Whether it is the context itself.
        call: Whether it is the call.
        value: A value given once and for all, or ``inspect.Parameter.empty``.
        optional: Whether the function has a default for it.
        takes_context: Whether the factory is called with the context.
    """

    name: str
    source: str | Callable[..., Any]
    whole: bool = False
    call: bool = False
    value: object = EMPTY
    optional: bool = False
    takes_context: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """All that a signature says.

    Attributes:
        arguments: What a model may send, in order.
        extras: The type of further named arguments, where the function takes any.
        injections: What the program supplies.
        reserved: Names that a model must not send beside the arguments.
        faults: What is wrong.
        pending: Whether it may be right once names that do not exist yet do.
    """

    arguments: tuple[Argument, ...]
    extras: Argument | None
    injections: tuple[Injection, ...]
    reserved: frozenset[str]
    faults: tuple[Fault, ...] = ()
    pending: bool = False


@dataclass(slots=True)
class _Reading:
    tool: str
    arguments: list[Argument] = field(default_factory=list[Argument])
    injections: list[Injection] = field(default_factory=list[Injection])
    faults: list[Fault] = field(default_factory=list[Fault])
    extras: Argument | None = None
    pending: list[bool] = field(default_factory=list[bool])


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
    for parameter in signature.parameters:
        injection = _injection(parameter, inject)
        if injection is not None:
            reading.injections.append(injection)
        elif parameter.problem is not None:
            reading.pending.append(parameter.pending)
            reading.faults.append(_unresolved(tool, parameter))
        else:
            _READERS.get(parameter.kind, _read_plain)(reading, parameter)
    reading.arguments = [_respelled(item, spellings(item.wire)) for item in reading.arguments]
    _refuse_shared_names(reading)
    return Declared(
        arguments=tuple(reading.arguments),
        extras=reading.extras,
        injections=tuple(reading.injections),
        reserved=_reserved(reading, signature),
        faults=tuple(reading.faults),
        pending=len(reading.pending) == len(reading.faults) and all(reading.pending),
    )


def _respelled(argument: Argument, spellings: Iterable[str]) -> Argument:
    further: tuple[list[str | int], ...] = tuple(
        [spelling] for spelling in spellings if spelling != argument.wire
    )
    if not further:
        return argument
    return replace(argument, choices=(*(argument.choices or ([argument.wire],)), *further))


def _reserved(reading: _Reading, signature: Signature) -> frozenset[str]:
    """Return the names that would pass ``**kwargs`` and reach what is not meant for the model."""
    if reading.extras is None:
        return frozenset()
    hidden = {injection.name for injection in reading.injections}
    hidden |= {argument.name for argument in reading.arguments}
    code = getattr(signature.function, "__code__", None)
    if code is not None:
        last = code.co_argcount + code.co_kwonlyargcount
        hidden.update(code.co_varnames[code.co_posonlyargcount : last])
    return frozenset(hidden - {argument.wire for argument in reading.arguments})


def _refuse_shared_names(reading: _Reading) -> None:
    owners: dict[str, str] = {}
    for argument in reading.arguments:
        for path in argument.choices or ([argument.wire],):
            spelling = str(path[0])
            owner = owners.setdefault(spelling, argument.name)
            if owner != argument.name and len(path) == 1:
                reading.faults.append(
                    Fault(
                        function=reading.tool,
                        parameter=argument.name,
                        problem=f"has the name {spelling!r} for the model, as '{owner}' has",
                        cure="give one of them another alias",
                    )
                )


def _injection(parameter: Parameter, inject: Sequence[Inject]) -> Injection | None:
    metadata = _metadata(parameter.annotation)
    for item in metadata:
        if item is Injected:
            return _marked(parameter, Injected())
        if isinstance(item, Injected):
            return _marked(parameter, item)
    for rules in inject:
        for key in rules:
            if _concerns(key, parameter.name, metadata):
                return _ruled(parameter, rules[key] if isinstance(rules, Mapping) else EMPTY)
    return None


def _marked(parameter: Parameter, marker: Injected) -> Injection:
    declared = get_args(parameter.annotation)[0]
    return Injection(
        name=parameter.name,
        source=marker.source or parameter.name,
        whole=marker.whole,
        call=declared is ToolCall or ToolCall in get_args(declared),
        optional=parameter.default is not EMPTY,
        takes_context=_takes_context(marker.source),
    )


def _takes_context(factory: object) -> bool:
    """Whether a factory takes a parameter; the optional ones of a class are its own affair."""
    if not callable(factory):
        return False
    try:
        parameters = inspect.signature(factory).parameters.values()
    except (ValueError, TypeError):
        return False
    positional = [p for p in parameters if p.kind in _POSITIONAL]
    if isinstance(factory, type):
        positional = [p for p in positional if p.default is EMPTY]
    return bool(positional)


def _ruled(parameter: Parameter, value: object) -> Injection:
    factory = value if callable(value) else None
    return Injection(
        name=parameter.name,
        source=factory or parameter.name,
        value=EMPTY if factory else value,
        call=parameter.annotation is ToolCall,
        optional=parameter.default is not EMPTY,
        takes_context=_takes_context(factory),
    )


def _concerns(key: object, name: str, metadata: Sequence[object]) -> bool:
    if isinstance(key, str):
        return fnmatchcase(name, key)
    return any(
        item is key or (isinstance(key, type) and isinstance(item, key)) for item in metadata
    )


def _unresolved(tool: str, parameter: Parameter) -> Fault:
    return Fault(
        function=tool,
        parameter=parameter.name,
        problem=str(parameter.problem),
        cure="define or import it where the function can see it, or give the parameter `Injected`",
    )


def _read_plain(reading: _Reading, parameter: Parameter) -> None:
    annotation = Any if parameter.annotation is EMPTY else parameter.annotation
    default = parameter.default
    if isinstance(default, FieldInfo):
        annotation = Annotated[annotation, default]
        default = EMPTY
    reading.arguments.append(_argument(parameter.name, annotation, default=default))


def _read_variadic(reading: _Reading, parameter: Parameter) -> None:
    item = Any if parameter.annotation is EMPTY else parameter.annotation
    unpacked = get_origin(item) in _UNPACK  # *args: *tuple[int, ...]
    annotation: Any = get_args(item)[0] if unpacked else list[item]  # type: ignore[valid-type]  # built at run time
    argument = _argument(parameter.name, annotation, required=False)
    description = argument.description or _texts(item)
    reading.arguments.append(replace(argument, description=description))


def _read_keywords(reading: _Reading, parameter: Parameter) -> None:
    annotation = Any if parameter.annotation is EMPTY else parameter.annotation
    if get_origin(annotation) not in _UNPACK:
        reading.extras = _argument(parameter.name, annotation, required=False)
        return
    typed_dict = _unpacked(annotation)
    hints = typing_extensions.get_type_hints(typed_dict, include_extras=True)
    for name, hint in hints.items():
        required = name in typed_dict.__required_keys__
        reading.arguments.append(_argument(name, _unqualified(hint), required=required))


def keyword_names(annotation: object) -> tuple[str, ...]:
    """Return the keys that the annotation of ``**kwargs`` lists, if it is ``Unpack[…]``."""
    return tuple(_unpacked(annotation).__annotations__) if get_origin(annotation) in _UNPACK else ()


def _unpacked(annotation: Any) -> Any:
    declared = get_args(annotation)[0]
    return get_origin(declared) or declared


_READERS: Final[Mapping[object, Callable[[_Reading, Parameter], None]]] = {
    inspect.Parameter.VAR_POSITIONAL: _read_variadic,
    inspect.Parameter.VAR_KEYWORD: _read_keywords,
}


def _unqualified(annotation: Any) -> Any:
    while get_origin(annotation) in _QUALIFIERS:
        annotation = get_args(annotation)[0]
    return annotation


def _argument(
    name: str, annotation: Any, *, default: object = EMPTY, required: bool | None = None
) -> Argument:
    fields = [item for item in _metadata(annotation) if isinstance(item, FieldInfo)]
    aliases = tuple(path for item in fields for path in _aliases(item))
    supplying = next((item for item in fields if not item.is_required()), None)
    supply = None
    if default is not EMPTY:
        supply = partial(_copied, default) if type(default) in _MUTABLE else None
    elif supplying is not None:
        supply = partial(_from_field, supplying)
        default = EMPTY if supplying.default_factory else supplying.default
    if required is None:
        required = default is EMPTY and supply is None
    return Argument(
        name=name,
        wire=next((str(path[0]) for path in aliases if len(path) == 1), name),
        annotation=annotation,
        required=required,
        default=default,
        supply=supply,
        description=_texts(annotation),
        choices=aliases,
    )


def _copied(default: Any, _values: Mapping[str, Any]) -> Any:
    return default.copy()


def _from_field(info: FieldInfo, values: dict[str, Any]) -> Any:
    return info.get_default(call_default_factory=True, validated_data=values)


def _metadata(annotation: Any) -> tuple[Any, ...]:
    return getattr(annotation, "__metadata__", ()) if get_origin(annotation) is Annotated else ()


def _texts(annotation: Any) -> str:
    metadata = _metadata(annotation)
    described = [item.description for item in metadata if isinstance(item, FieldInfo)]
    texts = [item for item in metadata if isinstance(item, str)]
    return next((text for text in [*described, *texts] if text), "")


def _aliases(info: FieldInfo) -> list[list[str | int]]:
    alias = info.validation_alias or info.alias
    if alias is None:
        return []
    if isinstance(alias, str):
        return [[alias]]
    converted: list[Any] = alias.convert_to_aliases()
    return converted if isinstance(converted[0], list) else [converted]
