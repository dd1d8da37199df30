"""Engines behind adapters: our own gives just the same results as in memory, and two others agree with the suite."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import trickwright_games
from conftest import read
from trickwright import Report
from trickwright.places import games
from trickwright_conformance import Suite
from trickwright_conformance.adapter import answers, generated_engines
from trickwright_conformance.protocol import EngineRun, Launch, play_engine
from trickwright_conformance.protocol.known import read_known
from trickwright_conformance.protocol.messages import MAX_LINE
from trickwright_conformance.protocol.play import case_names, questions
from trickwright_conformance.protocol.smoke import smoke
from trickwright_conformance.protocol.verdict import Verdicts

FOLDER = Path(__file__).parents[1] / "conformance" / "adapters"
GAME = "chief-and-vice"
OWN = shlex.join([sys.executable, "-m", "trickwright_conformance.adapter"])
SAMPLE = 12

here_only = pytest.mark.skipif(
    not FOLDER.is_dir(), reason="an installed package has no adapters beside its tests"
)


@cache
def suite(game: str) -> Suite:
    loaded = Suite.load(read(game))
    assert not loaded.report.problems
    return loaded


@pytest.fixture
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let processes that are started find the packages where this one has them."""
    folders = {str(Path(str(module.__file__)).parents[1]) for module in _packages()}
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sorted(folders)))


def _packages() -> list[Any]:
    import trickwright
    import trickwright_conformance

    return [trickwright, trickwright_conformance, trickwright_games]


def same_as_in_memory(game: str, case_ids: list[str]) -> None:
    own = suite(game)
    run = play_engine(own, Launch(f"{OWN} {game}", time_limit=60, stop_limit=60), case_ids)
    assert not run.faults and not run.stderr
    wanted = [
        own.run(case, side)
        for case in own.cases
        for side in case.sides
        if not case_ids or case.id in case_ids
    ]
    assert [one.result for one in run.played] == wanted
    assert run.count("passed") == len(wanted) > 5


@pytest.mark.parametrize("game", games())
def test_a_sample_over_the_protocol_comes_out_as_in_memory(game: str, importable: None) -> None:
    cases = suite(game).cases
    step = max(1, len(cases) // SAMPLE)
    same_as_in_memory(game, [case.id for case in cases[::step]])


@pytest.mark.slow
@pytest.mark.parametrize("game", games())
def test_every_case_over_the_protocol_comes_out_as_in_memory(game: str, importable: None) -> None:
    same_as_in_memory(game, [])


def test_our_adapter_answers_what_it_cannot_play(monkeypatch: pytest.MonkeyPatch) -> None:
    engines = generated_engines([GAME])
    *_, request = next(questions(suite(GAME), ["tricks.follow-suit"]))

    def answer(**changes: Any) -> dict[str, Any]:
        line = json.dumps({"do": "run", "id": 4, **request, **changes}).encode()
        [only] = answers([line], engines)
        assert only.pop("id") == 4
        return only

    assert answer()["answer"] == "observed"
    assert answer(game="x") == {
        "answer": "skipped",
        "lacks": "games.x",
        "because": "there is no engine",
    }
    because = f"{GAME} is not played with to-100 + x"
    assert answer(variants=["to-100", "x"]) == {"answer": "impossible", "because": because}
    assert answer(given={**request["given"], "at": "nowhere"})["answer"] == "impossible"

    def fails(*_: Any) -> Any:
        raise KeyError("x")

    monkeypatch.setattr(engines[GAME, frozenset()].Hand, "from_position", fails)
    line = fails.__code__.co_firstlineno + 1
    because = f"KeyError: 'x' (test_adapters.py:{line}, in fails)"
    assert answer() == {"answer": "crashed", "because": because}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "this is no JSON (Expecting property name enclosed in double quotes, at character 2): '{' [not-json]"),
        ('{"id": 1}', "the request has no 'do' (requests: start, run, stop) [bad-message]"),
        ('{"do": ["run"], "id": 1}', "the request asks for [\"run\"] (did you mean 'run'? requests: start, run, stop) [bad-message]"),
        ('{"do": "rum", "id": 1}', "the request asks for \"rum\" (did you mean 'run'? requests: start, run, stop) [bad-message]"),
        ('{"do": "stop", "id": -1}', "stop: id: expected at least 0, found -1 (the number of the message: An answer repeats "
         "the number of its request.) [bad-message]"),
        (" " * (MAX_LINE + 1) + "{}", "a line has more than 1048576 bytes: '...' [too-long]"),
    ],
)  # fmt: skip
def test_our_adapter_ends_with_a_word_on_what_is_no_request(
    line: str, said: str, importable: None
) -> None:
    told = subprocess.run([*shlex.split(OWN), GAME], input=line + "\n", capture_output=True, text=True)  # fmt: skip
    assert (told.returncode, told.stdout) == (2, "")
    assert told.stderr == f"this is no request: {said}\n"


