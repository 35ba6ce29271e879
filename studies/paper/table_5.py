"""Table 5: latency and passes of BFCL calls by seven models, on both phones."""

import math
from collections.abc import Iterator, Sequence

from cost_models.conditions import Conditions
from cost_models.models import read_model
from studies.paper.cell_chart import CAPTION, cell_chart
from studies.paper.draft_schemes import (
    ASSUMED,
    dflash_2_ms,
    dflash_2_passes,
    eagle_3_ms,
    has_head_passes,
    head_checks,
)
from studies.paper.estimate import Estimate, geometric_means, means, over_draws
from studies.paper.exhibit import Cell, Exhibit, Role
from studies.paper.given import CALLS, LAID_OUT
from studies.paper.printed import printed
from studies.paper.setting import BASE_MODEL, ONEPLUS, PHONES, PIXEL, Setting
from studies.report import Figure

EAGLE, DFLASH = "eagle_3", "dflash_2"
SCHEMES = ("unconstrained", "constrained", "jump_forward", EAGLE, DFLASH, "schemaweaver")
PASSES = "passes"
FOUR_BIT = "Qwen3-1.7B-Q4_0"

NOTE = (
    "Each schedule ran over the accepted calls of BFCL with the model's vocabulary and call format. The passes that "
    "it made are priced with the phone, scaled to the model by a roofline; the geometric mean is over a hundred calls "
    "that are drawn evenly over their number of arguments. Models of one family write the same calls here, so that "
    "their passes are the same, whereas the paper's models each write their own. "
    f"{LAID_OUT}"
)
GIVEN = (
    "Tables 2 and 10 for Qwen3-1.7B-Q8_0",
    "Table 8's constrained decoding (OnePlus 12R)",
    "section 7.3's passes at both ends of the bus (Pixel 7)",
    "section 7.2's step with 4-bit weights (OnePlus 12R)",
    "section 7.1's cost of a prompt token with EAGLE-3's head, and DFlash-2's accepted tokens",
    "Table 5's passes of EAGLE-3 with Qwen3-1.7B-Q8_0, from which the head's acceptance rate follows",
    *CALLS,
)
SWAPS = "The model does not fit the phone's memory and is swapped (section 7.2), which is not modelled."
JUMP_FORWARD = (
    "The paper contradicts itself: section 7.1 has 1.82 and Table 7 1,421 ms on the OnePlus 12R, sections 7.3 and 7.7 "
    "have 1.85 on the Pixel 7."
)
DRAFTS = "The head's depth and precision, and how much of the prompt it reads, are not printed."
OTHER_HEAD = "The passes are made with one acceptance rate; each model's head has its own."
STEP_GIVEN = "Its serial step was given, as 13 % faster than the 8-bit model's (section 7.2)."
NO_HEAD = "No passes with a draft head were made in this model's vocabulary."


def table_5(setting: Setting) -> Exhibit:
    """Latencies to tool start (the paper's: to the last token for the baselines), and passes."""
    cells = (*latency_cells(setting), *passes_cells(setting))
    return Exhibit(
        key="table-5",
        title="Table 5: latency and passes by model",
        note=NOTE,
        given=GIVEN,
        cells=cells,
        assumed=(*_scaling(setting), *ASSUMED),
        figures=tuple(_figure(cells, kind) for kind in (*PHONES, PASSES)),
    )


def models() -> tuple[str, ...]:
    """The table's models, in its order."""
    return tuple(item.text() for item in printed("models").items())


def latency_role(device: str, model: str, scheme: str) -> tuple[Role, str]:
    """What the printed latency is to ours, and why where it is left out of the errors."""
    if (device, model) == (PIXEL, "Qwen3-4B"):
        return "open", SWAPS
    if (device, model, scheme) == (ONEPLUS, FOUR_BIT, "constrained"):
        return "given", STEP_GIVEN
    if scheme in (EAGLE, DFLASH):
        return "open", DRAFTS if has_head_passes(model) or scheme == DFLASH else NO_HEAD
    if (model, scheme) == (BASE_MODEL, "jump_forward"):
        return "open", JUMP_FORWARD
    return "predicted", ""


