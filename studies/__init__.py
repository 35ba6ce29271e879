"""The command line and what stands behind it.

Start with `cli`, then `commands`, one module each. `measuring`, `fitting`, `measured_runs` and `simulated_runs` are
the stages, `comparison` lays runs side by side, `tables`, `charts`, `timeline` and `report` show it, `writing` leaves
it in a folder.
"""