@pytest.mark.parametrize(
    "given", [{}, {"players": 4}, {"players": [["Anna"], 1]}, {"players": ["Anna"], "totals": 9}]
)
def test_our_adapter_takes_no_match_without_sense(given: dict[str, Any]) -> None:
    request = {"do": "run", "id": 1, "game": GAME, "variants": [], "case": "x", "given": given}
    line = json.dumps({**request, "play": [{"hand": {"Anna": 1}}], "ask": ["match"]}).encode()
    [answer] = answers([line], generated_engines([GAME]))
    assert answer["answer"] == "impossible" and answer["because"]


def test_our_adapter_passes_smoke(importable: None) -> None:
    report = smoke(
        Launch(f"{OWN} {GAME}", time_limit=60, stop_limit=60), lambda started: suite(GAME)
    )
    assert report.fine and all(check.state == "passed" for check in report.checks)


LANGUAGES = {
    "python": ([sys.executable], "adapter.py", "engine.py", 120),
    "javascript": (["node"], "adapter.mjs", "engine.mjs", 115),
}
"""How to run each adapter, its two files, and how many cases of the suite it must play at least."""


def command_of(language: str, folder: Path) -> str:
    words, adapter, _, _ = LANGUAGES[language]
    if shutil.which(words[0]) is None:
        pytest.skip(f"{words[0]} is not installed")
    return shlex.join([*words, str(folder / language / adapter)])


def run_of(language: str, folder: Path) -> EngineRun:
    return play_engine(
        suite(GAME), Launch(command_of(language, folder), time_limit=60, stop_limit=60)
    )


@here_only
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_engine_written_from_the_rulebook_agrees_with_the_suite(language: str) -> None:
    report = Report()
    file = FOLDER / language / "known-failures.yaml"
    known = read_known(file, GAME, case_names(suite(GAME)), report)
    assert not report.problems
    run = run_of(language, FOLDER)
    verdicts = Verdicts(run, known.reasons)
    assert verdicts.fine, [(one.name, one.news) for one in run.played if one.verdict == "failed"]
    assert verdicts.played >= LANGUAGES[language][3]
    assert not run.stderr and not any(one.stderr for one in run.played)
    report_ = smoke(
        Launch(command_of(language, FOLDER), time_limit=60, stop_limit=60), lambda _: suite(GAME)
    )
    assert report_.fine and all(check.state == "passed" for check in report_.checks)


SLIPS = {
    "python": {
        "-n)": "n)",  # of equal cards the last wins
        "following or list(hand)": "list(hand)",
        "2 * self.belongs(card, self.chief) + self.belongs(card, self.vice)": "self.belongs(card, self.chief) + 2 * self.belongs(card, self.vice)",
        "min(100, 10 * paid)": "10 * paid",
        '"J": 2, ': "",
        "4: (28, 2, 13)": "4: (28, 3, 13)",
    },
    "javascript": {
        "return card.rank > best.rank": "return card.rank >= best.rank",
        "following.length > 0 ? following : hand": "hand",
        "if (chief && vice) return 3;": "",
        "Math.min(100, 10 * paid)": "10 * paid",
        '"JQK".includes(letter)': '"QK".includes(letter)',
        "Math.max(0, bid - reached)": "bid - reached + 1",
    },
}
"""Rules got wrong: what stands in the engine, and what is put there instead."""


@here_only
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_slip_in_an_engine_is_found(language: str, tmp_path: Path) -> None:
    command_of(language, FOLDER)
    for number, (right, wrong) in enumerate(SLIPS[language].items()):
        folder = tmp_path / str(number)
        shutil.copytree(FOLDER / language, folder / language)
        file = folder / language / LANGUAGES[language][2]
        text = file.read_text(encoding="utf-8")
        assert text.count(right) == 1, right
        file.write_text(text.replace(right, wrong), encoding="utf-8")
        run = run_of(language, folder)
        assert run.count("failed") and run.count("passed") and not run.faults, right


@here_only
def test_the_adapters_import_nothing_of_this_project() -> None:
    for path in FOLDER.rglob("*"):
        if path.suffix in (".py", ".mjs"):
            lines = path.read_text(encoding="utf-8").splitlines()
            imports = [line for line in lines if line.startswith(("import", "from"))]
            assert not [line for line in imports if "trickwright" in line]
