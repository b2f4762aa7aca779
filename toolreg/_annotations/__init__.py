"""Names in annotations -> types: what a callable takes, every annotation resolved."""

from ._forms import change
from ._locals import Locals
from ._read import EMPTY, NoSignature, Parameter, Signature, read
from ._rebuild import rebuild

__all__ = [
    "EMPTY",
    "Locals",
    "NoSignature",
    "Parameter",
    "Signature",
    "change",
    "read",
    "rebuild",
]
