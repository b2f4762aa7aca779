"""What a careful person writes by hand: lookup, prebuilt validator, call, ``to_json``.

Building is ``create_model`` of the parameters alone; exporting again is parsing kept bytes.
"""

import inspect
from dataclasses import dataclass
from typing import Any, get_type_hints

from pydantic import BaseModel, TypeAdapter, ValidationError, create_model, with_config
from pydantic_core import from_json, to_json
from typing_extensions import NotRequired, TypedDict


class Peer:
    bare = True
    distribution = "pydantic"
    imports = "import pydantic"
    missing = {
        "blocking": "no such thing",
        "timeout": "no such thing",
        "middleware": "no such thing",
        "unknown": "no such thing",
        "repair": "no such thing",
    }

    def toolset(self, functions: list[Any]) -> dict[str, Any]:
        return {f.__name__: (_validate(f), f) for f in functions}

    def build(self, functions: list[Any]) -> "_Models":
        return _Models([create_model(f.__name__, **_fields(f)) for f in functions])

    def specs(self, tools: "_Models") -> list[Any]:
        return from_json(self.specs_json(tools))

    def specs_json(self, tools: "_Models") -> bytes:
        tools.raw = tools.raw or to_json([model.model_json_schema() for model in tools.models])
        return tools.raw

    def call(self, tools: dict[str, Any], name: str, raw: str) -> str:
        validate, function = tools[name]
        try:
            arguments = validate(raw)
        except ValidationError as error:
            return _reasons(error)
        return to_json(function(**arguments)).decode()

    async def acall(self, tools: dict[str, Any], name: str, raw: str) -> str:
        validate, function = tools[name]
        try:
            arguments = validate(raw)
        except ValidationError as error:
            return _reasons(error)
        return to_json(await function(**arguments)).decode()


@dataclass
class _Models:
    models: list[type[BaseModel]]
    raw: bytes = b""


def _fields(function: Any) -> dict[str, Any]:
    parameters = inspect.signature(function).parameters.items()
    return {
        name: (p.annotation, ... if p.default is p.empty else p.default) for name, p in parameters
    }


def _validate(function: Any) -> Any:
    hints = get_type_hints(function, include_extras=True)
    fields = {
        name: hints[name] if parameter.default is parameter.empty else NotRequired[hints[name]]
        for name, parameter in inspect.signature(function).parameters.items()
    }
    forbid = with_config({"extra": "forbid"})
    return TypeAdapter(forbid(TypedDict(function.__name__, fields))).validator.validate_json


def _reasons(error: ValidationError) -> str:
    faults = error.errors(include_url=False, include_context=False, include_input=False)
    return "\n".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in faults)
