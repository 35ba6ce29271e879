"""All that the user's words and the tool's schemas let expect of a call."""

from engine.drafts import Drafter, first_draft
from engine.request import Request
from engine.tools import Tool
from engine.value_guesses import ValueGuesses
from engine.word_drafts import WordDrafts


def request_drafts(request: Request, tool: Tool) -> Drafter:
    """Expects that a value goes on as the user's words do, or, where it starts, what it is likely to be as a whole."""
    call_format, vocabulary = request.toolset.call_format, request.toolset.vocabulary
    return first_draft(
        WordDrafts(tool, call_format, vocabulary, request.said),
        ValueGuesses(tool, call_format, vocabulary, request.said),
    )
