"""What a schedule is given: a prompt, the tools, and its limits."""

import sys
from dataclasses import dataclass, replace

from engine.capabilities import ATTENTION, Capabilities
from engine.errors import InputError
from engine.toolset import Toolset
from engine.widths import PricedWidths, Prices, TileWidths, Widths


@dataclass(frozen=True, slots=True)
class Request:
    """One call to decode.

    The first `reused_tokens` of the prompt are in the trunk's memory already. No sequence grows past `max_call_tokens`
    behind the prompt: a call that would is cut and comes back incomplete. Prompt passes have at most `max_rows` rows;
    passes that check a draft have no more either, and at most `max_picks` picks. Passes of the values are filled up to
    a multiple of `tile_rows`, the number of rows that the device computes at once; 1 means never. `capabilities` are
    those of the memory that the request runs in. `said` is what the user said, where values are looked up. The context
    has room for `max_branches` sequences beside the trunk, and for `max_cells` tokens in all sequences together, of
    which those that a fork shares count once; the prompt and `max_call_tokens` have to fit. `given_arguments` is what
    the schedule `arguments_given` needs. `draft_tokens` is how many the schedule `speculative` drafts at once;
    `draft_memory` is the memory of the draft model that does it, None where there is none. `prices` are those of the
    device, where they are known; widths of passes follow them if `prices_decide`.
    """

    prompt: tuple[int, ...]
    toolset: Toolset
    reused_tokens: int = 0
    max_call_tokens: int = 512
    max_rows: int = 512
    tile_rows: int = 4
    capabilities: Capabilities = ATTENTION
    said: str = ""
    max_branches: int = 250
    max_cells: int = sys.maxsize
    max_picks: int = 128
    prices: Prices | None = None
    prices_decide: bool = False
    given_arguments: tuple[str, ...] | None = None
    draft_tokens: int = 4
    draft_memory: Capabilities | None = None

    @property
    def widths(self) -> Widths:
        """How wide passes are to be: by `prices` where they decide, else whole tiles."""
        return PricedWidths(self.prices) if self.prices and self.prices_decide else TileWidths(self.tile_rows)

    def draft_room(self, call_tokens: int, waiting_tokens: int) -> int:
        """Tokens that a draft may have behind a call of `call_tokens`, in a pass with so many that wait anyway."""
        room = min(self.max_call_tokens - call_tokens - 1, self.max_rows - waiting_tokens, self.max_picks - 1)
        return max(0, room)

    def held(self) -> "Request":
        """This request with as much of its prompt in memory as can be: all but a last row that gives the first pick."""
        return replace(self, reused_tokens=len(self.prompt) - self.toolset.starts_with_pick)

    def __post_init__(self) -> None:
        if not 0 <= self.reused_tokens <= len(self.prompt):
            raise InputError(f"reused_tokens is {self.reused_tokens}, but the prompt has {len(self.prompt)} tokens")
        for name in ("max_call_tokens", "max_rows", "max_cells", "tile_rows", "draft_tokens"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} is {getattr(self, name)}; it has to be 1 or more")
