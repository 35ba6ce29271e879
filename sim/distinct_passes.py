"""Passes that cost the same, taken together: a workload has a million passes and a few thousand kinds of them."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cost_models.protocol import BoolArray, FloatArray

IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class DistinctPasses:
    """What cost models are asked, once for each kind of pass, shape (kinds,); `is_draft` tells a draft model's.

    `kinds` has the number of each pass's kind, shape (passes,).
    """

    is_draft: BoolArray
    rows: FloatArray
    picks: FloatArray
    context_tokens: FloatArray
    kinds: IntArray


def distinct_passes(is_draft: BoolArray, rows: IntArray, picks: IntArray, context_tokens: IntArray) -> DistinctPasses:
    """The kinds among passes, whose numbers are whole and not negative, shape (passes,)."""
    columns = (is_draft.astype(np.int64), rows, picks, context_tokens)
    sizes = tuple(int(column.max(initial=0)) + 1 for column in columns)
    keys, kinds = np.unique(np.ravel_multi_index(columns, sizes), return_inverse=True)
    of_draft, *numbers = np.unravel_index(keys, sizes)
    of_rows, of_picks, of_context = (number.astype(np.float64) for number in numbers)
    return DistinctPasses(of_draft.astype(np.bool_), of_rows, of_picks, of_context, kinds.astype(np.int64))
