"""The example tools."""

import json
import os
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolreg.examples import MOST_CHARACTERS, MOST_FILES, UNITS, registry


@pytest.fixture
def folder(tmp_path):
    """A folder with two files, a subfolder, and a secret beside it."""
    (tmp_path / "secret.txt").write_text("secret")
    inside = tmp_path / "inside"
    (inside / "archive").mkdir(parents=True)
    (inside / "notes.txt").write_text("Grüße\nan alle\n", encoding="utf-8")
    (inside / "archive" / "old.txt").write_text("old")
    return inside


def output(name, folder=None, **arguments):
    result = registry.execute(name, json.dumps(arguments), context={"folder": folder})
    assert not result.is_error, result.output
    return result.output


def error(name, folder=None, **arguments):
    result = registry.execute(name, json.dumps(arguments), context={"folder": folder})
    assert result.kind == "tool_error"
    return result.output


@pytest.mark.parametrize(
    ("expected", "a", "operation", "b"),
    [
        ("42", 19, "plus", 23),
        ("0.3", 0.1, "plus", 0.2),
        ("162.35", 250, "minus", 87.65),
        ("24", 7.5, "times", 3.2),
        ("32.8", 131.2, "divided by", 4),
        ("36", 15, "percent of", 240),
        ("1200", 1000, "plus", 200),
        ("-0.00000001", 0, "minus", 0.00000001),
    ],
)
def test_arithmetic_is_exact_in_decimals(expected, a, operation, b):
    """Sums are those of the digits that were written, without binary fractions or powers of ten."""
    assert expected == output("calculate", a=a, operation=operation, b=b)


def test_a_division_by_nought_is_told():
    """What has no result is an error in words."""
    text = error("calculate", a=1, operation="divided by", b=0)
    assert text == "1 divided by 0 has no result"


@pytest.mark.parametrize("a", [1e31, "1e-31", "NaN"])
def test_numbers_beyond_use_are_refused(a):
    """No argument makes the output longer than a line."""
    result = registry.execute("calculate", {"a": a, "operation": "plus", "b": 1})
    assert result.kind == "invalid_arguments"


@given(
    a=st.decimals(min_value=-(10**12), max_value=10**12, places=6),
    b=st.decimals(min_value=-(10**12), max_value=10**12, places=6),
)
@settings(max_examples=50)
def test_what_is_added_can_be_taken_away(a, b):
    """Nothing is lost in a sum."""
    arguments = {"a": str(a), "operation": "plus", "b": str(b)}
    total = registry.execute("calculate", arguments).output
    assert a == Decimal(output("calculate", a=total, operation="minus", b=str(b)))


def test_a_number_is_a_number_to_the_model():
    """The schema says number, though text in digits is taken too."""
    schema = registry["calculate"].parameters["properties"]["a"]
    assert schema == {"type": "number", "description": "The first number."}


def test_dates_have_weekdays():
    """The weekday is the English one, whatever the locale."""
    assert output("get_weekday", date="2026-12-24") == "Thursday"


def test_days_are_counted_between_dates():
    """The count is negative where the dates are the other way round."""
    assert output("days_between", first="2026-03-01", second="2026-09-15") == "198"
    assert output("days_between", first="2026-03-02", second="2026-03-01") == "-1"


def test_days_are_added_to_a_date():
    """Leap days count."""
    assert output("get_date_after", days=45, date="2028-02-10") == '"2028-03-26"'


def test_the_calendar_ends():
    """A date after the last there is gives an error in words."""
    text = error("get_date_after", days=1, date="9999-12-31")
    assert text == "the calendar has the years 1 to 9999"


@pytest.mark.parametrize(
    ("expected", "value", "source", "target"),
    [
        ("152.4 centimeters", 5, "feet", "centimeters"),
        ("26.097590074 miles", 42, "km", "Miles"),
        ("37 Celsius", 98.6, "degrees Fahrenheit", "°C"),
        ("-40 Fahrenheit", -40, "celsius", "F"),
        ("273.15 kelvin", 0, "c", "K"),
        ("104.60736 kilometers per hour", 65, "miles per hour", "km/h"),
        ("36 kilometers per hour", 10, "meter per second", "kilometers_per_hour"),
        ("3500 megabytes", 3.5, "GB", "megabyte"),
        ("2250 milliliters", 2.25, "litres", "ml"),
        ("1 pounds", 16, "ounces", "lbs"),
    ],
)
def test_units_are_converted_however_they_are_written(expected, value, source, target):
    """Names, symbols, both spellings, singular and plural, any case."""
    assert expected == output("convert_units", value=value, from_unit=source, to_unit=target)


def test_an_unknown_unit_lists_the_known_ones():
    """A model can mend its call."""
    text = error("convert_units", value=1, from_unit="cubits", to_unit="meters")
    assert text.startswith("there is no unit 'cubits'; there are: kelvin, Celsius, Fahrenheit, me")


def test_unlike_units_are_not_converted():
    """What the units measure is said."""
    text = error("convert_units", value=1, from_unit="meters", to_unit="pounds")
    assert text == "meters measure length, pounds measure mass"


@given(
    value=st.integers(-1000, 1000),
    units=st.sampled_from(
        [
            (one, other)
            for one in UNITS.values()
            for other in UNITS.values()
            if one.measures == other.measures
        ]
    ),
)
@settings(max_examples=50)
def test_conversions_can_be_undone(value, units):
    """There and back again gives the value, as far as it was shown."""
    one, other = units
    there = output("convert_units", value=value, from_unit=one.name, to_unit=other.name)
    number = there.partition(" ")[0]
    back = output("convert_units", value=number, from_unit=other.name, to_unit=one.name)
    assert value == pytest.approx(float(back.partition(" ")[0]), rel=1e-9, abs=1e-6)


