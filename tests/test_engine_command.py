"""``trickwright test --engine``, ``smoke`` and ``matrix``: what they say, write, and how they end."""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import suites
from suites import GAME, project
from test_cli import call, line_of
from test_protocol import CASES, MINIATURE
from trickwright_conformance import runner
from trickwright_conformance.protocol import matrix

WHO = "miniature 1 (Python), chief-and-vice"
LACKING = "  1 skipped: the engine lacks given.seed\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with Chief and Vice, and five small cases of it."""
    project(tmp_path, monkeypatch, CASES)
    monkeypatch.setattr(runner, "compile_game", suites._compiled)
    return tmp_path


def command(fault: str, *words: str) -> str:
    return shlex.join([sys.executable, "-S", "-E", str(MINIATURE), fault, *words])


def played(fault: str, *words: str, code: int = 0) -> str:
    return call("test", GAME, "--engine", command(fault), *words, code=code).output


def test_an_engine_that_passes_says_so_and_what_it_lacks(here: Path) -> None:
    assert played("right") == f"{WHO}: 4 passed, 0 failed, 1 skipped\n{LACKING}"
    assert played("right", "--case", "m.one") == f"{WHO}: 1 passed, 0 failed\n"


def test_a_failure_is_told_with_all_that_one_needs(here: Path) -> None:
    said = played("crashes", code=1)
    until = line_of("  until: 200", f"spec/games/{GAME}/rules.yaml")
    assert said == (
        "FAILED m.two  conformance/cases/chief-and-vice/some.yaml:5:5\n"
        "  a match\n"
        f"  rule      match.until  (spec/games/chief-and-vice/rules.yaml:{until}:10)\n"
        "  source    en: Winning the game\n"
        "  given     players: [Anna, Ben, Carla, Dan], totals: {Anna: 196}\n"
        "  play      hand: {Anna: 4}\n"
        "  trouble   the engine ended with exit code 3 [ended]\n"
        "  stderr    out of cards\n"
        f"  again     trickwright test chief-and-vice --engine {shlex.quote(command('crashes'))} --case m.two\n"
        "\n"
        f"{WHO}: 3 passed, 1 failed, 1 skipped\n{LACKING}"
    )


def test_stderr_is_shown_with_its_case(here: Path) -> None:
    said = played("stderr", "--case", "m.two")
    assert said.startswith("stderr with m.two\n  thinking about case 1 \\x1b[31m\n\n")


def test_an_engine_that_does_not_start_or_stop_fails_the_run(here: Path) -> None:
    said = played("crashes-at-start", code=1)
    assert said == (
        "stderr outside of cases\n  no such table\n\n"
        "FAULT the engine ended with exit code 1 [ended]\n"
        "chief-and-vice: no case was played\n"
    )
    said = played("no-last-word", code=1)
    assert "FAULT 'stop' was not answered" in said and "4 passed, 0 failed" in said
    assert "has shown nothing" in played("skips-all", code=1)


def test_known_failures_are_strict_both_ways(here: Path) -> None:
    file = here / "known.yaml"
    words = ("--known-failures", str(file))
    file.write_text("chief-and-vice: {m.six: six players are not tried yet}\n")
    said = played("wrong-for-six", *words)
    assert said == f"{WHO}: 3 passed, 0 failed, 1 known failure, 1 skipped\n{LACKING}"
    said = played("right", *words, code=1)
    assert said.startswith("PASSED m.six  conformance/")
    assert "it is listed as a known failure: six players are not tried yet" in said
    assert "--update writes the list anew" in said
    assert "FAILED m.one" in played("wrong", *words, code=1)
    file.write_text("chief-and-vice: {m.dealt: no deals}\n")
    assert played("right", *words, code=1).startswith("SKIPPED m.dealt  conformance/")
    file.write_text("chief-and-vice: {m.seven: there is none}\n")
    said = played("right", *words, code=1)
    assert "1:18: chief-and-vice.m.seven: the suite of chief-and-vice has no case" in said
    assert "did you mean 'm.five'?" in said
    assert "no-file" in played("right", "--known-failures", "nowhere.yaml", code=1)


def test_update_writes_the_whole_file_and_keeps_reasons(here: Path) -> None:
    file = here / "known.yaml"
    words = ("--known-failures", str(file), "--update")
    said = played("wrong", *words)
    assert said.endswith(f"{file} is written anew\n") and "4 known failures" in said
    assert '  "m.six": "match.totals.Anna: expected 4, got 5"\n' in file.read_text()
    assert played("wrong", *words[:2]).startswith(f"{WHO}: 0 passed, 0 failed, 4 known failures")
    file.write_text(
        "another-game: {a.case: 'a: \"reason\"'}\n"
        "chief-and-vice: {m.six: we know why, m.one: no more, m.seven: never was}\n"
    )
    played("wrong-for-six", *words)
    written = file.read_text()
    assert re.sub("(?m)^#.*\n", "", written) == (
        'another-game:\n  "a.case": "a: \\"reason\\""\nchief-and-vice:\n  "m.six": "we know why"\n'
    )
    played("wrong-for-six", *words)
    assert file.read_text() == written, "what is written is read again as it was"
    played("crashes-at-start", *words, code=1)
    assert file.read_text() == written, "an engine that does not start tells nothing of cases"
    file.unlink()
    played("right", *words)
    assert file.read_text().endswith("\n{}\n")
    played("right", *words[:2])


