"""The local names where a tool is defined, and those that may still come up there."""

from collections.abc import Collection, Iterator, Mapping
from types import FrameType

__all__ = ["Locals"]


class Locals(Mapping[str, object]):
    """The local names where a tool is defined: those of the frame, then of its callers.

    They are read only if an annotation needs them.

    Args:
        frame: Where the tool is defined; None where nothing is known of it.
        expected: Names that have no value yet and may get one.
    """

    def __init__(self, frame: FrameType | None = None, expected: Collection[str] = ()) -> None:
        self._frame = frame
        self._expected = frozenset(expected)

    def _frames(self) -> Iterator[FrameType]:
        frame = self._frame
        while frame is not None:
            yield frame
            frame = frame.f_back

    def _scopes(self) -> Iterator[Mapping[str, object]]:
        for frame in self._frames():
            if frame.f_locals is frame.f_globals:
                return
            yield frame.f_locals

    def __getitem__(self, name: str) -> object:
        for scope in self._scopes():
            if name in scope:
                return scope[name]
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return iter({name: None for scope in self._scopes() for name in scope})

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def may_define(self, name: str, variables: object) -> bool:
        """Whether code that is being executed may still give a name a value.

        Args:
            name: A name that has none.
            variables: The global names of the function; its module may be half imported.
        """
        if name in self._expected:
            return True
        is_near = True
        for frame in self._frames():
            is_module = frame.f_locals is frame.f_globals
            if is_near or (is_module and frame.f_globals is variables):
                code = frame.f_code
                if name in code.co_names + code.co_varnames + code.co_cellvars:
                    return True
            is_near = is_near and not is_module
        return False

    def until(self, expected: Collection[str]) -> "Locals":
        """Return what has to be kept until names have a value.

        Args:
            expected: The names.
        """
        frame = self._frame
        is_module = frame is None or frame.f_locals is frame.f_globals
        return Locals(None if is_module else frame, self._expected.union(expected))
