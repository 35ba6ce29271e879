"""Margins along a call and the noise of passes' widths, on logits that are made up."""

import numpy as np
import pytest
from hypothesis import given
from strategies import Case, cases, examples
from tracing import trace

from engine.tools import Tool
from studies.margins import OTHER_WIDTHS, REFERENCE_WIDTH, Margin, call_margins, runner_up
from studies.noise import noise_of

TOOL = Tool(
    "get",
    "",
    {"properties": {"a": {"enum": ["x", "y"]}, "b": {"type": "string"}}, "required": ["a", "b"]},
)
CASE = Case((TOOL,), TOOL, {"a": '"x"', "b": '"Tokyo"'})
SIZE = CASE.vocabulary.size


def logits_of(request, tokens, prefer, noise=lambda width, row: 0.0):
    """A walk whose logits like `tokens` by 1 more than all else, `prefer` numbers by others, moved by `noise`."""
    first = request.reused_tokens + 1 - len(request.prompt)

    def walk(width):
        for index in range(max(first, 0), len(tokens)):
            logits = np.zeros(SIZE, dtype=np.float32)
            logits[tokens[index]] = prefer.get(index, 1.0) + noise(width, index)
            yield logits

    return walk


def decided(case):
    request = case.request.held()
    return request, trace("constrained", request, case.oracle()).trunk_call_tokens


def test_a_choice_is_a_token_that_was_not_forced_against_the_best_other_one_allowed():
    request, tokens = decided(CASE)
    margins = call_margins(request, tokens, {}, logits_of(request, tokens, {}))
    constraint = request.toolset.call_constraint()
    free = 0
    for token in tokens:
        free += not constraint.forced() and constraint.mask().sum() > 1
        constraint.advance(token)
    assert len(margins.choices) == free > 2
    assert {margin.reference for margin in margins.choices} == {1.0}
    assert all(set(margin.at_widths) == set(OTHER_WIDTHS) for margin in margins.choices)


def test_the_runner_up_is_allowed_and_none_where_one_token_is_left():
    constraint = CASE.request.toolset.call_constraint()
    logits = np.arange(SIZE, dtype=np.float32)
    assert runner_up(logits, constraint, constraint.forced()[0]) is None
    while constraint.forced():
        constraint.advance(constraint.forced()[0])
    allowed = np.flatnonzero(constraint.mask())
    assert runner_up(logits, constraint, int(allowed[-1])) == allowed[-2]
    assert runner_up(logits, constraint, int(allowed[0])) == allowed[-1]


def test_a_rival_has_its_margin_at_each_width_where_the_constraint_allows_it():
    request, tokens = decided(CASE)
    constraint = request.toolset.call_constraint()
    index = next(i for i, token in enumerate(tokens) if constraint.advance(token) or not constraint.forced()) + 1
    rival = next(int(token) for token in np.flatnonzero(constraint.mask()) if token != tokens[index])
    forbidden = next(int(token) for token in np.flatnonzero(~constraint.mask()))
    walk = logits_of(request, tokens, {index: 0.25}, lambda width, row: 0.0 if width == REFERENCE_WIDTH else -width / 8)
    margins = call_margins(request, tokens, {index: (rival, forbidden)}, walk)
    assert margins.rivals.keys() == {(index, rival)}
    margin = margins.rivals[index, rival]
    assert (margin.reference, margin.at_widths) == (0.25, {2: 0.0, 4: -0.25, 8: -0.75, 16: -1.75})
    assert margin.movement == 2.0
    assert margin.is_reversed


@examples(30)
@given(cases(max_tools=2))
def test_margins_are_read_from_the_row_that_decides_their_token_wherever_the_walk_starts(case):
    """The prompt in memory ends one row earlier where the call's first token is a pick."""
    request = case.request.held()
    tokens = trace("jump_forward", request, case.oracle()).trunk_call_tokens
    first = request.reused_tokens + 1 - len(request.prompt)
    preferred = {index: 1.0 + index for index in range(len(tokens))}

    def walk(width):
        for index in range(first, len(tokens)):
            logits = np.zeros(case.vocabulary.size, dtype=np.float32)
            logits[tokens[index]] = preferred[index]
            yield logits

    margins = call_margins(request, tokens, {}, walk)
    assert {margin.reference for margin in margins.choices} <= set(preferred.values())
    assert all(margin.movement == 0 for margin in margins.choices)


def test_a_call_that_the_constraint_does_not_allow_is_walked_as_far_as_it_goes():
    request, tokens = decided(CASE)
    control = CASE.vocabulary.encode("\n")
    broken = (*tokens[:-2], *control, *tokens[-2:])
    whole, partly = (call_margins(request, call, {}, logits_of(request, call, {})) for call in (tokens, broken))
    assert partly.choices == whole.choices[: len(partly.choices)]
    assert len(partly.choices) > 0
    early = (*control, *tokens)
    assert call_margins(request, early, {}, logits_of(request, early, {})).choices == ()


def margin(reference, *at_widths):
    return Margin(reference, dict(zip(OTHER_WIDTHS, at_widths, strict=True)))


def test_noise_is_what_the_widths_alone_move():
    still = [margin(3.0, 3.0, 3.0, 3.0, 3.0)] * 19
    noise = noise_of([*still, margin(0.25, 0.25, 0.75, -0.5, 0.25)])
    assert (noise.choices, noise.reversed, noise.max) == (20, 1, 0.75)
    assert [width.width for width in noise.widths] == list(OTHER_WIDTHS)
    assert [width.max for width in noise.widths] == [0.0, 0.5, 0.75, 0.0]
    assert noise.p95 == pytest.approx(np.quantile([0.0] * 78 + [0.5, 0.75], 0.95))
    assert [width.median for width in noise.widths] == [0.0] * 4


def test_there_is_no_noise_without_choices():
    noise = noise_of([])
    assert (noise.choices, noise.reversed, noise.p95, noise.max) == (0, 0, 0.0, 0.0)
