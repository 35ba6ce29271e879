"""Writers that stand for a model, and the backend that checks what they pick."""

from dataclasses import replace

import pytest
from strategies import Case
from toy_vocabulary import byte_vocabulary, toy_vocabulary
from tracing import trace

from engine.commands import Pass, Phase, Row
from engine.errors import ScheduleError
from engine.formats import QWEN
from engine.tools import Tool
from sim.backend import SimulatedBackend
from sim.oracle import Oracle
from sim.random_writer import RandomWriter
from sim.replay import Replay

TOOL = Tool("get", "", {"properties": {n: {"type": "string"} for n in ("a", "ab", "o")}, "required": ["a", "ab"]})
CASE = Case((TOOL,), TOOL, {"a": '"x"', "ab": '"Tokyo"', "o": '"z"'})


class Stubborn:
    """Picks one token whatever is allowed."""

    def __init__(self, token: int) -> None:
        self._token = token

    def next_token(self, tokens, constraint):
        return self._token


def test_a_pick_that_the_constraint_forbids_is_an_error_of_the_writer():
    with pytest.raises(ScheduleError, match="the writer picked token 0, which is not allowed after row 0"):
        trace("constrained", CASE.request, Stubborn(0))


def test_a_row_that_was_not_asked_for_a_pick_has_none():
    backend = SimulatedBackend(Stubborn(0))
    readout = backend.run(Pass(Phase.SERIAL, (Row(1, 0), Row(2, 1, pick=True))))
    with pytest.raises(ScheduleError, match="row 0 was not asked for a pick"):
        readout.pick(0, CASE.request.toolset.call_constraint())


def test_a_writer_is_asked_with_all_that_the_sequence_holds_up_to_the_row():
    asked = []

    class Listening:
        def next_token(self, tokens, constraint):
            asked.append(tuple(tokens))
            return constraint.forced()[0]

    backend = SimulatedBackend(Listening())
    rows = (Row(1, 0, (0, 1), pick=True), Row(2, 1, (0,), pick=True), Row(3, 1, (1,), pick=True))
    readout = backend.run(Pass(Phase.SERIAL, rows))
    for row in range(3):
        readout.pick(row, CASE.request.toolset.call_constraint())
    assert asked == [(1,), (1, 2), (1, 3)]


def next_text(case: Case, written: str, constraint) -> bytes:
    """What the oracle writes behind the prompt and `written`."""
    tokens = [*case.request.prompt, *case.vocabulary.encode_with_markers(written)]
    return case.vocabulary.decode([case.oracle().next_token(tokens, constraint)])


def test_the_oracle_goes_on_with_its_call_wherever_it_stands():
    constraint = CASE.request.toolset.call_constraint()
    written = ""
    while not constraint.is_finished:
        text = next_text(CASE, written, constraint).decode()
        constraint.advance_all(CASE.vocabulary.encode_with_markers(text))
        written += text
    assert written == CASE.text


@pytest.mark.parametrize("argument", ["a", "ab"])
def test_the_oracle_knows_a_branch_by_its_constraint(argument):
    """Behind `{"a` the call goes on as one branch does, and the other otherwise."""
    constraint = CASE.request.toolset.branch_constraint(TOOL, argument)
    written = b""
    tokens = list(CASE.request.prompt)
    while CASE.values[argument].encode() not in written:
        token = CASE.oracle().next_token(tokens, constraint)
        constraint.advance(token)
        tokens.append(token)
        written += CASE.vocabulary.decode([token])
    assert written.startswith((QWEN.head("get") + QWEN.lead(argument, True) + CASE.values[argument]).encode())


def test_the_oracle_takes_a_shorter_token_where_the_usual_one_is_not_allowed():
    """`elsius"` closes the string; where only six letters fit it has to go in two."""
    tool = Tool("get", "", {"properties": {"a": {"enum": ["Celsius"]}, "b": {"type": "string"}}, "required": ["b"]})
    case = Case((tool,), tool, {"b": '"elsius"'})
    constraint = case.request.toolset.call_constraint()

    class NoLongTokens:
        def allows(self, token):
            return len(case.vocabulary.decode([token])) == 1 and constraint.allows(token)

    before = QWEN.head("get") + QWEN.lead("b", True) + '"'
    constraint.advance_all(case.vocabulary.encode_with_markers(before))
    assert next_text(case, before, constraint) == b'elsius"'
    assert next_text(case, before, NoLongTokens()) == b"e"


@pytest.mark.parametrize(
    ("written", "message"),
    [('<tool_call>\n{"name": "got', "the oracle's call does not go on from"), (CASE.text, "is allowed here")],
)
def test_an_oracle_that_cannot_go_on_says_so(written, message):
    with pytest.raises(ScheduleError, match=message):
        next_text(CASE, written, CASE.request.toolset.call_constraint())


def test_an_oracle_whose_call_is_not_allowed_says_so():
    oracle = Oracle("get", {"a": "3"}, 0, QWEN, byte_vocabulary())
    case = replace(CASE, vocabulary_name="bytes")
    request = replace(case.request, prompt=())
    with pytest.raises(ScheduleError, match=r"no token that goes on with .* is allowed here"):
        trace("constrained", request, oracle)


def test_a_random_writer_draws_from_its_seed_and_from_all_that_stands_before():
    class Everything:
        def allows(self, token):
            return True

    def picks(seed, tokens):
        return [RandomWriter(seed, 300).next_token([*tokens, n], Everything()) for n in range(20)]

    assert picks(1, (4, 5)) == picks(1, (4, 5))
    assert picks(1, (4, 5)) != picks(2, (4, 5))
    assert picks(1, (4, 5)) != picks(1, (5, 4))
    assert RandomWriter(1, 300, favourites=[17], bonus=50.0).next_token([4], Everything()) == 17


def test_a_replay_of_another_run_finds_no_pick():
    writer = Replay(trace("constrained", CASE.request, CASE.oracle()).record())
    other = replace(CASE, call_format=CASE.call_format, tools=(TOOL, Tool("go", "", {})))
    with pytest.raises(ScheduleError, match=r"the recorded run made no pick after \d+ tokens of the call"):
        trace("schemaweaver", other.request, writer)


def test_the_toy_vocabulary_reads_greedily_and_has_markers_of_one_token():
    vocabulary = toy_vocabulary()
    text = '<tool_call>\n{"name": "北京é😀", 12'
    tokens = vocabulary.encode_with_markers(text)
    assert vocabulary.decode(tokens) == text.encode()
    assert tokens[0] == vocabulary.specials["<tool_call>"]
    assert vocabulary.specials["<tool_call>"] not in vocabulary.encode(text)
    spelled = [vocabulary.decode([token]).decode(errors="replace") for token in tokens[1:6]]
    assert spelled == ["\n{", '"name', '": ', '"', "北京"]
