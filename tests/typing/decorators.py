"""What the type checkers see of decorated functions; checked, never run."""

from collections.abc import Callable
from typing import assert_type

from toolreg import Registry, Tool, ToolCall, ToolResult, tool

registry = Registry()


@registry.tool
def bare(a: int, b: int = 1) -> int:
    return a + b


@registry.tool(name="other", tags=["x"], timeout=1.5, replace=True)
def with_options(a: int, *, b: str = "") -> str:
    return b * a


@tool
async def awaited(a: int) -> list[int]:
    return [a]


class Weather:
    @registry.tool
    def now(self, city: str) -> str:
        return city

    @registry.tool(description="Say where.")
    @staticmethod
    def where(city: str) -> str:
        return city


assert_type(bare(1), int)
assert_type(bare(a=1, b=2), int)
assert_type(with_options(1, b="x"), str)
assert_type(Weather().now("Oslo"), str)
assert_type(Weather.where("Oslo"), str)

function: Callable[[int], int] = bare

bare("x")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
with_options(1, c="x")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
registry.tool(bare, nmae="x")  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue]

assert_type(registry["bare"], Tool)
assert_type(registry[bare], Tool)
assert_type(registry.execute("bare", '{"a": 1}'), ToolResult)
assert_type(registry.execute(ToolCall("bare", {"a": 1})), ToolResult)


async def main() -> None:
    assert_type(await awaited(1), list[int])
    assert_type(await registry.aexecute("bare", '{"a": 1}'), ToolResult)
    assert_type(await registry.aexecute_all([ToolCall("bare")]), list[ToolResult])
