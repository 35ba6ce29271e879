"""What the laws are tried on: requests small enough to be many, models of each kind, and values that depend on each
other."""

from dataclasses import replace

from hypothesis import strategies as st
from strategies import Case, Fickle, Whim, cases, copying_cases

from engine.calls import ToolCall
from engine.capabilities import Capabilities
from engine.tools import Tool
from sim.backend import Writer

LIMIT = 120
"""Tokens of a call: enough for most that end, few for those that never would."""

HYBRID = Capabilities(removes_part=False)

TEXT = {"type": "string"}
TWO = Tool("get", "", {"properties": {"a": TEXT, "b": TEXT}, "required": ["a", "b"]})

small_cases = st.one_of(cases(max_call_tokens=LIMIT), cases(max_call_tokens=LIMIT), copying_cases(LIMIT))
kinds = st.sampled_from(("oracle", "whim", "fickle"))
tiles = st.sampled_from((2, 4, 8))
"""Rows that a pass computes at the price of one tile."""


def model(case: Case, whim: Whim, kind: str) -> Writer:
    """The case's own call, a model with a taste, or one that writes that call but for its whims."""
    if kind == "oracle":
        return case.oracle()
    return whim.writer(case.vocabulary) if kind == "whim" else Fickle(case, whim)


def tool_called(call: ToolCall, case: Case) -> Tool:
    return next(tool for tool in case.tools if tool.name == call.name)


class Copying:
    """Writes for `b` what it sees in `a`, and where it sees nothing there, `nothing`."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._blind = replace(case, values={**case.values, "b": '"nothing"'}).oracle()

    def next_token(self, tokens, rule):
        text = self._case.vocabulary.decode(tokens).decode(errors="ignore")
        sees = f'"a": {self._case.values["a"]}' in text
        return (self._case.oracle() if sees else self._blind).next_token(tokens, rule)


ALIKE = Case(
    (replace(TWO, read_only=True),), replace(TWO, read_only=True), {"a": '"Tokyo"', "b": '"Tokyo"'}, tile_rows=4
)
"""A call for `Copying`, whose second value is the first again."""
