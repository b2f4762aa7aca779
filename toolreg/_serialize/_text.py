"""Text to text that may be sent."""

__all__ = ["clean", "cut"]


def clean(text: str) -> str:
    """Return the text with each lone surrogate replaced by U+FFFD.

    Args:
        text: Any text; pairs of surrogates become the character they mean.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def cut(text: str, limit: int) -> str:
    r"""Return the text, shortened in its middle if it is longer than the limit.

    Args:
        text: Any text.
        limit: How many characters the result may have. A limit too small for the marker that
            says how much is missing gives the start of the text alone.

    Example:
        >>> cut("a" * 1000, 50)
        'aaaaaaaaaaaa\n[… 977 characters cut …]\naaaaaaaaaaa'
    """
    if len(text) <= limit:
        return text
    kept = limit - len(_marker(len(text)))
    if kept < 0:
        return text[: max(limit, 0)]
    head, tail = kept - kept // 2, kept // 2
    return text[:head] + _marker(len(text) - kept) + text[len(text) - tail :]


def _marker(missing: int) -> str:
    return f"\n[… {missing} characters cut …]\n"
