"""Names that are taken for one another."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolreg.cli._near import near


@pytest.mark.parametrize(
    "names",
    [
        ("get_user", "get_users"),
        ("get_user", "getUser"),
        ("get_user", "GET-user"),
        ("get_user", "user_get"),
        ("lookup", "look_up"),
        ("category", "categories"),
        ("search", "search2"),
        ("search_v1", "search_v2"),
        ("dragon", "dagon"),
        ("dragon", "dargon"),
        ("start", "stark"),
        ("list_created", "list_create"),
        ("_", "__"),
    ],
)
def test_near(names):
    """A reader in a hurry sees no difference."""
    first, second = names
    assert [(second, first)] == near(names)
    assert [(first, second)] == near(reversed(names))


@pytest.mark.parametrize(
    "names",
    [
        ("get_user", "set_user"),
        ("start_server", "restart_server"),
        ("enable_alarm", "disable_alarm"),
        ("upload", "download"),
        ("encode", "decode"),
        ("encrypt", "decrypt"),
        ("import_orders", "export_orders"),
        ("celsius_to_fahrenheit", "fahrenheit_to_celsius"),
        ("make_order", "take_order"),
        ("convert_2d", "convert_3d"),
        ("sales_2024", "sales_2025"),
        ("gas", "ga"),
        ("address", "adder"),
        ("abcdef", "abdcfe"),
    ],
)
def test_not_near(names):
    """Words that mean something else are other words."""
    assert [] == near(names)


def test_each_name_is_told_once():
    """It is the first one that it is near to."""
    assert [("b_a", "a_b"), ("ab", "a_b")] == near(["a_b", "c", "b_a", "ab"])


NAMES = st.lists(st.from_regex(r"[a-c_0-9]{1,7}(_[a-c]{4,6})?", fullmatch=True), unique=True)


@settings(max_examples=300, deadline=None)
@given(NAMES)
def test_any_names(names):
    """Whoever is near somebody comes after them."""
    for name, owner in near(names):
        assert names.index(owner) < names.index(name)


@settings(max_examples=200, deadline=None)
@given(st.from_regex(r"[a-r]{6,9}", fullmatch=True), st.data())
def test_a_letter_is_easily_overlooked(word, data):
    """Another letter, or one less, makes a name that is near."""
    place = data.draw(st.integers(0, len(word) - 1))
    letter = data.draw(st.sampled_from(["", "x"]))
    other = f"go_{word[:place]}{letter}{word[place + 1 :]}_now"
    if f"go_{word}_now" != other:
        assert [(other, f"go_{word}_now")] == near([f"go_{word}_now", other])
