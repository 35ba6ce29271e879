"""Timing a plan's passes on a backend. Runs on a phone: needs no package beyond numpy."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from calibration.measurement import Measurement, Sample
from calibration.plan import Cell, Plan
from cost_models.provenance import Provenance
from engine.backend import Backend
from engine.commands import TRUNK, Drop, Fork, Pass, Phase, Row

BRANCH = 1
"""The sequence that cells run in, so that the trunk keeps its length."""
WARM_UP_ROWS = 8
LEAST_SWEEPS = 3
"""With fewer, a median cannot outvote one disturbed sample."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a measurement is: the sweep it is in, from 0, the passes timed of it, and the time so far."""

    sweep: int
    done_cells: int
    total_cells: int
    elapsed_s: float


def measure(
    backend: Backend,
    plan: Plan,
    token: int,
    provenance: Provenance,
    *,
    clock: Callable[[], float] = time.perf_counter,
    budget_s: float = 45.0,
    least_sweeps: int = LEAST_SWEEPS,
    seed: int = 0,
    progress: Callable[[Progress], None] = lambda _: None,
) -> Measurement:
    """Time every cell of `plan` in each sweep, `least_sweeps` times or more while `budget_s` seconds last.

    A sample is the time from handing a pass to `backend` until its readout is back, by `clock` (seconds), in
    milliseconds; picks are not taken. An untimed pass of one row goes before each. All rows hold `token`; the last
    ones of a pass ask for its picks. Cells of one level are shuffled by `seed`, and sweeps repeat whole, so a device
    that slows down slows all cells alike. Sequences 0 and 1 of `backend` must be empty, and are left empty. The
    least sweeps are run even where they outlast the budget. Raises what `backend` raises; its memory is then as that
    left it.
    """
    started, shuffler = clock(), Random(seed)
    samples: list[Sample] = []
    sweep, longest_s = 0, 0.0
    while sweep < least_sweeps or clock() - started + longest_s <= budget_s:
        sweep_started = clock()
        for order, (cell, ms) in enumerate(_sweep(backend, plan, token, clock, shuffler)):
            samples.append(_sample(cell, sweep, order, ms))
            progress(Progress(sweep, order + 1, len(plan.cells), clock() - started))
        sweep, longest_s = sweep + 1, max(longest_s, clock() - sweep_started)
    return Measurement(provenance=provenance, samples=tuple(samples), seed=seed)


def _sweep(
    backend: Backend, plan: Plan, token: int, clock: Callable[[], float], shuffler: Random
) -> Iterator[tuple[Cell, float]]:
    _warm_up(backend, token)
    for level in plan.levels:
        for cell in level.fill:
            yield cell, _timed_ms(backend, _pass(cell, token, TRUNK), clock)
        for cell in shuffler.sample(level.cells, len(level.cells)):
            yield cell, _on_a_branch_ms(backend, cell, token, clock)
    backend.drop(Drop(TRUNK))


def _warm_up(backend: Backend, token: int) -> None:
    # The first pass after a pause wakes threads and clocks up; its time says nothing about the others.
    backend.run(_pass(Cell(WARM_UP_ROWS, 1, WARM_UP_ROWS), token, BRANCH))
    backend.drop(Drop(BRANCH))


def _on_a_branch_ms(backend: Backend, cell: Cell, token: int, clock: Callable[[], float]) -> float:
    # Decoding comes to a pass from a narrow one, and not from the widest of the plan, which leaves the caches full
    # of its own activations: so does every sample.
    step = Cell(1, 1, cell.start_tokens + 1)
    _run_on_branch(backend, step, token, clock)
    return _run_on_branch(backend, cell, token, clock)


def _run_on_branch(backend: Backend, cell: Cell, token: int, clock: Callable[[], float]) -> float:
    backend.fork(Fork(TRUNK, (BRANCH,)))
    ms = _timed_ms(backend, _pass(cell, token, BRANCH), clock)
    backend.drop(Drop(BRANCH))
    return ms


def _timed_ms(backend: Backend, command: Pass, clock: Callable[[], float]) -> float:
    start = clock()
    backend.run(command)
    return (clock() - start) * 1000.0


def _pass(cell: Cell, token: int, sequence: int) -> Pass:
    first_pick = cell.context_tokens - cell.picks
    positions = range(cell.start_tokens, cell.context_tokens)
    return Pass(Phase.PROMPT, tuple(Row(token, at, (sequence,), at >= first_pick) for at in positions))


def _sample(cell: Cell, sweep: int, order: int, ms: float) -> Sample:
    return Sample(
        rows=cell.rows,
        picks=cell.picks,
        context_tokens=cell.context_tokens,
        held_out=cell.held_out,
        sweep=sweep,
        order=order,
        ms=ms,
    )
