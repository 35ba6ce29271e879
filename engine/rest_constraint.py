"""What may come next in a call whose start is known as text."""

from collections.abc import Collection

from llguidance import LLMatcher

from engine.constraint import MARKER_START, Constraint, marker_bytes
from engine.vocabulary import Vocabulary


class RestConstraint(Constraint):
    """A call that starts with `known`, in which markers stand as `marker_bytes`, and goes on as `matcher` lets it.

    Nothing has to be compiled for the text, which is another in each call. `first_bytes` are those that what follows
    may begin with, as one byte each.
    """

    def __init__(
        self, known: bytes, matcher: LLMatcher, first_bytes: Collection[bytes], vocabulary: Vocabulary
    ) -> None:
        super().__init__(matcher, vocabulary)
        self._known = known
        self._first_bytes = first_bytes

    def take_over(self, other: Constraint) -> None:
        super().take_over(other)
        if isinstance(other, RestConstraint):
            self._known = other._known

    @property
    def is_finished(self) -> bool:
        return not self._known and super().is_finished

    def _forced_bytes(self) -> bytes:
        return self._known + super()._forced_bytes()

    def _takes(self, token: int) -> bool:
        if not self._known:
            return super()._takes(token)
        text = self._bytes_of(token)
        if text.startswith(self._known):
            return self._follows(text[len(self._known) :]) if text != self._known else True
        # A marker's first byte is an entry of its own in some vocabularies.
        return len(text) > 0 and self._known.startswith(text) and text != MARKER_START

    def _consume(self, token: int) -> bool:
        if not self._known:
            return super()._consume(token)
        if not self._takes(token):
            return False
        text = self._bytes_of(token)
        if behind := text[len(self._known) :]:
            self._matcher.consume_tokens(list(self._vocabulary.encode(behind)))
        self._known = self._known[len(text) :]
        return True

    def _forces_token(self) -> bool:
        return bool(self._known) or super()._forces_token()

    def _open_bytes(self, text: bytes) -> int:
        """As llguidance counts them: from the start of the token that the longest open end begins in."""
        behind = super()._forced_bytes()
        if not self._known or len(text) <= len(behind):
            return super()._open_bytes(text)
        own = len(text) - len(behind)
        first = max(0, len(text) - self._vocabulary.entries.longest_bytes + 1)
        start = next((start for start in range(first, own) if self._is_open(text[start:], own - start)), None)
        if start is None:
            return super()._open_bytes(behind) if behind else 0
        return len(text) - self._token_start(text, start)

    def _token_start(self, text: bytes, place: int) -> int:
        """Where the token of `text` starts that `place` lies in."""
        start = 0
        for token in self._vocabulary.encode(text):
            end = start + len(self._vocabulary.decode((token,)))
            if end > place:
                break
            start = end
        return start

    def _is_open(self, end: bytes, known_bytes: int) -> bool:
        """Whether an entry may extend `end`, which begins with `known_bytes` bytes of the known text."""
        return any(self._follows(entry[known_bytes:]) for entry in self._vocabulary.entries.extending(end))

    def _follows(self, text: bytes) -> bool:
        """Whether `text` may stand behind the known text."""
        if text[:1] not in self._first_bytes:
            return False
        tokens = list(self._vocabulary.encode(text))
        return self._matcher.validate_tokens(tokens) == len(tokens) and self._vocabulary.decode(tokens) == text

    def _bytes_of(self, token: int) -> bytes:
        return marker_bytes(token) if self._vocabulary.is_marker(token) else self._vocabulary.decode((token,))
