"""What came of a run: counts, survivors with the case that would kill each, and claims that do not hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trickwright import GameFiles
from trickwright_conformance.cases import Case
from trickwright_tools.changes import written
from trickwright_tools.mutation.equivalent import Claim
from trickwright_tools.mutation.mutants import Mutant
from trickwright_tools.mutation.session import Verdict
from trickwright_tools.mutation.suggest import suggestion
from trickwright_tools.mutation.values import REMOVED

OUTCOMES = (
    "killed",
    "killed in variants",
    "timed out",
    "rejected",
    "warned",
    "equivalent",
    "no effect",
    "survived",
    "broken",
)
_TOLD = {
    "killed in variants": "killed only in variants",
    "rejected": "rejected by check",
    "warned": "warned of by check",
    "no effect": "without effect",
    "broken": "break check",
}
FOUND = ("survived", "no effect", "broken")
_LONG = 300


@dataclass(frozen=True)
class Run:
    """The mutants of a game with what became of each, and what is claimed of them."""

    files: GameFiles
    cases: Sequence[Case]
    verdicts: Mapping[Mutant, Verdict]
    claims: Mapping[str, Claim]
    lost: Sequence[Claim]
    """Claims about mutants that there are not."""

    @property
    def wrong(self) -> list[tuple[Claim, str]]:
        """The claims that do not hold, and why."""
        found = [(claim, "there is no such mutant any more") for claim in self.lost]
        for mutant, verdict in self.verdicts.items():
            claim = self.claims.get(mutant.id)
            if claim is not None and verdict.outcome != "equivalent":
                found.append((claim, _against(verdict)))
        return sorted(found, key=lambda pair: pair[0].mark)

    @property
    def found(self) -> list[tuple[Mutant, Verdict]]:
        """Mutants that the suite does not tell from the rules, and that nobody has declared to be the same game."""
        return [pair for pair in self.verdicts.items() if pair[1].outcome in FOUND]

    @property
    def is_fine(self) -> bool:
        """Whether every mutant is killed, or the same game for a reason."""
        return not self.found and not self.wrong

    def counts(self) -> dict[str, int]:
        """How many mutants came to what."""
        outcomes = [verdict.outcome for verdict in self.verdicts.values()]
        return {name: outcomes.count(name) for name in OUTCOMES}  # type: ignore[arg-type]


def _against(verdict: Verdict) -> str:
    if verdict.outcome in ("killed", "killed in variants"):
        return f"it is killed by {verdict.by}"
    if verdict.outcome == "differs":
        return f"random play finds a difference: {verdict.by}"
    return f"it is {_TOLD.get(verdict.outcome, verdict.outcome)}: {verdict.by}"


def page(run: Run, seconds: float) -> str:
    """The run as text."""
    lines: list[str] = []
    for mutant, verdict in run.found:
        lines += [*_finding(run, mutant, verdict), ""]
    for mutant, verdict in run.verdicts.items():
        if verdict.outcome == "killed in variants":
            lines += [*_only_in_variants(run, mutant, verdict), ""]
    for claim, why in run.wrong:
        lines += [f"WRONG CLAIM {claim.path}  {claim.mark}", f"  {claim.because}", f"  {why}", ""]
    counts = run.counts()
    told = [f"{count} {_TOLD.get(name, name)}" for name, count in counts.items() if count]
    name = run.files.id
    lines.append(f"{name}: {len(run.verdicts)} mutants: {', '.join(told)} ({seconds:.0f} s)")
    if run.wrong:
        lines.append(f"{len(run.wrong)} claims that do not hold")
    return "\n".join(lines)


def _finding(run: Run, mutant: Mutant, verdict: Verdict) -> Iterator[str]:
    yield f"{verdict.outcome.upper()} {title(mutant)}  {mutant.mark}"
    yield f"  change    {change(mutant)}"
    if verdict.outcome == "survived":
        yield f"  killed by {suggestion(mutant, run.files.rules)}"
    elif verdict.outcome == "broken":
        yield f"  finding   check breaks: {verdict.by}"
    elif mutant.change.new is REMOVED:
        yield "  finding   the engine is the same without it, so it says what holds anyway"
    else:
        yield "  finding   the engine stays the same, so nothing acts on this"
    near = [case for case in run.cases if mutant.path in case.rules][:2]
    for case in near:
        yield f"  near      {case.id}  {case.mark}"


def _only_in_variants(run: Run, mutant: Mutant, verdict: Verdict) -> Iterator[str]:
    yield f"KILLED ONLY IN VARIANTS {title(mutant)}  {mutant.mark}"
    yield f"  change    {change(mutant)}"
    mark = next((str(case.mark) for case in run.cases if case.id == verdict.by), "")
    yield f"  killed by {verdict.by}  {mark}"


def title(mutant: Mutant) -> str:
    """The path, with the variant whose file is changed."""
    return f"{mutant.path} of {mutant.variant}" if mutant.variant else mutant.path


def change(mutant: Mutant) -> str:
    """The old and the new value on one line."""
    old, new = mutant.change.old, mutant.change.new
    if mutant.change.how == "order" and isinstance(new, dict):  # what is in them stays as it is
        old, new = list(old), list(new)
    told = "(taken away)" if new is REMOVED else written(new, _LONG)
    return f"{written(old, _LONG)} -> {told}"


def as_data(run: Run) -> dict[str, Any]:
    """The run as plain data."""
    return {
        "game": run.files.id,
        "mutants": len(run.verdicts),
        "counts": run.counts(),
        "survivors": [
            {**mutant_data(mutant), "suggestion": suggestion(mutant, run.files.rules)}
            for mutant, verdict in run.found
            if verdict.outcome == "survived"
        ],
        "no_effect": [
            mutant_data(mutant) for mutant, verdict in run.found if verdict.outcome == "no effect"
        ],
        "broken": [
            {**mutant_data(mutant), "error": verdict.by}
            for mutant, verdict in run.found
            if verdict.outcome == "broken"
        ],
        "wrong_claims": [
            {"mutant": claim.mutant, "at": str(claim.mark), "why": why} for claim, why in run.wrong
        ],
        "verdicts": [
            {"mutant": mutant.id, "outcome": verdict.outcome, "by": verdict.by}
            for mutant, verdict in run.verdicts.items()
        ],
    }


def mutant_data(mutant: Mutant) -> dict[str, Any]:
    """A mutant as plain data; without ``new`` if something is taken away."""
    told = mutant.change.new
    new = {} if told is REMOVED else {"new": told}
    place = {"file": mutant.mark.file, "line": mutant.mark.line, "column": mutant.mark.column}
    return {
        "mutant": mutant.id,
        "variant": mutant.variant,
        "path": mutant.path,
        "kind": mutant.change.how,
        "old": mutant.change.old,
        **new,
        **place,
    }
