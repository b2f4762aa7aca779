"""Declared arguments to what validates, describes, models them."""

import typing
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Final, get_args

from pydantic import BaseModel, TypeAdapter
from pydantic.annotated_handlers import GetCoreSchemaHandler
from pydantic.errors import PydanticUndefinedAnnotation, PydanticUserError
from pydantic.fields import FieldInfo
from pydantic.json_schema import SkipJsonSchema
from pydantic_core import CoreSchema, PydanticOmit, SchemaError, core_schema, from_json
from typing_extensions import TypeAliasType

from .._describe import (
    ABSENT,
    encode_default,
    is_fragile,
    kinds_of,
    lets_nan_through,
    schema_of,
    schema_of_core,
    shows_input,
)
from .._schema import object_root, resolve
from .._types import JsonObject
from ..errors import Fault, ToolDefinitionError
from ._class import Extra, class_of
from ._declared import Argument, Declared
from ._decoding import Arguments, Invalid
from ._describable import Undescribable, describable
from ._fields import aliases_of
from ._injection import EMPTY

__all__ = ["NotYet", "from_declared", "from_model", "guarded"]


class NotYet(ToolDefinitionError):
    """A definition needs names that do not exist yet.

    Args:
        faults: What is wrong until then, one record a fault.
        missing: The names.
    """

    def __init__(self, faults: Iterable[Fault], missing: Collection[str]) -> None:
        super().__init__(faults)
        self.missing = frozenset(missing)


_NONE: Final = frozenset[str]()
_ALIASES: Final = (TypeAliasType, getattr(typing, "TypeAliasType", TypeAliasType))
_MOST_PARTS: Final = 1000  # an alias may have no end
_HIDDEN: Final[Any] = SkipJsonSchema  # a class, though checkers are told otherwise
_CURE: Final = "give it `Injected`, or a type that pydantic can describe"


@dataclass(slots=True, eq=False, repr=False)
class _TypedDict:
    """A typed dict of a tool's own, built inside pydantic's generation of core schemas.

    Unlike a model's fields its keys may have any name, and what the model leaves out stays out.
    """

    declared: Declared
    extra: Extra
    failures: dict[str, Exception] = field(default_factory=dict[str, Exception])
    parts: dict[str, Any] = field(default_factory=dict[str, Any])

    def described(self) -> Declared:
        """Return what was declared, each type without what cannot be described."""
        if not self.parts:
            return self.declared
        extras = self.declared.extras
        return replace(
            self.declared,
            arguments=tuple(map(self._part, self.declared.arguments)),
            extras=None if extras is None else self._part(extras),
        )

    def _part(self, argument: Argument) -> Argument:
        annotation = self.parts.get(argument.name, argument.annotation)
        return replace(argument, annotation=annotation)

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        fields = {
            argument.name: core_schema.typed_dict_field(
                self._schema(argument, handler),
                required=argument.required,
                validation_alias=_alias(argument),
            )
            for argument in self.declared.arguments
        }
        extras = self.declared.extras
        if extras is None:
            return core_schema.typed_dict_schema(fields, extra_behavior=self.extra)
        return core_schema.typed_dict_schema(
            fields, extra_behavior="allow", extras_schema=self._schema(extras, handler)
        )

    def _schema(self, argument: Argument, handler: GetCoreSchemaHandler) -> CoreSchema:
        try:
            return handler.generate_schema(argument.annotation)
        except PydanticUndefinedAnnotation as error:
            self.failures[argument.name] = error
            return core_schema.any_schema()
        except Exception as error:  # noqa: BLE001 - foreign types raise what they like
            return self._reduced(argument, handler, error)

    def _reduced(
        self, argument: Argument, handler: GetCoreSchemaHandler, error: Exception
    ) -> CoreSchema:
        def accepts(annotation: Any) -> bool:
            try:
                handler.generate_schema(annotation)
            except Exception:  # noqa: BLE001 - foreign types raise what they like
                return False
            return True

        try:
            part = describable(argument.annotation, accepts)
        except Undescribable:
            self.failures[argument.name] = error
            return core_schema.any_schema()
        self.parts[argument.name] = part
        return handler.generate_schema(part)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Accepted:
    """What a tool accepts, kept to be described."""

    core_schema: CoreSchema
    arguments: tuple[Argument, ...]
    extras: Argument | None
    tool: str
    extra: Extra
    descriptions: Mapping[str, str]

    def describe(self, enum_names: bool) -> JsonObject:  # noqa: FBT001 - as Arguments declares it
        try:
            schema = schema_of_core(self.core_schema, enum_names=enum_names)
        except Exception as error:
            raise ToolDefinitionError([_fault(self.tool, None, error)]) from error
        properties = schema.get("properties", {})
        for argument in self.arguments:
            if argument.wire not in properties:
                continue  # whoever declared it wants it hidden
            shown = properties[argument.wire]
            if argument.description:
                shown["description"] = argument.description
            elif text := self.descriptions.get(argument.name):
                shown.setdefault("description", text)
            if argument.default is not EMPTY:
                default = encode_default(argument.default)
                if default is not ABSENT:
                    shown["default"] = default
        schema.update(properties=properties, required=schema.get("required", []))
        return schema

    def model(self) -> type[BaseModel]:
        return class_of(
            self.arguments,
            self.extras,
            tool=self.tool,
            extra=self.extra,
            descriptions=self.descriptions,
        )


