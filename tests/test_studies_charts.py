import polars as pl
import pytest
import vl_convert

from engine import schedules
from engine.commands import Phase
from engine.errors import InputError
from studies.call_parts import AFTERWARDS, OUTSIDE
from studies.chart_colours import PHASE_COLOURS, SCHEDULE_COLOURS, part_label
from studies.comparison import compare
from studies.comparison_charts import latency_chart, phase_chart, prediction_chart
from studies.cost_chart import COST_SCHEMA, cost_chart
from studies.frames import emits_frame, passes_frame
from studies.gantt_chart import gantt_chart
from tests.records_builder import SCHEDULES, study

CELLS = pl.DataFrame(
    [
        (1, 1, 129, 40.0, "fit", 41.0),
        (4, 1, 132, 52.0, "held out", 50.0),
        (4, 4, 132, 55.0, "fit", 56.0),
        (1, 1, 641, 44.0, "fit", 43.0),
        (8, 1, 648, 70.0, "fit", 71.0),
    ],
    schema=COST_SCHEMA,
    orient="row",
)


def noisy_study():
    return study(4, measured_factor=lambda call, repeat: 1 + 0.02 * repeat, predicted_factor=lambda call: 1.05)


def gantt(runs, call_id="c1", **chosen):
    return gantt_chart(passes_frame(runs), emits_frame(runs), call_id, **chosen)


CHARTS = {
    "tool start": lambda: latency_chart(compare(noisy_study()), "tool start"),
    "final call": lambda: latency_chart(compare(noisy_study()), "final call"),
    "prediction": lambda: prediction_chart(compare(noisy_study())),
    "phases": lambda: phase_chart(compare(noisy_study())),
    "cost": lambda: cost_chart(CELLS),
    "gantt": lambda: gantt(noisy_study()),
}


def rows(chart):
    """The rows of each of a chart's data sets."""
    return list(chart.to_dict()["datasets"].values())


def rows_with(chart, *names):
    return next(some for some in rows(chart) if some and set(names) <= some[0].keys())


@pytest.mark.parametrize("name", CHARTS)
def test_a_chart_is_valid_draws_and_is_the_same_each_time(name):
    chart = CHARTS[name]()
    spec = chart.to_dict()
    assert spec == CHARTS[name]().to_dict()
    assert (spec["width"], spec["config"]["background"]) == ("container", "white")
    assert "<svg" in vl_convert.vegalite_to_svg({**spec, "width": 600})


@pytest.mark.parametrize("name", CHARTS)
def test_axes_with_numbers_say_their_unit(name):
    titles = [
        layer["encoding"][channel]["title"]
        for layer in CHARTS[name]().to_dict()["layer"]
        for channel in ("x", "y")
        if layer["encoding"].get(channel, {}).get("type") == "quantitative" and "title" in layer["encoding"][channel]
    ]
    assert titles
    assert all("(ms)" in title or title == "rows of the pass" for title in titles)


def test_each_phase_has_a_colour_of_its_own():
    assert set(PHASE_COLOURS) == {*Phase, OUTSIDE, AFTERWARDS}
    assert len(set(PHASE_COLOURS.values())) == len(PHASE_COLOURS)


def test_each_schedule_has_a_colour_of_its_own():
    assert set(SCHEDULE_COLOURS) == set(schedules.SCHEDULES)
    assert len(set(SCHEDULE_COLOURS.values())) == len(SCHEDULE_COLOURS)


def test_a_schedule_keeps_its_colour_whatever_it_is_drawn_with():
    for chosen in (SCHEDULES, SCHEDULES[1:], SCHEDULES[::-1]):
        chart = prediction_chart(compare(study(2, schedules=chosen)))
        scale = chart.to_dict()["layer"][-1]["encoding"]["color"]["scale"]
        assert sorted(scale["domain"]) == sorted(chosen)
        assert [SCHEDULE_COLOURS[name] for name in scale["domain"]] == scale["range"]


@pytest.mark.parametrize("name", ["phases", "gantt"])
def test_phases_have_the_same_colours_in_every_chart(name):
    colour = CHARTS[name]().to_dict()["layer"][0]["encoding"]["color"]["scale"]
    expected = {part_label(part): value for part, value in PHASE_COLOURS.items()}
    assert dict(zip(colour["domain"], colour["range"], strict=True)).items() <= expected.items()


