"""What a schedule may know: tokens and its own constraints, never logits, records, times or what comes later."""

import ast
from pathlib import Path

import pytest

import engine
from engine.backend import Readout

ENGINE = Path(engine.__path__[0])
PARTS = (
    *("attempt", "branch", "drafts", "loose_call", "model_drafts", "prompt_lookup"),
    *("request_drafts", "said_values", "skeleton", "spelling", "tool_guesses", "trunk", "value_guesses", "word_drafts"),
)
DECIDING = sorted([*ENGINE.glob("schedules/*.py"), *(ENGINE / f"{name}.py" for name in PARTS)])
MAY_IMPORT = {
    *("collections.abc", "copy", "dataclasses", "functools", "itertools", "json", "re", "typing"),
    *("engine.backend", "engine.boundary", "engine.calls", "engine.call_text", "engine.commands", "engine.constraint"),
    *("engine.errors", "engine.forecast", "engine.formats", "engine.free_text", "engine.lark", "engine.notation"),
    *("engine.numbers", "engine.request"),
    *("engine.tools", "engine.toolset", "engine.value_text", "engine.vocabulary"),
    *(f"engine.{name}" for name in PARTS),
}
"""No numpy, time, engine.records, engine.picks, engine.driver or sim among them."""
HOLDS_MORE = {"mask", "logits", "duration_ms", "start_ms", "end_ms"}
"""Attributes that would tell more than a pick does."""


def imported(tree: ast.AST) -> set[str]:
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    return names | {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}


@pytest.mark.parametrize("path", DECIDING, ids=lambda path: path.stem)
def test_a_schedule_imports_nothing_that_knows_more_than_it_may(path):
    modules = imported(ast.parse(path.read_text(encoding="utf-8")))
    assert {name for name in modules if not name.startswith("engine.schedules")} <= MAY_IMPORT


@pytest.mark.parametrize("path", DECIDING, ids=lambda path: path.stem)
def test_a_schedule_asks_for_picks_alone(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert not HOLDS_MORE & {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}


def test_a_readout_has_nothing_but_picks():
    assert [name for name in vars(Readout) if not name.startswith("_")] == ["pick"]


def test_the_rule_finds_what_it_forbids():
    assert imported(ast.parse("import time\nfrom sim.oracle import Oracle")) - MAY_IMPORT == {"time", "sim.oracle"}
