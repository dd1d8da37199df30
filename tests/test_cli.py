"""The command line: what commands print, how they end, and that starting is light."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from trickwright.places import games, home
from trickwright_tools import cli
from trickwright_tools.cli import main

GAME = "chief-and-vice"
RULES = f"spec/games/{GAME}/rules.yaml"
ROOTS = os.pathsep.join(
    str(home() / name) for name in ("generator", "generated", "conformance", "tools")
)
OWN = ["check", "diff", "generate", "new", "params", "readings", "variants"]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a game in it, where the test works."""
    shutil.copytree(home() / "spec" / "games" / GAME, tmp_path / "spec" / "games" / GAME)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(*words: str, code: int = 0) -> Result:
    """Run a command, which must end with this exit code and without a traceback."""
    result = CliRunner(env={"COLUMNS": "80"}).invoke(main, list(words))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    assert result.exit_code == code, result.output
    return result


def change(path: str, old: str, new: str) -> None:
    """Change a text in a file, in which it must be."""
    text = Path(path).read_text(encoding="utf-8")
    assert old in text
    Path(path).write_text(text.replace(old, new, 1), encoding="utf-8")


def line_of(text: str, path: str = RULES) -> int:
    """The number of the only line of a file that has a text in it."""
    lines = Path(path).read_text(encoding="utf-8").splitlines()
    [found] = [number for number, line in enumerate(lines, start=1) if text in line]
    return found


def python(*words: str) -> subprocess.CompletedProcess[str]:
    """Run Python on the source roots of this checkout."""
    env = {**os.environ, "PYTHONPATH": ROOTS}
    return subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, encoding="utf-8", env=env
    )


def test_starting_imports_nothing_heavy() -> None:
    heavy = "{'yaml', 'jsonschema', 'jinja2', 'trickwright', 'numpy'}"
    program = (
        "import sys, trickwright_tools.cli as cli\n"
        "try: cli.main(['--help'])\n"
        f"finally: print('loaded:', sorted({heavy} & sys.modules.keys()))"
    )
    done = python("-c", program)
    assert "Commands:" in done.stdout
    assert "loaded: []" in done.stdout, done.stderr


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--help"], 0),
        (["check", GAME], 0),
        (["check", GAME, "--set", "match.until=0"], 2),
        (["check", "./broken"], 1),
        (["chekc"], 2),
    ],
)
def test_the_process_ends_with_the_exit_code(project: Path, words: list[str], code: int) -> None:
    shutil.copytree(f"spec/games/{GAME}", "broken")
    change("broken/rules.yaml", "until: 200", "until: 0")
    done = python("-m", "trickwright_tools", *words)
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_a_reader_that_goes_away_is_no_traceback(project: Path) -> None:
    program = f"{sys.executable} -m trickwright_tools params {GAME} | true"
    env = {**os.environ, "PYTHONPATH": ROOTS}
    done = subprocess.run(program, shell=True, capture_output=True, text=True, env=env)
    assert done.stderr == ""


def test_ctrl_c_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    @click.command()
    def stops() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli.LazyGroup, "get_command", lambda *_: stops)
    assert "stopped" in call("check", code=130).output


def test_the_overview_has_every_command_with_the_first_line_of_its_module() -> None:
    text = call("--help").stdout
    for path in cli.COMMANDS.glob("[a-z]*.py"):
        assert f"\n  {path.stem.replace('_', '-')} " in text
    assert "Find all problems of games and of their variants.\n" in text
    assert not [line for line in text.splitlines() if len(line) > 80]


def test_a_file_in_the_folder_is_a_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "deal_out.py").write_text('"""Deal the cards."""\nraise SystemError("imported")\n')
    (tmp_path / "_helper.py").write_text("")
    monkeypatch.setattr(cli, "COMMANDS", tmp_path)
    text = call("--help").stdout
    assert "deal-out  Deal the cards." in text
    assert "helper" not in text


@pytest.mark.parametrize("name", OWN)
def test_every_help_text_has_an_example(name: str) -> None:
    text = call(name, "--help").stdout
    assert f"\n  trickwright {name}" in text
    assert not [line for line in text.splitlines() if len(line) > 80]


def test_the_version_is_shown() -> None:
    assert call("--version").stdout.startswith("trickwright ")


def test_a_misspelt_command_suggests_the_nearest_one() -> None:
    assert "Did you mean 'variants'?" in call("varaints", code=2).stderr


