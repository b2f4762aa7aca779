"""The loop: a model asks, the registry answers, until there is nothing left to call."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from pydantic_core import to_json
from rich.console import Console
from rich.text import Text

from .. import ToolCall, ToolResult
from ._load import Tools
from ._models import Model

__all__ = ["Talk"]

_SHOWN: Final = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """What it takes to answer questions.

    Attributes:
        model: Who answers.
        registry: The tools.
        context: What injected parameters are taken from.
        console: Where calls, results and answers are shown.
        max_rounds: How often the model may call tools for a question; after that they are not
            offered again.
        allow: Whether a call that needs an approval may run.
    """

    model: Model
    registry: Tools
    context: Mapping[str, Any]
    console: Console
    max_rounds: int
    allow: Callable[[ToolCall], bool]

    def answer(self, question: str) -> None:
        """Answer one question, showing each call and result as it happens.

        Args:
            question: What the user wants.
        """
        turn = self.model.ask(question)
        if not turn.calls and not turn.text:
            self._note("no tool fits, and it says nothing")
        for rounds in range(1, self.max_rounds + 1):
            if not turn.calls:
                break
            self._say(turn.text, style="dim")
            results = self._results(turn.calls)
            if rounds == self.max_rounds:
                self._note(f"{_count(rounds, 'round')} of calls: the tools are not offered again")
            turn = self.model.answer(results, offer=rounds < self.max_rounds)
        self._say(turn.text)
        if turn.calls:
            self._note(f"it asks for {_count(len(turn.calls), 'further call')}, not run")

    def _results(self, calls: Sequence[ToolCall]) -> list[ToolResult]:
        identified = [_identified(call, number) for number, call in enumerate(calls, start=1)]
        # Calls of one turn end in any order; numbers say what belongs together.
        places = {call.id: f"{n} " for n, call in enumerate(identified, start=1)}
        labels = places if len(calls) > 1 else {}
        for call in identified:
            self._show_call(call, labels.get(call.id, ""))

        def show(result: ToolResult) -> None:
            self._show_result(result, labels.get(result.call_id, ""))

        results = self.registry.execute_all(identified, context=self.context, on_result=show)
        return [self._settled(result, show) for result in results]

    def _settled(self, result: ToolResult, show: Callable[[ToolResult], None]) -> ToolResult:
        """Return the result itself, or what comes of a call that waits for an approval."""
        if result.kind != "approval_required" or result.call is None:
            return result
        if self.allow(result.call):
            settled = self.registry.execute(result.call, context=self.context, approved=True)
        else:
            settled = result.call.deny("the user does not want it")
        show(settled)
        return settled

    def _show_call(self, call: ToolCall, label: str) -> None:
        arguments = call.to_dict()["arguments"]
        text = arguments if isinstance(arguments, str) else to_json(arguments or {}).decode()
        self._show(f"→ {label}{call.name}", text, "cyan")

    def _show_result(self, result: ToolResult, label: str) -> None:
        kind = f" ({result.kind})" if result.is_error else ""
        mended = f" (mended: {', '.join(result.repairs)})" if result.repairs else ""
        colour = "red" if result.is_error else "green"
        self._show(f"← {label}{result.name}{kind}{mended}", result.output, colour)

    def _show(self, head: str, text: str, colour: str) -> None:
        cut = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
        shown = Text.assemble((_tame(head), colour), " ", _tame(cut).replace("\n", "\n  "))
        self.console.print(shown, soft_wrap=True)

    def _say(self, text: str, style: str = "") -> None:
        if text:
            self.console.print(Text(_tame(text), style), soft_wrap=True)

    def _note(self, text: str) -> None:
        self.console.print(Text(text, "yellow"), soft_wrap=True)


def _identified(call: ToolCall, number: int) -> ToolCall:
    return call if call.id is not None else replace(call, id=f"call_{number}", made_id=True)


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _tame(text: str) -> str:
    """Return a text that cannot steer the terminal."""
    return text.replace("\x1b", "␛")
