"""The study as one page: a summary of errors, then every table and figure beside the paper's numbers."""

from collections.abc import Mapping, Sequence

from studies.paper.aims import AimErrors, aim_table
from studies.paper.cell_table import cell_table, legend, notes_on_cells
from studies.paper.exhibit import Exhibit
from studies.paper.summary import summary_table
from studies.report import Report, Section

TITLE = "What the paper measured, and what is predicted"
INTRODUCTION = (
    "The paper (arXiv:2610.17436v1) measured tool calls on two phones. Here the same schedules run over calls of "
    "BFCL-v4, a model that writes the accepted answers, and their passes are priced by cost models that were given a "
    "few of the paper's numbers. Each other number is predicted, or left open with the reason."
)
SUMMARY_NOTE = (
    "Errors are absolute ones of single cells, in percent of the printed number; the bias keeps their sign. Cells that "
    "the cost models were given are apart: their error is that of the fit. So are those left open, of which it is not "
    "clear what was printed, or which something decides that is not modelled. Which hundred calls the paper drew is "
    "not known, so that the number beside a printed mean over calls is the median over many draws; below it stands the "
    "middle of them where they differ."
)

WORKLOAD_NOTE = (
    "The calls were given a few numbers as well: Table 5's 44.3 passes of constrained decoding chose how calls are "
    "drawn, section 7.4's shares how many get an optional argument, and Table 8's tokens and passes of one call in "
    "which passes each is laid out. What other readings change is among the points left open."
)


def paper_report(
    exhibits: Sequence[Exhibit],
    aims: Sequence[AimErrors],
    further: Sequence[Section],
    command: str,
    provenance: Mapping[str, str],
) -> Report:
    """The page; `further` sections come behind the summary, before tables and figures."""
    return Report(
        title=TITLE,
        introduction=INTRODUCTION,
        sections=(summary_section(exhibits, aims), *further, *map(exhibit_section, exhibits)),
        command=command,
        provenance=provenance,
    )


def summary_section(exhibits: Sequence[Exhibit], aims: Sequence[AimErrors]) -> Section:
    return Section("How far off", SUMMARY_NOTE, (aim_table(aims), summary_table(exhibits)), remarks=(WORKLOAD_NOTE,))


def exhibit_section(exhibit: Exhibit) -> Section:
    """The exhibit's table and charts, with what was given, what was assumed, and its marks."""
    given = f"Given: {'; '.join(exhibit.given) or 'nothing of the paper'}."
    remarks = (given, *exhibit.assumed, *notes_on_cells(exhibit), *legend(exhibit))
    return Section(exhibit.title, exhibit.note, (cell_table(exhibit),), exhibit.figures, remarks)
