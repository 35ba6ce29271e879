"""The law of prices: what arrays say of a run's passes is what the simpy world says under the same cost model."""

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_cases import small_cases
from strategies import all_names, examples, whims
from toy_vocabulary import byte_vocabulary

from cost_models import AffineCost
from cost_models.phones import phone_names, read_phone
from engine.commands import Phase, Status
from engine.errors import InputError
from engine.records import SIMULATED, RunRecord
from engine.schedules import SCHEDULES
from sim.backend import SimulatedBackend
from sim.memory import SequenceMemory
from sim.pass_prices import by_phase, extrapolated, phase_times_ms, price
from sim.pass_table import PHASES, joined, pass_table
from sim.world import simulate
from studies.pass_runs import COUNTING
from tests.records_builder import make_run, schedule_passes, serial_passes, trunk_pass

milliseconds = st.floats(0.0, 50.0)
affine = st.builds(
    AffineCost,
    base_ms=st.floats(0.01, 100.0),
    row_ms=milliseconds,
    pick_ms=milliseconds,
    context_ms=st.floats(0.0, 0.1),
    host_ms=milliseconds,
)
phones = st.sampled_from([read_phone(name).table for name in phone_names()])
costs = st.one_of(affine, phones, st.builds(lambda table, ms: replace(table, host_ms=ms), phones, milliseconds))
CALL = schedule_passes("schemaweaver", 3)


def simulated(schedule, case, writer, cost):
    request = case.request
    memory = SequenceMemory(max_cells=request.max_cells, capabilities=request.capabilities)
    outcome = simulate(SCHEDULES[schedule](request), SimulatedBackend(writer, memory), cost)
    return RunRecord("c", schedule, SIMULATED, 0, len(request.prompt), 0, outcome.passes, outcome.emits)


@st.composite
def runs(draw, most=3):
    """Random calls by random schedules, under a clock that counts passes and under a device's."""
    cost = draw(costs)
    pairs = []
    for _ in range(draw(st.integers(1, most))):
        case = replace(draw(small_cases), vocabulary_name="bytes")
        whim, is_oracle, schedule = draw(whims), draw(st.booleans()), draw(all_names)
        writers = [case.oracle() if is_oracle else whim.writer(byte_vocabulary()) for _ in range(2)]
        pairs.append(tuple(simulated(schedule, case, w, c) for w, c in zip(writers, (COUNTING, cost), strict=True)))
    return cost, pairs


def columns(table):
    return {field.name: getattr(table, field.name).tolist() for field in fields(table)}


def close(values):
    return pytest.approx(values, rel=1e-9, abs=1e-9)


def part_ms(run, phase):
    return sum(p.duration_ms for p in run.passes if p.command.phase is phase and p.start_ms < run.emits[-1].at_ms)


@examples(60)
@given(runs())
def test_prices_are_the_worlds_latencies_for_any_tools_schedules_and_costs(drawn):
    cost, pairs = drawn
    priced = price(pass_table(counted for counted, _ in pairs), cost)
    assert priced.tool_start_ms.tolist() == close([timed.tool_start_ms for _, timed in pairs])
    assert priced.final_ms.tolist() == close([timed.final_ms for _, timed in pairs])


@examples(40)
@given(runs())
def test_prices_by_phase_are_those_of_the_passes_that_the_final_call_waited_for(drawn):
    cost, pairs = drawn
    times = phase_times_ms(pass_table(counted for counted, _ in pairs), cost)
    for number, phase in enumerate(PHASES):
        assert times[number].tolist() == close([part_ms(timed, phase) for _, timed in pairs])


@examples(40)
@given(runs())
def test_prices_need_no_clock_a_table_is_the_same_whatever_passes_took(drawn):
    _, pairs = drawn
    counted, timed = (pass_table(runs) for runs in zip(*pairs, strict=True))
    assert columns(counted) == columns(timed)


