"""Room for branches: all sequences share the context's cells, and a pass takes so many rows and picks."""

from collections.abc import Generator, Sequence

from engine.backend import Readout
from engine.branch import Branch
from engine.commands import TRUNK, Command, Drop
from engine.request import Request
from engine.trunk import Trunk


def skeleton_size(branches: Sequence[Branch]) -> tuple[int, int]:
    """Rows and picks of a skeleton pass, without the head's."""
    rows = sum(branch.waiting_tokens + len(branch.guess) for branch in branches)
    return rows, sum(1 + len(branch.guess) for branch in branches if not branch.is_finished)


def fitting(
    request: Request, trunk: Trunk, head_rows: int, branches: Sequence[Branch], wanted: int
) -> tuple[Branch, ...]:
    """As many of `branches` as fit the skeleton pass, the first `wanted` of them at least; else none."""
    for count in range(len(branches), wanted - 1, -1):
        rows, picks = skeleton_size(branches[:count])
        if head_rows + rows <= _most_rows(request, trunk, ()) and picks <= request.max_picks:
            return tuple(branches[:count])
    return ()


def make_room(
    request: Request, trunk: Trunk, wanted: Sequence[Branch], riding: Sequence[Branch]
) -> Generator[Command, Readout, int]:
    """Give up branches until the next tokens of the others fit one pass; the rows that it may have besides.

    Those whose values have ended go first, as nothing is lost with them, then those that ride along, the last one
    first. Where that is not enough, what is returned is below zero.
    """
    branches = (*wanted, *riding)
    finished = [branch for branch in branches if branch.is_finished]
    for branch in (*finished, *(rider for rider in reversed(riding) if not rider.is_finished)):
        if _free_rows(request, trunk, branches) >= 0:
            break
        if branch.sequence != TRUNK and not branch.is_given_up:
            branch.give_up()
            yield Drop(branch.sequence)
    return _free_rows(request, trunk, branches)


def _free_rows(request: Request, trunk: Trunk, branches: Sequence[Branch]) -> int:
    """Rows, each of which may have a pick, that are free in a pass with the next tokens of `branches`."""
    going_on = [branch for branch in branches if not (branch.is_finished or branch.is_cut)]
    needed = sum(branch.waiting_tokens for branch in going_on)
    return min(_most_rows(request, trunk, branches) - needed, request.max_picks - len(going_on))


def _most_rows(request: Request, trunk: Trunk, branches: Sequence[Branch]) -> int:
    """Rows that a pass may have beside what the trunk and `branches` hold."""
    held = trunk.in_memory + sum(branch.own_tokens for branch in branches)
    return min(request.max_rows, request.max_cells - held)
