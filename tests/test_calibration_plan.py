"""What a plan promises of its passes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration import Cell, Level, Plan, default_plan
from engine.errors import InputError

PLANS = st.builds(default_plan, st.integers(672, 4096), st.integers(32, 512))


@given(st.integers(672, 4096), st.integers(32, 512))
def test_every_pass_fits_the_context_and_the_batch(n_ctx: int, max_rows: int) -> None:
    for cell in default_plan(n_ctx, max_rows).cells:
        assert cell.context_tokens <= n_ctx
        assert cell.rows <= max_rows


@given(PLANS)
def test_no_held_out_row_count_is_fitted(plan: Plan) -> None:
    fitted = {cell.rows for cell in plan.cells if not cell.held_out}
    assert not fitted & {9, 11, 14, 18, 22, 28, 36, 56, 80}
    assert not any(cell.start_tokens == 896 for cell in plan.cells if not cell.held_out)


@given(PLANS)
def test_the_fit_sees_one_row_and_two_contexts_and_is_checked(plan: Plan) -> None:
    serial = {cell.context_tokens for cell in plan.cells if cell.rows == 1 and not cell.held_out}
    assert len(serial) >= 2
    assert sum(cell.held_out for cell in plan.cells) >= 6


def test_the_default_plan_varies_what_the_table_has_slopes_for() -> None:
    cells = default_plan(2048).cells
    fitted, held_out = ([cell for cell in cells if cell.held_out is flag] for flag in (False, True))
    assert {cell.picks for cell in fitted} == {1, 2, 4, 8, 16}
    assert {cell.picks for cell in held_out} == {1, 2, 3}
    assert {cell.start_tokens for cell in fitted if cell.rows == 8} == {128, 640, 1152}
    assert max(cell.rows for cell in fitted) == 256


def test_three_sweeps_of_a_small_model_fit_the_default_budget() -> None:
    per_row_ms = 4.2
    assert 3 * sum(cell.rows for cell in default_plan(2048).cells) * per_row_ms < 45_000


@pytest.mark.parametrize(("n_ctx", "max_rows"), [(671, 256), (2048, 31)])
def test_too_little_room_is_refused_with_what_is_needed(n_ctx: int, max_rows: int) -> None:
    with pytest.raises(InputError, match="needs n_ctx >= 672 and passes of >= 32 rows"):
        default_plan(n_ctx, max_rows)


@pytest.mark.parametrize(("rows", "picks", "context"), [(0, 0, 4), (2, 3, 4), (2, -1, 4), (5, 1, 4)])
def test_a_cell_that_is_no_pass_is_refused(rows: int, picks: int, context: int) -> None:
    with pytest.raises(InputError, match="expected rows >= 1"):
        Cell(rows, picks, context)


def test_passes_that_do_not_join_are_refused() -> None:
    with pytest.raises(InputError, match="do not join"):
        Level(fill=(Cell(4, 1, 4), Cell(4, 1, 9)), cells=())
    with pytest.raises(InputError, match="do not join"):
        Level(fill=(Cell(4, 1, 4),), cells=(Cell(1, 1, 6),))
    with pytest.raises(InputError, match="must start at an empty trunk and join"):
        Plan((Level(fill=(Cell(4, 1, 5),), cells=()),))
    with pytest.raises(InputError, match="must start at an empty trunk and join"):
        Plan(())
