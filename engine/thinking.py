"""Thinking blocks that a template opens for the model are closed, so that it writes its call at once."""

import re
from collections.abc import Sequence

from engine.errors import TemplateError
from engine.template import Message, render_template

_OPENED = re.compile(
    r"(?P<tag><(?!\|?end)[^<>/]*think[^<>/]*>|\[think\]|here are my reasoning steps:)(?P<space>\s*)\Z",
    re.IGNORECASE,
)
"""A prompt that ends in an opened block: in tags, in Mistral's brackets, in Apriel's words."""

_LONGEST_OPENING = 100
"""Characters of the prompt's end that are looked at."""

_THOUGHT, _SAID = "ProbeThought", "ProbeSaid"
_HISTORY: Sequence[Message] = (
    {"role": "user", "content": "ProbeAsked"},
    {"role": "assistant", "content": _SAID, "reasoning_content": _THOUGHT, "thinking": _THOUGHT},
)


def close_thinking(prompt: str, template: str) -> str:
    """`prompt`, as `template` printed it, with the thinking block closed that it ends in, if any.

    What closes the block is what the template writes behind an earlier message's thinking. Where it drops that, it is
    the closing tag on a line of its own, or right behind the opening one if that has no line of its own.
    """
    opened = _OPENED.search(prompt, max(0, len(prompt) - _LONGEST_OPENING))
    if not opened:
        return prompt
    closer = _closer(opened["tag"])
    printed = _written_closer(template)
    if closer in printed:
        return prompt + printed
    return prompt + (f"\n{closer}\n\n" if "\n" in opened["space"] else closer)


def _closer(tag: str) -> str:
    if tag[0] not in "<[":
        return "[BEGIN FINAL RESPONSE]"
    return tag.replace("START", "END") if "START" in tag else f"{tag[0]}/{tag[1:]}"


def _written_closer(template: str) -> str:
    """What `template` writes between an earlier message's thinking and its content, nothing where it drops one."""
    try:
        text = render_template(template, _HISTORY, None, "", "", add_generation_prompt=False)
    except TemplateError:
        return ""
    _, _, behind = text.partition(_THOUGHT)
    between, said, _ = behind.partition(_SAID)
    return between if said else ""
