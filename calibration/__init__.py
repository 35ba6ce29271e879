"""Measuring what passes cost on this device, and fitting a profile to it.

Start here: `plan` says which passes are timed, `measure` times them, `measurement` is what comes out, also
as a file. That half runs on a phone, and is what this module offers. The other half runs on a laptop, needs
scipy and is imported by name: `calibration.fit` makes a cost table of a measurement (`summary` takes
medians, `tile` looks for the saw-tooth), `calibration.fit_report` says how good it is and makes the profile.
`calibration.from_paper` makes profiles of phones that a paper printed numbers of.

For what-ifs, also on a laptop: `calibration.chip` finds a chip's bandwidth and rates in timed passes, and how far off
they may be; `calibration.bus` finds what of a pass waits for the memory bus, `calibration.power` what cores and memory
draw, `calibration.gguf_shape` a model's shape in its file. `chips_from_paper`, `bus_from_paper` and `power_from_paper`
do so for the paper's phones, and `devices_from_paper` writes device files of it all.
"""

from calibration.measure import Progress, measure
from calibration.measurement import Measurement, Sample, join, read_measurement, write_measurement
from calibration.plan import Cell, Level, Plan, default_plan

__all__ = [
    "Cell",
    "Level",
    "Measurement",
    "Plan",
    "Progress",
    "Sample",
    "default_plan",
    "join",
    "measure",
    "read_measurement",
    "write_measurement",
]
