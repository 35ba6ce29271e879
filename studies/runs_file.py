"""Runs on disk: JSON lines, first what was run on what, then one run per line."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cost_models import CostModelError, Provenance, write_whole
from cost_models.json_node import JsonNode
from engine.errors import InputError
from engine.records import RunRecord, run_from_json, run_to_json
from studies.planned_runs import PlannedRuns

RUNS_FORMAT = "schemaweaver-runs-1"


@dataclass(frozen=True, slots=True)
class RunsHeader:
    """What the runs of a file have in common: the workload and its seed, the call format, and the machine.

    `planned` says which runs the file is to hold, None where nobody could go on with them.
    """

    workload: str
    seed: int
    call_format: str
    provenance: Provenance
    planned: PlannedRuns | None = None


@dataclass(frozen=True, slots=True)
class RunsFile:
    """A file of runs."""

    header: RunsHeader
    runs: tuple[RunRecord, ...]


def write_runs(path: Path, header: RunsHeader, runs: Iterable[RunRecord]) -> None:
    """Write a file of runs, whole or not at all."""
    write_whole(path, "".join([_line({"format": RUNS_FORMAT, **asdict(header)}), *map(run_line, runs)]))


def run_line(run: RunRecord) -> str:
    """The line of a file that holds `run`, its end included."""
    return _line(run_to_json(run))


def read_runs(path: Path) -> RunsFile:
    """Read a file of runs; raises InputError naming the file, the line and what is wrong."""
    return _read(path, _bytes(path))


def read_runs_so_far(path: Path) -> RunsFile:
    """`read_runs` of a file whose writing may have stopped anywhere: a last line that has no end is left out."""
    whole, end, _ = _bytes(path).rpartition(b"\n")
    return _read(path, whole + end)


def header_if_any(path: Path) -> RunsHeader | None:
    """The header of the file at `path`, None where there is no file or no header in it."""
    try:
        first, *_ = _bytes(path).split(b"\n", 1)
        return _header(path, [_json(path, 1, first.decode(errors="replace"))])
    except InputError:
        return None


def check_same_ground(files: Sequence[tuple[Path, RunsFile]]) -> None:
    """Raise InputError unless all files are of the same workload."""
    kinds = {(file.header.workload, file.header.seed) for _, file in files}
    if len(kinds) > 1:
        found = "; ".join(f"{path}: {file.header.workload}, seed {file.header.seed}" for path, file in files)
        raise InputError(f"the files hold runs of different workloads: {found}")


def _line(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False) + "\n"


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error


def _read(path: Path, content: bytes) -> RunsFile:
    try:
        # Only "\n" ends a line: JSON leaves other characters that `splitlines` takes for ends as they are.
        lines = content.decode().removesuffix("\n").split("\n")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: cannot be read: {error}") from error
    items = [_json(path, number, line) for number, line in enumerate(lines, start=1)]
    return RunsFile(_header(path, items), tuple(_run(path, number, item) for number, item in enumerate(items[1:], 2)))


def _json(path: Path, number: int, line: str) -> Any:
    try:
        return json.loads(line)
    except json.JSONDecodeError as error:
        raise InputError(f"{path}: line {number}: no JSON: {error.msg}") from None


def _header(path: Path, items: Sequence[Any]) -> RunsHeader:
    if not items or not isinstance(items[0], dict) or items[0].get("format") != RUNS_FORMAT:
        raise InputError(f'{path}: line 1: expected a header with "format": "{RUNS_FORMAT}"')
    node = JsonNode(items[0], str(path))
    try:
        at = node.fields("format", "workload", "seed", "call_format", "provenance", "planned", optional=("planned",))
        provenance = Provenance.from_json(at["provenance"])
        planned = None if at["planned"].value is None else PlannedRuns.from_json(at["planned"])
        return RunsHeader(at["workload"].text(), at["seed"].whole(), at["call_format"].text(), provenance, planned)
    except CostModelError as error:
        raise InputError(str(error)) from error


def _run(path: Path, number: int, item: Any) -> RunRecord:
    try:
        return run_from_json(item)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise InputError(f"{path}: line {number}: no run: {type(error).__name__}: {error}") from error
