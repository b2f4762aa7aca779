"""The loop that users write, and what it must come to."""

from collections.abc import Callable, Iterable
from typing import Any

from tests.servers.script import SUMS, Ask
from toolreg import Registry
from toolreg.formats import FORMATS, Stream

TWO_TURNS = (*SUMS, (Ask("divide", {"by": 0}), Ask("add", {"a": 40, "b": 2})))
QUESTION = "What is 19 plus 23, and what is 1 plus many?"
FAULT = "The arguments of add are invalid:\nb: should be a valid integer"
DIVISION = "ZeroDivisionError: division by zero"

#: What the four calls of the script come to: whether each failed, and its text.
OUTCOMES = [(False, "42"), (True, FAULT), (True, DIVISION), (False, "42")]
#: The same where a provider has no flag.
TEXTS = [f"Error: {text}" if failed else text for failed, text in OUTCOMES]


def loop(registry: Registry, provider: str, ask: Callable[[list], Any], messages: list) -> Any:
    """Ask a model until it calls nothing; return its last response.

    Args:
        registry: The tools.
        provider: The name of the format.
        ask: The conversation -> what the SDK returned, or a stream that was fed with it.
        messages: The conversation, continued in place.
    """
    while True:
        response = ask(messages)
        answers = registry.dispatch(response, provider)
        if not answers:
            return response
        messages += FORMATS[provider].assistant(response)
        messages += answers


def fed(provider: str, chunks: Iterable[object]) -> Stream:
    """Return a stream that has taken all chunks, and has told of each call once."""
    stream = FORMATS[provider].stream()
    told = [call for chunk in chunks for call in stream.feed(chunk)]
    assert told == stream.calls()
    return stream
