"""A vocabulary's entries in order of their bytes."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence


class Entries:
    """The entries that spell text; `texts` holds one for each token, b"" for tokens that spell none."""

    def __init__(self, texts: Iterable[bytes]) -> None:
        ordered = sorted((text, token) for token, text in enumerate(texts) if text)
        self._texts = [text for text, _ in ordered]
        self._tokens = [token for _, token in ordered]
        self.longest_bytes = max(map(len, self._texts), default=0)

    def spelling(self, text: bytes) -> Sequence[int]:
        """The tokens whose bytes are `text`."""
        return self._tokens[bisect_left(self._texts, text) : bisect_right(self._texts, text)]

    def starting_with(self, text: bytes) -> Sequence[bytes]:
        """The entries that start with `text`."""
        return self._range(text, bisect_left(self._texts, text))

    def extending(self, text: bytes) -> Sequence[bytes]:
        """The entries that start with `text` and are longer."""
        return self._range(text, bisect_right(self._texts, text))

    def _range(self, text: bytes, start: int) -> Sequence[bytes]:
        if not (start < len(self._texts) and self._texts[start].startswith(text)):
            return []
        end = bisect_right(self._texts, text, start, key=lambda entry: entry[: len(text)])
        return self._texts[start:end]
