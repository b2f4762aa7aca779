"""What ``Field(…)`` says of a parameter, apart from its type."""

from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, get_args, get_origin

from pydantic import Field
from pydantic.annotated_handlers import GetJsonSchemaHandler
from pydantic.fields import FieldInfo
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from ._injection import EMPTY

__all__ = ["Told", "aliases_of", "told"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """An annotation, and what stood in it that concerns only the fields of models.

    Attributes:
        annotation: The type, without names and defaults.
        description: A text for the model, or empty.
        aliases: The names to be taken instead of the parameter's, as pydantic's alias paths.
        default: A default, or ``inspect.Parameter.empty``.
        supply: Makes a default out of the values there are; None where there is none to make.
    """

    annotation: Any
    description: str = ""
    aliases: tuple[list[str | int], ...] = ()
    default: object = EMPTY
    supply: Any = None


def told(annotation: Any) -> Told:
    """Take what concerns only the fields of models out of an annotation.

    Args:
        annotation: The type of a parameter; pydantic objects to names and defaults in it.
    """
    if get_origin(annotation) is not Annotated:
        return Told(annotation=annotation)
    base, *metadata = get_args(annotation)
    texts = [item for item in metadata if isinstance(item, str)]
    fields = [item for item in reversed(metadata) if isinstance(item, FieldInfo)]
    if not fields:
        return Told(annotation=annotation, description=next(filter(None, texts), ""))
    texts = [*(item.description for item in fields if item.description), *texts]
    supplying = next((item for item in fields if not item.is_required()), None)
    known = [made for made in metadata for made in _typed(made)]
    return Told(
        annotation=Annotated[(base, *known)],
        description=next(filter(None, texts), ""),
        aliases=next((paths for item in fields if (paths := aliases_of(item))), ()),
        default=EMPTY if supplying is None or supplying.default_factory else supplying.default,
        supply=None if supplying is None else partial(_supplied, supplying),
    )


def aliases_of(info: FieldInfo) -> tuple[list[str | int], ...]:
    """Return the names that a field is validated by, as pydantic's alias paths; none for its own.

    Args:
        info: The field.
    """
    alias = info.validation_alias or info.alias
    if alias is None:
        return ()
    if isinstance(alias, str):
        return ([alias],)
    converted: list[Any] = alias.convert_to_aliases()
    return tuple(converted) if isinstance(converted[0], list) else (converted,)


def _typed(item: Any) -> tuple[Any, ...]:
    """Return what is left of a piece of metadata where there is no field."""
    if not isinstance(item, FieldInfo):
        return (item,)
    shown = Field(
        title=item.title,
        description=item.description,
        examples=item.examples,
        discriminator=item.discriminator,
        json_schema_extra=item.json_schema_extra,
    )
    return (*item.metadata, shown, *([_Deprecated()] if item.deprecated else []))


def _supplied(info: FieldInfo, values: dict[str, Any]) -> Any:
    return info.get_default(call_default_factory=True, validated_data=values)


@dataclass(frozen=True, slots=True)
class _Deprecated:
    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return {**handler(schema), "deprecated": True}
