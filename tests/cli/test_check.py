"""The linter."""

import json
from collections import Counter
from copy import deepcopy

import pytest

from tests.cli.faulty import CROWD, EXPECTED, FAULTY
from toolreg import Registry, Tool
from toolreg.cli import _check, _load
from toolreg.cli._findings import KINDS

CLEAN = """
    from toolreg import Registry

    registry = Registry()

    @registry.tool
    def tag(labels: dict[str, int], any: list = []) -> str:
        '''Tag it.

        Args:
            labels: The labels.
            any: Anything.
        '''
"""

SNAPSHOT = {
    "faults": [
        {
            "kind": "undeclared-parameter",
            "tool": "tag",
            "parameter": "nope",
            "file": "mine.py",
            "line": 13,
            "text": "is documented, and the function has no such parameter",
            "providers": [],
        }
    ],
    "tools": [{"tool": "tag", "characters": ..., "tokens": ..., "not_strict": ...}],
    "providers": [
        {"provider": "openai", "refuses": [], "strict": [], "note": None},
        {"provider": "openai-responses", "refuses": [], "strict": [], "note": None},
        {"provider": "anthropic", "refuses": [], "strict": [], "note": None},
        {"provider": "gemini", "refuses": [], "strict": [], "note": ...},
        {"provider": "bedrock", "refuses": [], "strict": [], "note": None},
        {"provider": "mistral", "refuses": [], "strict": [], "note": None},
        {"provider": "cohere", "refuses": [], "strict": [], "note": ...},
        {"provider": "groq", "refuses": [], "strict": [], "note": None},
        {"provider": "ollama", "refuses": [], "strict": [], "note": ...},
        {"provider": "mcp", "refuses": [], "strict": [], "note": ...},
    ],
}
STRICT = ("openai", "openai-responses", "anthropic", "bedrock", "mistral", "groq")


@pytest.fixture
def checked(run):
    """Check a module; give the report as plain values."""

    def checked(*arguments, status=1):
        result = run("check", *arguments, "--json")
        assert status == result.exit_code, result.stderr
        return json.loads(result.stdout)

    return checked


def kinds(report):
    return [fault["kind"] for fault in report["faults"]]


def test_each_fault_is_found_once(checked, write):
    """Each is reported with its tool, its parameter, its line, and who refuses it."""
    write(FAULTY)
    keys = ("kind", "tool", "parameter", "line", "providers")
    faults = checked("mine.py")["faults"]
    assert EXPECTED == [tuple(fault[key] for key in keys) for fault in faults]
    assert {"mine.py"} == {fault["file"] for fault in faults}


def test_too_many_tools(checked, write):
    """The first that is too many is told, once for each limit; all kinds are known then."""
    write(FAULTY + CROWD.format(number=120))
    report = checked("mine.py")
    crowded = [fault for fault in report["faults"] if fault["kind"] == "too-many-tools"]
    assert {kind: 1 for kind in KINDS} == Counter(kinds(report))
    assert [["openai", "openai-responses", "groq"]] == [fault["providers"] for fault in crowded]
    write(FAULTY.partition("@")[0] + CROWD.replace("2)", "3)").format(number=513), "more.py")
    assert ["too-many-tools"] * 2 == kinds(checked("more.py"))


def test_a_clean_module(run, checked, write):
    """It has no faults, and the status is 0."""
    write(CLEAN)
    assert [] == checked("mine.py", status=0)["faults"]
    result = run("check", "mine.py")
    assert (0, "no faults in 1 tool") == (result.exit_code, result.stdout.splitlines()[-1])


def test_the_examples_are_clean(run):
    """What stands in for a module shows how it is done."""
    assert 0 == run("check").exit_code


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_a_module_that_cannot_be_read(refused, options):
    """The status is 2, and nothing is a result."""
    assert "there is no file nope.py" == refused("check", "nope.py", *options)


def test_a_definition_that_stops_the_module(run, checked, write):
    """It is a fault at its place, and it is said that the rest was not looked at."""
    wrong = "\n@registry.tool\ndef wrong(\n    x: object(),\n) -> None: ...\n"
    lines = write(FAULTY + wrong).read_text(encoding="utf-8").splitlines()
    [fault] = checked("mine.py")["faults"]
    place = lines.index("    x: object(),") + 1
    keys = ("kind", "tool", "parameter", "file", "line")
    assert ("definition", "wrong", "x", "mine.py", place) == tuple(fault[key] for key in keys)
    assert "other tools were not looked at" in run("check", "mine.py").stdout


