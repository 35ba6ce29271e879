"""How model families write a tool call: one frozen value each.

A call is `opener, name, arguments_lead, arguments, closer`, and an argument `key_open, key, key_close, value,
value_close`, with separators between them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from engine.errors import InputError, ToolError
from engine.notation import BARE_PYTHON, JSON, PYTHON, Notation, marked, quote


@dataclass(frozen=True, slots=True)
class CallFormat:
    """The fixed text of a call in one family's format, and the notation of its values.

    `system_prompt`, with `{tools}` in it, tells the model about the tools where its chat template cannot.
    """

    name: str
    opener: str
    arguments_lead: str
    closer: str
    notation: Notation = JSON
    quotes_tool_name: bool = True
    quotes_keys: bool = True
    key_open: str = ""
    key_close: str = ": "
    value_close: str = ""
    item_separator: str = ", "
    system_prompt: str | None = None

    def tool_name(self, name: str) -> str:
        """A tool's name as a call writes it."""
        return quote(name) if self.quotes_tool_name else name

    def key(self, argument: str) -> str:
        """An argument's name as a call writes it."""
        return quote(argument) if self.quotes_keys else argument

    def head(self, tool_name: str) -> str:
        """Everything before the first argument."""
        return self.opener + self.tool_name(tool_name) + self.arguments_lead

    def lead(self, argument: str, is_first: bool) -> str:
        """The text between the value before, if there is one, and this argument's value."""
        before = "" if is_first else self.value_close + self.item_separator
        return before + self.key_open + self.key(argument) + self.key_close

    def call(self, tool_name: str, texts: Mapping[str, str]) -> str:
        """A whole call whose arguments have these texts, in their order."""
        leads = (self.lead(name, is_first=index == 0) for index, name in enumerate(texts))
        arguments = "".join(lead + text for lead, text in zip(leads, texts.values(), strict=True))
        return self.head(tool_name) + arguments + self.end(bool(texts))

    def end(self, has_arguments: bool) -> str:
        """Everything behind the last value."""
        return (self.value_close if has_arguments else "") + self.closer

    def writes_like(self, other: "CallFormat") -> bool:
        """Whether both write the same calls, up to what may stand behind the closer when the turn ends."""
        same = replace(self, name=other.name, closer=other.closer, system_prompt=other.system_prompt)
        named = replace(same, notation=replace(same.notation, name=other.notation.name))
        return named == other and self.closer.startswith(other.closer)

    def check_names(self, tool: str, arguments: tuple[str, ...]) -> None:
        """Raise ToolError for a name that this format cannot tell from the text behind it."""
        if not self.quotes_tool_name:
            _check_plain(self.name, tool, "$.name", tool, self.arguments_lead)
        if not self.quotes_keys:
            for name in arguments:
                _check_plain(self.name, tool, f"$.parameters.properties.{name}", name, self.key_close)


def _check_plain(format_name: str, tool: str, path: str, name: str, behind: str) -> None:
    """A name without quotes has to end where the text behind it begins."""
    stop = behind[:1]
    if not name or stop in name or name != name.strip() or "\n" in name:
        raise ToolError(
            tool,
            path,
            f"the {format_name} format writes names without quotes, so {quote(name)} cannot be told apart"
            f" from the {quote(stop)} behind it; choose a format with quotes by --format, such as mcp",
        )


_SYSTEM_PROMPT = (
    "You compose function calls. Answer the user's request with one call of one of these functions, "
    "with argument values taken from the request and of the right type.\n"
    "<tools>{tools}</tools>\n"
    "Write nothing but the call, in this form:\n"
)

QWEN = CallFormat("qwen", '<tool_call>\n{"name": ', ', "arguments": {', "}}\n</tool_call>")

HERMES = replace(QWEN, name="hermes")

LLAMA3_JSON = CallFormat("llama3_json", '{"name": ', ', "parameters": {', "}}")

_FUNCTION_CALL = CallFormat(
    "", "[", "(", ")]", notation=PYTHON, quotes_tool_name=False, quotes_keys=False, key_close="="
)

# The form that Meta's prompt guide for Llama 3.2 asks its small models for.
LLAMA3_PYTHON = replace(
    _FUNCTION_CALL,
    name="llama3_python",
    system_prompt=_SYSTEM_PROMPT + '[function_name(argument1="value1", argument2=2)]',
)

LFM2 = replace(_FUNCTION_CALL, name="lfm2", opener="<|tool_call_start|>[", closer=")]<|tool_call_end|>")

# The layout of the call is the one that SmolLM2-1.7B-Instruct's function calling instructions show.
SMOLLM2 = CallFormat(
    "smollm2",
    '<tool_call>[{"name": ',
    ', "arguments": {',
    "}}]</tool_call>",
    system_prompt=_SYSTEM_PROMPT
    + '<tool_call>[{{"name": "function_name", "arguments": {{"argument1": "value1", "argument2": 2}}}}]</tool_call>',
)

MISTRAL = CallFormat("mistral", '[TOOL_CALLS][{"name": ', ', "arguments": {', "}}]")

MISTRAL_ARGS = CallFormat("mistral_args", "[TOOL_CALLS]", "[ARGS]{", "}", quotes_tool_name=False)

_GEMMA = CallFormat("", "", "{", "", quotes_tool_name=False, quotes_keys=False, key_close=":", item_separator=",")

FUNCTIONGEMMA = replace(
    _GEMMA,
    name="functiongemma",
    opener="<start_function_call>call:",
    closer="}<end_function_call>",
    notation=marked("<escape>"),
)

GEMMA4 = replace(
    _GEMMA,
    name="gemma4",
    opener="<|tool_call>call:",
    closer="}<tool_call|>",
    notation=marked('<|"|>'),
)

QWEN3_CODER = CallFormat(
    "qwen3_coder",
    "<tool_call>\n<function=",
    ">\n",
    "</function>\n</tool_call>",
    notation=BARE_PYTHON,
    quotes_tool_name=False,
    quotes_keys=False,
    key_open="<parameter=",
    key_close=">\n",
    value_close="\n</parameter>\n",
    item_separator="",
)

# The members of the parameters of MCP's request `tools/call`; the form for models that know none of their own.
MCP = CallFormat(
    "mcp",
    '{"name": ',
    ', "arguments": {',
    "}}",
    system_prompt=_SYSTEM_PROMPT
    + '{{"name": "function_name", "arguments": {{"argument1": "value1", "argument2": 2}}}}',
)

FORMATS = (
    QWEN, HERMES, LLAMA3_JSON, LLAMA3_PYTHON, LFM2, SMOLLM2, MISTRAL, MISTRAL_ARGS, FUNCTIONGEMMA, GEMMA4,
    QWEN3_CODER, MCP,
)  # fmt: skip


def format_named(name: str) -> CallFormat:
    """The format called `name`; raises InputError that lists the names."""
    for call_format in FORMATS:
        if call_format.name == name:
            return call_format
    raise InputError(f"unknown call format {name!r}; choose one of: {format_names()}")


def format_names() -> str:
    """The names of all formats, for messages and help."""
    return ", ".join(call_format.name for call_format in FORMATS)
