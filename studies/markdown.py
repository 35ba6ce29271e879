"""Sections of text and tables as Markdown."""

from collections.abc import Iterable

from studies.report import Section
from studies.text_table import Table


def markdown(title: str, introduction: str, sections: Iterable[Section]) -> str:
    """A page of its own: the title, the introduction, and each section: its note, its tables, its remarks as a list."""
    parts = [f"# {title}", introduction]
    for section in sections:
        remarks = "\n".join(f"* {remark}" for remark in section.remarks)
        parts += [f"## {section.title}", section.note, *map(markdown_table, section.tables), remarks]
    return "\n\n".join(part for part in parts if part) + "\n"


def markdown_table(table: Table) -> str:
    """`table` with its columns of numbers aligned to the right."""
    aligned = ("---" if column < table.label_columns else "---:" for column in range(len(table.headers)))
    return "\n".join(map(_line, (table.headers, tuple(aligned), *table.rows)))


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(map(_cell, cells))} |"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", r"\|")