def test_latency_bars_are_the_means_of_the_comparison():
    comparison = compare(noisy_study())
    shown = {(r["schedule"], r["source"]): r for r in rows_with(latency_chart(comparison, "tool start"), "label")}
    for item in comparison.schedules:
        measured = shown[item.schedule, "measured"]
        assert measured["ms"] == item.tool_start_ms.measured
        assert shown[item.schedule, "predicted"]["ms"] == item.tool_start_ms.predicted
        half_ms = measured["ms"] * item.tool_start_ms.spread_percent / 100
        assert (measured["low_ms"], measured["high_ms"]) == (
            measured["ms"] - half_ms,
            measured["ms"] + half_ms,
        )


def test_bars_and_whiskers_of_a_busy_machine_stay_on_their_axis():
    """What lies outside would shrink the bars into a strip."""
    busy = study(4, measured_factor=lambda call, repeat: (0.2, 1.0, 8.0)[repeat])
    chart = latency_chart(compare(busy), "tool start")
    low, high = chart.to_dict()["layer"][0]["encoding"]["x"]["scale"]["domain"]
    shown = rows_with(chart, "label")
    assert all(low <= row["low_ms"] <= row["ms"] <= row["high_ms"] <= high for row in shown)
    assert max(row["ms"] for row in shown) >= high / 4


def test_phase_bars_add_up_to_their_labels_and_leave_out_the_prompt():
    shown = phase_chart(compare(noisy_study()))
    totals = {(r["schedule"], r["source"]): r["ms"] for r in rows_with(shown, "label")}
    parts = rows_with(shown, "part")
    assert "prompt" not in {r["part"] for r in parts}
    for key, total in totals.items():
        assert sum(r["ms"] for r in parts if (r["schedule"], r["source"]) == key) == pytest.approx(total)


def test_each_call_and_schedule_is_a_point():
    points = rows_with(prediction_chart(compare(noisy_study())), "call")
    assert len(points) == 4 * len(SCHEDULES)
    assert all(p["low_ms"] <= p["measured_ms"] <= p["high_ms"] for p in points)


def test_a_gantt_has_the_passes_after_the_prompt_of_one_repeat():
    runs = noisy_study()
    blocks = rows_with(gantt(runs, repeat=1), "part")
    chosen = [r for r in runs if (r.call_id, r.source, r.repeat) == ("c1", "measured", 1)]
    assert len(blocks) == sum(len(run.call_passes) for run in chosen)
    assert min(block["start"] for block in blocks) >= 0
    ends = {s: max(b["end"] for b in blocks if b["schedule"] == s) for s in SCHEDULES}
    assert ends == {run.schedule: pytest.approx(run.final_ms) for run in chosen}


def test_a_gantt_marks_each_emission():
    marks = rows_with(gantt(noisy_study()), "status")
    assert [m["status"] for m in marks if m["schedule"] == "schemaweaver"] == ["provisional", "confirmed"]


@pytest.mark.parametrize("chosen", [{"call_id": "none"}, {"repeat": 9}])
def test_a_gantt_of_a_run_that_is_not_there_is_refused(chosen):
    with pytest.raises(InputError, match="no measured run"):
        gantt(noisy_study(), **chosen)


def test_cost_lines_start_at_one_row_and_points_are_the_cells():
    chart = cost_chart(CELLS)
    points = rows_with(chart, "kind")
    assert sorted(p["ms"] for p in points) == sorted(CELLS["ms"])
    assert {p["before"] for p in points} == {128, 640}
    lines = next(some for some in rows(chart) if "kind" not in some[0])
    assert [r["rows"] for r in lines if (r["before"], r["read"]) == (128, "every")] == [1, 4]
    assert [r["rows"] for r in lines if (r["before"], r["read"]) == (128, "some")] == [1, 4]


def test_cost_cells_without_a_column_are_refused():
    with pytest.raises(InputError, match="predicted_ms"):
        cost_chart(CELLS.drop("predicted_ms"))


def test_charts_stand_missing_numbers():
    measured = compare([run for run in study(2) if run.source == "measured"])
    assert {r["source"] for r in rows_with(latency_chart(measured, "final call"), "label")} == {"measured"}
    assert phase_chart(measured).to_dict()
    assert prediction_chart(measured).to_dict()
    assert cost_chart(CELLS.clear()).to_dict()
    assert latency_chart(compare([]), "tool start").to_dict()
