"""Schemas of one argument, each with texts that a call may and may not have for its value.

They may refer to the definitions of `schema_tools.ROOT`.
"""

from engine.numbers import MAX_FRACTION_DIGITS, MAX_INTEGER_DIGITS

BIG = "9" * MAX_INTEGER_DIGITS
LONG = "1" * MAX_FRACTION_DIGITS

NUMBERS = [
    (
        {"type": "number"},
        ["0", "-0", "1e+10", "1E-09", "1e5", "0.5", "-0.25", "1.0e0", BIG, f"0.{LONG}", "9e307", "1e-999", "12.5E3"],
        ["01", "-01", "1.e2", ".5", "-.5", "+1", "1.", "1e", "NaN", "Infinity", "1e999", "1e308", BIG + "9"],
    ),
    ({"type": "number"}, [], [f"0.{LONG}1", "12e300", "0x1", "1_0", '"1"', "1 ", "--1", "1e5.0", "1e1000"]),
    ({"type": "integer"}, ["0", "-0", "-7", "120000", BIG, "-" + BIG], ["120000.0", "1e3", "1.5", "01", BIG + "9"]),
    ({"type": "integer", "minimum": 0}, ["0", "7", BIG], ["-1", "-0", "0.0", BIG + "9"]),
    ({"type": "integer", "minimum": -5}, ["-5", "-0", "0", "9"], ["-6", "-10", "-5.0"]),
    ({"type": "integer", "maximum": -5}, ["-5", "-100"], ["-4", "0", "5", "-05"]),
    ({"type": "integer", "minimum": 1, "maximum": 120}, ["1", "99", "120"], ["0", "121", "200", "1000", "012"]),
    ({"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 3}, ["1", "2"], ["0", "3"]),
    ({"type": "integer", "minimum": 0.5, "maximum": 2.5}, ["1", "2"], ["0", "3", "1.5"]),
    ({"type": "integer", "minimum": 10**19}, [str(10**19), str(10**20)], ["9223372036854775807", "1"]),
    ({"type": "integer", "minimum": 2**63, "maximum": 2**63 + 1}, [str(2**63 + 1)], [str(2**63 - 1), str(2**63 + 2)]),
    ({"type": "integer", "multipleOf": 5}, ["0", "10", "-15"], ["12", "1", "5.0"]),
    ({"type": "integer", "format": "int32"}, ["2147483647", "-2147483648"], ["2147483648", "-2147483649"]),
    ({"type": "integer", "format": "int64"}, [str(2**63 - 1), str(-(2**63))], [str(2**63)]),
    ({"type": "integer", "format": "int32", "minimum": 0}, ["0", "2147483647"], ["-1", "2147483648"]),
    ({"type": "number", "format": "float"}, ["1.5", "1e10"], ["x"]),
    ({"type": "number", "minimum": 0, "maximum": 1}, ["0", "1", "0.5", "1.0", "0.0"], ["1.1", "-0.1", "2", "5e-1"]),
    ({"type": "number", "minimum": -1.5}, ["-1.5", "-1.49", "0", "99.5"], ["-1.51", "-2", "-1.500001"]),
    ({"type": "number", "exclusiveMinimum": 0}, ["0.1", "3"], ["0", "0.0", "-1"]),
    ({"type": "number", "maximum": 10, "exclusiveMaximum": True}, ["9.9", "-3"], ["10", "10.0"]),
    ({"type": "number", "exclusiveMaximum": 0.3}, ["0.29999"], ["0.3", "0.29999999999999999999"]),
    ({"type": "number", "multipleOf": 0.01}, ["0.01", "1.25"], ["0.015"]),
    ({"type": ["integer", "null"]}, ["3", "null"], ["3.0", "x"]),
    ({"type": ["integer", "number"]}, ["3", "3.5"], ["x"]),
    ({"type": "array", "items": {"type": "integer"}}, [f"[{BIG}]"], [f"[{BIG}9]", "[1.0]"]),
    ({"type": "array", "items": {"type": "number"}}, [f"[0.{LONG}, 1e5]"], ["[1e999]", f"[0.{LONG}1]"]),
    ({}, ["1e5", BIG], ["1e999", BIG + "9", "[1e999]", '{"k": 1e999}']),
]

MEMBERS = [
    (
        {"enum": ["北京", 'a"b', "c\\d", 3, None, True]},
        ['"北京"', '"a\\"b"', '"c\\\\d"', "3", "null", "true"],
        ['"北"', '"3"', "false", '"null"', '"\\u5317京"', '"a"b"', "3.0"],
    ),
    ({"enum": [2**70, 1e-7, 0.1, 1e300]}, [str(2**70), "1e-07", "0.1", "1e+300"], [str(2**70 + 1), "0", "0.10"]),
    ({"enum": [["x", 1], {"k": [None]}]}, ['["x", 1]', '{"k": [null]}'], ['["x",1]', '["x"]', "{}"]),
    ({"enum": ["3", 3], "type": "string"}, ['"3"'], ["3"]),
    ({"enum": [1.0, 2.5], "type": "integer"}, ["1"], ["1.0", "2.5"]),
    ({"enum": [2**70, -1, "x", None], "minimum": 0}, [str(2**70), '"x"', "null"], ["-1"]),
    ({"enum": ["a", "ab", "abc", 7], "minLength": 2, "maxLength": 2}, ['"ab"', "7"], ['"a"', '"abc"']),
    ({"enum": [[], [1], {}], "minItems": 1}, ["[1]", "{}"], ["[]"]),
    ({"enum": ["ab", "b"], "pattern": "^a"}, ['"ab"'], ['"b"']),
    ({"enum": ["a", "ab", "abc"]}, ['"a"', '"ab"', '"abc"'], ['""', '"abcd"', '"b"']),
    ({"const": "é"}, ['"é"'], ['"e"', '"\\u00e9"']),
    ({"const": {"x": None}}, ['{"x": null}'], ["{}"]),
    ({"const": "a", "title": "Kind", "default": "a"}, ['"a"'], ['"b"']),
    ({"enum": ["a", None], "nullable": True, "type": "string"}, ['"a"', "null"], ['"b"']),
]

STRINGS = [
    ({"type": "string"}, ['""', '"\\n"', '"\\u0001"', '"</tool_call>"', '"北京é😀"'], ['"\n"', '"\\ud800"', "x", '"a']),
    ({"type": "string", "maxLength": 2}, ['"北京"', '"\\n\\""', '"😀é"'], ['"abc"', '"北京x"']),
    ({"type": "string", "minLength": 2.0}, ['"ab"'], ['"a"']),
    ({"type": "string", "maxLength": 4000}, ['"%s"' % ("é" * 4000)], ['"%s"' % ("é" * 4001)]),
    (
        {"type": "array", "items": {"type": "object", "properties": {"s": {"type": "string", "maxLength": 4000}}}},
        ['[{"s": "%s"}]' % ("北" * 4000)],
        ['[{"s": "%s"}]' % ("北" * 4001)],
    ),
    ({"type": "string", "pattern": r"^\d{4}-\d{2}$"}, ['"2024-01"'], ['"x2024-01"', '"2024-1"', '"2024-01\\n"']),
    ({"type": "string", "pattern": r"\d{2}"}, ['"x12y"', '"12"'], ['"x1y2"', '""']),
    ({"type": "string", "pattern": r"\S"}, ['" x"', '"x"'], ['" "', '""']),
    ({"type": "string", "pattern": "^a|b$"}, ['"ax"', '"xb"'], ['"xa"', '"bx"']),
    ({"type": "string", "pattern": r"^\/[a-z]+\.x$"}, ['"/a.x"'], ['"/ayx"', '"a.x"']),
    ({"type": "string", "pattern": "^[&&a]$"}, ['"&"', '"a"'], ['"b"']),
    ({"type": "string", "pattern": "^[[a]$"}, ['"["', '"a"'], ['"b"']),
    (
        {"type": "string", "format": "date"},
        ['"2024-02-29"', '"2000-02-29"', '"1999-12-31"', '"2023-02-28"'],
        ['"2023-02-29"', '"1900-02-29"', '"2024-02-30"', '"2024-04-31"', '"0000-01-01"', '"2024-2-29"', '"x"'],
    ),
    ({"type": "string", "format": "date", "pattern": "^20"}, ['"2024-02-29"'], ['"2023-02-29"', '"1999-01-01"']),
    ({"type": "string", "format": "date-time"}, ['"2024-02-29T10:00:00Z"'], ['"2023-02-29T10:00:00Z"', '"2024-02-29"']),
    ({"type": "string", "format": "uuid"}, ['"123e4567-e89b-12d3-a456-426614174000"'], ['"123"']),
    ({"type": "string", "format": "password"}, ['"x"'], ["1"]),
]

ARRAYS = [
    ({"type": "array", "items": {"type": "integer"}}, ["[]", "[1]", "[1, 2]"], ["[1,2]", "[1, ]", '["a"]', "1"]),
    ({"type": "array", "items": {"enum": ["a"]}, "minItems": 1, "maxItems": 2}, ['["a"]', '["a", "a"]'], ["[]"]),
    ({"type": "array", "items": {"type": "null"}, "maxItems": 1}, ["[]", "[null]"], ["[null, null]"]),
    ({"type": "array", "maxItems": 0}, ["[]"], ["[1]"]),
    ({"type": "array", "items": {"type": "null"}, "maxItems": 100000}, ["[null]"], ["[1]"]),
    ({"type": "array"}, ['[1, "a", [{}]]'], ["[1,2]", "x"]),
    ({"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}]}, ['[1, "a", true]', "[1]"], ['["a"]']),
    (
        {"type": "array", "items": [{"type": "integer"}, {"type": "string"}], "additionalItems": False},
        ['[1, "a"]', "[]"],
        ['[1, "a", 2]', '["a"]'],
    ),
    (
        {"type": "array", "prefixItems": [{"type": "integer"}], "items": {"type": "null"}, "minItems": 2},
        ["[1, null]", "[1, null, null]"],
        ["[1]", "[1, 2]"],
    ),
    ({"type": "array", "uniqueItems": False, "items": {"type": "integer"}}, ["[1, 1]"], ["[a]"]),
    ({"type": "array", "uniqueItems": True, "items": {"type": "integer"}, "maxItems": 1}, ["[1]"], ["[1, 2]"]),
]

X = {"type": "object", "properties": {"x": {"type": "integer"}}}
Y = {"type": "object", "properties": {"y": {"type": "boolean"}}, "required": ["y"]}
OBJECTS = [
    ({**X, "required": ["x"]}, ['{"x": 1}'], ["{}", '{"x": 1, "z": 2}', '{"x":1}', '{"x": "1"}']),
    # Declared order, whatever the order of `required`, and no other keys.
    (
        {"type": "object", "properties": {"z": {"type": "integer"}, "a": {"type": "integer"}}, "required": ["a"]},
        ['{"z": 1, "a": 2}', '{"a": 2}'],
        ['{"a": 2, "z": 1}', '{"z": 1}', '{"a": 2, "b": 3}', '{"a": 2, "a": 3}'],
    ),
    ({**X, "additionalProperties": {"type": "null"}}, ['{"x": 1, "z": null}', '{"z": null}'], ['{"z": 1}']),
    ({**X, "additionalProperties": True}, ['{"x": 1, "z": [1]}'], ['{"x": "a"}']),
    ({"type": "object"}, ["{}", '{"k": [1, {}]}'], ['{"k":1}']),
    ({"type": "object", "additionalProperties": {"type": "integer"}}, ['{"k": 1, "l": 2}'], ['{"k": "a"}']),
    ({"type": "object", "additionalProperties": False}, ["{}"], ['{"k": 1}']),
    ({"type": "object", "properties": {}, "required": ["k"]}, ['{"k": 1}'], ["{}"]),
    ({**X, "required": ["k"]}, ['{"k": 1}', '{"x": 1, "k": 1}'], ["{}", '{"x": 1}']),
    (
        {"type": "object", "properties": {"x": False, "y": {"type": "integer"}}},
        ["{}", '{"y": 1}'],
        ['{"x": 1}', '{"x": 1, "y": 1}'],
    ),
    ({"type": "object", "patternProperties": {"^x": {"type": "integer"}}}, ['{"x1": 1}', "{}"], ['{"y": 1}']),
    ({"type": "object", "propertyNames": {"type": "string"}}, ['{"k": 1}'], ["1"]),
    ({"type": "object", "propertyNames": {"pattern": "^[a-z]+$"}}, ['{"ab": 1}', "{}"], ['{"A": 1}']),
    (
        {"type": "object", "propertyNames": {"enum": ["a", "b"]}, "additionalProperties": {"type": "integer"}},
        ['{"a": 1, "b": 2}', '{"b": 1}', "{}"],
        ['{"c": 1}', '{"a": "x"}'],
    ),
    ({"type": "object", "propertyNames": {"enum": ["a"]}, "unevaluatedProperties": False}, ["{}"], ['{"a": 1}']),
    ({**X, "minProperties": 1}, ['{"x": 1}'], ["{}"]),
    ({"type": "object", "minProperties": 1, "maxProperties": 1}, ['{"k": 1}'], ["{}", '{"k": 1, "l": 2}']),
    ({**X, "unevaluatedProperties": False}, ['{"x": 1}'], ['{"z": 1}']),
    ({"type": "object", "properties": {"properties": X, "enum": {"const": 1}}}, ['{"properties": {}, "enum": 1}'], []),
    ({"properties": {"x": {"type": "integer"}}}, ['{"x": 1}', "3", '"a"'], ['{"x": "a"}', '{"z": 1}']),
    (True, ["1", '{"z": [1, null]}', '"x"'], ["x", "[1,2]"]),
    ({"title": "Anything", "x-order": 3, "deprecated": True}, ["1", '"x"'], ["x"]),
]

COMBINED = [
    ({"allOf": [X, Y]}, ['{"x": 1, "y": true}', '{"y": true}'], ["{}", '{"y": true, "z": 1}', '{"x": "a", "y": true}']),
    ({"allOf": [{"$ref": "#/$defs/Base"}, Y]}, ['{"id": 1, "y": true}'], ['{"id": 1}', '{"id": 1, "y": true, "z": 1}']),
    ({**X, "allOf": [Y], "description": "d"}, ['{"x": 1, "y": true}'], ['{"x": 1}']),
    ({"allOf": [{"$ref": "#/$defs/Color"}], "description": "d"}, ['"red"'], ['"blue"']),
    ({"allOf": [{"type": "string", "minLength": 2}, {"maxLength": 3}]}, ['"ab"', '"abc"'], ['"a"', '"abcd"']),
    ({"allOf": [{"enum": [1, "a", "b"]}, {"type": "string"}]}, ['"a"'], ["1"]),
    ({"allOf": [{"pattern": "a"}, {"pattern": "b"}], "type": "string"}, ['"ab"', '"ba"'], ['"a"', '"b"']),
    ({"$ref": "#/$defs/Base", "properties": {"y": {"type": "null"}}}, ['{"id": 1, "y": null}', '{"id": 1}'], ["{}"]),
    ({"$ref": "#/$defs/Base", "description": "d"}, ['{"id": 1}'], ['{"id": 1, "y": 1}']),
    (
        {"allOf": [{"$ref": "#/$defs/Open"}, {"properties": {"y": {"type": "null"}}}]},
        ['{"id": 1, "y": null, "z": 2}', '{"y": null}'],
        ['{"y": 1}'],
    ),
    (
        {**X, "anyOf": [{"required": ["x"]}, Y]},
        ['{"x": 1}', '{"y": true}', '{"x": 1, "y": true}'],
        ["{}", '{"x": 1, "z": 1}'],
    ),
    ({"anyOf": [X, Y]}, ['{"x": 1}', "{}", '{"y": true}'], ['{"x": 1, "y": true}', '{"z": 1}']),
    ({"anyOf": [{"type": "string"}, {"type": "null"}]}, ['"x"', "null"], ["3"]),
    ({"anyOf": [{"type": "integer"}, {"type": "array", "items": {"type": "integer"}}]}, ["3", "[3]"], ['"3"']),
    ({"oneOf": [{"type": "string"}, {"type": "integer"}]}, ['"x"', "3"], ["3.5"]),
    (
        {"oneOf": [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}], "discriminator": {"propertyName": "kind"}},
        ['{"kind": "cat", "lives": 7}', '{"kind": "dog", "barks": true}'],
        ['{"kind": "cat", "barks": true}', '{"kind": "cow"}', "{}"],
    ),
    ({"anyOf": [False, {"type": "null"}]}, ["null"], ["1"]),
    ({"anyOf": [True, {"type": "null"}], "type": "integer"}, ["1"], ["null"]),
    ({"oneOf": [False, {"type": "null"}]}, ["null"], ["1"]),
    (
        {"anyOf": [{"type": "string"}, {"type": "integer"}], "oneOf": [{"type": "integer"}, {"type": "null"}]},
        ["1"],
        ['"a"', "null"],
    ),
    ({"allOf": [{"anyOf": [{"const": 1}, {"const": 2}]}], "anyOf": [{"const": 2}, {"const": 3}]}, ["2"], ["1", "3"]),
    ({**X, "allOf": [{"unevaluatedProperties": False}]}, ["{}"], ['{"x": 1}', '{"z": 1}']),
    ({"allOf": [{**X, "unevaluatedProperties": False}]}, ['{"x": 1}'], ['{"z": 1}']),
    ({"type": "string", "nullable": True}, ['"x"', "null"], ["3"]),
    ({"$ref": "#/$defs/Color", "nullable": True}, ['"red"', "null"], ['"blue"']),
    ({"type": "string", "nullable": False}, ['"x"'], ["null"]),
]

REFERENCES = [
    ({"$ref": "#/$defs/Color"}, ['"red"'], ['"blue"', '"re"', "red"]),
    ({"type": "array", "items": {"$ref": "#/definitions/Old"}}, ["[true]"], ["[1]"]),
    ({"$ref": "#/$defs/Node"}, ['{"v": 1, "next": {"v": 2}}', '{"v": 1}'], ['{"next": {"v": 1}}', '{"v": 1, "w": 2}']),
    ({"$ref": "#/$defs/Tree"}, ["[]", "[[], [[]]]"], ["[1]"]),
    ({"$ref": "#/$defs/odd~1name%20~0"}, ["1"], ["2"]),
    ({"$ref": "#/properties/color"}, ['"green"'], ['"blue"']),
    # `#` is the tool's whole schema, not the argument's.
    ({"anyOf": [{"$ref": "#"}, {"type": "null"}]}, ['{"a": null, "color": "red"}', "null"], ['{"color": "blue"}', "1"]),
    ({"type": "object", "properties": {"n": {"$ref": "#/$defs/Node"}}}, ['{"n": {"v": 1}}'], ['{"n": 1}']),
]

ALL = [*NUMBERS, *MEMBERS, *STRINGS, *ARRAYS, *OBJECTS, *COMBINED, *REFERENCES]

OTHER_DIALECTS = ("nullable", "additionalItems", "'exclusiveMaximum': True", "[[", "&&")
"""What marks the schemas of those tables that a validator of JSON Schema 2020-12 reads otherwise."""
