"""What Claude allows all strict schemas of one request together."""

from dataclasses import dataclass
from typing import Final

from .._schema import StrictDialect, count_optional, count_unions, strict, typed
from .._types import JsonObject

__all__ = ["Budget", "affordable", "overspent"]

_TOOLS: Final = 20
_OPTIONAL: Final = 24
_UNIONS: Final = 16


@dataclass(slots=True)
class Budget:
    """What is left for the strict tools of a request; first come, first served."""

    tools: int = _TOOLS
    optional: int = _OPTIONAL
    unions: int = _UNIONS

    def spend(self, schema: JsonObject) -> bool:
        """Take a schema's share, if there is enough left; return whether there was.

        Args:
            schema: A strict schema.
        """
        optional, unions = count_optional(schema), count_unions(schema)
        if self.tools < 1 or self.optional < optional or self.unions < unions:
            return False
        self.tools -= 1
        self.optional -= optional
        self.unions -= unions
        return True


def affordable(
    schema: JsonObject, dialect: StrictDialect, budget: Budget | None
) -> tuple[JsonObject, bool]:
    """Return the schema to send, and whether it may be flagged strict.

    Args:
        schema: JSON Schema of a tool's arguments.
        dialect: Whose strict mode.
        budget: What is left of the request; None where strict mode is not wanted.
    """
    if budget is not None:
        converted, faults = strict(schema, dialect)
        if not faults and budget.spend(converted):
            return converted, True
    return typed(schema), False


def overspent(schema: JsonObject) -> tuple[str, ...]:
    """Return why a schema alone is more than a request may hold, nothing if it is not.

    Args:
        schema: A strict schema.
    """
    faults: list[str] = []
    if (optional := count_optional(schema)) > _OPTIONAL:
        faults.append(f"{optional} optional properties; a request may have {_OPTIONAL}")
    if (unions := count_unions(schema)) > _UNIONS:
        faults.append(f"{unions} properties of several types; a request may have {_UNIONS}")
    return tuple(faults)
