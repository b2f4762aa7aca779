"""The models that `chat` can talk to."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Final, Protocol

from .. import Registry, ToolCall, ToolResult, formats
from ._load import Unusable

__all__ = ["FORMATS", "Model", "Turn", "local_model", "remote_model"]

FORMATS: Final = ("openai", "openai-responses", "anthropic", "gemini", "ollama")

_PACKAGES: Final[Mapping[str, str]] = {
    "openai": "openai",
    "openai-responses": "openai",
    "anthropic": "anthropic",
    "gemini": "google.genai",
    "ollama": "ollama",
}
_MAX_TOKENS: Final = 4096
_NO_KEY: Final = "none"


@dataclass(frozen=True, slots=True)
class Turn:
    """What a model said: text, and calls that want an answer."""

    text: str
    calls: list[ToolCall]


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


Request = Callable[[list[Any], list[Any]], Any]


@dataclass(slots=True)
class _Remote:
    """A model behind a provider's SDK."""

    made: formats.Format
    request: Request
    text_of: Callable[[Any], str | None]
    message: Callable[[str], Any]
    tools: list[Any]
    history: list[Any] = field(default_factory=list[Any])

    def ask(self, question: str) -> Turn:
        self.history.append(self.message(question))
        return self._turn(self.tools)

    def answer(self, results: Sequence[ToolResult], *, offer: bool) -> Turn:
        self.history += self.made.messages(results)
        return self._turn(self.tools if offer else [])

    def _turn(self, tools: list[Any]) -> Turn:
        try:
            response = self.request(self.history, tools)
        except Exception as error:
            text = " ".join(f"{type(error).__name__}: {error}".split())
            raise Unusable(f"the model cannot be reached: {text}") from error
        self.history += self.made.assistant(response)
        calls = [call for call in self.made.calls(response) if call.kind != "server"]
        return Turn(self.text_of(response) or "", calls)


class _Local:
    """The small model that runs here."""

    def __init__(self, registry: Registry) -> None:
        local = import_module("toolreg.local")
        try:
            self._model = local.LocalModel(registry.specs())
        except ImportError as error:
            raise Unusable(str(error)) from error

    def ask(self, question: str) -> Turn:
        self._model.reset()
        reply = self._model.ask(question)
        return Turn(reply.text, reply.calls)

    def answer(self, results: Sequence[ToolResult], *, offer: bool) -> Turn:
        reply = self._model.answer(results)
        return Turn(reply.text, reply.calls if offer else [])


def local_model(registry: Registry) -> Model:
    """Return the small local model.

    Args:
        registry: The tools it may call.

    Raises:
        Unusable: If the extra ``local`` is not installed.
    """
    return _Local(registry)


def remote_model(
    registry: Registry,
    *,
    name: str,
    format: str,
    base_url: str | None,
) -> Model:
    """Return a model behind a server.

    Args:
        registry: The tools it may call.
        name: The model's name.
        format: The provider's format, one of ``FORMATS``.
        base_url: Where the server is; the provider's own place where None.

    Raises:
        Unusable: If the provider's SDK is not installed, or lacks a key.
    """
    if format not in _CLIENTS:
        raise Unusable(f"chat speaks {', '.join(FORMATS)}, not {format}")
    package = _PACKAGES[format]
    try:
        sdk = import_module(package)
    except ImportError as error:
        raise Unusable(f"{format} needs its SDK: pip install {package}") from error
    try:
        request, text_of, message = _CLIENTS[format](sdk, name, base_url)
    except Exception as error:
        text = " ".join(f"{type(error).__name__}: {error}".split())
        raise Unusable(f"the SDK of {format} cannot be used: {text}") from error
    made = formats.FORMATS[format]
    return _Remote(made, request, text_of, message, registry.specs(format))


_Client = tuple[Request, Callable[[Any], str | None], Callable[[str], Any]]


def _message(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def _options(base_url: str | None) -> dict[str, Any]:
    return {} if base_url is None else {"base_url": base_url, "api_key": _NO_KEY}


def _openai(sdk: Any, name: str, base_url: str | None) -> _Client:
    client = sdk.OpenAI(max_retries=0, **_options(base_url))

    def request(history: list[Any], tools: list[Any]) -> Any:
        offered = {"tools": tools} if tools else {}
        return client.chat.completions.create(model=name, messages=history, **offered)

    return request, lambda response: response.choices[0].message.content, _message


def _responses(sdk: Any, name: str, base_url: str | None) -> _Client:
    client = sdk.OpenAI(max_retries=0, **_options(base_url))

    def request(history: list[Any], tools: list[Any]) -> Any:
        offered = {"tools": tools} if tools else {}
        return client.responses.create(model=name, input=history, **offered)

    return request, lambda response: response.output_text, _message


def _anthropic(sdk: Any, name: str, base_url: str | None) -> _Client:
    client = sdk.Anthropic(max_retries=0, **_options(base_url))

    def request(history: list[Any], tools: list[Any]) -> Any:
        # Its API wants the tools of a history described; none may be called then.
        offered: dict[str, Any] = {"tools": tools} if tools else {}
        return client.messages.create(
            model=name, max_tokens=_MAX_TOKENS, messages=history, **offered
        )

    def text_of(response: Any) -> str:
        return "".join(block.text for block in response.content if block.type == "text")

    return request, text_of, _message


def _gemini(sdk: Any, name: str, base_url: str | None) -> _Client:
    options: dict[str, Any] = {}
    if base_url is not None:
        options = {"http_options": {"base_url": base_url}, "api_key": _NO_KEY}
    client = sdk.Client(**options)

    def request(history: list[Any], tools: list[Any]) -> Any:
        config: dict[str, Any] = {"automatic_function_calling": {"disable": True}}
        if tools:
            config["tools"] = tools
        return client.models.generate_content(model=name, contents=history, config=config)

    def text_of(response: Any) -> str:
        content = response.candidates[0].content if response.candidates else None
        parts: list[Any] = (content.parts or []) if content is not None else []
        return "".join(part.text for part in parts if part.text and not part.thought)

    return request, text_of, lambda text: {"role": "user", "parts": [{"text": text}]}


def _ollama(sdk: Any, name: str, base_url: str | None) -> _Client:
    client = sdk.Client(host=base_url)

    def request(history: list[Any], tools: list[Any]) -> Any:
        return client.chat(model=name, messages=history, tools=tools or None)

    return request, lambda response: response.message.content, _message


_CLIENTS: Final[Mapping[str, Callable[[Any, str, str | None], _Client]]] = {
    "openai": _openai,
    "openai-responses": _responses,
    "anthropic": _anthropic,
    "gemini": _gemini,
    "ollama": _ollama,
}
