"""Where two calls of the same request first differ, token by token."""

from dataclasses import dataclass

from engine.boundary import common_length
from engine.vocabulary import Vocabulary
from studies.written_call import WrittenCall


@dataclass(frozen=True, slots=True)
class Side:
    """What one call has there; `token` is None where it has ended.

    `is_picked`: the model picked it behind the text before it. What is not was decided in another context.
    `could_be_other`: it did, and might have picked the other call's token as well.
    """

    token: int | None
    text: str
    is_picked: bool
    could_be_other: bool


@dataclass(frozen=True, slots=True)
class Difference:
    """The first token that differs: number `index` of the call, behind the text `behind`, which both have.

    `is_respelled`: both texts go on alike through both tokens, so that only the spelling differs there.
    """

    index: int
    behind: str
    first: Side
    other: Side
    is_respelled: bool

    @property
    def are_both_picked(self) -> bool:
        return self.first.is_picked and self.other.is_picked

    @property
    def is_one_choice(self) -> bool:
        """Whether both were picked among tokens that include both."""
        return self.first.could_be_other and self.other.could_be_other


def first_difference(first: WrittenCall, other: WrittenCall, vocabulary: Vocabulary) -> Difference | None:
    """The first token in which the calls differ; None where all tokens are the same."""
    if first.tokens == other.tokens:
        return None
    index = common_length([first.tokens, other.tokens])
    texts = [vocabulary.decode(call.tokens) for call in (first, other)]
    ends = [len(vocabulary.decode(call.tokens[: index + 1])) for call in (first, other)]
    return Difference(
        index=index,
        behind=vocabulary.decode(first.tokens[:index]).decode(errors="replace"),
        first=_side(first, other, index, vocabulary),
        other=_side(other, first, index, vocabulary),
        is_respelled=common_length(texts) >= max(ends) and index < min(len(first.tokens), len(other.tokens)),
    )


def _side(call: WrittenCall, opposite: WrittenCall, index: int, vocabulary: Vocabulary) -> Side:
    if index >= len(call.tokens):
        return Side(None, "", is_picked=False, could_be_other=False)
    token = call.tokens[index]
    return Side(
        token=token,
        text=vocabulary.decode([token]).decode(errors="replace"),
        is_picked=index in call.picked,
        could_be_other=index < len(opposite.tokens) and call.could_pick(index, opposite.tokens[index]),
    )
