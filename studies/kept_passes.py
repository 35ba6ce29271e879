"""Passes that were simulated before, in files by all that they depend on: one for each schedule."""

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from sim.pass_file import PassFile, PassKey, read_passes, write_passes
from sim.pass_table import joined

Made = Callable[[Sequence[str]], PassFile]
"""What simulates the schedules with these names."""


def cache_folder() -> Path:
    """Where passes are kept unless a folder is named: in the user's cache."""
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "schemaweaver" / "passes"


def kept_or_made(folder: Path, key: PassKey, make: Made) -> PassFile:
    """The passes of `key`: those of each schedule from its file in `folder`, and the others made now, and kept there.

    Raises InputError where a file is damaged.
    """
    files = {name: file for name in key.schedules if (file := _kept(folder, key.of_schedule(name)))}
    if missing := [name for name in key.schedules if name not in files]:
        files |= _keep(folder, key, make(missing), missing)
    parts = [files[name] for name in key.schedules]
    return PassFile(key, joined([part.table for part in parts]), parts[0].unwritten)


def _kept(folder: Path, key: PassKey) -> PassFile | None:
    path = _path(folder, key)
    return read_passes(path) if path.exists() else None


def _keep(folder: Path, key: PassKey, made: PassFile, schedules: Sequence[str]) -> dict[str, PassFile]:
    folder.mkdir(parents=True, exist_ok=True)
    files = {}
    for name in schedules:
        table = made.table.chosen(made.table.schedules == name)
        files[name] = replace(made, key=key.of_schedule(name), table=table)
        write_passes(_path(folder, files[name].key), files[name])
    return files


def _path(folder: Path, key: PassKey) -> Path:
    return folder / f"{key.schedules[0]}-{key.digest()}.parquet"
