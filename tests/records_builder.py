"""Synthetic runs for the tests of studies: three schedules over made-up calls, times as the test wants."""

from collections.abc import Callable, Iterable, Sequence

from engine.calls import ToolCall
from engine.commands import Pass, Phase, Row, Status
from engine.records import EmitRecord, PassRecord, RunRecord, ToolRun
from sim.pass_file import PassKey

PROMPT_TOKENS = 40
SCRATCH = 9
SCHEDULES = ("constrained", "jump_forward", "schemaweaver")

PASS_KEY = PassKey(
    workload="bfcl:4",
    seed=3,
    calls_sha256="a",
    schedules=("constrained", "schemaweaver"),
    vocabulary="v.gguf",
    vocabulary_sha256="b",
    template="",
    template_sha256="",
    call_format="qwen",
    tile_rows=4,
    max_call_tokens=512,
    draft_tokens=4,
    context_tokens=4096,
    engine="e 1",
    code_sha256="c",
)
"""What passes of nothing in particular depend on."""

PassTime = Callable[[Pass], float]


def tool_call(city: str = "Tokyo", complete: bool = True) -> ToolCall:
    text = f'get_weather {{"city": "{city}"}}'
    return ToolCall("get_weather", {"city": city} if complete else None, text)


def rows(start: int, count: int, sequences: tuple[int, ...] = (0,), picks: int = 1) -> tuple[Row, ...]:
    """`count` rows at positions from `start`, of which the last `picks` are read."""
    return tuple(Row(100 + n, start + n, sequences, n >= count - picks) for n in range(count))


def trunk_pass(phase: Phase, start: int, count: int) -> Pass:
    return Pass(phase, rows(start, count))


def values_pass(start: int, branches: int, padding: int = 0) -> Pass:
    """One row in each of `branches`, then `padding` rows in a scratch sequence that is never read."""
    own = [row for branch in range(1, branches + 1) for row in rows(start, 1, (branch,))]
    return Pass(Phase.VALUES, (*own, *rows(start, padding, (SCRATCH,), picks=0)))


def serial_passes(phase: Phase, count: int) -> list[Pass]:
    return [trunk_pass(phase, PROMPT_TOKENS + n, 1) for n in range(count)]


def schemaweaver_passes(values: int) -> list[Pass]:
    start = PROMPT_TOKENS + 20
    return [
        *(trunk_pass(Phase.NAME, PROMPT_TOKENS + n, 1) for n in range(2)),
        Pass(
            Phase.SKELETON,
            (*rows(PROMPT_TOKENS + 2, 18, (0, 1, 2), picks=0), *rows(start, 1, (1,)), *rows(start, 1, (2,))),
        ),
        *(values_pass(start + 1 + n, branches=2, padding=2) for n in range(values)),
        trunk_pass(Phase.WRITE_BACK, PROMPT_TOKENS + 20, 16),
        *(trunk_pass(Phase.OPTIONAL, PROMPT_TOKENS + 36 + n, 1) for n in range(2)),
    ]


def schedule_passes(schedule: str, size: int) -> list[Pass]:
    """The passes after the prompt of a call with `size` value tokens."""
    if schedule == "constrained":
        return serial_passes(Phase.SERIAL, 12 + 2 * size)
    if schedule == "jump_forward":
        jumps = [trunk_pass(Phase.JUMP, PROMPT_TOKENS + 30 + 6 * n, 6) for n in range(3)]
        return serial_passes(Phase.SERIAL, 2 * size) + jumps
    return schemaweaver_passes(size)


def saw_tooth_ms(command: Pass) -> float:
    """A pass cost of the kind that llama.cpp on a CPU has."""
    return 20.0 + 14.0 * (command.width // 4) + 9.0 * (command.width % 4) + 0.5 * command.pick_count


def make_run(
    commands: Sequence[Pass],
    *,
    call_id: str = "c0",
    schedule: str = "constrained",
    source: str = "measured",
    repeat: int = 0,
    pass_ms: PassTime = saw_tooth_ms,
    host_ms: float = 0.5,
    prompt: bool = True,
    call: ToolCall | None = None,
    settings: dict[str, object] | None = None,
    is_right: bool | None = None,
) -> RunRecord:
    """A run of `commands`, each after `host_ms` outside passes; SchemaWeaver emits after its values."""
    at_ms, records = 0.0, []
    first = [trunk_pass(Phase.PROMPT, 0, PROMPT_TOKENS)] if prompt else []
    for command in [*first, *commands]:
        start_ms = at_ms + host_ms
        at_ms = start_ms + pass_ms(command)
        picks = tuple((n, 7) for n, row in enumerate(command.rows) if row.pick)
        records.append(PassRecord(command, start_ms, at_ms, picks))
    emits = _emits(records, call or tool_call())
    tool_runs = (ToolRun(emits[0].status, emits[0].at_ms, emits[0].at_ms + 50.0, kept=True),)
    return RunRecord(
        call_id, schedule, source, repeat, PROMPT_TOKENS, 0, tuple(records), emits, tool_runs, settings or {}, is_right
    )


def _emits(records: Sequence[PassRecord], call: ToolCall) -> tuple[EmitRecord, ...]:
    last_ms = records[-1].end_ms
    before_write_back = [r.start_ms for r in records if r.command.phase is Phase.WRITE_BACK]
    if not call.is_complete:
        return (EmitRecord(call, Status.INCOMPLETE, last_ms),)
    if not before_write_back:
        return (EmitRecord(call, Status.FINAL, last_ms),)
    early = EmitRecord(call, Status.PROVISIONAL, before_write_back[0])
    return (early, EmitRecord(call, Status.CONFIRMED, last_ms))


def study(
    calls: int = 4,
    repeats: int = 3,
    schedules: Iterable[str] = SCHEDULES,
    measured_factor: Callable[[int, int], float] = lambda call, repeat: 1.0,
    predicted_factor: Callable[[int], float] = lambda call: 1.0,
) -> list[RunRecord]:
    """Measured runs (`repeats` of each) and one simulated run of every call under every schedule.

    The factors stretch every time of a run.
    """
    runs = []
    for call in range(calls):
        for schedule in schedules:
            names = {"call_id": f"c{call}", "schedule": schedule}
            commands = schedule_passes(schedule, 2 + call)
            for repeat in range(repeats):
                factor = measured_factor(call, repeat)
                runs.append(_stretched(commands, factor, source="measured", repeat=repeat, **names))
            runs.append(_stretched(commands, predicted_factor(call), source="simulated", repeat=0, **names))
    return runs


def _stretched(
    commands: Sequence[Pass], factor: float, *, source: str, repeat: int, call_id: str, schedule: str
) -> RunRecord:
    return make_run(
        commands,
        call_id=call_id,
        schedule=schedule,
        source=source,
        repeat=repeat,
        pass_ms=lambda command: factor * saw_tooth_ms(command),
        host_ms=0.5 * factor,
    )
