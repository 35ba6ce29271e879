"""Greedy picks from logits under a constraint."""

import numpy as np
import numpy.typing as npt

from engine.constraint import Constraint


def greedy_pick(logits: npt.NDArray[np.float32], constraint: Constraint) -> int:
    """The token with the highest logit that `constraint` allows; `logits` has shape (vocabulary size,).

    Looks at the plain best first and asks for the mask only if that one is not allowed.
    """
    best = int(logits.argmax())
    if constraint.allows(best):
        return best
    return int(np.where(constraint.mask(), logits, -np.inf).argmax())
