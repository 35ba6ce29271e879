"""What a workload is made of: requests whose right answers are known."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from engine.calls import ToolCall
from engine.chat import Message
from engine.tools import Tool
from sim.verdict import Verdict


@dataclass(frozen=True, slots=True)
class WorkloadCall:
    """One request: a conversation, the tools on offer, and the answers that count as right.

    `accepted` maps each argument of the right tool to values that the dataset accepts, each as a model could write it;
    "" among them means that the argument may be left out. `judge` applies the dataset's own rules to a call, which
    may accept more than these values, such as other spellings; None where there are no rules.
    """

    call_id: str
    messages: tuple[Message, ...]
    tools: tuple[Tool, ...]
    tool_name: str
    accepted: Mapping[str, Sequence[Any]]
    judge: Callable[[ToolCall], Verdict] | None = field(default=None, compare=False, repr=False)

    def with_tools_read_only(self) -> "WorkloadCall":
        """The same request, each of its tools taken for read-only; only for tools that nobody runs."""
        tools = tuple(replace(tool, read_only=True, read_only_rule="override") for tool in self.tools)
        return replace(self, tools=tools)

    def with_an_optional_argument(self) -> "WorkloadCall | None":
        """The same request, answered with the first optional argument that may be left out but has an accepted value.

        None where there is no such argument.
        """
        for name in self.tool.optional:
            values = [value for value in self.accepted.get(name, ()) if value != ""]
            if values and "" in self.accepted[name]:
                return replace(self, accepted={**self.accepted, name: values})
        return None

    @property
    def argument_count(self) -> int:
        """Arguments that the accepted answer writes."""
        return sum("" not in values for values in self.accepted.values())

    @property
    def tool(self) -> Tool:
        """The tool that the accepted answer calls."""
        return next(tool for tool in self.tools if tool.name == self.tool_name)

    @property
    def answer(self) -> dict[str, Any]:
        """The first accepted answer by argument, required ones first.

        An argument whose answer may be left out is left out, unless the tool requires it.
        """
        firsts = {name: next((v for v in values if v != ""), "") for name, values in self.accepted.items()}
        required = [name for name in self.tool.required if name in firsts]
        optional = [name for name in self.tool.optional if "" not in self.accepted.get(name, [""])]
        return {name: firsts[name] for name in (*required, *optional)}
