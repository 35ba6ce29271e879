"""A file of runs that grows while they are made, and how to go on with one that was left unfinished."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from engine.errors import InputError
from engine.records import RunRecord
from studies.planned_runs import PlannedRuns
from studies.runs_file import RunsHeader, header_if_any, read_runs_so_far, run_line, write_runs

MACHINE = ("model_sha256", "engine", "engine_build", "threads", "cpu", "n_ctx", "context_flags", "extra_buffers")
"""What of a provenance has to be the same for runs of one file; the day may be another."""


def start_runs(path: Path, header: RunsHeader) -> None:
    """Make the file at `path` one without runs; raises InputError as `check_no_unfinished` does."""
    check_no_unfinished(path)
    write_runs(path, header, ())


def check_no_unfinished(path: Path) -> None:
    """Raise InputError where the file at `path` is unfinished, so that nobody throws away what somebody waited for."""
    if missing := missing_runs(path):
        raise InputError(
            f"{path}: lacks {missing} of its planned runs: go on with --resume, remove the file, or name another"
        )


def missing_runs(path: Path) -> int:
    """How many of the planned runs the file at `path` lacks; 0 where it is none that somebody could go on with.

    Raises InputError where a run in it is damaged.
    """
    header = header_if_any(path)
    if header is None or header.planned is None:
        return 0
    there = {(run.call_id, run.schedule, run.repeat) for run in read_runs_so_far(path).runs}
    return max(0, header.planned.count - len(there))


def runs_to_resume(path: Path, header: RunsHeader) -> tuple[RunRecord, ...]:
    """The runs of the calls that the file at `path` holds whole; it holds nothing else then.

    Without a file one is started. Calls of which some run is missing are left out, so that schedules which are compared
    ran at the same time. Raises InputError where the file's header or plan is another, and says in what.
    """
    if not path.exists():
        start_runs(path, header)
        return ()
    file = read_runs_so_far(path)
    if file.header.planned is None or header.planned is None:
        raise InputError(f"{path}: does not say which runs were planned, so nobody can go on with it")
    if differences := _differences(file.header, header):
        raise InputError(f"{path}: cannot be gone on with, its runs are others than these: {'; '.join(differences)}")
    runs = tuple(_of_whole_calls(file.runs, file.header.planned))
    write_runs(path, file.header, runs)
    return runs


def appended(path: Path, runs: Iterable[RunRecord]) -> Iterator[RunRecord]:
    """`runs`, each of them at the end of the file at `path` before it is passed on."""
    with path.open("a", encoding="utf-8", newline="\n") as stream:
        for run in runs:
            stream.write(run_line(run))
            stream.flush()
            yield run


def _of_whole_calls(runs: Iterable[RunRecord], planned: PlannedRuns) -> Iterator[RunRecord]:
    by_call: dict[str, list[RunRecord]] = defaultdict(list)
    for run in runs:
        by_call[run.call_id].append(run)
    for of_call in by_call.values():
        if {(run.schedule, run.repeat) for run in of_call} == planned.of_a_call:
            yield from of_call


def _differences(recorded: RunsHeader, asked: RunsHeader) -> list[str]:
    before, now = _facts(recorded), _facts(asked)
    return [
        f"{name.replace('_', ' ')} {_shown(before[name])} in the file, {_shown(now[name])} here"
        for name in before
        if before[name] != now[name]
    ]


def _facts(header: RunsHeader) -> Mapping[str, Any]:
    named = {"workload": header.workload, "seed": header.seed, "call_format": header.call_format}
    machine = {name: getattr(header.provenance, name) for name in MACHINE}
    return named | machine | (asdict(header.planned) if header.planned else {})


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return str(value) if value != "" else "none"
