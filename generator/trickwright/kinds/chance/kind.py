"""Chance: a die or a draw after the deal that names a suit or a rank.

What comes up is settled only when the phase is reached. It follows from a random word that the deal has set aside and that
nobody sees, so a hand of one seed plays the same everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass

from trickwright.kinds import Declaration, Field, Phase, Setting
from trickwright.names import OF_CARDS, Name, Type
from trickwright.problems import did_you_mean
from trickwright.pytext import literal
from trickwright.source import Node


@dataclass(frozen=True)
class Chance:
    """What the result is called, and the faces, each equally likely; a face may be there more than once."""

    names: str
    faces: tuple[str, ...]


@dataclass(frozen=True)
class View:
    """What the template prints from."""

    result: str
    faces: str
    count: int


class ChanceKind:
    """See the module."""

    def bind(self, node: Node) -> Chance:
        """The parameters of the event."""
        values = node.plain()
        return Chance(values["names"], tuple(map(str, values["of"])))

    def declare(self, phase: Phase, setting: Setting) -> Declaration | None:
        """Provides the result, a suit or a rank; checks that every face is one."""
        params = phase.params
        known = {
            name.name: name
            for name in map(setting.scope.get, setting.scope)
            if name is not None and name.provided_by == OF_CARDS and name.type is Type.TRUMP
        }
        for place, face in enumerate(params.faces):
            if face not in known:
                node, path = phase.part("of", place)
                hint = did_you_mean(face, list(known), others="suits and ranks")
                text = f"there is no suit or rank '{face}'"
                setting.report.error(node.mark, path, text, "unknown-name", hint)
        found = [known[face] for face in params.faces if face in known]
        if len({*params.faces}) == 1 and found:
            text = f"only {params.faces[0]} can come up, so nothing happens by chance"
            setting.never_acts(phase, text, "of", hint="name two different ones or more")
        kinds = tuple(dict.fromkeys(kind for name in found for kind in name.kinds))
        code = f"state[{params.names.upper()}]"
        result = Name(params.names, Type.TRUMP, code, phase.path, kinds=kinds)
        setting.provide(phase, result, "names")
        if len(found) < len(params.faces):
            return None
        faces = f"{phase.function.upper()}_FACES"
        dealt = setting.scope.get("hand")
        return Declaration(
            view=View(params.names.upper(), faces, len(found)),
            fields=(
                Field(
                    params.names,
                    "trump",
                    params.names,
                    initial=len(setting.deck.suits) + len(setting.deck.ranks) + 1,
                    shown_late=True,
                    allowed=f"(sum({{1 << face for face in {faces}}}),) * {len(setting.players)}",
                ),
            ),
            constants=(
                (
                    faces,
                    literal([name.code for name in found]),
                    f"numbers of {', '.join(params.faces)}",
                ),
            ),
            uses_chance=True,
            has_facts=True,
            facts=("can_show",),
            facts_need=frozenset(name.provided_by for name in (dealt,) if name is not None),
            trump_kinds=kinds,
        )


KIND = ChanceKind()
