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

RUNS_FORMAT = "schemaweaver-runs-1"


@dataclass(frozen=True, slots=True)
class RunsHeader:
    """What the runs of a file have in common: the workload and its seed, the call format, and the machine."""

    workload: str
    seed: int
    call_format: str
    provenance: Provenance


@dataclass(frozen=True, slots=True)
class RunsFile:
    """A file of runs."""

    header: RunsHeader
    runs: tuple[RunRecord, ...]


def write_runs(path: Path, header: RunsHeader, runs: Iterable[RunRecord]) -> None:
    """Write a file of runs, whole or not at all."""
    lines = [{"format": RUNS_FORMAT, **asdict(header)}, *(run_to_json(run) for run in runs)]
    write_whole(path, "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))


def read_runs(path: Path) -> RunsFile:
    """Read a file of runs; raises InputError naming the file, the line and what is wrong."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read: {getattr(error, 'strerror', error)}") from error
    items = [_json(path, number, line) for number, line in enumerate(lines, start=1)]
    return RunsFile(_header(path, items), tuple(_run(path, number, item) for number, item in enumerate(items[1:], 2)))


def check_same_ground(files: Sequence[tuple[Path, RunsFile]]) -> None:
    """Raise InputError unless all files are of the same workload."""
    kinds = {(file.header.workload, file.header.seed) for _, file in files}
    if len(kinds) > 1:
        found = "; ".join(f"{path}: {file.header.workload}, seed {file.header.seed}" for path, file in files)
        raise InputError(f"the files hold runs of different workloads: {found}")


def _json(path: Path, number: int, line: str) -> Any:
    try:
        return json.loads(line)
    except json.JSONDecodeError as error:
        raise InputError(f"{path}: line {number}: no JSON: {error.msg}") from None


def _header(path: Path, items: Sequence[Any]) -> RunsHeader:
    if not items or not isinstance(items[0], dict) or items[0].get("format") != RUNS_FORMAT:
        raise InputError(f'{path}: line 1: expected a header with "format": "{RUNS_FORMAT}"')
    node = JsonNode(items[0], str(path))
    at = node.fields("format", "workload", "seed", "call_format", "provenance")
    try:
        provenance = Provenance.from_json(at["provenance"])
        return RunsHeader(at["workload"].text(), at["seed"].whole(), at["call_format"].text(), provenance)
    except CostModelError as error:
        raise InputError(str(error)) from error


def _run(path: Path, number: int, item: Any) -> RunRecord:
    try:
        return run_from_json(item)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise InputError(f"{path}: line {number}: no run: {type(error).__name__}: {error}") from error
