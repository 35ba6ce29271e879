"""The audit of a collection of tools: what it counts, and what it finds."""

import json
from typing import Any

import pytest
from toy_vocabulary import toy_vocabulary

from engine.formats import LFM2, QWEN, CallFormat
from engine.tool_forms import read_tool, tool_from_bfcl
from sim.bfcl import SINGLE_TURN_FILES, find_bfcl, read_definitions
from sim.random_walk import RandomWalk
from studies.audit import Audit, Definition, Tally, limited, to_json
from studies.cli import main
from studies.spellings import SPELLINGS, NumberText, write_json

GOOD = {
    "name": "good",
    "description": "",
    "parameters": {
        "type": "dict",
        "properties": {
            "city": {"type": "string"},
            "count": {"type": "integer"},
            "place": {"type": "dict", "properties": {"x": {"type": "float"}, "y": {"type": "float"}}},
        },
        "required": ["city", "count", "place"],
    },
}


def with_argument(name: str, schema: Any) -> dict[str, Any]:
    return {"name": name, "description": "", "parameters": {"type": "object", "properties": {"a": schema}}}


def with_required(definition: dict[str, Any]) -> dict[str, Any]:
    return {**definition, "parameters": {**definition["parameters"], "required": ["a"]}}


def crash(_data: Any):
    raise ZeroDivisionError("by zero")


def audited(*definitions: Definition, call_format: CallFormat = QWEN, calls: int = 2) -> Tally:
    vocabulary = toy_vocabulary()
    tally = Tally()
    audit = Audit(call_format, vocabulary, RandomWalk(0, vocabulary), calls)
    assert len(list(audit.run(definitions, tally))) == tally.distinct
    return tally


def test_identical_definitions_are_tried_once_and_counted_as_often_as_they_are_there():
    copies = [Definition(source, GOOD, tool_from_bfcl) for source in ("one", "one", "two")]
    tally = audited(*copies, Definition("two", with_argument("other", {"type": "null"}), read_tool))
    assert tally.distinct == 2
    assert tally.definitions == {"one": 2, "two": 2}
    assert tally.built == {"one": 2, "two": 2}
    assert tally.changed == {"one": 2, "two": 1}
    assert tally.generated.total() == 4
    assert tally.is_clean


def test_a_bad_definition_is_refused_by_its_reason_and_takes_no_other_down():
    bad = [with_argument("bad", {"not": {}}), with_argument("worse", {"type": "string", "pattern": "(?=a)"})]
    tally = audited(*(Definition("file", each, read_tool) for each in (*bad, bad[0], with_argument("fine", {}))))
    assert tally.refused == {"this keyword cannot be enforced": 2, "regex parse error": 1}
    assert [text.split(": ")[1] for text in tally.refusals] == [
        "$.parameters.properties.a.not",
        "$.parameters.properties.a.pattern",
    ]
    assert tally.built == {"file": 1}
    assert tally.is_clean


def test_a_crash_is_counted_and_named():
    tally = audited(Definition("file", {"name": "x"}, crash), Definition("file", GOOD, tool_from_bfcl))
    assert tally.crashed == ['file: ZeroDivisionError: by zero: {"name": "x"}']
    assert tally.built == {"file": 1}
    assert not tally.is_clean


def test_a_written_call_that_breaks_its_schema_is_found():
    """`nullable` is OpenAPI's: the constraint allows null, and a validator of JSON Schema does not."""
    odd = with_required(with_argument("odd", {"type": "boolean", "nullable": True}))
    tally = audited(Definition("file", odd, read_tool), calls=20)
    assert tally.invalid
    assert all("$.a: None is not of type 'boolean'" in text for text in tally.invalid)
    assert not tally.is_clean


def test_a_value_in_the_formats_own_layout_that_is_refused_is_found(monkeypatch):
    """Within bounds a number has no exponent, and JSON's own writer gives this one such."""
    monkeypatch.setattr("studies.audit.SchemaValues.draw_arguments", lambda _: {"a": 1e-7})
    tally = audited(Definition("file", with_argument("small", {"type": "number", "minimum": 0}), read_tool))
    (fault,) = tally.unexplained
    assert fault.startswith("small: ")
    assert '"a": 1e-07' in fault
    assert not tally.is_clean


