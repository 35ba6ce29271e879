"""Decoding without a model, on a predicted clock.

Start with `world`, the engine's driver as a simpy process. `backend` keeps llama.cpp's rules for memory (`memory`) and
asks a writer what the model would pick: `oracle` knows the call, `replay` a recorded run, `random_writer` has whims;
`head` drafts for a model at a stated rate and price.
`bfcl` and `droidcall` are datasets as workloads (`workload`); `bfcl_answers` and `droidcall_answers` have their rules
of what a right call is.
"""
