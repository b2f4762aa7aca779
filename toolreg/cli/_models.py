"""The models that `chat` can talk to."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from importlib import import_module
from typing import Any, Protocol

from .. import ToolCall, ToolResult, formats
from ._clients import Client, Settings, client
from ._load import Tools, Unusable, one_line

__all__ = ["Model", "Turn", "local_model", "remote_model"]

_OVER = "no more calls in this turn"


@dataclass(frozen=True, slots=True)
class Turn:
    """What a model said: text, and calls that want an answer."""

    text: str
    calls: Sequence[ToolCall]


class Model(Protocol):
    """Something that answers, and may call tools on the way."""

    def ask(self, question: str) -> Turn:
        """Return the first turn after a question."""
        ...

    def answer(self, results: Sequence[ToolResult], *, offer: bool) -> Turn:
        """Return the turn after the results of the last one.

        Args:
            results: One for each call.
            offer: Whether the tools may be called again.
        """
        ...

    def forget(self) -> None:
        """Leave out the last question and all that came of it."""
        ...


@dataclass(slots=True)
class _Remote:
    """A model behind a provider's SDK."""

    format: str
    place: str
    client: Client
    history: list[Any] = field(default_factory=list[Any])
    unanswered: Sequence[ToolCall] = ()
    start: int = 0

    def ask(self, question: str) -> Turn:
        self.start = len(self.history)
        # Calls that were made though they were not asked for would make the history unsound.
        denied = [call.deny(_OVER) for call in self.unanswered]
        self.history += formats.FORMATS[self.format].messages(denied)
        self.history.append(self.client.message(question))
        return self._turn(offer=True)

    def answer(self, results: Sequence[ToolResult], *, offer: bool) -> Turn:
        self.history += formats.FORMATS[self.format].messages(results)
        return self._turn(offer=offer)

    def forget(self) -> None:
        del self.history[self.start :]

    def _turn(self, *, offer: bool) -> Turn:
        try:
            response = self.client.request(self.history, offer=offer)
        except Exception as error:
            raise Unusable(f"{self.place} gave no answer: {one_line(error)}") from error
        try:
            text = self.client.text_of(response) or ""
        except (AttributeError, IndexError, TypeError) as error:
            raise Unusable(f"{self.place} does not speak {self.format}: {error}") from error
        made = formats.FORMATS[self.format]
        self.history += made.assistant(response)
        self.unanswered = made.calls(response)
        return Turn(text, self.unanswered)


class _Local:
    """The small model that runs here; it chooses calls, and the results are its answer."""

    def __init__(self, registry: Tools) -> None:
        local = import_module("toolreg.local")
        today = datetime.now().astimezone()
        try:
            self._model = local.LocalModel(registry.specs(), facts=f"date: {today:%Y-%m-%d %a}")
        except ImportError as error:
            raise Unusable(str(error)) from error

    def ask(self, question: str) -> Turn:
        # What was said before leads so small a model astray.
        self._model.reset()
        return self._turn(self._model.ask(question))

    def answer(self, results: Sequence[ToolResult], *, offer: bool) -> Turn:
        return self._turn(self._model.answer(results)) if offer else Turn("", ())

    def forget(self) -> None:
        pass

    def _turn(self, reply: Any) -> Turn:
        return Turn(reply.text if reply.calls else "", reply.calls)


def local_model(registry: Tools) -> Model:
    """Return the small local model.

    Args:
        registry: The tools it may call.

    Raises:
        Unusable: If the extra ``local`` is not installed.
    """
    return _Local(registry)


def remote_model(registry: Tools, *, model: str, format: str, base_url: str | None) -> Model:
    """Return a model behind a server.

    Args:
        registry: The tools it may call.
        model: The model's name.
        format: The provider's format, one of those that there is a client for.
        base_url: Where the server is; the provider's own place where None.

    Raises:
        Unusable: If the provider's SDK is not installed, or lacks a key.
    """
    settings = Settings(
        model=model,
        base_url=base_url,
        instructions=registry.instructions,
        tools=registry.specs(format) if format in formats.FORMATS else [],
    )
    return _Remote(format, base_url or format, client(format, settings))
