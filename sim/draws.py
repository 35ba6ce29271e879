"""Which calls of a workload a study takes: drawn again and again, evenly over the number of arguments."""

import numpy as np

from engine.errors import InputError
from sim.distinct_passes import IntArray


def even_draws(arguments: IntArray, calls: int, draws: int, seed: int, most: int | None = None) -> IntArray:
    """The numbers of the calls in each draw, shape (draws, calls), given each call's `arguments`.

    Each draw takes one call in turn of those with 1, 2, 3 ... arguments until it has enough, as the paper draws its
    hundred (section 7: uniformly over the number of arguments), and none twice. With `most`, calls of so many
    arguments or more are one group. Calls without arguments are left out. Raises InputError where there are fewer.
    """
    grouped = arguments if most is None else np.minimum(arguments, most)
    available = int((grouped > 0).sum())
    if not 0 < calls <= available:
        raise InputError(f"{calls} calls were asked for; those with arguments are {available}")
    rng = np.random.default_rng(seed)
    return np.stack([_dealt(grouped, calls, rng) for _ in range(draws)])


def _dealt(groups: IntArray, calls: int, rng: np.random.Generator) -> IntArray:
    """One draw: each call gets its place within its shuffled group, and the lowest places come first."""
    shuffled = rng.permutation(len(groups))
    in_order = shuffled[np.argsort(groups[shuffled], kind="stable")]
    sizes = groups[in_order]
    places = np.arange(len(sizes)) - np.searchsorted(sizes, sizes)
    taken = in_order[sizes > 0][np.lexsort((sizes[sizes > 0], places[sizes > 0]))]
    return np.sort(taken[:calls])
