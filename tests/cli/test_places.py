"""Where tools stand in their source."""

import functools
import importlib.util
import sys

import pytest

from toolreg.cli._places import Place, of_function, of_traceback

SOURCE = """\
import functools

def plain(a, /, b=1, *args, c, **more): ...

def keep(f):
    @functools.wraps(f)
    def inner(*args): ...
    return inner

@keep
@keep
def wrapped(
    a,
    b,
):
    '''Do it.

    Args:
        a: The a is no b.
        :param c: What is not there.
        d (int): Nor this.
    '''

class Thing:
    def method(self, x): ...
    @classmethod
    def made(cls): ...
    def __call__(self, y): ...

part = functools.partial(functools.partial(plain, 1), b=2)
short = lambda x: x
thing = Thing()
"""


@pytest.fixture
def module(write):
    path = write(SOURCE)
    spec = importlib.util.spec_from_file_location("placed", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("get", "line", "parameter", "parameter_line"),
    [
        (lambda m: m.plain, 3, "more", 3),
        (lambda m: m.part, 3, "c", 3),
        (lambda m: m.wrapped, 12, "b", 14),
        (lambda m: m.wrapped, 12, "c", 20),
        (lambda m: m.wrapped, 12, "d", 21),
        (lambda m: m.wrapped, 12, "e", 12),
        (lambda m: m.thing.method, 25, "x", 25),
        (lambda m: m.Thing.made, 27, None, 27),
        (lambda m: m.thing, 28, "y", 28),
        (lambda m: m.short, 31, "x", 31),
    ],
)
def test_places(module, get, line, parameter, parameter_line):
    """A function is where its `def` is, a parameter where it is written or told of."""
    place = of_function(get(module))
    assert ("mine.py", line) == (place.file, place.line)
    assert parameter_line == place.line_of(parameter)


def test_outside_the_working_directory(module, monkeypatch, tmp_path_factory):
    """The whole path is given then."""
    monkeypatch.chdir(tmp_path_factory.mktemp("other"))
    assert module.__file__ == of_function(module.plain).file


@pytest.mark.parametrize("builtin", [len, functools.partial(max, 1), dict, "text"])
def test_what_is_not_written_in_python(builtin):
    """It stands nowhere."""
    assert of_function(builtin) is None


def test_a_source_that_is_no_more(write):
    """The line is what the function says."""
    path = write("\n\ndef f(: ...\n")
    namespace = {}
    exec(compile("\n\n\ndef f(a): ...", str(path), "exec"), namespace)
    assert Place(file="mine.py", line=4) == of_function(namespace["f"])
    exec(compile("\ndef f(a): ...", "<console>", "exec"), namespace)
    assert Place(file="<console>", line=2) == of_function(namespace["f"])


def test_a_traceback_that_is_the_package_s_own():
    """Nobody's statement has led there."""
    assert of_traceback(None) is None
    try:
        raise ValueError
    except ValueError as error:
        place = of_traceback(error.__traceback__)
    assert (sys._getframe().f_code.co_filename.rpartition("/")[2]) in place.file
