"""A call as a schedule leaves it on the trunk, with the tokens that the model picked for this very place."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from engine.backend import Backend, Readout
from engine.calls import ToolCall
from engine.commands import TRUNK, Drop, Fork, Pass, Row, Trim
from engine.driver import run_blocking
from engine.picks import PickRule
from engine.request import Request
from engine.schedules import schedule_named


class OpenBackend(Backend, Protocol):
    """A backend that tells what its sequences hold."""

    def tokens(self, sequence: int) -> tuple[int, ...]: ...


@dataclass(frozen=True, slots=True)
class WrittenCall:
    """A call by `schedule`, in the `tokens` that the trunk holds behind the prompt in the end.

    Those numbered in `picked` the model picked behind exactly the tokens before them, in whatever sequence, among the
    tokens whose bits are set (as `numpy.packbits` writes them). The others were forced, or decided in another context:
    in a branch that had less or other text before them.
    """

    schedule: str
    call: ToolCall
    tokens: tuple[int, ...]
    picked: Mapping[int, npt.NDArray[np.uint8]]

    def could_pick(self, number: int, token: int) -> bool:
        """Whether token number `number` was picked among some that `token` was one of."""
        return number in self.picked and bool(self.picked[number][token // 8] & (128 >> token % 8))


def write_call(schedule: str, request: Request, backend: OpenBackend) -> WrittenCall:
    """Run `schedule` on what `backend` holds of the request's prompt."""
    watched = _WatchedBackend(backend, len(request.prompt))
    outcome = run_blocking(schedule_named(schedule)(request), watched)
    tokens = backend.tokens(TRUNK)[len(request.prompt) :]
    starts = ((number, tokens[: number + 1]) for number in range(len(tokens)))
    picked = {number: watched.picked[start] for number, start in starts if start in watched.picked}
    return WrittenCall(schedule, outcome.emits[-1].call, tokens, picked)


class _WatchedBackend:
    """Notes what each pick was made among, by the call's tokens up to the picked one."""

    def __init__(self, backend: OpenBackend, prompt_tokens: int) -> None:
        self.picked: dict[tuple[int, ...], npt.NDArray[np.uint8]] = {}
        self._backend = backend
        self._prompt_tokens = prompt_tokens

    def run(self, command: Pass) -> Readout:
        readout = self._backend.run(command)
        return _WatchedReadout(readout, [self._before(row) for row in command.rows], self.picked)

    def fork(self, command: Fork) -> None:
        self._backend.fork(command)

    def trim(self, command: Trim) -> None:
        self._backend.trim(command)

    def drop(self, command: Drop) -> None:
        self._backend.drop(command)

    def _before(self, row: Row) -> tuple[int, ...]:
        """The call's tokens up to `row`, which its sequences have in common."""
        return self._backend.tokens(row.sequences[0])[self._prompt_tokens : row.position + 1] if row.pick else ()


@dataclass(frozen=True, slots=True)
class _WatchedReadout:
    readout: Readout
    before: Sequence[tuple[int, ...]]
    picked: dict[tuple[int, ...], npt.NDArray[np.uint8]]

    def pick(self, row: int, rule: PickRule) -> int:
        token = self.readout.pick(row, rule)
        self.picked[*self.before[row], token] = np.packbits(rule.mask())
        return token
