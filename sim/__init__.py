"""Decoding without a model, on a predicted clock.

Start with `world`, the engine's driver as a simpy process. `backend` keeps llama.cpp's rules for memory (`memory`) and
asks a writer what the model would pick: `oracle` knows the call, `replay` a recorded run, `random_writer` has whims.
`bfcl` is BFCL-v4 as a workload.
"""