@pytest.mark.parametrize("name", ["check", "diff", "params", "readings", "variants"])
def test_an_unknown_game_is_a_wrong_call(project: Path, name: str) -> None:
    more = ["--variant", "to-100"] if name == "diff" else []
    result = call(name, "chief-and-vise", *more, code=2)
    assert "there is no game 'chief-and-vise'" in result.stderr
    assert f"did you mean '{GAME}'?" in result.stderr


@pytest.mark.parametrize("name", ["check", "diff", "params"])
def test_an_unknown_variant_is_a_wrong_call(project: Path, name: str) -> None:
    assert "did you mean 'to-100'?" in call(name, GAME, "--variant", "to100", code=2).stderr


@pytest.mark.parametrize("name", ["check", "diff", "params"])
def test_a_misspelt_path_suggests_the_right_one(project: Path, name: str) -> None:
    result = call(name, GAME, "--set", "match.untl=150", code=2)
    assert "match.untl: no such path in chief-and-vice/rules.yaml" in result.stderr
    assert "did you mean 'match.until'?" in result.stderr


def test_every_set_option_is_told_at_once(project: Path) -> None:
    changes = ("match.untl=150", "match.winer=lowest", "match.until")
    result = call("check", GAME, *(word for text in changes for word in ("--set", text)), code=2)
    assert result.stderr.count("trickwright: --set") == 3


def test_the_small_game_of_the_page_for_rule_authors_is_the_one_new_writes(project: Path) -> None:
    page = (home() / "spec" / "README.md").read_text(encoding="utf-8")
    shown = page.rpartition("```yaml\n")[2].partition("```")[0]
    call("new", "whist", "--small")
    written = Path("spec/games/whist/rules.yaml").read_text(encoding="utf-8")
    assert written.endswith(shown) and shown.count("\n") < 40
    assert call("check", "whist").stdout == "whist: fine (1 rule set)\n"
    said = call("play", "whist", "--watch", "--seed", "1").stdout
    assert "Ben and Dan share the match" in said and "no trumps" not in said
    call("new", "other", "--small", "--like", "chief-and-vice", code=2)


def test_check_counts_the_sets_of_rules(project: Path) -> None:
    lines = call("check").stdout.splitlines()
    assert "chief-and-vice: fine (4 rule sets)" in lines
    assert [line.partition(":")[0] for line in lines] == list(games())
    assert call("check", GAME, "-v", "to-100").stdout == "chief-and-vice: fine (1 rule set)\n"


def test_check_shows_all_problems_with_their_number(project: Path) -> None:
    change(RULES, "raise_limit: 1", "raise_limit: 0")
    change(RULES, "winner: highest", "winner: heighest")
    result = call("check", GAME, code=1)
    place = f"{RULES}:{line_of('raise_limit: 0')}:18"
    assert f"{place}: phases.auction.raise_limit: expected at least 1" in result.stdout
    assert "did you mean 'highest'?" in result.stdout
    assert result.stdout.endswith("2 problems in 1 file\n")


def test_check_goes_on_with_other_games_after_a_problem(project: Path) -> None:
    call("new", "other")
    change(RULES, "winner: highest", "winner: heighest")
    result = call("check", code=1)
    assert "other: fine (1 rule set)" in result.stdout.splitlines()
    assert result.stdout.endswith("1 problem in 1 file\n")


def test_check_finds_what_only_two_variants_together_break(project: Path) -> None:
    path = f"spec/games/{GAME}/variants/to-100.yaml"
    change(path, "match.until: 100", "scoring.stalemate.last.points: 0")
    result = call("check", GAME, code=1)
    assert "no-stalemate" in result.stdout


def test_a_warning_is_shown_and_is_no_failure(project: Path) -> None:
    result = call("check", GAME, "--set", "match.until=200")
    assert "warning: --set match.until: the rules already have this value" in result.stderr
    assert "fine" in result.stdout


def test_check_gives_problems_as_json(project: Path) -> None:
    assert json.loads(call("check", GAME, "--format", "json").stdout) == []
    change(RULES, "until: 200", "until: 0")
    found = json.loads(call("check", GAME, "--format", "json", code=1).stdout)
    assert [(one["file"], one["path"], one["code"]) for one in found] == [
        (RULES, "match.until", "out-of-bounds")
    ]


def test_generate_writes_and_tells_what(project: Path) -> None:
    result = call("generate")
    assert "wrote generated/trickwright_games/chief_and_vice.py\n" in result.stdout
    assert call("generate").stdout == "up to date\n"


