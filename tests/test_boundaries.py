"""Token boundaries: what a schedule lays down is what the tokenizer itself makes of the text, on real vocabularies."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from llama_cpp_files import needs_vocabularies
from llguidance import LLMatcher
from real_vocabularies import NAMES
from strategies import Case, argument_names, cases, examples, json_text, schedule_names, texts, vocabulary_named
from toy_vocabulary import VOCABULARIES
from tracing import Trace, trace

from engine.commands import TRUNK
from engine.constraint import Constraint
from engine.formats import LLAMA3_PYTHON
from engine.lark import literal
from engine.spelling import call_parts, own_tokens
from engine.tools import Tool
from engine.vocabulary import Vocabulary

real_vocabularies = pytest.mark.parametrize(
    "vocabulary_name", [*VOCABULARIES, *(pytest.param(name, marks=needs_vocabularies) for name in NAMES)]
)


def spelled(vocabulary: Vocabulary, tokens) -> list[bytes]:
    return [vocabulary.decode([token]) for token in tokens]


def can_spell(case: Case) -> bool:
    """Whether the vocabulary has tokens for all names and values: a few lack bytes of rare characters."""
    return case.vocabulary.can_spell(case.text + json_text([tool.as_openai() for tool in case.tools]))


def own_in_branch(case: Case, argument: str) -> tuple[int, ...]:
    """The tokens of the call as it reads in the branch of `argument`: that one first, then what follows it."""
    names = list(case.values)
    values = {name: case.values[name] for name in names[names.index(argument) :]}
    return own_tokens(call_parts(case.call_format, case.tool.name, values), case.vocabulary)


def picked(run: Trace) -> Iterator[tuple[int, tuple[int, ...]]]:
    """For each pick that was asked for: the sequence, and its call's tokens with the pick as the last."""
    start = len(run.request.prompt)
    for (command, picks), held in zip(run.passes, run.contents, strict=True):
        for number, token in picks:
            row = command.rows[number]
            yield row.sequences[-1], (*held[row.sequences[-1]][start : row.position + 1], token)


@real_vocabularies
def test_the_call_lies_on_the_trunk_in_the_tokenizers_own_tokens(vocabulary_name):
    @examples(40, vocabulary_name)
    @given(cases(), schedule_names)
    def holds(case, schedule):
        case = replace(case, vocabulary_name=vocabulary_name)
        assume(can_spell(case))
        run = trace(schedule, case.request, case.oracle())
        own = own_tokens(call_parts(case.call_format, case.tool.name, case.values), case.vocabulary)
        assert run.call.text == case.text
        assert spelled(case.vocabulary, run.trunk_call_tokens) == spelled(case.vocabulary, own)
        assert run.trunk_call_tokens == own

    holds()


@real_vocabularies
def test_each_argument_lies_in_its_branch_in_the_tokenizers_own_tokens(vocabulary_name):
    @examples(40, vocabulary_name)
    @given(cases())
    def holds(case):
        case = replace(case, vocabulary_name=vocabulary_name)
        assume(can_spell(case))
        run = trace("schemaweaver", case.request, case.oracle())
        own = {sequence: own_in_branch(case, name) for sequence, name in enumerate(case.tool.required, start=1)}
        for sequence, tokens in picked(run):
            if sequence != TRUNK:
                assert spelled(case.vocabulary, tokens) == spelled(case.vocabulary, own[sequence][: len(tokens)])
                assert tokens == own[sequence][: len(tokens)]

    holds()


@pytest.mark.parametrize("names", [("a",), ("a", "b"), ("b", "a"), ("a", "ab"), ("ab", "a")])
def test_a_token_may_end_a_name_and_reach_into_a_lead(names):
    """`(a` ends the name `a` and starts an argument's key; `="` is the rest of its lead and begins the value."""
    properties = {"properties": {name: {"type": ["string", "null"]} for name in names}, "required": list(names)}
    tools = (Tool("a", "", properties), Tool("ab", "", {}))
    case = Case(tools, tools[0], dict.fromkeys(names, '"x"'), "toy", LLAMA3_PYTHON)
    run = trace("schemaweaver", case.request, case.oracle())
    assert run.trunk_call_tokens == case.oracle().spellings[0]
    own = [own_in_branch(case, name) for name in names]
    for sequence, tokens in picked(run):
        assert sequence == TRUNK or tokens == own[sequence - 1][: len(tokens)]


@needs_vocabularies
def test_context_that_is_cut_inside_a_piece_of_the_tokenizers_pattern_forbids_nothing():
    """Eight tokens before the value stands `\\`, which the tokenizer takes together with `u` unless it sees `/` too."""
    nothing = {"type": "object", "properties": {}, "additionalProperties": False}
    tool = Tool("get", "", {"properties": {"/\x1f": nothing, "b": {"type": "string"}}})
    case = Case((tool,), tool, {"/\x1f": "{}"}, "qwen2")
    run = trace("constrained", case.request, case.oracle())
    assert run.trunk_call_tokens == case.oracle().spellings[0]


@real_vocabularies
@pytest.mark.parametrize("fixed", ["\t\t", "x \n\n", "  ", "a\t ", "\u3000\u3000"])
@pytest.mark.parametrize("following", ["Tokyo", " x", "", "12", "\n", "}"])
def test_a_run_of_white_space_parts_from_its_last_character_as_the_tokenizer_has_it(vocabulary_name, fixed, following):
    check_own_tokens(vocabulary_named(vocabulary_name), fixed, [following], "/(.|\\n)*/")


fixed_texts = st.lists(st.one_of(texts, st.text(max_size=4), argument_names), max_size=4).map("".join)
next_texts = st.lists(st.one_of(texts, st.text(max_size=6)), min_size=1, max_size=4)


@real_vocabularies
def test_the_tokenizers_own_tokens_are_forced_and_allowed_whatever_follows(vocabulary_name):
    """Behind fixed text the grammar takes one of a few texts, or any at all."""
    vocabulary = vocabulary_named(vocabulary_name)

    @examples(60, vocabulary_name)
    @given(fixed_texts, next_texts, st.booleans())
    def holds(fixed, following, is_open):
        assume(all(vocabulary.can_spell(fixed + text) for text in following))
        more = "/(.|\\n)*/" if is_open else " | ".join(f"({literal(text)})" for text in following)
        check_own_tokens(vocabulary, fixed, following, more)

    holds()


def check_own_tokens(vocabulary: Vocabulary, fixed: str, following: list[str], more: str) -> None:
    """Each of the texts in the tokenizer's own tokens, behind `fixed` in a grammar that goes on with `more`."""
    grammar = f"start: {literal(fixed)} more\nmore: {more}\n"
    matcher = LLMatcher(vocabulary.tokenizer, LLMatcher.grammar_from_lark(grammar), log_level=0)
    assert not matcher.is_error(), matcher.get_error()
    for text in following:
        constraint = Constraint(matcher.deep_copy(), vocabulary)
        own = vocabulary.encode(fixed + text)
        assert own[: len(constraint.forced())] == constraint.forced()[: len(own)]
        for number, token in enumerate(own):
            assert constraint.allows(token), spelled(vocabulary, own[number:])
            constraint.advance(token)
