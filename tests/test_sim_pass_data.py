"""The passes that come with the project: whose they are, and that today's schedules still take them."""

from functools import cache

import numpy as np
import pytest
from llama_cpp_files import TEMPLATES, VOCABULARIES

from engine.errors import InputError
from sim.pass_data import pass_data_names, read_pass_data
from sim.pass_file import PassFile, PassKey
from sim.pass_table import PASS_ARRAYS, RUN_ARRAYS, pass_table
from studies.asking import Asking, open_preparer
from studies.models import embedded_model
from studies.pass_runs import fixed_plan, pass_runs
from studies.workloads import load_workload

EVERY = 250
"""One call out of so many is simulated again."""


@cache
def shipped(name: str) -> PassFile:
    return read_pass_data(name)


def asking_of(key: PassKey) -> Asking:
    """The files that passes were made with; skips the test where they are not here."""
    embedded = embedded_model()
    vocabulary = embedded if key.vocabulary == embedded.name else VOCABULARIES / key.vocabulary
    template = TEMPLATES / key.template if key.template else None
    for path in filter(None, (vocabulary, template)):
        if not path.exists():
            pytest.skip(f"no {path}; `make setup` fetches it")
    return Asking(vocabulary, template, key.call_format, key.context_tokens)


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
    plan = fixed_plan(key.schedules, key.tile_rows, key.max_call_tokens, key.draft_tokens)
    some = load_workload(key.workload, key.seed)[::EVERY]
    preparer = open_preparer(asking_of(key))
    try:
        taken = pass_table(pass_runs(preparer, some, plan))
    finally:
        preparer.model.close()
    kept = table.chosen(np.isin(table.call_ids, [call.call_id for call in some]))
    for schedule in key.schedules:
        own, same = taken.of_schedule(schedule), kept.of_schedule(schedule)
        for array in (*RUN_ARRAYS, *PASS_ARRAYS):
            assert np.array_equal(getattr(own, array), getattr(same, array)), (schedule, array)
