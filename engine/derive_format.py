"""A model's call format, read off its own chat template.

The template renders a history with one call whose name, keys and values are known; the text around them is the format.
The result is then made to write another call, and has to write what the template does.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

from engine.errors import InputError, TemplateError
from engine.formats import CallFormat
from engine.notation import BARE, BARE_PYTHON, COMPACT_JSON, JSON, PYTHON, Notation, marked, write_value
from engine.template import render_template
from engine.thinking import close_thinking

_USER, _ANSWER, _TOOL, _CALL_ID = "question of the user", "answer of the model", "probe_tool", "abcdefghi"
_SIMPLE = {"arg_a": "text one", "arg_b": 7351}
_RICH = {**_SIMPLE, "arg_c": True, "arg_d": ["x", 2], "arg_e": {"k": None}}
"""Keys in the order of the alphabet, since some templates sort them."""
_CALL_ID_MEMBER = re.compile(rf',\s*"id":\s*"{_CALL_ID}"')
_OPEN_TAG = re.compile(r"<[^<>\s]*$")
_DEFINITION = {
    "type": "function",
    "function": {
        "name": _TOOL,
        "description": "A probe.",
        "parameters": {
            "type": "object",
            "properties": {
                "arg_a": {"type": "string", "description": "A text."},
                "arg_b": {"type": "integer", "description": "A number."},
                "arg_c": {"type": "boolean", "description": "A truth."},
                "arg_d": {"type": "array", "description": "A list.", "items": {"type": "string"}},
                "arg_e": {"type": "object", "description": "An object.", "properties": {}},
            },
            "required": ["arg_a"],
        },
    },
}


@dataclass(frozen=True, slots=True)
class _Probe:
    """What a template writes for one call: the text behind the prompt, without what ends the turn."""

    text: str
    arguments: Mapping[str, Any]


def derive_format(template: str, bos: str = "", eos: str = "") -> CallFormat:
    """The format in which `template` writes calls, named "derived".

    Raises InputError that says what about the template's way is not known, and TemplateError where it refuses the
    history.
    """
    layout = _layout(_probe(template, _SIMPLE, bos, eos))
    rich = _probe(template, _RICH, bos, eos)
    for notation in _candidates(layout.notation.string_mark):
        candidate = replace(layout, notation=notation)
        if _write(candidate, rich.arguments) == rich.text:
            return candidate
    raise InputError(f"its template writes values in a way that is not known: {_shown(rich.text, 'arg_c')!r}")


def _probe(template: str, arguments: Mapping[str, Any], bos: str, eos: str) -> _Probe:
    """Render a call of the probe, its arguments as an object or, for templates that want that, as a JSON text."""
    problem: Exception | None = None
    for given in (dict(arguments), write_value(JSON, dict(arguments))):
        try:
            text = _call_text(template, given, bos, eos)
        except TemplateError as error:
            problem = problem or error
            continue
        if not isinstance(given, dict) or "{'arg_a'" not in text:
            return _Probe(text, arguments)
    raise problem or InputError("its template prints arguments as Python does")


def _call_text(template: str, arguments: Any, bos: str, eos: str) -> str:
    """What the template writes behind the prompt for a call, without what ends the turn."""
    question = {"role": "user", "content": _USER}
    function = {"name": _TOOL, "arguments": arguments}
    call = {
        "role": "assistant",
        "content": "",
        "tool_calls": [{"id": _CALL_ID, "type": "function", "function": function}],
    }

    def render(messages: Sequence[Mapping[str, Any]], asks: bool = False) -> str:
        return render_template(template, messages, [_DEFINITION], bos, eos, add_generation_prompt=asks)

    turn = render([question, call])
    prompt = close_thinking(render([question], asks=True), template)
    shared = prompt if turn.startswith(prompt) else _OPEN_TAG.sub("", _shared_start(prompt, turn))
    text = _CALL_ID_MEMBER.sub("", turn[len(shared) :])
    if _TOOL not in text:
        raise InputError("its template leaves calls in the history out")
    if text.count(_TOOL) > 1:
        raise InputError("its template writes the name of the tool more than once into a call")
    if _CALL_ID in text:
        raise InputError("its template writes an id into each call, which a schema cannot tell")
    return _without_end(text, _turn_end(render, question), eos)


def _turn_end(render: Any, question: Mapping[str, Any]) -> str:
    """What stands behind a plain answer; "" where the template cannot say."""
    try:
        answered: str = render([question, {"role": "assistant", "content": _ANSWER}])
    except TemplateError:
        return ""
    return answered.rpartition(_ANSWER)[2]


def _without_end(text: str, turn_end: str, eos: str) -> str:
    if turn_end:
        text = text.removesuffix(turn_end)
    return text.partition(eos)[0] if eos else text


def _layout(probe: _Probe) -> CallFormat:
    """The format around the values of the simple probe; its notation has no more than the string mark."""
    places = [probe.text.find(word) for word in (_TOOL, "arg_a", "text one", "arg_b", "7351")]
    if -1 in places or places != sorted(places):
        raise InputError(f"its template writes name, keys and values in another order: {_shown(probe.text, _TOOL)!r}")
    opener, lead, close_a, between, close_b, tail = _cut(probe.text, (_TOOL, "arg_a", "text one", "arg_b", "7351"))
    quotes_name, opener, lead = _unquoted(opener, lead)
    quotes_keys, _, key_close = _unquoted(lead, close_b)
    lead, between = lead.removesuffix('"' * quotes_keys), between.removesuffix('"' * quotes_keys)
    mark = close_a.removeprefix('"' * quotes_keys).removeprefix(key_close)
    if not close_a.removeprefix('"' * quotes_keys).startswith(key_close) or not between.startswith(mark):
        raise InputError(f"its template writes more than a key before a value: {_shown(probe.text, 'arg_a')!r}")
    key_open = _key_open(lead, between.removeprefix(mark))
    between = between.removeprefix(mark).removesuffix(key_open)
    value_close = _shared_start(between, tail)
    return CallFormat(
        "derived",
        opener,
        lead.removesuffix(key_open),
        tail.removeprefix(value_close),
        Notation("derived", string_mark=mark),
        quotes_name,
        quotes_keys,
        key_open,
        key_close,
        value_close,
        between.removeprefix(value_close),
    )


def _cut(text: str, words: Sequence[str]) -> list[str]:
    pieces = []
    for word in words:
        before, _, text = text.partition(word)
        pieces.append(before)
    return [*pieces, text]


def _unquoted(before: str, behind: str) -> tuple[bool, str, str]:
    """Whether a name between these texts stands in quotes, and the texts without them."""
    quoted = before.endswith('"') and behind.startswith('"')
    return (True, before[:-1], behind[1:]) if quoted else (False, before, behind)


def _key_open(lead: str, between: str) -> str:
    """What stands before every key: what the texts before the first and the second have in common at their ends.

    Only a tag counts; what JSON has there belongs to the lead and the separator.
    """
    shared = _shared_start(lead[::-1], between[::-1])[::-1]
    start = shared.find("<")
    return shared[start:] if start >= 0 else ""


def _candidates(mark: str) -> tuple[Notation, ...]:
    if mark == '"':
        return (JSON, COMPACT_JSON, PYTHON)
    return (BARE, BARE_PYTHON) if not mark else (marked(mark), marked(mark, null="null"))


def _write(call_format: CallFormat, arguments: Mapping[str, Any]) -> str:
    return call_format.call(
        _TOOL, {name: write_value(call_format.notation, value) for name, value in arguments.items()}
    )


def _shown(text: str, word: str) -> str:
    """The place of `word` in `text`, for a message."""
    return text[max(0, text.find(word) - 20) :][:80]


def _shared_start(one: str, other: str) -> str:
    pairs = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return "".join(char for char, _ in pairs)
