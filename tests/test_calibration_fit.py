"""A fit finds the truth that made the samples."""

import dataclasses
import random
from collections.abc import Callable

import pytest

from calibration import Measurement, Sample, default_plan
from calibration.fit import FitResult, fit
from calibration.fit_report import fitted_profile, report_fit, summarise_errors
from calibration.summary import summarise_cells
from calibration.tile import find_tile, remainder_ms
from cost_models import ErrorSummary, MeasuredTable, Provenance
from engine.errors import InputError

PROVENANCE = Provenance(
    model_file_name="m.gguf",
    model_sha256="ab",
    model_bytes=1,
    engine="fake 1",
    engine_build="",
    threads=2,
    cpu="none",
    os="none",
    date="2026-01-02",
    n_ctx=2048,
)
PLAN = default_plan(2048)
COUNTS = tuple(sorted({cell.rows for cell in PLAN.cells if not cell.held_out}))


def truth(tile_rows: int, cost_of: Callable[[int], float]) -> MeasuredTable:
    """A device whose cost over rows is `cost_of`, with slopes of a small model's size."""
    return MeasuredTable(
        row_counts=COUNTS,
        row_ms=tuple(cost_of(count) for count in COUNTS),
        reference_tokens=640,
        context_range_tokens=(32, 1184),
        max_picks=16,
        tile_rows=tile_rows,
        remainder_ms=45.0 if tile_rows > 1 else 0.0,
        pick_ms=0.4,
        context_ms=0.004,
        row_context_ms=0.0002,
    )


