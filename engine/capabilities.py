"""What a model's memory of sequences can do."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What schedules may ask of a memory; by default all that attention over the whole context allows.

    `shares_rows`: one row may belong to several sequences. `removes_part`: the end of a sequence can be removed and
    the rest kept; a state that each token overwrites cannot go back. `window_tokens`: some layers see no further back,
    and what is out of their sight before a pass may be lost with it; None where all layers see everything.
    """

    shares_rows: bool = True
    removes_part: bool = True
    window_tokens: int | None = None

    @property
    def takes_back(self) -> bool:
        """Whether rows of a wrong draft can be taken back behind the pass that ran over them."""
        return self.removes_part and self.window_tokens is None


ATTENTION = Capabilities()
"""Attention over the whole context."""
