"""What a forward pass costs on a device.

Start here: `protocol` says what every cost model answers; `table` is the one that devices get, on the curves
in `row_curve` and `pick_curve`; `profile` is a device's table as a file, with its `provenance` and
`fit_summary`; `phones` holds profiles by name; `affine` is the simple one.

A `device` holds all that is known of one, `devices` holds them by name: ask it what passes cost under `conditions`,
and for the `interval` of `passes`. Its figures carry their sources (`figure`) and what their fit leaves open
(`fit_errors`).

For conditions that nobody measured: `model_shape` (with `models` by name and `quantisation`) and `chip` make a
`roofline`, which gives each term of the cost by itself and can be taken to another bus, bandwidth, clock, number of
cores, model or quantisation; `rescaled` takes measured costs there, `bus_scaled` splits them into what goes with the
memory bus and what does not. What had to be assumed comes back with the model (`scaled`). `energy` and `peak_memory`
stand beside time.

`files` writes files whole, `json_node` reads JSON with precise complaints. This package knows plain numbers only and
imports no other package of the project.
"""

from cost_models.affine import AffineCost
from cost_models.bus_scaled import BusScaled
from cost_models.chip import Chip
from cost_models.conditions import Conditions
from cost_models.device import Device
from cost_models.energy import Power, pass_energy
from cost_models.errors import CostModelError
from cost_models.files import write_whole
from cost_models.fit_summary import ErrorSummary, FitSummary
from cost_models.interval import Interval
from cost_models.model_shape import ModelShape
from cost_models.passes import Passes
from cost_models.peak_memory import peak_memory
from cost_models.profile import Profile, read_profile, write_profile
from cost_models.protocol import CostModel
from cost_models.provenance import Provenance, mismatches
from cost_models.rescaled import Rescaled
from cost_models.roofline import Roofline
from cost_models.scaled import Scaled
from cost_models.table import MeasuredTable

__all__ = [
    "AffineCost",
    "BusScaled",
    "Chip",
    "Conditions",
    "CostModel",
    "CostModelError",
    "Device",
    "ErrorSummary",
    "FitSummary",
    "Interval",
    "MeasuredTable",
    "ModelShape",
    "Passes",
    "Power",
    "Profile",
    "Provenance",
    "Rescaled",
    "Roofline",
    "Scaled",
    "mismatches",
    "pass_energy",
    "peak_memory",
    "read_profile",
    "write_profile",
    "write_whole",
]
