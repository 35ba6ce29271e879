"""Which passes a calibration times: a plan is data, and the default one fits a minute on a laptop."""

from dataclasses import dataclass

from engine.errors import InputError

DENSE_ROWS = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 24, 32)
NARROW_ROWS = DENSE_ROWS[:8]
"""Row counts that a sweep times twice: decoding spends most of its passes here, and they are cheap."""
WIDE_ROWS = (40, 48, 64, 96, 128)
SWITCH_ROWS = (48, 64)
"""Row counts timed at a second context, since llama.cpp's CPU attention changes its kernel at 64 rows."""
HELD_OUT_ROWS = (9, 11, 14, 18, 22, 28, 36, 56, 80)
READ_ROWS = (2, 4, 8, 16)
"""Row counts that are also timed with every row read, which is what the output layer's cost shows in."""
CHECK_ROWS = (1, 3, 4, 8, 16)
"""Fitted row counts that are timed again, with other picks, at the context that no fit sees."""

# llama.cpp rounds the memory that attention reads up to whole steps of 256 tokens. Halfway up a step, what is
# read too much at one context and too little at another evens out along a straight line.
LOW, REFERENCE, HELD_OUT, HIGH = 128, 640, 896, 1152
FIRST_FILL = 32
SMALLEST_CONTEXT = REFERENCE + DENSE_ROWS[-1]


@dataclass(frozen=True, slots=True)
class Cell:
    """One kind of pass to time; `held_out` ones are for checking a fit and never part of it.

    `context_tokens` counts what the pass's sequence holds after it, the pass's own rows among them, as
    `engine.commands.Pass` does. Raises InputError where no pass is like this.
    """

    rows: int
    picks: int
    context_tokens: int
    held_out: bool = False

    def __post_init__(self) -> None:
        if not (self.rows >= 1 and 0 <= self.picks <= self.rows <= self.context_tokens):
            raise InputError(f"{self}: expected rows >= 1, 0 <= picks <= rows, context_tokens >= rows")

    @property
    def start_tokens(self) -> int:
        """What the pass's sequence holds before it."""
        return self.context_tokens - self.rows


@dataclass(frozen=True, slots=True)
class Level:
    """Passes that lengthen the trunk, in order, and the passes to time once it has that length.

    The filling passes are timed too: they are the wide prefills, and come free. Raises InputError where
    `fill` has a gap or a cell does not start at the trunk's end.
    """

    fill: tuple[Cell, ...]
    cells: tuple[Cell, ...]

    def __post_init__(self) -> None:
        ends = [self.fill[0].start_tokens, *(cell.context_tokens for cell in self.fill)]
        starts = [cell.start_tokens for cell in self.fill]
        if starts != ends[:-1] or any(cell.start_tokens != ends[-1] for cell in self.cells):
            raise InputError(f"level up to {ends[-1]} tokens: its passes do not join")

    @property
    def start_tokens(self) -> int:
        return self.fill[0].start_tokens

    @property
    def trunk_tokens(self) -> int:
        """The trunk's length while the cells run."""
        return self.fill[-1].context_tokens


@dataclass(frozen=True, slots=True)
class Plan:
    """Levels of rising context; one sweep times each cell of each level as often as it is listed.

    Contexts rise within a sweep because attention pays for all memory in use, the longest sequence's
    included. Raises InputError where a level does not go on where the one before ended.
    """

    levels: tuple[Level, ...]

    def __post_init__(self) -> None:
        ends = [0, *(level.trunk_tokens for level in self.levels)]
        if [level.start_tokens for level in self.levels] != ends[:-1] or not self.levels:
            raise InputError("a plan's levels must start at an empty trunk and join")

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Every timed pass of a sweep."""
        return tuple(cell for level in self.levels for cell in (*level.fill, *level.cells))


def default_plan(n_ctx: int, max_rows: int = 256) -> Plan:
    """A plan for a context of `n_ctx` tokens and passes of at most `max_rows` rows.

    About 2,500 rows a sweep. Raises InputError where the context is too small to tell its cost from the
    rows', or passes are too narrow to find a saw-tooth.
    """
    if n_ctx < SMALLEST_CONTEXT or max_rows < DENSE_ROWS[-1]:
        raise InputError(
            f"calibration with n_ctx {n_ctx} and passes of {max_rows} rows: "
            f"needs n_ctx >= {SMALLEST_CONTEXT} and passes of >= {DENSE_ROWS[-1]} rows"
        )
    trunks = [trunk for trunk in (LOW, REFERENCE, HELD_OUT, HIGH) if trunk + DENSE_ROWS[-1] <= n_ctx]
    starts = [0, *trunks[:-1]]
    levels = (_level(start, trunk, n_ctx, max_rows) for start, trunk in zip(starts, trunks, strict=True))
    return Plan(tuple(levels))


def _level(start: int, trunk: int, n_ctx: int, max_rows: int) -> Level:
    cells = (_cell(rows, picks, trunk + rows) for rows, picks in _shapes(trunk))
    fitting = tuple(cell for cell in cells if cell.context_tokens <= n_ctx and cell.rows <= max_rows)
    return Level(_fill(start, trunk, max_rows), fitting)


def _shapes(trunk: int) -> list[tuple[int, int]]:
    """Rows and picks of the cells on a trunk; wide passes are dear, so few contexts have to do for them."""
    narrow = [(rows, 1) for rows in NARROW_ROWS] + [(rows, rows) for rows in READ_ROWS]
    if trunk == REFERENCE:
        unseen = [rows for rows in HELD_OUT_ROWS if rows <= DENSE_ROWS[-1]]
        return narrow + [(rows, 1) for rows in (*DENSE_ROWS, *WIDE_ROWS, *unseen)]
    if trunk == HELD_OUT:
        unseen_picks = [(rows, 2 + i % 2) for i, rows in enumerate(HELD_OUT_ROWS)]
        return unseen_picks + [(rows, min(rows, 1 + i % 3)) for i, rows in enumerate(CHECK_ROWS)]
    around_the_switch = [(rows, 1) for rows in SWITCH_ROWS if trunk == HIGH]
    return narrow + [(rows, 1) for rows in DENSE_ROWS if rows <= READ_ROWS[-1]] + around_the_switch


def _fill(start: int, trunk: int, max_rows: int) -> tuple[Cell, ...]:
    # The first pass is short so that short contexts are measured as well.
    ends = [FIRST_FILL] if start == 0 else []
    while (end := ends[-1] if ends else start) < trunk:
        ends.append(min(end + max_rows, trunk))
    starts = [start, *ends[:-1]]
    return tuple(_cell(end - begin, 1, end) for begin, end in zip(starts, ends, strict=True))


def _cell(rows: int, picks: int, context_tokens: int) -> Cell:
    held_out = rows in HELD_OUT_ROWS or context_tokens - rows == HELD_OUT
    return Cell(rows, picks, context_tokens, held_out)
