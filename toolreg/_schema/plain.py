"""A schema written out in full, every node in its plain form."""

from dataclasses import dataclass
from typing import Any

from .._types import JsonObject
from .normal import normal
from .refs import MAX_NODES, inline_refs
from .root import object_root
from .walk import SINGLE, rebuilt
from .words import unmerged

__all__ = ["plain"]


def plain(schema: JsonObject) -> JsonObject:
    """Return a schema of arguments without references, every node as `normal` gives it.

    Args:
        schema: JSON Schema of a tool's arguments; not changed.

    Returns:
        An object at its root; below it only unions (``anyOf``), nodes of one ``type`` and nodes
        without a type. Beyond 20,000 nodes, types without their details.
    """
    root = inline_refs(object_root(schema))
    return _Writing(root).write(root)


@dataclass(slots=True)
class _Writing:
    root: JsonObject
    made: int = 0

    def write(self, schema: Any) -> JsonObject:
        self.made += 1
        node = unmerged(normal(schema, self.root))
        if self.made > MAX_NODES:
            return {"type": node["type"]} if "type" in node else {}
        switches = {key: node[key] for key in SINGLE & node.keys() if isinstance(node[key], bool)}
        return {**rebuilt(node, self.write), **switches}
