"""Naming trumps: players with a role name a suit, a rank or no trumps, one after another."""

from __future__ import annotations

from dataclasses import dataclass

from trickwright.cards import TRUMP_KINDS
from trickwright.kinds import Actions, Clause, Declaration, Field, Phase, Setting
from trickwright.names import Name, Type
from trickwright.pytext import hexadecimal
from trickwright.source import Node


@dataclass(frozen=True)
class Namer:
    """A role that names: what kinds of thing it may name, from which of its cards, and whose choice it may not repeat."""

    role: str
    may: tuple[str, ...]
    cards: str
    differs_from: str


@dataclass(frozen=True)
class NamerView:
    """What the template prints about one namer."""

    place: int
    role: str
    player: str
    field: str
    cards: str
    may_none: bool
    allowed: str
    """Set of the trumps of the kinds allowed, as Python; empty if suits and ranks are both allowed."""
    other: str
    may_be_nobody: bool

    @property
    def only(self) -> str:
        """What limits the trumps to the kinds allowed."""
        return "" if not self.allowed else " & 0" if self.allowed == "0" else f" & ({self.allowed})"


@dataclass(frozen=True)
class View:
    """What the template prints from."""

    namers: tuple[NamerView, ...]


class NameTrumpsKind:
    """See the module."""

    def bind(self, node: Node) -> tuple[Namer, ...]:
        """The namers, in order."""
        return tuple(
            Namer(role, tuple(values["may"]), values["from"], values.get("differs_from", ""))
            for role, values in node.plain()["order"].items()
        )

    def declare(self, phase: Phase, setting: Setting) -> Declaration | None:
        """Provides ``<role>_trump`` for each namer; checks that nobody is left without a choice."""
        views: list[NamerView] = []
        fields: list[Field] = []
        named: dict[str, Namer] = {}
        suits = len(setting.deck.suits)
        for place, namer in enumerate(phase.params):
            role = setting.player_named(phase, namer.role, "order", namer.role)
            cards = setting.function_named(
                phase, namer.cards, Type.CARDS, "order", namer.role, "from"
            )
            other = namer.differs_from
            if other and other not in named:
                setting.problem(
                    phase,
                    f"'{other}' has named nothing before '{namer.role}'",
                    "unknown-name",
                    "order",
                    namer.role,
                    "differs_from",
                    hint=f"named before: {', '.join(named) or 'nobody'}",
                )
                other = ""
            if other and "none" not in namer.may and len(namer.may) == 1:
                setting.problem(
                    phase,
                    f"'{namer.role}' may be left without a choice: all cards may be of what is named already",
                    "no-way-out",
                    "order",
                    namer.role,
                    "may",
                    hint="allow none, or both suit and rank",
                )
            if role is not None and cards is not None and "none" not in namer.may:
                self._check_cards(phase, setting, namer, role)
            named[namer.role] = namer
            field = f"{namer.role}_trump"
            fields.append(
                Field(
                    field,
                    "trump",
                    f"trumps.{namer.role}",
                    initial=suits + len(setting.deck.ranks) + 1,
                    allowed=f"({_nameable(namer, setting)},) * {len(setting.players)}",
                    differs_from=(f"trumps.{other}",) if other else (),
                )
            )
            nobody = role is not None and role.may_be_nobody
            kinds = tuple(dict.fromkeys([*namer.may, *(["none"] if nobody else [])]))
            setting.provide(
                phase,
                Name(field, Type.TRUMP, f"state[{field.upper()}]", phase.path, kinds=kinds),
                "order",
                namer.role,
            )
            if role is None or cards is None:
                continue
            allowed = {"suit": "(1 << SUITS) - 1", "rank": "-1 << SUITS"}
            limits = [allowed[kind] for kind in ("suit", "rank") if kind in namer.may]
            views.append(
                NamerView(
                    place,
                    namer.role,
                    role.code,
                    field.upper(),
                    cards.code.format("player"),
                    "none" in namer.may,
                    "" if len(limits) == 2 else limits[0] if limits else "0",
                    f"{other}_trump".upper() if other else "",
                    nobody,
                )
            )
        if len(views) < len(phase.params):
            return None
        clauses = ["may", "from", *(["differs"] if any(view.other for view in views) else [])]
        return Declaration(
            view=View(tuple(views)),
            fields=(*fields, Field("naming", "internal")),
            actions=(Actions("name", "trump", 0, suits + len(setting.deck.ranks) + 1),),
            clauses=tuple(Clause(clause) for clause in clauses),
            can_resume=True,
            trump_kinds=TRUMP_KINDS,
        )

    @staticmethod
    def _check_cards(phase: Phase, setting: Setting, namer: Namer, role: Name) -> None:
        """A namer who must name something has a card to name it from."""
        if namer.cards != "hand" and role.at_least.get("bid", 0) < 1:
            setting.problem(
                phase,
                f"'{namer.role}' may have no card among '{namer.cards}' and nothing to name",
                "no-way-out",
                "order",
                namer.role,
                "from",
                hint="name from hand, or allow none",
            )


def _nameable(namer: Namer, setting: Setting) -> str:
    """The set of all that a namer may name by kind, as Python."""
    kinds = [kind for _, kind in setting.deck.trumps]
    return hexadecimal(sum(1 << number for number, kind in enumerate(kinds) if kind in namer.may))


KIND = NameTrumpsKind()
