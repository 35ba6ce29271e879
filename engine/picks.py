"""Greedy picks from logits under a rule."""

from typing import Protocol

import numpy as np
import numpy.typing as npt


class PickRule(Protocol):
    """What may be picked: a constraint, or free text."""

    def allows(self, token: int) -> bool:
        """Whether `token` may come next."""
        ...

    def mask(self) -> npt.NDArray[np.bool_]:
        """What may come next: shape (vocabulary size,), True where allowed."""
        ...


def greedy_pick(logits: npt.NDArray[np.float32], rule: PickRule) -> int:
    """The token with the highest logit that `rule` allows; `logits` has shape (vocabulary size,).

    Looks at the plain best first and asks for the mask only if that one is not allowed.
    """
    best = int(logits.argmax())
    if rule.allows(best):
        return best
    return int(np.where(rule.mask(), logits, -np.inf).argmax())
