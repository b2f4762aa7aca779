"""A raw JSON Schema, enforced as it is written."""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Any, Final, cast

from pydantic_core import from_json

from .._schema import check_local_refs, resolve
from .._types import JsonObject
from ..errors import Fault, ToolDefinitionError
from ._class import Extra
from ._decoding import Arguments, Invalid

__all__ = ["from_schema"]

_ADMITTING: Final = ("additionalProperties", "unevaluatedProperties")
_BRANCHES: Final = ("anyOf", "oneOf", "allOf")
_CONDITIONS: Final = ("if", "then", "else")


def from_schema(schema: JsonObject, *, tool: str, extra: Extra) -> Arguments:
    """Build what reads the arguments that a JSON Schema describes.

    Args:
        schema: The schema; exported verbatim in the neutral form.
        tool: The tool's name.
        extra: What becomes of names that the schema does not admit.

    Raises:
        ToolDefinitionError: If the schema is none, refers to other places, or cannot be enforced
            because the extra ``schema`` is not installed.
    """
    schema = deepcopy(schema)
    validator = _validator(schema, tool)
    levels = tuple(_levels(schema, schema, 0))
    names = tuple(dict.fromkeys(name for level in levels for name in level.get("properties", ())))
    takes_any = any(_admits_any(level) for level in levels)
    patterns = [pattern for level in levels for pattern in level.get("patternProperties", ())]
    others = _validator({"anyOf": [*({"pattern": each} for each in patterns), False]}, tool)

    def is_known(name: str) -> bool:
        return takes_any or name in names or others.is_valid(name)

    def validate_json(raw: str) -> dict[str, Any]:
        try:
            parsed = from_json(raw, allow_inf_nan=False)
        except ValueError as error:
            raise Invalid([{"type": "json_invalid", "loc": ()}]) from error
        if not isinstance(parsed, dict):
            raise Invalid([{"type": "dict_type", "loc": ()}])
        values = cast("JsonObject", parsed)
        unknown = [name for name in values if not is_known(name)]
        if extra == "ignore":
            values = {name: value for name, value in values.items() if name not in unknown}
            unknown = []
        details = [detail for error in validator.iter_errors(values) for detail in _details(error)]
        known = {detail["loc"] for detail in details}
        details += [
            {"type": "extra_forbidden", "loc": (name,)} for name in unknown if (name,) not in known
        ]
        if details:
            raise Invalid(details)
        return values

    return Arguments(
        tool=tool,
        validate_json=validate_json,
        names=names,
        fields=names,
        describe=lambda _enum_names: schema,
        make_model=lambda: None,
        open=takes_any or bool(patterns) or extra == "ignore",
        takes_any=takes_any or bool(patterns),
    )


def _validator(schema: JsonObject, tool: str) -> Any:
    try:
        import jsonschema_rs  # noqa: PLC0415 - an extra, for those who have raw schemas
    except ImportError as error:
        problem = "has a raw JSON Schema, and nothing installed that enforces it"
        cure = 'pip install "toolreg[schema]"'
        raise ToolDefinitionError([Fault(function=tool, problem=problem, cure=cure)]) from error
    foreign = check_local_refs(schema)
    if foreign:
        cure = "references must point into the schema itself; put the definition under $defs"
        raise ToolDefinitionError(
            Fault(function=tool, parameter="parameters", problem=problem, cure=cure)
            for problem in foreign
        )
    try:
        return jsonschema_rs.validator_for(schema, mask="the value", retriever=_refuse)
    except (ValueError, TypeError) as error:
        problem = f"is no valid JSON Schema: {error}".partition("\n")[0]
        cure = "see json-schema.org, draft 2020-12"
        fault = Fault(function=tool, parameter="parameters", problem=problem, cure=cure)
        raise ToolDefinitionError([fault]) from error


def _refuse(uri: str) -> Any:
    raise ValueError(f"{uri} is not fetched")


def _admits_any(schema: JsonObject) -> bool:
    return any(schema.get(key, False) is not False for key in _ADMITTING)


def _levels(node: object, root: JsonObject, depth: int) -> Iterator[JsonObject]:
    """Yield the schemas that speak of the arguments object itself."""
    if not isinstance(node, dict) or depth > 20:  # noqa: PLR2004 - more is a cycle
        return
    schema = cast("JsonObject", node)
    yield schema
    if isinstance(reference := schema.get("$ref"), str):
        yield from _levels(resolve(root, reference), root, depth + 1)
    branches = [schema.get(key) for key in _CONDITIONS]
    branches += [branch for key in _BRANCHES for branch in schema.get(key, ())]
    branches += schema.get("dependentSchemas", {}).values()
    for branch in branches:
        yield from _levels(branch, root, depth + 1)


def _details(error: Any) -> list[JsonObject]:
    where = tuple(error.instance_path)
    kind = error.kind.name
    if kind == "required":
        return [{"type": "missing", "loc": (*where, error.kind.property)}]
    if kind == "additionalProperties":
        return [
            {"type": "extra_forbidden", "loc": (*where, name)} for name in error.kind.unexpected
        ]
    if kind == "falseSchema" and where:
        return [{"type": "extra_forbidden", "loc": where}]
    if kind in {"anyOf", "oneOfNotValid"}:
        branches = [_deeper(branch, where) for branch in error.kind.context]
        nearest = min(filter(None, branches), key=len, default=None)
        if nearest is not None:
            return nearest
    return [{"type": "json_schema", "loc": where, "msg": error.message}]


def _deeper(branch: Sequence[Any], where: tuple[str | int, ...]) -> list[JsonObject]:
    """Return the faults of one branch, if it is the kind of value that was meant."""
    details = [detail for error in branch for detail in _details(error)]
    return details if all(len(detail["loc"]) > len(where) for detail in details) else []
