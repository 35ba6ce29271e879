"""Passes that were simulated before, in files by all that they depend on: one for each schedule."""

from collections.abc import Callable, Sequence
from pathlib import Path

from engine.machine import user_cache
from sim.pass_file import PassFile, PassKey, read_passes, write_passes
from sim.pass_table import PassTable, joined

Make = Callable[[Sequence[str]], PassTable]
"""What counts the passes of the schedules with these names."""


def cache_folder() -> Path:
    """Where passes are kept unless a folder is named: in the user's cache."""
    return user_cache() / "passes"


def kept_or_made(folder: Path, key: PassKey, make: Make) -> PassTable:
    """The passes of `key`: those of each schedule from its file in `folder`, and the others made now, and kept there.

    Raises InputError where a file is damaged.
    """
    tables = {name: table for name in key.schedules if (table := _kept(folder, key.of_schedule(name)))}
    if missing := [name for name in key.schedules if name not in tables]:
        made = make(missing)
        tables |= {name: made.chosen(made.schedules == name) for name in missing}
        folder.mkdir(parents=True, exist_ok=True)
        for name in missing:
            own = key.of_schedule(name)
            write_passes(_path(folder, own), PassFile(own, tables[name]))
    return joined([tables[name] for name in key.schedules])


def _kept(folder: Path, key: PassKey) -> PassTable | None:
    path = _path(folder, key)
    return read_passes(path).table if path.exists() else None


def _path(folder: Path, key: PassKey) -> Path:
    return folder / f"{key.schedules[0]}-{key.digest()}.parquet"
