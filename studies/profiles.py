"""Which profile to simulate under: a file that fit wrote, or a phone by name."""

from dataclasses import dataclass
from pathlib import Path

from cost_models import CostModelError, Profile, read_profile
from cost_models.phones import phone_names, read_phone


@dataclass(frozen=True, slots=True)
class FoundProfile:
    """A profile and what it was called by.

    `is_phone` says that it is one of the phones that come with the project: its model and machine are others than any
    run's, and whoever names it asks what if.
    """

    name: str
    profile: Profile
    is_phone: bool


def find_profile(name: str) -> FoundProfile:
    """The profile that `name` means, a phone's name or a path.

    Raises CostModelError where it is neither, with the phones' names, and where the file is damaged.
    """
    if name in phone_names():
        return FoundProfile(name, read_phone(name), is_phone=True)
    if not Path(name).is_file():
        raise CostModelError(f"{name}: no such profile file, nor a phone; phones by name: {', '.join(phone_names())}")
    return FoundProfile(name, read_profile(Path(name)), is_phone=False)
