"""Passes of a workload that were counted before, for what-ifs that change none of them."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from engine.errors import InputError
from sim.draws import even_draws
from sim.pass_data import pass_data_names, read_pass_data
from sim.pass_file import PassFile, read_passes
from studies.families import family_of
from studies.sweep.drawn_passes import DrawnPasses

DEFAULT_PASSES = "bfcl-read-only-qwen"


def default_passes(model: str) -> str:
    """The name of the passes that a model's calls are priced by unless others are named: those of its family.

    Where it is of none that passes were counted for: `DEFAULT_PASSES`.
    """
    family = family_of(model)
    return DEFAULT_PASSES if family is None else f"bfcl-read-only-{family}"


def find_passes(name: str) -> PassFile:
    """The passes that `name` means, those that come with the project or a file; raises InputError with the names."""
    if name in pass_data_names():
        return read_pass_data(name)
    if not Path(name).is_file():
        raise InputError(f"{name}: no such file, nor passes by name; by name: {', '.join(pass_data_names())}")
    return read_passes(Path(name))


def other_tile(tile_rows: int | None, tiles: Iterable[int]) -> str:
    """What to warn of where kept passes were filled up to another tile than one of the devices' `tiles`, else "".

    `tile_rows` None: the passes are none that were kept.
    """
    others = sorted({tile for tile in tiles if tile_rows not in (None, tile)})
    if not others:
        return ""
    filled = f"the kept passes are filled up to {tile_rows} rows, but devices compute {' and '.join(map(str, others))}"
    return f"{filled} at once; sweep runs schedules anew with --tile or --batch"


def kept_passes(file: PassFile, schedules: Sequence[str], calls: int, seed: int) -> DrawnPasses:
    """`calls` of a file, drawn evenly over the number of arguments out of those that every schedule wrote whole.

    Raises InputError where the file lacks one of `schedules`, or has fewer calls.
    """
    tables = {name: file.table.of_schedule(name) for name in dict.fromkeys(schedules)}
    whole = [set(table.call_ids[table.statuses != "incomplete"].tolist()) for table in tables.values()]
    first = next(iter(tables.values()))
    first = first.chosen(np.isin(first.call_ids, sorted(set.intersection(*whole))))
    (drawn,) = even_draws(first.arguments, calls, 1, seed)
    ids = first.call_ids[drawn]
    chosen = {name: table.chosen(np.isin(table.call_ids, ids)) for name, table in tables.items()}
    return DrawnPasses(chosen, file.key.vocabulary, file.key.tile_rows)
