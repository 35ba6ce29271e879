"""Made calls have the shape that was asked for, and schedules run on them as on any others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from cost_models import AffineCost
from engine.errors import InputError
from sim.pass_prices import by_phase
from sim.pass_table import PHASES
from studies.asking import Asking, open_preparer
from studies.models import embedded_model
from studies.sweep.head_cost import HeadCost
from studies.sweep.made_call import LENGTHS, CallShape, made_call
from studies.sweep.point import Point
from studies.sweep.run_passes import HEAD_SEEDS, RunPasses, made_calls_of, with_shape

COST = AffineCost(base_ms=50.0, row_ms=1.0)


@pytest.fixture(scope="module")
def preparer():
    opened = open_preparer(Asking(embedded_model(), None, None, 8192))
    yield opened
    opened.model.close()


def shape(arguments=3, optional=0, value_tokens=6, prompt_tokens=500):
    return CallShape(
        arguments=arguments, optional_arguments=optional, value_tokens=value_tokens, prompt_tokens=prompt_tokens
    )


shapes = st.builds(shape, st.integers(1, 5), st.integers(0, 3), st.integers(1, 12), st.integers(400, 900))


@examples(30)
@given(shapes)
def test_a_made_call_has_as_many_arguments_and_tokens_as_were_asked_for(preparer, asked):
    call = made_call(asked, preparer)
    assert (len(call.tool.required), len(call.tool.optional)) == (asked.arguments, asked.optional_arguments)
    assert list(call.answer) == [*call.tool.required, *call.tool.optional]
    lengths = [len(preparer.model.vocabulary.encode(value)) for value in call.answer.values()]
    wanted = [max(1, round(asked.value_tokens * LENGTHS[at % len(LENGTHS)])) for at in range(len(lengths))]
    assert lengths == wanted
    prompt = preparer.request(call.messages, preparer.toolset(call.tools)).prompt
    assert len(prompt) == asked.prompt_tokens
    assert call.tool.read_only


def test_a_prompt_that_the_tool_alone_fills_is_refused_with_the_least(preparer):
    with pytest.raises(InputError, match=r"--prompt-tokens 50: the tool with 4 arguments takes (\d+); expected \1 or"):
        made_call(shape(arguments=3, optional=1, prompt_tokens=50), preparer)


def passes(preparer, **limits):
    return RunPasses(preparer, made_calls_of(preparer), **limits)


def decoding_passes(table):
    counted = [phase not in ("prompt", "draft") for phase in PHASES]
    return by_phase(table, [1.0] * len(table.runs))[counted].sum(axis=0)


@pytest.mark.parametrize("schedule", ["constrained", "jump_forward", "schemaweaver", "verified", "auto"])
def test_every_schedule_writes_a_made_call_whole(preparer, schedule):
    point = with_shape(Point(schedule=schedule, optional_arguments=1, batch_rows=4))
    table = passes(preparer).table(point, COST)
    assert table.run_count == 1
    assert table.statuses.tolist() != ["incomplete"]
    assert table.arguments.tolist() == [4]


def test_more_arguments_take_more_passes_one_by_one_and_hardly_more_side_by_side(preparer):
    counts = {
        schedule: [
            decoding_passes(passes(preparer).table(with_shape(Point(schedule=schedule, arguments=n)), COST))[0]
            for n in (2, 4, 8)
        ]
        for schedule in ("jump_forward", "schemaweaver")
    }
    assert counts["jump_forward"][0] < counts["jump_forward"][1] < counts["jump_forward"][2]
    assert counts["schemaweaver"][2] == counts["schemaweaver"][0]


def test_the_batch_width_fills_passes_of_the_values_up(preparer):
    widths = {}
    for batch in (1, 4, 8):
        table = passes(preparer).table(with_shape(Point(batch_rows=batch)), COST)
        widths[batch] = set(table.rows[table.phases == PHASES.index("values")].tolist())
    assert widths[8] == {1, 8}
    assert widths[4] == {1, 4}
    assert max(widths[1]) == 3


def test_a_head_that_is_right_more_often_saves_passes_and_the_seed_decides_its_luck(preparer):
    points = [with_shape(Point(schedule="speculative", acceptance=rate)) for rate in (0.0, 0.6, 1.0)]
    tables = [passes(preparer).table(point, COST) for point in points]
    assert [table.run_count for table in tables] == [HEAD_SEEDS] * 3
    means = [decoding_passes(table).mean() for table in tables]
    assert means[0] > means[1] > means[2]
    other = passes(preparer, seed=1).table(points[1], COST)
    assert other.pass_counts.tolist() != tables[1].pass_counts.tolist()


def test_passes_are_told_apart_by_what_decides_them(preparer):
    source, other = passes(preparer), AffineCost(base_ms=9.0, row_ms=9.0)
    base = with_shape(Point(schedule="schemaweaver", batch_rows=4))
    same = [{"bus_mhz": 676.0}, {"tool_ms": 9.0}, {"acceptance": 0.5}, {"device": "pixel-7"}]
    differs = [
        {"batch_rows": 8},
        {"arguments": 1},
        {"value_tokens": 1},
        {"prompt_tokens": 500},
        {"schedule": "parallel"},
    ]
    key = source.key(base, COST)
    assert all(source.key(with_fields(base, change), other) == key for change in same)
    assert all(source.key(with_fields(base, change), COST) != key for change in differs)
    auto = with_fields(base, {"schedule": "auto"})
    assert source.key(auto, COST) != source.key(auto, other)


def with_fields(point, change):
    return with_shape(Point(**({name: getattr(point, name) for name in point.__dataclass_fields__} | change)))


def test_a_heads_passes_cost_a_share_of_the_models_and_nobody_measured_them():
    head = HeadCost(COST, 0.1)
    assert head.pass_ms(4, 1, 100) == pytest.approx(5.4)
    assert head.host_ms == COST.host_ms
    assert head.covers(4, 1, 100) is False
