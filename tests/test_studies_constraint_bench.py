"""Measuring constraints: each vocabulary of a folder gets a row, what is no model is left out."""

from dataclasses import asdict

from llama_cpp_files import VOCABULARIES, needs_vocabularies
from test_studies_boundaries import CALLS

from studies.constraint_bench import bench_constraints, constraint_table


@needs_vocabularies
def test_every_usable_vocabulary_is_measured(tmp_path):
    for name in ("llama-spm", "bert-bge"):
        (tmp_path / f"{name}.gguf").symlink_to(VOCABULARIES / f"ggml-vocab-{name}.gguf")
    (bench,) = bench_constraints(tmp_path, CALLS[:4])
    costs = asdict(bench)
    assert (costs.pop("vocabulary"), costs.pop("tokens")) == ("llama-spm.gguf", 32000)
    assert min(costs.values()) > 0
    assert bench.mask_ms < bench.tool_ms
    assert len(constraint_table([bench]).rows) == 1
