"""The bench of sweeps: what it times, not how fast it is."""

from sweep_cases import FILE

from studies import sweep_bench
from studies.sweep_bench import HEADERS, bench_sweep, sweep_table


def test_every_schedule_is_priced_at_every_condition(monkeypatch):
    priced = []

    def counted(points, ground):
        found = list(outcomes(points, ground))
        priced.append([(each.point.bus_mhz, each.point.schedule, each.runs) for each in found])
        return iter(found)

    outcomes = sweep_bench.outcomes
    monkeypatch.setattr(sweep_bench, "outcomes", counted)
    bench = bench_sweep(FILE, ("jump_forward", "schemaweaver"), 3, 4)
    assert (bench.conditions, bench.points, bench.calls) == (3, 6, 4)
    buses = (676.0, 1924.0, 3172.0)
    expected = [(mhz, name, 4) for mhz in buses for name in ("jump_forward", "schemaweaver")]
    assert priced[:3] == [expected] * 3
    assert [runs for _, _, runs in priced[-1]] == [1] * 6
    assert len(priced) == 6
    assert 0 <= bench.array_share < 1
    (row,) = sweep_table([bench]).rows
    assert dict(zip(HEADERS, row, strict=True))["points"] == "6"
