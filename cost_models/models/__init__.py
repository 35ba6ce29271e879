"""Shapes of the models that the paper measured, by name, from the file beside this one.

Each names where its numbers were published; the parameters that somebody else counted are there to check them.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from cost_models.errors import CostModelError
from cost_models.json_node import JsonNode, read_json
from cost_models.model_shape import ModelShape

MODELS_FORMAT = "schemaweaver-models-1"
_FILE = Path(__file__).with_name("paper.json")


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedModel:
    """A shape, how many parameters were published for it, and where each came from.

    `weight_bytes` is the published size of its file's tensors, None where none was found.
    """

    shape: ModelShape
    parameters: int
    weight_bytes: int | None
    shape_source: str
    parameters_source: str
    bytes_source: str


def model_names() -> tuple[str, ...]:
    """The names, in the paper's order."""
    return tuple(_published())


def read_model(name: str) -> ModelShape:
    """The shape of the model called `name`; raises CostModelError that lists the names."""
    return read_published(name).shape


def read_published(name: str) -> PublishedModel:
    """As `read_model`, with what was published of it."""
    models = _published()
    if name not in models:
        raise CostModelError(f"unknown model {name!r}; choose one of: {', '.join(models)}")
    return models[name]


@cache
def _published() -> dict[str, PublishedModel]:
    at = read_json(_FILE).fields("format", "models")
    at["format"].exactly(MODELS_FORMAT)
    models = (_model(item) for item in at["models"].items())
    return {model.shape.name: model for model in models}


def _model(data: JsonNode) -> PublishedModel:
    at = data.fields("shape", "published_parameters", "published_weight_bytes", "sources")
    sources = at["sources"].fields("shape", "parameters", "bytes")
    size = at["published_weight_bytes"]
    return PublishedModel(
        shape=ModelShape.from_json(at["shape"]),
        parameters=at["published_parameters"].whole(),
        weight_bytes=None if size.value is None else size.whole(),
        shape_source=sources["shape"].text(),
        parameters_source=sources["parameters"].text(),
        bytes_source=sources["bytes"].text(),
    )
