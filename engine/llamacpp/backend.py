"""Passes, forks and drops on a llama.cpp context of our own.

The high-level `Llama` class has one sequence; this context has many, which share one pool of KV cells, and one
thread count for passes of any width (facts: `llama-context.cpp`, `llama-kv-cache.cpp`).
"""

import ctypes
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import llama_cpp
import numpy as np
import numpy.typing as npt

from engine.commands import Drop, Fork, Pass, Trim
from engine.errors import ContextFullError, EngineError, ScheduleError
from engine.llamacpp.batch import Batch
from engine.llamacpp.held_tokens import HeldTokens
from engine.llamacpp.log import first_problem, kept_log, last_problem
from engine.llamacpp.model import Model
from engine.llamacpp.return_codes import check_decode
from engine.machine import usable_processors
from engine.picks import PickRule, greedy_pick

MAX_SEQUENCES = 256
"""LLAMA_MAX_SEQ."""


@dataclass(frozen=True, slots=True)
class BackendOptions:
    """How a context is opened.

    All sequences together hold at most `context_tokens`. `threads` None means all processors that the process may
    use, at most eight: cores beyond that rarely help a memory-bound pass. Flash attention, which llama.cpp would choose
    by itself, is off: at a thousand tokens of context it made narrow passes on x86 cost 1.4 to 1.9 times as much.
    """

    context_tokens: int = 4096
    max_sequences: int = 32
    max_rows: int = 512
    max_picks: int = 128
    threads: int | None = None
    flash_attention: bool = False

    @property
    def thread_count(self) -> int:
        return self.threads or min(8, usable_processors())


class LlamaBackend:
    """A context of a loaded model; `close` frees it. One caller at a time."""

    def __init__(self, model: Model, options: BackendOptions, context: Any, resources: ExitStack) -> None:
        self.model = model
        self.options = options
        self._context = context
        self._memory = llama_cpp.llama_get_memory(context)
        # llama.cpp takes no batch of more tokens than the context has, whatever was asked for, and aborts on one.
        self._batch = Batch(min(options.max_rows, llama_cpp.llama_n_batch(context)), options.max_sequences)
        self._resources = resources
        self._resources.callback(self._batch.close)
        self._pass_number = 0
        self._held = HeldTokens()

    def run(self, command: Pass) -> "LlamaReadout":
        """Run a pass to its end.

        Raises ScheduleError for rows that no context takes and ContextFullError where the cells are used up; the memory
        is then as before. Raises EngineError otherwise; all sequences are then forgotten.
        """
        self._check(command)
        self._batch.fill(command.rows)
        self._pass_number += 1
        with kept_log() as lines:
            code = llama_cpp.llama_decode(self._context, self._batch.handle)
        if code != 0:
            self._fail(code, command, first_problem(lines))
        llama_cpp.llama_synchronize(self._context)
        self._held.run(command)
        return LlamaReadout(self, command, self._pass_number)

    def fork(self, command: Fork) -> None:
        for target in command.targets:
            self._check_sequence(target)
            if llama_cpp.llama_memory_seq_pos_max(self._memory, target) >= 0:
                raise ScheduleError(f"fork to sequence {target}, which is not empty")
            llama_cpp.llama_memory_seq_cp(self._memory, command.source, target, -1, -1)
        self._held.fork(command)

    def can_trim(self, command: Trim) -> bool:
        """Whether `trim` would take the command."""
        return self._trim_problem(command) is None

    def trim(self, command: Trim) -> None:
        """Raises ScheduleError where the sequence holds less, or where its memory cannot be cut there."""
        self._check_sequence(command.sequence)
        if problem := self._trim_problem(command):
            raise ScheduleError(problem)
        if not llama_cpp.llama_memory_seq_rm(self._memory, command.sequence, command.tokens, -1):
            raise EngineError(f"{command}: llama.cpp did not cut the memory of {self.model.name}")
        self._held.trim(command)

    def drop(self, command: Drop) -> None:
        self._check_sequence(command.sequence)
        if not llama_cpp.llama_memory_seq_rm(self._memory, command.sequence, -1, -1):
            raise EngineError(f"llama.cpp did not drop sequence {command.sequence}")
        self._held.drop(command)

    def clear(self) -> None:
        """Forget all sequences; right after errors as well."""
        llama_cpp.llama_memory_clear(self._memory, True)
        self._held.clear()

    @property
    def sequences(self) -> frozenset[int]:
        """The sequences that hold anything."""
        return self._held.sequences

    def tokens(self, sequence: int) -> tuple[int, ...]:
        """What `sequence` holds."""
        return self._held.tokens(sequence)

    def logits(self, row: int, pass_number: int) -> npt.NDArray[np.float32]:
        """The logits of a row of the last pass, shape (vocabulary size,); a view that the next pass overwrites."""
        if pass_number != self._pass_number:
            raise ScheduleError("a pick from a pass that is not the last one: its logits are gone")
        pointer = llama_cpp.llama_get_logits_ith(self._context, row)
        if not pointer:
            raise ScheduleError(f"row {row} was not asked for a pick")
        array = ctypes.c_float * self.model.vocabulary.size
        return np.frombuffer(memoryview(ctypes.cast(pointer, ctypes.POINTER(array)).contents), dtype=np.float32)

    def close(self) -> None:
        self._resources.close()

    def _check(self, command: Pass) -> None:
        """What llama.cpp would abort the process for, or refuse without a reason."""
        if command.pick_count > self.options.max_picks:
            raise ScheduleError(f"a pass with {command.pick_count} picks; this context takes {self.options.max_picks}")
        if not self.model.capabilities.shares_rows and any(len(row.sequences) > 1 for row in command.rows):
            raise ScheduleError(f"{self.model.name} has recurrent memory, in which sequences cannot share rows")

    def _fail(self, code: int, command: Pass, problem: str) -> None:
        """Raise what `code` stands for; where that leaves the memory unknown, forget it."""
        try:
            check_decode(code, command.width, problem)
        except ContextFullError:
            raise
        except EngineError:
            self.clear()
            raise

    def _trim_problem(self, command: Trim) -> str | None:
        held, capabilities = self._held.count(command.sequence), self.model.capabilities
        if command.tokens >= held:
            return f"{command}: the sequence holds {held} tokens" if command.tokens > held else None
        if not capabilities.removes_part:
            return f"{command}: the memory of {self.model.name} cannot remove part of a sequence"
        window = capabilities.window_tokens
        first = llama_cpp.llama_memory_seq_pos_min(self._memory, command.sequence)
        # Cells out of the window's sight are used anew, although there is room for all.
        if window is not None and first > max(0, command.tokens - window):
            return f"{command}: what a window of {window} tokens sees there is lost from position {first} down"
        return None

    def _check_sequence(self, sequence: int) -> None:
        if not 0 <= sequence < self.options.max_sequences:
            raise ScheduleError(f"sequence {sequence}: this context has {self.options.max_sequences}, from 0 on")


