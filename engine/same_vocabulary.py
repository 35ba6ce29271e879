"""Whether one model's tokens are another's, so that it can draft for it."""

from engine.errors import InputError
from engine.vocabulary import Vocabulary


def check_can_draft(draft_name: str, draft: Vocabulary, name: str, vocabulary: Vocabulary) -> None:
    """Raise InputError, naming the first token that differs, unless all tokens of `draft` are those of `vocabulary`.

    The larger of two models of a family may have more tokens behind those: padding that no text has.
    """
    for token in range(draft.size):
        own = vocabulary.decode([token]) if token < vocabulary.size else None
        if own != draft.decode([token]) or vocabulary.is_marker(token) != draft.is_marker(token):
            raise InputError(
                f"{draft_name} cannot draft for {name}: the two need the same vocabulary, but token {token} "
                f"is {_shown(draft, token)} in the one and {_shown(vocabulary, token)} in the other"
            )


def _shown(vocabulary: Vocabulary, token: int) -> str:
    if token >= vocabulary.size:
        return "missing"
    text = repr(vocabulary.decode([token]).decode(errors="backslashreplace"))
    return f"the marker {text}" if vocabulary.is_marker(token) else text
