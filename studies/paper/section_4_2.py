"""Section 4.2: what decoding the values side by side saves, and what padding adds."""

from collections.abc import Iterator

import numpy as np

from cost_models.protocol import FloatArray
from engine.commands import Phase
from studies.paper.bfcl_calls import required_arguments
from studies.paper.estimate import over_draws
from studies.paper.exhibit import Cell, Exhibit, Role
from studies.paper.given import ONEPLUS_CALLS
from studies.paper.phase_sums import call_sums, means_within, of_phase
from studies.paper.printed import printed_number
from studies.paper.setting import BASE_MODEL, Setting
from studies.paper.value_times import PADDED, SERIAL, is_padded, value_times

OWN_PASSES = "Whether a value's first token, which comes out of the skeleton pass, counts as a pass is not said."
IN_POINTS = "Another reading of the paper's 17 %: the speed-up over serial decoding of the values goes up by 0.17."

READ_PADDING = (
    "Our padding rows are not picked from; were they, the output layer would multiply a whole tile of rows at once, "
    "which costs less than two or three single ones."
)


def section_4_2(setting: Setting) -> Exhibit:
    """Value passes, their time, the share of padded passes and padding's gain, on the OnePlus 12R."""
    return Exhibit(
        key="section-4-2",
        title="Section 4.2: values side by side, OnePlus 12R",
        note=(
            "The schedules skeleton, parallel and schemaweaver differ in their value passes alone: one value at a "
            "time, side by side, and padded to four rows. A value's length counts its first token, which comes out of "
            "the skeleton pass, in the count of passes and in the share of padded ones; times are of the value passes "
            "alone. Ratios are of means over a draw's calls."
        ),
        given=ONEPLUS_CALLS,
        cells=(*_pass_cells(setting), *_time_cells(setting), *_padding_cells(setting)),
    )


def _pass_cells(setting: Setting) -> tuple[Cell, ...]:
    required = required_arguments(setting.passes(BASE_MODEL, PADDED))
    lengths = {"serial": _value_passes(setting, SERIAL) + required, "parallel": _parallel_lengths(setting)}
    everywhere = np.ones(len(required), dtype=np.bool_)
    return tuple(
        _cell(f"passes of the values, {name}", "passes", printed_number("section_4_2", "value_passes", name), drawn)
        for name, of_calls in lengths.items()
        for drawn in (means_within(of_calls, everywhere, setting.draws(BASE_MODEL)),)
    )


def _parallel_lengths(setting: Setting) -> FloatArray:
    """The longest value of each call, shape (calls,): its passes side by side, the first tokens' among them."""
    required = required_arguments(setting.passes(BASE_MODEL, PADDED))
    return np.asarray(_value_passes(setting, PADDED) + np.minimum(required, 1))


def _value_passes(setting: Setting, schedule: str) -> FloatArray:
    table = setting.passes(BASE_MODEL, schedule)
    return call_sums(table, of_phase(table, Phase.VALUES))


def _time_cells(setting: Setting) -> tuple[Cell, ...]:
    required = required_arguments(setting.passes(BASE_MODEL, PADDED))
    cells: list[Cell] = []
    for name, least in (("all", 0), ("two_or_more_required", 2)):
        times = value_times(setting, required >= least)
        printed = 100 * printed_number("section_4_2", "latency_reduction", name)
        own_passes = (times.padded + times.one_pass) / (times.serial + times.first_tokens)
        row = f"time saved, {name.replace('_', ' ')}"
        cells.append(_cell(row, "%", printed, 100 * (1 - times.padded / times.serial)))
        cells.append(
            _cell(f"{row}, first tokens counted", "%", printed, 100 * (1 - own_passes), role="open", why=OWN_PASSES)
        )
    return tuple(cells)


def _padding_cells(setting: Setting) -> tuple[Cell, ...]:
    table, draws = setting.passes(BASE_MODEL, PADDED), setting.draws(BASE_MODEL)
    padded = call_sums(table, is_padded(setting))[draws].sum(axis=1)
    of_values = _parallel_lengths(setting)[draws].sum(axis=1)
    share = 100 * printed_number("section_4_2", "padded_pass_share")
    return (_cell("value passes that are padded", "%", share, 100 * padded / of_values), *_gain_cells(setting))


def _gain_cells(setting: Setting) -> Iterator[Cell]:
    """What padding adds to the speed of value decoding, by two readings of the printed 17 %, and of the padding."""
    gain = 100 * printed_number("section_4_2", "padding_gain")
    times = value_times(setting, np.ones(setting.passes(BASE_MODEL, PADDED).run_count, dtype=np.bool_))
    for padding, after, why in (("", times.padded, ""), (", which is read too", times.padded_read, READ_PADDING)):
        points = times.serial / after - times.serial / times.unpadded
        row = f"speed-up by padding{padding}"
        yield _cell(row, "%", gain, 100 * (times.unpadded / after - 1), role="open" if why else "predicted", why=why)
        yield _cell(f"{row}, in points", "%", gain, 100 * points, role="open", why=why or IN_POINTS)


def _cell(row: str, unit: str, printed: float, drawn: FloatArray, role: Role = "predicted", why: str = "") -> Cell:
    return Cell(row=row, column=BASE_MODEL, unit=unit, printed=printed, ours=over_draws(drawn), role=role, why=why)
