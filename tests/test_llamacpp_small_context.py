"""A call in a context that has room for little more than its prompt, on the embedded model."""

from dataclasses import replace

import pytest

from engine.commands import TRUNK, Phase
from engine.errors import ContextFullError
from engine.llamacpp import BackendOptions, Decoder, load_model, open_decoder
from engine.records import RunRecord
from engine.request import Request
from engine.tools import Tool
from studies.models import embedded_model

pytestmark = pytest.mark.engine

CONTEXT_TOKENS = 512
"""llama.cpp rounds contexts up to a multiple of 256."""

CALL_TOKENS = 64

TEXT = {"type": "string", "maxLength": 40}
NAMES = ("greeting", "closing", "signature", "subject", "postscript", "summary")
LETTER = Tool(
    "write_letter",
    "Write a letter",
    {"properties": {"body": TEXT, **dict.fromkeys(NAMES, TEXT)}, "required": ["body"]},
)


def tight_request(decoder: Decoder) -> Request:
    """A request whose prompt leaves room for the longest call and few tokens more."""
    toolset = decoder.preparer.toolset([LETTER])
    text = "Tell Ann that the train to Berlin leaves at nine."
    while True:
        request = decoder.preparer.request([{"role": "user", "content": text}], toolset, CALL_TOKENS)
        if len(request.prompt) + CALL_TOKENS > CONTEXT_TOKENS - 16:
            return request
        text += " The train is a long one, and the way is far."


def sequences_of(run: RunRecord, phase: Phase) -> set[int]:
    """The sequences of the last pass of a phase."""
    command = [record.command for record in run.passes if record.command.phase is phase][-1]
    return {sequence for row in command.rows for sequence in row.sequences}


def test_branches_that_the_context_has_no_room_for_are_left_to_the_trunk():
    decoder = open_decoder(load_model(embedded_model()), BackendOptions(CONTEXT_TOKENS, max_sequences=12, threads=1))
    try:
        request = tight_request(decoder)
        assert request.max_cells == CONTEXT_TOKENS
        with pytest.raises(ContextFullError):
            decoder.call(replace(request, max_cells=10**6), "branched")
        run = decoder.call(request, "branched")
        first, last = (sequences_of(run, phase) for phase in (Phase.SKELETON, Phase.VALUES))
        assert last & first < first - {TRUNK}
        call_tokens = decoder.backend.tokens(TRUNK)[len(request.prompt) :]
        assert decoder.preparer.model.vocabulary.decode(call_tokens).decode() == run.call.text
        assert decoder.backend.sequences == {TRUNK}
    finally:
        decoder.close()
