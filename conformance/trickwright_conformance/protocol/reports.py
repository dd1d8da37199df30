"""Reports for programs: of cases played in memory or on an engine, as data for JSON, and as JUnit XML."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree

from trickwright_conformance.protocol.play import EngineRun, Played, case_name
from trickwright_conformance.protocol.verdict import Verdicts
from trickwright_conformance.runner import Result
from trickwright_conformance.show import brief

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class Row:
    """A case in a report."""

    name: str
    title: str
    place: str
    state: str
    """``passed``, ``failed``, ``skipped``, ``known`` for a failure that is listed, ``stale`` for a listed case that passes."""
    why: str = ""
    stderr: str = ""
    seconds: float | None = None


def result_data(result: Result) -> dict[str, Any]:
    """A result as plain data."""
    return {
        "id": result.case.id,
        "title": result.case.title,
        "at": str(result.case.mark),
        "variants": list(result.side.variants),
        "passed": result.passed,
        "trouble": result.trouble,
        "mismatches": [
            {"fact": m.fact, "expected": m.expected, "got": m.got} for m in result.mismatches
        ],
    }


def run_data(run: EngineRun, verdicts: Verdicts, skipped: Mapping[str, str]) -> dict[str, Any]:
    """A run of an engine as plain data. ``skipped`` are cases that the rules have no use for, with the reason."""
    return {
        "game": run.game,
        "engine": dict(run.engine),
        "fine": verdicts.fine,
        "passed": run.count("passed"),
        "failed": run.count("failed"),
        "skipped": run.count("skipped"),
        "lacking": run.lacking,
        "faults": [{"fault": fault.code, "text": fault.text} for fault in run.faults],
        "stderr": run.stderr,
        "left_out": dict(skipped),
        "cases": [
            {
                **result_data(one.result),
                "name": one.name,
                "passed": one.verdict == "passed",
                "state": verdicts.state(one),
                "answer": one.answer,
                "fault": one.fault,
                "lacks": one.lacks,
                "because": one.because,
                "known": verdicts.reasons.get(one.name, ""),
                "stderr": one.stderr,
                "seconds": round(one.seconds, 6),
            }
            for one in run.played
        ],
    }


def rows_of_run(run: EngineRun, verdicts: Verdicts) -> list[Row]:
    """The rows of a run of an engine."""
    return [
        Row(
            one.name,
            one.result.case.title,
            str(one.result.case.mark),
            verdicts.state(one),
            _why(one, verdicts),
            one.stderr,
            one.seconds,
        )
        for one in run.played
    ]


def _why(one: Played, verdicts: Verdicts) -> str:
    state = verdicts.state(one)
    if state == "stale":
        return f"passes, and is listed as a known failure: {verdicts.reasons[one.name]}"
    if one.verdict == "skipped":
        return f"the engine lacks {one.lack}"
    return troubles(one.result)


def rows_of_results(results: Iterable[Result]) -> list[Row]:
    """The rows of cases that were played in memory."""
    return [
        Row(
            case_name(result.case, result.side),
            result.case.title,
            str(result.case.mark),
            "passed" if result.passed else "failed",
            troubles(result),
        )
        for result in results
    ]


def troubles(result: Result) -> str:
    """All that was not as expected, a line each."""
    lines = [
        f"{m.fact}: expected {brief(m.expected)}, got {brief(m.got)}" for m in result.mismatches
    ]
    return "\n".join([*([result.trouble] if result.trouble else []), *lines])


def junit(name: str, rows: Iterable[Row], faults: Iterable[str] = ()) -> str:
    """JUnit XML, which build servers show: one suite, one test case for each row, and one for each fault beside them."""
    rows = [*rows, *(Row("engine", fault, "", "failed", fault) for fault in faults)]
    states = [row.state for row in rows]
    counts = {
        "tests": len(rows),
        "failures": states.count("failed") + states.count("stale"),
        "errors": 0,
        "skipped": states.count("skipped") + states.count("known"),
    }
    numbers = {key: str(count) for key, count in counts.items()}
    suites = ElementTree.Element("testsuites", numbers)
    suite = ElementTree.SubElement(suites, "testsuite", {"name": _xml(name), **numbers})
    for row in rows:
        about = {"classname": _xml(name), "name": _xml(row.name)}
        if row.seconds is not None:
            about["time"] = f"{row.seconds:.6f}"
        case = ElementTree.SubElement(suite, "testcase", about)
        why = _xml(row.why)
        if row.state in ("failed", "stale"):
            first = why.partition("\n")[0]
            failure = ElementTree.SubElement(case, "failure", {"message": first})
            failure.text = "\n".join(filter(None, [_xml(row.title), row.place, why]))
        elif row.state in ("skipped", "known"):
            known = "known failure: " if row.state == "known" else ""
            ElementTree.SubElement(case, "skipped", {"message": f"{known}{why}"})
        if row.stderr:
            ElementTree.SubElement(case, "system-err").text = _xml(row.stderr)
    ElementTree.indent(suites)
    text: str = ElementTree.tostring(suites, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _xml(text: str) -> str:
    """A text without the characters that XML cannot hold."""
    return _NOT_XML.sub("\ufffd", text)