def test_files_are_listed(folder):
    """Folders end in a slash; a subfolder can be listed too."""
    assert output("list_files", folder) == '["archive/","notes.txt"]'
    assert output("list_files", folder, subfolder="archive") == '["old.txt"]'


def test_files_are_read(folder):
    """A file is named alone, with its subfolder, or by both in one."""
    assert output("open_file", folder, file="notes.txt") == "Grüße\nan alle\n"
    assert output("open_file", folder, file="old.txt", subfolder="archive") == "old"
    assert output("open_file", folder, file="archive/old.txt") == "old"


@pytest.mark.parametrize(
    "path", ["../secret.txt", "archive/../../secret.txt", "way-out/secret.txt"]
)
def test_the_folder_cannot_be_left(folder, path):
    """Neither by dots nor by symbolic links."""
    (folder / "way-out").symlink_to(folder.parent)
    assert error("open_file", folder, file=path) == f"{path!r} leads out of the folder"
    assert error("list_files", folder, subfolder=path) == f"{path!r} leads out of the folder"


def test_absolute_paths_do_not_lead_out(folder):
    """An absolute path is no way out either, in either parameter."""
    secret = str(folder.parent / "secret.txt")
    assert "leads out of the folder" in error("list_files", folder, subfolder="/")
    assert "leads out of the folder" in error("open_file", folder, file="secret.txt", subfolder="/")
    assert "leads out of the folder" in error("open_file", folder, file=secret)


def test_links_that_lead_out_are_not_listed(folder):
    """What cannot be read is not shown."""
    (folder / "way-out").symlink_to(folder.parent)
    (folder / "way-in").symlink_to(folder / "archive")
    assert output("list_files", folder) == '["archive/","notes.txt","way-in/"]'


@given(path=st.text(alphabet="./\\a~ü\0", max_size=12), subfolder=st.text("./\\", max_size=4))
@settings(max_examples=100)
def test_no_path_reaches_the_secret(tmp_path_factory, path, subfolder):
    """Whatever is asked for, nothing from outside comes back."""
    outside = tmp_path_factory.mktemp("outside")
    (outside / "a").write_text("secret")
    (outside / "inside").mkdir()
    arguments = {"file": path, "subfolder": subfolder}
    result = registry.execute("open_file", arguments, context={"folder": outside / "inside"})
    assert result.kind == "tool_error"


@pytest.mark.parametrize("path", ["none.txt", "archive", ""])
def test_a_missing_file_is_told_with_what_there_is(folder, path):
    """A model can mend its call."""
    text = error("open_file", folder, file=path)
    assert text == f"there is no file {path!r}; there are: archive/, notes.txt"


def test_a_missing_folder_is_told_with_what_there_is(folder, tmp_path):
    """Also where there is nothing."""
    text = error("list_files", folder, subfolder="none")
    assert text == "there is no folder 'none'; there are: archive/, notes.txt"
    (tmp_path / "empty").mkdir()
    text = error("list_files", tmp_path / "empty", subfolder="none")
    assert text == "there is no folder 'none'; there are: none"


def test_a_path_that_is_none_is_told(folder):
    """A character that no path may have is an error in words."""
    assert error("open_file", folder, file="a\0b") == "'a\\x00b' is no path"


def test_without_a_folder_there_is_nothing_to_read():
    """The program has to say what may be read."""
    assert error("list_files") == "no folder was given to read from"
    result = registry.execute("open_file", {"file": "notes.txt"})
    assert result.output == "no folder was given to read from"


def test_the_folder_is_no_argument(folder):
    """The model does not see it and cannot supply it."""
    assert "folder" not in registry["list_files"].parameters["properties"]
    result = registry.execute("list_files", {"folder": "/"}, context={"folder": folder})
    assert result.kind == "invalid_arguments"


def test_long_files_are_cut(folder):
    """A model is not drowned, and told so."""
    (folder / "long.txt").write_text("x" * (MOST_CHARACTERS + 5))
    text = output("open_file", folder, file="long.txt")
    assert text == "x" * MOST_CHARACTERS + "\n[only the first 20,000 characters]"


def test_binary_files_are_not_shown(folder):
    """Bytes that are no text are told, single wrong ones are replaced."""
    (folder / "image.png").write_bytes(b"\x89PNG\0\0")
    assert error("open_file", folder, file="image.png") == "'image.png' is no text"
    (folder / "latin.txt").write_bytes(b"Gr\xfc\xdfe")
    assert output("open_file", folder, file="latin.txt") == "Gr��e"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes")
def test_pipes_are_no_files(folder):
    """What would wait for ever is not opened."""
    os.mkfifo(folder / "pipe")
    assert "there is no file 'pipe'" in error("open_file", folder, file="pipe")


def test_long_listings_are_cut(tmp_path):
    """There are at most 500 names in a list."""
    for number in range(MOST_FILES + 1):
        Path(tmp_path / f"{number:03}").touch()
    assert len(json.loads(output("list_files", tmp_path))) == MOST_FILES


def test_texts_are_counted():
    """Words, characters and lines come together."""
    text = output("count_text", text="red\ngreen\nblue sky")
    assert json.loads(text) == {"words": 4, "characters": 18, "lines": 3}


def test_everything_is_described():
    """Each tool and each parameter has its text, and nothing else is documented."""
    for tool in registry.values():
        assert tool.description
        assert tool.undeclared in {(), ("folder",)}
        for schema in tool.parameters["properties"].values():
            assert schema["description"]
