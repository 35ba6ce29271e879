"""A device profile: measured pass costs, where they come from and how good they are, as one JSON file."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cost_models.files import write_whole
from cost_models.fit_summary import FitSummary
from cost_models.json_node import JsonNode, json_text, read_json
from cost_models.provenance import Provenance
from cost_models.table import MeasuredTable

PROFILE_FORMAT = "schemaweaver-profile-1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """One device's costs. `fit` is None where the numbers were not fitted here, such as published ones."""

    name: str
    provenance: Provenance
    table: MeasuredTable
    fit: FitSummary | None = None
    notes: str = ""

    def to_json(self) -> dict[str, Any]:
        """The profile as plain JSON data, with its format's version first."""
        return {
            "format": PROFILE_FORMAT,
            "name": self.name,
            "provenance": self.provenance.to_json(),
            "table": self.table.to_json(),
            "fit": None if self.fit is None else self.fit.to_json(),
            "notes": self.notes,
        }

    @classmethod
    def from_json(cls, data: JsonNode) -> "Profile":
        """The inverse of `to_json`; raises CostModelError naming file, path, value and what is valid."""
        at = data.fields("format", *cls.__dataclass_fields__)
        at["format"].exactly(PROFILE_FORMAT)
        return cls(
            name=at["name"].text(),
            provenance=Provenance.from_json(at["provenance"]),
            table=MeasuredTable.from_json(at["table"]),
            fit=None if at["fit"].value is None else FitSummary.from_json(at["fit"]),
            notes=at["notes"].text(),
        )


def read_profile(path: Path) -> Profile:
    """The profile in a file; raises CostModelError naming file, JSON path, value and what is valid."""
    return Profile.from_json(read_json(path))


def write_profile(profile: Profile, path: Path) -> None:
    """Write `profile` to `path`, whole or not at all; equal profiles give equal bytes."""
    write_whole(path, json_text(profile.to_json()))
