"""The digest of the project's code: another for every change of a source file, and of nothing else."""

import pytest

from studies import code_digest


@pytest.fixture
def package(monkeypatch, tmp_path):
    """A package that stands for the project's code."""
    folder = tmp_path / "code"
    folder.mkdir()
    (folder / "a.py").write_text("x = 1\n")
    monkeypatch.setattr(code_digest, "ROOTS", (folder,))
    return folder


@pytest.mark.parametrize(
    ("file", "text", "differs"),
    [
        ("a.py", "x = 2\n", True),
        ("b.py", "", True),
        ("deep/a.py", "x = 1\n", True),
        ("a.py", "x = 1\n", False),
        ("data.json", "{}", False),
    ],
)
def test_only_source_files_count(package, file, text, differs):
    before = code_digest.code_sha256()
    (package / file).parent.mkdir(exist_ok=True)
    (package / file).write_text(text)
    assert (code_digest.code_sha256() != before) is differs


def test_a_line_that_moves_to_another_file_counts(package):
    (package / "b.py").write_text("y = 1\n")
    before = code_digest.code_sha256()
    (package / "a.py").write_text("x = 1\ny = 1\n")
    (package / "b.py").write_text("")
    assert code_digest.code_sha256() != before


def test_the_decoder_and_the_simulator_are_the_code():
    assert [root.name for root in code_digest.ROOTS] == ["engine", "sim"]
