import json
from dataclasses import replace
from html.parser import HTMLParser

import polars as pl
import pytest

from engine.errors import InputError
from studies.comparison import compare
from studies.cost_chart import COST_SCHEMA
from studies.report import Report, Section, render, write_report
from studies.sections import study_sections
from studies.tables import latency_table, part_table, work_table
from studies.text_table import Table
from tests.records_builder import study

FIT_ERRORS = Table(("cells", "worst %"), (("held out", "9.1"),))
COST_CELLS = pl.DataFrame([(1, 1, 129, 40.0, "fit", 41.0)], schema=COST_SCHEMA, orient="row")
EVIL = "</script><script>alert('x')</script> & <b>"


class Page(HTMLParser):
    """What a page has: elements with their attributes, and the texts of each kind of element."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.texts, self._open = [], {}, []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        self._open.append(tag)
        self.texts.setdefault(tag, []).append("")

    def handle_endtag(self, tag):
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data):
        if self._open:
            self.texts[self._open[-1]][-1] += data

    def count(self, tag):
        return sum(name == tag for name, _ in self.elements)


def full_report(title="A study", **texts):
    runs = study(3)
    sections = study_sections(compare(runs), runs, FIT_ERRORS, COST_CELLS)
    return Report(title, "What it is.", sections, ("One call at a time.",), "run me", {"model": "small"}, **texts)


@pytest.fixture(scope="module")
def text():
    return render(full_report())


def test_the_page_loads_nothing(text):
    for tag, attributes in Page(text).elements:
        assert tag not in {"link", "iframe", "img", "object", "embed", "base"}
        assert not {"src", "href", "srcset", "action"} & attributes.keys()
    style = "".join(Page(text).texts["style"])
    assert "url(" not in style
    assert "@import" not in style
    assert "default-src 'none'" in text


def test_the_page_is_small_and_has_the_charts_code_once(text):
    assert len(text.encode()) < 6_000_000
    assert text.count("window.vegaEmbed=") == 1
    kinds = [attributes.get("type") for tag, attributes in Page(text).elements if tag == "script"]
    assert kinds.count(None) == 2
    assert kinds.count("application/json") == Page(text).count("figure") == 6


def test_the_page_says_the_same_each_time(text):
    assert render(full_report()) == text


def test_specs_are_the_charts(text):
    figures = [figure for section in full_report().sections for figure in section.figures]
    specs = [json.loads(spec) for spec in Page(text).texts["script"] if spec.startswith("{")]
    assert specs == [json.loads(json.dumps(figure.chart.to_dict())) for figure in figures]


def test_tables_have_the_cells_of_the_terminals_tables(text):
    comparison = compare(study(3))
    tables = (latency_table(comparison), work_table(comparison), part_table(comparison), FIT_ERRORS)
    cells = [cell for table in tables for row in table.rows for cell in row]
    assert Page(text).texts["td"] == [*cells, "small"]
    headers = [header for table in tables for header in table.headers]
    assert Page(text).texts["th"] == [*headers, "model"]


def test_the_page_has_its_words(text):
    page = Page(text)
    assert page.texts["h1"] == page.texts["title"] == ["A study"]
    assert page.texts["code"] == ["run me"]
    assert page.texts["li"] == ["One call at a time."]
    assert page.texts["h2"] == [
        "Latency, measured and predicted",
        "Where the time goes",
        "One call in detail",
        "What a pass costs",
        "Known limits",
        "Where this comes from",
    ]


def test_every_text_is_escaped():
    table = Table((EVIL,), ((EVIL,),))
    page = Page(render(Report(EVIL, EVIL, (Section(EVIL, EVIL, (table,)),), (EVIL,), EVIL, {EVIL: EVIL})))
    assert page.count("script") == page.count("b") == 0
    for tag in ("title", "h1", "td", "th", "li", "code"):
        assert EVIL in page.texts[tag]


def test_a_call_id_in_a_chart_cannot_end_its_script():
    renamed = [replace(run, call_id=EVIL) for run in study(1)]
    page = Page(render(Report("t", "i", study_sections(compare(renamed), renamed))))
    assert page.count("b") == 0
    specs = [json.loads(spec) for spec in page.texts["script"] if spec.startswith("{")]
    assert any(EVIL in json.dumps(spec) for spec in specs)


def test_a_report_without_charts_needs_no_code():
    page = Page(render(Report("t", "i", (Section("s", tables=(FIT_ERRORS,)),))))
    assert page.count("script") == 0


def test_sections_without_numbers_are_left_out():
    assert [s.title for s in study_sections(compare([]), [])] == [
        "Latency, measured and predicted",
        "Where the time goes",
    ]
    assert all(not s.figures for s in study_sections(compare([]), []))


@pytest.mark.parametrize("source", ["measured", "simulated"])
def test_one_source_is_enough(source):
    runs = [run for run in study(2) if run.source == source]
    sections = study_sections(compare(runs), runs, example_call="c1")
    assert [f.title for s in sections for f in s.figures][-1] == f"c1, {source}"


def test_an_example_call_that_nobody_ran_is_refused():
    runs = study(1)
    with pytest.raises(InputError, match="none such"):
        study_sections(compare(runs), runs, example_call="none such")


def test_the_report_is_written_whole(tmp_path, text):
    write_report(tmp_path / "report.html", full_report())
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == text
