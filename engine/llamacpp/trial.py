"""Passes that show whether the engine survives here: what the probe's child process runs."""

import logging

from engine.commands import Pass, Phase, Row
from engine.llamacpp.backend import BackendOptions, open_backend
from engine.llamacpp.log import LOGGER
from engine.llamacpp.model import load_model

WIDTHS = (64, 1, 4)
"""A prompt's, one token's and a few branches': llama.cpp has other kernels for each."""


def try_passes(model: str, extra_buffers: bool) -> None:
    """Run a pass of each width on the model in a file; what the engine says goes to stderr."""
    LOGGER.addHandler(logging.StreamHandler())
    backend = open_backend(load_model(model, extra_buffers=extra_buffers), BackendOptions(256, 4, max(WIDTHS)))
    for sequence, width in enumerate(WIDTHS):
        rows = tuple(Row(0, position, (sequence,), position == width - 1) for position in range(width))
        backend.run(Pass(Phase.PROMPT, rows))
