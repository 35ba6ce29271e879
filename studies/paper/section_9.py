"""Section 9: the OnePlus 12R's other processors."""

from collections.abc import Iterator

import numpy as np

from engine.commands import Phase
from sim.pass_table import PHASES
from studies.paper.estimate import Estimate, exact, geometric_means, over_draws
from studies.paper.exhibit import Cell, Exhibit
from studies.paper.given import CALLS
from studies.paper.pass_sums import until_tool_start
from studies.paper.phase_sums import passes_ms
from studies.paper.printed import printed_number
from studies.paper.setting import BASE_MODEL, ONEPLUS, Setting

PROCESSORS = {"gpu": f"{ONEPLUS}-gpu", "npu": f"{ONEPLUS}-npu-in-engine"}
"""Devices by the paper's names of processors."""

CONTEXT_TOKENS = 512
PROMPT_TOKENS = 512
PREFILLS = frozenset({Phase.SKELETON, Phase.WRITE_BACK})
"""The phases that section 9 would give to the NPU."""

NOTE = (
    "Each processor is known by a serial step, a four-sequence pass and a prompt token. SchemaWeaver's passes are "
    "priced on it, and set against constrained decoding on the CPU's cores and on the processor itself. The last rows "
    "price section 9's outlook: skeleton and write-back on the NPU, all else on the CPU, moving the state between "
    "them left out."
)
GIVEN = (
    "section 9's ratios of serial steps, four-sequence passes and prompt tokens",
    "Table 1 where the device files say so",
    "Tables 2, 8 and 10 for the CPU",
    *CALLS,
)
TABLE_1 = "Table 1 and section 9 contradict each other here, and Table 1 was taken."
OTHERWISE = {
    ("gpu", "serial_over_cpu_serial"): TABLE_1,
    ("gpu", "decode_step_over_prefill_token"): TABLE_1,
    (
        "npu",
        "decode_step_over_prefill_token",
    ): "Printed as over 70; the step is section 9's, the prompt token Table 1's.",
}
SLOWER = (
    "The printed ratios alone do not make it: section 9 also names contention and a longer initialisation, which are "
    "not modelled."
)


def section_9(setting: Setting) -> Exhibit:
    """What each processor was known by, and what SchemaWeaver would gain on it."""
    return Exhibit(
        key="section-9",
        title="Section 9: GPU and NPU",
        note=NOTE,
        given=GIVEN,
        cells=tuple(
            cell for name in PROCESSORS for cell in (*_given_cells(setting, name), *_speedup_cells(setting, name))
        ),
        assumed=_assumed(setting),
    )


def speedup(setting: Setting, device: str, baseline: str) -> Estimate:
    """Of SchemaWeaver on `device` over constrained decoding on `baseline`, draw by draw."""
    constrained = setting.drawn_tool_starts(baseline, BASE_MODEL, "constrained")
    return over_draws(constrained / setting.drawn_tool_starts(device, BASE_MODEL, "schemaweaver"))


def shared_speedup(setting: Setting, device: str) -> Estimate:
    """The same on the CPU, with the prefills on `device`."""
    table = setting.passes(BASE_MODEL, "schemaweaver")
    on_device = np.isin(table.phases, [PHASES.index(phase) for phase in PREFILLS])
    here, there = (passes_ms(table, setting.cost(name)) for name in (ONEPLUS, device))
    start_ms = until_tool_start(table, np.where(on_device, there, here))
    constrained = setting.drawn_tool_starts(ONEPLUS, BASE_MODEL, "constrained")
    return over_draws(constrained / geometric_means(start_ms, setting.draws(BASE_MODEL)))


def _assumed(setting: Setting) -> tuple[str, ...]:
    sentences = (sentence for name in PROCESSORS.values() for sentence in setting.device(name).assumed)
    return tuple(dict.fromkeys(sentences))


def _given_cells(setting: Setting, name: str) -> Iterator[Cell]:
    """How the devices meet what they were made of; where Table 1 says otherwise, their files say which was taken."""
    cost, cpu = setting.cost(PROCESSORS[name]), setting.cost(ONEPLUS)
    serial_ms = cost.pass_ms(1, 1, CONTEXT_TOKENS)
    prompt_token_ms = cost.pass_ms(PROMPT_TOKENS, 1, PROMPT_TOKENS) / PROMPT_TOKENS
    ours = {
        "four_sequence_over_serial": cost.pass_ms(4, 4, CONTEXT_TOKENS) / serial_ms,
        "serial_over_cpu_serial": serial_ms / cpu.pass_ms(1, 1, CONTEXT_TOKENS),
        "decode_step_over_prefill_token": serial_ms / prompt_token_ms,
    }
    for row, ratio in ours.items():
        why = OTHERWISE.get((name, row), "")
        yield Cell(
            row=row.replace("_", " "),
            column=name,
            unit="x",
            printed=printed_number("section_9", name, row),
            ours=exact(ratio),
            role="open" if why else "given",
            why=why,
        )


def _speedup_cells(setting: Setting, name: str) -> Iterator[Cell]:
    device = PROCESSORS[name]
    speedups = {
        "speedup over the CPU's constrained decoding": speedup(setting, device, ONEPLUS),
        "speedup over its own constrained decoding": speedup(setting, device, device),
        "speedup with prefills there, else on the CPU": shared_speedup(setting, device),
    }
    for place, (row, ours) in enumerate(speedups.items()):
        is_printed = name == "gpu" and place == 0
        yield Cell(
            row=row,
            column=name,
            unit="x",
            printed=printed_number("section_9", "gpu", "schemaweaver_speedup") if is_printed else None,
            ours=ours,
            why=SLOWER if is_printed else "",
        )
