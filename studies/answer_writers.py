"""Models that write a workload's accepted answers, and what some schedules make them write besides."""

from collections.abc import Mapping

from engine.notation import write_value
from engine.request import Request
from engine.spelling import call_parts, own_tokens
from engine.tools import Tool
from sim.backend import Writer
from sim.deciding_oracle import DecidingOracle
from sim.oracle import Oracle
from sim.plain_values import plain_values
from sim.workload import WorkloadCall


def answer_oracle(call: WorkloadCall, request: Request) -> Oracle:
    """A model that writes the first accepted answer of `call`."""
    return _oracle(call.tool, _texts(call, request), request)


def answer_writer(call: WorkloadCall, request: Request, schedule: str, oracle: Oracle) -> Writer:
    """A model that writes it under `schedule`: `oracle`, unless more than the next token of that call may be asked for.

    Under `optional_first` the answer's optional arguments are decided before any value. Under `optional_all`, which
    leaves no argument out, those that the answer lacks get the first plain value that the tools' constraint admits.
    """
    if schedule == "optional_first":
        return _deciding_oracle(call.tool, _texts(call, request), request)
    if schedule == "optional_all":
        return _oracle(call.tool, _with_all(call.tool, _texts(call, request), request), request)
    return oracle


def _oracle(tool: Tool, texts: Mapping[str, str], request: Request) -> Oracle:
    toolset = request.toolset
    # Values of optional arguments may be asked for, as drafts, that the call does not have.
    unwritten = tuple(tool.properties)
    return Oracle(tool.name, texts, len(request.prompt), toolset.call_format, toolset.vocabulary, unwritten)


def _deciding_oracle(tool: Tool, texts: Mapping[str, str], request: Request) -> DecidingOracle:
    toolset = request.toolset
    return DecidingOracle(tool.name, texts, len(request.prompt), toolset.call_format, toolset.vocabulary, tool.optional)


def _texts(call: WorkloadCall, request: Request) -> dict[str, str]:
    notation = request.toolset.call_format.notation
    return {name: write_value(notation, value) for name, value in call.answer.items()}


def _with_all(tool: Tool, texts: Mapping[str, str], request: Request) -> dict[str, str]:
    """`texts` and one for each other optional argument, in the order of writing."""
    others = {name: _plain_text(tool, name, request) for name in tool.optional if name not in texts}
    known = {**others, **texts}
    order = (*tool.required, *tool.optional)
    return {name: text for name in order if (text := known.get(name)) is not None}


def _plain_text(tool: Tool, argument: str, request: Request) -> str | None:
    """The text of the first plain value that may be written for `argument`; None where none may."""
    notation = request.toolset.call_format.notation
    values = plain_values(tool.properties[argument], tool.parameters)
    texts = (write_value(notation, value) for value in values)
    return next((text for text in texts if _is_admitted(tool, argument, text, request)), None)


def _is_admitted(tool: Tool, argument: str, text: str, request: Request) -> bool:
    """Whether a call that starts with `argument` may give it the value that is written `text`."""
    toolset = request.toolset
    constraint = toolset.branch_constraint(tool, argument)
    for token in own_tokens(call_parts(toolset.call_format, tool.name, {argument: text}), toolset.vocabulary):
        if constraint.is_finished:
            break
        if not constraint.allows(token):
            return False
        constraint.advance(token)
    return True
