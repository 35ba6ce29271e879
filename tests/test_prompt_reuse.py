"""What is reused of a prompt, on each kind of memory."""

from dataclasses import replace

import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from strategies import EXACT, Case, cases, examples, memories, schedule_names, whims

from engine.capabilities import ATTENTION, Capabilities
from engine.commands import TRUNK, Drop, Fork, Trim
from engine.driver import run_blocking
from engine.formats import FUNCTIONGEMMA
from engine.prompt_reuse import WORTH_KEEPING_TOKENS, Reuse, plan_reuse, reusing
from engine.request import Request
from engine.schedules import SCHEDULES
from engine.tools import Tool
from sim.backend import SimulatedBackend
from sim.memory import SequenceMemory

UNCUT = Capabilities(removes_part=False)
SPARE = 9
SHARED = tuple(range(WORTH_KEEPING_TOKENS))
"""As many tokens as are worth a copy."""
SHORT = SHARED[:-1]
TOOL = Tool("get", "", {"properties": {"a": {"type": "string"}}, "required": ["a"]})
TOOLSET = Case((TOOL,), TOOL, {}).request.toolset


def memory_that_holds(held, capabilities=ATTENTION):
    memory = SequenceMemory(capabilities=capabilities)
    for sequence, tokens in held.items():
        memory.hold(tokens, sequence)
    return memory


@pytest.mark.parametrize(
    ("capabilities", "held", "prompt", "expected"),
    [
        (ATTENTION, {}, (1, 2, 3), Reuse((), 0)),
        (ATTENTION, {TRUNK: (1, 2)}, (1, 2, 3), Reuse((), 2)),
        (ATTENTION, {TRUNK: (1, 2, 3, 8)}, (1, 2, 3), Reuse((Trim(TRUNK, 3),), 3)),
        (ATTENTION, {TRUNK: (1, 2, 8)}, (1, 2, 3), Reuse((Trim(TRUNK, 2),), 2)),
        (ATTENTION, {TRUNK: (8, 2)}, (1, 2, 3), Reuse((Drop(TRUNK),), 0)),
        (ATTENTION, {TRUNK: (1, 2), 1: (1, 7), 3: (4,)}, (1, 2, 3), Reuse((Drop(1), Drop(3)), 2)),
        (UNCUT, {TRUNK: (1, 2)}, (1, 2, 3), Reuse((), 2)),
        (UNCUT, {TRUNK: (*SHORT, 80)}, (*SHORT, 81), Reuse((Drop(TRUNK),), 0)),
        (UNCUT, {TRUNK: (*SHARED, 80)}, (*SHARED, 81), Reuse((Drop(TRUNK), Drop(SPARE)), 0, len(SHARED))),
        (UNCUT, {TRUNK: (*SHARED, 80), SPARE: SHARED}, (*SHARED, 81), Reuse((Drop(TRUNK), Fork(SPARE, (TRUNK,))), 16)),
        (UNCUT, {TRUNK: (80,), SPARE: SHARED}, (*SHARED, 81), Reuse((Drop(TRUNK), Fork(SPARE, (TRUNK,))), 16)),
        (UNCUT, {TRUNK: (*SHARED, 80), SPARE: SHORT}, (*SHARED, 1), Reuse((Drop(TRUNK), Fork(SPARE, (TRUNK,))), 15)),
        (UNCUT, {TRUNK: (*SHARED, 80), SPARE: (0, 1)}, SHARED, Reuse((Drop(TRUNK), Fork(SPARE, (TRUNK,))), 2)),
        (
            UNCUT,
            {TRUNK: (*SHARED, *SHARED, 80), SPARE: SHARED},
            (*SHARED, *SHARED, 81),
            Reuse((Drop(TRUNK), Fork(SPARE, (TRUNK,)), Drop(SPARE)), 16, 32),
        ),
        # A copy of another prompt's start takes room.
        (UNCUT, {TRUNK: (80,), SPARE: (81,)}, SHARED, Reuse((Drop(TRUNK),), 0, aside_tokens=1)),
        (UNCUT, {TRUNK: (1, 2), SPARE: (1, 7, 8)}, (1, 2, 3), Reuse((), 2, aside_tokens=2)),
        # A window that has moved on from where the prompts part.
        (Capabilities(window_tokens=2), {TRUNK: (1, 2, 8)}, (1, 2, 3), Reuse((Trim(TRUNK, 2),), 2)),
    ],
)
def test_what_is_reused(capabilities, held, prompt, expected):
    assert plan_reuse(memory_that_holds(held, capabilities), Request(prompt, TOOLSET), SPARE) == expected


