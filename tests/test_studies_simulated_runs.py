"""Simulated runs of a workload with a head that drafts, and replays of them."""

from dataclasses import replace

import pytest
from llama_cpp_files import needs_vocabularies
from real_models import real_model

from cost_models import AffineCost
from engine.commands import Phase
from engine.errors import InputError
from engine.llamacpp import make_preparer
from engine.tools import Tool
from sim.head import Head
from sim.workload import WorkloadCall
from studies.measured_runs import RunPlan
from studies.simulated_runs import answer_runs, replay_runs

TOOL = Tool("get_weather", "", {"properties": {"city": {"type": "string"}}, "required": ["city"]})
ASKED = ({"role": "user", "content": "Weather in Rio de Janeiro?"},)
CALL = WorkloadCall("c0", ASKED, (TOOL,), TOOL.name, {"city": ["Rio de Janeiro"]})
COST = AffineCost(base_ms=100.0, row_ms=1.0)
HEAD = Head(acceptance=0.6, depth=3, pass_ms=12.0, row_ms=0.5)
PLAN = RunPlan(("constrained", "speculative"), draft_tokens=2)

pytestmark = needs_vocabularies


def runs(head: Head | None, seed: int = 0):
    return list(answer_runs(make_preparer(real_model("qwen2"), None, "qwen"), [CALL], PLAN, COST, head, seed))


def drafts(run):
    return [record for record in run.passes if record.command.phase is Phase.DRAFT]


def test_a_head_drafts_for_speculative_alone_at_its_own_price():
    constrained, speculative = runs(HEAD)
    assert speculative.call.same_call(constrained.call)
    assert not drafts(constrained)
    for record in drafts(speculative):
        assert record.duration_ms == pytest.approx(12.0 + 0.5 * record.command.width)
    assert speculative.settings["draft_tokens"] == HEAD.depth
    assert len(speculative.call_passes) < len(constrained.call_passes)


def test_the_seed_decides_which_drafts_are_right():
    counts = {len(drafts(runs(HEAD, seed)[1])) for seed in range(6)}
    assert runs(HEAD, 3) == runs(HEAD, 3)
    assert len(counts) > 1


def test_without_a_head_the_prompt_is_looked_up():
    constrained, speculative = runs(None)
    assert not drafts(speculative)
    assert len(speculative.call_passes) < len(constrained.call_passes)
    assert max(record.command.width for record in speculative.call_passes) <= 1 + PLAN.draft_tokens


def test_a_replay_prices_the_draft_models_passes_by_its_own_profile_and_needs_one():
    recorded = runs(HEAD)
    preparer = make_preparer(real_model("qwen2"), None, "qwen")
    with pytest.raises(InputError, match="'c0' by 'speculative' had a draft model: name its --draft-profile"):
        list(replay_runs(preparer, {"c0": CALL}, recorded, COST))
    again = list(replay_runs(preparer, {"c0": CALL}, recorded, COST, AffineCost(base_ms=3.0, row_ms=0.5)))
    for run, replayed in zip(recorded, again, strict=True):
        assert [r.command for r in replayed.passes] == [r.command for r in run.passes]
    assert all(r.duration_ms == pytest.approx(3.0 + 0.5 * r.command.width) for r in drafts(again[1]))


def test_a_replay_decides_by_the_prices_of_the_record_and_takes_the_time_of_another_cost():
    """What `auto` drafts where rows are cheap is not what it drafts where they are dear."""
    cheap, dear = AffineCost(base_ms=100.0, row_ms=0.1), AffineCost(base_ms=100.0, row_ms=90.0)
    preparer = make_preparer(real_model("qwen2"), None, "qwen")
    plan = replace(PLAN, schedules=("auto",))
    (recorded,) = answer_runs(preparer, [CALL], replace(plan, prices=cheap), cheap)
    (otherwise,) = answer_runs(preparer, [CALL], replace(plan, prices=dear), dear)
    assert [r.command for r in otherwise.passes] != [r.command for r in recorded.passes]
    (again,) = replay_runs(preparer, {"c0": CALL}, [recorded], dear, prices=cheap)
    assert [r.command for r in again.passes] == [r.command for r in recorded.passes]
    assert all(r.duration_ms == pytest.approx(100 + 90 * r.command.width) for r in again.passes)
