"""The loop: a model asks, the registry answers, until there is nothing left to call."""

from collections.abc import Mapping
from typing import Any

from pydantic_core import to_json
from rich.console import Console
from rich.markup import escape
from rich.text import Text

from .. import Registry, ToolCall, ToolResult
from ._models import Model

__all__ = ["converse"]

_SHOWN = 2000


def converse(
    question: str,
    *,
    model: Model,
    registry: Registry,
    context: Mapping[str, Any],
    console: Console,
    max_rounds: int,
) -> None:
    """Answer one question, showing each call and result as it happens.

    Args:
        question: What the user wants.
        model: Who answers.
        registry: The tools.
        context: What injected parameters are taken from.
        console: Where it is shown.
        max_rounds: How often the model may call tools; after that they are not offered again.
    """
    turn = model.ask(question)
    rounds = 0
    while turn.calls and rounds < max_rounds:
        rounds += 1
        for call in turn.calls:
            _show_call(console, call)
        results = registry.execute_all(
            turn.calls, context=context, on_result=lambda result: _show_result(console, result)
        )
        if rounds == max_rounds:
            console.print(f"[yellow]{rounds} rounds of calls: the tools are not offered again[/]")
        turn = model.answer(results, offer=rounds < max_rounds)
    if turn.text:
        console.print(Text(turn.text))


def _show_call(console: Console, call: ToolCall) -> None:
    arguments = call.to_dict()["arguments"]
    text = arguments if isinstance(arguments, str) else _json(arguments or {})
    console.print(f"[cyan]→ {escape(str(call.name))}[/]", Text(text), soft_wrap=True)


def _show_result(console: Console, result: ToolResult) -> None:
    colour = "red" if result.is_error else "green"
    kind = f" ({result.kind})" if result.is_error else ""
    output = result.output if len(result.output) <= _SHOWN else f"{result.output[:_SHOWN]}…"
    console.print(f"[{colour}]← {escape(result.name)}{kind}[/]", Text(output), soft_wrap=True)


def _json(arguments: object) -> str:
    return to_json(arguments).decode()
