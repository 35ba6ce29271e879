"""Fetching llama.cpp's vocabularies and templates: what is taken, and that a folder is whole or not there."""

import io
import tarfile

import fetch_llama_cpp_files
import pytest
from fetch_llama_cpp_files import fetch

MODELS = "llama_cpp_python-1.0/vendor/llama.cpp/models"
CONTENTS = {
    f"{MODELS}/ggml-vocab-a.gguf": "vocabularies/ggml-vocab-a.gguf",
    f"{MODELS}/ggml-vocab-a.gguf.inp": None,
    f"{MODELS}/templates/b.jinja": "templates/b.jinja",
    f"{MODELS}/templates/README.md": None,
    "llama_cpp_python-1.0/../../vendor/llama.cpp/models/templates/c.jinja": "templates/c.jinja",
    "llama_cpp_python-1.0/setup.py": None,
}


@pytest.fixture
def distribution(tmp_path, monkeypatch):
    """A source distribution for a download; returns the versions that were asked for."""
    archive = tmp_path / "source.tar.gz"
    with tarfile.open(archive, "w:gz") as written:
        for name in CONTENTS:
            member = tarfile.TarInfo(name)
            member.size = len(name)
            written.addfile(member, io.BytesIO(name.encode()))
    asked = []

    def download(requirement, folder):
        asked.append(requirement)
        return archive

    monkeypatch.setattr(fetch_llama_cpp_files, "download", download)
    monkeypatch.setattr(fetch_llama_cpp_files, "version", lambda package: "1.0")
    return asked


def files_of(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_vocabularies_and_templates_are_taken_and_nothing_else(tmp_path, distribution):
    fetch(tmp_path / "into" / "files")
    assert files_of(tmp_path / "into") == {"files/version", *(f"files/{taken}" for taken in CONTENTS.values() if taken)}
    for name, taken in CONTENTS.items():
        if taken:
            assert (tmp_path / "into" / "files" / taken).read_text() == name


def test_files_of_the_installed_version_are_left_alone_and_others_replaced(tmp_path, distribution):
    folder = tmp_path / "files"
    fetch(folder)
    fetch(folder)
    assert distribution == ["llama-cpp-python==1.0"]
    (folder / "version").write_text("0.9\n")
    (folder / "old").touch()
    fetch(folder)
    assert len(distribution) == 2
    assert "old" not in files_of(folder)


def test_a_download_that_fails_leaves_nothing(tmp_path, distribution, monkeypatch):
    def fail(requirement, folder):
        raise OSError("no network")

    monkeypatch.setattr(fetch_llama_cpp_files, "download", fail)
    with pytest.raises(OSError, match="no network"):
        fetch(tmp_path / "into" / "files")
    assert files_of(tmp_path / "into") == set()
