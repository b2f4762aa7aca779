"""Local servers that speak the providers' wire formats and refuse what is not sound."""

from collections.abc import Iterator
from contextlib import contextmanager

from tests.servers.anthropic import Messages
from tests.servers.chat import Chat
from tests.servers.responses import Responses
from tests.servers.script import SUMS, Script
from tests.servers.serving import serve

__all__ = ["anthropic_server", "openai_server"]


@contextmanager
def openai_server(script: Script = SUMS) -> Iterator[str]:
    """Serve Chat Completions and Responses; give the SDK's base URL."""
    with serve(Chat(script), Responses(script)) as url:
        yield f"{url}/v1"


@contextmanager
def anthropic_server(script: Script = SUMS) -> Iterator[str]:
    """Serve Messages; give the SDK's base URL."""
    with serve(Messages(script)) as url:
        yield url
