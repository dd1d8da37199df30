"""Schema problems: each in plain words, at the place where it can be put right."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from trickwright.places import home
from trickwright.places import schema as find_schema
from trickwright.problems import Mark, Report
from trickwright.schema import check
from trickwright.source import Node, read_text

SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "required": ["game", "players"],
    "additionalProperties": False,
    "properties": {
        "game": {"$ref": "#/$defs/name"},
        "title": {"type": "string", "minLength": 1, "maxLength": 10},
        "players": {
            "description": "The numbers of players the game can be played with.",
            "type": "array",
            "items": {"type": "integer", "minimum": 2, "maximum": 8},
            "minItems": 1,
            "uniqueItems": True,
        },
        "tied": {"enum": ["stalemate", "first-to-reach"]},
        "version": {"const": 1},
        "strict": {"type": "boolean"},
        "share": {"type": "number", "exclusiveMinimum": 0, "multipleOf": 0.5},
        "cards": {"anyOf": [{"type": "integer"}, {"const": "all"}, {"const": "rest"}]},
        "may": {"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
        "who": {"type": ["string", "null"]},
        "names": {
            "type": "object",
            "propertyNames": {"$ref": "#/$defs/name"},
            "maxProperties": 3,
        },
        "phases": {"type": "object", "additionalProperties": {"$ref": "#/$defs/phase"}},
        "move": {
            "oneOf": [
                {"required": ["pass"], "properties": {"pass": {"type": "integer"}}},
                {
                    "required": ["lay", "to"],
                    "properties": {"lay": {"type": "string"}, "to": {"type": "string"}},
                },
            ]
        },
    },
    "$defs": {
        "name": {"type": "string", "pattern": "^[a-z-]+$", "title": "small letters and hyphens"},
        "phase": {
            "anyOf": [
                {
                    "type": "object",
                    "required": ["kind", "cards"],
                    "properties": {"kind": {"const": "deal"}, "cards": {"type": "integer"}},
                    "additionalProperties": False,
                },
                {
                    "type": "object",
                    "required": ["kind", "leader"],
                    "properties": {"kind": {"const": "tricks"}, "leader": {"type": "string"}},
                    "additionalProperties": False,
                },
            ]
        },
    },
}
GOOD = "game: mue\nplayers: [4]\n"


def problems(text: str, schema: dict[str, Any] = SCHEMA, path: str = "") -> list[str]:
    report = Report()
    node = read_text(text, "f", report)
    assert node is not None
    assert not report.problems
    assert check(node, schema, report, path) is not report.failed
    return [problem.render() for problem in report.problems]


def test_what_fits_has_no_problems() -> None:
    assert problems("game: mue\nplayers: [4, 5]\ntied: stalemate\ncards: all\nwho:\n") == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "tide: stalemate",
            "f:3:1: tide: unknown key 'tide' [unknown-key]\n    did you mean 'tied'? possible here:"
            " title, tied, version, strict, share, cards, may, who, names, phases, move",
        ),
        (
            "tied: stalmate",
            "f:3:7: tied: unknown value 'stalmate' [unknown-value]\n"
            "    did you mean 'stalemate'? allowed: stalemate, first-to-reach",
        ),
        (
            "tied: 4",
            "f:3:7: tied: unknown value the whole number 4 [unknown-value]\n"
            "    allowed: stalemate, first-to-reach",
        ),
        (
            "version: 2",
            "f:3:10: version: unknown value the whole number 2 [unknown-value]\n    allowed: 1",
        ),
        (
            "strict: maybe",
            "f:3:9: strict: expected true or false, found the text 'maybe' [wrong-type]",
        ),
        (
            "title: 200",
            "f:3:8: title: expected a text, found the whole number 200 [wrong-type]\n"
            "    for the text put quotes around it: '200'",
        ),
        ("who: []", "f:3:6: who: expected a text or nothing, found a list [wrong-type]"),
        ("title: ''", "f:3:8: title: expected at least 1 characters, found 0 [out-of-bounds]"),
        ("share: 0", "f:3:8: share: expected above 0, found 0 [out-of-bounds]"),
        ("share: true", "f:3:8: share: expected a number, found true [wrong-type]"),
        (
            "share: '2'",
            "f:3:8: share: expected a number, found the text '2' [wrong-type]\n"
            "    for the number write 2 without quotes",
        ),
        (
            "names: {Anna: 1}",
            "f:3:9: names.Anna: 'Anna' cannot be a name here [bad-name]\n"
            "    expected: small letters and hyphens",
        ),
        (
            "names: {a: 1, b: 1, c: 1, d: 1}",
            "f:3:8: names: expected at most 3 keys, found 4 [out-of-bounds]",
        ),
        (
            "cards: al",
            "f:3:8: cards: unknown value 'al' [unknown-value]\n"
            "    did you mean 'all'? allowed: all, rest or a whole number",
        ),
        (
            "cards: true",
            "f:3:8: cards: expected a whole number or 'all' or 'rest', found true [wrong-type]",
        ),
        ("may: {}", "f:3:6: may: expected a text or a list, found a mapping [wrong-type]"),
        (
            "may: [suit, 4]",
            "f:3:13: may[1]: expected a text, found the whole number 4 [wrong-type]\n"
            "    for the text put quotes around it: '4'",
        ),
        (
            "phases: {a: {kind: trick, leader: x}}",
            "f:3:20: phases.a.kind: unknown value 'trick' [unknown-value]\n"
            "    did you mean 'tricks'? allowed: deal, tricks",
        ),
        (
            "phases: {a: {kind: tricks, leader: 4}}",
            "f:3:36: phases.a.leader: expected a text, found the whole number 4 [wrong-type]\n"
            "    for the text put quotes around it: '4'",
        ),
        ("move: {lay: x}", "f:3:7: move: missing key 'to' [missing-key]"),
    ],
)
def test_a_problem_says_what_and_where(text: str, problem: str) -> None:
    assert problems(f"{GOOD}{text}\n") == [problem]


def test_a_missing_key_says_what_it_is() -> None:
    assert problems("title: x\n") == [
        "f:1:1: missing key 'game' [missing-key]\n    small letters and hyphens",
        "f:1:1: missing key 'players' [missing-key]\n"
        "    The numbers of players the game can be played with.",
    ]


def test_a_misspelt_key_suggests_the_nearest_one_and_is_not_missing_too() -> None:
    found = problems("game: x\nplayer: [4]\n")
    assert len(found) == 1
    assert "did you mean 'players'?" in found[0]


def test_all_problems_are_reported_at_once() -> None:
    codes = [
        text.split("[")[-1].split("]")[0]
        for text in problems("game: Mü\nplayers: [4, 4, 9, 3.0, 'x']\ntied: x\nzzz: 1\n")
    ]
    assert codes == [
        "bad-form",
        "not-unique",
        "out-of-bounds",
        "wrong-type",
        "wrong-type",
        "unknown-value",
        "unknown-key",
    ]


def test_a_decimal_is_no_whole_number() -> None:
    assert problems("game: x\nplayers: [3.0]\n") == [
        "f:2:11: players[0]: expected a whole number, found the decimal 3.0 [wrong-type]"
    ]


def test_a_repeated_item_names_the_first() -> None:
    assert problems("game: x\nplayers:\n- 4\n- 5\n- 4\n") == [
        "f:5:3: players[2]: the whole number 4 is in the list already, on line 3 [not-unique]"
    ]


def test_a_form_is_explained_by_the_schema() -> None:
    assert problems("game: Mü\nplayers: [4]\n") == [
        "f:1:7: game: the text 'Mü' does not have the form needed here [bad-form]\n"
        "    expected: small letters and hyphens"
    ]


def test_a_path_goes_before_the_paths_of_the_problems() -> None:
    assert problems("[x]", {"items": {"type": "integer"}}, "phases.a") == [
        "f:1:2: phases.a[0]: expected a whole number, found the text 'x' [wrong-type]"
    ]
    assert problems("{b: x}", {"properties": {"b": {"type": "null"}}}, "a") == [
        "f:1:5: a.b: expected nothing, found the text 'x' [wrong-type]"
    ]


def test_unevaluated_keys_are_unknown_keys() -> None:
    schema = {
        "allOf": [{"properties": {"kind": {"type": "string"}}}],
        "properties": {"source": {}},
        "unevaluatedProperties": False,
    }
    assert problems("{kind: x, sorce: y}", schema) == [
        "f:1:11: sorce: unknown key 'sorce' [unknown-key]\n    did you mean 'source'?"
    ]


def test_keys_that_need_each_other() -> None:
    schema = {"dependentRequired": {"a": ["b", "c"], "x": ["y"]}, "properties": {"b": {}}}
    assert problems("{a: 1}", schema) == [
        "f:1:1: missing key 'b' [missing-key]",
        "f:1:1: missing key 'c' [missing-key]",
    ]


def test_a_schema_that_calls_itself_is_walked_to_an_end() -> None:
    loop = {"$ref": "#/$defs/a"}
    schema = {"$defs": {"a": {"properties": {"b": loop}, "anyOf": [{"required": ["q"]}]}}, **loop}
    assert problems("{b: {}}", schema)
    round_and_round = {"$defs": {"a": {"allOf": [{"not": {}}], "description": ""}}, **loop}
    assert problems("{}", round_and_round)


def node(value: Any) -> Node:
    mark = Mark("f", 1, 1)
    if isinstance(value, dict):
        return Node(mark, {key: node(child) for key, child in value.items()})
    return Node(mark, [node(child) for child in value] if isinstance(value, list) else value)


KEYS = st.sampled_from([*SCHEMA["properties"], "kind", "cards", "leader", "lay", "x"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(0, 9) | st.floats(0, 9) | st.sampled_from("abc") | KEYS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
)


@given(VALUES)
def test_any_value_fits_or_has_problems(value: Any) -> None:
    report = Report()
    assert check(node(value), SCHEMA, report) is not report.failed
    assert all(problem.render() for problem in report.problems)


FOLDER = home() / "spec" / "schema"
SCHEMAS = sorted(str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*.schema.json"))


@pytest.mark.parametrize("name", SCHEMAS)
def test_our_schemas_are_schemas(name: str) -> None:
    schema = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize(
    "name", ["game", "variant", "text", "deck", "case", "rulebook", "equivalent"]
)
def test_schemas_as_they_are_found_are_schemas(name: str) -> None:
    Draft202012Validator.check_schema(find_schema(name))
