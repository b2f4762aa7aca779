"""Local servers that speak the providers' wire formats and refuse what is not sound."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from tests.servers.anthropic import Messages
from tests.servers.bedrock import Converse
from tests.servers.chat import Chat, Groq, Mistral
from tests.servers.cohere import Cohere
from tests.servers.gemini import Gemini
from tests.servers.mcp import Mcp
from tests.servers.ollama import Ollama
from tests.servers.responses import Responses
from tests.servers.script import SUMS, Script
from tests.servers.serving import serve
from toolreg import Registry

__all__ = [
    "anthropic_server",
    "bedrock_server",
    "cohere_server",
    "gemini_server",
    "groq_server",
    "mcp_server",
    "mistral_server",
    "ollama_server",
    "openai_server",
]


@contextmanager
def openai_server(script: Script = SUMS) -> Iterator[str]:
    """Serve Chat Completions and Responses; give the SDK's base URL."""
    with serve(Chat(script), Responses(script)) as url:
        yield f"{url}/v1"


def anthropic_server(script: Script = SUMS) -> AbstractContextManager[str]:
    """Serve Messages; give the SDK's base URL."""
    return serve(Messages(script))


def gemini_server(
    script: Script = SUMS, *, ids: bool = False, partial: bool = False
) -> AbstractContextManager[str]:
    """Serve generateContent; give the SDK's base URL."""
    return serve(Gemini(script, ids=ids, partial=partial))


def bedrock_server(script: Script = SUMS) -> AbstractContextManager[str]:
    """Serve Converse; give the endpoint's URL."""
    return serve(Converse(script))


def mistral_server(script: Script = SUMS) -> AbstractContextManager[str]:
    """Serve Mistral's chat; give the server's URL."""
    return serve(Mistral(script))


def groq_server(script: Script = SUMS) -> AbstractContextManager[str]:
    """Serve Groq's chat; give the SDK's base URL."""
    return serve(Groq(script))


def cohere_server(script: Script = SUMS) -> AbstractContextManager[str]:
    """Serve Cohere's chat; give the SDK's base URL."""
    return serve(Cohere(script))


def ollama_server(script: Script = SUMS) -> AbstractContextManager[str]:
    """Serve Ollama's chat; give the host."""
    return serve(Ollama(script))


@contextmanager
def mcp_server(
    registry: Registry, *, stateless: bool = True, streamed: bool = False
) -> Iterator[str]:
    """Serve a registry's tools by the Model Context Protocol; give the URL."""
    with serve(Mcp(registry, stateless=stateless, streamed=streamed)) as url:
        yield f"{url}/mcp"
