"""From what a model sent to the values of a call."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Final, cast

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json, to_json

from .. import _problems
from .._annotations import Locals, Signature
from .._describe import json_of
from .._repair import Mended, is_hopeless, mend, texts_stay
from .._types import JsonObject, Kind, ToolCall, is_object, may_hold_nan
from ..errors import ToolDefinitionError
from ._binding import Binding
from ._injection import Injection

__all__ = ["FAULTS", "Arguments", "Invalid", "Refused", "parse"]

_KINDS: Final[Mapping[type, str]] = {
    list: "array",
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
}


class Refused(Exception):
    """The arguments of a call cannot be used.

    Args:
        kind: The kind of the result.
        text: What the model reads.
    """

    if TYPE_CHECKING:  # an exception keeps its arguments by itself, at half the cost

        def __init__(self, kind: Kind, text: str) -> None: ...


class Invalid(Exception):
    """What a validator that is not pydantic's found; read like pydantic's ``ValidationError``."""

    def __init__(self, details: list[JsonObject]) -> None:
        super().__init__(details)
        self._details = details

    def errors(self, *, include_url: bool = False) -> list[JsonObject]:  # noqa: ARG002
        """Return one record a fault, of pydantic's shape."""
        return self._details


FAULTS: Final = (ValidationError, Invalid)


