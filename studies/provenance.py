"""What a run runs on, as profiles keep it."""

import platform
from datetime import date

from cost_models import Provenance
from engine.llamacpp import BackendOptions, Model, engine_version, system_info
from engine.machine import processor_name


def provenance_of(model: Model, options: BackendOptions) -> Provenance:
    """The provenance of runs of `model` in a context opened by `options`, on this machine, today."""
    return Provenance(
        model_file_name=model.name,
        model_sha256=model.sha256(),
        model_bytes=model.path.stat().st_size,
        engine=engine_version(),
        engine_build=system_info(),
        threads=options.thread_count,
        cpu=processor_name(),
        os=platform.platform(terse=True),
        date=date.today().isoformat(),
        n_ctx=options.context_tokens,
        context_flags=(
            f"kv_unified n_seq_max={options.max_sequences} n_ubatch={options.max_rows} "
            f"flash_attn={int(options.flash_attention)}"
        ),
        extra_buffers=model.extra_buffers is not False,
    )
