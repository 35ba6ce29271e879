"""A writer that picks evenly among the tokens that are allowed, and hurries to an end."""

import hashlib
from collections.abc import Sequence

import numpy as np

from engine.picks import PickRule
from engine.vocabulary import Vocabulary

_ENDS = (b'"', b"]", b"}", b"<", b",", b".", b"\n")
_HURRY = 0.4


class RandomWalk:
    """Picks from the seed and from all tokens of the sequence, so that every schedule is told the same.

    Every few tokens it takes one that ends a value where there is one, or calls would seldom end. It is no model: it
    draws no logits, so that thousands of calls take seconds.
    """

    def __init__(self, seed: int, vocabulary: Vocabulary) -> None:
        self._seed = seed
        self._is_end = np.array(
            [vocabulary.decode([token]).startswith(_ENDS) for token in range(vocabulary.size)], dtype=np.bool_
        )

    def next_token(self, tokens: Sequence[int], rule: PickRule) -> int:
        text = ",".join(map(str, (self._seed, *tokens))).encode()
        rng = np.random.default_rng(int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little"))
        mask = rule.mask()
        ends = mask & self._is_end
        allowed = np.flatnonzero(ends if rng.random() < _HURRY and ends.any() else mask)
        return int(allowed[rng.integers(allowed.size)])
