"""Tables 5 and 6: latencies and passes of models on phones."""

import pytest
from tiny_paper import Run, cell, ours, serial, table, tiny_setting

from engine.commands import Phase
from studies.paper import draft_schemes, table_6
from studies.paper.setting import ONEPLUS, PIXEL
from studies.paper.table_5 import latency_cells, table_5

NAMES = ("unconstrained", "constrained", "jump_forward", "schemaweaver")
PROVISIONAL = Run([(Phase.SKELETON, 13, 1), (Phase.OPTIONAL, 1, 1)], tool_start=1)
RUNS = {name: [Run(serial(10))] for name in NAMES} | {"schemaweaver": [PROVISIONAL]}
SETTING = tiny_setting(RUNS)
MODEL = "Llama-3.2-1B"


@pytest.fixture
def exhibit(monkeypatch):
    head = table("speculative", [Run([(Phase.DRAFT, 1, 1), (Phase.VERIFY, 9, 9)])])
    monkeypatch.setattr(draft_schemes, "head_passes", lambda: head)
    return table_5(SETTING)


def test_latencies_end_where_the_tool_starts_and_passes_with_the_final_call(exhibit):
    assert ours(exhibit, f"constrained, {ONEPLUS}", MODEL) == pytest.approx(120)
    assert ours(exhibit, f"schemaweaver, {PIXEL}", MODEL) == pytest.approx(24)
    assert ours(exhibit, "schemaweaver", MODEL) == 2


def test_numbers_are_printed_where_the_paper_has_some(exhibit):
    rows = {(each.row, each.column): each.printed for each in exhibit.cells}
    assert rows[f"eagle_3, {ONEPLUS}", "Llama-3.2-3B"] == 14585
    assert (f"eagle_3, {ONEPLUS}", "SmolLM2-1.7B") not in rows
    assert (f"dflash_2, {PIXEL}", "Qwen3-4B") not in rows
    assert rows["constrained", "SmolLM2-1.7B"] == 57.8
    # Of six rows by seven models, EAGLE-3 lacks one or two and DFlash-2 all but one or all.
    assert len(rows) == len(exhibit.cells) == (28 + 6 + 1) + (28 + 5) + (28 + 6 + 1)


@pytest.mark.parametrize(
    ("row", "model", "role", "reason"),
    [
        (f"constrained, {PIXEL}", "Qwen3-4B", "open", "memory"),
        (f"constrained, {ONEPLUS}", "Qwen3-4B", "predicted", ""),
        (f"jump_forward, {ONEPLUS}", "Qwen3-1.7B-Q8_0", "open", "contradicts"),
        (f"jump_forward, {ONEPLUS}", "Qwen3-0.6B", "predicted", ""),
        (f"eagle_3, {ONEPLUS}", "Qwen3-0.6B", "open", "depth"),
        ("eagle_3", "Qwen3-1.7B-Q8_0", "given", ""),
        ("eagle_3", "Qwen3-0.6B", "open", "acceptance"),
    ],
)
def test_what_is_given_or_open_is_not_among_the_predictions(exhibit, row, model, role, reason):
    found = cell(exhibit, row, model)
    assert found.role == role
    assert reason in found.why


def test_a_head_of_another_vocabulary_predicts_nothing(exhibit):
    found = cell(exhibit, f"eagle_3, {ONEPLUS}", MODEL)
    assert found.ours is None
    assert "vocabulary" in found.why


def test_schemes_and_phones_can_be_chosen():
    cells = list(latency_cells(SETTING, ("constrained",), (PIXEL,)))
    assert [each.row for each in cells] == [f"constrained, {PIXEL}"] * 7


def test_droidcall_is_the_geometric_mean_over_all_its_calls(monkeypatch):
    runs = {"constrained": [Run(serial(2)), Run(serial(8))], "jump_forward": [Run(serial(1))] * 2}
    runs["schemaweaver"] = [PROVISIONAL] * 2
    monkeypatch.setattr(table_6, "droidcall_passes", lambda _, __, scheme: table(scheme, runs[scheme]))
    exhibit = table_6.table_6(SETTING)
    assert ours(exhibit, f"constrained, {ONEPLUS}", MODEL, "ms") == pytest.approx(48)
    speedup = cell(exhibit, f"schemaweaver, {ONEPLUS}", MODEL, "x")
    assert speedup.ours is not None
    assert speedup.ours.value == pytest.approx(2)
    assert speedup.printed == pytest.approx(1035 / 328)
