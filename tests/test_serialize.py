import json

import pytest

from toolreg._serialize import Unserializable, clean, cut, to_text


@pytest.mark.parametrize(
    ("expected", "value"),
    [
        ("null", None),
        ("", ""),
        ("[]", []),
        ("{}", {}),
        ("0", 0),
        ("false", False),
        ('{"ok":true,"none":null,"n":[1,"a"]}', {"ok": True, "none": None, "n": [1, "a"]}),
        ('{"t":"日本語 é"}', {"t": "日本語 é"}),
        ('{"mean":null,"max":null}', {"mean": float("nan"), "max": float("inf")}),
    ],
)
def test_plain_values_become_compact_json(expected, value):
    """Values of JSON's own types are written as pydantic writes them, NaN as null."""
    assert expected == to_text(value)


def test_lone_surrogates_are_replaced():
    """A lone surrogate becomes U+FFFD, in text and in every text of a value."""
    assert "a\ufffd" == clean("a\ud800")
    assert "a\ufffd" == to_text("a\ud800")
    assert {"\ufffd": ["\ufffd"]} == json.loads(to_text({"\ud800": ["\udfff"]}))


def test_unknown_types_are_named():
    """A value that JSON cannot hold is an `Unserializable` that names its type."""
    with pytest.raises(Unserializable, match="an object"):
        to_text([object()])


def test_long_text_is_cut_in_its_middle():
    """The result is no longer than asked for and says how much is missing."""
    text = cut("a" * 1000, 50)
    assert 49 == len(text)
    assert "977 characters cut" in text
