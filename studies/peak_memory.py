"""Peak memory of one schedule over some calls, in a process of its own: `python -m studies.peak_memory NAME ...`."""

import json
import resource
import subprocess
import sys
from pathlib import Path

from cost_models import read_profile
from engine.errors import EngineCrashError, EngineError
from engine.llamacpp import BackendOptions, load_model, open_decoder
from engine.machine import signal_text
from studies.measured_runs import RunPlan, run_workload
from studies.runs_file import RunsHeader
from studies.workloads import load_workload

CALLS = 2
"""How many of the workload's calls a process decodes: the context is as large as it gets before the first."""

DEFAULT_CALL_TOKENS = 256
"""The longest call where the runs do not say."""

# ru_maxrss counts kilobytes on Linux and bytes on macOS.
_RSS_UNIT_BYTES = 1 if sys.platform == "darwin" else 1024


def peak_memory_bytes(schedule: str, model: Path, header: RunsHeader, profile: Path | None = None) -> int:
    """The peak resident memory of a fresh process that decodes the first calls of a workload by `schedule` once.

    `header` names the workload, the call format, and the context's size and threads; `profile` is the file of prices.
    """
    at, planned = header.provenance, header.planned
    longest = planned.max_call_tokens if planned else DEFAULT_CALL_TOKENS
    context = (str(at.n_ctx), str(at.threads), str(longest))
    of_runs = (header.workload, str(header.seed), header.call_format, *context)
    command = [sys.executable, "-m", "studies.peak_memory", schedule, str(model), *of_runs]
    command += [str(profile)] if profile else []
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode < 0:
        raise EngineCrashError(f"the process that measures {schedule}'s memory died of {signal_text(-done.returncode)}")
    if done.returncode > 0:
        last_line = done.stderr.strip().rpartition("\n")[2]
        raise EngineError(f"the process that measures {schedule}'s memory failed: {last_line}")
    return int(json.loads(done.stdout)["peak_bytes"])


def _measure_here(
    schedule: str,
    model: str,
    workload: str,
    seed: str,
    call_format: str,
    context_tokens: str,
    threads: str,
    max_call_tokens: str,
    profile: str = "",
) -> int:
    options = BackendOptions(context_tokens=int(context_tokens), threads=int(threads))
    decoder = open_decoder(load_model(model), options, call_format)
    prices = read_profile(Path(profile)).table if profile else None
    tile_rows = prices.tile_rows if prices else 1
    plan = RunPlan((schedule,), 1, tile_rows, 0.0, int(max_call_tokens), prices)
    for _ in run_workload(decoder, load_workload(workload, int(seed))[:CALLS], plan):
        pass
    decoder.close()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _RSS_UNIT_BYTES


if __name__ == "__main__":
    sys.stdout.write(json.dumps({"peak_bytes": _measure_here(*sys.argv[1:])}))
