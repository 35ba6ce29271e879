"""When decoding values side by side is predicted to pay, and when a value has run on for too long."""

import pytest
from toy_vocabulary import byte_vocabulary

from cost_models import AffineCost
from engine.forecast import branches_pay, expected_picks, most_side_by_side
from engine.formats import QWEN
from engine.request import Request
from engine.tools import Tool
from engine.toolset import Toolset

BYTES = byte_vocabulary()
FREE_ROWS = AffineCost(base_ms=50.0, row_ms=0.01)
DEAR_ROWS = AffineCost(base_ms=0.1, row_ms=10.0)


def tool(*schemas, required=None, read_only=False):
    properties = {f"a{number}": schema for number, schema in enumerate(schemas)}
    wanted = list(properties) if required is None else list(properties)[:required]
    return Tool("get", "", {"properties": properties, "required": wanted}, read_only=read_only)


def pays(offered, prices, said="", **limits):
    request = Request(
        (1, 2, 3), Toolset([offered], QWEN, BYTES), prices=prices, prices_decide=True, said=said, **limits
    )
    return branches_pay(request, offered, 100)


TEXTS = tool(*[{"type": "string"}] * 5)


@pytest.mark.parametrize(
    ("offered", "prices", "limits", "expected"),
    [
        (TEXTS, FREE_ROWS, {}, True),
        (TEXTS, DEAR_ROWS, {}, False),
        (TEXTS, FREE_ROWS, {"max_branches": 4}, False),
        (tool({"type": "string"}), FREE_ROWS, {}, False),
        (tool(*[{"type": "string"}] * 5, required=1), FREE_ROWS, {}, False),
        (tool(), FREE_ROWS, {}, False),
        # The first pick of each comes out of the pass over its lead, which both ways take.
        (tool(*[{"type": "object"}] * 2), FREE_ROWS, {}, True),
    ],
)
def test_values_side_by_side_pay_where_rows_are_cheap_and_there_are_several(offered, prices, limits, expected):
    assert pays(offered, prices, **limits) is expected


def test_a_tool_that_starts_before_the_check_gains_more_from_branches():
    """There are prices at which branches bring the tool's start forward by more than they delay the call."""
    prices = [AffineCost(base_ms=10.0, row_ms=row_ms) for row_ms in (0.1, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 8.0, 10.0)]
    read_only = tool(*[{"type": "string"}] * 5, read_only=True)
    waiting, early = ([pays(offered, price) for price in prices] for offered in (TEXTS, read_only))
    assert sum(waiting) < sum(early) < len(prices)
    assert all(second for first, second in zip(waiting, early, strict=True) if first)


def test_values_that_the_request_lets_expect_speak_for_one_after_the_other():
    """Guesses save passes along the trunk: with all five values named, dearer rows are needed to pay less."""
    prices = [AffineCost(base_ms=10.0, row_ms=row_ms) for row_ms in (0.1, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 8.0)]
    numbers = tool(*[{"type": "number"}] * 5)
    blind, told = ([pays(numbers, price, said) for price in prices] for said in ("", "add 11, 12, 13, 14 and 15"))
    assert sum(told) < sum(blind)
    assert all(first for first, second in zip(blind, told, strict=True) if second)


@pytest.mark.parametrize(
    ("schema", "picks"),
    [
        ({"type": "boolean"}, 1),
        ({"type": "integer"}, 2),
        ({"type": "number"}, 3),
        ({"type": "string"}, 4),
        ({"type": "string", "enum": ["one", "two"]}, 2),
        ({"const": {"a": [1, 2, 3]}}, 2),
        ({"type": ["string", "null"]}, 4),
        ({"type": ["integer", "array"]}, 9),
        ({"type": "object"}, 12),
        ({"anyOf": [{"type": "boolean"}, {"type": "integer"}]}, 2),
        ({}, 12),
        (True, 12),
    ],
)
def test_a_value_takes_the_picks_of_the_longest_type_that_its_schema_admits(schema, picks):
    assert expected_picks(tool(schema), "a0") == picks


def test_values_may_run_on_three_times_as_long_as_the_longest_is_expected_to():
    assert most_side_by_side(tool({"type": "boolean"}, {"type": "string"})) == 12
    assert most_side_by_side(tool()) == 0