SMOOTH = truth(1, lambda n: 5.2 + 4.0 * n)
BENT = truth(1, lambda n: 9.0 + 6.0 * (n - 1) ** 0.9)
SAW_TOOTH = truth(4, lambda n: (79.0 if n < 4 else 15.0 + 80.0 * (n // 4)) + 45.0 * (n % 4 if n > 3 else n - 1))
SWITCHING = dataclasses.replace(
    truth(1, lambda n: 5.2 + 4.0 * n + (3.6 * n if n < 64 else 1.0 * n)),
    row_context_ms=0.0056,
    wide_rows=64,
    wide_row_context_ms=0.0016,
)
DEVICES = pytest.mark.parametrize(
    ("device", "tile"),
    [(SMOOTH, 1), (BENT, 1), (SAW_TOOTH, 4), (SWITCHING, 1)],
    ids=["smooth", "bent", "saw-tooth", "switching"],
)


def measured(
    device: MeasuredTable, noise: float = 0.0, outliers: float = 0.0, sweeps: int = 5, seed: int = 0
) -> Measurement:
    """What a calibration of `device` yields when times vary by `noise` and a share is disturbed threefold."""
    rng = random.Random(seed)
    samples = []
    for sweep in range(sweeps):
        for order, cell in enumerate(PLAN.cells):
            ms = device.pass_ms(cell.rows, cell.picks, cell.context_tokens) * (1 + rng.gauss(0, noise))
            ms *= 3.0 if rng.random() < outliers else 1.0
            fields = {field.name: getattr(cell, field.name) for field in dataclasses.fields(cell)}
            samples.append(Sample(**fields, sweep=sweep, order=order, ms=ms))
    return Measurement(provenance=PROVENANCE, samples=tuple(samples), host_samples_ms=(0.4, 0.5, 9.0))


@DEVICES
def test_exact_samples_give_the_device_back(device: MeasuredTable, tile: int) -> None:
    table = fit(measured(device)).table
    assert table.tile_rows == tile
    assert table.row_counts == device.row_counts
    assert table.wide_rows == device.wide_rows
    for name in ("pick_ms", "context_ms", "row_context_ms", "wide_row_context_ms"):
        assert getattr(table, name) == pytest.approx(getattr(device, name), rel=1e-6)
    for count in COUNTS:
        assert table.pass_ms(count, 1, 700) == pytest.approx(device.pass_ms(count, 1, 700), rel=1e-6)


@DEVICES
@pytest.mark.parametrize("seed", range(3))
def test_noise_and_outliers_do_not_carry_a_fit_away(device: MeasuredTable, tile: int, seed: int) -> None:
    result = fit(measured(device, noise=0.03, outliers=0.05, sweeps=5, seed=seed))
    assert (result.table.tile_rows, result.table.wide_rows) == (tile, device.wide_rows)
    errors = [
        result.table.pass_ms(rows, 1, context) / device.pass_ms(rows, 1, context) - 1
        for rows in range(1, 65)
        for context in (256, 640, 1100)
    ]
    assert summarise_errors(errors).mean < 0.02
    assert summarise_errors(errors).p90 < 0.04


def test_one_wholly_wrong_cell_does_not_move_the_slopes() -> None:
    right = measured(SMOOTH)
    wrong = tuple(
        dataclasses.replace(sample, ms=3 * sample.ms) if (sample.rows, sample.context_tokens) == (256, 640) else sample
        for sample in right.samples
    )
    table = fit(dataclasses.replace(right, samples=wrong)).table
    assert table.row_context_ms == pytest.approx(SMOOTH.row_context_ms, rel=0.02)
    assert table.pass_ms(256, 1, 640) == pytest.approx(SMOOTH.pass_ms(256, 1, 640), rel=0.02)


def test_held_out_samples_do_not_touch_the_table() -> None:
    plain = measured(SAW_TOOTH, noise=0.02)
    spoilt = tuple(
        dataclasses.replace(sample, ms=7 * sample.ms) if sample.held_out else sample for sample in plain.samples
    )
    before, after = fit(plain), fit(dataclasses.replace(plain, samples=spoilt))
    assert before.table == after.table
    assert before.held_out != after.held_out


def test_host_time_is_the_mean_of_its_samples_with_disturbed_ones_as_ten_medians_or_none() -> None:
    with_host = measured(SMOOTH)
    assert fit(with_host).table.host_ms == pytest.approx((0.4 + 0.5 + 5.0) / 3)
    assert fit(dataclasses.replace(with_host, host_samples_ms=())).table.host_ms == 0.0


def test_what_was_measured_is_what_the_table_covers() -> None:
    table = fit(measured(SMOOTH)).table
    assert table.covers(256, 1, 1216)
    assert table.covers(16, 16, 32)
    assert not table.covers(257, 1, 640)
    assert not table.covers(17, 17, 640)
    assert not table.covers(1, 1, 1217)


@pytest.mark.parametrize("keep", [(), (2, 4), (1,)])
def test_a_measurement_that_no_table_follows_from_is_refused(keep: tuple[int, ...]) -> None:
    full = measured(SMOOTH)
    samples = tuple(sample for sample in full.samples if sample.rows in keep)
    with pytest.raises(InputError, match=r"needs cells of 1 row and of more .* row counts: \["):
        fit(dataclasses.replace(full, samples=samples))


def test_a_cell_is_expected_to_take_its_median_times_the_tail_of_all_undisturbed_samples() -> None:
    once = Sample(rows=1, picks=1, context_tokens=100, held_out=False, sweep=0, order=0, ms=10.0)
    times = {1: (10.0, 10.0, 12.0), 2: (20.0, 20.0, 80.0)}
    samples = [dataclasses.replace(once, rows=rows, ms=ms) for rows, each in times.items() for ms in each]
    one, two = summarise_cells(samples)
    assert one.expected_ms == pytest.approx(10.0 * (4 + 1.2) / 5)
    assert two.expected_ms == pytest.approx(20.0 * (4 + 1.2) / 5)


def test_a_cell_is_its_median_and_its_mean_absolute_deviation() -> None:
    once = Sample(rows=4, picks=1, context_tokens=644, held_out=False, sweep=0, order=0, ms=10.0)
    samples = [dataclasses.replace(once, sweep=i, ms=ms) for i, ms in enumerate((10.0, 11.0, 40.0))]
    (summary,) = summarise_cells(samples)
    assert (summary.median_ms, summary.repeats) == (11.0, 3)
    assert summary.spread == pytest.approx((1 + 0 + 29) / 3 / 11)


@pytest.mark.parametrize("tile", [2, 4, 8, 16])
def test_a_clear_saw_tooth_is_found_with_its_own_tile(tile: int) -> None:
    counts = (1, *range(2, 9), 10, 12, 16, 20, 24, 32, 48, 64)
    times = [20.0 + 30.0 * (n // tile) + 25.0 * (n % tile) for n in counts]
    found, evidence = find_tile(counts, times, noise=0.01)
    assert found == tile
    assert min(evidence, key=lambda item: item.error).tile_rows == tile
    assert remainder_ms(counts, times, tile) == pytest.approx(25.0)


def test_teeth_smaller_than_the_devices_own_noise_are_not_believed() -> None:
    times = [5.0 + 4.0 * n + 1.0 * (n % 4) for n in COUNTS]
    assert find_tile(COUNTS, times, noise=0.0)[0] == 4
    assert find_tile(COUNTS, times, noise=0.2)[0] == 1


def test_wide_passes_start_where_their_own_rules_explain_most() -> None:
    evidence = fit(measured(SWITCHING, noise=0.02)).wides
    assert [item.wide_rows for item in evidence] == [None, 48, 64, 96, 128]
    assert min(evidence, key=lambda item: item.error).wide_rows == 64


def test_a_pass_just_below_the_switch_costs_more_than_one_just_above() -> None:
    table = fit(measured(SWITCHING)).table
    assert table.pass_ms(63, 1, 1152) > 1.4 * table.pass_ms(64, 1, 1152)


def test_straight_lines_need_no_tile() -> None:
    tile, evidence = find_tile(COUNTS, [5.0 + 4.0 * n for n in COUNTS], noise=0.0)
    assert tile == 1
    assert [item.tile_rows for item in evidence] == [1, 2, 4, 8, 16]


def test_too_few_counts_to_tell_leave_no_tile() -> None:
    assert find_tile((1, 2, 4), (1.0, 5.0, 2.0), noise=0.0)[0] == 1
    assert remainder_ms((1, 2, 4), (1.0, 5.0, 2.0), 1) == 0.0


@pytest.fixture(scope="module")
def noisy() -> FitResult:
    return fit(measured(SAW_TOOTH, noise=0.03, seed=4))


def test_errors_are_summarised_by_size_and_sign() -> None:
    expected = ErrorSummary(cells=4, mean=0.1, median=0.1, p90=0.17, worst=0.2, bias=0.0)
    summary = summarise_errors([0.1, -0.1, 0.0, -0.2])
    assert dataclasses.asdict(summary) == pytest.approx(dataclasses.asdict(dataclasses.replace(expected, bias=-0.05)))
    assert summarise_errors([]).cells == 0


def test_a_report_tells_held_out_and_fitted_cells_apart(noisy: FitResult) -> None:
    report = report_fit(noisy)
    assert [row[:2] for row in report.rows[:3]] == [(1, "fitted"), (1, "held out"), (2, "fitted")]
    assert sum(row[2] for row in report.rows if row[1] == "held out") == report.summary.held_out.cells
    assert report.worst_held_out is not None
    assert abs(report.worst_held_out.error) == report.summary.held_out.worst
    assert report.figures["held_out_p90"] == report.summary.held_out.p90
    assert report.figures["repeat_spread"] == noisy.repeat_spread


def test_the_error_stands_beside_the_devices_own_spread(noisy: FitResult) -> None:
    report = report_fit(noisy)
    assert 0.01 < report.summary.repeat_spread < 0.04
    assert report.summary.held_out.mean < 2 * report.summary.repeat_spread


def test_the_plain_text_has_a_line_per_row_and_four_to_close(noisy: FitResult) -> None:
    report = report_fit(noisy)
    lines = report.lines()
    assert len(lines) == 1 + len(report.rows) + 4
    assert lines[-1].startswith("worst held-out cell: ")
    assert max(len(line) for line in lines) <= 100


def test_a_report_without_held_out_cells_says_none() -> None:
    full = measured(SMOOTH)
    fitted = tuple(sample for sample in full.samples if not sample.held_out)
    report = report_fit(fit(dataclasses.replace(full, samples=fitted)))
    assert report.worst_held_out is None
    assert report.summary.held_out.cells == 0
    assert "held out: 0 cells" in "\n".join(report.lines())


def test_a_fitted_profile_carries_table_errors_and_origin(noisy: FitResult) -> None:
    profile = fitted_profile("a device", measured(SAW_TOOTH), noisy, notes="on mains")
    assert (profile.name, profile.notes, profile.provenance) == ("a device", "on mains", PROVENANCE)
    assert profile.table == noisy.table
    assert profile.fit == report_fit(noisy).summary
