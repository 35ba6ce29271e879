"""How a measurement treats a backend, and what it records."""

from collections import Counter
from collections.abc import Sequence

import pytest

from calibration import Cell, Level, Measurement, Plan, Progress, default_plan, measure
from cost_models import AffineCost, Provenance
from engine.backend import Readout
from engine.commands import Drop, Fork, Pass, Trim
from engine.constraint import Constraint

PROVENANCE = Provenance(
    model_file_name="m.gguf",
    model_sha256="ab",
    model_bytes=1,
    engine="fake 1",
    engine_build="",
    threads=2,
    cpu="none",
    os="none",
    date="2026-01-02",
    n_ctx=2048,
)
COST = AffineCost(base_ms=5.0, row_ms=4.0, pick_ms=0.1, context_ms=0.001)
SMALL = Plan(
    (
        Level(fill=(Cell(4, 1, 4), Cell(4, 1, 8)), cells=(Cell(1, 1, 9), Cell(2, 2, 10), Cell(3, 0, 11, True))),
        Level(fill=(Cell(2, 1, 10, True),), cells=(Cell(1, 1, 11), Cell(5, 1, 15))),
    )
)


class NoReadout:
    def pick(self, row: int, constraint: Constraint) -> int:
        raise AssertionError("a calibration takes no picks")


class FakeBackend:
    """Keeps sequences' lengths by llama.cpp's rules, and a clock that only passes and forks move."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.lengths: dict[int, int] = {}
        self.passes: list[Pass] = []

    def run(self, command: Pass) -> Readout:
        (sequence,) = {sequence for row in command.rows for sequence in row.sequences}
        start = self.lengths.get(sequence, 0)
        assert [row.position for row in command.rows] == list(range(start, start + command.width))
        self.lengths[sequence] = start + command.width
        self.passes.append(command)
        self.now_s += COST.pass_ms(command.width, command.pick_count, command.context_tokens) / 1000
        return NoReadout()

    def fork(self, command: Fork) -> None:
        assert not any(target in self.lengths for target in command.targets)
        self.lengths.update(dict.fromkeys(command.targets, self.lengths[command.source]))
        self.now_s += 0.5

    def trim(self, command: Trim) -> None:
        raise AssertionError("a calibration drops whole sequences")

    def drop(self, command: Drop) -> None:
        del self.lengths[command.sequence]

    def clock(self) -> float:
        return self.now_s


def run(plan: Plan = SMALL, budget_s: float = 0.0, seed: int = 0) -> tuple[FakeBackend, Measurement]:
    backend = FakeBackend()
    measured = measure(backend, plan, 7, PROVENANCE, clock=backend.clock, budget_s=budget_s, seed=seed)
    return backend, measured


def orders(measurement: Measurement) -> list[tuple[int, int, int]]:
    return [(sample.rows, sample.picks, sample.context_tokens) for sample in measurement.samples]


@pytest.mark.parametrize("plan", [SMALL, default_plan(2048), default_plan(700, 32)])
def test_every_sweep_times_every_cell(plan: Plan) -> None:
    _, measured = run(plan)
    planned = Counter((cell.rows, cell.picks, cell.context_tokens, cell.held_out) for cell in plan.cells)
    for sweep in range(measured.sweeps):
        samples = [sample for sample in measured.samples if sample.sweep == sweep]
        assert Counter((s.rows, s.picks, s.context_tokens, s.held_out) for s in samples) == planned
        assert [sample.order for sample in samples] == list(range(len(plan.cells)))


def test_a_sample_is_the_time_of_its_pass_alone() -> None:
    _, measured = run()
    for sample in measured.samples:
        assert sample.ms == pytest.approx(COST.pass_ms(sample.rows, sample.picks, sample.context_tokens))


def test_sequences_are_empty_at_the_end() -> None:
    backend, _ = run(default_plan(2048))
    assert backend.lengths == {}


def test_the_last_rows_of_a_pass_are_read() -> None:
    backend, _ = run()
    for command in backend.passes:
        flags = [row.pick for row in command.rows]
        assert flags == sorted(flags)
        assert {row.token for row in command.rows} == {7}


def test_a_warm_up_per_sweep_and_a_narrow_pass_before_each_sample_are_not_recorded() -> None:
    backend, measured = run()
    stepped = sum(len(level.cells) for level in SMALL.levels) * measured.sweeps
    assert len(backend.passes) == len(measured.samples) + measured.sweeps + stepped


def test_every_sample_on_a_branch_comes_behind_a_narrow_pass_at_the_same_place() -> None:
    backend, _ = run()
    branch = [
        command.rows for command in backend.passes if command.rows[0].sequences == (1,) and command.rows[0].position
    ]
    for step, sample in zip(branch[::2], branch[1::2], strict=True):
        assert len(step) == 1
        assert step[0].position == sample[0].position


def test_the_order_of_cells_follows_the_seed() -> None:
    same, again, other = (run(default_plan(2048), seed=seed)[1] for seed in (1, 1, 2))
    assert same == again
    assert orders(same) != orders(other)
    assert same.seed == 1


def test_sweeps_differ_in_order_but_keep_their_levels() -> None:
    _, measured = run(default_plan(2048))
    sweeps = [[s for s in measured.samples if s.sweep == sweep] for sweep in range(3)]
    assert [s.rows for s in sweeps[0]] != [s.rows for s in sweeps[1]]
    starts = [[s.context_tokens - s.rows for s in sweep] for sweep in sweeps]
    assert all(start == sorted(start) for start in starts)


def sweep_s(plan: Plan) -> float:
    backend, measured = run(plan)
    return backend.now_s / measured.sweeps


@pytest.mark.parametrize(("sweeps_worth", "sweeps"), [(0.0, 3), (3.5, 3), (5.5, 5)])
def test_sweeps_go_on_while_another_one_fits_the_budget(sweeps_worth: float, sweeps: int) -> None:
    _, measured = run(budget_s=sweeps_worth * sweep_s(SMALL))
    assert measured.sweeps == sweeps


def test_progress_is_told_after_every_cell() -> None:
    backend, told = FakeBackend(), list[Progress]()
    measured = measure(backend, SMALL, 7, PROVENANCE, clock=backend.clock, budget_s=0.0, progress=told.append)
    assert len(told) == len(measured.samples)
    assert (told[-1].sweep, told[-1].done_cells, told[-1].total_cells) == (2, 8, 8)
    assert is_rising([progress.elapsed_s for progress in told])


def is_rising(values: Sequence[float]) -> bool:
    return list(values) == sorted(set(values))


def test_where_it_was_measured_is_kept() -> None:
    _, measured = run()
    assert measured.provenance == PROVENANCE
    assert measured.host_samples_ms == ()