def test_the_json_is_stable(run, write):
    """Its keys and their order are part of the interface."""
    write(CLEAN.replace("any: Anything.", "any: Anything.\n            nope: Nothing."))
    tool = _load.load("mine.py")["tag"]
    expected = deepcopy(SNAPSHOT)
    [size] = expected["tools"]
    size["characters"] = len(json.dumps(tool.spec(), separators=(",", ":")))
    size["tokens"] = size["characters"] // 4
    size["not_strict"] = {name: tool.strict_faults(name) for name in STRICT}
    for provider in expected["providers"]:
        if provider["note"] is ...:
            [provider["note"]] = tool.strict_faults(provider["provider"])
    assert f"{json.dumps(expected, indent=2)}\n" == run("check", "mine.py", "--json").stdout
    assert {2} == {len(reasons) for reasons in size["not_strict"].values()}


def test_the_report_for_people(run, write):
    """Lines that an editor opens, the first reasons, and who refuses what."""
    write(FAULTY)
    write(CLEAN, "clean.py")
    lines = run("check", "mine.py").stdout.splitlines()
    assert "mine.py:14: undocumented-tool open_door: has no description" == lines[0]
    assert "mine.py:19: undocumented-parameter paint(colour): has no description" == lines[1]
    assert "10 faults in 10 tools" == lines[-1]
    table = {line.split()[0]: " ".join(line.split()[1:]) for line in lines if line}
    assert "ship, count 8 of 9" == table["anthropic"]
    assert "nothing 8 of 9" == table["mistral"]
    clean = run("check", "clean.py").stdout
    assert "all that can be  labels: takes any names" in clean
    assert "(and 1 more)" in clean
    assert "\nall " not in clean


def test_many_refused_tools(run, write):
    """Five are named."""
    text = CROWD.format(number=7).replace('f"Go {name}."', '"x" * 1100 + name')
    write("from toolreg import Registry\nregistry = Registry()\n" + text)
    lines = run("check", "mine.py").stdout.splitlines()
    [line] = [line for line in lines if line.startswith("openai ")]
    assert "animal_to_falcon and 2 more" in line


def test_reasons_that_differ(run, write):
    """Each is told with those who have it."""
    write("""
        from toolreg import Registry

        registry = Registry()

        @registry.tool
        def tag(n: int = 1, pair: tuple[int, int] = (1, 1)) -> str:
            '''Tag it.'''
    """)
    result = run("check", "mine.py")
    rows = [line.split("  ") for line in result.stdout.splitlines() if line.startswith("tag ")]
    assert 2 <= len(rows)


def test_a_tool_that_is_left_out_of_a_strict_request(checked, write):
    """A request has room for 20 strict tools; the others are not strict."""
    write("from toolreg import Registry\nregistry = Registry()\n" + CROWD.format(number=21))
    report = checked("mine.py", status=0)
    reason = "the request's strict schemas are used up by the tools before it"
    assert {"anthropic": [reason], "bedrock": [reason]} == report["tools"][-1]["not_strict"]
    strict = {one["provider"]: len(one["strict"]) for one in report["providers"]}
    assert (20, 21, 0) == (strict["anthropic"], strict["openai"], strict["gemini"])


def test_kinds_that_do_not_matter(run, refused, checked, write):
    """They are left out; there must be such a kind."""
    write(FAULTY)
    kept = kinds(checked("mine.py", "--ignore", "near-name", "--ignore", "definition"))
    assert [one[0] for one in EXPECTED if one[0] not in {"near-name", "definition"}] == kept
    options = [part for kind in KINDS for part in ("--ignore", kind)]
    assert 0 == run("check", "mine.py", *options).exit_code
    line = refused("check", "mine.py", "--ignore", "nope")
    assert line.startswith("there is no kind of fault 'nope'; there are definition, ")


def test_no_tools_at_all(run, write):
    """There is nothing to mend in them."""
    write("from toolreg import Registry\nregistry = Registry()\n")
    result = run("check", "mine.py")
    assert (0, "no faults in no tools\n") == (result.exit_code, result.stdout)


def found(tool):
    registry = Registry()
    registry.add(tool)
    return [(one.kind, one.parameter) for one in _check.examine(registry).faults]


def test_what_describes_a_type_describes_the_parameter():
    """A parameter may be documented by its class."""
    schema = {
        "type": "object",
        "properties": {
            "a": {"$ref": "#/$defs/A"},
            "b": {"$ref": "#/$defs/B"},
            "c": True,
            "d": {"type": "string", "description": "x" * 1025},
        },
        "$defs": {"A": {"type": "integer", "description": "An A."}, "B": {"type": "integer"}},
    }
    tool = Tool(name="raw", description="Raw.", parameters=schema, func=lambda **_: None)
    assert [
        ("undocumented-parameter", "b"),
        ("undocumented-parameter", "c"),
        ("untyped-parameter", "c"),
        ("long-description", "d"),
    ] == found(tool)


def test_a_schema_without_properties():
    """There are no parameters then."""
    tool = Tool(name="raw", description="Raw.", parameters={}, func=lambda **_: None)
    assert [] == found(tool)
