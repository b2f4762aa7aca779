"""The providers' SDKs, each behind the same three functions."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Final, Protocol

from ._load import Unusable, one_line

__all__ = ["FORMATS", "Client", "Settings", "client"]

_MAX_TOKENS: Final = 4096
_NO_KEY: Final = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a client is made of.

    Attributes:
        model: The model's name.
        base_url: Where the server is; the provider's own place where None.
        instructions: For a system prompt, possibly empty.
        tools: What goes into ``tools=`` of a request.
    """

    model: str
    base_url: str | None = None
    instructions: str = ""
    tools: list[Any] = field(default_factory=list[Any])


class Request(Protocol):
    """Makes a request and returns the SDK's response."""

    def __call__(self, history: list[Any], *, offer: bool) -> Any:
        """Ask.

        Args:
            history: The conversation.
            offer: Whether the tools may be called.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """How one provider is asked.

    Attributes:
        request: Asks.
        text_of: Returns the text of a response.
        message: Makes a user's message of a text.
    """

    request: Request
    text_of: Callable[[Any], str | None]
    message: Callable[[str], Any]


def client(format: str, settings: Settings) -> Client:
    """Return how a provider is asked.

    Args:
        format: One of ``FORMATS``.
        settings: What it is made of.

    Raises:
        Unusable: If there is no such format here, or its SDK is not installed or lacks a key.
    """
    if format not in FORMATS:
        raise Unusable(f"chat speaks {', '.join(FORMATS)}, not {format}")
    package, make = FORMATS[format]
    try:
        sdk = import_module(package)
    except ImportError as error:
        name = package.replace(".", "-")
        raise Unusable(f"{format} needs its SDK: pip install {name}") from error
    try:
        return make(sdk, settings)
    except Exception as error:
        raise Unusable(f"the SDK of {format} cannot be used: {one_line(error)}") from error


def _user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def _options(settings: Settings, *keys: str) -> dict[str, Any]:
    """Return where to go and with which key; a server of one's own needs none."""
    if settings.base_url is None:
        return {}
    found = [os.environ[key] for key in keys if os.environ.get(key)]
    return {"base_url": settings.base_url, "api_key": next(iter(found), _NO_KEY)}


def _offered(settings: Settings, choice: Any, *, offer: bool) -> dict[str, Any]:
    # A history with calls in it is refused by some where the tools are not described.
    if not settings.tools:
        return {}
    return {"tools": settings.tools, **({} if offer else {"tool_choice": choice})}


def _openai(sdk: Any, settings: Settings) -> Client:
    openai = sdk.OpenAI(max_retries=0, **_options(settings, "OPENAI_API_KEY"))
    system = [{"role": "system", "content": settings.instructions}]

    def request(history: list[Any], *, offer: bool) -> Any:
        return openai.chat.completions.create(
            model=settings.model,
            messages=[*(system if settings.instructions else []), *history],
            **_offered(settings, "none", offer=offer),
        )

    return Client(
        request=request,
        text_of=lambda response: response.choices[0].message.content,
        message=_user,
    )


def _responses(sdk: Any, settings: Settings) -> Client:
    openai = sdk.OpenAI(max_retries=0, **_options(settings, "OPENAI_API_KEY"))
    system = {"instructions": settings.instructions} if settings.instructions else {}

    def request(history: list[Any], *, offer: bool) -> Any:
        offered = _offered(settings, "none", offer=offer)
        return openai.responses.create(model=settings.model, input=history, **system, **offered)

    return Client(request=request, text_of=lambda response: response.output_text, message=_user)


def _anthropic(sdk: Any, settings: Settings) -> Client:
    anthropic = sdk.Anthropic(max_retries=0, **_options(settings, "ANTHROPIC_API_KEY"))
    system = {"system": settings.instructions} if settings.instructions else {}

    def request(history: list[Any], *, offer: bool) -> Any:
        return anthropic.messages.create(
            model=settings.model,
            max_tokens=_MAX_TOKENS,
            messages=history,
            **system,
            **_offered(settings, {"type": "none"}, offer=offer),
        )

    def text_of(response: Any) -> str:
        return "".join(block.text for block in response.content if block.type == "text")

    return Client(request=request, text_of=text_of, message=_user)


def _gemini(sdk: Any, settings: Settings) -> Client:
    options = _options(settings, "GOOGLE_API_KEY", "GEMINI_API_KEY")
    if "base_url" in options:
        options["http_options"] = {"base_url": options.pop("base_url")}
    gemini = sdk.Client(**options)
    usual: dict[str, Any] = {"automatic_function_calling": {"disable": True}}
    if settings.instructions:
        usual["system_instruction"] = settings.instructions
    if settings.tools:
        usual["tools"] = settings.tools

    def request(history: list[Any], *, offer: bool) -> Any:
        config = dict(usual)
        if settings.tools and not offer:
            config["tool_config"] = {"function_calling_config": {"mode": "NONE"}}
        return gemini.models.generate_content(model=settings.model, contents=history, config=config)

    def text_of(response: Any) -> str:
        parts: list[Any] = response.candidates[0].content.parts or []
        return "".join(part.text for part in parts if part.text and not part.thought)

    return Client(
        request=request,
        text_of=text_of,
        message=lambda text: {"role": "user", "parts": [{"text": text}]},
    )


def _ollama(sdk: Any, settings: Settings) -> Client:
    ollama = sdk.Client(host=settings.base_url)
    system = [{"role": "system", "content": settings.instructions}]

    def request(history: list[Any], *, offer: bool) -> Any:
        # It has no tool_choice, and takes a history with calls whatever tools there are.
        return ollama.chat(
            model=settings.model,
            messages=[*(system if settings.instructions else []), *history],
            tools=settings.tools if offer else None,
        )

    return Client(request=request, text_of=lambda response: response.message.content, message=_user)


_Make = Callable[[Any, Settings], Client]

FORMATS: Final[Mapping[str, tuple[str, _Make]]] = {
    "openai": ("openai", _openai),
    "openai-responses": ("openai", _responses),
    "anthropic": ("anthropic", _anthropic),
    "gemini": ("google.genai", _gemini),
    "ollama": ("ollama", _ollama),
}