def test_generate_check_shows_the_difference_and_the_command_that_helps(project: Path) -> None:
    call("generate")
    assert call("generate", "--check").stdout == "up to date\n"
    change(RULES, "until: 200", "until: 150")
    result = call("generate", GAME, "--check", code=1)
    assert "\n+MATCH_UNTIL = 150\n" in result.stdout
    assert result.stderr == f"out of date; run: trickwright generate {GAME}\n"
    call(*result.stderr.split("trickwright ")[1].split())
    call("generate", "--check")


def test_the_command_that_helps_has_the_same_options(project: Path) -> None:
    words = ["generate", GAME, "--set", "match.until=150", "--out", "my engine.py"]
    result = call(*words, "--check", code=1)
    said = f"run: trickwright generate {GAME} --set match.until=150 --out 'my engine.py'\n"
    assert result.stderr.endswith(said)
    assert not Path("my engine.py").exists()


def test_generate_with_a_problem_writes_nothing(project: Path) -> None:
    change(RULES, "until: 200", "until: 0")
    for more in ([], ["--check"], ["--out", "engine.py"]):
        result = call("generate", GAME, *more, code=1)
        assert "1 problem in 1 file" in result.stderr
    assert not Path("generated").exists()
    assert not Path("engine.py").exists()


@pytest.mark.parametrize(
    "words",
    [
        [GAME, "--set", "match.until=150"],
        ["--out", "engine.py"],
        [GAME, "--out", "nowhere/engine.py"],
        ["no-such-game"],
        [GAME, "--out", "engine.py", "--variant", "none"],
    ],
)
def test_generate_refuses_wrong_calls(project: Path, words: list[str]) -> None:
    result = call("generate", *words, code=2)
    assert result.stderr.startswith("trickwright: ")
    assert {path.name for path in project.iterdir()} == {"spec"}


def test_a_place_that_cannot_be_written_is_no_traceback(project: Path) -> None:
    Path("generated").touch()
    assert "cannot write" in call("generate", code=2).stderr


def test_params_tell_value_meaning_bounds_and_line(project: Path) -> None:
    text = call("params", GAME, "raise_limit").stdout
    place = f"line {line_of('raise_limit: 1')}"
    assert text == (
        f"{GAME}: 1 value with 'raise_limit'; lines are of {RULES}\n\n"
        f"phases.auction.raise_limit = 1{place:>50}\n"
        "    Cards a bid may pass the highest total by: 1 to 60 (cards)\n"
        "    Fixed when the turn begins, for the leader, too.\n"
    )


def test_every_value_of_the_rules_is_a_parameter_once(project: Path) -> None:
    found = json.loads(call("params", GAME, "--format", "json").stdout)
    paths = [one["path"] for one in found]
    assert len(set(paths)) == len(paths)
    assert all(one["title"] and one["allowed"] and one["line"] > 1 for one in found)
    assert {
        "players",
        "cards.points.2-10",
        "phases.trumps.order.chief.may",
        "tables.team_goal.4",
        "scoring.numbers.bonus_cap",
        "scoring.played.made.when",
        "match.until",
    } <= set(paths)
    assert not [path for path in paths if "source" in path or "reading" in path or "title" in path]


def test_params_tell_programs_the_bounds(project: Path) -> None:
    [one] = json.loads(call("params", GAME, "match.until", "--format", "json").stdout)
    assert one["schema"] == {"type": "integer", "minimum": 1, "maximum": 100000}
    assert (one["value"], one["unit"], one["file"], one["line"]) == (
        200,
        "points",
        RULES,
        line_of("until: 200"),
    )


def test_params_mark_what_a_variant_changes(project: Path) -> None:
    text = call("params", GAME, "match", "-v", "to-100").stdout
    path = f"spec/games/{GAME}/variants/to-100.yaml"
    assert "\n* match.until = 100 " in text
    assert (
        f"spec/games/{GAME}/variants/to-100.yaml:{line_of('match.until', path)}\n    was 200\n"
        in text
    )
    assert text.count("* ") == 1


def test_params_mark_a_list_of_which_one_item_is_changed(project: Path) -> None:
    text = call("params", GAME, "team_goal", "--set", "tables.team_goal.4[0]=29").stdout
    assert "* tables.team_goal.4 = [29, 32," in text
    assert "--set\n    was [30, 32," in text


