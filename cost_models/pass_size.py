"""The three numbers of a pass, checked and broadcast against each other."""

from dataclasses import dataclass

import numpy as np

from cost_models.errors import CostModelError
from cost_models.protocol import BoolArray, FloatArray, Numbers


@dataclass(frozen=True, slots=True)
class PassSize:
    """Rows, picks and context tokens of one pass or of many: arrays that broadcast, shape `()` for one."""

    rows: FloatArray
    picks: FloatArray
    context_tokens: FloatArray


def pass_size(rows: Numbers, picks: Numbers, context_tokens: Numbers) -> PassSize:
    """The pass with these numbers; raises CostModelError where they are none of a pass."""
    size = PassSize(*(np.asarray(value, dtype=np.float64) for value in (rows, picks, context_tokens)))
    valid = (size.rows >= 1) & (size.picks >= 0) & (size.picks <= size.rows)
    valid = valid & (size.context_tokens >= 1) & (size.context_tokens < np.inf)
    if not valid.all():
        raise _no_pass(size, valid)
    return size


def check_pass(rows: int, picks: int, context_tokens: int) -> None:
    """Raise CostModelError where these whole numbers are none of a pass, as `pass_size` does."""
    if not (rows >= 1 and 0 <= picks <= rows and context_tokens >= 1):
        pass_size(rows, picks, context_tokens)


def _no_pass(size: PassSize, valid: BoolArray) -> CostModelError:
    where = int(np.argmin(valid))
    arrays = (np.broadcast_to(a, valid.shape) for a in (size.rows, size.picks, size.context_tokens))
    rows, picks, context = (float(a.flat[where]) for a in arrays)
    return CostModelError(
        f"no pass has rows {rows:g}, picks {picks:g} and context_tokens {context:g}: "
        "valid are rows >= 1, 0 <= picks <= rows, context_tokens >= 1"
    )
