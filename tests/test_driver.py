"""The driver on the wall clock: what it notes, and the tool that runs beside it."""

import threading

import pytest
from strategies import Case

from engine.calls import ToolCall
from engine.commands import TRUNK, Drop, Emit, Fork, Pass, Phase, Row, Status, Trim
from engine.driver import run_blocking
from engine.schedules import SCHEDULES
from engine.tools import Tool
from sim.backend import SimulatedBackend

WEATHER = Tool(
    "get", "", {"properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}, "required": ["a"]}, read_only=True
)
PROVISIONAL_STANDS = Case((WEATHER,), WEATHER, {"a": "12"})
PROVISIONAL_FALLS = Case((WEATHER,), WEATHER, {"a": "12", "b": "1"})
CALL = ToolCall("get", {"a": 1}, "text")
ONE_ROW = Pass(Phase.SERIAL, (Row(5, 0, pick=True),))


class Clock:
    """Moves by a quarter of a second each time it is looked at."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        self.now += 0.25
        return self.now


class Backend:
    """Notes what it is asked; each pass's readout picks the row's number plus 40."""

    def __init__(self) -> None:
        self.log = []

    def run(self, command):
        self.log.append(command)
        return self

    fork = trim = drop = run

    def pick(self, row, constraint):
        return row + 40


def run_case(case: Case, schedule: str = "schemaweaver", **options):
    return run_blocking(SCHEDULES[schedule](case.request), SimulatedBackend(case.oracle()), **options)


def test_commands_reach_the_backend_in_order_and_readouts_come_back():
    seen = []

    def steps():
        seen.append((yield Fork(TRUNK, (1,))))
        readout = yield ONE_ROW
        seen.append(readout.pick(-1, None))
        seen.append((yield Trim(1, 2)))
        seen.append((yield Drop(1)))
        yield Emit(CALL, Status.FINAL)
        return CALL

    backend = Backend()
    outcome = run_blocking(steps(), backend, clock=Clock())
    assert backend.log == [Fork(TRUNK, (1,)), ONE_ROW, Trim(1, 2), Drop(1)]
    assert seen == [None, 40, None, None]
    assert [(record.command, record.picks) for record in outcome.passes] == [(ONE_ROW, ((0, 40),))]


def test_times_are_milliseconds_since_the_start_by_the_given_clock():
    def steps():
        yield ONE_ROW
        yield Emit(CALL, Status.FINAL)
        yield ONE_ROW
        return CALL

    outcome = run_blocking(steps(), Backend(), clock=Clock())
    assert [(record.start_ms, record.end_ms) for record in outcome.passes] == [(250.0, 500.0), (1000.0, 1250.0)]
    assert [(emit.call, emit.status, emit.at_ms) for emit in outcome.emits] == [(CALL, Status.FINAL, 750.0)]


@pytest.mark.parametrize(
    ("case", "runs"),
    [
        (PROVISIONAL_STANDS, [(Status.PROVISIONAL, True)]),
        (PROVISIONAL_FALLS, [(Status.PROVISIONAL, False), (Status.CORRECTED, True)]),
    ],
)
def test_the_tool_runs_for_each_new_call_and_the_run_of_the_last_word_is_kept(case, runs):
    given = []
    outcome = run_case(case, tool=given.append)
    assert [(run.status, run.kept) for run in outcome.tool_runs] == runs
    assert sorted(given, key=lambda call: len(call.text)) == [
        emit.call for emit in outcome.emits if emit.status is not Status.CONFIRMED
    ]
    assert all(run.start_ms <= run.end_ms for run in outcome.tool_runs)


def test_a_call_that_was_cut_never_reaches_the_tool():
    case = Case((WEATHER,), WEATHER, {"a": "12"}, max_call_tokens=3)
    given = []
    outcome = run_case(case, tool=given.append)
    assert [emit.status for emit in outcome.emits] == [Status.INCOMPLETE]
    assert (given, outcome.tool_runs) == ([], ())


def test_the_tool_runs_beside_the_decode():
    """A tool that waits for the last word of the decode: on the decoder's own thread it would wait for ever."""
    is_over = threading.Event()
    waited = []

    def note(emit: Emit) -> None:
        if emit.status is not Status.PROVISIONAL:
            is_over.set()

    run_case(PROVISIONAL_STANDS, tool=lambda call: waited.append(is_over.wait(timeout=30)), on_emit=note)
    assert waited == [True]


def test_a_run_returns_after_the_tool_has():
    ended = threading.Event()
    run_case(PROVISIONAL_STANDS, tool=lambda call: threading.Event().wait(0.05) or ended.set())
    assert ended.is_set()


def test_what_the_tool_raises_is_raised_once_the_decode_is_over():
    seen = []

    def fail(call: ToolCall) -> None:
        raise OSError("no network")

    with pytest.raises(OSError, match="no network"):
        run_case(PROVISIONAL_STANDS, tool=fail, on_emit=lambda emit: seen.append(emit.status))
    assert seen == [Status.PROVISIONAL, Status.CONFIRMED]


def test_each_emission_is_told_as_it_happens():
    log = []

    def steps():
        yield ONE_ROW
        log.append("before")
        yield Emit(CALL, Status.PROVISIONAL)
        log.append("between")
        yield Emit(CALL, Status.CONFIRMED)
        log.append("behind")
        return CALL

    run_blocking(steps(), Backend(), on_emit=lambda emit: log.append(str(emit.status)))
    assert log == ["before", "provisional", "between", "confirmed", "behind"]


def test_what_a_backend_raises_ends_the_run():
    class Full(Backend):
        def run(self, command):
            raise MemoryError("full")

    with pytest.raises(MemoryError, match="full"):
        run_case_on(Full())


def run_case_on(backend: Backend):
    return run_blocking(SCHEDULES["constrained"](PROVISIONAL_STANDS.request), backend)
