"""Files appear whole or not at all."""

import os
from pathlib import Path

import pytest

from cost_models import write_whole


@pytest.mark.parametrize(("content", "expected"), [("Zürich\r\n", "Zürich\r\n".encode()), (b"\x00\n", b"\x00\n")])
def test_content_arrives_as_given(content: str | bytes, expected: bytes, tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_whole(path, content)
    assert path.read_bytes() == expected


def test_what_was_there_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old and longer")
    write_whole(path, "new")
    assert path.read_text() == "new"
    assert os.listdir(tmp_path) == ["file"]


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_failure_leaves_the_old_file_and_nothing_beside_it(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError("disk full")

    path = tmp_path / "file"
    path.write_text("old")
    monkeypatch.setattr(os, step, fail)
    with pytest.raises(OSError, match="disk full"):
        write_whole(path, "new")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["file"]


def test_a_reader_during_the_write_sees_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    seen = []
    monkeypatch.setattr(os, "fsync", lambda _: seen.append(path.read_text()))
    write_whole(path, "new")
    assert seen == ["old"]


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_whole(tmp_path / "none" / "file", "text")
