"""What a call comes to in tokens and in picks, reckoned without a schedule."""

import re
from itertools import groupby

from strategies import Case
from toy_vocabulary import toy_vocabulary

from engine.lark import Plain
from engine.value_text import finished_value

MARKER = re.compile("(" + "|".join(map(re.escape, toy_vocabulary().specials)) + ")")


def canonical_tokens(case: Case) -> tuple[int, ...]:
    """The tokenizer's own spelling of the case's call, the format's markers as their tokens."""
    mark = case.call_format.notation.string_mark
    pieces: list[str | int] = []
    for part in call_parts(case):
        is_fixed = isinstance(part, str)
        cut = MARKER.split(part) if is_fixed else re.split(f"({re.escape(mark)})", part.text)
        pieces += [case.vocabulary.specials.get(piece, piece) if is_fixed or piece == mark else piece for piece in cut]
    groups = (
        "".join(group) if is_text else list(group) for is_text, group in groupby(pieces, lambda p: isinstance(p, str))
    )
    return tuple(
        token for group in groups for token in (case.vocabulary.encode(group) if isinstance(group, str) else group)
    )


def call_parts(case: Case) -> list[str | Plain]:
    """The call's text: what the format writes, and names, keys and values as plain text."""
    form = case.call_format
    parts: list[str | Plain] = [form.opener, Plain(form.tool_name(case.tool.name)), form.arguments_lead]
    for index, (name, value) in enumerate(case.values.items()):
        before = form.value_close + form.item_separator if index else ""
        parts += [before + form.key_open, Plain(form.key(name)), form.key_close, Plain(value)]
    return [*parts, form.end(bool(case.values))]


def picks_of_value(case: Case, argument: str) -> int:
    """Picks that `argument`'s value takes when it is decoded alone, behind all that its schema fixes."""
    toolset, oracle = case.request.toolset, case.oracle()
    constraint = toolset.branch_constraint(case.tool, argument)
    before = case.call_format.head(case.tool.name) + case.call_format.lead(argument, is_first=True)
    tokens = list(case.request.prompt)
    start = len(tokens)

    def is_finished() -> bool:
        text = case.vocabulary.decode(tokens[start:])[len(before.encode()) :]
        form = case.call_format
        return finished_value(form.notation, text.decode(errors="ignore"), form.value_close) is not None

    def take(token: int) -> None:
        constraint.advance(token)
        tokens.append(token)
        while not is_finished() and constraint.forced():
            tokens.append(constraint.forced()[0])
            constraint.advance(tokens[-1])

    take((*constraint.forced(), oracle.next_token(tokens, constraint))[0])
    guess = () if is_finished() else constraint.held_back()
    picks = 0
    while not is_finished():
        token = oracle.next_token(tokens, constraint)
        if token in guess[:1]:
            guess = guess[1:]
            constraint.advance(token)
            tokens.append(token)
        else:
            guess = ()
            picks += 1
            take(token)
    return picks
