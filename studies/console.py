"""What the command line prints with: one console for results, one for everything beside them."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from io import StringIO

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
)
from rich.table import Table as RichTable

from studies.text_table import Table

WIDEST = 200
"""Columns that a table may take where it is no terminal that shows it."""

OUT = Console(highlight=False)
ERR = Console(stderr=True, highlight=False)


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """A progress display on stderr that disappears when its block ends; silent where stderr is no terminal."""
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=ERR, transient=True, disable=not ERR.is_terminal) as bar:
        yield bar


def spinner(text: str) -> AbstractContextManager[object]:
    """Shows on stderr that something is going on until its block ends; silent where stderr is no terminal."""
    return ERR.status(text) if ERR.is_terminal else nullcontext()


def step(text: str) -> None:
    """Say on stderr what starts now."""
    ERR.print(text, style="bold", soft_wrap=True)


def say(text: str) -> None:
    """Print a line on stdout as it is: paths in it stay whole, however narrow the terminal."""
    OUT.print(text, soft_wrap=True, markup=False)


def warn(*sentences: str) -> None:
    """Say each sentence that is not empty on stderr, as a warning."""
    for sentence in filter(None, sentences):
        ERR.print(f"warning: {sentence}", style="yellow", markup=False, soft_wrap=True)


def print_text_table(table: Table, title: str = "") -> str:
    """Print a table on stdout, and return it as plain text that is as wide as its content needs."""
    rich_table = RichTable(
        title=title or None, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, padding=0
    )
    for index, header in enumerate(table.headers):
        rich_table.add_column(header, justify="left" if index < table.label_columns else "right", overflow="fold")
    for row in table.rows:
        rich_table.add_row(*map(escape, row))
    text = _plain_text(rich_table)
    if OUT.is_terminal:
        OUT.print(rich_table)
    else:
        OUT.print(text, end="", soft_wrap=True, markup=False)
    return text


def _plain_text(rich_table: RichTable) -> str:
    console = Console(width=WIDEST, file=StringIO(), highlight=False)
    with console.capture() as captured:
        console.print(rich_table)
    lines = captured.get().splitlines()
    return "".join(line.rstrip() + "\n" for line in lines)
