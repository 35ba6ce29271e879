"""Passes of a workload that were counted before, for what-ifs that change none of them."""

from collections.abc import Hashable, Sequence
from pathlib import Path

import numpy as np

from cost_models import CostModel
from engine.errors import InputError
from sim.draws import even_draws
from sim.pass_data import pass_data_names, read_pass_data
from sim.pass_file import PassFile, read_passes
from sim.pass_table import PassTable
from studies.sweep.point import Point

DEFAULT_PASSES = "bfcl-read-only-qwen"


def find_passes(name: str) -> PassFile:
    """The passes that `name` means, those that come with the project or a file; raises InputError with the names."""
    if name in pass_data_names():
        return read_pass_data(name)
    if not Path(name).is_file():
        raise InputError(f"{name}: no such file, nor passes by name; by name: {', '.join(pass_data_names())}")
    return read_passes(Path(name))


class KeptPasses:
    """Some calls of a file, the same ones by every schedule."""

    def __init__(self, file: PassFile, schedules: Sequence[str], calls: int, seed: int) -> None:
        """Draws `calls` of them evenly over the number of arguments, out of those that every schedule wrote whole.

        Raises InputError where the file lacks one of `schedules`, or has fewer calls.
        """
        tables = {name: file.table.of_schedule(name) for name in dict.fromkeys(schedules)}
        whole = [set(table.call_ids[table.statuses != "incomplete"].tolist()) for table in tables.values()]
        first = next(iter(tables.values()))
        first = first.chosen(np.isin(first.call_ids, sorted(set.intersection(*whole))))
        (drawn,) = even_draws(first.arguments, calls, 1, seed)
        ids = first.call_ids[drawn]
        self._tables = {name: table.chosen(np.isin(table.call_ids, ids)) for name, table in tables.items()}

    def key(self, point: Point, cost: CostModel) -> Hashable:
        """The schedule alone."""
        return point.schedule

    def table(self, point: Point, cost: CostModel) -> PassTable:
        """The drawn calls by the point's schedule, whatever the cost."""
        return self._tables[point.schedule]
