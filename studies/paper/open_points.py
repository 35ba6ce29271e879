"""What the paper leaves open or contradicts itself in: every point, each with an experiment."""

from collections.abc import Callable

from studies.paper.open_attention import attention_of_rows
from studies.paper.open_calls import which_answers, which_calls, which_read_only
from studies.paper.open_droidcall import droidcall_start
from studies.paper.open_layout import which_layout
from studies.paper.open_memory import held_cells
from studies.paper.open_models import four_bit_unpacking, swapped_model
from studies.paper.open_optional import optional_in_skeleton
from studies.paper.open_point import OpenPoint
from studies.paper.open_prefills import short_prefills
from studies.paper.open_schemes import (
    eagle_3_prompt,
    gpu_speedup,
    introduction_against_section,
    jump_forward_latency,
)
from studies.paper.open_steps import output_share, pixel_host_time, prefill_drop, processors, write_back_cost
from studies.paper.setting import Setting

OPEN_POINTS: tuple[Callable[[Setting], OpenPoint], ...] = (
    which_calls,
    which_answers,
    which_read_only,
    which_layout,
    optional_in_skeleton,
    droidcall_start,
    short_prefills,
    jump_forward_latency,
    introduction_against_section,
    pixel_host_time,
    write_back_cost,
    prefill_drop,
    output_share,
    four_bit_unpacking,
    swapped_model,
    attention_of_rows,
    held_cells,
    eagle_3_prompt,
    gpu_speedup,
    processors,
)
"""Each is tried under a setting."""
