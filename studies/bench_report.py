"""What a bench found, as data and as sections for the terminal and for Markdown."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from cost_models import Provenance
from studies.aims import aims_of
from studies.constraint_bench import CONSTRAINT_AIMS, ConstraintBench, constraint_table
from studies.counting_bench import COUNTING_AIM, CountingBench, counting_table
from studies.ground import what_if
from studies.own_costs import OWN_COST_AIMS, OwnCosts, own_cost_table
from studies.phone_speed import PhoneSpeed
from studies.pricing_bench import PRICING_AIM, PricingBench, pricing_table
from studies.report import Section
from studies.runs_file import RunsHeader
from studies.speed import Speed
from studies.speed_tables import aim_table, ratio_table, speed_table
from studies.sweep_bench import SWEEP_AIM, SweepBench, sweep_table
from studies.text_table import Table
from studies.workloads import READ_ONLY

BENCH_FORMAT = "schemaweaver-bench-1"

HOW_TO_READ = (
    "Latency counts from the end of the prompt, in geometric means over a call's repeats and then over calls. Tool "
    "start is the provisional call where it stood, final call the one that is known to be right. A ratio is the other "
    "schedule's latency over the schedule's own, so that more than 1 is faster; its interval is a bootstrap's over "
    "calls, at 95 %. Cut calls reached the limit of tokens and stay in the means. A call is right where the workload's "
    "own rules accept it in each repeat, with Wilson's interval."
)
MOST_NAMED = 3
"""Calls that a sentence names."""

AIMS_NOTE = (
    "Set for 100 calls of BFCL and a model of half a billion weights; the host's time for the embedded model. The best "
    "exact schedule is the fastest of those that always write the call of jump_forward, without auto; it is chosen on "
    "these very calls, which is hard on auto. The odds of drafts were counted in part on what Qwen2.5-Coder-0.5B wrote "
    "for bfcl:100 with seed 0."
)


@dataclass(frozen=True, slots=True)
class Bench:
    """One bench: the runs' header, how fast schedules were and would be, and what the project itself costs.

    `pricings`, `sweeps` and `counting` are of what-ifs, the last None where nobody asked.
    """

    command: str
    header: RunsHeader
    here: Speed
    phones: tuple[PhoneSpeed, ...]
    costs: tuple[OwnCosts, ...]
    constraints: tuple[ConstraintBench, ...]
    pricings: tuple[PricingBench, ...] = ()
    sweeps: tuple[SweepBench, ...] = ()
    counting: CountingBench | None = None


def bench_sections(bench: Bench) -> Iterator[Section]:
    """All tables, each under what it is of."""
    yield Section("On this machine", _measured_note(bench), _speed_tables(bench.here, is_measured=True))
    for phone in bench.phones:
        title = f"Priced as a {phone.profile.name}{', every tool read-only' if phone.name.endswith(READ_ONLY) else ''}"
        yield Section(title, _phone_note(phone, bench.header), _speed_tables(phone.speed, is_measured=False))
    aims = aims_of(bench.here, {phone.name: phone.speed for phone in bench.phones})
    yield Section("Aims", AIMS_NOTE, (aim_table(aims),))
    yield Section("What the project itself costs", OWN_COST_AIMS, (own_cost_table(bench.costs),))
    if bench.pricings:
        yield Section("Prices of passes that come with the project", PRICING_AIM, (pricing_table(bench.pricings),))
    if bench.sweeps:
        yield Section("Sweeps", SWEEP_AIM, (sweep_table(bench.sweeps),))
    if bench.counting:
        yield Section("Counting passes", COUNTING_AIM, (counting_table(bench.counting),))
    if bench.constraints:
        yield Section("Constraints on real vocabularies", CONSTRAINT_AIMS, (constraint_table(bench.constraints),))


def bench_introduction(bench: Bench) -> str:
    """One paragraph: the command, the workload, and the model and machine."""
    header, at = bench.header, bench.header.provenance
    return (
        f"Made by `{bench.command}`: {header.workload}, seed {header.seed}, on {at.model_file_name} (SHA-256 "
        f"{at.model_sha256[:12]}) in the {header.call_format} format, {at.engine}, {machine(at)}, {at.date}."
    )


def machine(provenance: Provenance) -> str:
    """The machine in a few words."""
    return f"{provenance.cpu}, {provenance.threads} threads, {provenance.os}"


def bench_json(bench: Bench) -> dict[str, Any]:
    """The bench as plain JSON data."""
    speeds = {phone.name: phone.speed for phone in bench.phones}
    aims = aims_of(bench.here, speeds)
    return {
        "format": BENCH_FORMAT,
        "command": bench.command,
        **asdict(bench.header),
        "this_machine": asdict(bench.here),
        "phones": {phone.name: {**asdict(phone.speed), "unwritten": phone.unwritten} for phone in bench.phones},
        "aims": [{**asdict(aim), "is_reached": aim.is_reached} for aim in aims],
        "own_costs": list(map(asdict, bench.costs)),
        "constraints": list(map(asdict, bench.constraints)),
        "pricings": [{**asdict(each), "pricings": each.pricings} for each in bench.pricings],
        "sweeps": [{**asdict(each), "points": each.points} for each in bench.sweeps],
        "counting": asdict(bench.counting) if bench.counting else None,
    }


def _speed_tables(speed: Speed, is_measured: bool) -> tuple[Table, ...]:
    return speed_table(speed, is_measured), ratio_table(speed)


def _measured_note(bench: Bench) -> str:
    speed, planned = bench.here, bench.header.planned
    limit = f", calls of at most {planned.max_call_tokens} tokens" if planned else ""
    return " ".join(filter(None, (f"{_scope(speed)}{limit}. {HOW_TO_READ}", _left_out(speed.left_out), _cut(speed))))


def _phone_note(phone: PhoneSpeed, header: RunsHeader) -> str:
    said = what_if(phone.profile, header.provenance.model_file_name)
    unwritten = ", ".join(phone.unwritten)
    return " ".join(
        filter(
            None,
            (
                f"{_scope(phone.speed)}, the model writing the accepted answers; {said}.",
                f"Left out, as their answers break their tools' schemas: {unwritten}." if unwritten else "",
                phone.extrapolated,
                _cut(phone.speed),
            ),
        )
    )


def _scope(speed: Speed) -> str:
    count = f"{len(speed.call_ids)} calls"
    if speed.repeats is None:
        return count
    low, high = speed.repeats
    times = "once" if high == 1 else f"{low if low == high else f'{low} to {high}'} times"
    return f"{count}, each measured {times} by each schedule"


def _left_out(call_ids: tuple[str, ...]) -> str:
    return f"Left out for want of a run: {', '.join(call_ids)}." if call_ids else ""


def _cut(speed: Speed) -> str:
    cut = [f"{each.schedule} {_first_of(each.incomplete)}" for each in speed.schedules if each.incomplete]
    return f"Cut at the limit: {'; '.join(cut)}." if cut else ""


def _first_of(call_ids: tuple[str, ...]) -> str:
    """The first few, and how many there are beside them; the data has all."""
    left = len(call_ids) - MOST_NAMED
    return ", ".join(call_ids[:MOST_NAMED]) + (f" and {left} more" if left > 0 else "")
