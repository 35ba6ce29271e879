"""The prompt: a conversation and its tools through the model's own chat template, byte for byte."""

import json
from collections.abc import Sequence
from typing import Any

from engine.formats import CallFormat
from engine.template import CHATML as CHATML
from engine.template import Message as Message
from engine.template import render_template as render_template
from engine.tools import Tool
from engine.vocabulary import Vocabulary


def render_prompt(
    template: str | None,
    call_format: CallFormat,
    messages: Sequence[Message],
    tools: Sequence[Tool],
    bos: str = "",
    eos: str = "",
) -> str:
    """The text that the model reads before it writes the call.

    Raises TemplateError with the template's own message.
    """
    definitions = [tool.as_openai() for tool in tools]
    if call_format.system_prompt is not None:
        messages = _with_system_prompt(call_format.system_prompt, definitions, messages)
    tools_variable = definitions if call_format.system_prompt is None else None
    return render_template(template or CHATML, messages, tools_variable, bos, eos, add_generation_prompt=True)


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
    text = form.format(tools=json.dumps(definitions, ensure_ascii=False))
    if messages and messages[0]["role"] == "system":
        text = f"{messages[0]['content']}\n\n{text}"
        messages = messages[1:]
    return [{"role": "system", "content": text}, *messages]
