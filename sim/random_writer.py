"""A writer with the whims of a seeded random model."""

import hashlib
from collections.abc import Sequence

import numpy as np

from engine.picks import PickRule, greedy_pick


class RandomWriter:
    """Draws logits from the seed and from all tokens of the sequence, as a model's depend on its whole context.

    `favourites` get `bonus` on top, so that a model can be made that closes strings early, or never.
    """

    def __init__(self, seed: int, vocabulary_size: int, favourites: Sequence[int] = (), bonus: float = 0.0) -> None:
        self._seed = seed
        self._size = vocabulary_size
        self._favourites = list(favourites)
        self._bonus = bonus

    def next_token(self, tokens: Sequence[int], rule: PickRule) -> int:
        text = ",".join(map(str, (self._seed, *tokens))).encode()
        seed = int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little")
        logits = np.random.default_rng(seed).standard_normal(self._size, dtype=np.float32)
        logits[self._favourites] += self._bonus
        return greedy_pick(logits, rule)
