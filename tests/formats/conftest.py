"""What the tests of all formats share."""

import types
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, Union, get_args, get_origin

import pytest
import typing_extensions
from pydantic import BaseModel

_LEAVES = {str: str, int: int, bool: bool, float: (int, float), type(None): type(None)}


def _bare(kind):
    while True:
        if isinstance(kind, typing_extensions.TypeAliasType):
            kind = kind.__value__
        elif isinstance(get_origin(kind), typing_extensions.TypeAliasType):
            kind = get_origin(kind).__value__[get_args(kind)]
        elif typing_extensions.get_origin(kind) in {
            typing_extensions.Annotated,
            typing_extensions.Required,
            typing_extensions.NotRequired,
        }:
            kind = get_args(kind)[0]
        else:
            return kind


def _keys(kind):
    """The keys a record may have with their types, and those it must have."""
    if issubclass(kind, BaseModel):
        fields = {f.alias or name: f for name, f in kind.model_fields.items()}
        types_of = {key: f.annotation for key, f in fields.items()}
        return types_of, {key for key, f in fields.items() if f.is_required()}
    hints = typing_extensions.get_type_hints(kind, include_extras=True)
    required, not_required = typing_extensions.Required, typing_extensions.NotRequired
    origins = {key: typing_extensions.get_origin(hint) for key, hint in hints.items()}
    # Under postponed annotations `__required_keys__` knows nothing of either mark.
    marked = {key for key, origin in origins.items() if origin is required}
    unmarked = {key for key, origin in origins.items() if origin not in {required, not_required}}
    return hints, marked | (unmarked if kind.__total__ else set())


def misfits(value: Any, kind: Any, path: str = "") -> list[str]:
    """Why a plain value is not exactly of an SDK's type, unknown keys included."""
    kind = _bare(kind)
    origin, args = get_origin(kind), get_args(kind)
    if kind in {Any, object} or isinstance(kind, typing_extensions.TypeVar):
        return []
    if origin in {Union, types.UnionType}:
        reasons = [misfits(value, arg, path) for arg in args]
        return min(reasons, key=len) if all(reasons) else []
    if origin is Literal:
        return [] if value in args else [f"{path}: {value!r} is none of {args}"]
    if kind in _LEAVES:
        fine = isinstance(value, _LEAVES[kind]) and (kind is bool) == isinstance(value, bool)
        return [] if fine else [f"{path}: {value!r} is no {kind.__name__}"]
    if (origin or kind) in {dict, Mapping} or origin is Mapping or kind is dict:
        return [] if isinstance(value, dict) else [f"{path}: {value!r} is no object"]
    if origin in {list, Iterable, Sequence} or (
        isinstance(origin, type) and issubclass(origin, Iterable)
    ):
        if not isinstance(value, list):
            return [f"{path}: {value!r} is no list"]
        return [r for n, item in enumerate(value) for r in misfits(item, args[0], f"{path}[{n}]")]
    if not isinstance(value, dict):
        return [f"{path}: {value!r} is no {kind.__name__}"]
    known, required = _keys(kind)
    unknown = [f"{path}.{key}: unknown to {kind.__name__}" for key in value if key not in known]
    missing = [f"{path}.{key}: missing in {kind.__name__}" for key in required if key not in value]
    inside = [
        r for key in value if key in known for r in misfits(value[key], known[key], f"{path}.{key}")
    ]
    return unknown + missing + inside


@pytest.fixture
def fits():
    """Assert that plain values are exactly of an SDK's type: `fits(value, kind)`."""

    def check(value, kind):
        __tracebackhide__ = True
        assert [] == misfits(value, kind)

    return check
