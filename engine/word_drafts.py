"""Drafts from the user's words: values are often copied from the request."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.call_text import read_so_far
from engine.formats import CallFormat
from engine.spelling import call_parts, own_tokens
from engine.tools import Tool
from engine.vocabulary import Vocabulary

_SHORTEST = 2
"""Characters of a value that have to be there before the request is searched for them."""

_ENDS = re.compile(r'["\\\n<>{}]')
"""What a copied text does not go over: it would need an escape, or may be a marker."""


_NO_WORD = re.compile(r"\W")


@dataclass(frozen=True, slots=True)
class WordDrafts:
    """Expects that the value that is open goes on as the same words do in `said`, or with `one_word` as that word does.

    Of the first drafted tokens 79 in 100 are right, and 70 of those behind a right one; with `one_word` 93 (the answers
    of 100 BFCL-v4 calls in Qwen2.5's tokens).
    """

    tool: Tool
    call_format: CallFormat
    vocabulary: Vocabulary
    said: str
    one_word: bool = False

    def __call__(self, call_tokens: Sequence[int], free_rows: int) -> tuple[int, ...]:
        """At most `free_rows` tokens of the words that follow."""
        if free_rows < 1 or not self.said:
            return ()
        written = tuple(call_tokens)
        so_far = read_so_far(self.vocabulary.decode(written).decode(errors="ignore"), self.tool, self.call_format)
        following = self._following(so_far.open_text)
        if so_far.open_name is None or not following:
            return ()
        values = {**so_far.finished, so_far.open_name: so_far.open_text + following}
        spelled = own_tokens(call_parts(self.call_format, self.tool.name, values)[:-1], self.vocabulary)
        # The last token of a text that goes on may be cut short; that of a whole word is not.
        end = len(spelled) if self.one_word else len(spelled) - 1
        return spelled[len(written) : end][:free_rows] if spelled[: len(written)] == written else ()

    def _following(self, value: str) -> str:
        """What stands in the request behind the place where it has the text of `value`, as a word's start."""
        notation = self.call_format.notation
        mark = "" if notation.bare_strings else notation.string_mark
        text = value.removeprefix(mark)
        if not value.startswith(mark) or len(text) < _SHORTEST or _ENDS.search(text):
            return ""
        found = re.search(rf"(?<!\w){re.escape(text)}", self.said)
        if not found:
            return ""
        rest = _ENDS.split(self.said[found.end() :], maxsplit=1)[0]
        return _NO_WORD.split(rest, maxsplit=1)[0] if self.one_word else rest
