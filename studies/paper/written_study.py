"""The study on disk: a page, the same as Markdown, and its cells as data."""

from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from cost_models import write_whole
from cost_models.device import Device
from cost_models.json_node import json_text
from studies.families import FAMILIES
from studies.markdown import markdown
from studies.paper.aims import AimErrors, aim_errors
from studies.paper.exhibit import Exhibit
from studies.paper.open_point import OpenPoint, point_section
from studies.paper.page import paper_report
from studies.paper.setting import Setting
from studies.paper.study_data import cells_frame, study_json
from studies.paper.workload import pass_data_of
from studies.report import Section, write_report


@dataclass(frozen=True, slots=True)
class Study:
    """What was computed under a setting, and the command that computes it again.

    `own_layout` are exhibits of which something was aimed for, with calls in our schedules' own passes.
    """

    setting: Setting
    exhibits: tuple[Exhibit, ...]
    own_layout: tuple[Exhibit, ...]
    open_points: tuple[OpenPoint, ...]
    command: str

    @property
    def aims(self) -> tuple[AimErrors, ...]:
        """What came out for each part that predictions are held to."""
        return aim_errors(self.exhibits, self.own_layout)


def write_study(folder: Path, study: Study) -> Path:
    """Write `paper.html`, `paper.md`, `paper.json` and `paper.parquet` to `folder`, and return the page's path."""
    folder.mkdir(parents=True, exist_ok=True)
    provenance = provenance_of(study.setting)
    points = tuple(map(point_section, study.open_points))
    report = paper_report(study.exhibits, study.aims, points, study.command, provenance)
    sections = (*report.sections, origin_section(study.command, provenance))
    write_whole(folder / "paper.md", markdown(report.title, report.introduction, sections))
    data = study_json(study.exhibits, study.aims, study.open_points, study.command, provenance)
    write_whole(folder / "paper.json", json_text(data))
    content = BytesIO()
    cells_frame(study.exhibits).write_parquet(content)
    write_whole(folder / "paper.parquet", content.getvalue())
    page = folder / "paper.html"
    write_report(page, report)
    return page


def origin_section(command: str, provenance: Mapping[str, str]) -> Section:
    """The command and what it took, for the Markdown page; the other page has a place for them."""
    facts = tuple(f"{name}: {text}" for name, text in provenance.items())
    return Section("Where this comes from", f"Made with `{command}`.", remarks=facts)


def provenance_of(setting: Setting) -> Mapping[str, str]:
    """Where passes and devices come from."""
    reading = setting.reading
    return {
        "calls": f"{reading.draws} draws of {reading.calls} calls of BFCL-v4's single-turn rows, seed {reading.seed}",
        "passes": ", ".join(name for family in FAMILIES.values() for name in pass_data_of(family, reading)),
        "devices": "; ".join(map(_origin, setting.devices.values())),
    }


def _origin(device: Device) -> str:
    return f"{device.name} ({device.source or 'measured by this software'})"
