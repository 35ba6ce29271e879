"""Drafts from the prompt: what followed there where it had the last few tokens already."""

from collections.abc import Callable, Sequence

LONGEST = 3
"""Tokens of a suffix that the prompt is searched for at most; a longer one seldom tells more."""


def prompt_lookup(prompt: Sequence[int]) -> Callable[[Sequence[int], int], tuple[int, ...]]:
    """A drafter for calls behind `prompt`, after Saxena's prompt lookup decoding.

    Searches the prompt for the last three tokens so far, then for the last two, then for the last. The draft is what
    followed where they stood last, up to the prompt's end and a number of tokens.
    """
    prompt = tuple(prompt)
    behind = {prompt[end - length : end]: end for length in range(1, LONGEST + 1) for end in range(length, len(prompt))}

    def draft(call_tokens: Sequence[int], count: int) -> tuple[int, ...]:
        so_far = (*prompt[-LONGEST:], *call_tokens)[-LONGEST:]
        suffixes = (so_far[start:] for start in range(len(so_far)))
        end = next((behind[suffix] for suffix in suffixes if suffix in behind), len(prompt))
        return prompt[end : end + count]

    return draft
