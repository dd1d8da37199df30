"""Verdicts: what a run means, beside the failures that were known before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from trickwright_conformance.protocol.play import EngineRun, Played

_LONGEST = 300


@dataclass(frozen=True)
class Verdicts:
    """A run beside its known failures: strict both ways."""

    run: EngineRun
    reasons: Mapping[str, str] = field(default_factory=dict)
    """Known failures: the reason by the name of a case."""

    def state(self, one: Played) -> str:
        """``passed``, ``failed``, ``skipped``, or with a listed case: ``known`` if it fails, ``stale`` if it passes."""
        listed = one.name in self.reasons
        if one.verdict == "failed":
            return "known" if listed else "failed"
        if one.verdict == "passed":
            return "stale" if listed else "passed"
        return "skipped"

    def those(self, state: str) -> list[Played]:
        """The cases in this state."""
        return [one for one in self.run.played if self.state(one) == state]

    @property
    def listed_and_skipped(self) -> list[Played]:
        """Cases that are listed as failures and were not played at all."""
        return [one for one in self.those("skipped") if one.name in self.reasons]

    @property
    def played(self) -> int:
        """How many cases were really played."""
        return sum(one.verdict != "skipped" for one in self.run.played)

    @property
    def fine(self) -> bool:
        """Whether all is as it should be: at least one case was played, and nothing is wrong that was not known."""
        wrong = self.those("failed") or self.those("stale") or self.listed_and_skipped
        return bool(self.played) and not wrong and not self.run.faults

    def anew(self) -> dict[str, str]:
        """The known failures as they are now: what fails, with the reason that was there, or else what is wrong."""
        return {
            one.name: self.reasons.get(one.name, one.news[:_LONGEST])
            for one in self.run.played
            if one.verdict == "failed"
        }
