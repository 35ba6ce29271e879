"""A study as one HTML file that opens without a network."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

import altair as alt
import vl_convert
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from cost_models.files import write_whole
from studies.text_table import Table

TEMPLATE = "report.html.jinja"


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart with its title and a sentence on how to read it; a square one keeps near its height."""

    title: str
    chart: alt.TopLevelMixin
    caption: str = ""
    is_square: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, a note under it, then tables with remarks under them, then figures."""

    title: str
    note: str = ""
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """What a report says; all of it plain text, which `render` escapes.

    `command` is the command line that made it, `provenance` names the model, the engine, the machine and the
    like.
    """

    title: str
    introduction: str
    sections: tuple[Section, ...] = ()
    known_limits: tuple[str, ...] = ()
    command: str = ""
    provenance: Mapping[str, str] = field(default_factory=dict)


def render(report: Report) -> str:
    """`report` as one HTML page, all that it needs inside; the same report gives the same page."""
    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["spec"] = _spec
    template = environment.from_string(files("studies").joinpath(TEMPLATE).read_text(encoding="utf-8"))
    has_figures = any(section.figures for section in report.sections)
    return template.render(report=report, bundle=_bundle() if has_figures else "")


def write_report(path: Path, report: Report) -> None:
    """Write `render(report)` to `path` as one whole file, or leave `path` as it was."""
    write_whole(path, render(report))


def _spec(figure: Figure) -> Markup:
    # Inside a script element only "<" can end it or start a comment.
    return Markup(json.dumps(figure.chart.to_dict()).replace("<", "\\u003c"))


def _bundle() -> Markup:
    """Vega, Vega-Lite and Vega-Embed in the version that the charts are written for."""
    version = ".".join(alt.SCHEMA_VERSION.removeprefix("v").split(".")[:2])
    bundle: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", vl_version=version)
    return Markup(bundle.replace("</script", "<\\/script"))
