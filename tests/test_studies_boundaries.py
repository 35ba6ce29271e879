"""Counting the calls whose tokens are not the tokenizer's own: none as the engine is, and found where it is broken."""

import json
import random

import pytest
from toy_vocabulary import toy_vocabulary

import engine.constraint
from engine.boundary import FixedText, spell
from engine.tools import Tool
from sim.odd_values import ODD_TEXTS, with_odd_values
from sim.workload import WorkloadCall
from studies.boundaries import boundary_table, count_boundaries

TOOL = Tool(
    "get",
    "",
    {
        "properties": {"city": {"type": "string"}, "days": {"type": "integer"}, "unit": {"enum": ["c", "f"]}},
        "required": ["city", "days"],
    },
)


def call(**answer) -> WorkloadCall:
    accepted = {name: [value] for name, value in answer.items()}
    return WorkloadCall("c", ({"role": "user", "content": "Weather?"},), (TOOL,), "get", accepted)


CALLS = [call(city="/tmp", days=3), call(city="Tokyo", days=3, unit="c")] * 12


def test_no_call_differs_and_every_schedule_runs_each():
    count = count_boundaries("toy", toy_vocabulary(), CALLS, seed=1)
    assert count.differ == {}
    assert count.runs == 3 * (len(CALLS) - sum(count.left_out.values())) > 0


def test_a_call_that_its_schema_does_not_allow_is_left_out():
    count = count_boundaries("toy", toy_vocabulary(), [call(city="Tokyo", days="three")], seed=1)
    assert (count.runs, count.left_out) == (0, {"the answer breaks the tool's schema": 1})


def test_fixed_text_that_is_committed_too_far_is_counted_with_its_place(monkeypatch):
    def commit_all(vocabulary, before, text, open_bytes):
        return FixedText(spell(vocabulary, before, text))

    monkeypatch.setattr(engine.constraint, "settle", commit_all)
    count = count_boundaries("toy", toy_vocabulary(), [call(city=", ", days=3)], seed=1)
    assert sum(count.differ.values()) == count.runs == 3
    (row,) = boundary_table([count]).rows
    assert row[-1] == "100.00"


@pytest.mark.parametrize("seed", range(3))
def test_odd_values_stand_for_those_that_may_be_any(seed):
    values = with_odd_values({"city": "Tokyo", "days": 3, "unit": "c"}, TOOL, random.Random(seed))
    assert values["city"] in ODD_TEXTS
    assert isinstance(values["days"], int)
    assert values["unit"] == "c"
    assert json.loads(json.dumps(values)) == values
