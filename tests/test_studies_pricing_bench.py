"""The bench of pricing: what it counts, not how fast it is."""

import numpy as np
import pytest

from cost_models.phones import read_phone
from sim.pass_prices import price
from sim.pass_table import pass_table
from studies.pricing_bench import bench_pricing, pricing_table, scaled_devices
from tests.records_builder import study

PHONE = read_phone("oneplus-12r").table


def test_every_run_is_priced_on_every_device():
    table = pass_table(study(calls=3, repeats=1))
    bench = bench_pricing(table, scaled_devices(PHONE, 5))
    assert (bench.runs, bench.devices, bench.pricings) == (table.run_count, 5, table.run_count * 5)
    assert (bench.passes, bench.kinds) == (len(table.runs), len(table.distinct.rows))
    assert 0 <= bench.array_share < 1
    (row,) = pricing_table([bench]).rows
    assert row[0] == "constrained, jump_forward, schemaweaver"
    assert row[5] == str(bench.pricings)


def test_devices_take_half_to_twice_as_long():
    table = pass_table(study(calls=1, repeats=1))
    finals = np.array([price(table, device).final_ms for device in scaled_devices(PHONE, 3)])
    assert (np.diff(finals, axis=0) > 0).all()
    assert scaled_devices(PHONE, 3)[1].row_ms == pytest.approx(PHONE.row_ms)
