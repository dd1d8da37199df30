"""Choosing a partner: one player picks another, and the table splits into two teams."""

from __future__ import annotations

from dataclasses import dataclass

from trickwright.kinds import Actions, Clause, Declaration, Field, Phase, Setting
from trickwright.names import Name, Type
from trickwright.source import Node


@dataclass(frozen=True)
class ChoosePartner:
    """The role chosen, who chooses it, who may not be chosen, and what the two teams are called.

    ``alone`` are the numbers of players with which nobody is chosen.
    """

    role: str
    by: str
    barred: tuple[str, ...]
    team: str
    others: str
    alone: tuple[int, ...]


@dataclass(frozen=True)
class BarredView:
    """A player who may not be chosen."""

    player: str
    may_be_nobody: bool


@dataclass(frozen=True)
class View:
    """What the template prints from."""

    role: str
    by: str
    team: str
    barred: tuple[BarredView, ...]
    alone: tuple[int, ...]


class ChoosePartnerKind:
    """See the module."""

    def bind(self, node: Node) -> ChoosePartner:
        """The parameters of the choice."""
        values = node.plain()
        return ChoosePartner(
            values["role"],
            values["by"],
            tuple(values["except"]),
            values["team"],
            values["others"],
            tuple(values.get("alone_with", ())),
        )

    def declare(self, phase: Phase, setting: Setting) -> Declaration | None:
        """Provides the partner and both teams; checks that somebody can always be chosen."""
        params = phase.params
        by = setting.player_named(phase, params.by, "by")
        barred = [
            setting.player_named(phase, name, "except", place)
            for place, name in enumerate(params.barred)
        ]
        setting.among_players(phase, params.alone, "alone_with")
        choosing = [count for count in setting.players if count not in params.alone]
        if not choosing:
            text = "with every number of players the chooser is alone"
            hint = "leave out the phase, or give fewer"
            setting.problem(phase, text, "bad-players", "alone_with", hint=hint)
        fewest = min(choosing or setting.players)
        others_barred = {*params.barred} - {params.by}
        if choosing and fewest - 1 - len(others_barred) < 1:
            setting.problem(
                phase,
                f"with {fewest} players nobody is left to choose",
                "no-way-out",
                "except",
                hint="bar fewer players, or take more",
            )
        team, role = params.team.upper(), params.role.upper()
        chosen = Name(
            params.role,
            Type.PLAYER,
            f"state[{role}]",
            phase.path,
            may_be_nobody=bool(params.alone),
        )
        setting.provide(phase, chosen, "role")
        setting.provide(
            phase, Name(params.team, Type.PLAYERS, f"state[{team}]", phase.path), "team"
        )
        others = f"((1 << state[PLAYERS]) - 1 & ~state[{team}])"
        setting.provide(phase, Name(params.others, Type.PLAYERS, others, phase.path), "others")
        if by is None or by.may_be_nobody:
            if by is not None:
                setting.problem(
                    phase, f"'{params.by}' may be nobody and cannot choose", "no-way-out", "by"
                )
            return None
        if None in barred:
            return None
        if params.by in params.barred and not setting.report.failed:
            text = f"'{params.by}' chooses, and nobody is their own partner anyway"
            place = params.barred.index(params.by)
            setting.never_acts(phase, text, "except", place, hint="leave it out")
        return Declaration(
            view=View(
                role,
                by.code,
                team,
                tuple(BarredView(name.code, name.may_be_nobody) for name in barred if name),
                params.alone,
            ),
            fields=(
                Field(
                    params.role,
                    "player",
                    params.role,
                    initial=-1,
                    needed=True,
                    nobody_with=params.alone,
                    differs_from=(params.by, *params.barred),
                ),
                Field(params.team, "players", params.team),
            ),
            actions=(Actions("choose", "player", 0, setting.most_players),),
            clauses=(Clause("self"), Clause("except")) if barred else (Clause("self"),),
            can_resume=True,
        )


KIND = ChoosePartnerKind()
