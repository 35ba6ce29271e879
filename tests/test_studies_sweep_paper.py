"""What-ifs of the system that the paper measured, and what other calls would change."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cost_models.devices import read_device
from engine.errors import InputError
from studies.paper.devices import study_devices
from studies.paper.reading import Reading
from studies.paper.setting import BASE_MODEL, PIXEL, Setting
from studies.sweep.bounds import CALLS_QUANTILE, drawn_spread
from studies.sweep.known_conditions import check_known
from studies.sweep.paper_passes import paper_passes
from studies.sweep.point import Point
from studies.sweep.prices import Ground, outcomes
from studies.sweep.sources import calls_of_model

SCHEDULES = ("constrained", "schemaweaver")
POINT = Point(device=PIXEL, bus_mhz=676.0, schedule="schemaweaver")


def outcome(is_sample: bool):
    passes = paper_passes("qwen", SCHEDULES, 100, seed=0)
    (found,) = outcomes([POINT], Ground({PIXEL: read_device(PIXEL)}, {}, passes, is_sample=is_sample))
    return found


def test_a_sweep_as_the_paper_gives_the_studys_numbers():
    setting = Setting(study_devices(()), Reading(draws=1))
    times = {name: setting.drawn_tool_starts(PIXEL, BASE_MODEL, name, 676.0).item() for name in SCHEDULES}
    found = outcome(is_sample=False)
    assert found.tool_start_ms.value == pytest.approx(times["schemaweaver"])
    assert found.tool_start_speedup.value == pytest.approx(times["constrained"] / times["schemaweaver"])


def test_bounds_are_wider_where_calls_were_drawn():
    drawn, known = outcome(is_sample=True), outcome(is_sample=False)
    for name in ("tool_start_ms", "tool_start_speedup"):
        wide, narrow = getattr(drawn, name), getattr(known, name)
        assert wide.value == narrow.value
        assert wide.low < narrow.low < narrow.high < wide.high


@given(st.lists(st.floats(0, 10), min_size=2, max_size=50))
def test_drawn_calls_spread_their_mean_by_their_own_deviation(logs):
    expected = CALLS_QUANTILE * np.std(logs, ddof=1) / np.sqrt(len(logs))
    assert drawn_spread(np.array(logs)) == pytest.approx(expected)
    assert drawn_spread(np.array(logs * 4)) <= drawn_spread(np.array(logs)) + 1e-9


def test_of_a_single_call_nobody_knows_what_others_would_change():
    assert drawn_spread(np.array([3.0])) == 0.0


def test_passes_are_named_by_their_vocabulary_and_exclude_kept_ones():
    source = calls_of_model("Llama-3.2-1B", None, True, SCHEDULES, 10, 0)
    assert source.passes.vocabulary(POINT) == "ggml-vocab-llama-bpe.gguf"
    with pytest.raises(InputError, match="--as-paper: with --passes x passes are other ones"):
        calls_of_model("Llama-3.2-1B", "x", True, SCHEDULES, 10, 0)


@pytest.mark.parametrize(
    ("axis", "device", "knowing"),
    [("bus", "oneplus-12r", "pixel-7,"), ("clock", "pixel-7", "oneplus-12r,"), ("cores", "pixel-7", "oneplus-12r,")],
)
def test_a_device_that_does_not_know_its_own_condition_is_refused_with_those_that_do(axis, device, knowing):
    with pytest.raises(InputError, match=rf"--{axis}: {device} does not say its own .*; devices that do: .*{knowing}"):
        check_known({axis: (1000.0,)}, {device: read_device(device)})
    check_known({axis: (1000.0,)}, {knowing[:-1]: read_device(knowing[:-1])})
    check_known({"bandwidth": (10.0,)}, {device: read_device(device)})