def test_variants_tell_what_they_change_and_what_goes_together(project: Path) -> None:
    text = call("variants", GAME).stdout
    assert text.startswith("no-stalemate: No stalemate\n    Whoever reached")
    assert "    phases.roles.first.tied: stalemate -> first-to-reach\n" in text
    assert "    scoring.numbers.tied_per_card: 5, taken out\n" in text
    assert "    match.until: 200 -> 100\n    Combines with no-stalemate.\n" in text
    found = json.loads(call("variants", GAME, "--format", "json").stdout)
    assert [(one["id"], one["combines_with"]) for one in found] == [
        ("no-stalemate", ["to-100"]),
        ("to-100", ["no-stalemate"]),
    ]


def test_a_game_without_variants_says_so(project: Path) -> None:
    call("new", "other")
    assert call("variants", "other").stdout == "other has no variants\n"


def test_diff_tells_old_and_new_and_who_set_it(project: Path) -> None:
    text = call("diff", GAME, "-v", "no-stalemate", "--set", "match.until=150").stdout
    assert text.startswith(f"{GAME} with no-stalemate, match.until=150: 6 differences\n")
    place = f"spec/games/{GAME}/variants/no-stalemate.yaml"
    assert (
        f"phases.roles.first.tied: stalemate -> first-to-reach\n    {place}:{line_of('roles.first', place)}\n"
        in text
    )
    assert f"scoring.stalemate: taken out\n    {place}:{line_of('remove', place)}\n" in text
    assert "match.until: 200 -> 150\n    --set\n" in text


def test_diff_shows_one_item_of_a_list(project: Path) -> None:
    [one] = json.loads(
        call("diff", GAME, "--set", "tables.team_goal.5[1]=28", "--format", "json").stdout
    )
    assert (one["path"], one["old"], one["new"]) == ("tables.team_goal.5[1]", 27, 28)


def test_diff_shows_a_list_whole_when_its_length_changes(project: Path) -> None:
    text = call("diff", GAME, "--set", "phases.trumps.order.chief.may=[suit, none]").stdout
    assert "phases.trumps.order.chief.may: [suit, rank, none] -> [suit, none]\n" in text


def test_diff_shows_the_difference_of_the_engines(project: Path) -> None:
    text = call("diff", GAME, "--set", "match.until=150", "--code").stdout
    assert text.startswith("--- chief_and_vice.py\n+++ chief_and_vice_with_set.py\n")
    assert "\n-MATCH_UNTIL = 200\n+MATCH_UNTIL = 150\n" in text


def test_diff_needs_something_to_compare_with(project: Path) -> None:
    assert "add --variant or --set" in call("diff", GAME, code=2).stderr


def test_variants_that_exclude_each_other_are_a_wrong_call(project: Path) -> None:
    path = f"spec/games/{GAME}/variants/to-100.yaml"
    change(path, "set:", "excludes: [no-stalemate]\nset:")
    assert call("check", GAME).stdout == "chief-and-vice: fine (3 rule sets)\n"
    result = call("diff", GAME, "-v", "to-100", "-v", "no-stalemate", code=2)
    assert "do not combine" in result.stderr


def test_readings_are_wrapped_and_have_their_place(project: Path) -> None:
    text = call("readings", GAME).stdout
    place = f"{RULES}:{line_of('The partner need not have bid.')}"
    assert f"\nphases.partner\n    The partner need not have bid.\n    {place}\n" in text
    assert "\nvariant no-stalemate\n    The next to reach" in text
    assert not [line for line in text.splitlines() if len(line) > 80]
    found = json.loads(call("readings", GAME, "--format", "json").stdout)
    assert text.startswith(f"{GAME}: {len(found)} readings\n")


def test_a_new_game_passes_check_and_plays(project: Path) -> None:
    result = call("new", "sheep-and-wolf")
    assert "trickwright check sheep-and-wolf\n" in result.stdout
    assert call("check", "sheep-and-wolf").stdout == "sheep-and-wolf: fine (1 rule set)\n"
    call("generate", "sheep-and-wolf", "--out", "wolf.py")
    program = (
        "import runpy; m = runpy.run_path('wolf.py'); match = m['Match'](seed=1)\n"
        "match.play_randomly(m['stream'](1, 1)); print(match.over)"
    )
    assert python("-c", program).stdout == "True\n"