def _alias(argument: Argument) -> Any:
    if not argument.choices:
        return None
    return list(argument.choices)


def from_declared(
    declared: Declared, *, tool: str, extra: Extra, descriptions: Mapping[str, str]
) -> Arguments:
    """Build what reads the arguments a signature declares.

    Args:
        declared: The arguments, without faults.
        tool: The tool's name.
        extra: What becomes of names that are not declared.
        descriptions: Texts of the documentation, by parameter name.

    Raises:
        NotYet: If a type needs names that do not exist yet.
        ToolDefinitionError: If a type cannot be validated, or not be described in JSON Schema.
    """
    builder = _TypedDict(declared, extra)
    try:
        adapter: TypeAdapter[Any] = TypeAdapter(Annotated[dict[str, Any], builder])
    except (SchemaError, PydanticUserError) as error:
        raise ToolDefinitionError(_unusable(declared, tool, error)) from error
    kinds = kinds_of(adapter.core_schema)
    declared = builder.described()
    failures = dict(builder.failures)
    hidden = {each.name for each in declared.every if _is_hidden(each.annotation)}
    if hidden or is_fragile(kinds):
        failures.update(_undescribable(declared, failures, hidden))
    if failures:
        raise _failed(failures, tool)
    # The adapter itself is not kept, nor its serializer: each object that a tool keeps is one
    # more for the garbage collector, at every pass.
    accepted = _Accepted(
        core_schema=adapter.core_schema,
        arguments=declared.arguments,
        extras=declared.extras,
        tool=tool,
        extra=extra,
        descriptions=descriptions,
    )
    reserved = _NONE if declared.extras is None else declared.reserved
    return Arguments(
        tool=tool,
        validate_json=guarded(adapter.validator.validate_json, reserved),
        names=tuple(argument.wire for argument in declared.arguments),
        fields=tuple(argument.name for argument in declared.arguments),
        describe=accepted.describe,
        make_model=accepted.model,
        injections=declared.injections,
        open=declared.extras is not None or extra == "ignore",
        takes_any=declared.extras is not None,
        lets_nan_through=lets_nan_through(kinds),
        shows_input=shows_input(kinds),
    )


def guarded(
    validate_json: Callable[[str], dict[str, Any]], reserved: frozenset[str]
) -> Callable[[str], dict[str, Any]]:
    """Refuse the names that must not be sent though the function takes any.

    Args:
        validate_json: What reads the arguments.
        reserved: The names.
    """
    if not reserved:
        return validate_json

    def validate(text: str) -> dict[str, Any]:
        values = validate_json(text)
        sent = reserved.intersection(from_json(text))
        if sent:
            raise Invalid([{"type": "extra_forbidden", "loc": (name,)} for name in sorted(sent)])
        return values

    return validate


def _failed(failures: Mapping[str, Exception], tool: str) -> ToolDefinitionError:
    faults = [_fault(tool, name, error) for name, error in failures.items()]
    undefined = [e for e in failures.values() if isinstance(e, PydanticUndefinedAnnotation)]
    if len(undefined) < len(failures):
        return ToolDefinitionError(faults)
    return NotYet(faults, [str(error.name) for error in undefined])


