"""What BFCL's calls have that their passes do not tell: `python -m studies.paper.bfcl_calls` counts it anew."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from engine.errors import InputError
from sim.distinct_passes import IntArray
from sim.pass_table import PassTable, TextArray
from sim.workload import WorkloadCall
from studies.workloads import load_workload

COUNTED = Path(__file__).with_suffix(".parquet")
WORKLOAD = "bfcl:all"


@dataclass(frozen=True, slots=True, eq=False)
class BfclCalls:
    """One entry per call, shape (calls,): its tool, and that tool's required and optional arguments.

    `arguments` are those that the dataset's answer cannot do without.
    """

    call_ids: TextArray
    tools: TextArray
    arguments: IntArray
    required: IntArray
    optional: IntArray


@cache
def read_bfcl_calls() -> BfclCalls:
    """The calls as counted in the file beside this module."""
    frame = pl.read_parquet(COUNTED)
    return BfclCalls(**{name: frame[name].to_numpy() for name in BfclCalls.__dataclass_fields__})


def required_arguments(table: PassTable) -> IntArray:
    """How many arguments the tool of each run's call requires, shape (runs,); raises InputError on an unknown call."""
    return _by_call(table, read_bfcl_calls().required)


def answered_arguments(table: PassTable) -> IntArray:
    """How many arguments each run's call has in the dataset's answer, shape (runs,), whatever the run added to them."""
    return _by_call(table, read_bfcl_calls().arguments)


def _by_call(table: PassTable, numbers: IntArray) -> IntArray:
    known = dict(zip(read_bfcl_calls().call_ids.tolist(), numbers.tolist(), strict=True))
    unknown = [name for name in table.call_ids.tolist() if name not in known]
    if unknown:
        raise InputError(f"{COUNTED.name}: no call {unknown[0]!r}; count the calls of {WORKLOAD} anew")
    return np.array([known[name] for name in table.call_ids.tolist()], dtype=np.int64)


def counted(calls: tuple[WorkloadCall, ...]) -> pl.DataFrame:
    """A row per call."""
    return pl.DataFrame([_row(call) for call in calls])


def _row(call: WorkloadCall) -> dict[str, Any]:
    return {
        "call_ids": call.call_id,
        "tools": call.tool_name,
        "arguments": call.argument_count,
        "required": len(call.tool.required),
        "optional": len(call.tool.optional),
    }


if __name__ == "__main__":
    counted(load_workload(WORKLOAD, seed=0)).write_parquet(COUNTED, compression_level=19, statistics=False)
