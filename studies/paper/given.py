"""The printed numbers that predictions are made of: costs of a phone's protocol cores, and which calls are priced."""

ONEPLUS_COSTS = ("Table 2", "Table 10's core set", "Table 8's constrained decoding")
LAYOUT = ("Table 8's passes and tokens, in which each call is laid out",)
CALLS = (
    "Table 5's 44.3 passes of constrained decoding, by which calls are drawn",
    "section 7.4's shares of calls with an optional argument",
    *LAYOUT,
)
"""Of everything that is made of a draw's calls."""

ONEPLUS_CALLS = (*ONEPLUS_COSTS, *CALLS)
"""Of a draw's calls on the OnePlus 12R."""

LAID_OUT = "Calls are laid out in passes as the one that Table 8 prints."
