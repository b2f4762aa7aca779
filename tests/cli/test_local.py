"""chat with the model that runs here."""

import sys

import pytest

pytest.importorskip("needle")

QUESTION = "What weekday is 2026-12-24, and what is 19 plus 23?"


def test_a_question(run):
    """Both calls are shown with their results."""
    result = run("chat", QUESTION)
    assert (0, "") == (result.exit_code, result.stderr)
    lines = result.stdout.splitlines()
    calls = [line.split()[2] for line in lines if line.startswith("→ ")]
    assert {"get_weekday", "calculate"} == set(calls)
    results = {" ".join(line.split()[2:]) for line in lines if line.startswith("← ")}
    assert {"get_weekday Thursday", "calculate 42"} == results


def test_one_round(run):
    """After it the tools are not offered again."""
    result = run("chat", QUESTION, "--max-rounds", 1)
    assert 0 == result.exit_code
    assert "1 round of calls: the tools are not offered again" == result.stdout.splitlines()[-1]


def test_a_prompt(run, write):
    """It goes on after an interrupt; what fits no tool is said to."""
    write("""
        from toolreg import Registry

        registry = Registry()

        @registry.tool
        def get_weekday(date: str) -> str:
            '''Get the weekday of a date.

            Args:
                date: The date, YYYY-MM-DD.
            '''
            raise KeyboardInterrupt
    """)
    questions = "What weekday is 2026-12-24?\nTell me a joke.\n"
    result = run("chat", "-m", "mine.py", input=questions)
    assert 2 == result.exit_code
    assert "no tool fits, and it says nothing" == result.stdout.splitlines()[-1]


def test_without_the_extra(refused, monkeypatch):
    """One line tells how to get it."""
    monkeypatch.setitem(sys.modules, "needle", None)
    assert "pip install" in refused("chat", "Hello?")
