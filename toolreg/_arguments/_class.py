"""Declared arguments to the pydantic model of them, for those who ask for it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args, get_origin

from pydantic import (
    AliasChoices,
    AliasPath,
    BaseModel,
    ConfigDict,
    Field,
    TypeAdapter,
    create_model,
)
from pydantic.annotated_handlers import GetCoreSchemaHandler
from pydantic_core import CoreSchema

from .._describe import ABSENT, encode_default
from ._declared import Argument
from ._injection import EMPTY

__all__ = ["Extra", "class_of"]

Extra = Literal["forbid", "ignore"]


def class_of(
    arguments: Sequence[Argument],
    extras: Argument | None,
    *,
    tool: str,
    extra: Extra,
    descriptions: Mapping[str, str],
) -> type[BaseModel]:
    """Make a pydantic model that takes what the tool takes.

    Args:
        arguments: Those a model may send, without faults.
        extras: The type of further named arguments, where the function takes any.
        tool: The tool's name.
        extra: What becomes of names that are not declared.
        descriptions: Texts of the documentation, by parameter name.
    """
    names = _names(arguments)
    fields: dict[str, Any] = {}
    for name, argument in zip(names, arguments, strict=True):
        options = _options(argument, names, descriptions)
        if argument.choices:
            paths = [AliasPath(str(first), *rest) for first, *rest in argument.choices]
            options["validation_alias"] = AliasChoices(*paths)
        elif name != argument.wire:
            options["alias"] = argument.wire
        fields[name] = (_apart(argument.annotation), Field(**options))
    if extras is None:
        return create_model(tool, __config__=ConfigDict(extra=extra), **fields)
    annotations = {"__pydantic_extra__": dict[str, _apart(extras.annotation)]}  # type: ignore[misc]  # built at run time
    namespace = {"__annotations__": annotations, "__module__": __name__}
    metaclass: Any = type(BaseModel)
    base = metaclass("Arguments", (BaseModel,), namespace, extra="allow")
    return create_model(tool, __base__=base, **fields)


@dataclass(frozen=True, slots=True)
class _Apart:
    """A type that is validated as it is alone, whatever the configuration around it.

    Pydantic hands the configuration of a model on to the typed dicts and dataclasses in it.
    """

    annotation: Any

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        if source is not self:
            return handler.generate_schema(self)  # as a type, whose definitions are taken over
        adapter: TypeAdapter[Any] = TypeAdapter(self.annotation)
        return adapter.core_schema


def _apart(annotation: Any) -> Any:
    base = get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation
    return Annotated[base, _Apart(annotation)]


def _names(arguments: Sequence[Argument]) -> dict[str, str]:
    """Return the names of fields, each with the name of its argument."""
    taken = {argument.name for argument in arguments}
    names: dict[str, str] = {}
    for index, argument in enumerate(arguments):
        name = argument.name
        if not _is_welcome(name):
            name = f"argument_{index}"
            while name in taken:
                name += "_"
        names[name] = argument.name
    return names


def _is_welcome(name: str) -> bool:
    """Whether pydantic takes a field of this name without objection."""
    return not (name.startswith(("_", "model_")) or name == "Config" or hasattr(BaseModel, name))


def _options(
    argument: Argument, names: Mapping[str, str], descriptions: Mapping[str, str]
) -> dict[str, Any]:
    options: dict[str, Any] = {}
    if text := argument.description or descriptions.get(argument.name):
        options["description"] = text
    if argument.supply is not None:
        options["default_factory"] = _factory(argument.supply, names)
    elif not argument.required:
        value = None if argument.default is EMPTY else argument.default
        options["default_factory"] = lambda: value
    if (default := _shown(argument)) is not ABSENT:
        options["json_schema_extra"] = {"default": default}
    return options


def _shown(argument: Argument) -> Any:
    return ABSENT if argument.default is EMPTY else encode_default(argument.default)


def _factory(
    supply: Callable[[dict[str, Any]], Any], names: Mapping[str, str]
) -> Callable[[dict[str, Any]], Any]:
    return lambda values: supply({names[name]: value for name, value in values.items()})
