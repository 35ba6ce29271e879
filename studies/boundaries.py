"""How many calls come out in other tokens than the tokenizer's own, per vocabulary, and why."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Any

from cost_models import AffineCost
from engine.boundary import common_length
from engine.commands import TRUNK
from engine.errors import ScheduleError, ToolError
from engine.formats import FORMATS, CallFormat
from engine.lark import Plain
from engine.notation import write_value
from engine.picks import PickRule
from engine.request import Request
from engine.schedules import BASIC, SCHEDULES
from engine.spelling import Part, call_parts, text_of
from engine.toolset import Toolset
from engine.vocabulary import Vocabulary
from sim.backend import SimulatedBackend
from sim.memory import SequenceMemory
from sim.odd_values import with_odd_values
from sim.oracle import Oracle
from sim.workload import WorkloadCall
from sim.world import simulate
from studies.text_table import Table, number_cell

PROMPT = "What is the weather in Tokyo?"
MOST_CALL_TOKENS = 4000
HEADERS = ("vocabulary", "where runs differ", "tokens", "runs", "calls left out", "runs that differ", "share %")


@dataclass(frozen=True, slots=True)
class BoundaryCount:
    """What came of the calls of one vocabulary, each by every schedule.

    `differ` counts the runs whose tokens are not the tokenizer's own, by where the first one is; `left_out` the calls
    that could not be written, by why.
    """

    vocabulary: str
    tokens: int
    runs: int
    differ: dict[str, int]
    left_out: dict[str, int]


def count_boundaries(name: str, vocabulary: Vocabulary, calls: Sequence[WorkloadCall], seed: int) -> BoundaryCount:
    """Write each of `calls` by every schedule, with a model that writes the answer as the tokenizer spells it.

    The call formats take turns, and every other call has odd values.
    """
    rng = random.Random(f"boundaries-{seed}")
    runs = 0
    differ: Counter[str] = Counter()
    left_out: Counter[str] = Counter()
    for number, (call, call_format) in enumerate(zip(calls, cycle(FORMATS), strict=False)):
        values = call.answer
        if number % 2:
            values = with_odd_values(values, call.tool, rng)
        try:
            for difference in _differences(call, call_format, values, vocabulary):
                runs += 1
                differ.update([difference] if difference else [])
        except _LeftOutError as error:
            left_out[str(error)] += 1
    return BoundaryCount(name, vocabulary.size, runs, dict(differ), dict(left_out))


def boundary_table(counts: Sequence[BoundaryCount]) -> Table:
    """A row per vocabulary."""
    return Table(HEADERS, tuple(map(_row, counts)), label_columns=2)


class _LeftOutError(Exception):
    """A call that cannot be written, whatever the tokens."""


class _NotingWriter:
    """Writes what the oracle does, and keeps each sequence's call as it stands with every pick."""

    def __init__(self, oracle: Oracle, prompt_tokens: int) -> None:
        self._oracle = oracle
        self._prompt_tokens = prompt_tokens
        self.written: list[tuple[int, ...]] = []

    def next_token(self, tokens: Sequence[int], rule: PickRule) -> int:
        token = self._oracle.next_token(tokens, rule)
        self.written.append((*tokens[self._prompt_tokens :], token))
        return token


def _differences(
    call: WorkloadCall, call_format: CallFormat, values: dict[str, Any], vocabulary: Vocabulary
) -> Iterator[str | None]:
    """For each schedule, where its tokens first differ; None where they do not."""
    texts = {name: write_value(call_format.notation, value) for name, value in values.items()}
    parts = call_parts(call_format, call.tool_name, texts)
    if not vocabulary.can_spell(text_of(parts)):
        raise _LeftOutError("the vocabulary lacks bytes")
    prompt = vocabulary.encode(PROMPT)
    request = Request(prompt, Toolset(call.tools, call_format, vocabulary), max_call_tokens=MOST_CALL_TOKENS)
    oracle = Oracle(call.tool_name, texts, len(prompt), call_format, vocabulary)
    _check_can_be_written(request, oracle)
    for schedule in BASIC:
        yield _difference(schedule, request, oracle, parts)


def _check_can_be_written(request: Request, oracle: Oracle) -> None:
    """The grammar reads bytes, however they are cut into tokens."""
    constraint = request.toolset.call_constraint()
    try:
        constraint.advance_all(oracle.spellings[0])
    except ToolError:
        raise _LeftOutError("the format cannot write a name") from None
    except ScheduleError:
        raise _LeftOutError("the answer breaks the tool's schema") from None


def _difference(schedule: str, request: Request, oracle: Oracle, parts: Sequence[Part]) -> str | None:
    writer = _NotingWriter(oracle, len(request.prompt))
    backend = SimulatedBackend(writer, SequenceMemory())
    try:
        simulate(SCHEDULES[schedule](request), backend, AffineCost(base_ms=1.0, row_ms=0.0))
    except ScheduleError:
        return "no token allowed"
    trunk = backend.memory.tokens(TRUNK)[len(request.prompt) :]
    own, *_ = spellings = oracle.spellings
    if trunk != own:
        return _place(own[: common_length((own, trunk))], parts, request.toolset.vocabulary)
    if any(all(tokens != known[: len(tokens)] for known in spellings) for tokens in writer.written):
        return "in a branch"
    return None


def _place(shared: Sequence[int], parts: Sequence[Part], vocabulary: Vocabulary) -> str:
    """What stands in the call behind the tokens `shared`."""
    left = len(vocabulary.decode(shared))
    for part in parts:
        left -= len(text_of([part]).encode())
        if left < 0:
            return "in a name or a value" if isinstance(part, Plain) else "in fixed text"
    return "behind the call"


def _row(count: BoundaryCount) -> tuple[str, ...]:
    different = sum(count.differ.values())
    why = ", ".join(f"{reason}: {number}" for reason, number in count.differ.items())
    share = 100 * different / count.runs if count.runs else None
    numbers = (count.tokens, count.runs, sum(count.left_out.values()), different)
    return (count.vocabulary, why or "-", *(number_cell(number, 0) for number in numbers), number_cell(share, 2))
