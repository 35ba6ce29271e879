"""A tool call as a value: its text, and its name and arguments with their types kept."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.numbers import is_at_digit_limit


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of one tool.

    `text` is the call as the model's format writes it. `arguments` is None where a limit cut the call: the text is then
    a fragment that nobody may run. `number_texts` keeps how the model wrote each top-level number (`5.0`, `1e3`).
    """

    name: str
    arguments: Mapping[str, Any] | None
    text: str
    number_texts: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_complete(self) -> bool:
        return self.arguments is not None

    @property
    def numbers_at_limit(self) -> tuple[str, ...]:
        """Names of the arguments whose number ends because no more digits were allowed: the model may have gone on."""
        return tuple(name for name, text in self.number_texts.items() if is_at_digit_limit(text))

    def same_call(self, other: "ToolCall") -> bool:
        """Whether both call the same tool with the same arguments, types included; fragments by their text."""
        if self.arguments is None or other.arguments is None:
            return self.arguments is other.arguments and (self.name, self.text) == (other.name, other.text)
        return (self.name, _canonical(self.arguments)) == (other.name, _canonical(other.arguments))


def _canonical(arguments: Mapping[str, Any]) -> str:
    return json.dumps(arguments, sort_keys=True, default=dict)
