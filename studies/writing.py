"""What a study leaves in its folder: tables as Parquet, a timeline, and a report."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cost_models import Provenance, write_whole
from cost_models.json_node import json_text
from engine.records import RunRecord
from studies.comparison import Comparison, to_json
from studies.fitting import Fitted, cost_cells, error_table
from studies.frames import emits_frame, passes_frame, runs_frame, write_parquet
from studies.report import Report, Section, write_report
from studies.sections import study_sections
from studies.timeline import write_trace

KNOWN_LIMITS = (
    "The profile holds for this model file, engine, thread count and machine alone.",
    "Pass costs were measured with the machine otherwise idle; whatever else ran during the calls shows as error.",
    "A simulated run replays what the model picked: it predicts time, and not what another schedule would have made "
    "the model write.",
    "BFCL and DroidCall annotate no tool as read-only: which ones got a provisional call was told from names and "
    "descriptions, or is all of them where the workload's name ends in +read-only.",
    "The tool is a pause of fixed length.",
)


@dataclass(frozen=True, slots=True)
class Study:
    """Runs of a workload, their comparison, and the fit that predicted them where it is at hand.

    `verdict` says in words what the study shows, none where nobody judged it.
    """

    title: str
    command: str
    comparison: Comparison
    runs: Sequence[RunRecord]
    provenance: Provenance
    workload: str
    fitted: Fitted | None = None
    verdict: tuple[str, ...] = ()


def write_study(folder: Path, study: Study) -> dict[str, Path]:
    """Write all files of a study; returns them by what they are."""
    folder.mkdir(parents=True, exist_ok=True)
    write_parquet(runs_frame(study.runs), folder / "runs.parquet")
    write_parquet(passes_frame(study.runs), folder / "passes.parquet")
    write_parquet(emits_frame(study.runs), folder / "emits.parquet")
    write_whole(folder / "comparison.json", json_text(to_json(study.comparison)))
    write_trace(folder / "timeline.json", [run for run in study.runs if run.repeat == 0])
    write_report(folder / "report.html", _report(study))
    return {
        "records": folder / "runs.parquet",
        "passes": folder / "passes.parquet",
        "emissions": folder / "emits.parquet",
        "numbers": folder / "comparison.json",
        "timeline": folder / "timeline.json",
        "report": folder / "report.html",
    }


def _report(study: Study) -> Report:
    fit_errors = error_table(study.fitted) if study.fitted else None
    cells = cost_cells(study.fitted) if study.fitted else None
    judged = (Section("Verdict", " ".join(study.verdict)),) if study.verdict else ()
    return Report(
        title=study.title,
        introduction=(
            f"The calls of {study.workload}, decoded by several schedules on llama.cpp and simulated with the same "
            "schedules under a cost model that was fitted to other passes."
        ),
        sections=(*judged, *study_sections(study.comparison, study.runs, fit_errors, cells)),
        known_limits=KNOWN_LIMITS,
        command=study.command,
        provenance=_plain(study.provenance),
    )


def _plain(provenance: Provenance) -> Mapping[str, str]:
    return {name.replace("_", " "): str(value) for name, value in provenance.to_json().items()}
