"""Passes that show whether the engine survives here: what the probe's child process runs."""

import logging
import sys

from engine.commands import Pass, Phase, Row
from engine.llamacpp.backend import BackendOptions, open_backend
from engine.llamacpp.log import LOGGER
from engine.llamacpp.model import load_model
from engine.llamacpp.probe import Trial

WIDTHS = (64, 1, 4)
"""A prompt's, one token's and a few branches': llama.cpp has other kernels for each."""


def try_passes(model: str, extra_buffers: bool) -> None:
    """Run a pass of each width on the model in a file, on two threads or more, and print that it survived.

    What the engine says goes to stderr.
    """
    LOGGER.addHandler(logging.StreamHandler())
    threads = max(2, BackendOptions().thread_count)
    options = BackendOptions(context_tokens=256, max_sequences=4, max_rows=max(WIDTHS), threads=threads)
    backend = open_backend(load_model(model, extra_buffers=extra_buffers), options)
    for sequence, width in enumerate(WIDTHS):
        rows = tuple(Row(0, position, (sequence,), position == width - 1) for position in range(width))
        backend.run(Pass(Phase.PROMPT, rows))
    sys.stdout.write(Trial.SURVIVED.value)
