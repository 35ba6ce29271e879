"""Passes: how many a call takes under each schedule follows from its tokens and its picks."""

from dataclasses import replace

from hypothesis import event, given
from law_cases import LIMIT, kinds, model, small_cases, tiles, tool_called
from reckoning import canonical_tokens, picks_of_value
from strategies import Case, copying_cases, examples, whims
from tracing import Trace, trace

from engine.capabilities import ATTENTION
from engine.commands import Phase
from engine.forecast import most_side_by_side


@examples(40)
@given(small_cases, whims, kinds)
def test_passes_constrained_decoding_takes_one_for_each_token_of_the_call(case, whim, kind):
    run = trace("constrained", case.request, model(case, whim, kind))
    behind_prompt = [command for command, _ in run.passes if command.phase is not Phase.PROMPT]
    assert [command.width for command in behind_prompt] == [1] * len(run.trunk_call_tokens)


@examples(40)
@given(small_cases, whims, kinds)
def test_passes_jump_forward_takes_one_for_each_pick_and_one_to_write_the_end(case, whim, kind):
    run = trace("jump_forward", case.request, model(case, whim, kind))
    picks = sum(len(picks) for _, picks in run.passes)
    assert len(run.passes) - run.count(Phase.PROMPT) == picks + 1


@examples(60)
@given(small_cases)
def test_passes_unconstrained_decoding_takes_one_for_each_token_of_what_the_model_writes(case):
    run = trace("unconstrained", replace(case.request, max_call_tokens=4000), case.oracle())
    assert (run.call.name, run.call.arguments) == (case.tool.name, case.arguments)
    canonical = canonical_tokens(case)
    assert run.trunk_call_tokens == canonical[: len(run.trunk_call_tokens)]
    given_tokens = bool(case.request.toolset.call_constraint().forced())
    assert run.count(Phase.SERIAL) == len(run.trunk_call_tokens) - 1
    assert run.count(Phase.SERIAL, Phase.WRITE_BACK) == len(run.trunk_call_tokens)
    assert picks_in(run, Phase.PROMPT) == 1 - given_tokens


@examples(80)
@given(small_cases)
def test_passes_schemaweaver_takes_as_many_for_the_values_as_the_longest_has_picks(case):
    """The values' passes are max |v| - 1, where |v| counts the picks of one value that no guess stood for: the first
    comes out of the skeleton pass. All required values together take no pass more, but the head's own where a memory
    shares no rows."""
    run = trace("schemaweaver", replace(case.request, max_call_tokens=4000), case.oracle())
    lengths = [picks_of_value(case, name) for name in case.tool.required]
    assert run.count(Phase.VALUES) == max([0, *(length - 1 for length in lengths)])
    assert run.count(Phase.NAME) == picks_in(run, Phase.NAME)
    assert run.count(Phase.NAME) == 0 or len(case.tools) > 1
    assert run.count(Phase.SKELETON) == 2 - case.capabilities.shares_rows or not case.tool.required
    behind_values = (Phase.WRITE_BACK, Phase.OPTIONAL, *(() if case.tool.required else (Phase.SKELETON,)))
    assert run.count(*behind_values) == picks_in(run, *behind_values) + 1


def picks_in(run: Trace, *phases: Phase) -> int:
    return sum(len(picks) for command, picks in run.passes if command.phase in phases)


@examples(60)
@given(small_cases, whims, kinds)
def test_passes_parallel_is_the_papers_schedule_in_rows_of_its_own_alone(case, whim, kind):
    """Whatever the tile, no row is padding, and all else is as without tiles."""
    run = trace("parallel", case.request, model(case, whim, kind))
    bare = trace("schemaweaver", replace(case.request, tile_rows=1), model(case, whim, kind))
    assert run.scratch_sequence is None
    assert run.commands == bare.commands


@examples(60)
@given(small_cases)
def test_passes_skeleton_takes_as_many_for_the_values_as_they_have_picks_in_all(case):
    """The first pick of each comes out of the skeleton pass, as in the paper's schedule, and all else is as there."""
    request = replace(case.request, max_call_tokens=4000)
    run, papers = (trace(name, request, case.oracle()) for name in ("skeleton", "schemaweaver"))
    lengths = [picks_of_value(case, name) for name in case.tool.required]
    assert run.count(Phase.VALUES) == sum(max(0, length - 1) for length in lengths)
    assert len(run.passes) - run.count(Phase.VALUES) == len(papers.passes) - papers.count(Phase.VALUES)


