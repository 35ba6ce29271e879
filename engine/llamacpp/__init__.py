"""The decoder's backend on llama.cpp: `load_model`, then `open_decoder`. The only place that imports `llama_cpp`.

Start with `backend.py`, the passes; `decoder.py` turns a conversation into a request, `model.py` loads a GGUF,
`probe.py` tells how weights can be loaded on this machine and `trial.py` is its child process, `vocabulary.py` reads a
model's tokens, `batch.py` lays rows out for `llama_decode`, `return_codes.py` turns its codes into errors,
`held_tokens.py` knows what sequences hold, `row_logits.py` shows studies the logits that no schedule sees.
"""

from engine.llamacpp.backend import MAX_SEQUENCES, BackendOptions, LlamaBackend, open_backend
from engine.llamacpp.decoder import Decoder, Preparer, make_preparer, open_decoder
from engine.llamacpp.model import Model, check_model_file, engine_version, load_model, system_info
from engine.llamacpp.probe import Death, Probe, probe_engine
from engine.llamacpp.row_logits import logits_along

__all__ = [
    "MAX_SEQUENCES",
    "BackendOptions",
    "Death",
    "Decoder",
    "LlamaBackend",
    "Model",
    "Preparer",
    "Probe",
    "check_model_file",
    "engine_version",
    "load_model",
    "logits_along",
    "make_preparer",
    "open_backend",
    "open_decoder",
    "probe_engine",
    "system_info",
]
