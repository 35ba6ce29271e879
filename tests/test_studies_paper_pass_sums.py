"""Sums over the passes of runs."""

import numpy as np
from tiny_paper import Run, table

from engine.commands import Phase
from sim.pass_table import PassTable
from studies.paper.pass_sums import behind_prompt, until_tool_start

PROMPT, SKELETON, OPTIONAL = (Phase.PROMPT, 50, 1), (Phase.SKELETON, 10, 2), (Phase.OPTIONAL, 1, 1)


def with_prompts(runs: list[Run], prompt_passes: list[int]) -> PassTable:
    found = table("schemaweaver", runs)
    columns = {name: getattr(found, name) for name in PassTable.__dataclass_fields__}
    return PassTable(**(columns | {"prompt_passes": np.array(prompt_passes)}))


RUNS = with_prompts(
    [Run([PROMPT, SKELETON, OPTIONAL], tool_start=2), Run([SKELETON, OPTIONAL, OPTIONAL], final=2)], [1, 0]
)


def test_what_is_behind_the_prompt_counts_to_the_last_pass():
    assert behind_prompt(RUNS, RUNS.rows).tolist() == [11, 12]


def test_until_the_tool_starts_later_passes_do_not_count():
    assert until_tool_start(RUNS, RUNS.rows).tolist() == [10, 11]
