"""Names in annotations -> types: what a callable takes, every annotation resolved."""

from ._forms import change
from ._read import EMPTY, NoSignature, Parameter, Signature, read
from ._rebuild import rebuild

__all__ = ["EMPTY", "NoSignature", "Parameter", "Signature", "change", "read", "rebuild"]
