"""What a schedule may ask for: `Pass`, `Fork`, `Trim`, `Drop`, `Draft` and `Emit`.

Values only, valid by construction.
"""

from dataclasses import dataclass
from enum import StrEnum

from engine.calls import ToolCall
from engine.errors import ScheduleError

TRUNK = 0
"""The sequence that holds the prompt and all committed text."""


class Phase(StrEnum):
    """Why a pass runs."""

    PROMPT = "prompt"
    NAME = "name"
    SKELETON = "skeleton"
    VALUES = "values"
    WRITE_BACK = "write_back"
    OPTIONAL = "optional"
    SERIAL = "serial"
    JUMP = "jump"
    VERIFY = "verify"
    DRAFT = "draft"


class Status(StrEnum):
    """What an emitted call is to the tool.

    A provisional call may start a read-only tool. The last emission of a schedule is one of the other four: `final`
    where nothing was emitted before, `confirmed` where the provisional call stands and its run is kept, `corrected`
    where it does not, `incomplete` where a limit cut the call and nothing may run.
    """

    PROVISIONAL = "provisional"
    FINAL = "final"
    CONFIRMED = "confirmed"
    CORRECTED = "corrected"
    INCOMPLETE = "incomplete"


@dataclass(frozen=True, slots=True)
class Row:
    """One token at one position in one or more sequences; with `pick`, its logits are read."""

    token: int
    position: int
    sequences: tuple[int, ...] = (TRUNK,)
    pick: bool = False

    def __post_init__(self) -> None:
        if self.token < 0 or self.position < 0:
            raise ScheduleError(f"row with token {self.token} at position {self.position}: both must be >= 0")
        if not self.sequences or len(set(self.sequences)) != len(self.sequences):
            raise ScheduleError(f"row with sequences {self.sequences}: needs one or more, each once")


@dataclass(frozen=True, slots=True)
class Pass:
    """One forward pass over `rows`, all of them computed together."""

    phase: Phase
    rows: tuple[Row, ...]

    def __post_init__(self) -> None:
        if not self.rows:
            raise ScheduleError(f"a {self.phase} pass without rows")

    @property
    def width(self) -> int:
        """Number of rows."""
        return len(self.rows)

    @property
    def pick_count(self) -> int:
        """Number of rows whose logits are read."""
        return sum(row.pick for row in self.rows)

    @property
    def context_tokens(self) -> int:
        """Number of tokens that the longest of the pass's sequences holds after it."""
        return max(row.position for row in self.rows) + 1


@dataclass(frozen=True, slots=True)
class Fork:
    """Make each of `targets`, which must be empty, hold what `source` holds."""

    source: int
    targets: tuple[int, ...]

    def __post_init__(self) -> None:
        if not self.targets or self.source in self.targets or len(set(self.targets)) != len(self.targets):
            raise ScheduleError(f"fork of sequence {self.source} to {self.targets}: needs other ones, each once")


@dataclass(frozen=True, slots=True)
class Trim:
    """Cut a sequence to its first `tokens` tokens; needs a memory that removes part of a sequence."""

    sequence: int
    tokens: int

    def __post_init__(self) -> None:
        if self.tokens < 1:
            raise ScheduleError(f"trim of sequence {self.sequence} to {self.tokens} tokens: drop it instead")


@dataclass(frozen=True, slots=True)
class Drop:
    """Forget one whole sequence."""

    sequence: int


@dataclass(frozen=True, slots=True)
class Emit:
    """Hand a call to the tool."""

    call: ToolCall
    status: Status


MemoryCommand = Pass | Fork | Trim | Drop
"""What a model's memory is asked for."""


@dataclass(frozen=True, slots=True)
class Draft:
    """Have the draft model do `command`, in its own memory; its passes have the phase `draft`, and no others have."""

    command: MemoryCommand

    def __post_init__(self) -> None:
        if isinstance(self.command, Pass) and self.command.phase is not Phase.DRAFT:
            raise ScheduleError(f"a {self.command.phase} pass by the draft model")


Command = MemoryCommand | Draft | Emit
