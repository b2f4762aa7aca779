"""Slips of models in their arguments, and their repair."""

from ._mend import Mended, is_hopeless, mend, texts_stay

__all__ = ["Mended", "is_hopeless", "mend", "texts_stay"]