def test_each_spelling_is_counted_with_what_jsonschema_and_the_constraint_say():
    tally = audited(Definition("file", GOOD, tool_from_bfcl))
    counted = {name: (counts["valid"], counts["refused"]) for name, counts in tally.spellings.items()}
    refused = {name for name, (valid, count) in counted.items() if count}
    assert refused == {spelling.name for spelling in SPELLINGS[1:]}
    assert counted[SPELLINGS[0].name] == (1, 0)
    assert to_json(tally)["spellings"]["a whole number as 5.0"]["reason"]


def test_in_a_format_whose_values_are_no_json_only_its_own_layout_is_offered():
    tally = audited(Definition("file", GOOD, tool_from_bfcl), call_format=LFM2)
    assert list(tally.spellings) == [SPELLINGS[0].name]
    assert tally.is_clean


ARGUMENTS = {"s": "a", "n": 5, "o": {"x": [1.5], "y": "b"}, "t": True}
TEXTS = {
    "as the format writes it": '{"s": "a", "n": 5, "o": {"x": [1.5], "y": "b"}, "t": true}',
    "arguments in another order": '{"t": true, "o": {"x": [1.5], "y": "b"}, "n": 5, "s": "a"}',
    "keys of an object in another order": '{"s": "a", "n": 5, "o": {"y": "b", "x": [1.5]}, "t": true}',
    "a key that an object does not declare": (
        '{"s": "a", "n": 5, "o": {"x": [1.5], "y": "b", "zz_undeclared": 1}, "t": true}'
    ),
    "a whole number as 5.0": '{"s": "a", "n": 5.0, "o": {"x": [1.5], "y": "b"}, "t": true}',
    "a number as 1e2": '{"s": "a", "n": 1e2, "o": {"x": [1.5], "y": "b"}, "t": true}',
    "no space behind commas and colons": '{"s":"a","n":5,"o":{"x":[1.5],"y":"b"},"t":true}',
    "letters as \\u escapes": '{"s": "a\\u00e9", "n": 5, "o": {"x": [1.5], "y": "b"}, "t": true}',
}


@pytest.mark.parametrize("name", TEXTS)
def test_spellings_write_the_same_arguments_in_another_way(name):
    spelling = next(each for each in SPELLINGS if each.name == name)
    changed = spelling.change(ARGUMENTS)
    assert changed is not None
    assert write_json(changed, spelling.separators or (", ", ": "), spelling.ascii_only) == TEXTS[name]


@pytest.mark.parametrize("arguments", [{}, {"a": None}, {"a": True}, {"a": []}])
def test_a_spelling_that_does_not_apply_is_left_out(arguments):
    left = {spelling.name for spelling in SPELLINGS if spelling.change(arguments) is None}
    assert {"arguments in another order", "a number as 1e2", "letters as \\u escapes"} <= left


def test_numbers_keep_their_own_spelling():
    assert write_json({"a": [NumberText("1E5"), 2]}) == '{"a": [1E5, 2]}'


def test_a_limit_counts_distinct_definitions():
    definitions = [Definition("f", {"name": name}, read_tool) for name in "abacab"]
    assert [each.data["name"] for each in limited(definitions, 2)] == ["a", "b", "a", "a", "b"]
    assert limited(definitions, None) == definitions


def test_bfcl_has_the_definitions_of_its_single_turn_files():
    counts = {name: sum(1 for _ in read_definitions(find_bfcl(), name)) for name in SINGLE_TURN_FILES}
    assert len(counts) == 13
    assert sum(counts.values()) == 8726


def test_audit_prints_the_counts_and_writes_them(monkeypatch, capsys, tmp_path):
    """On the embedded model's vocabulary, with a file of one good and one bad tool beside BFCL's."""
    tools = tmp_path / "api.jsonl"
    argument = {"type": "int", "required": True}
    rows = [{"name": name, "arguments": {"n": argument}} for name in ("one", "two")] + [{"name": "bad", "arguments": 3}]
    tools.write_text("".join(json.dumps(row) + "\n" for row in rows))
    out = tmp_path / "audit.json"
    arguments = ["audit", "--limit", "4", "--droidcall", str(tools), "--out", str(out)]
    monkeypatch.setattr("sys.argv", ["schemaweaver", *arguments])
    with pytest.raises(SystemExit) as caught:
        main()
    assert caught.value.code == 0
    counts = json.loads(out.read_text())
    assert (counts["distinct"], counts["definitions"]["api.jsonl"], counts["built"]["api.jsonl"]) == (7, 3, 2)
    assert (counts["crashed"], counts["invalid"], counts["unexplained"]) == ([], [], [])
    printed = capsys.readouterr().out
    assert " api.jsonl" in printed
    assert "required ones come first, in declared order" in printed
