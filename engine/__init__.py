"""The decoder: from a conversation and tools to one tool call. Knows no clock.

Start with these: `commands` says what a schedule may ask for, `schedules` holds the schedules, `driver` runs one on a
backend (`backend`) and notes what happened (`records`). A `request` brings the prompt and a `toolset`, whose `tools`
(read from any of the `tool_forms`; `read_only` says which may run early) are written in a model family's format
(`formats`, `grammar`) and kept to by `constraint`. `trunk`, `branch` and `skeleton` are the sequences as schedules see
them. `llamacpp` is the real backend, and alone in importing llama.cpp; `chat` makes the prompt, `call_text` reads the
call back.
"""

import os

# llama.cpp's threads wait for each other some hundred times in a pass, and GNU OpenMP has them spin for milliseconds
# before they let go of their processor: beside another busy program a pass then takes a hundred times as long. This
# many turns last longer than the wait on a quiet machine. Read once, when llama.cpp is loaded.
if "OMP_WAIT_POLICY" not in os.environ:
    os.environ.setdefault("GOMP_SPINCOUNT", "3000")
