"""The protocol: whatever an engine at the other end does wrong is named exactly, and costs no other case."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from conftest import read
from suites import HEAD, load
from trickwright import Report
from trickwright.places import games, schema
from trickwright.schema import check
from trickwright_conformance import Suite
from trickwright_conformance.protocol import FAULTS, EngineRun, Fault, Launch, Session, play_engine
from trickwright_conformance.protocol.messages import as_node
from trickwright_conformance.protocol.play import questions
from trickwright_conformance.protocol.smoke import SmokeReport, smoke
from trickwright_conformance.protocol.verdict import Verdicts

MINIATURE = Path(__file__).parent / "miniature.py"
FIVE, SIX = "[Anna, Ben, Carla, Dan, Eva]", "[Anna, Ben, Carla, Dan, Eva, Finn]"
CASE = (
    "  - {{id: m.{}, title: a match, rules: [match.until], source: {{en: Winning the game}}, {}}}\n"
)
CASES = HEAD + "".join(
    CASE.format(
        name, f"given: {{{given}}}, play: [hand: {{Anna: 4}}], expect: {{match: {{{expect}}}}}"
    )
    for name, given, expect in (
        ("one", "totals: {Anna: 195}", "over: false, winners: [], totals: {Anna: 199}"),
        ("two", "totals: {Anna: 196}", "over: true, winners: [Anna], totals: {Anna: 200}"),
        ("five", f"players: {FIVE}", "over: false, totals: {Anna: 4, Eva: 0}"),
        ("six", f"players: {SIX}", "over: false, totals: {Anna: 4, Finn: 0}"),
    )
)
NAMES = ["m.one", "m.two", "m.five", "m.six"]
CASES += CASE.format("dealt", "given: {seed: 1}, expect: {phase: auction}")


def launch(fault: str, *words: str, time_limit: float = 20, **limits: float) -> Launch:
    command = shlex.join([sys.executable, "-S", "-E", str(MINIATURE), fault, *words])
    return Launch(command, time_limit, **limits)


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Suite:
    return load(tmp_path, monkeypatch, CASES)


def played(run: EngineRun) -> dict[str, str]:
    """What is wrong with each case that was played."""
    return {one.name: one.news for one in run.played if one.verdict != "skipped"}


def lines(run: EngineRun) -> list[str]:
    return [str(fault) for fault in run.faults]


def test_an_engine_that_is_right_passes_and_what_it_does_not_claim_is_skipped(suite: Suite) -> None:
    run = play_engine(suite, launch("right"))
    assert run.engine == {"name": "miniature", "version": "1", "language": "Python"}
    assert played(run) == dict.fromkeys(NAMES, "") and not run.faults and not run.stderr
    assert run.lacking == {"given.seed": 1}
    assert [one.verdict for one in run.played] == ["passed"] * 4 + ["skipped"]
    assert Verdicts(run).fine


WRONG: dict[str, list[str]] = {
    "wrong": NAMES,
    "nonsense": NAMES,
    "wrong-for-six": ["m.six"],
    "says-crashed": ["m.two"],
    "says-impossible": ["m.two"],
}


@pytest.mark.parametrize("fault", WRONG)
def test_an_engine_that_is_wrong_fails_just_the_cases_that_show_it(
    fault: str, suite: Suite
) -> None:
    run = play_engine(suite, launch(fault))
    assert [one.name for one in run.played if one.verdict == "failed"] == WRONG[fault]
    assert not run.faults and not any(one.fault for one in run.played)
    assert not Verdicts(run).fine
    told = {
        "says-crashed": "the engine broke: IndexError: list index out of range",
        "says-impossible": "the engine calls the case impossible: four is too many",
        "wrong-for-six": "match.totals.Anna: expected 4, got 5",
    }
    assert fault not in told or played(run)[WRONG[fault][0]] == told[fault]


IN_A_CASE: dict[str, str] = {
    "crashes": "the engine ended with exit code 3 [ended]",
    "leaves-a-child": "the engine ended with exit code 5; something that it started still holds its output [ended]",
    "killed": "the engine was ended by the signal SIGTERM [ended]",
    "closes-output": "the engine closed its output and goes on running [closed-output]",
    "invalid-json": "this is no JSON (Expecting property name enclosed in double quotes, at character 33): "
    '\'{"answer": "observed", "id": 2, steps: []}\' [not-json]',
    "cut-json": "this is no JSON (Expecting property name enclosed in double quotes, at character 32): "
    '\'{"answer": "observed", "id": 2,\' [not-json]',
    "nan": "NaN is no number in JSON: ... [not-json]",
    "decimal": "1.5 is no whole number: ... [not-json]",
    "long-number": "a number has more than 15 digits: ... [not-json]",
    "endless-number": "a number has more than 15 digits: ... [not-json]",
    "duplicate-key": "the key 'id' is there twice: ... [not-json]",
    "not-utf8": "byte 66 of the line is not UTF-8: ... [not-json]",
    "half-a-pair": "the character U+D83D is not allowed: ... [not-json]",
    "escape": "the character U+001B is not allowed: ... [not-json]",
    "deep": "nested deeper than 20 levels: ... [not-json]",
    "very-deep": "nested deeper than 20 levels: ... [not-json]",
    "binary": "this is no JSON (Expecting value, at character 1): ... [not-json]",
    "empty-line": "an empty line is no message [not-json]",
    "a-list": "a message is a JSON object, this is none: '[1, 2]' [not-json]",
    "no-answer": "the answer has no 'answer' (answers: started, observed, skipped, impossible, crashed, stopped) "
    "[bad-message]",
    "unknown-answer": "the answer is called \"observes\" (did you mean 'observed'? answers: started, observed, "
    "skipped, impossible, crashed, stopped) [bad-message]",
    "other-answer": "'run' is answered with observed or skipped or impossible or crashed, not with stopped "
    "[bad-message]",
    "no-id": "observed: missing key 'id' (the number of the message: An answer repeats the number of its request.) "
    "[bad-message]",
    "unknown-key": "observed: fact: unknown key 'fact' (did you mean 'facts'?) [bad-message]",
    "wrong-type": "observed: steps: expected a list, found a mapping [bad-message]",
    "no-fact": "observed: facts: missing 'match', which was asked for; null says there is none [bad-message]",
    "more-facts": "observed: facts.x: was not asked for [bad-message]",
    "more-steps": "observed: steps: 0 lines of play, and 1 steps [bad-message]",
    "wrong-id": "request 2 was answered with the id 77 [wrong-id]",
    "skips-claimed": "skipped for want of asks.match, which the engine claims [skipped-claimed]",
    "skips-game": "skipped for want of games.chief-and-vice, which the engine claims [skipped-claimed]",
    "skips-unknown": "skipped: lacks: there is no phases.trick (did you mean 'tricks'? phases are: ...) [bad-message]",
    "skips-formless": "skipped: lacks: the text 'everything' does not have the form needed here ... [bad-message]",
    "huge-line": "a line has more than 1048576 bytes: ... [too-long]",
    "endless-line": "a line has more than 1048576 bytes: ... [too-long]",
    "answers-twice": "the engine wrote more than its answer: ... [answered-twice]",
}
"""A fault in the second case, and what must be said of it; ``...`` stands for any text."""


def fits(said: str, wanted: str) -> bool:
    start, dots, end = wanted.partition("...")
    return said == wanted if not dots else said.startswith(start) and said.endswith(end)


@pytest.mark.parametrize("fault", IN_A_CASE)
def test_a_fault_is_named_and_costs_its_own_case_only(fault: str, suite: Suite) -> None:
    run = play_engine(suite, launch(fault))
    said = played(run)
    assert fits(said.pop("m.two"), IN_A_CASE[fault]), run.played[1].news
    assert said == dict.fromkeys(["m.one", "m.five", "m.six"], "") and not run.faults
    assert run.played[1].fault in FAULTS
    if fault == "crashes":
        assert run.played[1].stderr == "out of cards"


def test_a_second_answer_that_comes_late_is_the_fault_of_its_own_case(suite: Suite) -> None:
    run = play_engine(suite, launch("late-second-answer"))
    said = played(run)
    assert said.pop("m.two").endswith("[answered-twice]")
    assert said == dict.fromkeys(["m.one", "m.five", "m.six"], "")


def is_running(number: int) -> bool:
    stat = Path(f"/proc/{number}/stat")
    return stat.is_file() and stat.read_text().rpartition(")")[2].split()[0] != "Z"


def test_an_engine_that_hangs_is_ended_with_all_that_it_started(
    suite: Suite, tmp_path: Path
) -> None:
    run = play_engine(suite, launch("hangs", str(tmp_path / "pid"), time_limit=2))
    said = played(run)
    assert said.pop("m.two") == "no answer within 2 s [timed-out]"
    assert said == dict.fromkeys(["m.one", "m.five", "m.six"], "")
    child = int((tmp_path / "pid").read_text())
    assert Path("/proc").is_dir() is False or not is_running(child)


def test_an_answer_without_an_end_of_line_is_told_as_such(suite: Suite) -> None:
    run = play_engine(suite, launch("no-newline", time_limit=2))
    assert fits(
        played(run)["m.two"],
        'no answer within 2 s, only 70 bytes without an end of line: \'{"answer"... [timed-out]',
    )


AT_START: dict[str, str] = {
    "crashes-at-start": "the engine ended with exit code 1 [ended]",
    "stdout-babble": "this is no JSON (Expecting value, at character 1): 'Loading the engine...' [not-json]",
    "wrong-version": "the engine speaks version 2 of the protocol, this is version 1 [wrong-version]",
    "unknown-game": "the engine does not play chief-and-vice; it plays: whist [not-claimed]",
    "wrong-claim": "the engine claims what the game does not have: variants: there is no 'to-1000' (did you mean "
    "'to-100'? the game has: no-stalemate, to-100); phases: there is no 'trick' (did you mean 'tricks'? ... "
    "[wrong-claim]",
}


@pytest.mark.parametrize("fault", AT_START)
def test_an_engine_that_does_not_start_well_is_not_asked_at_all(fault: str, suite: Suite) -> None:
    run = play_engine(suite, launch(fault))
    [said] = lines(run)
    assert fits(said, AT_START[fault]), said
    assert not run.played and not Verdicts(run).fine
    assert run.stderr == ("no such table" if fault == "crashes-at-start" else "")
    report = smoked(suite, fault)
    assert report.broken("adapter") and report.checks[0].text == said


@pytest.mark.parametrize(
    ("fault", "wanted"),
    [
        ("ignores-stop", "it answered 'stop', but was still running 1 s later [not-stopped]"),
        (
            "no-last-word",
            "'stop' was not answered: the engine ended with exit code 0 [not-stopped]",
        ),
    ],
)
def test_an_engine_must_stop_when_it_is_told_to(fault: str, wanted: str, suite: Suite) -> None:
    run = play_engine(suite, launch(fault, stop_limit=1))
    assert lines(run) == [wanted]
    assert played(run) == dict.fromkeys(NAMES, "") and not Verdicts(run).fine


def test_stderr_is_shown_with_its_case_and_is_no_fault(suite: Suite) -> None:
    run = play_engine(suite, launch("stderr"))
    assert Verdicts(run).fine
    assert [one.stderr for one in run.played[:4]] == [
        f"thinking about case {number} \\x1b[31m" for number in (1, 2, 3, 4)
    ]


def test_of_endless_stderr_the_beginning_is_kept(suite: Suite) -> None:
    run = play_engine(suite, launch("floods-stderr"))
    assert Verdicts(run).fine
    assert run.played[1].stderr.endswith("bytes more") and len(run.played[1].stderr) < 9000


def test_an_engine_that_fails_always_is_given_up(
    suite: Suite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trickwright_conformance.protocol.play.MOST_FAULTS", 2)
    run = play_engine(suite, launch("crashes-always"))
    assert [one.fault for one in run.played] == ["ended", "ended", "gave-up", "gave-up", ""]
    assert played(run)["m.six"] == "not played any more, after 2 faults [gave-up]"


def test_an_engine_that_skips_everything_has_shown_nothing(suite: Suite) -> None:
    run = play_engine(suite, launch("skips-all"))
    assert run.count("skipped") == 5 and not run.faults
    assert run.lacking == {"phases.tricks: not yet": 4, "given.seed": 1}
    assert run.played[0].because == "not yet"
    assert not Verdicts(run).fine


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        ("", "the command is empty [no-start]"),
        ("'open", "the command cannot be split: No closing quotation [no-start]"),
        (
            "/no/such/engine --x",
            "'/no/such/engine' cannot be run: No such file or directory [no-start]",
        ),
        ("/etc/passwd", "'/etc/passwd' cannot be run: Permission denied [no-start]"),
    ],
)
def test_a_command_that_cannot_be_run_is_told(command: str, wanted: str) -> None:
    session = Session(Launch(command))
    with pytest.raises(Fault) as told:
        session.start()
    assert str(told.value) == wanted


def test_a_command_is_split_without_a_shell_and_found_from_the_folder_of_the_caller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    engine = tmp_path / "my engine"
    engine.write_text(f"#!{sys.executable}\n{MINIATURE.read_text()}")
    engine.chmod(0o755)
    session = Session(Launch("'./my engine' '; touch $HOME *'"))
    assert session.start()["engine"]["name"] == "miniature"
    session.stop()
    assert [path.name for path in tmp_path.iterdir()] == ["my engine"]


def smoked(suite: Suite, fault: str) -> SmokeReport:
    def choose(started: object) -> Suite:
        assert isinstance(started, dict)
        if suite.files.id not in started["games"]:
            said = f"the engine does not play {suite.files.id}; it plays: whist"
            raise Fault("not-claimed", said)
        return suite

    return smoke(launch(fault, stop_limit=1), choose)


def test_smoke_finds_nothing_wrong_with_a_right_engine(suite: Suite) -> None:
    report = smoked(suite, "right")
    assert report.fine and report.verdict.startswith("the adapter works, and")
    states = [check.state for check in report.checks]
    assert states == ["passed", "passed", "not asked", "not asked", *["passed"] * 4]


def test_smoke_does_not_praise_an_engine_that_claims_nothing(suite: Suite) -> None:
    report = smoked(suite, "claims-nothing")
    assert report.verdict == "the adapter works; the engine claims too little to be judged"
    assert [check.state for check in report.checks if check.where == "engine"] == ["not asked"] * 4
    assert any("skips a game" in check.name for check in report.checks)


@pytest.mark.parametrize("fault", ["wrong", "nonsense"])
def test_smoke_tells_that_only_the_engine_is_broken(fault: str, suite: Suite) -> None:
    report = smoked(suite, fault)
    assert report.broken("engine")
    if fault == "wrong":
        assert not report.broken("adapter")
        assert report.verdict == "the adapter works; the engine gives wrong answers"


@pytest.mark.parametrize(
    "fault",
    [
        "any-game",
        "answers-twice@m.five",
        "invalid-json@m.five",
        "closes-output@m.five",
        "ignores-stop",
        "nonsense",
    ],
)
def test_smoke_tells_that_the_adapter_is_broken(fault: str, suite: Suite) -> None:
    report = smoked(suite, fault)
    assert report.broken("adapter") and report.verdict.startswith("the adapter is broken")
    if fault == "any-game":
        [wrong] = [check for check in report.checks if check.state == "failed"]
        assert wrong.text == "it must answer 'skipped', and answered 'observed'"


@pytest.mark.parametrize("game", games())
def test_every_request_has_the_form_of_its_schema_and_tells_nothing_expected(game: str) -> None:
    whole = Suite.load(read(game))
    requests = [request for *_, request in questions(whole)]
    assert len(requests) == sum(len(case.sides) for case in whole.cases)
    for number, request in enumerate(requests):
        report = Report()
        check(as_node({"do": "run", "id": number, **request}), schema("protocol/run"), report)
        assert not report.problems, [problem.render() for problem in report.problems]
        assert request.keys() == {"game", "variants", "case", "given", "play", "ask"}
        for line in request["play"]:
            assert line.keys() <= {"player", "does", "may", "hand"}


def test_every_fault_has_a_test() -> None:
    said = " ".join([*IN_A_CASE.values(), *AT_START.values()])
    own = {"timed-out", "no-start", "not-stopped", "gave-up"}
    assert {code for code in FAULTS if f"[{code}]" in said} | own == set(FAULTS)
    with pytest.raises(ValueError, match="is not in FAULTS"):
        Fault("no-such-fault", "")