def test_a_new_game_explains_itself_in_comments(project: Path) -> None:
    call("new", "sheep-and-wolf")
    text = Path("spec/games/sheep-and-wolf/rules.yaml").read_text(encoding="utf-8")
    assert text.startswith("# Sheep and wolf: ")
    assert text.count("#") > 20
    assert "GAME" not in text
    assert "TITLE" not in text


def test_a_game_like_another_has_its_rules_under_a_new_name(project: Path) -> None:
    call("new", "my-chief", "--like", GAME)
    assert call("check", "my-chief").stdout == "my-chief: fine (4 rule sets)\n"
    text = Path("spec/games/my-chief/rules.yaml").read_text(encoding="utf-8")
    original = Path(RULES).read_text(encoding="utf-8")
    assert "game: my-chief\ntitle: {en: My chief, de: My chief}\nsources:\n" in text
    assert text.startswith("# My chief. Change a value, then run: trickwright test my-chief\n")
    assert text.partition("sources:")[2] == original.partition("sources:")[2]


def test_a_title_on_several_lines_is_replaced_whole(project: Path) -> None:
    change(
        RULES, "title: {en: Chief and Vice, de: Chef und Vize}", "title:\n  en: Chief\n\n  de: Chef"
    )
    call("new", "my-chief", "--like", GAME)
    assert call("check", "my-chief").stdout == "my-chief: fine (4 rule sets)\n"


def test_new_never_overwrites(project: Path) -> None:
    before = Path(RULES).read_bytes()
    assert "stays as it is" in call("new", GAME, code=2).stderr
    assert Path(RULES).read_bytes() == before


@pytest.mark.parametrize(
    "name", ["Sheep", "../sheep", "a b", "9-men", "x" * 41, "sheep-", "a/b", ""]
)
def test_new_refuses_what_is_no_id(project: Path, name: str) -> None:
    assert "cannot be the id of a game" in call("new", name, code=2).stderr
    assert [path.name for path in Path("spec/games").iterdir()] == [GAME]


@pytest.mark.parametrize("name", ["class", "con", f"{GAME}-to-100"])
def test_new_leaves_nothing_of_a_game_whose_name_is_taken(project: Path, name: str) -> None:
    assert "taken-name" in call("new", name, code=1).stderr
    assert [path.name for path in Path("spec/games").iterdir()] == [GAME]


def test_a_game_called_as_an_engine_of_another_is_refused_by_every_command(project: Path) -> None:
    call("generate")
    before = Path("generated/trickwright_games/chief_and_vice_to_100.py").read_bytes()
    call("new", "wolf")
    Path("spec/games/wolf").rename("spec/games/chief-and-vice-to-100")
    change(
        "spec/games/chief-and-vice-to-100/rules.yaml", "game: wolf", "game: chief-and-vice-to-100"
    )
    said = "game: its module would be called 'chief_and_vice_to_100', as one of chief-and-vice"
    assert said in call("check", "chief-and-vice-to-100", code=1).stdout
    assert said in call("generate", "chief-and-vice-to-100", code=1).stderr
    turned = said.removesuffix("chief-and-vice") + "chief-and-vice-to-100"
    assert turned in call("generate", GAME, code=1).stderr
    assert Path("generated/trickwright_games/chief_and_vice_to_100.py").read_bytes() == before


def test_new_like_a_game_with_problems_makes_nothing(project: Path) -> None:
    change(RULES, "until: 200", "until: 0")
    call("new", "my-chief", "--like", GAME, code=1)
    call("new", "my-chief", "--like", "nothing", code=2)
    assert not Path("spec/games/my-chief").exists()


@pytest.mark.parametrize(
    ("inside", "name"),
    [
        ("", "."),
        ("", "./"),
        ("", "rules.yaml"),
        ("", f"../{GAME}/."),
        ("variants", ".."),
        ("variants", "../rules.yaml"),
    ],
)
def test_a_game_is_found_from_inside_its_folder(
    inside: str, name: str, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project / "spec" / "games" / GAME / inside)
    assert call("check", name).stdout == f"{GAME}: fine (4 rule sets)\n"


def test_a_new_game_elsewhere_is_called_by_its_path(project: Path) -> None:
    text = call("new", "wolf", "--dir", "drafts").stdout
    assert "trickwright check ./drafts/wolf\n" in text
    assert call("check", "./drafts/wolf").stdout == "wolf: fine (1 rule set)\n"
    [last] = [line for line in text.splitlines() if "generate" in line]
    call(*last.partition("trickwright ")[2].partition("  ")[0].split())
    assert Path("wolf.py").exists()
