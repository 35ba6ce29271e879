"""Sections 2.2 and 5: shares of fixed tokens and of decoding, and passes of optional arguments."""

import pytest
from tiny_paper import PROMPT_TOKENS, Run, ours, serial, tiny_setting

from engine.commands import Phase, Status
from studies.paper.section_2_2 import section_2_2
from studies.paper.section_5 import section_5
from studies.paper.setting import BASE_MODEL


def optional(count):
    return [(Phase.SKELETON, 9, 1), (Phase.WRITE_BACK, 5, 1), *[(Phase.OPTIONAL, 1, 1)] * count]


JUMPING = [
    Run([(Phase.JUMP, 8, 1), (Phase.JUMP, 2, 1), (Phase.WRITE_BACK, 1, 0)]),
    Run([(Phase.JUMP, 15, 1)] * 5, "simple_python_2"),
    # The same call again with a longer answer.
    Run([(Phase.JUMP, 1, 1)] * 12),
]
SETTING = tiny_setting(
    {
        "constrained": [Run(serial(10)), Run(serial(20), "simple_python_2"), Run(serial(12))],
        "jump_forward": JUMPING,
        "schemaweaver": [
            Run(optional(6), status=Status.CORRECTED),
            Run(optional(2), "simple_python_2", status=Status.CONFIRMED),
            Run(optional(0)),
        ],
    },
    draws=[(0, 1, 2)],
)


def test_fixed_are_the_tokens_that_jump_forward_does_not_pick_of_each_call_once():
    shares = section_2_2(SETTING)
    assert ours(shares, "fixed tokens, Llama-3.2-1B", "share") == pytest.approx(100 * (8 / 10 + 15 / 20) / 2)
    assert ours(shares, "fixed tokens, lowest", "share") == ours(shares, "fixed tokens, highest", "share")


def test_decoding_stands_beside_a_prefill_of_the_whole_prompt():
    decoded_ms = 12 * (10 + 20 + 12) / 3
    expected = decoded_ms / (decoded_ms + 11 + PROMPT_TOKENS)
    assert ours(section_2_2(SETTING), "decoding, at most", "share") == pytest.approx(100 * expected)


@pytest.mark.parametrize(
    ("group", "passes"), [("calls that get one", 6), ("calls whose tool has some", 4), ("all calls", 8 / 3)]
)
def test_passes_of_the_optional_arguments(group, passes):
    row = f"passes of the optional arguments, {group}"
    assert ours(section_5(SETTING), row, BASE_MODEL) == pytest.approx(passes)


def test_two_thirds_of_the_calls_are_of_tools_with_optional_arguments():
    assert ours(section_5(SETTING), "calls whose tool has optional arguments", "BFCL") == pytest.approx(69, abs=0.5)