def _fault(tool: str, name: str | None, error: Exception) -> Fault:
    reason = f"{type(error).__name__}: {error}".partition("\n")[0].partition(". ")[0][:200]
    return Fault(
        function=tool,
        parameter=name,
        problem=f"has no type that JSON can describe ({reason})",
        cure=_CURE,
    )


def _unusable(declared: Declared, tool: str, error: Exception) -> list[Fault]:
    """Find the parameters whose types pydantic takes but cannot make a validator of."""
    faults: list[Fault] = []
    for argument in declared.arguments:
        try:
            TypeAdapter(argument.annotation)
        except Exception as reason:  # noqa: BLE001 - foreign types raise what they like
            faults.append(_fault(tool, argument.name, reason))
    whole = Fault(function=tool, problem=f"cannot be validated: {error}", cure=_CURE)
    return faults or [whole]


def _is_hidden(annotation: object) -> bool:
    """Whether `SkipJsonSchema` keeps a type, or a part of it, from the model."""
    waiting: list[Any] = [annotation]
    for each in waiting:
        if each is _HIDDEN or isinstance(each, _HIDDEN):
            return True
        waiting += (each.__value__,) if isinstance(each, _ALIASES) else get_args(each)
        if len(waiting) > _MOST_PARTS:
            break
    return False


def _undescribable(
    declared: Declared, known: Collection[str], hidden: Collection[str]
) -> Iterator[tuple[str, Exception]]:
    """Find the parameters whose types pydantic validates but cannot describe."""
    for argument in declared.every:
        if argument.name in known:
            continue
        adapter: TypeAdapter[Any] = TypeAdapter(argument.annotation)
        if argument.name not in hidden and not is_fragile(kinds_of(adapter.core_schema)):
            continue
        try:
            schema_of(adapter)
        except PydanticOmit:
            if argument.required or argument is declared.extras:
                said = "SkipJsonSchema hides it from the model, which has to give it"
                yield argument.name, TypeError(said)
        except Exception as reason:  # noqa: BLE001 - foreign types raise what they like
            yield argument.name, reason


def from_model(model: type[BaseModel], *, tool: str, whole: str | None) -> Arguments:
    """Build what reads the arguments that a pydantic model describes.

    Args:
        model: The model; it keeps its own rules, also for unknown names.
        tool: The tool's name.
        whole: The parameter that takes the model itself, or None where the function takes its
            fields.

    Raises:
        ToolDefinitionError: If the model cannot be described in JSON Schema.
    """
    try:
        model.model_rebuild()
        adapter: TypeAdapter[Any] = TypeAdapter(model)
        schema = schema_of(adapter)
        if not _is_object(schema, schema):
            raise TypeError("the arguments of a tool are an object")
    except PydanticUndefinedAnnotation as error:
        raise NotYet([_fault(tool, "parameters", error)], [str(error.name)]) from error
    except Exception as error:
        raise ToolDefinitionError([_fault(tool, "parameters", error)]) from error
    validate_json = adapter.validator.validate_json

    def values_of(raw: str) -> dict[str, Any]:
        instance = validate_json(raw)
        if whole is not None:
            return {whole: instance}
        return {**instance.__dict__, **(instance.__pydantic_extra__ or {})}

    return Arguments(
        tool=tool,
        validate_json=values_of,
        names=tuple(_wire(name, info) for name, info in model.model_fields.items()),
        fields=tuple(model.model_fields),
        describe=lambda enum_names: _rooted(schema_of(adapter, enum_names=enum_names)),
        make_model=lambda: model,
        open=model.model_config.get("extra") != "forbid",
        takes_any=model.model_config.get("extra") == "allow",
    )


def _is_object(node: JsonObject, root: JsonObject) -> bool:
    if "$ref" in node:
        return _is_object(resolve(root, node["$ref"]), root)
    branches = node.get("anyOf", node.get("oneOf"))
    if branches is not None:
        return any(_is_object(branch, root) for branch in branches)
    return bool(node["type"] == "object")


def _wire(name: str, info: FieldInfo) -> str:
    return next((str(path[0]) for path in aliases_of(info) if len(path) == 1), name)


def _rooted(schema: JsonObject) -> JsonObject:
    rooted = object_root(schema)
    return {
        **rooted,
        "properties": rooted.get("properties", {}),
        "required": rooted.get("required", []),
    }
