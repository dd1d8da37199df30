"""Ranking the bidders: who comes first, who second, and what a tie for either means."""

from __future__ import annotations

from dataclasses import dataclass

from trickwright.kinds import Declaration, Field, Phase, Setting
from trickwright.names import Name, Type
from trickwright.source import Node


@dataclass(frozen=True)
class RankBidders:
    """The two roles and what settles a tie for each; no second role if ``second`` is empty.

    ``not_with`` are the numbers of players with which nobody comes second.
    """

    first: str
    first_tied: str
    second: str
    second_tied: str
    not_with: tuple[int, ...]


@dataclass(frozen=True)
class View:
    """What the template prints from."""

    first: str
    second: str
    first_tied: str
    second_tied: str
    lacks_order: bool
    not_with: tuple[int, ...]


class RankBiddersKind:
    """See the module."""

    def bind(self, node: Node) -> RankBidders:
        """The parameters of the ranking."""
        values = node.plain()
        second = values.get("second", {"role": "", "tied": ""})
        return RankBidders(
            values["first"]["role"],
            values["first"]["tied"],
            second["role"],
            second["tied"],
            tuple(second.get("not_with", ())),
        )

    def declare(self, phase: Phase, setting: Setting) -> Declaration | None:
        """Requires ``bid``, ``laid_out``, ``laid_at``; provides the two roles, and who was tied."""
        params = phase.params
        ends: dict[str, tuple[Name, ...] | None] = {"nobody-bid": ()}
        for name, gives in (
            ("bid", Type.NUMBER),
            ("laid_out", Type.CARDS),
            ("laid_at", Type.NUMBER),
        ):
            if setting.function_named(phase, name, gives, "kind") is None:
                return None
        fields = [Field(params.first, "player", params.first, initial=-1, needed=True)]
        setting.provide(
            phase,
            Name(
                params.first,
                Type.PLAYER,
                f"state[{params.first.upper()}]",
                phase.path,
                at_least={"bid": 1},
            ),
            "first",
            "role",
        )
        if params.second:
            if setting.among_players(phase, params.not_with, "second", "not_with") and (
                len(params.not_with) == len(setting.players)
            ):
                text = "with every number of players nobody comes second"
                hint = "leave out second"
                setting.problem(phase, text, "bad-players", "second", "not_with", hint=hint)
            fields.append(
                Field(
                    params.second,
                    "player",
                    params.second,
                    initial=-1,
                    nobody_with=params.not_with,
                    differs_from=(params.first,),
                )
            )
            setting.provide(
                phase,
                Name(
                    params.second,
                    Type.PLAYER,
                    f"state[{params.second.upper()}]",
                    phase.path,
                    may_be_nobody=True,
                    at_least={"bid": 1},
                ),
                "second",
                "role",
            )
        if params.first_tied == "stalemate":
            fields += [
                Field("tied", "players", "tied"),
                Field("last_of_tied", "player", initial=-1),
            ]
            ends["stalemate"] = (
                Name("tied", Type.PLAYERS, "state[TIED]", phase.path, at_least={"bid": 1}),
                Name(
                    "last_of_tied",
                    Type.PLAYER,
                    "state[LAST_OF_TIED]",
                    phase.path,
                    at_least={"bid": 1},
                ),
            )
        return Declaration(
            view=View(
                params.first.upper(),
                params.second.upper(),
                params.first_tied,
                params.second_tied,
                "first-to-reach" in (params.first_tied, params.second_tied),
                params.not_with,
            ),
            fields=tuple(fields),
            outcomes=ends,
            highest_bidder=params.first,
        )


KIND = RankBiddersKind()
