"""Passes on disk: a Parquet file with a row per run, and in its metadata what the passes depend on."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from cost_models import CostModelError, write_whole
from cost_models.json_node import JsonNode, json_text
from engine.errors import InputError
from sim.pass_table import PASS_ARRAYS, PHASES, RUN_ARRAYS, PassTable, table_of

PASSES_FORMAT = "schemaweaver-passes-1"

COLUMNS: Mapping[str, pl.DataType] = {
    "call_ids": pl.String(),
    "schedules": pl.String(),
    "statuses": pl.String(),
    "prompt_tokens": pl.Int32(),
    "arguments": pl.Int32(),
    "prompt_passes": pl.Int32(),
    "tool_start_passes": pl.Int32(),
    "final_passes": pl.Int32(),
    "phases": pl.List(pl.String()),
    "rows": pl.List(pl.Int32()),
    "picks": pl.List(pl.Int32()),
    "call_tokens": pl.List(pl.Int32()),
}
"""The file's columns: those of a `PassTable`, with the context of a pass counted from the prompt's end.

So written, most of the numbers are small and alike, and the file is too.
"""

_LISTS = tuple(name for name, kind in COLUMNS.items() if isinstance(kind, pl.List))
_METADATA_KEY = "schemaweaver"
_COMPRESSION_LEVEL = 19
_LATER = ("head",)
"""What keys of older files lack."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PassKey:
    """All that passes depend on: equal keys, equal passes.

    `calls_sha256` is of the workload's calls, whatever its name; `code_sha256` of the schedules and of what decides
    beside them. `template` is the chat template's file, "" where the vocabulary's own was taken or none; its digest is
    of its text, "" for none. `engine` names the libraries that tokenize and constrain. `head` says what drafts for
    `speculative`, "" where that is looked up in the prompt.
    """

    workload: str
    seed: int
    calls_sha256: str
    schedules: tuple[str, ...]
    vocabulary: str
    vocabulary_sha256: str
    template: str
    template_sha256: str
    call_format: str
    tile_rows: int
    max_call_tokens: int
    draft_tokens: int
    context_tokens: int
    engine: str
    code_sha256: str
    head: str = ""

    def digest(self) -> str:
        """The same for equal keys, in hex."""
        return sha256(json_text(asdict(self)).encode()).hexdigest()

    def of_schedule(self, schedule: str) -> "PassKey":
        """The key of one schedule's passes alone."""
        return replace(self, schedules=(schedule,))

    @classmethod
    def from_json(cls, data: JsonNode) -> "PassKey":
        """The inverse of `dataclasses.asdict`; raises CostModelError naming file, path, value and what is valid."""
        at = data.fields(*cls.__dataclass_fields__, optional=_LATER)
        wholes = ("seed", "tile_rows", "max_call_tokens", "draft_tokens", "context_tokens")
        known: dict[str, Any] = {name: at[name].whole() for name in wholes}
        known["schedules"] = tuple(item.text() for item in at["schedules"].items())
        stated = {name: node for name, node in at.items() if name not in _LATER or node.value is not None}
        known |= {name: node.text() for name, node in stated.items() if name not in known}
        return cls(**known)


@dataclass(frozen=True, slots=True, eq=False)
class PassFile:
    """A table with what it depends on and the command that made it, "" where that was no command."""

    key: PassKey
    table: PassTable
    command: str = ""


def write_passes(path: Path, file: PassFile) -> None:
    """Write `file` to `path`, whole or not at all."""
    metadata = {"format": PASSES_FORMAT, "key": asdict(file.key), "command": file.command}
    content = BytesIO()
    _frame(file.table).write_parquet(
        content,
        compression="zstd",
        compression_level=_COMPRESSION_LEVEL,
        statistics=False,
        metadata={_METADATA_KEY: json.dumps(metadata, ensure_ascii=False)},
    )
    write_whole(path, content.getvalue())


