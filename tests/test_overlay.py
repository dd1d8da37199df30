"""Variants and ``--set``: what changes, what is refused, and who set a value."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trickwright.overlay import Overlay, apply, overlay_from_set, overlay_from_variant
from trickwright.paths import all_paths, find, format_path, origins, parse_path
from trickwright.places import home
from trickwright.problems import Mark, Report
from trickwright.source import Node, read_file, read_text

GAME = home() / "spec/games/chief-and-vice"
RULES = """\
phases:
  deal: {kind: deal, sits_out: nobody}
  roles:
    first: {role: chief, tied: stalemate}
    second: {role: vice, tied: nobody}
tables:
  team_goal:
    4: [30, 32, 34, 36]
match: {until: 200, winner: highest}
"""


def read(text: str, shown: str = "rules.yaml") -> Node:
    report = Report()
    node = read_text(text, shown, report)
    assert node is not None
    assert not report.problems
    return node


def variant(name: str, text: str) -> Overlay:
    return overlay_from_variant(read(f"variant: {name}\n{text}", f"{name}.yaml"), Report())


def from_set(*texts: str) -> Overlay:
    report = Report()
    overlay = overlay_from_set(texts, report)
    assert overlay is not None
    assert not report.problems
    return overlay


def applied(*overlays: Overlay) -> Node:
    report = Report()
    node = apply(read(RULES), overlays, report, "rules.yaml")
    assert not report.problems
    return node


def problems(*overlays: Overlay) -> list[str]:
    report = Report()
    apply(read(RULES), overlays, report, "game/rules.yaml")
    return [problem.render() for problem in report.problems]


def value(node: Node, path: str) -> object:
    parts = parse_path(path)
    assert parts is not None
    found = find(node, parts)
    return None if found is None else found.plain()


KEYS = st.from_regex(r"[\w-]+", fullmatch=True) | st.text() | st.text("ab \"\\'[].=")


@given(st.lists(KEYS | st.integers(0, 99_999), min_size=1).filter(lambda p: isinstance(p[0], str)))
def test_a_path_is_read_back_as_it_was_written(parts: list[str | int]) -> None:
    assert parse_path(format_path(parts)) == tuple(parts)


@given(st.text() | st.text("ab.[]0-_ ") | st.text("ab.[]\"'\\ "))
def test_any_text_is_a_path_or_none(text: str) -> None:
    parts = parse_path(text)
    assert parts is None or parse_path(format_path(parts)) == parts


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ('tables.x["two pair"]', ("tables", "x", "two pair")),
        ("tables.x['two pair'][0].y", ("tables", "x", "two pair", 0, "y")),
        ('["a b"].c', ("a b", "c")),
        (r'a["\"b\" = \u00e4.["]', ("a", '"b" = ä.[')),
        ('a["b"]', ("a", "b")),
        ('a["0"][0]', ("a", "0", 0)),
        ('a[""]', ("a", "")),
    ],
)
def test_a_key_of_several_words_stands_in_quotes(text: str, parts: tuple[str | int, ...]) -> None:
    assert parse_path(text) == parts


def test_paths_are_written_with_quotes_only_where_they_need_them() -> None:
    root = read("x: {two pair: {b: [1]}, 'a.b': 2, ä-1: 3}\n")
    assert all_paths(root) == [
        *("x", 'x["two pair"]', 'x["two pair"].b', 'x["two pair"].b[0]', 'x["a.b"]', "x.ä-1")
    ]


def test_a_variant_and_a_single_value_change_what_stands_at_a_key_in_quotes() -> None:
    root, report = read("x: {two pair: 1, a=b: 2, old one: 3}\ny: {}\n"), Report()
    texts = """set: {'x["two pair"]': 5}\nadd:\n  x["new one"]: 7\nremove: ['x["old one"]']\n"""
    values = overlay_from_set(['x["a=b"]=6=6'], report)
    assert values is not None
    changed = apply(root, [variant("v", texts), values], report, "rules.yaml")
    assert not report.problems
    assert changed.plain() == {"x": {"two pair": 5, "a=b": "6=6", "new one": 7}, "y": {}}


def test_a_misspelt_key_in_quotes_suggests_the_nearest_one() -> None:
    root, report = read("x: {two pair: 1}\n"), Report()
    apply(root, [variant("v", """set: {'x["two pairs"]': 5}\n""")], report, "rules.yaml")
    assert [problem.hint for problem in report.problems] == ["did you mean 'x[\"two pair\"]'?"]


@pytest.mark.parametrize(
    "text",
    [
        *("", ".a", "a.", "a..b", "[0]", "a[01]", "a[-1]", "a[x]", "a b"),
        *('a["b]', 'a["b"', 'a.["b"]', "a['b'c']", 'a"b"', r'a["\x"]', r'a["\"]'),
    ],
)
def test_what_is_no_path_is_refused(text: str) -> None:
    assert parse_path(text) is None


def test_every_path_of_the_rules_is_found_again() -> None:
    report = Report()
    root = read_file(GAME / "rules.yaml", "rules.yaml", report)
    assert root is not None
    paths = all_paths(root)
    assert "tables.team_goal.4[0]" in paths
    assert len(set(paths)) == len(paths)
    for path in paths:
        parts = parse_path(path)
        assert parts is not None
        assert find(root, parts) is not None


def test_a_variant_changes_a_copy_and_leaves_its_mark() -> None:
    root, report = read(RULES), Report()
    before = root.plain()
    changed = apply(root, [variant("to-100", "set:\n  match.until: 100\n")], report, "rules.yaml")
    assert not report.problems
    assert root.plain() == before
    assert value(changed, "match.until") == 100
    assert origins(changed)["match.until"] == Mark("to-100.yaml", 3, 16)
    assert origins(changed)["match.winner"] == Mark("rules.yaml", 9, 29)


def test_the_variants_of_chief_and_vice_lie_over_its_rules() -> None:
    report = Report()
    root = read_file(GAME / "rules.yaml", "rules.yaml", report)
    assert root is not None
    overlays = []
    for path in sorted((GAME / "variants").glob("*.yaml")):
        node = read_file(path, path.name, report)
        assert node is not None
        overlays.append(overlay_from_variant(node, report))
    changed = apply(root, overlays, report, "rules.yaml")
    assert not report.problems
    assert value(changed, "phases.roles.first.tied") == "first-to-reach"
    assert value(changed, "scoring.stalemate") is None
    assert value(changed, "match.until") == 100


def test_a_set_argument_knows_its_place() -> None:
    overlay = from_set("match.until=150", "tables.team_goal.4[1] = 33")
    changed = applied(overlay)
    assert value(changed, "match.until") == 150
    assert value(changed, "tables.team_goal.4") == [30, 33, 34, 36]
    assert origins(changed)["match.until"] == Mark("--set", 1, 13)
    assert origins(changed)["tables.team_goal.4[1]"] == Mark("--set", 2, 25)


def test_set_comes_last_and_wins_over_variants() -> None:
    to_100 = variant("to-100", "set: {match.until: 100}")
    assert value(applied(from_set("match.until=150"), to_100), "match.until") == 150
    assert value(applied(to_100, from_set("match.until=200")), "match.until") == 200


def test_set_brings_back_what_a_variant_takes_away() -> None:
    without = variant("without", "remove: [phases.roles.second]")
    changed = applied(without, from_set("phases.roles.second={role: vice}"))
    assert value(changed, "phases.roles.second") == {"role": "vice"}


def test_a_variant_adds_new_keys_and_leaves_those_beside_them() -> None:
    changed = applied(variant("v", "add: {phases.deal.left_over: none, match.limit: 3}"))
    deal = find(changed, ("phases", "deal"))
    assert deal is not None and deal.plain() == {
        **value(read(RULES), "phases.deal"),
        "left_over": "none",
    }
    assert deal.keys["left_over"].file == "v.yaml", "the position is the variant's"
    assert value(changed, "match.limit") == 3 and value(read(RULES), "match.limit") is None


def test_what_is_added_can_be_set_by_hand() -> None:
    more = variant("more", "add: {match.limit: 3}")
    assert value(applied(from_set("match.limit=4"), more), "match.limit") == 4


def test_two_variants_do_not_add_the_same_key() -> None:
    one, other = variant("one", "add: {match.limit: 3}"), variant("other", "add: {match.limit: 4}")
    (said,) = problems(one, other)
    assert "match.limit: one changes this too" in said and said.count("[overlay-conflict]") == 1


def test_removed_list_items_do_not_move_the_others() -> None:
    overlay = variant(
        "v",
        "remove: ['tables.team_goal.4[0]', 'tables.team_goal.4[2]']\n"
        "set: {'tables.team_goal.4[3]': 99}",
    )
    assert value(applied(overlay), "tables.team_goal.4") == [32, 99]


def test_a_removed_key_is_gone_with_its_position() -> None:
    changed = applied(variant("v", "remove: [phases.deal.sits_out]"))
    deal = find(changed, ("phases", "deal"))
    assert deal is not None
    assert deal.plain() == {"kind": "deal"}
    assert list(deal.keys) == ["kind"]


@pytest.mark.parametrize(
    ("path", "hint"),
    [
        ("deal.sits_out", "did you mean 'phases.deal.sits_out'?"),
        ("sits_out", "did you mean 'phases.deal.sits_out'?"),
        ("phases.deal.sit_out", "did you mean 'phases.deal.sits_out'?"),
        ("phase.deal.sits_out", "did you mean 'phases.deal.sits_out'?"),
        ("deal.sit_out", "did you mean 'phases.deal.sits_out'?"),
        ("phases.rolls.second.tied", "did you mean 'phases.roles.second.tied'?"),
        ("phases.first.tied", "did you mean 'phases.roles.first.tied'?"),
        ("match.untl", "did you mean 'match.until'?"),
        ("match.xyz", "'match' has: until, winner"),
        ("tables.team_goal.4[9]", "the list has 4 items, counted from [0]"),
    ],
)
def test_an_unknown_path_suggests_the_one_that_was_meant(path: str, hint: str) -> None:
    assert problems(variant("v", f"set:\n  {path}: 1")) == [
        f"v.yaml:3:3: {path}: no such path in game/rules.yaml [unknown-path]\n    {hint}"
    ]


def test_two_variants_may_not_touch_the_same_path() -> None:
    one = variant("one", "set:\n  phases.roles: 1")
    two = variant("two", "set:\n  phases.roles.first.tied: x")
    assert problems(one, two) == [
        "two.yaml:3:3: phases.roles.first.tied: one changes this too, at one.yaml:3:3"
        " as 'phases.roles' [overlay-conflict]\n"
        "    if the two belong together: combines_with: [one] in two"
    ]
    assert problems(two, one) == [
        "one.yaml:3:3: phases.roles: two changes this too, at two.yaml:3:3"
        " as 'phases.roles.first.tied' [overlay-conflict]\n"
        "    if the two belong together: combines_with: [two] in one"
    ]


def test_variants_that_exclude_each_other_are_told_so_once_whatever_they_change() -> None:
    one = variant("one", "set: {match.until: 1}\nexcludes: [two]")
    same = variant("two", "set: {match.until: 2}\nexcludes: [one]")
    elsewhere = variant("two", "set: {phases.deal.sits_out: 2}")
    here = "one.yaml:3:12: excludes[0]: one and two exclude each other [overlay-conflict]"
    there = "two.yaml:3:12: excludes[0]: two and one exclude each other [overlay-conflict]"
    hint = "\n    play with one of the two: leave out"
    assert problems(one, same) == [f"{here}{hint} one or two"]
    assert problems(same, one) == [f"{there}{hint} two or one"]
    assert problems(one, elsewhere) == [f"{here}{hint} one or two"]
    assert problems(elsewhere, one) == [f"{here}{hint} one or two"]
    assert problems(one, from_set("match.until=3")) == []


def test_variants_that_combine_may_and_the_later_wins() -> None:
    one = variant("one", "set: {match.until: 1}")
    two = variant("two", "set: {match.until: 2}\ncombines_with: [one]")
    assert value(applied(one, two), "match.until") == 2
    assert value(applied(two, one), "match.until") == 1


def test_what_a_variant_took_away_cannot_be_changed() -> None:
    without = variant("without", "remove: [phases.roles]")
    found = problems(without, from_set("phases.roles.first.tied=x"))
    assert found == [
        "--set:1:1: phases.roles.first.tied: without takes this away (without.yaml:2:10)"
        " [unknown-path]"
    ]


def test_one_path_set_twice_is_a_conflict() -> None:
    assert problems(from_set("match.until=1", "match.until=2")) == [
        "--set:2:1: match.until: --set changes this twice: first at --set:1:1 [overlay-conflict]\n"
        "    keep one of the two"
    ]


def test_a_set_may_refine_an_earlier_one() -> None:
    changed = applied(from_set("match={until: 1, winner: x}", "match.until=2"))
    assert value(changed, "match") == {"until": 2, "winner": "x"}


def test_setting_what_is_there_already_is_a_warning() -> None:
    report = Report()
    apply(read(RULES), [from_set("match.until=200")], report, "rules.yaml")
    assert [problem.code for problem in report.problems] == ["no-change"]
    assert not report.failed


def test_the_order_of_keys_and_the_type_are_a_change() -> None:
    applied(from_set("match={winner: highest, until: 200}"), from_set("phases.deal.kind=true"))
    applied(from_set("match.until='200'"))


def test_arguments_that_cannot_be_read_are_problems() -> None:
    report = Report()
    texts = ["match.until", "a b=1", "m.u=", "m.u=[1", "x\x00=\udc80", "m.u=yes"]
    overlay = overlay_from_set(texts, report)
    assert overlay is not None
    assert {problem.mark.line for problem in report.problems} == {1, 2, 3, 4, 5, 6}
    assert overlay_from_set([], report) is None


@given(st.lists(st.text(max_size=20) | st.sampled_from(["match.until=1", "phases=[]"]), max_size=3))
def test_any_arguments_give_problems_or_rules(texts: list[str]) -> None:
    report = Report()
    overlay = overlay_from_set(texts, report)
    apply(read(RULES), [overlay] if overlay else [], report, "rules.yaml")
    assert all(problem.render() for problem in report.problems)


@given(st.data())
def test_any_changes_within_the_rules_give_problems_or_rules(data: st.DataObject) -> None:
    root = read(RULES)
    path = st.sampled_from(all_paths(root))
    mark = Mark("v", 1, 1)
    overlays = [
        Overlay(
            name,
            tuple((p, Node(mark, 1), mark) for p in data.draw(st.lists(path, max_size=3))),
            tuple((p, mark) for p in data.draw(st.lists(path, max_size=3))),
        )
        for name in ("a", "b", "--set")
    ]
    report = Report()
    before = root.plain()
    changed = apply(root, overlays, report, "rules.yaml")
    assert root.plain() == before
    if not report.failed:
        # Where something is taken out of a list, what follows it moves up to another path.
        taken_out = any(overlay.remove for overlay in overlays)
        for changed_path, node, _ in overlays[-1].set:
            assert value(changed, changed_path) == node.plain() or taken_out
