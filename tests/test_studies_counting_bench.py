"""The bench of counting passes: what it counts, and that the second time nothing is counted."""

import pytest

from studies import workload_passes
from studies.counted_passes import counted_passes
from studies.counting_bench import bench_counting, counting_table, embedded_passes
from studies.workloads import load_workload


@pytest.mark.engine
def test_passes_are_counted_once_and_then_read(monkeypatch):
    asked = []

    def counted(*arguments):
        asked.append(arguments)
        return counted_passes(*arguments)

    monkeypatch.setattr(workload_passes, "counted_passes", counted)
    bench = bench_counting(embedded_passes("bfcl:3", 0), jobs=1)
    assert len(asked) == 1
    assert bench.runs == len(load_workload("bfcl:3", 0))
    assert bench.passes > bench.runs
    assert bench.first_s > bench.again_s > 0
    assert counting_table(bench).rows[0][:4] == ("bfcl:3", "schemaweaver", "1", str(bench.runs))
