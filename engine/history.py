"""Conversations as chat templates take them: earlier calls, tool results, content in parts."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, takewhile
from typing import Any

from engine.errors import InputError
from engine.template import Message

ROLES = ("system", "developer", "user", "assistant", "tool")
PART_SEPARATOR = "\n"
"""Between the parts of a content where a template takes text alone, as llama.cpp and vLLM join them."""

_ID_LENGTH = 9
"""Mistral's templates take no others."""


@dataclass(frozen=True, slots=True)
class HistoryForm:
    """What a template wants where OpenAI's form of a conversation leaves a choice.

    `arguments_as_text`: a call's arguments are JSON text, not an object. `empty_content` stands for the content of a
    message that only calls. `roles_in_parts` are those whose content may be a list of parts; the parts of others are
    joined. `takes_developer` and `takes_system`: whether messages of these roles are printed. `drops_calls` and
    `drops_results`: whether earlier calls and their results are left out without a word.
    """

    arguments_as_text: bool = False
    empty_content: str | None = None
    roles_in_parts: frozenset[str] = frozenset()
    takes_developer: bool = True
    takes_system: bool = True
    drops_calls: bool = False
    drops_results: bool = False


def normalise(messages: Sequence[Message], form: HistoryForm) -> list[dict[str, Any]]:
    """`messages` in the form that a template takes; what the caller passed stays as it is.

    Calls without an id get one that all templates accept, and results without one that of the call they answer.
    Raises InputError with the path of what is no conversation.
    """
    if not isinstance(messages, Sequence) or isinstance(messages, str) or not messages:
        raise InputError(f"messages: expected a list of messages, one at least, found {_short(messages)}")
    return _with_ids([_message(message, form, f"messages[{index}]") for index, message in enumerate(messages)])


