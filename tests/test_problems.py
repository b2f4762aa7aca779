from toolreg import _problems


def test_near_names_of_tools_are_found():
    """A slip in a tool's name gets the name that was meant."""
    for name in ("serch_web", "SearchWeb"):
        assert "search_web?" in _problems.unknown_tool(name, ["search_web", "view"])
    assert "view?" in _problems.unknown_tool("creating:view", ["search_web", "view"])
