"""Values are changed in a line's text; all else stays as its author wrote it."""

import json

import pytest

from assets.items.line_edits import with_values


@pytest.mark.parametrize(
    ("text", "values", "expected"),
    [
        ('{"id": "a", "answer": 1e6}', {"id": "b"}, '{"id": "b", "answer": 1e6}'),
        ('{"answer": 3.0}', {"status": "dropped"}, '{"answer": 3.0, "status": "dropped"}'),
        ('{ "a":1 ,"b" : [1, {"a": "}"}] }\r\n', {"a": "x"}, '{ "a":"x" ,"b" : [1, {"a": "}"}] }\r\n'),
        ('{"a": 1, "b": 2}', {"b": "y", "a": "x"}, '{"a": "x", "b": "y"}'),
        ('{"a": null}', {"a": ("x", "y")}, '{"a": ["x", "y"]}'),
        ('{"a": 1, "a": 2}', {"a": 3}, '{"a": 1, "a": 3}'),
        ("{}", {"a": "é"}, '{"a": "é"}'),
        ('{"a": 1 }\n', {"b": 2}, '{"a": 1, "b": 2 }\n'),
        ('{"a \\" {": 1}', {'a " {': 2}, '{"a \\" {": 2}'),
        ('{"a": 1}', {}, '{"a": 1}'),
    ],
)
def test_only_the_value_changes(text: str, values: dict, expected: str) -> None:
    assert with_values(text, values) == expected
    json.loads(expected)
