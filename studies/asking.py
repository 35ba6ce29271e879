"""How a model is asked, in words that another process understands: loaded models cannot be handed over."""

from dataclasses import dataclass, replace
from pathlib import Path

from engine.errors import InputError
from engine.llamacpp import BackendOptions, Model, Preparer, load_model, make_preparer


@dataclass(frozen=True, slots=True)
class Asking:
    """A GGUF file whose weights are not read, a chat template, a call format, and a context.

    None stands for the file's own template, or ChatML where it has none, and for the format that is recognised.
    """

    vocabulary: Path
    template: Path | None
    call_format: str | None
    context_tokens: int


def open_preparer(asking: Asking) -> Preparer:
    """Load what `asking` names; raises InputError where it cannot be used. The preparer's model has to be closed."""
    model = load_model(asking.vocabulary, vocabulary_only=True)
    if asking.template is not None:
        model = with_template(model, asking.template)
    return make_preparer(model, BackendOptions(context_tokens=asking.context_tokens), asking.call_format)


def with_template(model: Model, path: Path) -> Model:
    """`model` with the chat template in the file at `path`: the vocabularies of llama.cpp's tests have none."""
    try:
        return replace(model, template=path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read: {getattr(error, 'strerror', error)}") from error