@dataclass(slots=True, kw_only=True, eq=False)
class Arguments:
    """What a tool takes, and all that is needed to read it out of a model's words.

    Attributes:
        tool: The tool's name.
        validate_json: From JSON text to the values by parameter name; raises pydantic's
            ``ValidationError``, or ``Invalid``.
        names: The names a model may use.
        fields: The names under which the function gets the values.
        describe: Makes the JSON Schema; its argument says whether enum names are to be in it.
        make_model: Makes the pydantic model, or returns None for a raw schema.
        injections: What the program supplies.
        binding: How the values become a call, or None where names are all it takes.
        open: Whether names that are not declared are taken or ignored.
        takes_any: Whether such names reach the function.
        pending: Whether it is made at first use.
        lets_nan_through: Whether NaN and infinities in the text have to be looked for.
        shows_input: Whether the input that a fault names is what was sent.
        written: The signature they were read from; while there is none, where the names that it
            waits for may come up.
    """

    tool: str
    validate_json: Callable[[str], dict[str, Any]]
    names: tuple[str, ...]
    fields: tuple[str, ...]
    describe: Callable[[bool], JsonObject]
    make_model: Callable[[], type[BaseModel] | None]
    injections: tuple[Injection, ...] = ()
    binding: Binding | None = None
    open: bool = False
    takes_any: bool = False
    pending: bool = False
    lets_nan_through: bool = True
    shows_input: bool = False
    written: Signature | Locals = field(default_factory=Locals)
    _schema: bytes | None = field(default=None, repr=False)
    _repair_schema: JsonObject | None = field(default=None, repr=False)
    _texts_stay: dict[str, bool] = field(default_factory=dict[str, bool], repr=False)
    _model: type[BaseModel] | None = field(default=None, repr=False)

    @classmethod
    def later(cls, tool: str, written: Locals, make: Callable[[], "Arguments"]) -> "Arguments":
        """Return arguments that are made at first use.

        Args:
            tool: The tool's name.
            written: Where the names they wait for may come up.
            make: Makes them; raises ToolDefinitionError as long as it cannot.
        """

        def become() -> Arguments:
            made = make()
            for slot in fields(cls):
                if slot.name != "validate_json":
                    setattr(arguments, slot.name, getattr(made, slot.name))
            # A call in another thread starts here, and then needs all the rest.
            arguments.validate_json = made.validate_json
            return arguments

        arguments = cls(
            tool=tool,
            validate_json=lambda raw: become().validate_json(raw),
            names=(),
            fields=(),
            describe=lambda enum_names: become().describe(enum_names),
            make_model=lambda: become().make_model(),
            pending=True,
            written=written,
        )
        return arguments

    @property
    def schema_json(self) -> bytes:
        """The JSON Schema of the arguments, as JSON text."""
        if self._schema is None:
            self._schema = json_of(self.describe(False))  # noqa: FBT003 - says its name above
        return self._schema

    @property
    def model(self) -> type[BaseModel] | None:
        """The pydantic model of the arguments; None for a raw schema."""
        if self._model is None:
            self._model = self.make_model()
        return self._model

    def text_of(self, call: ToolCall) -> str:
        """Return the arguments of a call as JSON text, whatever they came as.

        Args:
            call: The call; the text of a freeform one becomes the tool's one parameter.

        Raises:
            Refused: If there is no such text, or the token limit may have cut it.
        """
        if call.truncated:
            raise Refused("bad_json", _problems.truncated())
        if call.kind != "custom":
            return _as_text(call.arguments)
        if len(self.names) != 1 or not isinstance(call.arguments, str):
            raise Refused("invalid_arguments", f"The tool {self.tool} takes no free text.")
        return _as_text({self.names[0]: call.arguments})

    def mend(
        self, text: str, error: ValidationError | Invalid
    ) -> tuple[dict[str, Any], tuple[str, ...]] | Refused:
        """Read arguments that did not validate as they are.

        Args:
            text: What was sent.
            error: Why it did not validate, one of ``FAULTS``.

        Returns:
            The values by parameter name, and the repairs they needed; or, where they cannot be
            used, why, unraised.
        """
        details: list[Any] = error.errors(include_url=False)
        if self._repair_schema is None:
            try:
                self._repair_schema = self.describe(True)  # noqa: FBT003 - says its name above
            except ToolDefinitionError:  # it is raised where the schema is exported
                self._repair_schema = {}
            self._texts_stay = texts_stay(self._repair_schema)
        if self.shows_input and is_hopeless(details, self._texts_stay):
            if may_hold_nan(text):
                parse(text)
            return self._invalid(details, data={})
        if not text or text.isspace():
            return self._without_any()
        data = parse(text)
        if data is None:
            return self._without_any()
        return self._mended(data, details, self._repair_schema)

    def _mended(
        self, data: Any, details: list[Any], schema: JsonObject
    ) -> tuple[dict[str, Any], tuple[str, ...]] | Refused:
        paths = [detail["loc"] for detail in details]
        hidden = {injection.name for injection in self.injections}
        wrappers = not self.open and not (is_object(data) and hidden.intersection(data))
        mended = mend(data, schema=schema, paths=paths, wrappers=wrappers, inside=False)
        read = self._again(mended)
        if read is None and mended is not None and mended.unseen:
            read = self._again(mend(data, schema=schema, paths=paths, wrappers=wrappers))
        if read is not None:
            return read
        if not is_object(data):
            return Refused("bad_json", _problems.not_an_object(_KINDS[type(data)]))
        return self._invalid(details, data=data)

    def _again(self, mended: Mended | None) -> tuple[dict[str, Any], tuple[str, ...]] | None:
        """Return the values of arguments that were mended, or None if that was no help."""
        if mended is not None:
            # A validator of somebody's own may choke on a slip that is yet to be mended.
            with suppress(*((Exception,) if mended.unseen else FAULTS)):
                return self.validate_json(to_json(mended.arguments).decode()), mended.repairs
        return None

    def _without_any(self) -> tuple[dict[str, Any], tuple[str, ...]] | Refused:
        try:
            return self.validate_json("{}"), ()
        except (ValidationError, Invalid) as error:
            return self._invalid(error.errors(include_url=False), data={})

    def _invalid(self, details: list[Any], *, data: object) -> Refused:
        text = _problems.invalid_arguments(details, self.names, self.tool, data=data)
        return Refused("invalid_arguments", text)


def _as_text(raw: object) -> str:
    if raw is None:
        return "{}"
    try:
        if isinstance(raw, str):
            return str.__str__(raw)
        if isinstance(raw, bytes | bytearray):
            return raw.decode("utf-8")
        if isinstance(raw, Mapping):
            values = dict(cast("Mapping[str, Any]", raw))
            return to_json(values, inf_nan_mode="constants", fallback=_plain).decode()
    except Exception as error:
        said = f"they cannot be read ({type(error).__name__})"
        raise Refused("bad_json", _problems.bad_json(said)) from error
    raise Refused("bad_json", _problems.not_an_object(type(raw).__name__))


def _plain(value: Any) -> Any:
    """Return the containers of foreign libraries as JSON has them."""
    return dict(value) if hasattr(value, "keys") else list(value)


def parse(text: str) -> Any:
    """Return what JSON text says, strictly.

    Args:
        text: The text.

    Raises:
        Refused: If it is no JSON, or holds NaN or an infinity.
    """
    try:
        return from_json(text.encode(), allow_inf_nan=False)
    except (ValueError, RecursionError) as error:
        raise Refused("bad_json", _problems.bad_json(str(error))) from error
