"""The one error of this package."""


class CostModelError(ValueError):
    """No cost can be taken from a pass, a table or a file; says where, what was found and what is valid."""
