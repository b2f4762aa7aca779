"""The tools that every library is given, and the texts they are called with."""

import asyncio
import json
import time
import types
from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field


class Address(BaseModel):
    """Where a parcel goes."""

    street: Annotated[str, Field(description="Street and number")]
    city: Annotated[str, Field(description="Town or city")]
    postcode: Annotated[str, Field(description="Postal code", min_length=3, max_length=10)]
    country: Annotated[Literal["DE", "FR", "GB", "US"], Field(description="Two-letter code")] = "DE"


class Line(BaseModel):
    """One line of an order."""

    sku: Annotated[str, Field(description="Article number")]
    quantity: Annotated[int, Field(description="How many pieces", ge=1)]
    price: Annotated[float, Field(description="Price of one piece in euros", ge=0)]
    tags: Annotated[list[str], Field(description="Free labels")] = []


class Order(BaseModel):
    """What a customer orders."""

    customer: Annotated[str, Field(description="Name of the customer")]
    address: Annotated[Address, Field(description="Where it goes")]
    lines: Annotated[list[Line], Field(description="What is ordered")]


def add(a: int, b: int) -> int:
    """Add two integers."""
    return a + b


async def add_async(a: int, b: int) -> int:
    """Add two integers."""
    return a + b


def place(
    order: Order, priority: Literal["low", "high"] = "low", note: str | None = None
) -> dict[str, Any]:
    """Place an order and return what it costs.

    The order is checked against the stock first. Nothing is charged before it ships.

    Args:
        order: The order, with its lines and the address it goes to.
        priority: How soon it should leave the house; high costs a fee.
        note: A few words for the people who pack it.
    """
    total = sum(line.quantity * line.price for line in order.lines)
    return {"city": order.address.city, "lines": len(order.lines), "total": total}


async def place_async(
    order: Order, priority: Literal["low", "high"] = "low", note: str | None = None
) -> dict[str, Any]:
    total = sum(line.quantity * line.price for line in order.lines)
    return {"city": order.address.city, "lines": len(order.lines), "total": total}


place_async.__doc__ = place.__doc__

_ROWS = [
    {"id": n, "name": f"name-{n}", "tags": ["one", "two"], "price": n / 4} for n in range(15_000)
]


def rows(count: int) -> dict[str, Any]:
    """Return rows of a table, a megabyte as JSON."""
    return {"rows": _ROWS[:count]}


async def rows_async(count: int) -> dict[str, Any]:
    """Return rows of a table, a megabyte as JSON."""
    return {"rows": _ROWS[:count]}


async def nap(number: int) -> int:
    """Wait for a millisecond."""
    await asyncio.sleep(0.001)
    return number


def block(number: int) -> int:
    """Block for five milliseconds."""
    time.sleep(0.005)
    return number


ADD = '{"a": 19, "b": 23}'
ROWS = '{"count": 15000}'
ADD_WRONG = '{"a": 19, "b": "many"}'
ORDER = json.dumps(
    {
        "order": {
            "customer": "Ada Lovelace",
            "address": {
                "street": "12 St James's Square",
                "city": "London",
                "postcode": "SW1Y",
                "country": "GB",
            },
            "lines": [
                {"sku": f"A-{n}", "quantity": n + 1, "price": 2.5, "tags": ["new", "red"]}
                for n in range(4)
            ],
        },
        "priority": "high",
        "note": "Ring twice.",
    }
)
ORDER_AS_TEXT = json.dumps({**json.loads(ORDER), "order": json.dumps(json.loads(ORDER)["order"])})


def fresh(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Return a copy of a function that no cache has seen."""
    copy = types.FunctionType(
        function.__code__, function.__globals__, name, function.__defaults__, function.__closure__
    )
    copy.__annotations__ = dict(function.__annotations__)
    copy.__doc__ = function.__doc__
    copy.__module__ = function.__module__
    return copy
