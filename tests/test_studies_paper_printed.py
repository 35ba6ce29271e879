"""The paper's numbers as the study reads them."""

import tomllib

import pytest

from cost_models import CostModelError
from studies.paper.printed import PRINTED, printed, printed_number


def test_a_number_is_found_by_its_place():
    assert printed_number("table_7", "jump_forward") == 1421
    assert printed("table_10", "core_sets", "oneplus-12r").numbers() == (54.2, 65.9, 9.8)


def test_a_place_where_nothing_is_printed_lists_what_is():
    with pytest.raises(CostModelError, match=r"printed.toml: \$.table_7: .* an object with eagle, among: constrained"):
        printed("table_7", "eagle")


def test_ratios_in_the_text_are_those_of_the_tables():
    """Section 7.1: 2.13 times; Table 8: 3.97 times; section 7.7: 2.10 times."""
    assert printed_number("table_7", "constrained") / printed_number("table_7", "schemaweaver") == pytest.approx(
        2.13, abs=0.01
    )
    constrained, provisional = (printed_number("table_8", name, "ms") for name in ("constrained", "provisional"))
    assert constrained / provisional == pytest.approx(3.97, abs=0.01)
    energies = [printed_number("figure_14", name) for name in ("constrained_j", "schemaweaver_j")]
    assert energies[0] / energies[1] == pytest.approx(printed_number("figure_14", "schemaweaver_ratio"), abs=0.01)


def test_phases_of_table_8_add_up_to_its_calls():
    phases = {name: printed_number("table_8", name, "ms") for name in ("name", "skeleton", "values")}
    assert sum(phases.values()) == printed_number("table_8", "provisional", "ms")
    rest = [printed_number("table_8", name, "ms") for name in ("write_back", "optional")]
    assert sum(phases.values()) + sum(rest) == printed_number("table_8", "final", "ms")


def test_every_row_of_table_5_has_a_number_for_each_model():
    root = tomllib.loads(PRINTED.read_text(encoding="utf-8"))
    rows = [*root["table_5"]["latency_ms"]["oneplus-12r"].values(), *root["table_5"]["passes"].values()]
    assert {len(row) for row in rows} == {len(root["models"])}