def test_a_window_that_has_moved_on_is_no_start():
    case = Case((TOOL,), TOOL, {"a": '"x"'}, capabilities=Capabilities(window_tokens=4))
    backend = SimulatedBackend(case.oracle(), SequenceMemory(capabilities=case.capabilities))
    run_blocking(SCHEDULES["constrained"](case.request), backend)
    parted = replace(case.request, prompt=(*case.request.prompt[:-2], 65, 66))
    assert plan_reuse(backend.memory, parted, SPARE) == Reuse((Drop(TRUNK),), 0)


def test_without_a_spare_sequence_nothing_is_copied():
    memory = memory_that_holds({TRUNK: (*SHARED, 80)}, UNCUT)
    assert plan_reuse(memory, Request((*SHARED, 81), TOOLSET), TRUNK) == Reuse((Drop(TRUNK),), 0)


@pytest.mark.parametrize(
    ("copy", "max_cells", "expected"),
    [
        ((80, 81), 512 + 18, Reuse((), 16, aside_tokens=2)),
        ((80, 81), 512 + 17, Reuse((Drop(SPARE),), 16)),
        (SHORT, 512 + 16, Reuse((), 16)),
        ((*SHORT, 80), 512 + 16, Reuse((Drop(SPARE),), 16)),
    ],
)
def test_a_copy_that_leaves_too_little_room_for_a_call_is_dropped(copy, max_cells, expected):
    """A call may take 512 tokens."""
    memory = memory_that_holds({TRUNK: SHARED, SPARE: copy}, UNCUT)
    request = Request(SHARED, TOOLSET, max_call_tokens=512, max_cells=max_cells)
    assert plan_reuse(memory, request, SPARE) == expected


def test_a_prompt_whose_last_row_gives_the_first_pick_keeps_it_for_a_pass():
    bare = replace(FUNCTIONGEMMA, opener="")
    request = replace(Case((TOOL, replace(TOOL, name="set")), TOOL, {}, call_format=bare).request, prompt=(1, 2, 3))
    assert request.toolset.starts_with_pick
    assert plan_reuse(memory_that_holds({TRUNK: (1, 2, 3)}), request, SPARE) == Reuse((Trim(TRUNK, 2),), 2)


prompts = st.lists(st.sampled_from((0, 1, 30)), min_size=1, max_size=3)
"""How many tokens of its own each part of a prompt has, so that some prompts are worth a copy."""


@examples(60)
@given(cases(max_call_tokens=60), whims, memories, schedule_names, st.lists(prompts, min_size=2, max_size=4), st.data())
def test_memory_a_reused_prompt_gives_the_same_calls_as_a_fresh_one(case, whim, memory, schedule, turns, data):
    """Calls one after another on one memory: new prompts, and conversations that go on from all that is held.

    An exact schedule does so in a context that has little more room than the longest of them needs.
    """
    cells = data.draw(st.sampled_from((1 << 20, 0, 20))) if schedule in EXACT else 1 << 20
    backend = SimulatedBackend(whim.writer(case.vocabulary), SequenceMemory(capabilities=memory))
    for number, parts in enumerate(turns):
        goes_on = number and data.draw(st.booleans())
        start = backend.memory.tokens(TRUNK) if goes_on else case.request.prompt
        prompt = (*start, *(65 + place for place, count in enumerate(parts) for _ in range(count)))
        backend.memory.max_cells = max(len(prompt) + 60 + cells, backend.memory.used_cells)
        request = replace(case.request, prompt=prompt, capabilities=memory, max_cells=backend.memory.max_cells)
        reuse = plan_reuse(backend.memory, request, SPARE)
        event(f"reused: {reuse.tokens > 0}, copied: {reuse.kept_tokens > 0}, {SPARE in backend.memory.sequences}")
        outcome = run_blocking(reusing(request, reuse, SPARE, SCHEDULES[schedule]), backend)
        fresh = SimulatedBackend(whim.writer(case.vocabulary), SequenceMemory(capabilities=memory))
        expected = run_blocking(SCHEDULES[schedule](request), fresh)
        assert outcome.emits[-1].call == expected.emits[-1].call
        assert backend.memory.tokens(TRUNK) == fresh.memory.tokens(TRUNK)
        assert backend.memory.sequences <= {TRUNK, SPARE}
        assert backend.memory.tokens(SPARE) == prompt[: len(backend.memory.tokens(SPARE))] or not reuse.kept_tokens
        rows = [row for p in outcome.passes for row in p.command.rows if TRUNK in row.sequences]
        assert sum(row.position < len(prompt) for row in rows) == len(prompt) - reuse.tokens
        assert reuse.tokens >= len(start) - request.toolset.starts_with_pick or not goes_on
