"""What of a tool's schema is enforced: a call may have the values of its schema, and no others."""

import json
from typing import Any

import jsonschema
import pytest
from schema_tables import ALL, OTHER_DIALECTS
from schema_tools import accepts, tool_with
from strategies import Case
from tracing import trace

from engine.schedules import BASIC
from engine.schemas import enforce, explain
from sim.random_walk import RandomWalk

CHECKER = jsonschema.Draft202012Validator.FORMAT_CHECKER


def table(rows: list[tuple[Any, list[str], list[str]]]) -> list[Any]:
    return [
        pytest.param(schema, text, allowed, id=f"{json.dumps(schema)[:60]} {text[:30]}")
        for schema, good, bad in rows
        for allowed, texts in ((True, good), (False, bad))
        for text in texts
    ]


@pytest.mark.parametrize(("schema", "text", "allowed"), table(ALL))
def test_a_call_may_have_the_values_of_its_schema_and_no_others(schema, text, allowed):
    assert accepts(schema, text) is allowed


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        pytest.param(schema, text, id=f"{json.dumps(schema)[:60]} {text[:30]}")
        for schema, good, _ in ALL
        for text in good
        if not any(keyword in str(schema) for keyword in OTHER_DIALECTS)
    ],
)
def test_validity_what_these_tables_accept_validates_with_jsonschema(schema, text):
    """But for OpenAPI and older drafts, which the validator does not know, and for what Python reads otherwise."""
    root = tool_with(schema).parameters
    jsonschema.Draft202012Validator(root).validate({"a": json.loads(text)})


@pytest.mark.parametrize(("schema", "_good", "_bad"), ALL)
def test_nothing_is_wrong_with_a_schema_that_is_enforced(schema, _good, _bad):
    assert explain(tool_with(schema), "a") is None
    assert enforce(tool_with(schema), "a", lenient=True) == enforce(tool_with(schema), "a")


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "schema", [schema for schema, *_ in ALL if not any(keyword in str(schema) for keyword in OTHER_DIALECTS)]
)
def test_validity_a_random_walk_writes_only_calls_that_validate(schema, seed):
    """Whatever is allowed at each step, what comes out at the end keeps the schema."""
    tool = tool_with(schema)
    case = Case((tool,), tool, {}, max_call_tokens=200)
    run = trace(BASIC[seed], case.request, RandomWalk(seed, case.vocabulary))
    if run.call.arguments is not None:
        jsonschema.Draft202012Validator(tool.parameters, format_checker=CHECKER).validate(dict(run.call.arguments))
