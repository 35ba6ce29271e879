"""DroidCall's test file, which does not come with this project; SCHEMAWEAVER_DROIDCALL names where it is.

`api.jsonl` has to lie beside it.
"""

import os
from pathlib import Path

FILE = Path(os.environ.get("SCHEMAWEAVER_DROIDCALL") or "DroidCall_test.jsonl")
