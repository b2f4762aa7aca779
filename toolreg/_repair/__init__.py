"""Slips of models in their arguments, and their repair."""

from ._mend import Mended, mend

__all__ = ["Mended", "mend"]
