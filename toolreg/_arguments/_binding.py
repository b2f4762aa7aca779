"""From values by name to a call of the function."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .._annotations import Parameter
from ._declared import Argument
from ._injection import EMPTY

__all__ = ["Binding", "binding_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """What must be passed by position, and what the library supplies.

    Attributes:
        positional: The parameters passed by position where ``*args`` follow, with their defaults.
        positional_only: Those of them that names cannot reach, which always are.
        variadic: The name of ``*args``.
        supplied: Arguments that are made where the model leaves them out.
        defaults: What stands for the others where it does, for those that are made.
    """

    positional: tuple[tuple[str, object], ...]
    positional_only: tuple[tuple[str, object], ...]
    variadic: str | None
    supplied: tuple[tuple[str, Callable[[dict[str, Any]], Any]], ...]
    defaults: Mapping[str, object]

    def __call__(self, values: dict[str, Any], /) -> tuple[Any, ...]:
        """Take the positional arguments out of the values.

        Args:
            values: The arguments by name; what remains in it is passed by name.
        """
        for name, supply in self.supplied:
            if name not in values:
                values[name] = supply({**self.defaults, **values})
        rest = values.pop(self.variadic, ()) if self.variadic is not None else ()
        wanted = self.positional if rest else self.positional_only
        while wanted and not rest and wanted[-1][0] not in values:
            wanted = wanted[:-1]
        taken: list[Any] = []  # before Python 3.12 a comprehension is a frame of its own
        for name, default in wanted:
            taken.append(values.pop(name, default))
        return (*taken, *rest) if rest else tuple(taken)


def binding_of(parameters: Sequence[Parameter], arguments: Sequence[Argument]) -> Binding | None:
    """Return how values are bound, or None where passing all by name is right.

    Args:
        parameters: Those of the signature, in order.
        arguments: What may be left out and is then supplied.
    """
    supplied = tuple((item.name, item.supply) for item in arguments if item.supply is not None)
    variadic = next((p.name for p in parameters if p.kind is p.kind.VAR_POSITIONAL), None)
    only = [p for p in parameters if p.kind is p.kind.POSITIONAL_ONLY]
    either = [p for p in parameters if p.kind is p.kind.POSITIONAL_OR_KEYWORD]
    if not (supplied or only or variadic):
        return None
    positional = tuple((p.name, p.default) for p in (*only, *either))
    return Binding(
        positional=positional,
        positional_only=positional[: len(only)],
        variadic=variadic,
        supplied=supplied,
        defaults={item.name: item.default for item in arguments if item.default is not EMPTY},
    )
