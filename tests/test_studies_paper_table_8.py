"""Table 8: the printed passes and those of a run, phase by phase."""

import pytest
from tiny_paper import Run, cell, ours, serial, tiny_setting

from engine.commands import Phase, Status
from engine.errors import InputError
from studies.paper.printed import printed_number
from studies.paper.table_8 import CALL, OUR_PASSES, PASSES, PRINTED_PASSES, call_run, table_8

WITH_OPTIONAL = [
    *((Phase.NAME, 4, 1), (Phase.SKELETON, 20, 2), (Phase.VALUES, 4, 2), (Phase.VALUES, 1, 1)),
    *((Phase.WRITE_BACK, 13, 1), (Phase.OPTIONAL, 4, 1), (Phase.OPTIONAL, 1, 1), (Phase.WRITE_BACK, 2, 0)),
]
RUNS = {
    "constrained": [Run(serial(3)), Run(serial(28), CALL), Run(serial(35), CALL, arguments=3)],
    "schemaweaver": [
        Run([(Phase.SKELETON, 9, 1)]),
        Run(WITH_OPTIONAL[:4], CALL),
        Run(WITH_OPTIONAL, CALL, final=7, status=Status.CORRECTED, arguments=3),
    ],
}
EXHIBIT = table_8(tiny_setting(RUNS))


@pytest.mark.parametrize("phase", PASSES)
def test_the_passes_that_are_priced_are_as_many_as_printed(phase):
    assert len(PASSES[phase]) == printed_number("table_8", phase, "passes")


@pytest.mark.parametrize("phase", sorted(PASSES.keys() - {"values"}))
def test_their_rows_are_the_printed_tokens(phase):
    assert sum(rows for rows, _ in PASSES[phase]) == printed_number("table_8", phase, "tokens")


def test_the_values_have_two_rows_of_padding_besides():
    assert sum(rows for rows, _ in PASSES["values"]) == printed_number("table_8", "values", "tokens") + 2


@pytest.mark.parametrize(
    ("row", "printed_ms", "our_ms"),
    [
        ("constrained", 35 * 12, 35 * 12),
        ("name", 17, 15),
        ("skeleton", 30, 31),
        ("values", 15 + 12, 15 + 12),
        ("write back", 29, 24),
        ("optional", 3 * 12 + 15, 15 + 12),
        ("provisional call", 17 + 30 + 27, 15 + 31 + 27),
        ("final call", 17 + 30 + 27 + 29 + 51, 15 + 31 + 27 + 24 + 27),
    ],
)
def test_each_phase_is_the_sum_of_its_passes(row, printed_ms, our_ms):
    assert ours(EXHIBIT, row, PRINTED_PASSES) == pytest.approx(printed_ms)
    assert ours(EXHIBIT, row, OUR_PASSES, "ms") == pytest.approx(our_ms)


def test_padding_rows_are_no_tokens_and_what_follows_the_final_call_is_no_phase_of_it():
    assert ours(EXHIBIT, "values", OUR_PASSES, "tokens") == 3
    assert ours(EXHIBIT, "write back", OUR_PASSES, "tokens") == 13
    assert ours(EXHIBIT, "write back", OUR_PASSES, "passes") == 1


def test_the_hosts_time_was_given_by_constrained_decoding():
    assert cell(EXHIBIT, "constrained", PRINTED_PASSES).role == "given"
    assert cell(EXHIBIT, "skeleton", PRINTED_PASSES).role == "predicted"


def test_passes_of_other_calls_are_refused():
    with pytest.raises(InputError, match=CALL):
        call_run(tiny_setting({"constrained": [Run(serial(3))]}), "constrained")
