"""Time dispatch to functions of one package; one JSON line a function on stdout.

python -m benchmarks.sweeping.dispatch PACKAGE --functions 9

No function of the package is called: a stub with its signature and documentation is. It returns
a plain value, of another kind for each function.
"""

import argparse
import functools
import gc
import inspect
import json
import logging
import os
import re
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from pydantic_core import to_json

from benchmarks.peers.floor import Peer
from benchmarks.sweeping.byhand import Validate, by_hand
from benchmarks.sweeping.conforming import Inconceivable, arguments
from benchmarks.sweeping.functions import Found, functions
from toolreg import Registry, Tool, ToolDefinitionError
from toolreg._tool import action_of

JsonObject = dict[str, Any]
ATTEMPTS = 60
SPAN = 2_000_000
RETURNS: dict[str, Any] = {
    "null": None,
    "a boolean": True,
    "an integer": 42,
    "a float": 2.5,
    "a text": "It is done.",
    "a list": [1, 2, 3],
    "an object": {"name": "Ada", "count": 3},
}
hand = Peer()


class Useless(Exception):
    """The function cannot be timed; the text says why."""


@dataclass(frozen=True, slots=True)
class Both:
    """A function in both ways, under one name."""

    name: str
    registry: Registry
    by_hand: dict[str, tuple[Validate, Callable[..., Any]]]
    output: str

    def accept(self, text: str) -> bool:
        """Whether both take a text as it is."""
        result = self.registry.execute(self.name, text, call_id="c")
        taken = result.kind == "success" and not result.repairs
        return taken and hand.call(self.by_hand, self.name, text) == self.output


def time_function(
    found: Found, returns: str, random: Random, texts: int, rounds: int
) -> JsonObject:
    """Return what became of one function, with both times where it could be timed.

    Args:
        found: The function.
        returns: What its stub returns, a key of `RETURNS`.
        random: Where arguments come from.
        texts: How many of them at most.
        rounds: How often both sides are timed, in turns.
    """
    line: JsonObject = {"place": found.place, "returns": returns}
    function, value = found.function, RETURNS[returns]
    try:
        both = _both(_stub(function, lambda *args, **kwargs: value), value)
        _compare_schemas(function, both)
        accepted = _texts(both, random, texts)
        _compare_calls(function, value, accepted)
    except ToolDefinitionError:
        return line | {"outcome": "refused"}
    except (Useless, Inconceivable) as reason:
        return line | {"outcome": "useless", "why": f"{type(reason).__name__}: {reason}"[:300]}
    floor, toolreg = _times(both, accepted, rounds)
    calls = {"texts": accepted, "floor": floor, "toolreg": toolreg, "ratio": toolreg / floor}
    return line | {"outcome": "timed", **calls, "traits": _traits(both)}


def _stub(function: Callable[..., Any], body: Callable[..., Any]) -> Callable[..., Any]:
    return functools.wraps(function)(body)


def _both(stub: Callable[..., Any], value: Any) -> Both:
    name = re.sub(r"[^a-zA-Z0-9_-]", "_", stub.__name__)[:64] or "unnamed"
    tool = Tool.from_function(stub, name=name)
    registry = Registry()
    registry.add(tool)
    return Both(name, registry, {name: by_hand(stub, tool.model)}, to_json(value).decode())


def _compare_schemas(function: Callable[..., Any], both: Both) -> None:
    """Make sure that the stub stands for the function."""
    tools = (Tool.from_function(function, name=both.name), both.registry[both.name])
    one, other = ({**tool.parameters, "properties": _bare(tool)} for tool in tools)
    if one != other:
        raise Useless("its stub has other parameters")


def _bare(tool: Tool) -> JsonObject:
    notes = {"description", "default"}
    return {
        name: {key: value for key, value in each.items() if key not in notes}
        for name, each in tool.parameters["properties"].items()
    }


