"""Text that no grammar constrains."""

import numpy as np
import numpy.typing as npt

from engine.vocabulary import Vocabulary


class FreeText:
    """Allows every token; ends with the vocabulary's end of text."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self.is_finished = False

    def allows(self, token: int) -> bool:
        """Whether `token` may come next: any may."""
        return 0 <= token < self._vocabulary.size

    def mask(self) -> npt.NDArray[np.bool_]:
        """What may come next: shape (vocabulary size,), all True."""
        return np.ones(self._vocabulary.size, dtype=np.bool_)

    def advance(self, token: int) -> None:
        """Go on behind `token`."""
        self.is_finished = token == self._vocabulary.end_token
