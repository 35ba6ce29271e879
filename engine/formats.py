"""How model families write a tool call: one frozen value each.

A call is `opener + name + arguments_lead + key, value, ... + closer`. The names, keys and values are JSON with the
separators that the families' chat templates print.
"""

import json
from dataclasses import dataclass

from engine.errors import InputError
from engine.vocabulary import Vocabulary

ITEM_SEPARATOR = ", "
KEY_SEPARATOR = ": "


@dataclass(frozen=True, slots=True)
class CallFormat:
    """The fixed text of a call in one family's format.

    `system_prompt`, with `{tools}` in it, tells the model about the tools where its chat template cannot.
    """

    name: str
    opener: str
    arguments_lead: str
    closer: str
    system_prompt: str | None = None

    def head(self, tool_name: str) -> str:
        """Everything before the first argument's key."""
        return self.opener + quote(tool_name) + self.arguments_lead

    def lead(self, argument: str, is_first: bool) -> str:
        """The text of one argument up to where its value starts."""
        separator = "" if is_first else ITEM_SEPARATOR
        return separator + quote(argument) + KEY_SEPARATOR


def quote(text: str) -> str:
    """`text` as the templates' `tojson` prints a string: JSON, nothing escaped that need not be."""
    return json.dumps(text, ensure_ascii=False)


QWEN = CallFormat(
    name="qwen",
    opener='<tool_call>\n{"name": ',
    arguments_lead=', "arguments": {',
    closer="}}\n</tool_call>",
)

# The layout of the call is the one that SmolLM2-1.7B-Instruct's function calling instructions show.
SMOLLM2 = CallFormat(
    name="smollm2",
    opener='<tool_call>[{"name": ',
    arguments_lead=', "arguments": {',
    closer="}}]</tool_call>",
    system_prompt=(
        "You compose function calls. Answer the user's request with one call of one of these functions, "
        "with argument values taken from the request and of the right type.\n"
        "<tools>{tools}</tools>\n"
        "Write nothing but the call, in this form:\n"
        '<tool_call>[{{"name": "function_name", "arguments": {{"argument1": "value1", "argument2": 2}}}}]</tool_call>'
    ),
)

FORMATS = (QWEN, SMOLLM2)


def format_named(name: str) -> CallFormat:
    """The format called `name`; raises InputError that lists the names."""
    for call_format in FORMATS:
        if call_format.name == name:
            return call_format
    raise InputError(f"unknown call format {name!r}; choose one of: {', '.join(f.name for f in FORMATS)}")


def recognise_format(template: str | None, vocabulary: Vocabulary) -> CallFormat:
    """The format of the model with this chat template and vocabulary.

    A template that takes tools must write `<tool_call>` around JSON, or InputError asks for a name. A model without
    tools in its template gets the SmolLM2 form, which brings its own system prompt.
    """
    if template is None or "tools" not in template:
        return SMOLLM2
    if "<tool_call>" in template and ("<tool_call>" in vocabulary.specials or '"arguments": ' in template):
        return QWEN
    names = ", ".join(f.name for f in FORMATS)
    raise InputError(f"the model's chat template writes tool calls in a form that is not known; name one of: {names}")