def latency_cells(
    setting: Setting, schemes: Sequence[str] = SCHEMES, devices: Sequence[str] = PHONES
) -> Iterator[Cell]:
    """The latencies of `schemes` on `devices`, by all models."""
    for device in devices:
        for scheme in schemes:
            for model, ms in _printed_row("latency_ms", device, scheme):
                role, why = latency_role(device, model, scheme)
                yield Cell(
                    row=f"{scheme}, {device}",
                    column=model,
                    unit="ms",
                    printed=ms,
                    ours=_latency(setting, device, model, scheme),
                    role=role,
                    extrapolated=setting.is_extrapolated(device, model, _priced(scheme)),
                    why=why,
                )


def passes_cells(setting: Setting, schemes: Sequence[str] = SCHEMES) -> Iterator[Cell]:
    """The passes of `schemes`, by all models."""
    for scheme in schemes:
        for model, count in _printed_row(PASSES, scheme):
            role, why = _passes_role(model, scheme)
            ours = _passes(setting, model, scheme)
            yield Cell(row=scheme, column=model, unit=PASSES, printed=count, ours=ours, role=role, why=why)


def _printed_row(*path: str) -> Iterator[tuple[str, float]]:
    """Models with a number; the paper has none where there is no draft model, or not enough memory."""
    for model, node in zip(models(), printed("table_5", *path).items(), strict=True):
        if not (isinstance(node.value, float) and math.isnan(node.value)):
            yield model, node.number()


def _latency(setting: Setting, device: str, model: str, scheme: str) -> Estimate | None:
    if scheme == EAGLE and not has_head_passes(model):
        return None
    if scheme not in (EAGLE, DFLASH):
        return setting.tool_start(device, model, scheme)
    latency_ms = (eagle_3_ms if scheme == EAGLE else dflash_2_ms)(setting, device, model)
    return over_draws(geometric_means(latency_ms, setting.draws(model)))


def _passes(setting: Setting, model: str, scheme: str) -> Estimate | None:
    if scheme == EAGLE and not has_head_passes(model):
        return None
    if scheme == DFLASH:
        counts = dflash_2_passes(setting.passes(model, "constrained"))
    elif scheme == EAGLE:
        counts = head_checks(setting, model)
    else:
        table = setting.passes(model, scheme)
        counts = (table.final_passes - table.prompt_passes).astype(float)
    return over_draws(means(counts, setting.draws(model)))


def _passes_role(model: str, scheme: str) -> tuple[Role, str]:
    if scheme == EAGLE and not has_head_passes(model):
        return "open", NO_HEAD
    if scheme == EAGLE:
        return ("given", "") if model == BASE_MODEL else ("open", OTHER_HEAD)
    return ("given" if (model, scheme) == (BASE_MODEL, "constrained") else "predicted"), ""


def _priced(scheme: str) -> str:
    """The schedule whose passes tell whether the scheme's lie past what was measured."""
    return "constrained" if scheme in (EAGLE, DFLASH) else scheme


def _scaling(setting: Setting) -> tuple[str, ...]:
    """What taking the phones to the other models assumes, once each."""
    others = [Conditions(model=read_model(model)) for model in models() if model != BASE_MODEL]
    said = (
        sentence for device in PHONES for other in others for sentence in setting.device(device).cost(other).assumed
    )
    return tuple(dict.fromkeys(said))


def _figure(cells: tuple[Cell, ...], kind: str) -> Figure:
    shown = [cell for cell in cells if kind in (cell.unit, *cell.row.split(", "))]
    title = "forward passes of a call" if kind == PASSES else f"latency on the {kind} (ms)"
    return Figure(f"Table 5: {title}", cell_chart(shown, title), CAPTION)
