"""Drafts from the user's words: values are often copied from the request."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.call_text import SoFar, read_so_far
from engine.constraint import Constraint
from engine.drafts import NOTHING, Expected
from engine.formats import CallFormat
from engine.spelling import call_parts, tokens_behind
from engine.tools import Tool
from engine.vocabulary import Vocabulary

_SHORTEST = re.compile("..", re.DOTALL)
"""What of a string has to be there before the request is searched for it."""

_SHORTEST_BARE = re.compile(r"-?\d")
"""The same of a value without marks, mostly a number."""

_ENDS = re.compile(r'["\\\n<>{}]')
"""What a copied text does not go over: it would need an escape, or may be a marker."""


_NO_WORD = re.compile(r"\W")


_OWN_WORD = 0.93
"""How often a token is right within the word that has begun (answers of 100 BFCL-v4 calls, Qwen2.5 tokens)."""

_NEXT_WORDS = 0.7
"""How often the next one is in the words behind it."""


@dataclass(frozen=True, slots=True)
class WordDrafts:
    """Expects that the value that is open goes on as the same words do in `said`."""

    tool: Tool
    call_format: CallFormat
    vocabulary: Vocabulary
    said: str

    def __call__(self, call_tokens: Sequence[int], constraint: Constraint) -> Expected:
        """The tokens of the words that follow, up to the first that a value could not have as it is."""
        written = tuple(call_tokens)
        so_far = read_so_far(self.vocabulary.decode(written).decode(errors="ignore"), self.tool, self.call_format)
        following = self._following(so_far.open_text) if self.said else ""
        if so_far.open_name is None or not following:
            return NOTHING
        name, word = so_far.open_name, _NO_WORD.split(following, maxsplit=1)[0]
        own_word = self._spell(written, so_far, name, word)
        # The last token of a text that goes on may be cut short; that of a whole word is not.
        words = max(own_word, self._spell(written, so_far, name, following)[:-1], key=len)
        return Expected(words, (*(_OWN_WORD,) * len(own_word), *(_NEXT_WORDS,) * (len(words) - len(own_word))))

    def _spell(self, written: tuple[int, ...], so_far: SoFar, name: str, following: str) -> tuple[int, ...]:
        """The tokens behind those `written` up to the end of `following` behind the value; none if spelled apart."""
        values = {**so_far.finished, name: so_far.open_text + following}
        return tokens_behind(written, call_parts(self.call_format, self.tool.name, values)[:-1], self.vocabulary)

    def _following(self, value: str) -> str:
        """What stands in the request behind the place where it has the text of `value`, as a word's start."""
        notation = self.call_format.notation
        mark = "" if notation.bare_strings else notation.string_mark
        text = value.removeprefix(mark)
        shortest = _SHORTEST if value.startswith(mark) else _SHORTEST_BARE
        if not shortest.match(text) or _ENDS.search(text):
            return ""
        found = re.search(rf"(?<!\w){re.escape(text)}", self.said)
        ends = _ENDS if value.startswith(mark) else _NO_WORD
        return ends.split(self.said[found.end() :], maxsplit=1)[0] if found else ""
