"""Conversations that callers hand in, as templates get them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import InputError
from engine.history import ROLES, HistoryForm, normalise

USER = {"role": "user", "content": "hi"}
OBJECT, TEXT = HistoryForm(), HistoryForm(arguments_as_text=True, empty_content="")
ARGUMENTS = {"a": "ü", "b": [1, 1.0, None, {"c": 12345678901234567890123}]}


def calling(*calls, **others):
    return {"role": "assistant", "content": None, "tool_calls": list(calls), **others}


def call(name="f", arguments=None, **others):
    return {"type": "function", "function": {"name": name, "arguments": arguments or {}}, **others}


def result(content="ok", **others):
    return {"role": "tool", "content": content, **others}


def arguments_of(message):
    return [each["function"]["arguments"] for each in message["tool_calls"]]


@pytest.mark.parametrize(
    ("given_arguments", "as_object", "as_text"),
    [
        ({"a": 1}, {"a": 1}, '{"a": 1}'),
        ('{"a":1}', {"a": 1}, '{"a":1}'),
        ('{"a": "\\u00fc", "n": 1.0}', {"a": "ü", "n": 1.0}, '{"a": "\\u00fc", "n": 1.0}'),
        ({"a": "ü<b>"}, {"a": "ü<b>"}, '{"a": "ü<b>"}'),
        ("{}", {}, "{}"),
        ("", {}, "{}"),
        (None, {}, "{}"),
        ({}, {}, "{}"),
        ('{"n": 12345678901234567890123}', {"n": 12345678901234567890123}, '{"n": 12345678901234567890123}'),
    ],
)
def test_arguments_reach_the_template_in_its_form(given_arguments, as_object, as_text):
    message = calling({"type": "function", "function": {"name": "f", "arguments": given_arguments}})
    assert arguments_of(normalise([USER, message], OBJECT)[1]) == [as_object]
    assert arguments_of(normalise([USER, message], TEXT)[1]) == [as_text]


@pytest.mark.parametrize("missing", [[], None, "absent"])
def test_no_calls_are_no_calls_however_they_are_written(missing):
    message = {"role": "assistant", "content": "hi", **({} if missing == "absent" else {"tool_calls": missing})}
    assert normalise([USER, message], OBJECT)[1] == {"role": "assistant", "content": "hi"}


@pytest.mark.parametrize("message", [calling(call()), {k: v for k, v in calling(call()).items() if k != "content"}])
def test_a_call_without_words_has_the_content_that_the_template_takes(message):
    assert normalise([USER, message], OBJECT)[1]["content"] is None
    assert normalise([USER, message], TEXT)[1]["content"] == ""


def test_a_bare_call_becomes_one_of_openai():
    message = calling({"name": "f", "arguments": {"a": 1}, "id": "x"})
    assert normalise([USER, message], OBJECT)[1]["tool_calls"] == [
        {"type": "function", "id": "x", "function": {"name": "f", "arguments": {"a": 1}}}
    ]


@pytest.mark.parametrize(
    ("messages", "ids"),
    [
        ([calling(call()), result()], [["call00000"], "call00000"]),
        ([calling(call(id="mine")), result(tool_call_id="mine")], [["mine"], "mine"]),
        ([calling(call(id="mine")), result()], [["mine"], "mine"]),
        ([calling(call()), result(tool_call_id="theirs")], [["theirs"], "theirs"]),
        ([calling(call("f"), call("g")), result(), result()], [["call00000", "call00001"], "call00000", "call00001"]),
        # By name, where the results come in another order.
        (
            [calling(call("f"), call("g")), result(name="g"), result(name="f")],
            [["call00000", "call00001"], "call00001", "call00000"],
        ),
        (
            [calling(call(id="x"), call()), result(tool_call_id="y"), result(tool_call_id="x")],
            [["x", "y"], "y", "x"],
        ),
        ([calling(call(id="call00000"), call()), result()], [["call00000", "call00001"], "call00000"]),
        (
            [calling(call()), result(), calling(call()), result()],
            [["call00000"], "call00000", ["call00001"], "call00001"],
        ),
        ([calling(call(id=None)), result(tool_call_id=None)], [["call00000"], "call00000"]),
        # Results that follow no call stay without, and ids that name no call stay as they are.
        ([result()], [None]),
        ([calling(call()), result(), result()], [["call00000"], "call00000", None]),
        ([calling(call(id="a")), result(tool_call_id="b")], [["a"], "b"]),
    ],
)
def test_calls_and_results_without_ids_get_them(messages, ids):
    found = [
        [each["id"] for each in message["tool_calls"]] if "tool_calls" in message else message.get("tool_call_id")
        for message in normalise(messages, OBJECT)
    ]
    assert found == ids


@pytest.mark.parametrize("role", ["system", "user", "assistant", "tool"])
def test_parts_are_joined_unless_the_template_takes_them(role):
    parts = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
    message = {"role": role, "content": parts}
    assert normalise([message], OBJECT) == [{"role": role, "content": "a\nb"}]
    assert normalise([message], HistoryForm(roles_in_parts=frozenset({role}))) == [message]


def test_a_developer_speaks_as_the_system_where_the_template_knows_none():
    message = {"role": "developer", "content": "x"}
    assert normalise([message], HistoryForm(takes_developer=False)) == [{"role": "system", "content": "x"}]
    assert normalise([message], HistoryForm()) == [message]


@pytest.mark.parametrize("name", ["reasoning_content", "thinking", "reasoning"])
def test_thoughts_are_found_under_the_names_that_templates_read(name):
    message = normalise([{"role": "assistant", "content": "a", name: "hm"}], OBJECT)[0]
    assert (message["reasoning_content"], message["thinking"]) == ("hm", "hm")


@pytest.mark.parametrize(
    ("messages", "problem"),
    [
        ([], r"^messages: expected a list of messages, one at least, found \[\]"),
        ("hi", '^messages: expected a list of messages, one at least, found "hi"'),
        (USER, "^messages: expected a list"),
        (["hi"], r'^messages\[0\]: expected a message as an object, found "hi"'),
        ([USER, {"content": "x"}], rf"^messages\[1\].role: null is no role; choose one of: {', '.join(ROLES)}$"),
        ([{"role": "bot", "content": "x"}], r'^messages\[0\].role: "bot" is no role; choose one of: system'),
        ([{"role": ["user"], "content": "x"}], r'^messages\[0\].role: \["user"\] is no role'),
        ([{"role": "user"}], r"^messages\[0\].content: expected text or a list of text parts, found null"),
        ([{"role": "user", "content": 3}], r"^messages\[0\].content: .* found 3"),
        ([{"role": "assistant", "content": None}], r"^messages\[0\].content: expected text"),
        ([result({"a": 1})], r'^messages\[0\].content: .* found {"a": 1}'),
        ([{"role": "user", "content": [{"type": "image_url"}]}], r"^messages\[0\].content\[0\]: expected .*image_url"),
        ([{"role": "user", "content": ["x"]}], r'^messages\[0\].content\[0\]: expected {"type": "text"'),
        ([{"role": "user", "content": "\ud800x"}], r"^messages\[0\].content: character 0 is half of a surrogate pair"),
        ([{"role": "user", "content": "x", "\udfff": 1}], r"^messages\[0\]: character 0 is half"),
        ([{"role": "user", "content": "x", "extra": {1: 2}}], r"^messages\[0\].extra: expected text as a key, found 1"),
        (
            [{"role": "user", "content": "x", "extra": {1, 2}}],
            r'^messages\[0\].extra: expected a JSON value, found "{1',
        ),
        ([{"role": "user", "content": "x", "n": float("nan")}], r"^messages\[0\].n: expected a JSON value, found NaN"),
        (
            [{"role": "user", "content": "x", "tool_calls": [call()]}],
            r"^messages\[0\].tool_calls: .* 'user' cannot call",
        ),
        ([calling() | {"tool_calls": {"a": 1}}], r"^messages\[0\].tool_calls: expected a list of calls"),
        ([calling("f")], r'^messages\[0\].tool_calls\[0\]: expected a call as an object, found "f"'),
        ([calling({"id": "x"})], r"^messages\[0\].tool_calls\[0\].function: expected a name and arguments, found {}"),
        ([calling(call(""))], r"^messages\[0\].tool_calls\[0\].function: expected a name"),
        ([calling({**call(), "type": "custom"})], r'^messages\[0\].tool_calls\[0\].type: "custom" is no call'),
        ([calling(call(id=7))], r"^messages\[0\].tool_calls\[0\].id: expected text, found 7"),
        ([result(tool_call_id=["x"])], r'^messages\[0\].tool_call_id: expected text, found \["x"\]'),
        ([calling(call(arguments="{"))], r"^messages\[0\].tool_calls\[0\].function.arguments: no JSON: Expecting prop"),
        ([calling(call(arguments="[1]"))], r'^messages\[0\].*arguments: expected an object, .* found "\[1\]"'),
        ([calling(call(arguments=[1]))], r"^messages\[0\].*arguments: expected an object"),
        ([calling(call(arguments='{"a": NaN}'))], r"^messages\[0\].*arguments.a: expected a JSON value, found NaN"),
        ([calling(call(arguments='{"a": "\\ud800"}'))], r"^messages\[0\].*arguments.a: character 0 is half"),
        ([calling(call(arguments="[" * 100_000))], r"^messages\[0\].*arguments: no JSON: "),
        ([calling(call(arguments='{"a": ' + "9" * 5000 + "}"))], r"^messages\[0\].*arguments: no JSON: Exceeds"),
    ],
)
def test_what_is_no_conversation_is_refused_with_its_place(messages, problem):
    with pytest.raises(InputError, match=problem):
        normalise(messages, OBJECT)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@given(st.dictionaries(st.text(), json_values, max_size=3), st.text())
def test_normal_form_law_what_is_normal_stays_as_it_is(arguments, said):
    messages = [
        {"role": "system", "content": said},
        {"role": "user", "content": said},
        calling(call(arguments=arguments, id="abcdefghi")),
        result(said, tool_call_id="abcdefghi"),
    ]
    once = normalise(messages, OBJECT)
    assert once == messages
    assert normalise(once, OBJECT) == once


@given(st.dictionaries(st.text(), json_values, max_size=3))
def test_the_callers_messages_stay_as_they_are(arguments):
    messages = [USER, calling(call(arguments=arguments)), result()]
    before = repr(messages)
    normalise(messages, TEXT)
    assert repr(messages) == before


scraps = st.sampled_from(
    ["role", "content", "tool_calls", "function", "name", "arguments", "id", "user", "assistant", "tool"]
)
anything = st.recursive(
    json_values | scraps,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(scraps, inner, max_size=5),
    max_leaves=12,
)


@given(anything, st.booleans())
def test_refusal_law_anything_is_a_conversation_or_refused_with_its_place(value, as_text):
    problem = ""
    messages = []
    try:
        messages = normalise(value, TEXT if as_text else OBJECT)
    except InputError as error:
        problem = str(error)
    assert problem.startswith("messages") or len(messages) == len(value) > 0
    assert all(message["role"] in ROLES for message in messages)