@examples(60)
@given(small_cases)
def test_passes_a_check_that_all_values_stand_is_the_write_back(case):
    """So `verified` takes the passes of the paper's schedule where no optional argument can follow.

    Where one can, the last token of the last value is left to a pick, as it may merge with what follows: one pass more
    where the paper's schedule knows that it does not. Without required values the head is checked at once, up to where
    the paper's schedule decides token by token. Values that run on far past what is usual are left to the trunk, at a
    pass for each pick, so nothing is claimed of these.
    """
    request = replace(case.request, max_call_tokens=4000)
    if any(picks_of_value(case, name) > 1 + most_side_by_side(case.tool) for name in case.tool.required):
        return
    checked, papers = (trace(name, request, case.oracle()) for name in ("verified", "schemaweaver"))
    more = len(checked.passes) - len(papers.passes)
    event(f"{more} more")
    if case.tool.required:
        assert 0 <= more <= bool(case.tool.optional)
    else:
        assert more <= 0


@examples(60)
@given(small_cases)
def test_passes_an_optional_argument_whose_draft_is_whole_costs_its_keys_picks_and_one(case):
    request = replace(case.request, max_call_tokens=4000)
    run, serial = (trace(name, request, case.oracle()) for name in ("branched", "jump_forward"))
    taken = [name for name in case.values if name in case.tool.optional]
    if not case.tool.required:
        return
    # A rider takes a pick from each pass of the values, and its first from the skeleton's.
    whole = [name for name in taken if picks_of_value(case, name) <= 1 + run.count(Phase.VALUES)]
    event(f"drafts: {len(whole)} of {len(taken)}")
    serial_picks = sum(picks_of_value(case, name) for name in taken if name not in whole)
    fixed = picks_outside_values(case, serial)
    behind = [command for command, _ in run.passes if command.phase in (Phase.WRITE_BACK, Phase.VERIFY)]
    assert sum(command.pick_count > 0 for command in behind) <= 1 + fixed + len(whole) + serial_picks


def picks_outside_values(case: Case, run: Trace) -> int:
    """The picks of a serial run behind the required values that begin in keys or behind the last value."""
    form, values = case.call_format, list(case.values.items())
    spans, text = [], form.head(case.tool.name)
    for number, (name, value) in enumerate(values):
        start = len((text + form.lead(name, number == 0)).encode())
        text += form.lead(name, number == 0) + value
        spans.append(range(start, len(text.encode())))
    first = spans[len(case.tool.required) - 1].stop
    start = len(run.request.prompt)
    starts = [
        len(case.vocabulary.decode(run.trunk_call_tokens[: command.rows[row].position + 1 - start]))
        for command, picks in run.passes
        for row, _ in picks
    ]
    return sum(place >= first and not any(place in span for span in spans) for place in starts)


@examples(60)
@given(copying_cases(LIMIT), whims, kinds, tiles)
def test_passes_drafts_of_words_never_make_jump_forward_longer(case, whim, kind, tile):
    request = replace(case.request, tile_rows=tile)
    drafted, plain = (trace(name, request, model(case, whim, kind)) for name in ("jump_drafted", "jump_forward"))
    event(f"passes saved: {len(plain.passes) > len(drafted.passes)}")
    assert len(drafted.passes) <= len(plain.passes)


@examples(60)
@given(copying_cases(LIMIT), whims, kinds, tiles)
def test_passes_drafts_of_words_never_make_the_values_longer(case, whim, kind, tile):
    """Nor the whole call where no optional argument can follow. One that does has had fewer passes to be drafted in."""
    request = replace(case.request, tile_rows=tile, capabilities=ATTENTION)
    drafted, plain = (trace(name, request, model(case, whim, kind)) for name in ("drafted", "branched"))
    event(f"passes saved: {plain.count(Phase.VALUES) > drafted.count(Phase.VALUES)}")
    assert drafted.count(Phase.VALUES) <= plain.count(Phase.VALUES)
    if drafted.call.name and not tool_called(drafted.call, case).optional:
        assert len(drafted.passes) <= len(plain.passes)
