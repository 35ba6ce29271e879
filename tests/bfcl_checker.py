"""BFCL's own checker, loaded from the installed package without what that package needs to call models."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType, SimpleNamespace
from typing import Any

MODEL_NAME = "any"
"""A name whose functions are called as they are, dots included."""

_CHECKER = "bfcl_eval.eval_checker.ast_eval.ast_checker"
_MODELS = "bfcl_eval.constants.model_config"

Checker = Callable[[dict[str, Any], str, dict[str, Any], dict[str, Any]], bool]


def load_checker() -> Checker | None:
    """A function of a row, its category, its accepted answer and a call's name and arguments; None without a checker.

    The list of models is all that the checker wants of the package's many dependencies, for one flag.
    """
    if find_spec("bfcl_eval") is None:
        return None
    with _models_left_out():
        checker = import_module(_CHECKER)
        language = import_module("bfcl_eval.constants.enums").Language.PYTHON

    def accepts(row: dict[str, Any], category: str, truth: dict[str, Any], call: dict[str, Any]) -> bool:
        result = checker.ast_checker(row["function"], [call], [truth], language, category, MODEL_NAME)
        return bool(result["valid"])

    return accepts


@contextmanager
def _models_left_out() -> Iterator[None]:
    before = {name for name in sys.modules if name.startswith("bfcl_eval")}
    stub = ModuleType(_MODELS)
    stub.MODEL_CONFIG_MAPPING = {MODEL_NAME: SimpleNamespace(underscore_to_dot=False)}
    sys.modules[_MODELS] = stub
    try:
        yield
    finally:
        for name in {name for name in sys.modules if name.startswith("bfcl_eval")} - before:
            del sys.modules[name]
