"""A value inside a JSON document that knows where it is, so that complaints can say so."""

import json
import math
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import ParamSpec, TypeVar

from cost_models.errors import CostModelError

P = ParamSpec("P")
T = TypeVar("T")

LONGEST_SHOWN = 60


@dataclass(frozen=True, slots=True)
class JsonNode:
    """`value` as found at `path` (`$` is the document) of `source`, a file's name.

    Each reader returns the value with its type checked, or raises CostModelError naming source, path, value
    and what would have been valid.
    """

    value: object
    source: str
    path: str = "$"

    def fields(self, *names: str, optional: Collection[str] = ()) -> dict[str, "JsonNode"]:
        """The members of an object that must have exactly these names.

        Those among them that are `optional` may lack, as in files older than they are, and are null then.
        """
        if not isinstance(self.value, dict):
            raise self.wrong(f"an object with {', '.join(names)}")
        missing = [name for name in names if name not in self.value and name not in optional]
        unknown = [name for name in self.value if name not in names]
        if missing or unknown:
            raise self._wrong_names(missing, unknown, names)
        return {name: JsonNode(self.value.get(name), self.source, f"{self.path}.{name}") for name in names}

    def members(self) -> dict[str, "JsonNode"]:
        """The members of an object that may have any names."""
        if not isinstance(self.value, dict):
            raise self.wrong("an object")
        return {name: JsonNode(value, self.source, f"{self.path}.{name}") for name, value in self.value.items()}

    def items(self) -> tuple["JsonNode", ...]:
        """The elements of an array."""
        if not isinstance(self.value, list | tuple):
            raise self.wrong("an array")
        return tuple(JsonNode(item, self.source, f"{self.path}[{i}]") for i, item in enumerate(self.value))

    def text(self) -> str:
        if not isinstance(self.value, str):
            raise self.wrong("a string")
        return self.value

    def truth(self) -> bool:
        if not isinstance(self.value, bool):
            raise self.wrong("true or false")
        return self.value

    def whole(self) -> int:
        """A whole number."""
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            raise self.wrong("a whole number")
        return self.value

    def number(self) -> float:
        """A finite number."""
        if not isinstance(self.value, int | float) or isinstance(self.value, bool) or not _is_finite(self.value):
            raise self.wrong("a finite number")
        return float(self.value)

    def wholes(self) -> tuple[int, ...]:
        return tuple(item.whole() for item in self.items())

    def numbers(self) -> tuple[float, ...]:
        return tuple(item.number() for item in self.items())

    def exactly(self, expected: str) -> None:
        """Demand the string `expected`."""
        if self.value != expected:
            raise self.wrong(json.dumps(expected))

    def wrong(self, expected: str) -> CostModelError:
        """The error for a value that should have been `expected`."""
        return CostModelError(f"{self.source}: {self.path}: found {_shown(self.value)}, expected {expected}")

    def built(self, make: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What `make` returns; its CostModelError, which starts with a field's name, gets this place."""
        try:
            return make(*args, **kwargs)
        except CostModelError as error:
            raise CostModelError(f"{self.source}: {self.path}.{error}") from error

    def _wrong_names(self, missing: list[str], unknown: list[str], valid: tuple[str, ...]) -> CostModelError:
        problems = [
            f"{word} {', '.join(names)}" for word, names in (("lacks", missing), ("has unknown", unknown)) if names
        ]
        return CostModelError(f"{self.source}: {self.path}: {' and '.join(problems)}; valid names: {', '.join(valid)}")


def read_json(path: Path) -> JsonNode:
    """The document in the file at `path`.

    Raises CostModelError, naming the file, where it cannot be read or is no JSON.
    """
    try:
        return JsonNode(json.loads(path.read_bytes()), str(path))
    except OSError as error:
        raise CostModelError(f"{path}: cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise CostModelError(f"{path}: is no JSON: {error}") from error


def json_text(data: object) -> str:
    """`data` as a JSON file's text, equal for equal data; raises ValueError on NaN and infinities."""
    return json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _is_finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number beyond what a float holds
        return False


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=repr)
    return text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "..."
