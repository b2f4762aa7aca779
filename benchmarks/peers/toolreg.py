"""toolreg by its public path: ``Registry.execute`` and ``aexecute``."""

from typing import Any

from toolreg import Registry, ToolCall


class Peer:
    distribution = "toolreg"
    imports = "from toolreg import Registry"
    missing: dict[str, str] = {}

    def toolset(
        self, functions: list[Any], timeout: float | None = None, middlewares: int = 0
    ) -> Registry:
        registry = Registry(timeout=timeout)
        for function in functions:
            registry.tool(function)
        for _ in range(middlewares):
            registry.middleware(_fresh_middleware())
        return registry

    def specs(self, tools: Registry) -> list[Any]:
        return tools.specs("openai")

    def specs_json(self, tools: Registry) -> bytes:
        return tools.specs_json("openai")

    def call(self, tools: Registry, name: str, raw: str) -> str:
        return tools.execute(name, raw, call_id="c").output

    async def acall(self, tools: Registry, name: str, raw: str) -> str:
        return (await tools.aexecute(name, raw, call_id="c")).output

    async def batch(self, tools: Registry, calls: list[tuple[str, str]]) -> list[str]:
        wanted = [ToolCall(name, raw, str(index)) for index, (name, raw) in enumerate(calls)]
        return [result.output for result in await tools.aexecute_all(wanted)]


def _fresh_middleware() -> Any:
    def passing(call: Any) -> Any:
        return (yield call)

    return passing
