"""Greedy picks: the plain best first, the mask only where that one is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.picks import greedy_pick


class CountingConstraint:
    """Allows some tokens, and counts what it is asked."""

    def __init__(self, allowed, size) -> None:
        self.allowed, self.size = set(allowed), size
        self.asked, self.masks = [], 0

    def allows(self, token):
        self.asked.append(token)
        return token in self.allowed

    def mask(self):
        self.masks += 1
        return np.array([token in self.allowed for token in range(self.size)])


@pytest.mark.parametrize(
    ("logits", "allowed", "token", "masks"),
    [
        ([0.0, 3.0, 1.0], {0, 1, 2}, 1, 0),
        ([0.0, 3.0, 1.0], {1}, 1, 0),
        ([0.0, 3.0, 1.0], {0, 2}, 2, 1),
        ([-5.0, 3.0, -9.0], {0, 2}, 0, 1),
        # The first of equals, as argmax has it.
        ([2.0, 2.0, 1.0], {0, 1}, 0, 0),
        ([9.0, 2.0, 2.0], {1, 2}, 1, 1),
    ],
)
def test_the_mask_is_made_only_where_the_plain_best_is_refused(logits, allowed, token, masks):
    constraint = CountingConstraint(allowed, len(logits))
    assert greedy_pick(np.array(logits, dtype=np.float32), constraint) == token
    assert constraint.asked == [int(np.argmax(logits))]
    assert constraint.masks == masks


@given(st.lists(st.floats(-50, 50, width=32), min_size=1, max_size=20), st.data())
def test_the_pick_is_the_best_of_what_is_allowed(logits, data):
    allowed = data.draw(st.sets(st.integers(0, len(logits) - 1), min_size=1))
    token = greedy_pick(np.array(logits, dtype=np.float32), CountingConstraint(allowed, len(logits)))
    assert token in allowed
    assert logits[token] == max(logits[other] for other in allowed)