def _texts(both: Both, random: Random, wanted: int) -> list[str]:
    schema = both.registry[both.name].parameters
    accepted: list[str] = []
    for _ in range(ATTEMPTS):
        text = json.dumps(arguments(schema, random), ensure_ascii=False)
        if text not in accepted and both.accept(text):
            accepted.append(text)
        if len(accepted) == wanted:
            break
    if not accepted:
        raise Useless("no arguments that both accept")
    return accepted


def _compare_calls(function: Callable[..., Any], value: Any, texts: list[str]) -> None:
    """Make sure that both ways call the function with the same arguments."""
    seen: list[tuple[tuple[Any, ...], dict[str, Any]]] = []

    def record(*args: Any, **kwargs: Any) -> Any:
        seen.append((args, kwargs))
        return value

    recorder = _stub(function, record)
    recorded = _both(recorder, value)
    for text in texts:
        recorded.accept(text)
        one, other = (_bound(recorder, *call) for call in seen)
        if one != other:
            raise Useless(f"calls differ: {one} and {other}")
        seen.clear()


def _bound(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    bound = inspect.signature(function).bind(*args, **kwargs)
    bound.apply_defaults()
    return re.sub(r"0x[0-9a-f]+", "", repr(dict(sorted(bound.arguments.items()))))


def _times(both: Both, texts: list[str], rounds: int) -> tuple[float, float]:
    """Return the least CPU microseconds of one call, by hand and by toolreg."""
    n = 1
    while _floor(both, texts, n) < SPAN / 2:
        n *= 2
    pairs = []
    for _ in range(rounds):
        gc.collect()
        pairs.append((_floor(both, texts, n), _toolreg(both, texts, n)))
    least = map(min, zip(*pairs, strict=True))
    floor, toolreg = (nanoseconds / 1000 / n / len(texts) for nanoseconds in least)
    return floor, toolreg


def _floor(both: Both, texts: list[str], n: int) -> int:
    call, tools, name = hand.call, both.by_hand, both.name
    start = time.process_time_ns()
    for _ in range(n):
        for text in texts:
            call(tools, name, text)
    return time.process_time_ns() - start


def _toolreg(both: Both, texts: list[str], n: int) -> int:
    execute, name = both.registry.execute, both.name
    start = time.process_time_ns()
    for _ in range(n):
        for text in texts:
            _ = execute(name, text, call_id="c").output
    return time.process_time_ns() - start


def _traits(both: Both) -> dict[str, bool]:
    """Return what is telling of the way a call goes."""
    tool = both.registry[both.name]
    read = action_of(tool).arguments
    binding = read.binding
    properties = _bare(tool).values()
    return {
        "by position or *args": binding is not None
        and bool(binding.positional_only or binding.variadic),
        "fresh copies of defaults": binding is not None and bool(binding.supplied),
        "**kwargs": read.takes_any,
        "**kwargs, names guarded": inspect.isfunction(read.validate_json),
        "NaN looked for": read.lets_nan_through,
        "an untyped parameter": not all(properties),
        "no parameter": not properties,
    }


def main() -> None:
    """Draw until enough functions are timed; the real stdout is kept from what packages print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("package")
    parser.add_argument("--functions", type=int, required=True)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--texts", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--returns", choices=RETURNS, help="of all stubs, not each its own")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    drawn = [found for found in functions(options.package) if found.function is not None]
    print(json.dumps({"of": len(drawn)}), file=out, flush=True)
    Random(f"{options.seed}/{options.package}").shuffle(drawn)
    gc.collect()
    gc.freeze()
    timed = 0
    for found in drawn:
        if timed == options.functions:
            break
        random = Random(f"{options.seed}/{found.place}")
        returns = options.returns or random.choice(list(RETURNS))
        line = time_function(found, returns, random, options.texts, options.rounds)
        timed += line["outcome"] == "timed"
        print(json.dumps(line), file=out, flush=True)


if __name__ == "__main__":
    main()
