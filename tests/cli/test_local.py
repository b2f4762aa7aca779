"""chat with the model that runs here."""

import sys

import pytest

from tests.cli.conftest import SUMS
from toolreg.cli._load import load
from toolreg.cli._models import Turn, local_model

pytest.importorskip("needle")


def test_a_question(run):
    """Both calls are shown with their results."""
    result = run("chat", "What weekday is 2026-12-24, and what is 19 plus 23?")
    assert (0, "") == (result.exit_code, result.stderr)
    lines = result.stdout.splitlines()
    calls = [line.split()[2] for line in lines if line.startswith("→ ")]
    assert {"get_weekday", "calculate"} == set(calls)
    results = {" ".join(line.split()[2:]) for line in lines if line.startswith("← ")}
    assert {"get_weekday Thursday", "calculate 42"} == results


def test_what_fits_no_tool(run, sums):
    """It is said that nothing does."""
    result = run("chat", "-m", "mine.py", input="Tell me a joke.\nexit\n")
    assert (0, "no tool fits, and it says nothing\n") == (result.exit_code, result.stdout)


def test_the_last_round(write):
    """It is not asked what it would call next; nothing needs to be forgotten."""
    write(SUMS)
    model = local_model(load("mine.py"))
    assert Turn("", ()) == model.answer([], offer=False)
    model.forget()


def test_without_the_extra(refused, monkeypatch):
    """One line tells how to get it."""
    monkeypatch.setitem(sys.modules, "needle", None)
    assert "pip install" in refused("chat", "Hello?")
