"""The text of a module that has one fault of each kind, and of others."""

#: One fault of each kind but the crowd, in the order of the source.
FAULTY = '''
from typing import Annotated, Any, TypedDict

from pydantic import Field

from toolreg import Registry, Tool

registry = Registry()
Size = Annotated[int, Field(description="How large.")]
Order = TypedDict("Order", {"größe": Size, "height": Size})


@registry.tool
def open_door(): ...


@registry.tool
async def paint(
    colour: str,
    *more: int,
) -> None:
    """Paint it.

    Args:
        more: What else.
        brush: Which brush.
    """


@registry.tool
def forecast(
    city: Annotated[Any, "Where."],
) -> None:
    """Say tomorrow's weather."""


@registry.tool(title="Forecasts")
@registry.tool(name="sing", description="Sing.")
def forecasts() -> None:
    """Say the weather of all days."""


@registry.tool
def walk() -> None:
    """Sing."""


@registry.tool
def ship(order: Annotated[Order, "What to ship."]) -> None:
    """Ship an order."""


registry.add(
    lambda: None,
    name="wait",
    description="Wait. " * 200,
)

OLD = {
    "$schema": "http://json-schema.org/draft-04/schema#",
    "type": "object",
    "properties": {"n": {"type": "integer", "minimum": 0, "exclusiveMinimum": True}},
}
OLD["properties"]["n"]["description"] = "How many."
registry.add(Tool(name="count", description="Count.", parameters=OLD, func=lambda n: n))


@registry.tool
def late(x: Annotated["Later", "What is late."]) -> None:
    """Be late."""


class Later: ...
'''

EXPECTED = [
    ("undocumented-tool", "open_door", None, 14, []),
    ("undocumented-parameter", "paint", "colour", 19, []),
    ("undeclared-parameter", "paint", "brush", 26, []),
    ("untyped-parameter", "forecast", "city", 32, []),
    ("near-name", "forecasts", None, 39, []),
    ("repeated-description", "walk", None, 44, []),
    ("refused-name", "ship", "größe", 49, ["anthropic", "gemini", "bedrock"]),
    ("long-description", "wait", None, 54, ["openai"]),
    ("refused-schema", "count", None, 65, ["anthropic"]),
    ("definition", "late", "x", 69, []),
]

#: So many more tools that some APIs refuse the last one.
CROWD = """
import itertools

words = "animal bridge candle dragon engine falcon garden hammer island jungle kettle lemon".split()
for pair in itertools.islice(itertools.permutations(words, 2), {number}):
    name = "_to_".join(pair)
    registry.add(lambda: None, name=name, description=f"Go {{name}}.")
"""
