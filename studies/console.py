"""What the command line prints with: one console for results, one for everything beside them."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
)
from rich.table import Table as RichTable

OUT = Console(highlight=False)
ERR = Console(stderr=True, highlight=False)


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """A progress display on stderr that disappears when its block ends; silent where stderr is no terminal."""
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=ERR, transient=True, disable=not ERR.is_terminal) as bar:
        yield bar


def step(text: str) -> None:
    """Say on stderr what starts now."""
    ERR.print(text, style="bold")


def print_table(headers: list[str], rows: list[list[str]], title: str = "") -> None:
    """A table on stdout: first column left, the others right; wide enough for its content where it is no terminal."""
    table = RichTable(title=title or None, title_justify="left", title_style="bold", header_style="bold")
    for index, header in enumerate(headers):
        table.add_column(header, justify="left" if index == 0 else "right", overflow="fold")
    for row in rows:
        table.add_row(*row)
    console = OUT if OUT.is_terminal else Console(width=200, highlight=False)
    console.print(table)
