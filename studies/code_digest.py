"""What the project's own code is, so that what was computed by other code is told from what it would compute now."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import engine
import sim

ROOTS = (Path(engine.__file__).parent, Path(sim.__file__).parent)
"""The packages that schedules run in: the decoder and the simulator."""


def code_sha256() -> str:
    """The digest of every source file under `ROOTS`, in hex."""
    digest = sha256()
    for name, content in _sources():
        digest.update(f"{name} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


def _sources() -> Iterator[tuple[str, bytes]]:
    for root in ROOTS:
        for path in sorted(root.rglob("*.py")):
            yield path.relative_to(root.parent).as_posix(), path.read_bytes()
