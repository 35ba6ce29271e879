"""The passes that come with the project: whose they are, and that today's schedules still take them."""

from functools import cache

import numpy as np
import pytest
from llama_cpp_files import TEMPLATES, VOCABULARIES
from real_models import real_model

from engine.errors import InputError
from engine.llamacpp import BackendOptions, make_preparer
from sim.pass_data import pass_data_names, read_pass_data
from sim.pass_file import PassFile
from sim.pass_table import PASS_ARRAYS, RUN_ARRAYS, pass_table
from studies.asking import with_template
from studies.pass_runs import fixed_plan, pass_runs
from studies.workloads import load_workload

EVERY = 250
"""One call out of so many is simulated again."""


@cache
def shipped(name: str) -> PassFile:
    return read_pass_data(name)


def test_unknown_passes_list_the_names():
    with pytest.raises(InputError, match=f"unknown passes 'x'; choose one of: {', '.join(pass_data_names())}"):
        read_pass_data("x")


@pytest.mark.parametrize("name", pass_data_names())
def test_every_schedule_has_the_same_calls_of_the_workload_nearly_all_of_them(name):
    key, table = shipped(name).key, shipped(name).table
    calls = [call.call_id for call in load_workload(key.workload, key.seed)]
    written = table.of_schedule(key.schedules[0]).call_ids.tolist()
    assert written == [call_id for call_id in calls if call_id in set(written)]
    assert len(written) > 0.97 * len(calls)
    for schedule in key.schedules[1:]:
        assert table.of_schedule(schedule).call_ids.tolist() == written


@pytest.mark.parametrize("name", pass_data_names())
def test_schedules_take_the_passes_that_are_kept(name):
    key, table = shipped(name).key, shipped(name).table
    if not (VOCABULARIES / key.vocabulary).exists() or not (TEMPLATES / key.template).exists():
        pytest.skip(f"no {key.vocabulary} or {key.template}; `make setup` fetches them")
    model = real_model(key.vocabulary.removeprefix("ggml-vocab-").removesuffix(".gguf"))
    options = BackendOptions(context_tokens=key.context_tokens)
    preparer = make_preparer(with_template(model, TEMPLATES / key.template), options, key.call_format)
    plan = fixed_plan(key.schedules, key.tile_rows, key.max_call_tokens, key.draft_tokens)
    some = load_workload(key.workload, key.seed)[::EVERY]
    kept = table.chosen(np.isin(table.call_ids, [call.call_id for call in some]))
    taken = pass_table(pass_runs(preparer, some, plan))
    for schedule in key.schedules:
        own = taken.of_schedule(schedule)
        for array in (*RUN_ARRAYS, *PASS_ARRAYS):
            assert np.array_equal(getattr(own, array), getattr(kept.of_schedule(schedule), array)), (schedule, array)
