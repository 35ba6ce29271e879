"""What runs a schedule's passes: llama.cpp, or the simulator's oracle."""

from typing import Protocol

from engine.commands import Drop, Fork, Pass, Trim
from engine.picks import PickRule


class Readout(Protocol):
    """What a pass lets its schedule see: picks, and nothing else."""

    def pick(self, row: int, rule: PickRule) -> int:
        """The best token after row number `row` of the pass that `rule` allows.

        The row must have asked for a pick. Does not advance it.
        """
        ...


class Backend(Protocol):
    """Memory of token sequences, and forward passes over them.

    `run` appends each row to its sequences, whose positions must go on without a gap; rows that several sequences share
    need equal contents in all of them before the pass; within a pass, sets of sequences only narrow. `fork` needs empty
    targets, `drop` forgets a whole sequence. `trim` removes the end of one, which not every memory can, and leaves to
    others what they share with it.
    """

    def run(self, command: Pass) -> Readout: ...

    def fork(self, command: Fork) -> None: ...

    def trim(self, command: Trim) -> None: ...

    def drop(self, command: Drop) -> None: ...
