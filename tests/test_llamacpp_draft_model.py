"""A draft model on real llama.cpp, tiny models of each kind of memory standing for both."""

from dataclasses import replace

import pytest
from tiny_models import KINDS, open_tiny

from engine.commands import Phase
from engine.llamacpp import BackendOptions, Decoder, open_backend
from engine.tools import Tool

TRIP = Tool(
    "trip",
    "",
    {
        "type": "object",
        "properties": {"city": {"enum": ["Tokyo", "Oslo", "Rome"]}, "note": {"type": "string", "maxLength": 6}},
        "required": ["city", "note"],
    },
)
ASK = [{"role": "user", "content": "city user name get"}]


@pytest.fixture(scope="module")
def decoders(tmp_path_factory):
    opened = {kind: open_tiny(kind, tmp_path_factory.mktemp(kind)) for kind in KINDS}
    yield opened
    for each in opened.values():
        each.close()


@pytest.mark.parametrize("target", KINDS)
@pytest.mark.parametrize("drafter", KINDS)
def test_a_draft_model_of_any_memory_changes_no_call_and_is_asked_anew_for_the_next(decoders, target, drafter):
    model = decoders[drafter].preparer.model
    draft = open_backend(model, BackendOptions(context_tokens=1024, max_sequences=2, max_rows=256, threads=1))
    try:
        decoder = replace(decoders[target], draft=draft)
        toolset = decoder.preparer.toolset([TRIP])
        request = decoder.preparer.request(ASK, toolset, 60, 1)
        plain = decoders[target].call(request, "constrained")
        for _ in range(2):
            run = decoder.call(request, "speculative")
            assert run.call.same_call(plain.call)
            drafts = [record.command for record in run.passes if record.command.phase is Phase.DRAFT]
            assert drafts[0].width > len(request.prompt)
    finally:
        draft.close()


@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"attention"}))
def test_a_model_that_drafts_for_itself_saves_passes(decoders, kind):
    """What it would write and the schema allows it picks; the one left out happens to want nothing that is allowed."""
    decoder: Decoder = decoders[kind]
    draft = open_backend(decoder.preparer.model, BackendOptions(1024, 2, 256, threads=1))
    try:
        said = Tool("say", "", {"properties": {"text": {"type": "string"}}, "required": ["text"]})
        request = decoder.preparer.request(ASK, decoder.preparer.toolset([said]), 60, 1)
        plain = decoder.call(request, "constrained")
        run = replace(decoder, draft=draft).call(request, "speculative")
        assert run.call.same_call(plain.call)
        assert len(run.call_passes) < len(plain.call_passes)
    finally:
        draft.close()
