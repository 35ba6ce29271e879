"""Passes of whole workloads by name, as files in this folder: so that studies need no model.

`schemaweaver passes` makes them; each one's metadata says by which command, with which vocabulary and which code.
"""

from pathlib import Path

from engine.errors import InputError
from sim.pass_file import PassFile, read_passes

_FOLDER = Path(__file__).parent


def pass_data_names() -> tuple[str, ...]:
    """The names, sorted."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.parquet")))


def read_pass_data(name: str) -> PassFile:
    """The passes called `name`; raises InputError that lists the names."""
    if name not in pass_data_names():
        raise InputError(f"unknown passes {name!r}; choose one of: {', '.join(pass_data_names())}")
    return read_passes(_FOLDER / f"{name}.parquet")
