"""Fetches llama.cpp's vocabulary-only GGUFs and chat templates: `python tests/fetch_llama_cpp_files.py FOLDER`.

They come out of the source distribution of the llama-cpp-python that is installed. FOLDER then holds `vocabularies`,
`templates` and, in `version`, whose they are; it is there whole or not at all, and left alone where it is there.
"""

import shutil
import subprocess
import sys
import tarfile
import tempfile
from importlib.metadata import version
from pathlib import Path, PurePosixPath

PACKAGE = "llama-cpp-python"
PARTS = {
    "*/vendor/llama.cpp/models/ggml-vocab-*.gguf": "vocabularies",
    "*/vendor/llama.cpp/models/templates/*.jinja": "templates",
}
"""What is taken of the distribution, and the folder that it goes to."""


def fetch(folder: Path) -> None:
    """Fill `folder` unless it holds the installed version's files."""
    wanted = version(PACKAGE)
    if (folder / "version").is_file() and (folder / "version").read_text(encoding="utf-8").strip() == wanted:
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as temporary:
        new = Path(temporary) / "new"
        unpack(download(f"{PACKAGE}=={wanted}", Path(temporary)), new)
        (new / "version").write_text(f"{wanted}\n", encoding="utf-8")
        shutil.rmtree(folder, ignore_errors=True)
        new.rename(folder)


def download(requirement: str, folder: Path) -> Path:
    """The source distribution, downloaded into `folder`."""
    quick = ("--quiet", "--disable-pip-version-check", "--retries", "1", "--timeout", "20")
    source = ("--no-deps", "--no-binary", PACKAGE, "--dest", str(folder))
    subprocess.run([sys.executable, "-m", "pip", "download", *quick, *source, requirement], check=True)
    return next(folder.glob("*.tar.gz"))


def unpack(archive: Path, folder: Path) -> None:
    """Take the parts out of `archive`, each file straight into its part's folder."""
    for part in PARTS.values():
        (folder / part).mkdir(parents=True)
    with tarfile.open(archive) as distribution:
        for member in distribution:
            path = PurePosixPath(member.name)
            for pattern, part in PARTS.items():
                if member.isfile() and path.match(pattern):
                    content = distribution.extractfile(member)
                    assert content is not None
                    (folder / part / path.name).write_bytes(content.read())


if __name__ == "__main__":
    try:
        fetch(Path(sys.argv[1]))
    except (OSError, subprocess.CalledProcessError, StopIteration, tarfile.TarError) as error:
        sys.exit(f"cannot fetch llama.cpp's vocabularies and templates: {error}")
