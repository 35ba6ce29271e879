"""Passes of calls as the study of the paper has them, for what-ifs of the system that the paper measured."""

from collections.abc import Sequence

import numpy as np

from sim.pass_data import read_pass_data
from studies.paper.reading import Reading
from studies.paper.workload import Workload, pass_data_of
from studies.sweep.drawn_passes import DrawnPasses


def paper_passes(family: str, schedules: Sequence[str], calls: int, seed: int) -> DrawnPasses:
    """One draw of calls of one family of models: `studies.paper.reading` says how.

    Raises InputError where a schedule's passes were not counted, or there are fewer calls.
    """
    reading = Reading(calls=calls, draws=1, seed=seed)
    workload = Workload(family, reading)
    (drawn,) = workload.draws()
    tables = {name: workload.passes(name) for name in dict.fromkeys(schedules)}
    chosen = {name: table.chosen(np.isin(np.arange(table.run_count), drawn)) for name, table in tables.items()}
    key = read_pass_data(pass_data_of(family, reading)[0]).key
    return DrawnPasses(chosen, key.vocabulary, key.tile_rows)
