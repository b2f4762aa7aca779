"""Make a tool of each function of one package and judge it; one JSON line a function on stdout.

python -m benchmarks.sweeping.judge PACKAGE --after N    # skip the first N
"""

import argparse
import inspect
import json
import logging
import os
import re
import traceback
import typing
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import jsonschema
import pydantic

from benchmarks.sweeping.functions import Found, functions
from benchmarks.sweeping.truth import collapse, texts
from toolreg import Registry, Tool, ToolDefinitionError, formats

JsonObject = dict[str, Any]
_OPEN = (inspect.Parameter.empty, Any, object)
_NOTES = {"title", "description", "default", "examples", "deprecated"}


def judge(found: Found) -> JsonObject:
    """Return what became of one function: its outcome, faults, texts kept and missed."""
    if found.function is None:
        return {"place": found.place, "outcome": "skipped", "why": found.skipped}
    function = found.function
    parameters = inspect.signature(function).parameters
    style, truth = texts(function, parameters)
    # A schema has no property for `**kwargs`, so there is nothing that could say their text.
    var_keyword = {name for name, each in parameters.items() if each.kind is each.VAR_KEYWORD}
    line: JsonObject = {
        "place": found.place,
        "style": style,
        "open": len(truth.keys() & var_keyword),
    }
    truth = {name: text for name, text in truth.items() if name not in var_keyword}
    line |= {"texts": len(truth), "kept": 0}
    try:
        tool = Tool.from_function(function, name=_legal(function.__name__))
        Registry().add(tool)
        schema = tool.spec()["parameters"]
    except ToolDefinitionError as error:
        faults = [{"parameter": f.parameter, "problem": f.problem} for f in error.faults]
        return line | {"outcome": "refused", "why": faults}
    except BaseException as error:
        where = "".join(traceback.format_exception(error)[-3:])
        return line | {"outcome": "crashed", "why": f"{type(error).__name__}: {error}\n{where}"}
    missed = _missed(truth, schema["properties"])
    return line | {
        "outcome": "built",
        "kept": len(truth) - len(missed),
        "missed": missed,
        "invalid": _invalid(schema),
        "mistyped": list(_mistyped(function, tool, schema)),
        "not_strict": {name: list(tool.strict_faults(name)) for name in formats.FORMATS},
    }


def _legal(name: str) -> str:
    return re.sub(r"[^a-zA-Z0-9_-]", "_", name)[:64] or "unnamed"


def _missed(truth: dict[str, str], properties: JsonObject) -> JsonObject:
    said = {name: collapse(schema.get("description", "")) for name, schema in properties.items()}
    return {
        name: {"truth": text, "schema": said.get(name)}
        for name, text in truth.items()
        if said.get(name) != text
    }


def _invalid(schema: JsonObject) -> str:
    try:
        jsonschema.Draft202012Validator.check_schema(schema)
        json.dumps(schema, allow_nan=False)
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:300]}"
    return ""


def _mistyped(function: Callable[..., Any], tool: Tool, schema: JsonObject) -> Iterator[str]:
    """Yield the parameters whose schema is not what pydantic says of the declared type."""
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        exported = schema["properties"].get(name)
        if exported is None:
            yield f"{name}: no property"
            continue
        bare = {key: value for key, value in exported.items() if key not in _NOTES}
        annotation = _resolved(function, tool, name, parameter.annotation)
        if annotation in _OPEN or isinstance(annotation, typing.TypeVar):
            continue
        expected = _expected(annotation)
        if expected is None and bare:
            continue
        if expected != _plain(exported, schema):
            yield f"{name}: {_plain(exported, schema)} for {annotation!r}, expected {expected}"


def _resolved(function: Callable[..., Any], tool: Tool, name: str, annotation: object) -> object:
    holder = type("Holder", (), {"__annotations__": {name: annotation}})
    scope = getattr(inspect.unwrap(function), "__globals__", {})
    try:
        return typing.get_type_hints(holder, scope, include_extras=True)[name]
    except Exception:
        # A name that is imported for type checkers only: what the tool made of it.
        fields = tool.model.model_fields.items()
        return next((f.annotation for key, f in fields if name in (key, f.alias)), annotation)


def _expected(annotation: object) -> object:
    try:
        schema = pydantic.TypeAdapter(annotation).json_schema()
    except Exception:
        return None
    return _plain(schema, schema)


def _plain(schema: object, root: JsonObject, depth: int = 0) -> object:
    """Return a schema without its notes and with its references followed, to be compared."""
    if isinstance(schema, list):
        return [_plain(each, root, depth) for each in schema]
    if not isinstance(schema, dict) or depth > 12:
        return schema
    if "$ref" in schema:
        return _plain(root["$defs"][schema["$ref"].rsplit("/", 1)[1]], root, depth + 1)
    plain: JsonObject = {}
    for key, value in schema.items():
        if key == "properties":
            plain[key] = {name: _plain(each, root, depth + 1) for name, each in value.items()}
        elif key not in _NOTES and key != "$defs":
            plain[key] = _plain(value, root, depth + 1)
    return plain


def main() -> None:
    """Judge from the given place on; the real stdout is kept from what packages print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("package")
    parser.add_argument("--after", type=int, default=0)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for index, found in enumerate(functions(options.package)):
        if index >= options.after:
            print(json.dumps({"begin": found.place}), file=out, flush=True)
            print(json.dumps(judge(found)), file=out, flush=True)


if __name__ == "__main__":
    main()
