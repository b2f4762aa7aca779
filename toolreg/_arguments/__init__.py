"""Arguments: from a signature to what validates them, from a model's text to a call."""

from ._binding import Binding, binding_of
from ._class import Extra
from ._declared import Argument, Declared, declare, keyword_names
from ._decoding import FAULTS, Arguments, Refused, parse
from ._injection import EMPTY, Inject, Injection
from ._model import NotYet, from_declared, from_model
from ._raw import from_schema

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
    "from_declared",
    "from_model",
    "from_schema",
    "keyword_names",
    "parse",
]
