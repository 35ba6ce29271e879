"""Axes of a sweep: what texts state, what is refused and how, and the grid that they make."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import InputError
from studies.sweep.asked import asked_values, why_run
from studies.sweep.axes import AXES, axis_named, read_axis, read_values
from studies.sweep.frame import COLUMNS
from studies.sweep.place import place_at
from studies.sweep.point import MOST_POINTS, Point, grid, varying

FORM = "as FROM:TO:STEPS or a list"


@pytest.mark.parametrize(
    ("axis", "text", "values"),
    [
        ("bus", "676:3172:3", (676.0, 1924.0, 3172.0)),
        ("bus", "3172:676:2", (3172.0, 676.0)),
        ("bus", "676,1352,676", (676.0, 1352.0)),
        ("bus", " 676 ", (676.0,)),
        ("bus", "5:9:1", (5.0,)),
        ("arguments", "1:8:8", (1, 2, 3, 4, 5, 6, 7, 8)),
        ("arguments", "1:3:9", (1, 2, 3)),
        ("optional", "0,2", (0, 2)),
        ("acceptance", "0:1:3", (0.0, 0.5, 1.0)),
        ("tool-ms", "0", (0.0,)),
        ("quantisation", "Q8_0, Q4_0", ("Q8_0", "Q4_0")),
    ],
)
def test_values_are_what_a_list_or_a_range_states(axis, text, values):
    read = read_values(AXES[axis], text)
    assert read == values
    assert [type(value) for value in read] == [type(value) for value in values]


@given(st.floats(0.1, 1e5), st.floats(0.1, 1e5), st.integers(1, 50))
def test_a_range_has_both_its_ends_and_equal_steps(first, last, steps):
    values = read_values(AXES["bus"], f"{first!r}:{last!r}:{steps}")
    assert values[0] == first
    if steps > 1 and first != last:
        assert values[-1] == last
        assert len(values) == steps
        assert np.diff(values) == pytest.approx((last - first) / (steps - 1), rel=1e-6, abs=1e-9)


@pytest.mark.parametrize(
    ("axis", "text", "problem"),
    [
        ("bus", "676:3172", "a range needs a number of steps"),
        ("bus", "1:2:3:4", "a range has three parts"),
        ("bus", "676:3172:0", "0 steps; a range has a whole number of them, from 1 to 100,000"),
        ("bus", "676:3172:inf", "inf steps; a range has a whole number of them"),
        ("bus", "676:3172:nan", "nan steps; a range has a whole number of them"),
        ("bus", "676:3172:1e8", "1e+08 steps; a range has a whole number of them, from 1 to 100,000"),
        ("cores", "1:inf:3", "inf lies outside"),
        ("cores", "nan:4:3", "nan lies outside"),
        ("bus", "-inf:4:3", "-inf lies outside"),
        ("bus", "1:inf:1", "inf lies outside"),
        ("cores", "1:1e999:3", "inf lies outside"),
        ("bus", "676:3172:-2", "-2 steps"),
        ("bus", "676:3172:2.5", "2.5 steps"),
        ("bus", "676:fast:3", "'fast' is no number"),
        ("bus", "", "'' is no number"),
        ("bus", "676,,3", "'' is no number"),
        ("bus", "-676", "-676 lies outside"),
        ("bus", "0:10:3", "0 lies outside"),
        ("bus", "inf", "inf lies outside"),
        ("bus", "nan", "nan lies outside"),
        ("acceptance", "0.5:1.5:2", "1.5 lies outside"),
        ("arguments", "0", "0 lies outside"),
        ("arguments", "1.5", "1.5 is no whole number"),
        ("tool-ms", "-1", "-1 lies outside"),
    ],
)
def test_values_that_are_none_are_refused_with_axis_value_and_form(axis, text, problem):
    with pytest.raises(InputError, match=re.escape(f"--{axis} {text}: {problem}")) as refused:
        read_values(AXES[axis], text)
    assert FORM in str(refused.value)


def test_an_unknown_axis_lists_all_of_them():
    for refuse in (axis_named, lambda name: read_axis(f"{name}=3")):
        with pytest.raises(InputError, match="unknown axis 'warp'") as refused:
            refuse("warp")
        assert all(f"{name} (" in str(refused.value) for name in AXES)


def test_an_axis_needs_values_and_takes_them_once():
    with pytest.raises(InputError, match=r"--axis bus: no values; expected bus=VALUES"):
        read_axis("bus")
    with pytest.raises(InputError, match="bus has values already; give them once"):
        asked_values({"bus": "676"}, ["bus=700"])
    assert asked_values({}, ["bus=700", "schedule=verified"])["bus"] == (700.0,)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"schedule": "warp"}, "unknown schedule 'warp'; choose one of: unconstrained"),
        ({"schedule": "a,,b"}, "a name is empty"),
        ({"acceptance": "0.5", "schedule": "schemaweaver"}, "only speculative has a draft head"),
    ],
)
def test_schedules_and_heads_that_do_not_fit_are_refused(options, problem):
    with pytest.raises(InputError, match=re.escape(problem)):
        asked_values(options, ())


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"bus": "676", "tool-ms": "5", "cores": "2", "quantisation": "Q4_0"}, None),
        ({"batch": "4"}, "--batch"),
        ({"tile": "4"}, "--tile"),
        ({"prompt-tokens": "400"}, "--prompt-tokens"),
        ({"acceptance": "0.5"}, "--acceptance"),
        ({"schedule": "schemaweaver,auto"}, "--schedule auto"),
    ],
)
def test_only_what_changes_passes_makes_schedules_run(options, why):
    assert why_run(asked_values(options, ())) == why


@pytest.mark.parametrize(
    ("options", "device"), [({}, "oneplus-12r"), ({"bus": "676"}, "pixel-7"), ({"bus": "676", "device": "x"}, "x")]
)
def test_the_device_is_the_one_whose_bus_was_measured_where_the_bus_is_asked_for(options, device):
    assert asked_values(options, ())["device"] == (device,)


def test_a_grid_has_every_combination_with_schedules_and_tool_times_beside_each_other():
    points = grid({"tool-ms": (0.0, 5.0), "schedule": ("a", "b"), "bus": (1.0, 2.0, 3.0)}, Point())
    assert len(set(points)) == 12
    assert [(p.bus_mhz, p.schedule, p.tool_ms) for p in points[:5]] == [
        (1.0, "a", 0.0),
        (1.0, "a", 5.0),
        (1.0, "b", 0.0),
        (1.0, "b", 5.0),
        (2.0, "a", 0.0),
    ]
    assert varying(points) == ("bus", "schedule", "tool-ms")


def test_a_grid_has_at_most_so_many_points():
    many = tuple(map(float, range(1000)))
    assert len(grid({"bus": many, "tool-ms": many[:100]}, Point())) == MOST_POINTS
    with pytest.raises(InputError, match=re.escape("101,000 points (1,000 of bus times 101 of tool-ms); expected at")):
        grid({"bus": many, "tool-ms": many[:101]}, Point())


def test_bus_and_bandwidth_exclude_each_other():
    with pytest.raises(InputError, match="--bus and --bandwidth"):
        grid({"bus": (1.0,), "bandwidth": (1.0,)}, Point())
    with pytest.raises(InputError, match="of bus and bandwidth the one follows"):
        place_at("pixel-7", ["bus=1", "bandwidth=2"], AXES)


def test_each_axis_is_a_field_of_points_and_a_column_of_the_file():
    point = Point()
    for axis in AXES.values():
        assert hasattr(point, axis.field)
        assert axis.field in COLUMNS


@pytest.mark.parametrize(
    ("condition", "problem"),
    [
        ("warp=3", "unknown axis 'warp'"),
        ("schedule=auto", "--at schedule=auto: schedule is no condition of this question; choose of: bus, cores"),
        ("bus=1:9:3", "--at bus=1:9:3: 3 values; expected one, as in bus=1.0"),
    ],
)
def test_conditions_of_a_question_are_single_values_on_its_axes(condition, problem):
    with pytest.raises(InputError, match=re.escape(problem)):
        place_at("pixel-7", [condition], ("bus", "cores"))
    with pytest.raises(InputError, match="cores has a value already"):
        place_at("pixel-7", ["cores=2", "cores=3"], ("bus", "cores"))
