"""Passes on disk: what is written is read, and what is no file of passes is refused with file and column."""

import json
import re
from dataclasses import fields, replace
from io import BytesIO

import numpy as np
import polars as pl
import pytest

from engine.commands import Phase
from engine.errors import InputError
from sim.pass_file import COLUMNS, PassFile, PassKey, read_passes, write_passes
from sim.pass_table import PHASES, joined, pass_table
from tests.records_builder import PASS_KEY, study

KEY = PASS_KEY
TABLE = pass_table(study(calls=3, repeats=1))
FILE = PassFile(KEY, TABLE, "schemaweaver passes --workload 北京.jsonl")


@pytest.fixture
def path(tmp_path):
    """A file of passes."""
    write_passes(tmp_path / "p.parquet", FILE)
    return tmp_path / "p.parquet"


def metadata_of(path):
    return pl.read_parquet_metadata(BytesIO(path.read_bytes()))["schemaweaver"]


def rewritten(path, frame, metadata=None):
    frame.write_parquet(path, metadata={"schemaweaver": metadata or metadata_of(path)})


def read_problem(path):
    """What the refusal says behind the file's name."""
    with pytest.raises(InputError, match=f"^{re.escape(str(path))}: ") as raised:
        read_passes(path)
    return str(raised.value).removeprefix(f"{path}: ")


def test_what_is_written_is_read(path):
    file = read_passes(path)
    assert (file.key, file.command) == (FILE.key, FILE.command)
    for field in fields(TABLE):
        found, expected = getattr(file.table, field.name), getattr(TABLE, field.name)
        assert np.array_equal(found, expected), field.name
        assert found.dtype.kind == expected.dtype.kind


def test_the_head_is_kept_and_files_from_before_there_were_any_have_none(path):
    write_passes(path, replace(FILE, key=replace(KEY, head="acceptance=0.7,depth=8")))
    assert read_passes(path).key.head == "acceptance=0.7,depth=8"
    data = json.loads(metadata_of(path))
    del data["key"]["head"]
    rewritten(path, pl.read_parquet(path), json.dumps(data))
    assert read_passes(path).key == KEY


def test_every_phase_and_a_prompt_that_is_longer_than_a_pass_are_kept(tmp_path):
    count = len(TABLE.runs)
    phases = np.arange(count) % len(PHASES)
    table = replace(TABLE, phases=phases, context_tokens=np.arange(count) * 97 + 1)
    write_passes(tmp_path / "p.parquet", replace(FILE, table=table))
    read = read_passes(tmp_path / "p.parquet").table
    assert np.array_equal(read.phases, phases)
    assert np.array_equal(read.context_tokens, table.context_tokens)


def test_a_file_without_runs_is_read(tmp_path):
    write_passes(tmp_path / "p.parquet", replace(FILE, table=joined([])))
    assert read_passes(tmp_path / "p.parquet").table.run_count == 0


def test_equal_tables_make_equal_files(tmp_path, path):
    write_passes(tmp_path / "q.parquet", read_passes(path))
    assert (tmp_path / "q.parquet").read_bytes() == path.read_bytes()


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda f: f.drop("rows", "picks"), f"lacks the columns rows, picks; expected {', '.join(COLUMNS)}"),
        (lambda f: f.with_columns(pl.col("arguments").cast(pl.Int64)), "column arguments: found Int64, expected Int32"),
        (
            lambda f: f.with_columns(pl.col("picks").cast(pl.List(pl.Float64))),
            "column picks: found List(Float64), expected List(Int32)",
        ),
        (
            lambda f: f.with_columns(pl.lit(None, pl.String).alias("call_ids")),
            "column call_ids: found null, expected a value in every row",
        ),
        (
            lambda f: f.with_columns(pl.col("picks").list.head(2)),
            "column picks: expected one or more passes in each row, as many as in rows",
        ),
        (
            lambda f: f.with_columns(pl.col(*(n for n in COLUMNS if f.schema[n] == pl.List)).list.head(0)),
            "column phases: expected one or more passes in each row, as many as in rows",
        ),
        (
            lambda f: f.with_columns(pl.col("picks").list.eval(pl.element().replace(1, None))),
            "column picks: found null, expected a value for every pass",
        ),
        (
            lambda f: f.with_columns(pl.col("phases").list.eval(pl.element().replace("name", "guess"))),
            f"column phases: found 'guess', expected one of {', '.join(Phase)}",
        ),
        (lambda f: f.with_columns(pl.col("rows") * 0), "rows[0]: found 0, expected 1 or more"),
        (
            lambda f: f.with_columns(final_passes=pl.lit(999, pl.Int32)),
            "final_passes[0]: found 999, expected",
        ),
    ],
)
def test_columns_that_are_none_of_passes_are_refused(path, change, problem):
    rewritten(path, change(pl.read_parquet(path)))
    assert read_problem(path).startswith(problem)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda data: data | {"format": "x"}, '$.format: found "x", expected "schemaweaver-passes-1"'),
        (lambda data: data | {"key": data["key"] | {"seed": "3"}}, '$.key.seed: found "3", expected a whole number'),
        (lambda data: {k: v for k, v in data.items() if k != "command"}, "$: lacks command"),
        (lambda data: data | {"command": 1}, "$.command: found 1, expected a string"),
    ],
)
def test_metadata_that_does_not_fit_is_refused(path, change, problem):
    rewritten(path, pl.read_parquet(path), json.dumps(change(json.loads(metadata_of(path)))))
    assert read_problem(path).startswith(problem)


def test_other_files_are_refused(tmp_path, path):
    rewritten(path, pl.read_parquet(path), "{")
    assert "expected JSON in the file's metadata" in read_problem(path)
    pl.read_parquet(path).write_parquet(path)
    assert read_problem(path) == "no passes: its metadata lacks 'schemaweaver'"
    path.write_text("no Parquet")
    assert read_problem(path).startswith("no Parquet file: ")
    assert read_problem(tmp_path / "none.parquet") == "cannot be read: No such file or directory"


@pytest.mark.parametrize("name", [field.name for field in fields(PassKey)])
def test_keys_are_equal_only_where_all_of_them_is(name):
    value = getattr(KEY, name)
    other = value + 1 if isinstance(value, int) else (*value, "x") if isinstance(value, tuple) else f"{value}x"
    assert replace(KEY, **{name: other}).digest() != KEY.digest() == replace(KEY).digest()
