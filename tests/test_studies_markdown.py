"""Markdown of sections and tables."""

from studies.markdown import markdown, markdown_table
from studies.report import Section
from studies.text_table import Table

TABLE = Table(("name", "time\nms"), (("a|b", "1.0"), ("c", "-")))


def test_numbers_are_aligned_and_nothing_in_a_cell_ends_it():
    assert markdown_table(TABLE).splitlines() == [
        "| name | time ms |",
        "| --- | ---: |",
        r"| a\|b | 1.0 |",
        "| c | - |",
    ]


def test_a_page_has_a_heading_for_each_section_and_blank_lines_between_parts():
    page = markdown("Page", "First.", [Section("One", "A note.", (TABLE,)), Section("Two")])
    assert page.split("\n\n") == ["# Page", "First.", "## One", "A note.", markdown_table(TABLE), "## Two\n"]
