"""The prompt: a conversation and its tools through the model's own chat template, byte for byte, and its tokens."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from engine.formats import CallFormat
from engine.history import PART_SEPARATOR, HistoryForm, normalise, plain_json
from engine.history_form import history_form
from engine.markers import MarkerBreaker, marker_breaker
from engine.notation import write_value
from engine.template import CHATML as CHATML
from engine.template import Message as Message
from engine.template import render_template as render_template
from engine.thinking import close_thinking
from engine.tools import Tool
from engine.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Prompt:
    """A rendered prompt, cut inside the markers that the caller's own words hold: nearly always one piece."""

    pieces: tuple[str, ...]

    @property
    def text(self) -> str:
        return "".join(self.pieces)


def render_prompt(
    template: str | None,
    call_format: CallFormat,
    messages: Sequence[Message],
    tools: Sequence[Tool],
    bos: str = "",
    eos: str = "",
    markers: Collection[str] = (),
) -> Prompt:
    """What the model reads before it writes the call; `markers` are the texts of the tokens that mean more than text.

    Thinking is off: a block that the template opens is closed. Raises InputError for what is no conversation, and
    TemplateError with the template's own message where it refuses one.
    """
    template = template or CHATML
    form = history_form(template)
    conversation = normalise(messages, form)
    definitions = [plain_json(tool.as_openai(), f"tool {tool.name!r}") for tool in tools]
    breaker = marker_breaker(markers, [conversation, definitions], template)
    if breaker:
        conversation = [_broken(message, breaker) for message in conversation]
        definitions = breaker.broken(definitions)
    conversation = [_printable(message, form, call_format) for message in conversation]
    offered = definitions if call_format.system_prompt is None else None
    if call_format.system_prompt is not None:
        conversation = _with_system_prompt(call_format.system_prompt, definitions, conversation, form)
    text = render_template(template, conversation, offered, bos, eos, add_generation_prompt=True)
    text = close_thinking(text, template)
    return Prompt(breaker.pieces(text) if breaker else (text,))


def said_by_user(messages: Sequence[Message]) -> str:
    """The texts of the user's messages, the last one first."""
    contents = (message.get("content") or "" for message in reversed(messages) if message.get("role") == "user")
    return "\n".join(map(_text, contents))


def tokenize_prompt(prompt: Prompt, vocabulary: Vocabulary, bos: int | None) -> tuple[int, ...]:
    """The tokens of a prompt, as llama.cpp makes them, with exactly one `bos` in front where the model wants one.

    Templates that print that token themselves do not get a second one.
    """
    if bos is None:
        return _encode(prompt.pieces, vocabulary)
    start = vocabulary.decode([bos]).decode(errors="replace")
    first, *others = prompt.pieces
    stripped = first.lstrip()
    # In front of the text, not of its tokens: some vocabularies put a space behind the token.
    first = stripped if stripped.startswith(start) else start + first
    tokens = _encode((first, *others), vocabulary)
    while tokens[:1] == (bos,):
        tokens = tokens[1:]
    return (bos, *tokens)


def _encode(pieces: Sequence[str], vocabulary: Vocabulary) -> tuple[int, ...]:
    return tuple(chain.from_iterable(map(vocabulary.encode_with_markers, pieces)))


def _broken(message: dict[str, Any], breaker: MarkerBreaker) -> dict[str, Any]:
    """`message` with the markers in it broken; what the model itself has written keeps its own."""
    kept = {"role"} if message["role"] != "assistant" else message.keys() - {"tool_calls"}
    return {key: value if key in kept else breaker.broken(value) for key, value in message.items()}


def _printable(message: dict[str, Any], form: HistoryForm, call_format: CallFormat) -> dict[str, Any]:
    """`message` with what the template would drop of it written out as text."""
    if form.drops_calls and "tool_calls" in message:
        written = [_written_call(call["function"], call_format) for call in message["tool_calls"]]
        said = "\n".join(filter(None, (message["content"], *written)))
        return {"role": message["role"], "content": said}
    if form.drops_results and message["role"] == "tool":
        return {"role": "user", "content": f"<tool_response>\n{message['content']}\n</tool_response>"}
    return message


def _written_call(function: Mapping[str, Any], call_format: CallFormat) -> str:
    """A call as the model is asked to write it."""
    texts = {name: write_value(call_format.notation, value) for name, value in function["arguments"].items()}
    return call_format.call(function["name"], texts)


def _with_system_prompt(
    prompt: str, definitions: Sequence[Any], conversation: list[dict[str, Any]], form: HistoryForm
) -> list[dict[str, Any]]:
    """The tools' text joins the conversation's own system message, or makes one, or leads the first user message."""
    text = prompt.format(tools=json.dumps(definitions, ensure_ascii=False))
    first, *others = conversation
    if first["role"] == "system":
        return [{**first, "content": f"{_text(first['content'])}\n\n{text}"}, *others]
    if not form.takes_system and first["role"] == "user":
        return [{**first, "content": f"{text}\n\n{_text(first['content'])}"}, *others]
    return [{"role": "system", "content": text}, *conversation]


def _text(content: Any) -> str:
    return content if isinstance(content, str) else PART_SEPARATOR.join(part["text"] for part in content)
