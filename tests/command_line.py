"""The command line as tests run it, in this process."""

import sys
from typing import Any

import pytest

from studies.cli import main


def run_main(monkeypatch: pytest.MonkeyPatch, *arguments: Any) -> int:
    """The exit code of the command line with these arguments."""
    monkeypatch.setattr(sys, "argv", ["schemaweaver", *map(str, arguments)])
    with pytest.raises(SystemExit) as raised:
        main()
    return raised.value.code or 0
