"""Chat templates: Jinja as the transformers library runs it."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, NoReturn

import jinja2
from jinja2 import nodes
from jinja2.ext import Extension, loopcontrols
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment

from engine.errors import TemplateError

Message = Mapping[str, Any]

CHATML = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>\\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)
"""The template of models that bring none."""

THINKING_OFF: Mapping[str, Any] = {
    "enable_thinking": False,
    "thinking": False,
    "reasoning": False,
    "thinking_mode": "disabled",
    "thinking_budget": 0,
}
"""The variables by which templates are told to let the model answer at once: Qwen's, which most follow, then DeepSeek's
and Kimi's, Cohere's, MiniMax's, Seed's."""


def render_template(
    template: str,
    messages: Sequence[Message],
    tools: Sequence[Mapping[str, Any]] | None,
    bos: str,
    eos: str,
    *,
    add_generation_prompt: bool,
) -> str:
    """The text that `template` prints, byte for byte what transformers' `apply_chat_template` gives, thinking off.

    As there: sandboxed, `trim_blocks` and `lstrip_blocks`, no HTML escaping, `tools` and `documents` None where there
    are none. Messages and tools hold nothing but dicts, lists and JSON's scalars. Raises TemplateError with the
    template's own message.
    """
    try:
        return _compiled(template).render(
            messages=messages,
            tools=tools or None,
            documents=None,
            add_generation_prompt=add_generation_prompt,
            bos_token=bos,
            eos_token=eos,
            **THINKING_OFF,
        )
    except Exception as error:  # A template can fail in any way that Python can.
        raise TemplateError(f"the model's chat template refused the conversation: {error}") from error


@lru_cache(maxsize=16)
def _compiled(template: str) -> jinja2.Template:
    return _environment().from_string(template)


def _environment() -> ImmutableSandboxedEnvironment:
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[_GenerationBlock, loopcontrols]
    )
    environment.filters["tojson"] = _tojson
    environment.globals["raise_exception"] = _raise
    environment.globals["strftime_now"] = lambda form: datetime.now().strftime(form)
    return environment


class _GenerationBlock(Extension):
    """`{% generation %}...{% endgeneration %}`, which marks what the model wrote for training, prints its body."""

    tags = {"generation"}  # noqa: RUF012

    def parse(self, parser: Parser) -> nodes.Node:
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        # A call block has a scope of its own, as it has in transformers: what is set inside does not reach out.
        return nodes.CallBlock(self.call_method("_body"), [], [], body).set_lineno(line)

    def _body(self, caller: Callable[[], str]) -> str:
        return caller()


def _tojson(
    value: Any,
    ensure_ascii: bool = False,
    indent: int | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
) -> str:
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def _raise(message: str) -> NoReturn:
    raise jinja2.TemplateError(message)
