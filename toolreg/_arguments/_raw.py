"""A raw JSON Schema, enforced as it is written."""

from collections.abc import Iterator, Sequence
from typing import Any, cast

from pydantic_core import from_json

from .._schema import check_local_refs
from .._types import JsonObject
from ..errors import Fault, ToolDefinitionError
from ._decoding import Arguments, Invalid

__all__ = ["from_schema"]

_ADMITTING = ("additionalProperties", "patternProperties", "unevaluatedProperties")
_BRANCHES = ("anyOf", "oneOf", "allOf")


def from_schema(schema: JsonObject, *, tool: str) -> Arguments:
    """Build what reads the arguments that a JSON Schema describes.

    Args:
        schema: The schema; exported verbatim in the neutral form.
        tool: The tool's name.

    Raises:
        ToolDefinitionError: If the schema is none, refers to other places, or cannot be enforced
            because the extra ``schema`` is not installed.
    """
    validator = _validator(schema, tool)
    names = tuple(dict.fromkeys(_names(schema, schema, 0)))
    admitted = None if _admits_any(schema) else frozenset(names)

    def validate_json(raw: str) -> dict[str, Any]:
        parsed = from_json(raw, allow_inf_nan=False)
        if not isinstance(parsed, dict):
            raise Invalid([{"type": "dict_type", "loc": ()}])
        values = cast("JsonObject", parsed)
        details = [detail for error in validator.iter_errors(values) for detail in _details(error)]
        if admitted is not None:
            known = {detail["loc"] for detail in details}
            details += [
                {"type": "extra_forbidden", "loc": (name,)}
                for name in values
                if name not in admitted and (name,) not in known
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
        open=admitted is None,
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


def _names(node: object, root: JsonObject, depth: int) -> Iterator[str]:
    """Find the property names a schema knows at its top level, in its branches too."""
    if not isinstance(node, dict) or depth > 20:  # noqa: PLR2004 - more is a cycle
        return
    schema = cast("JsonObject", node)
    yield from schema.get("properties", ())
    if isinstance(reference := schema.get("$ref"), str):
        yield from _names(_resolved(reference, root), root, depth + 1)
    for key in _BRANCHES:
        for branch in schema.get(key, ()):
            yield from _names(branch, root, depth + 1)


def _resolved(reference: str, root: JsonObject) -> Any:
    found: Any = root
    for step in reference.removeprefix("#").split("/")[1:]:
        found = found[step.replace("~1", "/").replace("~0", "~")]
    return found


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
