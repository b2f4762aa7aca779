"""Foreign text to short text on one line."""

from typing import Final

__all__ = ["LONGEST_NAME", "line", "quoted"]

LONGEST_NAME: Final = 64


def quoted(text: str) -> str:
    """Return a name in quotes, its odd characters escaped, at most 64 characters in all."""
    shown = repr(text[:LONGEST_NAME])
    if len(shown) <= LONGEST_NAME and len(text) <= LONGEST_NAME:
        return shown
    return f"{shown[: LONGEST_NAME - 2]}…{shown[0]}"


def line(text: str, limit: int) -> str:
    """Return a text with its white space folded, shortened in its middle to the limit."""
    if len(text) <= limit and text.isprintable():
        return text
    start = text if len(text) <= 4 * limit else text[: 2 * limit] + text[-2 * limit :]
    folded = " ".join(start.encode("utf-8", "backslashreplace").decode().split())
    if len(folded) <= limit:
        return folded
    tail = limit // 4
    return f"{folded[: limit - tail - 3]} … {folded[-tail:]}"
