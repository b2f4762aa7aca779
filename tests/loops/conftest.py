"""The tools that the models of all servers call."""

from datetime import date
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field

from toolreg import Registry


class Line(BaseModel):
    sku: Annotated[str, Field(max_length=20)]
    quantity: Annotated[int, Field(ge=1)] = 1


@pytest.fixture
def registry():
    """Tools to be called, and others whose schemas only have to be right."""
    registry = Registry()

    @registry.tool
    def add(a: int, b: int = 1) -> int:
        """Add two integers.

        Args:
            a: The first.
            b: The second.
        """
        return a + b

    @registry.tool
    def divide(by: int) -> float:
        """Divide one by a number."""
        return 1 / by

    @registry.tool
    def order(
        lines: list[Line],
        by: date | None = None,
        way: Literal["post", "van"] = "post",
        notes: dict[str, str] | None = None,
        box: tuple[int, int] = (1, 1),
        **more: Any,
    ) -> dict[str, int]:
        """Order things."""
        return {"lines": len(lines)}

    @registry.tool
    def now():
        pass

    return registry


@pytest.fixture(params=[False, True], ids=["whole", "streamed"])
def streamed(request):
    """Whether responses arrive piece by piece."""
    return request.param


@pytest.fixture(params=[False, True], ids=["lax", "strict"])
def strict(request):
    """Whether the provider's strict mode is asked for."""
    return request.param
