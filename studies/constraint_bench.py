"""What constraints cost on real vocabularies: loading, building a tool's skeleton, and the questions of one pick."""

import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, TypeVar

from engine.constraint import Constraint
from engine.errors import ModelFileError
from engine.formats import QWEN
from engine.llamacpp import load_model
from engine.request import Request
from engine.skeleton import lay_out
from engine.tools import Tool
from engine.toolset import Toolset
from engine.vocabulary import Vocabulary
from sim.workload import WorkloadCall
from studies.text_table import Table, number_cell

CONSTRAINT_AIMS = "Aims: loading below 2 s, a tool below 2 ms, allows and mask below 0.1 ms, in medians."
HEADERS = ("vocabulary", "tokens", "loading s", "first tool ms", "tool ms", "forced ms", "allows ms", "mask ms")
MOST_STEPS = 40

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class ConstraintBench:
    """One vocabulary's costs; those of tools and of questions are medians.

    A tool's are those of one that was never seen: its grammar, skeleton and constraints.
    """

    vocabulary: str
    tokens: int
    load_s: float
    first_tool_ms: float
    tool_ms: float
    forced_ms: float
    allows_ms: float
    mask_ms: float


@dataclass(slots=True)
class _Stopwatch:
    times_ms: dict[str, list[float]] = field(default_factory=dict)

    def time(self, name: str, work: Callable[..., Answer], *arguments: Any) -> Answer:
        start_s = time.perf_counter()
        answer = work(*arguments)
        self.times_ms.setdefault(name, []).append((time.perf_counter() - start_s) * 1e3)
        return answer


def bench_constraints(folder: Path, calls: Sequence[WorkloadCall]) -> Iterator[ConstraintBench]:
    """Measure each vocabulary of `folder` on the tools of `calls`; those that cannot be used are left out."""
    for file in sorted(folder.glob("*.gguf")):
        start_s = time.perf_counter()
        try:
            model = load_model(file, vocabulary_only=True)
        except ModelFileError:
            continue
        load_s = time.perf_counter() - start_s
        yield _bench(file.name, model.vocabulary, load_s, [call.tool for call in calls])
        model.close()


def constraint_table(benches: Sequence[ConstraintBench]) -> Table:
    """A row per vocabulary."""
    return Table(HEADERS, tuple(map(_row, benches)))


def constraint_json(benches: Sequence[ConstraintBench]) -> list[dict[str, Any]]:
    """The benches as plain JSON data."""
    return [asdict(bench) for bench in benches]


def _bench(name: str, vocabulary: Vocabulary, load_s: float, tools: Sequence[Tool]) -> ConstraintBench:
    watch = _Stopwatch()
    rng = random.Random("constraint-bench")
    for tool in tools:
        call = watch.time("tool", _build, tool, vocabulary)
        _walk(call, vocabulary, watch, rng)
    first_ms, *tool_ms = watch.times_ms["tool"]
    medians = (median(watch.times_ms[question]) for question in ("forced", "allows", "mask"))
    return ConstraintBench(name, vocabulary.size, load_s, first_ms, median(tool_ms or [first_ms]), *medians)


def _build(tool: Tool, vocabulary: Vocabulary) -> Constraint:
    """All that a request with a tool that was never seen needs before its first pass."""
    toolset = Toolset((tool,), QWEN, vocabulary)
    call = toolset.call_constraint()
    lay_out(Request((), toolset), tool, call, (), tool.required)
    return call


def _walk(call: Constraint, vocabulary: Vocabulary, watch: _Stopwatch, rng: random.Random) -> None:
    """Follow a random call for some steps and ask at each what a pick asks."""
    for _ in range(MOST_STEPS):
        if call.is_finished:
            break
        forced = watch.time("forced", call.forced)
        if forced:
            call.advance(forced[0])
            continue
        allowed = watch.time("mask", call.mask).nonzero()[0]
        for token in (int(rng.choice(allowed)), rng.randrange(vocabulary.size)):
            watch.time("allows", call.allows, token)
        call.advance(int(rng.choice(allowed)))


def _row(bench: ConstraintBench) -> tuple[str, ...]:
    return (
        bench.vocabulary,
        number_cell(bench.tokens, 0),
        number_cell(bench.load_s, 2),
        number_cell(bench.first_tool_ms, 1),
        number_cell(bench.tool_ms, 2),
        number_cell(bench.forced_ms, 4),
        number_cell(bench.allows_ms, 4),
        number_cell(bench.mask_ms, 4),
    )
