"""What a forward pass costs on a device.

Start here: `protocol` says what every cost model answers; `table` is the one that devices get, on the curves
in `row_curve` and `pick_curve`; `profile` is a device's table as a file, with its `provenance` and
`fit_summary`; `phones` holds profiles by name; `affine` is the simple one. `files` writes files whole,
`json_node` reads JSON with precise complaints. This package knows plain numbers only and imports no other
package of the project.
"""

from cost_models.affine import AffineCost
from cost_models.errors import CostModelError
from cost_models.files import write_whole
from cost_models.fit_summary import ErrorSummary, FitSummary
from cost_models.profile import Profile, read_profile, write_profile
from cost_models.protocol import CostModel
from cost_models.provenance import Provenance, mismatches
from cost_models.table import MeasuredTable

__all__ = [
    "AffineCost",
    "CostModel",
    "CostModelError",
    "ErrorSummary",
    "FitSummary",
    "MeasuredTable",
    "Profile",
    "Provenance",
    "mismatches",
    "read_profile",
    "write_profile",
    "write_whole",
]
