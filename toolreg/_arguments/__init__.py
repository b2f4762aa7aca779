"""Arguments: from a signature to what validates them, from a model's text to a call."""

from ._binding import Binding, binding_of
from ._class import Extra
from ._declared import Argument, Declared, declare, keyword_names
from ._decoding import FAULTS, Arguments, Refused, parse
from ._explicit import explicit
from ._injection import EMPTY, Inject, Injection
from ._model import NotYet, from_declared

__all__ = [
    "EMPTY",
    "FAULTS",
    "Argument",
    "Arguments",
    "Binding",
    "Declared",
    "Extra",
    "Inject",
    "Injection",
    "NotYet",
    "Refused",
    "binding_of",
    "declare",
    "explicit",
    "from_declared",
    "keyword_names",
    "parse",
]
