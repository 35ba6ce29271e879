"""The laws of a prompt whose last pass carries the start of the call: the same call, in a pass less."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from law_cases import LIMIT, kinds, model
from strategies import PROMPT_TEXT, Case, cases, copying_cases, examples, prices, whims
from tracing import Trace, trace

from cost_models import AffineCost
from engine.capabilities import ATTENTION, Capabilities
from engine.commands import TRUNK, Command, Pass, Phase
from engine.records import RunRecord
from engine.schedules import SCHEDULES
from engine.tools import Tool
from sim.backend import SimulatedBackend
from sim.memory import SequenceMemory
from sim.world import simulate

TEXT = {"type": "string"}
RECURRENT = Capabilities(shares_rows=False, removes_part=False)
CHEAP_ROWS = AffineCost(base_ms=20.0, row_ms=0.1)

lone_tools = st.one_of(cases(max_tools=1, max_call_tokens=LIMIT), copying_cases(LIMIT))
known_prices = prices.filter(lambda device: device is not None)
smooth_prices = prices.filter(lambda device: isinstance(device, AffineCost))


def behind_prompt(run: Trace) -> Sequence[Command]:
    """A run's commands without rows of the prompt, and without passes that had no others."""
    start = len(run.request.prompt)
    return [bare for command in run.commands if (bare := _without_prompt(command, start)) is not None]


def _without_prompt(command: Command, start: int) -> Command | None:
    if not isinstance(command, Pass):
        return command
    rows = tuple(row for row in command.rows if row.position >= start or TRUNK not in row.sequences)
    return Pass(command.phase, rows) if rows else None


@examples(100)
@given(lone_tools, whims, kinds, smooth_prices)
def test_passes_a_prompt_that_rides_along_changes_no_other_row(case, whim, kind, device):
    """As with the prompt in memory, but for rows of the prompt: in a pass of its own, or beside the call's first.

    Where it takes rows that a draft would have had, or changes which padding is cheap, the call alone is the same.
    """
    request = replace(case.request, prices=device, capabilities=ATTENTION)
    fresh, held = (trace("auto", asked, model(case, whim, kind)) for asked in (request, request.held()))
    event(f"own passes: {fresh.count(Phase.PROMPT)}")
    assert behind_prompt(fresh) == behind_prompt(held)
    assert len(fresh.passes) == len(held.passes) + fresh.count(Phase.PROMPT)


@examples(80)
@given(lone_tools, whims, kinds, known_prices, st.sampled_from((512, 60, 7)))
def test_passes_a_prompt_that_rides_along_changes_no_call_on_any_memory(case, whim, kind, device, max_rows):
    request = replace(case.request, prices=device, max_rows=max_rows)
    fresh, held = (trace("auto", asked, model(case, whim, kind)) for asked in (request, request.held()))
    assert fresh.call == held.call
    assert fresh.trunk_call_tokens == held.trunk_call_tokens
    if request.capabilities.takes_back and max_rows == 512:
        assert len(fresh.passes) == len(held.passes) + fresh.count(Phase.PROMPT)


def two_texts(**parts) -> Case:
    tool = Tool("get", "", {"properties": dict.fromkeys("ab", TEXT), "required": ["a", "b"]})
    return Case((tool,), tool, {"a": '"Tokyo"', "b": '"Tokyo"'}, said="", **{"prices": CHEAP_ROWS, **parts})


def first_phases(run: Trace) -> list[Phase]:
    return [command.phase for command, _ in run.passes[:2]]


@pytest.mark.parametrize(
    ("memory", "first"), [(ATTENTION, Phase.SKELETON), (RECURRENT, Phase.VERIFY)], ids=["attention", "recurrent"]
)
def test_the_first_pass_holds_the_prompt_and_the_start_of_the_call(memory, first):
    run = trace("auto", two_texts(capabilities=memory).request, two_texts().oracle())
    command = run.passes[0][0]
    assert command.phase is first
    assert [row.token for row in command.rows][: len(run.request.prompt)] == list(run.request.prompt)
    assert command.pick_count > 0


@dataclass(frozen=True)
class DearWhenWide:
    """A device on which a wide pass is dearer than two narrow ones."""

    def pass_ms(self, rows: float, picks: float, context_tokens: float) -> float:
        return rows**2


PROMPT_ROWS = len(two_texts().request.prompt)


@pytest.mark.parametrize(
    "change",
    [
        {"prices": DearWhenWide()},
        {"max_rows": PROMPT_ROWS + 4},
        {"toolset": Case((two_texts().tool, Tool("set", "", {})), two_texts().tool, {}).request.toolset},
        {"prices": None},
    ],
    ids=["dear when wide", "too wide", "two tools", "no prices"],
)
def test_a_prompt_that_cannot_ride_along_for_less_has_a_pass_of_its_own(change):
    run = trace("auto", replace(two_texts().request, **change), two_texts().oracle())
    assert [command.width for command, _ in run.passes if command.phase is Phase.PROMPT] == [PROMPT_ROWS]
    assert run.call.arguments == two_texts().arguments


def test_a_long_prompt_leaves_its_last_rows_alone():
    """Passes of 60 rows: two of the prompt, then the rest with the call."""
    request = replace(two_texts().request, prompt=two_texts().vocabulary.encode(PROMPT_TEXT[:-1] * 18), max_rows=60)
    request = replace(request, prompt=request.prompt[:126])
    run = trace("auto", request, _AnyPrompt(126))
    assert [command.width for command, _ in run.passes if command.phase is Phase.PROMPT] == [60, 60]
    assert first_phases(run) == [Phase.PROMPT, Phase.PROMPT]
    assert sum(row.position < 126 for row in run.passes[2][0].rows) == 6


class _AnyPrompt:
    """The call of `two_texts` behind a prompt of so many tokens."""

    def __init__(self, prompt_tokens: int) -> None:
        self._skipped = prompt_tokens - PROMPT_ROWS
        self._oracle = two_texts().oracle()

    def next_token(self, tokens, rule):
        return self._oracle.next_token(tokens[self._skipped :], rule)


def test_time_a_pass_over_prompt_and_call_is_all_the_calls():
    """So that a latency with a prompt that rides along is never below the one with the prompt in memory."""
    fresh, held = (_simulated(request) for request in (two_texts().request, two_texts().request.held()))
    assert fresh.prompt_end_ms == 0.0
    assert fresh.final_ms - held.final_ms == pytest.approx(CHEAP_ROWS.row_ms * PROMPT_ROWS)
    assert fresh.call_passes == fresh.passes


def _simulated(request) -> RunRecord:
    backend = SimulatedBackend(two_texts().oracle(), SequenceMemory())
    backend.memory.hold(request.prompt[: request.reused_tokens])
    outcome = simulate(SCHEDULES["auto"](request), backend, CHEAP_ROWS)
    return RunRecord("c", "auto", "simulated", 0, PROMPT_ROWS, request.reused_tokens, outcome.passes, outcome.emits)


def test_a_prompt_that_is_too_wide_to_ride_along_leaves_the_skeleton_as_it_is():
    held = trace("auto", two_texts().request.held(), two_texts().oracle())
    widest = max(command.width for command, _ in held.passes)
    fresh = trace("auto", replace(two_texts().request, max_rows=widest), two_texts().oracle())
    assert first_phases(fresh) == [Phase.PROMPT, Phase.SKELETON]
    assert behind_prompt(fresh) == behind_prompt(held)
