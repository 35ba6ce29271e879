"""The prompt: a conversation and its tools through the model's own chat template, byte for byte."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, NoReturn

import jinja2
from jinja2.ext import loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment

from engine.errors import TemplateError
from engine.formats import CallFormat
from engine.tools import Tool
from engine.vocabulary import Vocabulary

Message = Mapping[str, Any]

CHATML = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>\\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)
"""The template of models that bring none."""


def render_prompt(
    template: str | None,
    call_format: CallFormat,
    messages: Sequence[Message],
    tools: Sequence[Tool],
    bos: str = "",
    eos: str = "",
) -> str:
    """The text that the model reads before it writes the call.

    The template is run as the transformers library runs it: sandboxed, `trim_blocks` and `lstrip_blocks`, `tojson`
    without HTML escaping. Raises TemplateError with the template's own message.
    """
    definitions = [tool.as_openai() for tool in tools]
    if call_format.system_prompt is not None:
        messages = _with_system_prompt(call_format.system_prompt, definitions, messages)
    variables = {"messages": messages, "add_generation_prompt": True, "bos_token": bos, "eos_token": eos}
    if call_format.system_prompt is None:
        variables["tools"] = definitions
    try:
        return str(_compiled(template or CHATML).render(variables))
    except (jinja2.TemplateError, TypeError, ValueError) as error:
        raise TemplateError(f"the model's chat template refused the conversation: {error}") from error


def tokenize_prompt(text: str, vocabulary: Vocabulary, bos: int | None) -> tuple[int, ...]:
    """The tokens of a rendered prompt, with exactly one `bos` in front where the model wants one.

    Templates that print the token themselves do not get a second one.
    """
    tokens = vocabulary.encode_with_markers(text)
    if bos is None or tokens[:1] == (bos,):
        return tokens
    return (bos, *tokens)


def _with_system_prompt(form: str, definitions: Sequence[Any], messages: Sequence[Message]) -> list[Message]:
    """The tools' text joins the conversation's own system message, or makes one."""
    text = form.format(tools=_tojson(definitions))
    if messages and messages[0]["role"] == "system":
        text = f"{messages[0]['content']}\n\n{text}"
        messages = messages[1:]
    return [{"role": "system", "content": text}, *messages]


@lru_cache(maxsize=8)
def _compiled(template: str) -> jinja2.Template:
    return _environment().from_string(template)


def _environment() -> ImmutableSandboxedEnvironment:
    environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols])
    environment.filters["tojson"] = _tojson
    environment.globals["raise_exception"] = _raise
    environment.globals["strftime_now"] = lambda form: datetime.now().strftime(form)
    return environment


def _tojson(value: Any, indent: int | None = None, ensure_ascii: bool = False, **options: Any) -> str:
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, default=dict, **options)


def _raise(message: str) -> NoReturn:
    raise jinja2.TemplateError(message)
