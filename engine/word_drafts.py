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


@dataclass(frozen=True, slots=True)
class WordDrafts:
    """Expects that the value that is open goes on as the same words do in `said`."""

    tool: Tool
    call_format: CallFormat
    vocabulary: Vocabulary
    said: str

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
        is_same = spelled[: len(written)] == written
        return spelled[len(written) : -1][:free_rows] if is_same else ()

    def _following(self, value: str) -> str:
        """What stands in the request behind the place where it has the text of `value`, as a word's start."""
        notation = self.call_format.notation
        mark = "" if notation.bare_strings else notation.string_mark
        text = value.removeprefix(mark)
        if not value.startswith(mark) or len(text) < _SHORTEST or _ENDS.search(text):
            return ""
        found = re.search(rf"(?<!\w){re.escape(text)}", self.said)
        return _ENDS.split(self.said[found.end() :], maxsplit=1)[0] if found else ""
