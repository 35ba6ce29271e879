"""A draft head by its numbers: how often it is right, what it costs, and how it is stated."""

from dataclasses import replace

import pytest
from strategies import Case
from tracing import trace

from cost_models import AffineCost
from engine.capabilities import ATTENTION
from engine.commands import Phase
from engine.errors import InputError
from engine.free_text import FreeText
from engine.tools import Tool
from sim.backend import SimulatedBackend
from sim.head import Head, HeadWriter, read_head

CALL = tuple(range(10, 510))
TOOL = Tool("get", "", {"properties": {"a": {"type": "string"}}, "required": ["a"]})
CASE = Case((TOOL,), TOOL, {"a": '"the weather in Tokyo and in Kyoto, please"'})


def picks(acceptance: float, seed: int) -> list[int]:
    """What a head writes behind each true start of the call."""
    writer = HeadWriter(Head(acceptance, 4, 1.0), CALL, 2, 1000, seed)
    return [writer.next_token((1, 2, *CALL[:count]), FreeText(CASE.vocabulary)) for count in range(len(CALL))]


@pytest.mark.parametrize("acceptance", [0.0, 0.3, 0.7, 1.0])
def test_tokens_are_right_at_the_stated_rate(acceptance):
    rights = [pick == right for seed in range(20) for pick, right in zip(picks(acceptance, seed), CALL, strict=True)]
    # 10,000 draws: four standard errors are below 0.02, and none at the ends.
    assert sum(rights) / len(rights) == pytest.approx(acceptance, abs=0.02 if 0 < acceptance < 1 else 0)


def test_the_seed_alone_decides_which():
    assert picks(0.5, 3) == picks(0.5, 3)
    assert picks(0.5, 3) != picks(0.5, 4)


def test_behind_a_wrong_token_and_behind_the_call_it_writes_something():
    writer = HeadWriter(Head(1.0, 4, 1.0), CALL, 2, 1000, 0)
    for written in ((5,), (*CALL, 5), CALL):
        assert 0 <= writer.next_token((1, 2, *written), FreeText(CASE.vocabulary)) < 1000


@pytest.mark.parametrize(("acceptance", "depth", "tokens_per_pass"), [(0.0, 4, 1), (1.0, 4, 5), (1.0, 1, 2)])
def test_a_head_saves_the_passes_that_its_rate_and_depth_say(acceptance, depth, tokens_per_pass):
    request = CASE.request
    writer = HeadWriter(
        Head(acceptance, depth, 1.0), CASE.oracle().spellings[0], len(request.prompt), CASE.vocabulary.size, 0
    )
    from_head = {"draft_memory": ATTENTION, "draft_tokens": depth}
    run = trace("speculative", replace(request, **from_head), CASE.oracle(), SimulatedBackend(writer))
    decided = len(run.trunk_call_tokens) - 1
    assert run.count(Phase.VERIFY, Phase.SERIAL) == -(-decided // tokens_per_pass)


@pytest.mark.parametrize(
    ("text", "head"),
    [
        ("acceptance=0.7,depth=4,ms=12", Head(0.7, 4, 12.0)),
        (" depth=16 , ms=0.5, acceptance=1,row_ms=11.4", Head(1.0, 16, 0.5, 11.4)),
    ],
)
def test_a_head_is_stated_by_its_numbers(text, head):
    assert read_head(text) == head
    assert head.cost == AffineCost(base_ms=head.pass_ms, row_ms=head.row_ms)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "expected acceptance=0.7,depth=4,ms=12"),
        ("acceptance=0.7,depth=4", "expected acceptance=0.7,depth=4,ms=12"),
        ("acceptance=0.7,depth=4,ms=12,wings=2", "expected acceptance=0.7,depth=4,ms=12"),
        ("acceptance=0.7,depth=4,ms=12,", "expected acceptance=0.7,depth=4,ms=12"),
        ("acceptance=0.7,acceptance=0.8,depth=4,ms=12", "expected acceptance=0.7,depth=4,ms=12"),
        ("acceptance=high,depth=4,ms=12", "'high'"),
        ("acceptance=0.7,depth=4.5,ms=12", "'4.5'"),
        ("acceptance=1.7,depth=4,ms=12", "acceptance is 1.7; it has to be from 0 to 1"),
        ("acceptance=nan,depth=4,ms=12", "acceptance is nan"),
        ("acceptance=0.7,depth=0,ms=12", "depth is 0; it has to be 1 or more"),
        ("acceptance=0.7,depth=4,ms=0", "ms is 0.0"),
        ("acceptance=0.7,depth=4,ms=inf", "ms is inf"),
        ("acceptance=0.7,depth=4,ms=1,row_ms=-1", "row_ms -1.0"),
    ],
)
def test_what_states_no_head_is_refused(text, problem):
    with pytest.raises(InputError) as raised:
        read_head(text)
    assert problem in str(raised.value)