class LlamaReadout:
    """The picks of one pass; valid until the next."""

    def __init__(self, backend: LlamaBackend, command: Pass, pass_number: int) -> None:
        self._backend = backend
        self._rows = command.rows
        self.pass_number = pass_number

    def pick(self, row: int, rule: PickRule) -> int:
        row %= len(self._rows)
        if not self._rows[row].pick:
            raise ScheduleError(f"row {row} was not asked for a pick")
        return greedy_pick(self._backend.logits(row, self.pass_number), rule)


def open_backend(model: Model, options: BackendOptions | None = None) -> LlamaBackend:
    """A context for `model`; raises EngineError where llama.cpp cannot make one."""
    options = options or BackendOptions()
    if not 1 <= options.max_sequences <= MAX_SEQUENCES:
        raise ScheduleError(f"{options.max_sequences} sequences; llama.cpp has 1 to {MAX_SEQUENCES}")
    with kept_log() as lines:
        context = llama_cpp.llama_init_from_model(model.handle, _parameters(options))
        if not context:
            raise EngineError(f"{model.name}: llama.cpp opened no context: {last_problem(lines)}")
    resources = ExitStack()
    resources.callback(llama_cpp.llama_free, context)
    if not llama_cpp.llama_get_memory(context):
        resources.close()
        raise EngineError(f"{model.name}: a model without memory of what it wrote")
    return LlamaBackend(model, options, context, resources)


def _parameters(options: BackendOptions) -> Any:
    parameters = llama_cpp.llama_context_default_params()
    parameters.n_ctx = options.context_tokens
    # One physical batch per pass: a pass is then one forward pass, as its record says.
    parameters.n_batch = parameters.n_ubatch = options.max_rows
    parameters.n_seq_max = options.max_sequences
    parameters.kv_unified = True
    # Room for what is out of a sliding window's sight too: without it a sequence could hardly be cut, only dropped.
    parameters.swa_full = True
    parameters.flash_attn_type = int(options.flash_attention)
    # llama.cpp aborts where it has room for fewer outputs than sequences.
    parameters.n_outputs_max = max(min(options.max_picks, options.max_rows), options.max_sequences)
    # llama.cpp takes n_threads_batch for any pass wider than one row: unequal counts would distort every comparison.
    parameters.n_threads = parameters.n_threads_batch = options.thread_count
    return parameters
