"""What a model sends that keeps to an exported schema is what the tool takes."""

import json
from decimal import Decimal

import jsonschema_rs
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.loops.conforming import values
from tests.loops.exchange import RESPONSES, signature
from tests.loops.tools import registered
from tests.strict_rules import DRAFT, look_up, violations, walk
from toolreg import Registry
from toolreg.formats import FORMATS

REGISTRY = registered()
SETTINGS = settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],
)
#: What a provider's schema may be unable to say; then it is not all that the tool asks for.
BOUNDS = {
    *("format", "pattern", "minLength", "maxLength", "minItems", "maxItems", "multipleOf"),
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "propertyNames"),
    *("minProperties", "maxProperties", "prefixItems"),
}


def exports(*, strict):
    """Give each tool with each schema that is exported for it, and the formats that do so.

    Args:
        strict: Whether to give those schemas that are other ones in strict mode, or the usual.
    """
    for tool in REGISTRY.values():
        schemas = {}
        for name in FORMATS:
            exported = [tool.spec(name, strict=mode) for mode in (False, True)]
            if not strict or exported[0] != exported[1]:
                key = json.dumps(signature(name, exported[strict]))
                schemas.setdefault(key, []).append(name)
        for key, names in schemas.items():
            spelled, schema = json.loads(key)
            mode = "strict" if strict else "lax"
            yield pytest.param(tool, spelled, schema, names, id=f"{tool.name}-{names[0]}-{mode}")


def says_all(tool, schema, name):
    """Whether an export says all that a tool asks of its arguments."""
    rules = [
        {key for _, node in walk(one) for key in BOUNDS & node.keys()}
        for one in (tool.parameters, schema)
    ]
    match name:
        case "ollama":
            return False
        case "gemini":
            recursive = any(
                "recursive" in rule for rule in violations(tool.parameters, "anthropic")
            )
            return not rules[0] and not recursive and not truths(tool.parameters)
        case _:
            return rules[0] <= rules[1]


def truths(schema):
    """Whether a schema lists true or false, which Gemini's enums may not hold."""
    listed = [[*node.get("enum", []), node.get("const")] for _, node in walk(schema)]
    return any(isinstance(value, bool) for values in listed for value in values)


def admitting(schema):
    """Return whether a schema admits a value, as another implementation reads it."""
    schema = json.loads(json.dumps(schema))
    for _, node in list(walk(schema)):
        if node.pop("nullable", False):
            node["anyOf"] = [{"type": "null"}, dict(node)]
            for key in node.keys() - {"anyOf"}:
                del node[key]
    validator = jsonschema_rs.validator_for({"$schema": DRAFT, **schema}, validate_formats=True)
    return validator.is_valid


def send(provider, name, sent):
    """Return the result of a call that comes in a provider's response."""
    [call] = FORMATS[provider].calls(RESPONSES[provider](name, sent))
    return REGISTRY.execute(call)


def completed(value, schema, root):
    """Return arguments as a strict schema wants them: nothing left out, nothing unlisted."""
    if "$ref" in schema:
        return completed(value, look_up(root, schema["$ref"]), root)
    if "anyOf" in schema:
        definitions = {"$defs": root.get("$defs", {})}
        made = [(completed(value, one, root), one) for one in schema["anyOf"]]
        return next((v for v, one in made if admitting({**definitions, **one})(v)), value)
    if isinstance(value, list):
        return [completed(one, schema.get("items", {}), root) for one in value]
    if not isinstance(value, dict) or "properties" not in schema:
        return value
    wanted = {
        key: one
        for key, one in schema["properties"].items()
        if key in {*value, *schema["required"]}
    }
    return {key: completed(value.get(key), one, root) for key, one in wanted.items()}


def test_types_that_ask_more_than_their_schema_take_what_fits():
    """A decimal may be a number or text, keys of a dict are text that reads as their type."""
    registry = Registry()

    @registry.tool
    def pay(amount: Decimal, notes: dict[int, str]):
        return f"{amount} {notes}"

    for amount in (1.5, "1.5"):
        result = registry.execute("pay", {"amount": amount, "notes": {"7": "x"}})
        assert "1.5 {7: 'x'}" == result.output
    assert "invalid_arguments" == registry.execute("pay", {"amount": "much", "notes": {}}).kind


@pytest.mark.parametrize(
    ("tool", "name", "schema", "names"),
    [
        case
        for case in [*exports(strict=False), *exports(strict=True)]
        if says_all(case.values[0], case.values[2], case.values[3][0])
    ],
)
def test_arguments_of_an_exported_schema_are_taken(tool, name, schema, names):
    """No call that the schema admits ends in `invalid_arguments`."""
    is_admitted = admitting(schema)

    @SETTINGS
    @given(values(schema), st.sampled_from(names))
    def check(sent, provider):
        assert is_admitted(sent), sent
        result = send(provider, name, sent)
        assert "success" == result.kind, (result.output, sent)

    check()


@pytest.mark.parametrize(("tool", "name", "schema", "names"), list(exports(strict=False)))
def test_exported_schemas_admit_what_the_tool_takes(tool, name, schema, names):
    """No provider's words exclude a call that the tool's own schema allows."""
    is_admitted = admitting(schema)

    @SETTINGS
    @given(values(tool.parameters), st.sampled_from(names))
    def check(sent, provider):
        spelled = {FORMATS[provider].safe_parameter(key): value for key, value in sent.items()}
        assert is_admitted(spelled), sent
        result = send(provider, name, spelled)
        assert "success" == result.kind, (result.output, sent)

    check()


@pytest.mark.parametrize(("tool", "name", "schema", "names"), list(exports(strict=True)))
def test_strict_schemas_admit_what_the_tool_takes(tool, name, schema, names):
    """Nothing is lost in strict mode: the same call can be made, with null for what is left out."""
    is_admitted = admitting(schema)

    @SETTINGS
    @given(values(tool.parameters), st.sampled_from(names))
    def check(sent, provider):
        spelled = {FORMATS[provider].safe_parameter(key): value for key, value in sent.items()}
        made = completed(spelled, schema, schema)
        assert is_admitted(made), made
        result = send(provider, name, made)
        assert "success" == result.kind, (result.output, made)

    check()
