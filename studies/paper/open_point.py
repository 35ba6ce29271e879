"""What the paper leaves open or says twice, as an experiment: readings, and how far off predictions are under each."""

from dataclasses import dataclass

from engine.errors import InputError
from studies.report import Section
from studies.text_table import Table, number_cell


@dataclass(frozen=True, slots=True)
class Measure:
    """A column: what is measured of each reading; shares are shown in percent, signed ones with their plus too."""

    name: str
    decimals: int = 1
    is_share: bool = False
    is_signed: bool = False

    @property
    def header(self) -> str:
        return f"{self.name} (%)" if self.is_share else self.name

    def text(self, value: float | None) -> str:
        shown = value if value is None or not self.is_share else 100 * value
        return number_cell(shown, self.decimals, "+" if self.is_signed else "-")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came out under one reading: a number for each of the point's measures, None where there is none."""

    reading: str
    numbers: tuple[float | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenPoint:
    """`question` says what the paper prints, `answer` what the outcomes tell; raises InputError for uneven outcomes."""

    key: str
    title: str
    question: str
    answer: str
    measures: tuple[Measure, ...]
    outcomes: tuple[Outcome, ...]

    def __post_init__(self) -> None:
        for outcome in self.outcomes:
            if len(outcome.numbers) != len(self.measures):
                raise InputError(
                    f"{self.key}: {outcome.reading!r} has {len(outcome.numbers)} numbers, expected {len(self.measures)}"
                )

    def number(self, reading: str, measure: str) -> float | None:
        """The outcome's number; raises InputError that lists the names."""
        names, readings = [each.name for each in self.measures], [each.reading for each in self.outcomes]
        if measure not in names or reading not in readings:
            raise InputError(f"{self.key}: no {measure!r} of {reading!r}; there are {names} of {readings}")
        return self.outcomes[readings.index(reading)].numbers[names.index(measure)]


def point_section(point: OpenPoint) -> Section:
    """The point under its own heading: the question, the outcomes, the answer."""
    return Section(f"Left open: {point.title}", point.question, (point_table(point),), remarks=(point.answer,))


def point_table(point: OpenPoint) -> Table:
    """A row for each reading."""
    headers = ("reading", *(measure.header for measure in point.measures))
    return Table(headers, tuple(_row(point, outcome) for outcome in point.outcomes))


def _row(point: OpenPoint, outcome: Outcome) -> tuple[str, ...]:
    texts = (measure.text(value) for measure, value in zip(point.measures, outcome.numbers, strict=True))
    return (outcome.reading, *texts)
