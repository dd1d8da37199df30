"""Strict YAML: what is read, what is refused, and where it stood."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from trickwright import source
from trickwright.places import home
from trickwright.problems import Mark, Problem, Report, did_you_mean, summary, to_json
from trickwright.source import Node, read_file, read_text, read_value

RULES = home() / "spec/games/chief-and-vice/rules.yaml"
LOADERS = [yaml.SafeLoader, *([yaml.CSafeLoader] if yaml.__with_libyaml__ else [])]


@pytest.fixture(params=LOADERS, ids=lambda loader: loader.__name__, autouse=True)
def loader(request: pytest.FixtureRequest) -> Iterator[None]:
    before, source.LOADER = source.LOADER, request.param
    yield
    source.LOADER = before


def read(text: str) -> Any:
    report = Report()
    node = read_text(text, "f", report)
    assert not report.problems
    assert node is not None
    return node.plain()


def refused(text: str) -> list[tuple[str, int, int]]:
    report = Report()
    read_text(text, "f", report)
    assert report.failed
    return [(p.code, p.mark.line, p.mark.column) for p in report.problems]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("true", True),
        ("false", False),
        ("null", None),
        ("0", 0),
        ("-0", 0),
        ("-10", -10),
        ("2.50", 2.5),
        ("1000000000", 10**9),
        ("2-10", "2-10"),
        ("7♥", "7♥"),
        ("N", "N"),
        ("y", "y"),
        ("5 * bid", "5 * bid"),
        ("1.2.3", "1.2.3"),
        ("'yes'", "yes"),
        ('"010"', "010"),
        ("|\n  12\n", "12\n"),
        ("''", ""),
    ],
)
def test_a_scalar_means_what_every_reader_takes_it_for(text: str, value: object) -> None:
    found = read(f"a: {text}")["a"]
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    "text",
    [
        *("yes", "No", "ON", "off", "True", "FALSE", "Null", "NULL", "~", "="),
        *("010", "08", "00.5", "0x1F", "0o17", "0b11", "1_000", "1e3", "1.5e+3", "+5", "+5.5"),
        *(".5", "5.", ".inf", "-.INF", ".NaN", "1:30", "1995-01-02"),
    ],
)
def test_an_unquoted_scalar_that_readers_disagree_on_is_refused(text: str) -> None:
    assert refused(f"a: {text}") == [("ambiguous-scalar", 1, 4)]
    assert refused(f"{text}: a") == [("ambiguous-scalar", 1, 1)]
    assert read(f"a: '{text}'") == {"a": text}


@given(st.text("0123456789.-+_:eExobTZ aflnstruyNO~=<INFA", max_size=14))
def test_no_text_is_something_else_to_stock_yaml(text: str) -> None:
    """What is accepted, PyYAML reads as the same value of the same type."""
    report = Report()
    node = read_text(text, "f", report)
    if node is None or report.failed or isinstance(node.value, dict | list):
        return
    stock = yaml.safe_load(text)
    assert stock == node.value
    assert type(stock) is type(node.value)


def test_keys_are_text() -> None:
    assert read("{4: a, true: b, null: c, 2.5: d, -1: e, 99999999999: f}") == {
        "4": "a",
        "true": "b",
        "null": "c",
        "2.5": "d",
        "-1": "e",
        "99999999999": "f",
    }


def test_an_empty_value_is_null() -> None:
    assert read("a:\nb: {c, d: }\n") == {"a": None, "b": {"c": None, "d": None}}


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("a: [1, 2\nb: 3", [("bad-yaml", 2, 2)]),
        ("a: 'x", [("bad-yaml", 1, 6)]),
        ("a: 1\nb\nc: 2", [("bad-yaml", 2, 1)]),
        ("a: b: c", [("bad-yaml", 1, 5)]),
        ("a:\n\tb: 1", [("odd-character", 2, 1)]),
        ("[a]: b", [("bad-yaml", 1, 1)]),
        ("{: b}", [("bad-yaml", 1, 2)]),
        ("a: 1\n'a': 2", [("duplicate-key", 2, 1)]),
        ("4: 1\n'4': 2", [("duplicate-key", 2, 1)]),
        ("a: &x 1", [("anchor-or-tag", 1, 4)]),
        ("a: *x", [("anchor-or-tag", 1, 4)]),
        ("a: !!str 1", [("anchor-or-tag", 1, 4)]),
        ("<<: {}", [("anchor-or-tag", 1, 1)]),
        ("%YAML 1.2\n---\na: 1", [("anchor-or-tag", 1, 1)]),
        ("a: 1\n---\nb: 2", [("several-documents", 2, 1)]),
        ("", [("empty-file", 1, 1)]),
        ("# nothing\n", [("empty-file", 1, 1)]),
        ("---\n", [("empty-file", 1, 1)]),
        ("a: 1000000001", [("too-big", 1, 4)]),
        ("a: " + "9" * 4000, [("too-big", 1, 4)]),
        ("a: " + "9" * 4000 + ".0", [("too-big", 1, 4)]),
        ("a: " + "x" * 4001, [("too-big", 1, 4)]),
        ("[" * 21 + "]" * 21, [("too-big", 1, 21)]),
        ("- 1\n" * 1001, [("too-big", 1001, 3)]),
        (("- [" + "1," * 998 + "1]\n") * 11, [("too-big", 10, 2000)]),
        ("k" * 201 + ": 1", [("too-big", 1, 1)]),
        ("#" * (1 << 20) + "\n", [("too-big", 1, 1)]),
        ("♥: x\u202ey", [("odd-character", 1, 5)]),
        ("# \u2066\na: \x00", [("odd-character", 1, 3), ("odd-character", 2, 4)]),
        ('a: "\\u202e"', [("odd-character", 1, 4)]),
        ("a: \ufeff", [("odd-character", 1, 4)]),
    ],
)
def test_what_is_not_strict_yaml_is_refused_at_its_place(
    text: str, problems: list[tuple[str, int, int]]
) -> None:
    assert refused(text) == problems


def test_nesting_that_the_parser_itself_refuses_is_too_big() -> None:
    assert [code for code, _, _ in refused("[" * 100_000)] == ["too-big"]


def test_all_problems_are_found_at_once() -> None:
    assert refused("a: yes\nb: &x 010\na: *x\nc: \u200e\n") == [
        ("ambiguous-scalar", 1, 4),
        ("anchor-or-tag", 2, 4),
        ("ambiguous-scalar", 2, 4),
        ("duplicate-key", 3, 1),
        ("anchor-or-tag", 3, 4),
        ("odd-character", 4, 4),
    ]


def test_twenty_levels_are_allowed() -> None:
    assert read("[" * 20 + "]" * 20)


def test_a_byte_order_mark_at_the_start_is_skipped() -> None:
    assert read("\ufeffa: 1") == {"a": 1}


def test_columns_count_characters() -> None:
    node = read_text("♥♥😀: [♠, {é: 7}]\r\nb: x\n", "f", Report())
    assert node is not None
    assert isinstance(node.value, dict)
    items = node.value["♥♥😀"].value
    assert isinstance(items, list)
    assert [item.mark.column for item in items] == [7, 10]
    assert items[1].keys == {"é": Mark("f", 1, 11)}
    assert node.value["b"].mark == Mark("f", 2, 4)


def test_nodes_name_their_type() -> None:
    node = read_text("[{}, [], x, 1, 1.5, true, null]", "f", Report())
    assert node is not None
    assert isinstance(node.value, list)
    names = ["mapping", "list", "text", "whole number", "decimal", "true/false", "nothing"]
    assert [item.type_name for item in node.value] == names


def test_a_value_of_set_stands_where_its_argument_says() -> None:
    report = Report()
    node = read_value("[1, {a: b}]", report, Mark("--set", 2, 10))
    assert node is not None
    assert node.plain() == [1, {"a": "b"}]
    assert isinstance(node.value, list)
    assert node.value[1].mark == Mark("--set", 2, 14)
    assert not report.problems


@pytest.mark.parametrize("text", ["", "a: b", "- a", "[a", "# a", "a\n---\nb", "\x1b", "yes"])
def test_a_value_of_set_is_one_flow_value(text: str) -> None:
    report = Report()
    read_value(text, report, Mark("--set", 1, 5))
    assert report.failed


def test_files_that_cannot_be_read_are_problems(tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes("a: 1\nb: Mü".encode("latin-1"))
    (tmp_path / "big").write_bytes(b"#" + "♥".encode() * 400_000)
    report = Report()
    for name in ("missing", "", "nul\0", "latin", "big"):
        assert read_file(tmp_path / name, name, report) is None
    found = {p.mark.file: (p.code, p.mark.line, p.mark.column) for p in report.problems}
    assert found == {
        "missing": ("no-file", 1, 1),
        "": ("no-file", 1, 1),
        "nul\\x00": ("no-file", 1, 1),
        "latin": ("not-utf8", 2, 5),
        "big": ("too-big", 1, 1),
    }


def test_the_rules_of_chief_and_vice_are_strict_yaml() -> None:
    report = Report()
    node = read_file(RULES, "rules.yaml", report)
    assert node is not None
    assert not report.problems
    assert node.plain()["tables"]["team_goal"]["4"][0] == 30


def with_each_loader(text: str) -> list[tuple[Node | None, list[tuple[str, Mark]]]]:
    results = []
    for each in LOADERS:
        source.LOADER = each
        report = Report()
        node = read_text(text, "f", report)
        results.append((node, [(p.code, p.mark) for p in report.problems]))
    return results


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("{a: , b: 1}", 4),
        ("{a:   }", 4),
        ("{a }", 4),
        ("[b, {a : }]", 8),
        ('{"a":}', 6),
        ("a:\nb: 1", 3),
        ("a:   # later", 3),
    ],
)
def test_a_value_that_is_not_there_stands_behind_its_key(text: str, column: int) -> None:
    for node, problems in with_each_loader(text):
        assert not problems
        assert node is not None
        found = node.value[1] if isinstance(node.value, list) else node
        assert isinstance(found.value, dict)
        assert found.value["a"].mark == Mark("f", 1, column)


@pytest.mark.parametrize("text", ["{a:, b: 1}", "{a:}", "[a:]", "{a:[1]}", "{b: {a:{}}}", "{? a:}"])
def test_a_colon_without_a_blank_is_refused_by_both_loaders(text: str) -> None:
    for node, problems in with_each_loader(text):
        assert node is None
        assert problems == [("bad-yaml", Mark("f", 1, text.index("a") + 1))]


@given(st.integers(0, 2**32))
def test_both_loaders_read_damaged_rules_the_same(seed: int) -> None:
    rng = random.Random(seed)
    text = RULES.read_text(encoding="utf-8")
    start = text.find("\n", rng.randrange(len(text) - 600))
    text = text[start : start + 600]
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(text))
        cut = at + rng.randrange(3)
        text = text[:at] + rng.choice("\n\t :-[]{},#&*>'\"♥~0xyes") + text[cut:]
    first, *others = with_each_loader(text)
    for other in others:
        assert other[0] == first[0]
        assert bool(other[1]) == bool(first[1])


@given(st.text(max_size=60) | st.text("ab01:-[]{},#&*!|>'\"\\ \n%@?~<=♥\t", max_size=60))
def test_any_text_gives_problems_or_a_node(text: str) -> None:
    report = Report()
    node = read_text(text, "f", report)
    assert node is not None or report.failed
    for problem in report.problems:
        assert problem.mark.line <= text.count("\n") + text.count("\r") + 1
        assert problem.render()
    value = read_value(text, report, Mark("--set", 1, 1))
    assert value is not None or report.failed


@given(st.binary(max_size=60))
def test_any_bytes_give_problems_or_a_node(tmp_path_factory: Any, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.yaml"
    path.write_bytes(data)
    report = Report()
    assert read_file(path, "any.yaml", report) is not None or report.failed


def test_a_problem_renders_with_place_path_code_and_hint() -> None:
    mark = Mark("rules.yaml", 31, 12)
    hint = did_you_mean("Stalmate", ["stalemate", "first-to-reach"])
    problem = Problem(mark, "phases.roles.first.tied", "unknown value", "unknown-value", hint)
    assert problem.render() == (
        "rules.yaml:31:12: phases.roles.first.tied: unknown value [unknown-value]\n"
        "    did you mean 'stalemate'? allowed: stalemate, first-to-reach"
    )
    warning = Problem(mark, "", "the same", "no-change", severity="warning")
    assert warning.render() == "rules.yaml:31:12: warning: the same [no-change]"
    assert warning.as_dict()["line"] == 31
    assert '"column": 12' in to_json([problem])
    assert summary([problem]) == "1 problem in 1 file"
    assert summary([problem, problem, warning]) == "2 problems and 1 warning in 1 file"


def test_a_report_is_sorted_and_says_nothing_twice() -> None:
    report = Report()
    for line in (2, 1, 2):
        report.warning(Mark("f", line, 1), "", "twice", "no-change")
    assert [problem.mark.line for problem in report.problems] == [1, 2]
    assert not report.failed


def test_a_code_that_is_not_in_the_table_is_a_programming_error() -> None:
    with pytest.raises(ValueError, match="no-such-code"):
        Report().error(Mark("f", 1, 1), "", "x", "no-such-code")
