"""The logits behind each token of a text, computed in passes of a chosen width: for studies, never for schedules."""

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from engine.commands import Drop, Pass, Phase, Row
from engine.llamacpp.backend import LlamaBackend


def logits_along(
    backend: LlamaBackend, tokens: Sequence[int], start: int, width: int, scratch: int = 1
) -> Iterator[npt.NDArray[np.float32]]:
    """The logits behind each of `tokens[start:]`, shape (vocabulary size,), as views that the next pass overwrites.

    The trunk must hold the tokens before. Each pass has exactly `width` rows: what the last one lacks is filled up in
    the empty sequence `scratch`, as schedules do, since a pass of another width may round otherwise.
    """
    for begin in range(start, len(tokens), width):
        own = tuple(Row(tokens[p], p, pick=True) for p in range(begin, min(begin + width, len(tokens))))
        filling = tuple(Row(tokens[begin], i, (scratch,)) for i in range(width - len(own)))
        readout = backend.run(Pass(Phase.PROMPT, (*own, *filling)))
        if filling:
            backend.drop(Drop(scratch))
        for row in range(len(own)):
            yield backend.logits(row, readout.pass_number)
