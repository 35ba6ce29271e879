"""What-ifs over grids: devices and their conditions, schedules, and the shapes of calls.

`axes` says what can vary and reads values, `point` is one place of the grid, `asked` what the command line asks for.
Passes come from `sources`: drawn ones (`drawn_passes`) out of a file (`kept_passes`), by default one of the model's
family (`passes_by_model`), or as the study of the paper has them (`paper_passes`), or of schedules that run now
(`run_passes`), on a workload or on calls made for it (`made_call`).
`prices` gives each point's `outcome`, with bounds (`priced`, `bounds`), energy (`mean_energy`) and memory (`misfits`);
`frame`, `outcome_table`, `outcome_chart` and `page` show outcomes.

`break-even` asks the same prices: `padding`, `side_by_side` and `slow_bus`, each with its answer in words beside it.
"""