def plain_json(value: Any, path: str) -> Any:
    """`value` as dicts, lists and JSON's scalars; raises InputError for what JSON or UTF-8 cannot hold."""
    if isinstance(value, str):
        return _encodable(value, path)
    if value is None or isinstance(value, bool | int) or (isinstance(value, float) and math.isfinite(value)):
        return value
    if isinstance(value, Mapping):
        return {_key(key, path): plain_json(each, f"{path}.{key}") for key, each in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return [plain_json(each, f"{path}[{index}]") for index, each in enumerate(value)]
    raise InputError(f"{path}: expected a JSON value, found {_short(value)}")


def _key(key: Any, path: str) -> str:
    if not isinstance(key, str):
        raise InputError(f"{path}: expected text as a key, found {_short(key)}")
    return _encodable(key, path)


def _encodable(text: str, path: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InputError(f"{path}: character {error.start} is half of a surrogate pair, which is no text") from None
    return text


def _message(message: Any, form: HistoryForm, path: str) -> dict[str, Any]:
    if not isinstance(message, Mapping):
        raise InputError(f"{path}: expected a message as an object, found {_short(message)}")
    plain = _with_reasoning(plain_json(message, path))
    role = plain.get("role")
    if role not in ROLES:
        raise InputError(f"{path}.role: {_short(role)} is no role; choose one of: {', '.join(ROLES)}")
    if role == "developer" and not form.takes_developer:
        plain["role"] = "system"
    # Templates ask whether `tool_calls` is there, and take an empty list for a call.
    calls = _calls(plain.pop("tool_calls", None), role, form, f"{path}.tool_calls")
    _check_id(plain.get("tool_call_id"), f"{path}.tool_call_id")
    plain["content"] = _content(plain.get("content"), role, bool(calls), form, f"{path}.content")
    return {**plain, "tool_calls": calls} if calls else plain


def _with_reasoning(message: dict[str, Any]) -> dict[str, Any]:
    """`message` with its thinking under the names that templates read, as transformers gives it to them."""
    names = ("reasoning_content", "thinking", "reasoning")
    thoughts = [message[name] for name in names if message.get(name) is not None]
    return {"thinking": thoughts[0], **message, "reasoning_content": thoughts[0]} if thoughts else message


def _content(content: Any, role: str, has_calls: bool, form: HistoryForm, path: str) -> Any:
    if content is None and has_calls:
        return form.empty_content
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        raise InputError(f"{path}: expected text or a list of text parts, found {_short(content)}")
    parts = [_part(part, f"{path}[{index}]") for index, part in enumerate(content)]
    if role in form.roles_in_parts and parts:
        return parts
    return PART_SEPARATOR.join(part["text"] for part in parts)


def _part(part: Any, path: str) -> dict[str, Any]:
    if isinstance(part, dict) and part.get("type") == "text" and isinstance(part.get("text"), str):
        return part
    raise InputError(f'{path}: expected {{"type": "text", "text": ...}}, found {_short(part)}')


def _calls(calls: Any, role: str, form: HistoryForm, path: str) -> list[dict[str, Any]]:
    if not calls:
        return []
    if role != "assistant":
        raise InputError(f"{path}: a message of role {role!r} cannot call tools")
    if not isinstance(calls, list):
        raise InputError(f"{path}: expected a list of calls, found {_short(calls)}")
    return [_call(call, form, f"{path}[{index}]") for index, call in enumerate(calls)]


def _call(call: Any, form: HistoryForm, path: str) -> dict[str, Any]:
    """A call in OpenAI's form, from that form or from a bare `{"name": ..., "arguments": ...}`."""
    if not isinstance(call, dict):
        raise InputError(f"{path}: expected a call as an object, found {_short(call)}")
    if "function" not in call:
        bare = {key: value for key, value in call.items() if key in ("name", "arguments")}
        call = {key: value for key, value in call.items() if key not in bare} | {"function": bare}
    if (call.get("type") or "function") != "function":
        raise InputError(f"{path}.type: {_short(call['type'])} is no call that templates know; expected 'function'")
    _check_id(call.get("id"), f"{path}.id")
    function = call["function"]
    if not isinstance(function, dict) or not isinstance(function.get("name"), str) or not function["name"]:
        raise InputError(f"{path}.function: expected a name and arguments, found {_short(function)}")
    arguments = _arguments(function.get("arguments"), form, f"{path}.function.arguments")
    return {"type": "function", **call, "function": {**function, "arguments": arguments}}


def _check_id(value: Any, path: str) -> None:
    if value is not None and not isinstance(value, str):
        raise InputError(f"{path}: expected text, found {_short(value)}")


def _arguments(arguments: Any, form: HistoryForm, path: str) -> Any:
    given = "{}" if arguments is None or arguments == "" else arguments
    decoded = _decoded(given, path) if isinstance(given, str) else given
    if not isinstance(decoded, dict):
        raise InputError(f"{path}: expected an object, or the JSON text of one, found {_short(arguments)}")
    if not form.arguments_as_text:
        return decoded
    return given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)


def _decoded(text: str, path: str) -> Any:
    try:
        return plain_json(json.loads(text), path)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: no JSON: {error}: {_short(text)}") from None


def _with_ids(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """`messages` with an id on each call, and on each result that follows a call."""
    taken = {call["id"] for message in messages for call in message.get("tool_calls", ()) if call.get("id")}
    taken |= {message["tool_call_id"] for message in messages if message.get("tool_call_id")}
    fresh = (new for number in range(10**5) if (new := f"call{number:0{_ID_LENGTH - 4}}") not in taken)
    complete: list[dict[str, Any]] = []
    unanswered: list[dict[str, Any]] = []
    for index, message in enumerate(messages):
        if "tool_calls" in message:
            ids = chain(_ids_of_results(messages[index:]), fresh)
            unanswered = [call if call.get("id") else {**call, "id": next(ids)} for call in message["tool_calls"]]
            message = {**message, "tool_calls": list(unanswered)}
        elif message["role"] == "tool":
            message = _answering(message, unanswered)
        complete.append(message)
    return complete


def _ids_of_results(messages: list[dict[str, Any]]) -> list[str]:
    """The ids that the results right after `messages[0]` name and its calls do not."""
    results = takewhile(lambda message: message["role"] == "tool", messages[1:])
    known = [call.get("id") for call in messages[0]["tool_calls"]]
    return [id_ for result in results if (id_ := result.get("tool_call_id")) and id_ not in known]


def _answering(result: dict[str, Any], unanswered: list[dict[str, Any]]) -> dict[str, Any]:
    """`result` with the id of its call, which is taken off `unanswered`: the one named, else the first."""
    wanted, name = result.get("tool_call_id"), result.get("name")
    fitting = [call for call in unanswered if call["id"] == wanted or (not wanted and call["function"]["name"] == name)]
    if not fitting and not wanted:
        fitting = unanswered[:1]
    for call in fitting[:1]:
        unanswered.remove(call)
        return {**result, "tool_call_id": call["id"]}
    return result


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=repr)[:60]
    return text.encode(errors="backslashreplace").decode()
