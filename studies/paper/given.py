"""The printed numbers that the costs of a phone's protocol cores are made of."""

ONEPLUS_COSTS = ("Table 2", "Table 10's core set", "Table 8's constrained decoding")
