"""How what the paper leaves open is read: which calls it drew, what its model wrote, which tools were read-only."""

from dataclasses import dataclass

from studies.paper.layout import TABLE_8, Layout


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read it.

    `calls` are drawn `draws` times, evenly over the number of arguments (section 7); with `most_arguments`, calls of so
    many or more are one group, as Figure 12 takes four or more together. None: each number is a group of its own,
    although BFCL has a single call of more than seven.

    `optional_share` of the calls get an optional argument (section 7.4: 72 % of those with three arguments, about half
    of the others), which accepted answers may leave out; `three_optional_share` is that of three-argument calls. None:
    answers leave out all that may be left out.

    `all_read_only`: every tool may be called provisionally; else those whose names and descriptions tell so.
    `layout` is how the paper's implementation writes a call in passes and tokens, as Table 8 prints it of one.
    """

    most_arguments: int | None = 5
    optional_share: float | None = 0.50
    three_optional_share: float | None = 0.72
    all_read_only: bool = True
    layout: Layout = TABLE_8
    calls: int = 100
    draws: int = 200
    seed: int = 0
