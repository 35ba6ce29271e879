"""Which call format a model writes: told from its chat template and its vocabulary."""

from dataclasses import dataclass

from engine.derive_format import derive_format
from engine.errors import InputError, TemplateError
from engine.formats import FORMATS, FUNCTIONGEMMA, GEMMA4, LFM2, MCP, SMOLLM2, CallFormat, format_names
from engine.vocabulary import Vocabulary

_BY_MARKER = {"<|tool_call_start|>": LFM2, "<start_function_call>": FUNCTIONGEMMA, "<|tool_call>": GEMMA4}
"""Formats that a marker in the vocabulary gives away, for templates that leave calls out of the history."""

_SMOLLM2_SAYS = "named SmolLM, trained by Hugging Face"


@dataclass(frozen=True, slots=True)
class Recognised:
    """A format, and in a sentence how it was told."""

    call_format: CallFormat
    reason: str


def recognise_format(template: str | None, vocabulary: Vocabulary, bos: str = "", eos: str = "") -> Recognised:
    """The format of the model with this chat template and vocabulary.

    What the template writes for a call of the history comes first, then a marker of a known family. A model whose
    template has no tools gets the generic form, with a system prompt that explains it. Raises InputError, which names
    the formats to choose from, where the template takes tools but its way of writing calls is not known.
    """
    for marker, call_format in _BY_MARKER.items():
        if marker in vocabulary.specials and not _writes_calls(template):
            return Recognised(call_format, f"the vocabulary has the marker {marker}")
    if template is None or not _takes_tools(template):
        return _without_tools(template)
    try:
        derived = derive_format(template, bos, eos)
    except (InputError, TemplateError) as error:
        return _known_marker(vocabulary, error)
    named = next((each for each in FORMATS if derived.writes_like(each)), None)
    return Recognised(named or derived, "the model's chat template writes calls so")


def _takes_tools(template: str) -> bool:
    return "tools" in template


def _writes_calls(template: str | None) -> bool:
    return template is not None and "tool_calls" in template


def _without_tools(template: str | None) -> Recognised:
    if template is not None and _SMOLLM2_SAYS in template:
        return Recognised(SMOLLM2, "the model's chat template has no tools, but names SmolLM")
    has = "the model has no chat template" if template is None else "the model's chat template has no tools"
    return Recognised(MCP, f"{has}: a system prompt explains the generic form")


def _known_marker(vocabulary: Vocabulary, error: Exception) -> Recognised:
    for marker, call_format in _BY_MARKER.items():
        if marker in vocabulary.specials:
            return Recognised(call_format, f"the vocabulary has the marker {marker}")
    raise InputError(
        f"the model's call format is not known: {error}; choose one by --format: {format_names()}"
    ) from error
