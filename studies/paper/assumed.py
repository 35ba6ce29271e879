"""What has to be assumed to predict models that a device was not measured with."""

from collections.abc import Iterable

from cost_models.conditions import Conditions
from cost_models.models import read_model
from studies.paper.setting import Setting


def assumed_for(setting: Setting, device: str, models: Iterable[str]) -> tuple[str, ...]:
    """The sentences behind the costs of `models`, each once."""
    measured = setting.device(device)
    scaled = (measured.cost(Conditions(model=read_model(model))) for model in models)
    return tuple(dict.fromkeys(sentence for each in scaled for sentence in each.assumed))
