"""Shapes of models by name or file."""

from pathlib import Path

from calibration.gguf_shape import read_shape
from cost_models import CostModelError, ModelShape
from cost_models.models import model_names, read_model


def find_shape(name: str) -> ModelShape:
    """The shape of the paper's model called `name`, else of the GGUF file there; raises CostModelError with names."""
    if name in model_names():
        return read_model(name)
    if not Path(name).is_file():
        raise CostModelError(f"{name}: no such GGUF file, nor a model by name; by name: {', '.join(model_names())}")
    return read_shape(Path(name))