def read_passes(path: Path) -> PassFile:
    """The passes in a file; raises InputError naming the file, the column and what is wrong."""
    try:
        content = path.read_bytes()
        metadata = pl.read_parquet_metadata(BytesIO(content))
        frame = pl.read_parquet(BytesIO(content))
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    except pl.exceptions.PolarsError as error:
        raise InputError(f"{path}: no Parquet file: {error}") from error
    if _METADATA_KEY not in metadata:
        raise InputError(f"{path}: no passes: its metadata lacks {_METADATA_KEY!r}")
    try:
        key, command = _facts(JsonNode(metadata[_METADATA_KEY], str(path)))
    except CostModelError as error:
        raise InputError(str(error)) from error
    return PassFile(key, _table(path, frame), command)


def _facts(text: JsonNode) -> tuple[PassKey, str]:
    try:
        data = json.loads(text.text())
    except json.JSONDecodeError:
        raise text.wrong("JSON in the file's metadata") from None
    at = JsonNode(data, text.source).fields("format", "key", "command")
    at["format"].exactly(PASSES_FORMAT)
    return PassKey.from_json(at["key"]), at["command"].text()


def _frame(table: PassTable) -> pl.DataFrame:
    lists = pl.DataFrame(
        {
            "run": table.runs,
            "phases": np.array(PHASES)[table.phases],
            "rows": table.rows,
            "picks": table.picks,
            "call_tokens": table.context_tokens - table.prompt_tokens[table.runs],
        },
        schema={"run": pl.Int64(), **{name: _inner(name) for name in _LISTS}},
    )
    of_runs = {name: getattr(table, name) for name in RUN_ARRAYS}
    runs = pl.DataFrame(of_runs, schema={name: COLUMNS[name] for name in RUN_ARRAYS})
    return runs.hstack(lists.group_by("run", maintain_order=True).agg(pl.all()).drop("run"))


def _inner(name: str) -> Any:
    kind = COLUMNS[name]
    return kind.inner if isinstance(kind, pl.List) else kind


def _table(path: Path, frame: pl.DataFrame) -> PassTable:
    _check_columns(path, frame)
    lengths = _lengths(path, frame)
    passes = frame.select(_LISTS).explode(_LISTS)
    runs = np.repeat(np.arange(frame.height), lengths)
    arrays: dict[str, Any] = {name: frame[name].to_numpy() for name in RUN_ARRAYS}
    arrays |= {"runs": runs, "phases": _phase_numbers(path, passes["phases"])}
    arrays |= {name: passes[name].to_numpy() for name in PASS_ARRAYS if name in passes.columns and name != "phases"}
    arrays["context_tokens"] = passes["call_tokens"].to_numpy() + arrays["prompt_tokens"][runs]
    try:
        return table_of(arrays)
    except InputError as error:
        raise InputError(f"{path}: {error}") from error


def _check_columns(path: Path, frame: pl.DataFrame) -> None:
    if missing := [name for name in COLUMNS if name not in frame.columns]:
        raise InputError(f"{path}: lacks the columns {', '.join(missing)}; expected {', '.join(COLUMNS)}")
    for name, kind in COLUMNS.items():
        if frame.schema[name] != kind:
            raise InputError(f"{path}: column {name}: found {frame.schema[name]}, expected {kind}")
        if frame[name].null_count():
            raise InputError(f"{path}: column {name}: found null, expected a value in every row")


def _lengths(path: Path, frame: pl.DataFrame) -> Any:
    """How many passes each run has: as many in every column, one at least, and none of them null."""
    expected = frame["rows"].list.len()
    for name in _LISTS:
        found = frame[name].list.len()
        if not found.equals(expected) or (found < 1).any():
            raise InputError(f"{path}: column {name}: expected one or more passes in each row, as many as in rows")
        if frame[name].explode().null_count():
            raise InputError(f"{path}: column {name}: found null, expected a value for every pass")
    return expected.to_numpy()


def _phase_numbers(path: Path, phases: pl.Series) -> Any:
    numbers = {str(phase): number for number, phase in enumerate(PHASES)}
    if unknown := sorted(set(phases.unique()) - set(numbers)):
        raise InputError(f"{path}: column phases: found {unknown[0]!r}, expected one of {', '.join(numbers)}")
    return phases.replace_strict(numbers, return_dtype=pl.Int64).to_numpy()
