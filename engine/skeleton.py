"""How a call's fixed text is laid out: one head that all sequences share, and one lead per argument."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.boundary import common_length
from engine.branch import Branch
from engine.constraint import Constraint
from engine.request import Request
from engine.tools import Tool


@dataclass(frozen=True, slots=True)
class Skeleton:
    """`head` are the tokens behind those that the trunk has; `branches` stand at the end of their leads.

    The branches do not have the last `own_tokens` of the trunk: none, or the one that no pass has seen.
    """

    own_tokens: int
    head: tuple[int, ...]
    branches: tuple[Branch, ...]


def lay_out(
    request: Request,
    tool: Tool,
    call: Constraint,
    call_tokens: Sequence[int],
    arguments: Sequence[str],
    first_on_trunk: bool = False,
) -> Skeleton:
    """The skeleton of a call of `tool` whose first `call_tokens` are decided, with a branch for each of `arguments`.

    `call` stands behind those tokens. Each branch's text reads as if its argument came first (paper, section 4.1,
    Figure 6). The head is what the tokens of all of them and of the whole call have in common; each lead keeps one
    token at least, whose row gives the first pick. The token that ends the tool's name may reach into the first lead,
    as `(a` does, and into no other: the branches spell it themselves. With `first_on_trunk` the first branch is the
    trunk itself.
    """
    toolset, others = request.toolset, tuple(call_tokens[:-1])
    starts = [tuple(call_tokens) if first_on_trunk and number == 0 else others for number in range(len(arguments))]
    asked = zip(arguments, starts, strict=True)
    branches = tuple(toolset.branch(tool, name, start, request.max_call_tokens) for name, start in asked)
    if first_on_trunk and len(branches[0].tokens) == len(call_tokens):
        # All of its lead is in the call's last token: it spells that itself, as the others do.
        branches = (toolset.branch(tool, arguments[0], others, request.max_call_tokens), *branches[1:])
    paths = [[*call_tokens, *call.forced()], *(branch.tokens[:-1] for branch in branches)]
    end = common_length(paths)
    for sequence, branch in enumerate(branches, start=0 if first_on_trunk else 1):
        branch.part(sequence, end)
    return Skeleton(max(0, len(call_tokens) - end), tuple(paths[0][len(call_tokens) : end]), branches)