def test_options_that_do_not_go_together_are_wrong_calls(here: Path) -> None:
    for words, wanted in (
        (("--set", "match.until=150"), "plays its own rules"),
        (("--update",), "--update needs --known-failures FILE"),
        (("--update", "--known-failures", "k.yaml", "--case", "m.one"), "writes the whole file"),
        (("--time-limit", "0"), "0.1<=x<=3600"),
        (("--variant", "to-100"), "no case is about this"),
        (("--case", "m.onee"), "did you mean 'm.one'?"),
    ):
        assert wanted in played("right", *words, code=2)
    assert "go with --engine" in call("test", GAME, "--update", code=2).output
    assert "cannot be run: No such file" in call("test", GAME, "--engine", "./no", code=1).output


def report(fault: str, *words: str, code: int = 0) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(played(fault, "--format", "json", *words, code=code))
    return told


def test_the_report_in_json_tells_everything(here: Path) -> None:
    told = report("crashes", code=1)
    assert told["engine"]["name"] == "miniature" and told["game"] == GAME
    assert (told["fine"], told["passed"], told["failed"], told["skipped"]) == (False, 3, 1, 1)
    assert told["lacking"] == {"given.seed": 1}
    assert [case["state"] for case in told["cases"]] == [
        "passed",
        "failed",
        "passed",
        "passed",
        "skipped",
    ]
    assert told["cases"][1]["fault"] == "ended" and told["cases"][1]["stderr"] == "out of cards"
    [match] = report("wrong-for-six", "--case", "m.six", code=1)["cases"]
    assert {"fact": "match.totals.Anna", "expected": 4, "got": 5} in match["mismatches"]


def test_junit_is_xml_that_counts_right(here: Path) -> None:
    (here / "known.yaml").write_text("chief-and-vice: {m.six: we know}\n")
    words = ("--junit", "report.xml", "--known-failures", "known.yaml")
    played("crashes", *words, code=1)
    [suite] = ElementTree.parse(here / "report.xml").getroot()
    assert suite.attrib == {
        "name": WHO,
        "tests": "5",
        "failures": "2",
        "errors": "0",
        "skipped": "1",
    }
    failures = {case.attrib["name"]: case.find("failure") for case in suite}
    crash, stale = failures["m.two"], failures["m.six"]
    assert crash is not None and crash.attrib["message"].endswith("[ended]")
    assert stale is not None and stale.attrib["message"].endswith("known failure: we know")
    assert suite[1].findtext("system-err") == "out of cards"
    played("stderr", "--junit", "report.xml")
    ElementTree.parse(here / "report.xml")
    call("test", GAME, "--junit", "memory.xml")
    [suite] = ElementTree.parse(here / "memory.xml").getroot()
    assert suite.attrib["name"] == GAME and suite.attrib["failures"] == "0" and len(suite) == 5
    assert "cannot be written" in played("right", "--junit", "no/folder.xml", code=2)


def test_smoke_tells_a_broken_adapter_from_a_broken_engine(here: Path) -> None:
    for fault, code, last in (
        ("right", 0, "the adapter works, and the engine gives the right answers"),
        ("wrong", 1, "the adapter works; the engine gives wrong answers"),
        (
            "any-game",
            1,
            "the adapter is broken: put that right first, the engine has not been judged",
        ),
    ):
        words = ("smoke", "--engine", command(fault))
        assert call(*words, code=code).output.splitlines()[-1] == last
        told = json.loads(call(*words, "--format", "json", code=code).output)
        assert told["verdict"] == last and told["game"] == GAME
    said = call("smoke", GAME, "--engine", command("unknown-game"), code=1).output
    assert "FAILED  starts, says who it is, and what it can do\n" in said
    assert "the engine does not play chief-and-vice; it plays: whist [not-claimed]" in said
    said = call("smoke", "--engine", command("unknown-game"), code=1).output
    assert "does not play any game that is known here; it plays: whist" in said


def test_the_matrix_shows_engines_side_by_side(here: Path) -> None:
    for fault in ("right", "wrong-for-six", "crashes-at-start"):
        code = 0 if fault == "right" else 1
        (here / f"{fault}.json").write_text(json.dumps(report(fault, code=code)))
    words = ("matrix", "right.json", "wrong-for-six.json", "crashes-at-start.json")
    assert call(*words, "--out", "m.html").output == "m.html: 3 reports\n"
    page = (here / "m.html").read_text()
    assert page.startswith("<!doctype html>") and page.count('<li><span class="number">') >= 4
    assert "4 passed, 0 failed, 1 skipped" in page and "3 passed, 1 failed, 1 skipped" in page
    assert "match.totals.Anna: expected 4, got 5" in page
    assert "the engine ended with exit code 1 [ended]" in page
    assert not re.search(r"<script|https?://|@import|url\(", page), "the page needs itself only"
    call(*words, "--out", "again.html")
    assert (here / "again.html").read_text() == page


def test_the_matrix_lets_no_report_write_into_the_page(here: Path) -> None:
    told = report("right")
    evil = "<img src=x onerror=alert(1)>"
    told["engine"]["name"] = told["cases"][0]["title"] = told["cases"][0]["name"] = evil
    told["cases"][1] |= {"state": "failed", "trouble": evil}
    page = matrix.page([told])
    assert "<img" not in page and page.count("&lt;img") == 6


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("no json", "r.json is no JSON; make it with --format json"),
        ("[" * 5000, "r.json is no JSON"),
        (
            "[]",
            "is no report of 'trickwright test GAME --engine': expected a mapping, found a list",
        ),
        (
            '{"game": "x", "engine": {}, "skipped": 0, "faults": [], "cases": [{}]}',
            "cases[0]: missing key",
        ),
        ('{"passed": 3, "cases": []}', "missing key 'game'"),
    ],
)
def test_what_is_no_report_is_told(
    text: str, wanted: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("r.json").write_text(text)
    assert wanted in call("matrix", "r.json", code=2).output
    assert "cannot be read: No such file" in call("matrix", "none.json", code=2).output
