"""What the engine says of itself, in a process of its own: `python -m studies.machine.engine_report [MODEL]`.

One JSON object per line as soon as it is known, so that what was found before a death is there: the engine's build, the
model, the probe's result, and the times of passes of one row.
"""

import json
import sys
import time
from collections.abc import Iterator, Mapping
from typing import Any

from engine.commands import TRUNK, Pass, Phase, Row
from engine.errors import SchemaWeaverError
from engine.llamacpp import (
    BackendOptions,
    LlamaBackend,
    check_model_file,
    engine_version,
    load_model,
    open_backend,
    system_info,
)
from engine.llamacpp.probe import probe_anew
from studies.models import find_model

PASSES = 100
WARM_UP = 5
LEAST_PASSES = 10
BUDGET_S = 5.0
"""On a machine that is busy, fewer passes tell as much."""


def report(spec: str | None) -> Iterator[Mapping[str, Any]]:
    """The parts of the report; raises what `find_model` and `load_model` raise."""
    options = BackendOptions(context_tokens=512, max_sequences=2)
    yield {"engine": engine_version(), "build": system_info(), "threads": options.thread_count}
    path = check_model_file(find_model(spec))
    yield {"model": str(path), "model_bytes": path.stat().st_size}
    probed = probe_anew(path)
    yield {"extra_buffers": probed.extra_buffers, "death": probed.death and probed.death.signal}
    backend = open_backend(load_model(path, extra_buffers=probed.extra_buffers), options)
    yield {"pass_ms": _pass_times_ms(backend)}


def _pass_times_ms(backend: LlamaBackend) -> list[float]:
    """The times of passes of one row, the first few left out."""
    times_ms: list[float] = []
    end = time.perf_counter() + BUDGET_S
    for position in range(WARM_UP + PASSES):
        start = time.perf_counter()
        if start > end and position >= WARM_UP + LEAST_PASSES:
            break
        backend.run(Pass(Phase.PROMPT, (Row(0, position, (TRUNK,), pick=True),)))
        times_ms.append((time.perf_counter() - start) * 1e3)
    return times_ms[WARM_UP:]


if __name__ == "__main__":
    try:
        for part in report(sys.argv[1] if len(sys.argv) > 1 else None):
            print(json.dumps(part), flush=True)
    except SchemaWeaverError as error:
        print(json.dumps({"error": str(error)}), flush=True)
        sys.exit(1)
