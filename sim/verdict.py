"""Whether a dataset accepts a call."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Verdict:
    """Right or wrong; `reason` says why a call is wrong, `argument` at which argument, where one is at fault."""

    is_right: bool
    reason: str = ""
    argument: str | None = None

    def __str__(self) -> str:
        if self.is_right:
            return "right"
        return self.reason if self.argument is None else f"{self.argument!r} {self.reason}"


RIGHT = Verdict(True)


def wrong(reason: str, argument: str | None = None) -> Verdict:
    """The verdict on a call that is not accepted."""
    return Verdict(False, reason, argument)
