"""Messages are what a stranger wrote: whatever it is, it is read, or refused with a fault that names it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from trickwright_conformance.protocol import Fault
from trickwright_conformance.protocol.messages import (
    ANSWERS,
    MAX_DEPTH,
    check_answer,
    check_observed,
    decode,
    encode,
    plain,
    quoted,
)

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**14), 10**14) | st.text("abcäŸ♥ 7", max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text("abc", max_size=3), inner, max_size=4)
    ),
    max_leaves=12,
)
KEYS = ("answer", "id", "steps", "facts", "because", "lacks", "protocol", "engine", "games", "x")
NAMES = st.sampled_from([name for names in ANSWERS.values() for name in names])
ANSWER = st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=6).flatmap(
    lambda message: NAMES.map(lambda name: {**message, "answer": name})
)
UNHURRIED = settings(
    max_examples=60,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
OBSERVED = {"answer": "observed", "id": 3, "steps": [], "facts": {"trick": None}}


@UNHURRIED
@given(st.binary(max_size=60))
def test_any_bytes_are_an_object_or_a_fault(data: bytes) -> None:
    try:
        assert isinstance(decode(data), dict)
    except Fault as fault:
        assert fault.code == "not-json" and "\n" not in fault.text.strip()


@UNHURRIED
@given(st.integers(0, 80), st.binary(min_size=1, max_size=3))
def test_a_damaged_message_is_read_or_refused(place: int, damage: bytes) -> None:
    line = encode(OBSERVED)
    try:
        check_answer(decode(line[:place] + damage + line[place + 1 :]), "run")
    except Fault as fault:
        assert fault.code in ("not-json", "bad-message")


@UNHURRIED
@given(ANSWER, st.sampled_from(sorted(ANSWERS)))
def test_any_object_is_an_answer_or_a_fault(message: dict[str, Any], do: str) -> None:
    try:
        assert check_answer(message, do) in ANSWERS[do]
    except Fault as fault:
        assert fault.code == "bad-message" and fault.text


@UNHURRIED
@given(st.dictionaries(st.text("abc", max_size=3), VALUES, max_size=4))
def test_what_is_written_is_read_again(message: dict[str, Any]) -> None:
    line = encode(message)
    assert line.count(b"\n") == 1 and line.endswith(b"\n")
    assert decode(line) == message
    assert decode(json.dumps(message, indent=1).replace("\n", " ").encode() + b"\r\n") == message


@pytest.mark.parametrize(
    ("depth", "fine"), [(MAX_DEPTH - 1, True), (MAX_DEPTH, False), (MAX_DEPTH + 1, False)]
)
def test_the_limit_of_depth_is_just_there(depth: int, fine: bool) -> None:
    line = b'{"a":' + b"[" * depth + b"]" * depth + b"}"
    if fine:
        decode(line)
    else:
        with pytest.raises(Fault, match=f"deeper than {MAX_DEPTH} levels"):
            decode(line)


@pytest.mark.parametrize(
    ("text", "value"), [("3.0", 3), ("-0", 0), ("999999999999999", 999999999999999), ("1e3", 1000)]
)
def test_whole_numbers_may_be_written_as_languages_do(text: str, value: int) -> None:
    read = decode(f'{{"a": {text}}}'.encode())["a"]
    assert read == value and type(read) is int


@pytest.mark.parametrize("text", ["1e400", "-1e400", "Infinity", "1000000000000000", "0.5", "1e15"])
def test_other_numbers_are_refused(text: str) -> None:
    with pytest.raises(Fault, match="number"):
        decode(f'{{"a": {text}}}'.encode())


def test_all_that_was_asked_for_must_be_observed() -> None:
    line = {"player": "Anna", "does": None, "may": True}
    request = {"play": [line, {"hand": {}}], "ask": ["trick", "scores"]}
    with pytest.raises(Fault) as told:
        check_observed({"steps": [{"refused": None}], "facts": {"score": 1}}, request)
    assert told.value.text == (
        "observed: steps[0]: missing 'may', which was asked for; "
        "facts: missing 'trick', which was asked for; null says there is none; "
        "facts: missing 'scores', which was asked for; null says there is none; "
        "facts.score: was not asked for"
    )
    seen = {"steps": [{"refused": None, "may": []}], "facts": {"trick": None, "scores": {}}}
    check_observed(seen, request)


def test_what_strangers_wrote_is_shown_without_tricks() -> None:
    assert plain("a\x1b[2Jb\u202ec\ud800\td\n") == "a\\x1b[2Jb\\u202ec\\ud800\td\n"
    assert quoted(b"\xff" + b"x" * 500) == "'\ufffd" + "x" * 59 + "...'"


def test_what_a_fault_quotes_cannot_move_the_cursor() -> None:
    request = {"play": [], "ask": []}
    with pytest.raises(Fault) as caught:
        check_observed({"steps": [], "facts": {"phase\r\t": 1}}, request)
    assert caught.value.text == "observed: facts.phase\\r\\t: was not asked for"
    assert len(Fault("not-json", "x" * 5000).text) == 1003
