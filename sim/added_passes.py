"""Tables of passes as they would be with more passes, or with more rows in some: of a schedule laid out otherwise."""

from dataclasses import fields, replace

import numpy as np

from cost_models.protocol import BoolArray
from engine.commands import Phase
from engine.errors import InputError
from sim.distinct_passes import IntArray
from sim.pass_table import PHASES, PassTable, table_of

_NAME, _SKELETON = PHASES.index(Phase.NAME), PHASES.index(Phase.SKELETON)


def with_passes(table: PassTable, at: IntArray, phase: Phase, rows: int, context_tokens: IntArray) -> PassTable:
    """`table` with a pass of `rows` rows and one pick before each of the passes numbered `at`, in order.

    `context_tokens`, shape (at,), are the new passes'. What waits for the pass behind one waits for the new one too.
    """
    columns = {field.name: getattr(table, field.name) for field in fields(table)}
    added = {
        "runs": table.runs[at],
        "phases": np.full(at.shape, PHASES.index(phase)),
        "rows": np.full(at.shape, rows),
        "picks": np.ones(at.shape, dtype=np.int64),
        "context_tokens": context_tokens,
    }
    columns |= {name: np.insert(columns[name], at, values) for name, values in added.items()}
    places = at - table.first_passes[table.runs[at]]
    for name in ("prompt_passes", "tool_start_passes", "final_passes"):
        waited = table.runs[at][places < columns[name][table.runs[at]]]
        columns[name] = columns[name] + np.bincount(waited, minlength=table.run_count)
    return table_of(columns)


def with_rows(table: PassTable, where: BoolArray, more: int) -> PassTable:
    """`table` with `more` rows in each pass where `where`, shape (passes,), is true; never less than picks, nor one."""
    least = np.maximum(table.picks, 1)
    return replace(table, rows=np.where(where, np.maximum(table.rows + more, least), table.rows))


def with_name_passes(table: PassTable) -> PassTable:
    """`table` with a pass for the name before the skeleton of each run that has a skeleton and no such pass.

    The schedules here prefill the name of a lone tool with the skeleton. The paper's tool selector takes a pass also
    for one (Table 8: 6 tokens in one pass). It gets the rows that such passes have in the table where there are several
    tools, in the median, and the skeleton as many less. Raises InputError where no run has a pass for the name.
    """
    skeletons = table.phases == _SKELETON
    named = np.isin(np.arange(table.run_count), table.runs[table.phases == _NAME])
    unnamed = skeletons & ~named[table.runs]
    if not unnamed.any():
        return table
    rows, at = _name_rows(table), np.flatnonzero(unnamed)
    shorter = with_rows(table, unnamed, -rows)
    return with_passes(shorter, at, Phase.NAME, rows, table.prompt_tokens[table.runs[at]] + rows)


def _name_rows(table: PassTable) -> int:
    """The rows of the passes that runs begin with where these choose among tools."""
    first = table.first_passes + np.minimum(table.prompt_passes, table.pass_counts - 1)
    choosing = first[table.phases[first] == _NAME]
    if not choosing.size:
        raise InputError("no run chooses among several tools, so that the rows of a pass for the name are unknown")
    return int(np.median(table.rows[choosing]))
