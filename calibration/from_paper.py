"""Profiles of phones that somebody else measured, from the few numbers that a paper prints of them.

`python -m calibration.from_paper` writes those in `cost_models.phones`. What the numbers leave open is settled by how
llama.cpp multiplies matrices on such a CPU (ggml-cpu, repack): whole tiles of rows at once, each row over by a product
of its own. A part of the output layer is larger than the caches, so a row over reads it from memory again.
"""

from pathlib import Path

from calibration.paper_numbers import PaperNumbers, PaperPhone, read_paper_numbers
from calibration.tile import remainder_ms
from cost_models import MeasuredTable, Profile, Provenance, write_profile
from cost_models import phones as phones_package
from cost_models.pick_curve import pick_curve_ms

NOTES = (
    "Derived from published numbers, not measured by this software. Given: the cost of a pass of 1 to 8 sequences, the "
    "prefill time per token, a serial pass in the engine. Derived: passes of more rows, on a line from 8 rows to a "
    "prompt; what lies between whole tiles, from the rows over in passes of up to 8; the host's time, as what a serial "
    "pass in the engine takes beyond the benchmark's. Assumed: steps and prompt of the benchmark had {context} and "
    "{prompt} tokens; a pick costs the output layer's {share:.0%} of a serial pass, a whole tile of picks that times "
    "the ratio of a four-sequence pass to a serial one; each row's attention reads its context from memory at the rate "
    "at which a serial pass reads the weights."
)

LARGEST_PICK_COUNT = 8
"""The widest pass of which every row was read."""


def phone_profile(numbers: PaperNumbers, phone: PaperPhone) -> Profile:
    """The profile of `phone`; it has no fit, and its provenance names the source."""
    provenance = Provenance(
        model_file_name=numbers.model.file_name,
        model_sha256="",
        model_bytes=0,
        engine=numbers.engine,
        engine_build=numbers.engine_build,
        threads=numbers.threads,
        cpu=phone.cpu,
        os=phone.os,
        date="",
        n_ctx=0,
        source=f"{numbers.paper}: {phone.sources}",
    )
    notes = NOTES.format(
        context=numbers.context_tokens, prompt=numbers.prompt_tokens, share=numbers.model.output_layer_share
    )
    return Profile(name=phone.name, provenance=provenance, table=phone_table(numbers, phone), notes=notes)


def phone_table(numbers: PaperNumbers, phone: PaperPhone) -> MeasuredTable:
    """What passes cost on `phone`, rounded to what the printed numbers can tell."""
    pick_ms = numbers.model.output_layer_share * phone.serial_ms
    pick_tile_ms = pick_ms * phone.four_sequence_ms / phone.serial_ms
    steps = sequence_steps_ms(phone)
    one_pick = [ms - pick_curve_ms(n, numbers.tile_rows, pick_ms, pick_tile_ms) for n, ms in steps.items()]
    prompt_ms = phone.prefill_ms_per_token * numbers.prompt_tokens
    return MeasuredTable(
        row_counts=(*steps, numbers.prompt_tokens),
        row_ms=tuple(round(ms, 2) for ms in (*one_pick, prompt_ms)),
        reference_tokens=numbers.context_tokens,
        context_range_tokens=(1, numbers.context_tokens),
        max_picks=LARGEST_PICK_COUNT,
        tile_rows=numbers.tile_rows,
        remainder_ms=round(remainder_ms(list(steps), one_pick, numbers.tile_rows), 2),
        pick_ms=round(pick_ms, 2),
        pick_tile_ms=round(pick_tile_ms, 2),
        row_context_ms=round(cache_token_ms(numbers, phone), 5),
        host_ms=round(host_ms(numbers, phone), 2),
    )


def sequence_steps_ms(phone: PaperPhone) -> dict[int, float]:
    """Milliseconds of a pass by its number of sequences; one and four are printed in milliseconds as well."""
    ratios = zip(phone.sequences, phone.relative_cost, strict=True)
    return {n: ratio * phone.serial_ms for n, ratio in ratios} | {1: phone.serial_ms, 4: phone.four_sequence_ms}


def cache_token_ms(numbers: PaperNumbers, phone: PaperPhone) -> float:
    """Milliseconds to read one token's keys and values, at the rate at which a serial pass reads the weights."""
    return cache_token_ms_at(numbers, phone.serial_ms)


def cache_token_ms_at(numbers: PaperNumbers, serial_ms: float) -> float:
    """As `cache_token_ms`, for a processor whose serial pass takes `serial_ms`."""
    return numbers.model.cache_bytes_per_token * serial_ms / numbers.model.weight_bytes


def host_ms(numbers: PaperNumbers, phone: PaperPhone) -> float:
    """Milliseconds that a serial pass takes in the engine beyond a benchmark's at the same context."""
    more_context = phone.in_engine_context_tokens - numbers.context_tokens
    return phone.serial_in_engine_ms - phone.serial_ms - more_context * cache_token_ms(numbers, phone)


def write_phones(folder: Path) -> None:
    """Write each phone's profile to `folder`."""
    numbers = read_paper_numbers()
    for phone in numbers.phones:
        write_profile(phone_profile(numbers, phone), folder / f"{phone.key}.json")


if __name__ == "__main__":
    write_phones(Path(phones_package.__file__).parent)
