"""Which form of history a chat template takes, found out by letting it print a few."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import Any

from engine.errors import TemplateError
from engine.history import HistoryForm
from engine.template import Message, render_template

_SYSTEM, _ASKED, _ANSWERED, _MORE = "ProbeSystem", "ProbeAsked", "ProbeAnswered", "ProbeMore"
_NAME, _KEY, _VALUE, _RESULT, _ID = "probe_name", "probe_key", "ProbeValue", "ProbeResult", "probe1234"
_TOOL = {
    "type": "function",
    "function": {
        "name": "other_name",
        "description": "Text",
        "parameters": {"type": "object", "properties": {"other": {"type": "string", "description": "Text"}}},
    },
}
_ARGUMENTS: tuple[Any, ...] = ({_KEY: _VALUE}, f'{{"{_KEY}": "{_VALUE}"}}')
_USER = {"role": "user", "content": _ASKED}
_RESULT_MESSAGE = {"role": "tool", "tool_call_id": _ID, "content": _RESULT}


@lru_cache(maxsize=16)
def history_form(template: str) -> HistoryForm:
    """The form that `template` takes: for each choice the first that it prints without a fault."""
    forms = [(arguments, content) for arguments, content in product(_ARGUMENTS, (None, ""))]
    printed = [form for form in forms if _prints_call(template, *form)]
    arguments, content = printed[0] if printed else (_ARGUMENTS[0], "")
    called = _render(template, [_USER, _calling(arguments, content), _RESULT_MESSAGE])
    return HistoryForm(
        arguments_as_text=isinstance(arguments, str),
        empty_content=content,
        roles_in_parts=frozenset(
            role for role in ("system", "user", "assistant", "tool") if _unpacks_parts(template, role)
        ),
        takes_developer=_prints_role(template, "developer"),
        takes_system=_prints_role(template, "system"),
        drops_calls=called is not None and not printed,
        drops_results=called is not None and _RESULT not in called,
    )


def _prints_call(template: str, arguments: Any, content: str | None) -> bool:
    """Whether a call comes out as JSON or the template's own form: neither as Python's, nor as JSON in a string."""
    text = _render(template, [_USER, _calling(arguments, content), _RESULT_MESSAGE]) or ""
    if not all(part in text for part in (_NAME, _KEY, _VALUE)):
        return False
    # Instructions of the template's own may well say None.
    said = _render(template, [_USER, _calling(arguments, _ANSWERED), _RESULT_MESSAGE]) or ""
    return f"{{'{_KEY}'" not in text and f'\\"{_KEY}\\"' not in text and text.count("None") <= said.count("None")


def _unpacks_parts(template: str, role: str) -> bool:
    parts = [{"type": "text", "text": text} for text in (_ANSWERED, _MORE)]
    message = {"role": role, "content": parts}
    if role == "tool":
        text = _render(template, [_USER, _calling(_ARGUMENTS[0], ""), {**_RESULT_MESSAGE, "content": parts}])
    elif role == "assistant":
        text = _render(template, [_USER, message, _USER])
    else:
        text = _render(template, [message, *([_USER] if role == "system" else [])])
    text = text or ""
    # A template that knows no parts prints the whole list, as Python or JSON writes it.
    return _ANSWERED in text and _MORE in text and f'"{_MORE}"' not in text and f"'{_MORE}'" not in text


def _prints_role(template: str, role: str) -> bool:
    return _SYSTEM in (_render(template, [{"role": role, "content": _SYSTEM}, _USER]) or "")


def _calling(arguments: Any, content: str | None) -> dict[str, Any]:
    function = {"name": _NAME, "arguments": arguments}
    return {
        "role": "assistant",
        "content": content,
        "tool_calls": [{"id": _ID, "type": "function", "function": function}],
    }


def _render(template: str, messages: Sequence[Message]) -> str | None:
    """What the template prints, None where it fails."""
    try:
        return render_template(template, messages, [_TOOL], "", "", add_generation_prompt=True)
    except TemplateError:
        return None
