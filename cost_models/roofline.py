"""A pass's cost from a model's shape and a chip's figures: what has to be read against what has to be multiplied."""

from dataclasses import dataclass, fields, replace
from math import inf
from typing import overload

import numpy as np

from cost_models.as_asked import as_asked
from cost_models.chip import Chip
from cost_models.chip_scaling import scaled_chip
from cost_models.conditions import CHIP_CONDITIONS, Conditions
from cost_models.measured_range import MeasuredRange
from cost_models.model_shape import ModelShape
from cost_models.pass_size import PassSize, pass_size
from cost_models.protocol import BoolArray, FloatArray, NumberArray, Numbers
from cost_models.quantisation import quantised
from cost_models.scaled import Scaled


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Breakdown:
    """Where a pass's time goes, in milliseconds; arrays of the passes' common shape.

    `traffic_ms` reads the layers' weights once, `tiles_ms` multiplies them with the whole tiles of rows and
    `remainder_ms` with the rows over; of these, `hidden_ms` goes on behind the rest. `output_ms` is the output layer's
    and grows with picks, `attention_ms` with rows and context. `host_ms` comes on top of the forward pass.
    """

    traffic_ms: FloatArray
    tiles_ms: FloatArray
    remainder_ms: FloatArray
    hidden_ms: FloatArray
    output_ms: FloatArray
    attention_ms: FloatArray
    host_ms: FloatArray

    @property
    def pass_ms(self) -> FloatArray:
        """The forward pass, without the host's time."""
        layers_ms = self.traffic_ms + self.tiles_ms + self.remainder_ms - self.hidden_ms
        return layers_ms + self.output_ms + self.attention_ms


@dataclass(frozen=True, slots=True, kw_only=True)
class Roofline:
    """`shape` run on `chip`, layer by layer as llama.cpp's CPU kernels do (ggml-cpu, repack).

    A part of a layer's matrix is multiplied with a whole tile of rows at a time, then with each row over by itself.
    The first such product reads that part from memory, and behind it goes on what `Chip.overlap` says; later ones find
    it in the caches and only multiply. So the cost is neither max(traffic, compute), by which a second row would be
    free until it is compute-bound (on the paper's phones it costs 0.6 to 0.75 of a serial pass), nor their sum, by
    which four rows would cost far more than the 1.1 to 1.2 serial passes that they do; `calibration.chips_from_paper`
    finds overlaps of 0.46 and 0.65. The output layer's parts are larger than caches, so that each product reads them
    again. One layer's keys and values are not: attention reads the context once, and multiplies it with each row.

    Laws: more rows are never cheaper among passes with the same number of whole tiles, nor among one row and whole
    tiles; only the row that completes a tile may make a pass cheaper (the saw-tooth). The same holds for picks. More
    context is never cheaper, nor are a slower bus, less bandwidth, a lower clock or fewer cores.

    `measured` says which passes the chip's figures come from; None: nothing of this was measured.
    """

    shape: ModelShape
    chip: Chip
    measured: MeasuredRange | None = None

    @property
    def host_ms(self) -> float:
        """Time per pass outside the forward pass, in milliseconds."""
        return self.chip.host_ms

    @overload
    def pass_ms(self, rows: float, picks: float, context_tokens: float) -> float: ...

    @overload
    def pass_ms(self, rows: NumberArray, picks: Numbers, context_tokens: Numbers) -> FloatArray: ...

    def pass_ms(self, rows: Numbers, picks: Numbers, context_tokens: Numbers) -> float | FloatArray:
        """Milliseconds of the pass; see CostModel."""
        cost = np.asarray(self._terms(pass_size(rows, picks, context_tokens)).pass_ms)
        return as_asked(cost)

    @overload
    def covers(self, rows: float, picks: float, context_tokens: float) -> bool: ...

    @overload
    def covers(self, rows: NumberArray, picks: Numbers, context_tokens: Numbers) -> BoolArray: ...

    def covers(self, rows: Numbers, picks: Numbers, context_tokens: Numbers) -> bool | BoolArray:
        """False outside `measured`, and everywhere once a figure was scaled."""
        size = pass_size(rows, picks, context_tokens)
        covered = np.zeros(_shape(size), dtype=np.bool_) if self.measured is None else self.measured.holds(size)
        return as_asked(covered)

    def breakdown(self, rows: Numbers, picks: Numbers, context_tokens: Numbers) -> Breakdown:
        """Each term of the cost by itself; raises CostModelError on what is no pass."""
        size = pass_size(rows, picks, context_tokens)
        terms = self._terms(size)
        arrays = {each.name: np.broadcast_to(getattr(terms, each.name), _shape(size)) for each in fields(terms)}
        return Breakdown(**arrays)

    def _terms(self, size: PassSize) -> Breakdown:
        """The terms, each in a shape that broadcasts to the passes': to make them alike takes longer than their sum."""
        tiles, over = np.divmod(size.rows, self.chip.tile_rows)
        traffic_ms = self._read_ms(self.shape.body_bytes)
        tile_ms, row_ms = self._product_ms(self.shape.body_weights, self.shape.body_bytes_per_weight)
        first_ms = np.where(tiles > 0, tile_ms, row_ms)
        return Breakdown(
            traffic_ms=np.asarray(traffic_ms),
            tiles_ms=np.asarray(tiles * tile_ms),
            remainder_ms=np.asarray(over * row_ms),
            hidden_ms=np.asarray(self.chip.overlap * np.minimum(traffic_ms, first_ms)),
            output_ms=self._output_ms(size.picks),
            attention_ms=self._attention_ms(size),
            host_ms=np.asarray(self.chip.host_ms),
        )

    def bytes_moved(self, rows: Numbers, picks: Numbers, context_tokens: Numbers) -> FloatArray:
        """Bytes between memory and processor: weights, keys and values read, keys and values written."""
        size = pass_size(rows, picks, context_tokens)
        tiles, over = np.divmod(size.picks, self.chip.tile_rows)
        weights = self.shape.body_bytes + (tiles + over) * self.shape.output_bytes
        cached = (size.context_tokens + size.rows) * self.shape.cache_bytes_per_token
        return np.asarray(np.broadcast_to(weights + cached, _shape(size)))

    def at(self, conditions: Conditions) -> "Scaled[Roofline]":
        """This roofline under other conditions, with what is assumed; then nothing of it counts as measured.

        Raises CostModelError where a condition scales one that the chip does not know.
        """
        chip = scaled_chip(self.chip, conditions)
        shape = _other_shape(self.shape, conditions, chip.model)
        assumed = (*chip.assumed, *shape.assumed)
        measured = None if assumed else self.measured
        return Scaled(Roofline(shape=shape.model, chip=chip.model, measured=measured), assumed)

    def differing(self, conditions: Conditions) -> Conditions:
        """Those of `conditions` that are not this roofline's own, None in place of the others."""
        own = {name: getattr(self.chip, name) for name in CHIP_CONDITIONS}
        same = {name: None for name, value in own.items() if getattr(conditions, name) == value}
        model = None if conditions.model == self.shape else conditions.model
        quantisation = conditions.quantisation
        if quantisation is not None and quantised(model or self.shape, quantisation) == (model or self.shape):
            quantisation = None
        return replace(conditions, **same, model=model, quantisation=quantisation)

    def _output_ms(self, picks: FloatArray) -> FloatArray:
        read_ms = self._read_ms(self.shape.output_bytes)
        tile_ms, row_ms = (
            _overlapped(read_ms, each, self.chip.overlap)
            for each in self._product_ms(self.shape.output_weights, self.shape.output_bytes_per_weight)
        )
        tiles, over = np.divmod(picks, self.chip.tile_rows)
        return np.asarray(tiles * tile_ms + over * row_ms)

    def _attention_ms(self, size: PassSize) -> FloatArray:
        read_ms = size.context_tokens * self._read_ms(self.shape.cache_bytes_per_token)
        multiply_adds = attended_tokens(size) * self.shape.multiply_adds_per_row_and_token
        return np.asarray(read_ms + multiply_adds / (self.chip.attention_gmac_s * 1e6))

    def _read_ms(self, size_bytes: float) -> float:
        return size_bytes / (self.chip.bandwidth_gb_s * 1e6)

    def _product_ms(self, weights: int, bytes_per_weight: float) -> tuple[float, float]:
        """Milliseconds of a matrix with so many weights times a whole tile of rows, and times a single row."""
        chip = self.chip
        unpack_ms = weights / (chip.unpack_gweights_s * 1e6) if bytes_per_weight < 1 else 0.0
        tile_ms = chip.tile_rows * weights / (chip.gemm_gmac_s * 1e6)
        return tile_ms + unpack_ms, weights / (chip.gemv_gmac_s * 1e6) + unpack_ms


