"""The law of time: a run under the predicted clock takes what its passes cost, and nothing else."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from strategies import Case, Whim, cases, examples, schedule_names, whims
from tracing import trace

from cost_models import AffineCost
from engine.commands import Emit, Pass, Status
from engine.driver import Outcome, run_blocking
from engine.records import RunRecord
from engine.schedules import SCHEDULES
from engine.tools import Tool
from sim.backend import SimulatedBackend
from sim.world import simulate

# Whole milliseconds, so that sums are exact.
milliseconds = st.integers(0, 50).map(float)
costs = st.builds(
    AffineCost,
    base_ms=st.integers(1, 100).map(float),
    row_ms=milliseconds,
    pick_ms=milliseconds,
    context_ms=milliseconds,
    host_ms=milliseconds,
)
small_cases = cases(max_call_tokens=80)
FREE = AffineCost(base_ms=1.0, row_ms=0.0)

WEATHER = Tool(
    "get",
    "",
    {"properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}, "required": ["a"]},
    read_only=True,
)


def model(case: Case, whim: Whim, is_oracle: bool):
    return case.oracle() if is_oracle else whim.writer(case.vocabulary)


def simulated(schedule: str, case: Case, writer, cost: AffineCost, tool_ms: float = 0.0) -> Outcome:
    return simulate(SCHEDULES[schedule](case.request), SimulatedBackend(writer), cost, tool_ms)


def price(cost: AffineCost, command: Pass) -> float:
    """What a pass takes with the host's part, in the words of the cost model's formula."""
    rows = cost.row_ms * command.width + cost.pick_ms * command.pick_count
    return cost.base_ms + rows + cost.context_ms * command.context_tokens + cost.host_ms


@examples(60)
@given(small_cases, whims, st.booleans(), schedule_names, costs)
def test_time_of_an_emission_is_the_sum_of_the_passes_before_it_and_their_host_time(
    case, whim, is_oracle, schedule, cost
):
    expected, at_ms = [], 0.0
    for command in trace(schedule, case.request, model(case, whim, is_oracle)).commands:
        match command:
            case Pass():
                at_ms += price(cost, command)
            case Emit():
                expected.append((command.call, command.status, at_ms))
    emits = simulated(schedule, case, model(case, whim, is_oracle), cost).emits
    assert [(emit.call, emit.status, emit.at_ms) for emit in emits] == expected


@examples(40)
@given(small_cases, whims, schedule_names, costs)
def test_time_never_goes_back_and_passes_do_not_overlap(case, whim, schedule, cost):
    outcome = simulated(schedule, case, whim.writer(case.vocabulary), cost)
    clock_ms = 0.0
    for record in outcome.passes:
        assert record.start_ms == clock_ms + cost.host_ms
        assert record.duration_ms == price(cost, record.command) - cost.host_ms > 0
        clock_ms = record.end_ms
    times = [emit.at_ms for emit in outcome.emits]
    assert times == sorted(times)


@examples(40)
@given(small_cases, st.booleans(), whims, schedule_names, costs, st.data())
def test_time_a_cheaper_device_never_makes_a_call_slower(case, is_oracle, whim, schedule, cost, data):
    parts = {name: getattr(cost, name) for name in ("row_ms", "pick_ms", "context_ms", "host_ms")}
    cheaper = AffineCost(
        base_ms=data.draw(st.integers(1, int(cost.base_ms))),
        **{name: data.draw(st.integers(0, int(value)), label=name) for name, value in parts.items()},
    )
    dear, cheap = (simulated(schedule, case, model(case, whim, is_oracle), c) for c in (cost, cheaper))
    assert [emit.call for emit in cheap.emits] == [emit.call for emit in dear.emits]
    assert all(less.at_ms <= more.at_ms for less, more in zip(cheap.emits, dear.emits, strict=True))


@examples(40)
@given(small_cases, st.booleans(), whims, schedule_names, costs, st.integers(0, 5000).map(float))
def test_time_the_tool_runs_beside_the_decode_and_changes_nothing_of_it(case, is_oracle, whim, schedule, cost, tool_ms):
    alone, beside = (simulated(schedule, case, model(case, whim, is_oracle), cost, ms) for ms in (0.0, tool_ms))
    assert (beside.passes, beside.emits) == (alone.passes, alone.emits)
    starts = {emit.status: emit.at_ms for emit in beside.emits}
    running = (Status.PROVISIONAL, Status.FINAL, Status.CORRECTED)
    assert [run.status for run in beside.tool_runs] == [s for s in starts if s in running]
    for run in beside.tool_runs:
        assert (run.start_ms, run.end_ms) == (starts[run.status], starts[run.status] + tool_ms)
        assert run.kept == (run.status is not Status.PROVISIONAL or Status.CONFIRMED in starts)
    assert sum(run.kept for run in beside.tool_runs) == beside.emits[-1].call.is_complete


@examples(40)
@given(small_cases, st.booleans(), whims, schedule_names)
def test_parity_both_drivers_perform_the_same_commands(case, is_oracle, whim, schedule):
    under_simpy = simulated(schedule, case, model(case, whim, is_oracle), FREE)
    steps = SCHEDULES[schedule](case.request)
    on_the_wall = run_blocking(steps, SimulatedBackend(model(case, whim, is_oracle)))
    assert [(p.command, p.picks) for p in under_simpy.passes] == [(p.command, p.picks) for p in on_the_wall.passes]
    assert [(e.call, e.status) for e in under_simpy.emits] == [(e.call, e.status) for e in on_the_wall.emits]


@examples(20)
@given(small_cases, whims, schedule_names, costs)
def test_determinism_the_same_seed_gives_the_same_record_of_a_simulated_run(case, whim, schedule, cost):
    first, again = (
        simulated(schedule, replace(case), replace(whim).writer(case.vocabulary), cost, 7.0) for _ in range(2)
    )
    assert first == again


def test_a_corrected_call_runs_the_tool_again_and_only_that_run_is_kept():
    case = Case((WEATHER,), WEATHER, {"a": "12", "b": "1"})
    outcome = simulated("schemaweaver", case, case.oracle(), FREE, tool_ms=1e4)
    assert [(run.status, run.kept) for run in outcome.tool_runs] == [
        (Status.PROVISIONAL, False),
        (Status.CORRECTED, True),
    ]


def test_a_confirmed_call_runs_the_tool_once_and_it_starts_before_the_end_of_the_decode():
    case = Case((WEATHER,), WEATHER, {"a": "12"})
    outcome = simulated("schemaweaver", case, case.oracle(), FREE, tool_ms=1e4)
    record = RunRecord("c", "schemaweaver", "simulated", 0, 8, 0, outcome.passes, outcome.emits, outcome.tool_runs)
    assert [(run.status, run.kept) for run in outcome.tool_runs] == [(Status.PROVISIONAL, True)]
    assert record.tool_start_ms < record.final_ms
