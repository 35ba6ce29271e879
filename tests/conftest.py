"""How thoroughly the properties are tested, and which modules beside the tests say what failed of an assertion.

HYPOTHESIS_PROFILE=nightly tries many more examples, new ones each time; `tests/test_law_*.py` are the laws.
`extent.py` says what SCHEMAWEAVER_TESTS=all is.
"""

import os
from tempfile import TemporaryDirectory

import pytest
from extent import IN_FULL
from hypothesis import HealthCheck, settings
from llama_cpp_files import TEMPLATES, VOCABULARIES

from studies.qwen3_vocabulary import write_qwen3_vocabulary

pytest.register_assert_rewrite("valid_calls")

settings.register_profile("normal", max_examples=100 if IN_FULL else 50, deadline=None, derandomize=True)
settings.register_profile("nightly", max_examples=10_000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "normal"))


def pytest_configure(config):
    """Tests keep what they find out of the engine in a cache of their own, which their processes share."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        folder = TemporaryDirectory(prefix="schemaweaver-cache-")
        config.add_cleanup(folder.cleanup)
        os.environ["XDG_CACHE_HOME"] = folder.name


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes():
    """Processes side by side decode on one thread each, whatever is asked for.

    llama.cpp's threads wait for each other without giving up their core: two processes with two threads each on two
    cores take twenty times as long as one after the other.
    """
    os.environ.setdefault("OMP_THREAD_LIMIT", "1")


@pytest.fixture(scope="session")
def qwen3_file(tmp_path_factory):
    """Qwen3's vocabulary and template as a GGUF, made anew out of llama.cpp's files: for tests that need these.

    Processes side by side share it: it takes ten seconds to make.
    """
    folder = tmp_path_factory.getbasetemp()
    path = (folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "ggml-vocab-qwen3.gguf"
    if not path.exists():
        made = tmp_path_factory.mktemp("qwen3") / path.name
        write_qwen3_vocabulary(VOCABULARIES / "ggml-vocab-qwen2.gguf", TEMPLATES / "Qwen-Qwen3-0.6B.jinja", made)
        made.replace(path)
    return path
