"""Rows laid out as the arrays that `llama_decode` reads."""

from typing import Any

import llama_cpp
import numpy as np

from engine.commands import Row
from engine.errors import ScheduleError


class Batch:
    """Room for up to `max_rows` rows, each in up to `max_sequences` sequences; `close` frees it."""

    def __init__(self, max_rows: int, max_sequences: int) -> None:
        self.max_rows = max_rows
        self.max_sequences = max_sequences
        self.handle: Any = llama_cpp.llama_batch_init(max_rows, 0, max_sequences)
        self._tokens = np.ctypeslib.as_array(self.handle.token, (max_rows,))
        self._positions = np.ctypeslib.as_array(self.handle.pos, (max_rows,))
        self._sequence_counts = np.ctypeslib.as_array(self.handle.n_seq_id, (max_rows,))
        self._wants_logits = np.ctypeslib.as_array(self.handle.logits, (max_rows,))

    def fill(self, rows: tuple[Row, ...]) -> None:
        """Lay `rows` out; raises ScheduleError for what would abort the process or write past the arrays."""
        if len(rows) > self.max_rows:
            raise ScheduleError(f"a pass of {len(rows)} rows; this context takes at most {self.max_rows}")
        self.handle.n_tokens = len(rows)
        for index, row in enumerate(rows):
            self._tokens[index] = row.token
            self._positions[index] = row.position
            self._sequence_counts[index] = len(row.sequences)
            self._wants_logits[index] = row.pick
            for place, sequence in enumerate(row.sequences):
                if not 0 <= sequence < self.max_sequences:
                    raise ScheduleError(f"sequence {sequence}: this context has {self.max_sequences}, from 0 on")
                self.handle.seq_id[index][place] = sequence

    def close(self) -> None:
        llama_cpp.llama_batch_free(self.handle)
