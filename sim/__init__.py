"""Decoding without a model, on a predicted clock.

Start with `world`, the engine's driver as a simpy process. `backend` keeps llama.cpp's rules for memory (`memory`) and
asks a writer what the model would pick: `oracle` knows the call, `replay` a recorded run, `random_writer` has whims;
`head` drafts for a model at a stated rate and price.
`bfcl` and `droidcall` are datasets as workloads (`workload`); `bfcl_answers` and `droidcall_answers` have their rules
of what a right call is; `bfcl_single_turn` has all samples that the paper counts.
`pass_table` keeps the passes of many runs as arrays, which `pass_prices` prices for any device at once; `pass_file` is
such a table on disk, and `pass_data` those that come with the project.
"""
