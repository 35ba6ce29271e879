"""Writing files so that they appear whole or not at all."""

import os
from pathlib import Path
from uuid import uuid4


def write_whole(path: Path, content: str | bytes) -> None:
    """Write `content` (text as UTF-8) to `path`, replacing what is there in one step.

    A reader sees the old file or the new one, never a part. Raises OSError as the operating system does;
    whatever was at `path` then stays, and nothing is left beside it. The folder must exist.
    """
    data = content.encode() if isinstance(content, str) else content
    part = path.with_name(f".{path.name}.{uuid4().hex}.part")
    try:
        _write_to_disk(part, data)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def _write_to_disk(path: Path, data: bytes) -> None:
    with path.open("xb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
