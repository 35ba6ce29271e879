"""The passes that come with the project: whose they are, and that today's schedules still take them."""

from functools import cache

import numpy as np
import pytest
from droidcall_file import FILE
from extent import IN_FULL
from llama_cpp_files import TEMPLATES, VOCABULARIES

from engine.errors import InputError
from engine.llamacpp import Preparer
from sim.head import read_head
from sim.pass_data import pass_data_names, read_pass_data
from sim.pass_file import PassFile, PassKey
from sim.pass_table import PASS_ARRAYS, RUN_ARRAYS, pass_table
from sim.workload import WorkloadCall
from studies.asking import Asking, open_preparer
from studies.models import embedded_model
from studies.pass_runs import fixed_plan, pass_runs
from studies.workloads import OPTIONAL, load_workload

EVERY = 400 if IN_FULL else 800
"""One call out of so many is simulated again."""

WRITTEN = {OPTIONAL: 0.7, "": 0.97}
"""The least share of a workload's calls whose answers keep their tools' schemas."""


@cache
def shipped(name: str) -> PassFile:
    return read_pass_data(name)


@cache
def calls_of(workload: str, seed: int) -> tuple[WorkloadCall, ...]:
    """The calls of a workload; skips the test where its file is not here."""
    if workload.startswith("droidcall:"):
        if not FILE.is_file():
            pytest.skip("no DroidCall_test.jsonl; SCHEMAWEAVER_DROIDCALL names where it is")
        assert workload == f"droidcall:{FILE.name}"
        return load_workload(f"droidcall:{FILE}", seed)
    return load_workload(workload, seed)


@pytest.fixture(scope="module")
def preparer_of(request):
    """Opens what passes were made with, once for all files that were made alike; skips where it is not here."""

    @cache
    def opened(asking: Asking) -> Preparer:
        return open_preparer(asking)

    def find(key: PassKey) -> Preparer:
        template = TEMPLATES / key.template if key.template else None
        if key.vocabulary == embedded_model().name:
            vocabulary = embedded_model()
        elif not VOCABULARIES.is_dir() or not TEMPLATES.is_dir():
            pytest.skip(f"no vocabularies and templates in {VOCABULARIES.parent}; `make setup` fetches them")
        elif key.vocabulary == "ggml-vocab-qwen3.gguf":
            vocabulary = request.getfixturevalue("qwen3_file")
        else:
            vocabulary = VOCABULARIES / key.vocabulary
        return opened(Asking(vocabulary, template, key.call_format, key.context_tokens))

    return find


def test_unknown_passes_list_the_names():
    with pytest.raises(InputError, match=f"unknown passes 'x'; choose one of: {', '.join(pass_data_names())}"):
        read_pass_data("x")


@pytest.mark.parametrize("name", pass_data_names())
def test_every_schedule_has_the_same_calls_of_the_workload_nearly_all_of_them(name):
    key, table = shipped(name).key, shipped(name).table
    calls = [call.call_id for call in calls_of(key.workload, key.seed)]
    written = table.of_schedule(key.schedules[0]).call_ids.tolist()
    assert written == [call_id for call_id in calls if call_id in set(written)]
    assert len(written) > next(share for part, share in WRITTEN.items() if part in key.workload) * len(calls)
    for schedule in key.schedules[1:]:
        assert table.of_schedule(schedule).call_ids.tolist() == written


@pytest.mark.parametrize("name", pass_data_names())
def test_no_call_was_cut(name):
    assert "incomplete" not in shipped(name).table.statuses


@pytest.mark.parametrize("name", pass_data_names())
def test_the_command_names_files_without_a_path(name):
    assert "/" not in shipped(name).command


@pytest.mark.parametrize("name", pass_data_names())
def test_schedules_take_the_passes_that_are_kept(name, preparer_of):
    key, table = shipped(name).key, shipped(name).table
    plan = fixed_plan(key.schedules, key.tile_rows, key.max_call_tokens, key.draft_tokens)
    some = calls_of(key.workload, key.seed)[::EVERY]
    head = read_head(f"{key.head},ms=1") if key.head else None
    taken = pass_table(pass_runs(preparer_of(key), some, plan, head, key.seed))
    kept = table.chosen(np.isin(table.call_ids, [call.call_id for call in some]))
    for schedule in key.schedules:
        own, same = taken.of_schedule(schedule), kept.of_schedule(schedule)
        for array in (*RUN_ARRAYS, *PASS_ARRAYS):
            assert np.array_equal(getattr(own, array), getattr(same, array)), (schedule, array)
