"""Tools that are useful as they are, and what the command line offers where none are named."""

import datetime as dt
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, DecimalException, localcontext
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Final, Literal, TypedDict

from pydantic import Field, WithJsonSchema

from . import Injected, Registry, ToolError

__all__ = ["registry"]

MOST_CHARACTERS: Final = 20_000
MOST_FILES: Final = 500
LARGEST: Final = 10**30
PRECISION: Final = 50
SHOWN_PRECISION: Final = 12
WEEKDAYS: Final = (
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
)

registry: Final = Registry("examples")

Number = Annotated[
    Decimal, Field(ge=-LARGEST, le=LARGEST, decimal_places=30), WithJsonSchema({"type": "number"})
]
Operation = Literal["plus", "minus", "times", "divided by", "percent of"]


def _percent(percent: Decimal, number: Decimal) -> Decimal:
    return percent * number / 100


RECKONING: Final[Mapping[Operation, Callable[[Decimal, Decimal], Decimal]]] = {
    "plus": Decimal.__add__,
    "minus": Decimal.__sub__,
    "times": Decimal.__mul__,
    "divided by": Decimal.__truediv__,
    "percent of": _percent,
}
Folder = Annotated[Path | None, Injected("folder")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A unit of measurement.

    Attributes:
        name: What it is called, in the plural.
        measures: Length, mass, temperature, volume, speed or data.
        size: How many of the base unit it is.
        zero: What it reads where the base unit reads nought.
    """

    name: str
    measures: str
    size: Fraction
    zero: Fraction = Fraction()


class Statistics(TypedDict):
    """How long a text is."""

    words: int
    characters: int
    lines: int


_SIZES: Final[Mapping[str, Mapping[str, str]]] = {
    "length": {
        "meters|m|metres": "1",
        "kilometers|km|kilometres": "1000",
        "centimeters|cm|centimetres": "0.01",
        "millimeters|mm|millimetres": "0.001",
        "miles|mi|mile": "1609.344",
        "yards|yd": "0.9144",
        "feet|ft|foot": "0.3048",
        "inches|in|inch": "0.0254",
        "nautical miles|nmi": "1852",
    },
    "mass": {
        "grams|g": "1",
        "kilograms|kg|kilos|kilo": "1000",
        "milligrams|mg": "0.001",
        "tonnes|t|metric tons": "1000000",
        "pounds|lb|lbs": "453.59237",
        "ounces|oz": "28.349523125",
        "stones|st|stone": "6350.29318",
    },
    "volume": {
        "liters|l|litres": "1",
        "milliliters|ml|millilitres": "0.001",
        "centiliters|cl|centilitres": "0.01",
        "cubic meters|m3|m³|cubic metres": "1000",
        "gallons|gal|us gallons": "3.785411784",
        "pints|pt|us pints": "0.473176473",
        "cups|cup": "0.2365882365",
        "fluid ounces|fl oz": "0.0295735295625",
        "tablespoons|tbsp": "0.01478676478125",
        "teaspoons|tsp": "0.00492892159375",
    },
    "speed": {
        "meters per second|m per s|metres per second": "3.6",
        "kilometers per hour|km per h|kph|kmh|km per hour|kilometres per hour": "1",
        "miles per hour|mi per h|mph": "1.609344",
        "feet per second|ft per s": "1.09728",
        "knots|kn|kt": "1.852",
    },
    "data": {
        "bytes|b": "1",
        "kilobytes|kb": "1000",
        "megabytes|mb": "1000000",
        "gigabytes|gb": "1000000000",
        "terabytes|tb": "1000000000000",
        "kibibytes|kib": "1024",
        "mebibytes|mib": "1048576",
        "gibibytes|gib": "1073741824",
    },
}
_TEMPERATURES: Final = {
    "kelvin|k": Unit(name="kelvin", measures="temperature", size=Fraction(1)),
    "Celsius|c|centigrade": Unit(
        name="Celsius", measures="temperature", size=Fraction(1), zero=Fraction("-273.15")
    ),
    "Fahrenheit|f": Unit(
        name="Fahrenheit", measures="temperature", size=Fraction(5, 9), zero=Fraction("-459.67")
    ),
}


def _spelled() -> Iterator[tuple[str, Unit]]:
    for spellings, unit in _TEMPERATURES.items():
        yield from ((spelling.casefold(), unit) for spelling in spellings.split("|"))
    for measures, sizes in _SIZES.items():
        for spellings, size in sizes.items():
            names = spellings.split("|")
            unit = Unit(name=names[0], measures=measures, size=Fraction(size))
            yield from ((name, unit) for name in names)


UNITS: Final = dict(_spelled())


@registry.tool
def calculate(a: Number, operation: Operation, b: Number) -> str:
    """Calculate with two numbers: plus, minus, times, divided by, percent of.

    Args:
        a: The first number.
        operation: What is done.
        b: The second number.
    """
    with localcontext(prec=PRECISION):
        try:
            return _digits(RECKONING[operation](a, b))
        except DecimalException as error:
            raise ToolError(f"{a} {operation} {b} has no result") from error


@registry.tool
def get_weekday(date: dt.date) -> str:
    """Get the weekday of a date.

    Args:
        date: The date, YYYY-MM-DD.
    """
    return WEEKDAYS[date.weekday()]


@registry.tool
def days_between(first: dt.date, second: dt.date) -> int:
    """Count how many days two different dates are apart.

    Args:
        first: The earlier date, YYYY-MM-DD.
        second: The later date, YYYY-MM-DD.
    """
    return (second - first).days


@registry.tool
def get_date_after(days: int, date: dt.date) -> dt.date:
    """Get what date it is a number of days after a date, or when something is due.

    Args:
        days: The number of days.
        date: The date to count from, YYYY-MM-DD.
    """
    try:
        return date + dt.timedelta(days=days)
    except OverflowError as error:
        raise ToolError("the calendar has the years 1 to 9999") from error


@registry.tool
def convert_units(value: Number, from_unit: str, to_unit: str) -> str:
    """Convert from one unit to another: grams, pounds, kilometers, degrees, liters, megabytes.

    Args:
        value: The amount to convert.
        from_unit: The whole unit it is in, e.g. kilometers per hour.
        to_unit: The whole unit wanted, e.g. miles per hour.
    """
    source, target = _unit(from_unit), _unit(to_unit)
    if source.measures != target.measures:
        raise ToolError(
            f"{source.name} measure {source.measures}, {target.name} measure {target.measures}"
        )
    amount = (Fraction(value) - source.zero) * source.size / target.size + target.zero
    with localcontext(prec=SHOWN_PRECISION):
        shown = Decimal(amount.numerator) / Decimal(amount.denominator)
    return f"{_digits(shown)} {target.name}"


@registry.tool
def list_files(subfolder: str = ".", *, folder: Folder = None) -> list[str]:
    """List the files in the folder or a subfolder.

    Args:
        subfolder: The subfolder; left out for the folder itself.
        folder: Where everything lies.
    """
    root, place = _inside(folder, subfolder)
    if not place.is_dir():
        raise ToolError(f"there is no folder {subfolder!r}; {_there(root)}")
    return _listed(place, root)


@registry.tool
def open_file(file: str, subfolder: str = ".", *, folder: Folder = None) -> str:
    """Open, read or show a file.

    Args:
        file: The name of the file, e.g. notes.txt, todo.md, data.csv.
        subfolder: The folder the file is in, if one is named.
        folder: Where everything lies.
    """
    root, place = _inside(folder, str(Path(subfolder) / file))
    if not place.is_file():
        raise ToolError(f"there is no file {file!r}; {_there(root)}")
    with place.open(encoding="utf-8", errors="replace") as text:
        start = text.read(MOST_CHARACTERS + 1)
    if "\0" in start:
        raise ToolError(f"{file!r} is no text")
    if len(start) > MOST_CHARACTERS:
        return f"{start[:MOST_CHARACTERS]}\n[only the first {MOST_CHARACTERS:,} characters]"
    return start


@registry.tool
def count_text(text: str) -> Statistics:
    """Count words, characters or lines.

    Args:
        text: The text, word for word.
    """
    return {
        "words": len(text.split()),
        "characters": len(text),
        "lines": len(text.splitlines()),
    }


def _digits(number: Decimal) -> str:
    """Return a number in digits, without the zeros that say nothing."""
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _unit(text: str) -> Unit:
    """Find a unit by its name or symbol, whatever the case and the number."""
    words = text.casefold().replace("°", " ").replace("/", " per ").replace("_", " ").split()
    key = " ".join(word for word in words if word not in {"degree", "degrees"})
    unit = UNITS.get(key) or UNITS.get(key.replace(" per", "s per", 1)) or UNITS.get(f"{key}s")
    if unit is None:
        names = ", ".join(dict.fromkeys(unit.name for unit in UNITS.values()))
        raise ToolError(f"there is no unit {text!r}; there are: {names}")
    return unit


def _inside(folder: Path | None, path: str) -> tuple[Path, Path]:
    """Return the folder and the place that a path names, which has to lie in it."""
    if folder is None:
        raise ToolError("no folder was given to read from")
    root = folder.resolve()
    try:
        place = (root / path).resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise ToolError(f"{path!r} is no path") from error
    if not place.is_relative_to(root):
        raise ToolError(f"{path!r} leads out of the folder")
    return root, place


def _listed(place: Path, root: Path) -> list[str]:
    """Return the names in a place, except of what leads out; those of folders end in a slash."""
    found = sorted(item for item in place.iterdir() if item.resolve().is_relative_to(root))
    return [item.name + ("/" if item.is_dir() else "") for item in found[:MOST_FILES]]


def _there(root: Path) -> str:
    return "there are: " + (", ".join(_listed(root, root)) or "none")
