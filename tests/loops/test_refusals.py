"""Each local server refuses what its provider refuses, so that loops against it prove something."""

import json
from copy import deepcopy

import pytest

from tests.loops.conversations import WIRES, Conversation


@pytest.fixture(params=WIRES)
def wire(request):
    """How a provider writes it."""
    return WIRES[request.param]


@pytest.fixture
def talk(wire):
    """A conversation after the model's first turn."""
    with wire.serve() as url:
        yield Conversation(wire, url)


def refused(answer, *words):
    status, body = answer
    reason = json.dumps(body)
    assert status == 400, reason
    assert all(word in reason for word in words), reason


def test_a_sound_history_is_taken(talk):
    """Both calls answered in order give the final text."""
    status, body = talk.go_on(*talk.wire.joined(talk.results))
    assert status == 200, body
    assert "19 plus 23 is 42" in json.dumps(body)


def test_an_unanswered_call_is_refused(talk):
    """A turn of two calls with one result is a 400."""
    refused(talk.go_on(*talk.wire.joined(talk.results[:1])), "no result")


def test_a_turn_without_any_result_is_refused(talk):
    """So is a turn after which the user speaks, or nobody."""
    refused(talk.go_on(), "no result")
    refused(talk.go_on(talk.wire.question), "no result")


def test_a_call_answered_twice_is_refused(talk):
    """A second result for a call is a 400."""
    first, second = talk.results
    refused(talk.go_on(*talk.wire.joined([first, first, second])), "second result")
    refused(talk.go_on(*talk.wire.joined([first, second, second])), "second result")


def test_an_unknown_call_is_refused(talk):
    """A result for a call that nobody made is a 400."""
    call = deepcopy(talk.wire.calls(talk.turn)[0])
    for key in ("id", "call_id", "toolUseId", "name"):
        if key in call:
            call[key] = "unheardof"
    if "function" in call:
        call["function"]["name"] = "unheardof"
    stray = talk.wire.result(call, "42", False)
    refused(talk.go_on(*talk.wire.joined([*talk.results, stray])), "was not called")


def test_a_result_without_a_turn_is_refused(talk):
    """A result after the user's word alone is a 400."""
    refused(talk.send([talk.wire.question, *talk.wire.joined(talk.results)]), "was not called")


def test_results_that_come_late_are_refused(talk):
    """Results that are not right after the turn are a 400."""
    refused(talk.go_on(talk.wire.question, *talk.wire.joined(talk.results)), "no result")


def test_a_changed_turn_is_refused(talk):
    """The model's own words must go back as they came."""
    talk.wire.spoil(talk.wire.calls(talk.turn)[1])
    refused(talk.go_on(*talk.wire.joined(talk.results)), "was changed")


def test_a_turn_that_lost_a_call_is_refused(talk):
    """A call that failed must go back too."""
    lost = talk.wire.calls(talk.turn)[1]
    for part in parts_of(talk.turn):
        part[:] = [one for one in part if one is not lost and lost not in one.values()]
    refused(talk.go_on(*talk.wire.joined(talk.results[:1])), "was changed")


def parts_of(turn):
    """Give each list that may hold calls: the turn itself, and those in its first message."""
    yield turn
    yield from (value for value in turn[0].values() if isinstance(value, list))


def test_results_out_of_order_are_refused(talk):
    """The second result before the first is a 400."""
    refused(talk.go_on(*talk.wire.joined(talk.results[::-1])), "out of order")


def test_results_in_two_messages_are_refused_where_one_must_hold_all(talk):
    """Some providers want all results in the very next message."""
    first, second = (talk.wire.joined([result]) for result in talk.results)
    if talk.wire.together:
        refused(talk.go_on(*first, *second), "in the next message")
    else:
        assert talk.go_on(*first, *second)[0] == 200


def test_unknown_keys_are_refused(talk):
    """A key the provider does not know is a 400, in tools, results and the request."""
    tool = {**deepcopy(talk.wire.tool), "colour": "red"}
    refused(talk.send([talk.wire.question], [tool]), "colour", "unknown")
    stray = [{**result, "colour": "red"} for result in talk.results]
    refused(talk.go_on(*talk.wire.joined(stray)), "colour", "unknown")


def test_a_schema_that_no_provider_takes_is_refused(talk):
    """So is a schema whose root is no object, or is an anyOf."""
    for change in ({"type": "array"}, {"anyOf": []}, {"properties": {"a": {"$ref": "#/nowhere"}}}):
        tool = json.loads(json.dumps(talk.wire.tool))
        schema_of(tool).update(change)
        refused(talk.send([talk.wire.question], [tool]), "#")


def schema_of(tool):
    """Return the schema inside a tool of any format."""
    if "properties" in tool:
        return tool
    found = [schema_of(v) for v in tool.values() if isinstance(v, dict)]
    found += [schema_of(v[0]) for v in tool.values() if isinstance(v, list) and v]
    return next(filter(None, found), None)


def test_a_tool_whose_name_breaks_the_rule_is_refused(talk):
    """A name with a space is a 400."""
    tool = json.loads(json.dumps(talk.wire.tool).replace('"add"', '"a dd"'))
    refused(talk.send([talk.wire.question], [tool]), "does not match")


def test_a_strict_flag_on_a_schema_that_was_not_converted_is_refused(talk):
    """A flag needs a schema that keeps to the strict rules; some providers know no flag."""
    tool = json.loads(json.dumps(talk.wire.tool))
    named(tool)["strict"] = True
    refused(talk.send([talk.wire.question], [tool]))


def named(tool):
    """Return the part of a tool that has its name."""
    if isinstance(tool, list):
        return named(tool[0])
    return (
        tool if "name" in tool else named(next(v for v in tool.values() if not isinstance(v, str)))
    )


@pytest.mark.parametrize("provider", ["anthropic", "bedrock"])
def test_an_error_without_text_is_refused(provider):
    """A result that is flagged as an error must say something."""
    wire = WIRES[provider]
    with wire.serve() as url:
        talk = Conversation(wire, url)
        first, second = wire.calls(talk.turn)
        results = [wire.result(first, "42", False), wire.result(second, "", True)]
        refused(talk.go_on(*wire.joined(results)))
