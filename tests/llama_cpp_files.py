"""llama.cpp's vocabulary-only GGUFs and chat templates, as `make setup` fetches them.

SCHEMAWEAVER_LLAMA_CPP_FILES names another folder that holds `vocabularies` and `templates`.
"""

import os
from pathlib import Path

import pytest

FOLDER = Path(os.environ.get("SCHEMAWEAVER_LLAMA_CPP_FILES") or Path(__file__).parent.parent / ".venv" / "llama.cpp")
VOCABULARIES = FOLDER / "vocabularies"
TEMPLATES = FOLDER / "templates"

needs_vocabularies = pytest.mark.skipif(
    not VOCABULARIES.is_dir(), reason=f"no vocabularies in {VOCABULARIES}; `make setup` fetches them"
)
needs_templates = pytest.mark.skipif(
    not TEMPLATES.is_dir(), reason=f"no chat templates in {TEMPLATES}; `make setup` fetches them"
)