@examples(30)
@given(runs(), st.data())
def test_prices_of_joined_and_chosen_runs_are_those_of_the_runs_alone(drawn, data):
    cost, pairs = drawn
    alone = [pass_table([counted]) for counted, _ in pairs]
    expected = [price(table, cost).final_ms[0] for table in alone]
    together = joined(alone)
    assert price(together, cost).final_ms.tolist() == close(expected)
    chosen = np.array([data.draw(st.booleans()) for _ in pairs])
    assert price(together.chosen(chosen), cost).final_ms.tolist() == close(np.array(expected)[chosen].tolist())


def test_a_table_without_runs_has_no_latencies():
    empty = pass_table([])
    assert (
        price(empty, COUNTING).final_ms.shape == price(empty, read_phone("pixel-7").table).tool_start_ms.shape == (0,)
    )
    assert phase_times_ms(empty, COUNTING).shape == (len(PHASES), 0)


def drafting_run(own_ms, draft_ms):
    """A run whose draft model reads a text behind the prompt, and drafts once within the call."""
    drafts = [trunk_pass(Phase.DRAFT, 0, 7), trunk_pass(Phase.DRAFT, 47, 1)]
    commands = [drafts[0], *CALL[:3], drafts[1], *CALL[3:]]
    return make_run(commands, pass_ms=lambda c: draft_ms if c.phase is Phase.DRAFT else own_ms, host_ms=0.0)


def test_passes_of_a_draft_model_have_their_own_price():
    run = drafting_run(own_ms=10.0, draft_ms=3.0)
    own, drafts = (AffineCost(base_ms=ms, row_ms=0.0) for ms in (10.0, 3.0))
    priced = price(pass_table([run]), own, drafts)
    assert priced.tool_start_ms.tolist() == close([run.tool_start_ms])
    assert priced.final_ms.tolist() == close([run.final_ms])
    assert phase_times_ms(pass_table([run]), own, drafts)[PHASES.index(Phase.DRAFT)].tolist() == close([6.0])
    with pytest.raises(InputError, match="the passes of a draft model are among these: say what they cost"):
        price(pass_table([run]), own)


def test_the_host_of_a_draft_model_has_its_own_time():
    run = drafting_run(own_ms=10.0, draft_ms=3.0)
    own = AffineCost(base_ms=10.0, row_ms=0.0)
    slow_host = AffineCost(base_ms=3.0, row_ms=0.0, host_ms=1.5)
    assert price(pass_table([run]), own, slow_host).final_ms.tolist() == close([run.final_ms + 2 * 1.5])


def test_sums_by_phase_leave_out_what_comes_after_the_final_call():
    run = make_run(CALL)
    table = pass_table([run, replace(run, emits=(replace(run.emits[0], status=Status.FINAL),))])
    counts = by_phase(table, np.ones(len(table.runs)))
    rows = by_phase(table, table.rows)
    of_run = {phase: (counts[n].tolist(), rows[n].tolist()) for n, phase in enumerate(PHASES)}
    assert of_run[Phase.VALUES] == ([3.0, 3.0], [12.0, 12.0])
    assert of_run[Phase.WRITE_BACK] == ([1.0, 0.0], [16.0, 0.0])
    assert of_run[Phase.OPTIONAL] == ([2.0, 0.0], [2.0, 0.0])


def test_runs_past_what_was_measured_are_told():
    device = replace(read_phone("pixel-7").table, context_range_tokens=(1, 1000))
    wide = [*serial_passes(Phase.SERIAL, 2), trunk_pass(Phase.JUMP, 60, device.row_counts[-1] + 1)]
    table = pass_table([make_run(serial_passes(Phase.SERIAL, 2)), make_run(wide)])
    assert extrapolated(table, device).tolist() == [False, True]
    assert extrapolated(table, replace(device, context_range_tokens=(1, 41))).tolist() == [True, True]
    assert extrapolated(table, COUNTING).tolist() == [False, False]
