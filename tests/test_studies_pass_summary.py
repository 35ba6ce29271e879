"""Passes as a table: means per call, of what the final call waited for."""

from engine.commands import Phase
from sim.pass_table import pass_table
from studies.pass_summary import pass_summary
from tests.records_builder import make_run, trunk_pass
from tests.test_sim_pass_table import TABLE


def test_each_schedule_has_its_means_without_the_prompts_passes():
    assert pass_summary(TABLE).rows == (
        ("constrained", "2", "1", "2.5", "2.5", "2.5", "40.0"),
        ("schemaweaver", "1", "0", "8.0", "48.0", "5.0", "40.0"),
    )


def test_passes_of_a_draft_model_are_not_counted():
    draft, own = trunk_pass(Phase.DRAFT, 40, 3), trunk_pass(Phase.VERIFY, 40, 4)
    table = pass_table([make_run([draft, draft, own, draft, own], schedule="speculative")])
    assert pass_summary(table).rows == (("speculative", "1", "0", "2.0", "8.0", "2.0", "40.0"),)


def test_no_runs_make_no_rows():
    assert pass_summary(pass_table([])).rows == ()
