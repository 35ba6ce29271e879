"""What a command says when Ctrl-C ends its runs."""

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

from studies.console import ERR

EXIT_CODE = 130
"""What shells give a process that Ctrl-C ended."""


@contextmanager
def said_how_to_go_on(path: Path) -> Iterator[None]:
    """On Ctrl-C, say where the finished runs are and which command goes on with them."""
    try:
        yield
    except KeyboardInterrupt:
        resumed = [argument for argument in sys.argv[1:] if argument != "--resume"]
        command = shlex.join(["schemaweaver", *resumed, "--resume"])
        ERR.print(f"interrupted; finished runs are in {path}; to go on: {command}", markup=False, soft_wrap=True)
        raise typer.Exit(EXIT_CODE) from None
