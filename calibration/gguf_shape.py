"""A model's shape from its GGUF file's header. Needs the package gguf, so this is for the laptop."""

from math import prod
from pathlib import Path

from gguf import GGUFReader

from cost_models.model_shape import ModelShape
from engine.errors import ModelFileError

SAME_WEIGHTS = 0.01
"""The matrices of all layers may differ so much (a fraction) from those of equal layers with a gated feed-forward."""


def read_shape(path: Path) -> ModelShape:
    """The shape of the model in the file at `path`; its name is the file's.

    Raises ModelFileError where the file cannot be read or the model is not one of equal layers (mixtures of experts,
    hybrid and recurrent models), since what a pass of it reads is not in these numbers.
    """
    reader = _reader(path)
    architecture = str(_value(reader, path, "general.architecture"))
    heads = _whole(reader, path, f"{architecture}.attention.head_count")
    width = _whole(reader, path, f"{architecture}.embedding_length")
    sizes = _matrix_sizes(reader)
    body = [size for name, size in sizes.items() if name.startswith("blk.")]
    output = sizes.get("output.weight", sizes.get("token_embd.weight"))
    if output is None or not body:
        raise ModelFileError(f"{path}: has no weights of layers and of an output layer")
    shape = ModelShape(
        name=path.stem,
        layers=_whole(reader, path, f"{architecture}.block_count"),
        width=width,
        feed_forward_width=_whole(reader, path, f"{architecture}.feed_forward_length"),
        heads=heads,
        kv_heads=_whole(reader, path, f"{architecture}.attention.head_count_kv", heads),
        head_width=_whole(reader, path, f"{architecture}.attention.key_length", width // max(heads, 1)),
        vocabulary_size=output[0] // width,
        tied_output="output.weight" not in sizes,
        body_bytes_per_weight=sum(size for _, size in body) / sum(weights for weights, _ in body),
        output_bytes_per_weight=output[1] / output[0],
    )
    _check_layers(shape, sum(weights for weights, _ in body), path)
    return shape


def _reader(path: Path) -> GGUFReader:
    try:
        return GGUFReader(path)
    except (OSError, ValueError, KeyError, IndexError) as error:
        raise ModelFileError(f"{path}: cannot be read as a GGUF model: {error}") from error


def _matrix_sizes(reader: GGUFReader) -> dict[str, tuple[int, int]]:
    """Numbers and bytes of each tensor of two dimensions or more."""
    wide = (tensor for tensor in reader.tensors if len(tensor.shape) > 1)
    return {tensor.name: (prod(int(size) for size in tensor.shape), int(tensor.n_bytes)) for tensor in wide}


def _whole(reader: GGUFReader, path: Path, name: str, default: int | None = None) -> int:
    value = _value(reader, path, name, default)
    if not isinstance(value, int) or value < 1:
        raise ModelFileError(f"{path}: {name} is {value!r}; expected one whole number >= 1 for all layers")
    return value


def _value(reader: GGUFReader, path: Path, name: str, default: int | None = None) -> object:
    field = reader.get_field(name)
    if field is not None:
        value: object = field.contents()
        return value
    if default is None:
        raise ModelFileError(f"{path}: has no {name}")
    return default


def _check_layers(shape: ModelShape, weights: int, path: Path) -> None:
    if abs(weights / shape.body_weights - 1) > SAME_WEIGHTS:
        raise ModelFileError(
            f"{path}: its layers hold {weights} weights, {shape.layers} equal ones would hold {shape.body_weights}: "
            "not a model of equal layers"
        )
