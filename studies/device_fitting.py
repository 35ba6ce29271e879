"""A device of the user's own machine: its profile, and the shape of the model that it was measured with."""

from pathlib import Path

from calibration.device_of_profile import device_of_profile
from calibration.gguf_shape import read_shape
from cost_models import Device, Profile
from engine.errors import InputError


def fitted_device(profile: Profile, model_file: Path, name: str) -> Device:
    """The device called `name`.

    Raises InputError where `model_file` is another size than the measured model, ModelFileError where it is no model.
    """
    source = profile.provenance
    if model_file.is_file() and model_file.stat().st_size != source.model_bytes:
        raise InputError(
            f"{model_file}: has {model_file.stat().st_size} bytes; the measurement was made with "
            f"{source.model_file_name} of {source.model_bytes} bytes: name that with --model"
        )
    cores = f"{source.cpu}, {source.threads} threads"
    return device_of_profile(profile, read_shape(model_file), name=name, title=profile.name, cores=cores)
