"""Kept passes and grounds for the tests of sweeps."""

from dataclasses import replace

from cost_models.devices import read_device
from sim.pass_file import PassFile
from sim.pass_table import PassTable, pass_table
from studies.sweep.drawn_passes import DrawnPasses
from studies.sweep.kept_passes import kept_passes
from studies.sweep.prices import Ground
from tests.records_builder import PASS_KEY, SCHEDULES, study

KEY = replace(PASS_KEY, schedules=SCHEDULES, vocabulary="ggml-vocab-qwen3.gguf")
CALLS = 4
FILE = PassFile(KEY, pass_table(run for run in study(calls=CALLS, repeats=1) if run.source == "measured"))
DEVICES = ("oneplus-12r", "pixel-7", "oneplus-12r-gpu", "epyc-2-cores")


def kept(schedules=SCHEDULES, calls=CALLS, seed=0) -> DrawnPasses:
    return kept_passes(FILE, schedules, calls, seed)


def ground(*devices: str) -> Ground:
    return Ground({name: read_device(name) for name in devices or DEVICES}, {}, kept())


def table_of(schedule: str) -> PassTable:
    return FILE.table.of_schedule(schedule)
