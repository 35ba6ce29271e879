"""What-ifs over grids: devices and their conditions, schedules, and the shapes of calls.

`axes` says what can vary and reads its values, `point` is one place of the grid, `passes` has the passes to be priced
there (`kept_passes` out of a file, `run_passes` by running the schedules, on calls that `made_call` makes), `prices`
gives their latencies with error bars. `outcome` is what comes out: `frame`, `table` and `page` show it. The questions
of `break-even` are in `padding`, `side_by_side` and `slow_bus`.
"""