def attended_tokens(size: PassSize) -> FloatArray:
    """Context tokens that the rows of a pass attend to, summed over rows.

    Rows of one sequence stand one behind the other, so that the first of n sees n - 1 tokens less than the last, which
    sees all; none sees less than itself. Rows of sequences side by side see at most so many more as there are rows.
    """
    mean_tokens = np.maximum(size.context_tokens - (size.rows - 1) / 2, (size.context_tokens + 1) / 2)
    return np.asarray(size.rows * mean_tokens)


def _shape(size: PassSize) -> tuple[int, ...]:
    return np.broadcast_shapes(size.rows.shape, size.picks.shape, size.context_tokens.shape)


def _overlapped(traffic_ms: float, compute_ms: float, overlap: float) -> float:
    return traffic_ms + compute_ms - overlap * min(traffic_ms, compute_ms)


def _other_shape(shape: ModelShape, conditions: Conditions, chip: Chip) -> Scaled[ModelShape]:
    assumed: tuple[str, ...] = ()
    if conditions.model not in (None, shape):
        assumed += (f"{conditions.model.name} runs at the rates of {shape.name}, whatever the sizes of its matrices.",)
        shape = conditions.model
    name = conditions.quantisation
    if name is not None and quantised(shape, name) != shape:
        shape = quantised(shape, name)
        assumed += (f"Weights in {name} are multiplied as fast as before; {_unpacking(shape, chip)}.",)
    return Scaled(shape, assumed)


def _unpacking(shape: ModelShape, chip: Chip) -> str:
    if shape.body_bytes_per_weight >= 1 or chip.unpack_gweights_s == inf:
        return "unpacking them may take longer"
    return f"{chip.unpack_gweights_s:g} of them are unpacked in a nanosecond, in each product"
