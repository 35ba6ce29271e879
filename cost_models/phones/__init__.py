"""Profiles of phones by name, as files in this folder: derived from published numbers, for what-ifs.

`calibration.from_paper` makes them; each one's provenance and notes say of what.
"""

from pathlib import Path

from cost_models.errors import CostModelError
from cost_models.profile import Profile, read_profile

_FOLDER = Path(__file__).parent


def phone_names() -> tuple[str, ...]:
    """The names, sorted."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.json")))


def read_phone(name: str) -> Profile:
    """The profile of the phone called `name`; raises CostModelError that lists the names."""
    if name not in phone_names():
        raise CostModelError(f"unknown phone {name!r}; choose one of: {', '.join(phone_names())}")
    return read_profile(_FOLDER / f"{name}.json")
