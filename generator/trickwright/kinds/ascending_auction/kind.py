"""An auction in which each bid must be higher than the one before: a number of tricks and a side, or a special bid.

Bids are numbered from the lowest up: by number of tricks, then by side; special bids stand above all numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

from trickwright import limits
from trickwright.kinds import Actions, Clause, Declaration, Field, Phase, Setting, Word
from trickwright.names import Name, Range, Type
from trickwright.problems import did_you_mean
from trickwright.pytext import hexadecimal, literal
from trickwright.source import Node

"""Bids that can be told apart, so that a set of them and a pass fit in the 62 bits an engine uses."""


@dataclass(frozen=True)
class AscendingAuction:
    """Who opens and whether they must bid, the numbers from the lowest to the highest, sides and special bids by height."""

    role: str
    opens: str
    first_must_bid: bool
    lowest: int
    highest: int | None
    """None for as many tricks as a hand has cards."""
    sides: tuple[str, ...]
    special: tuple[str, ...]


@dataclass(frozen=True)
class View:
    """What the template prints from."""

    role: str
    opens: str
    first_must_bid: bool


class AscendingAuctionKind:
    """See the module."""

    def bind(self, node: Node) -> AscendingAuction:
        """The parameters of an ascending auction."""
        values = node.plain()
        highest = values["highest"]
        return AscendingAuction(
            values["role"],
            str(values["opens"]),
            values["first_must_bid"],
            values["lowest"],
            None if highest == "hand-size" else highest,
            tuple(values["sides"]),
            tuple(values.get("special", ())),
        )

    def declare(self, phase: Phase, setting: Setting) -> Declaration | None:
        """Provides the bidder's role, ``bid`` and ``side`` of the highest bid, and a yes/no for each special bid."""
        params = phase.params
        opens = setting.expression(phase, params.opens, Type.PLAYER, "opens")
        if opens is not None and opens.may_be_nobody:
            setting.problem(phase, f"'{params.opens}' may be nobody", "no-way-out", "opens")
        most = self._highest(phase, setting)
        sides = self._sides(phase, setting)
        numbers = range(params.lowest, max(most.values()) + 1)
        first_special = len(numbers) * len(sides)
        count = first_special + len(params.special) * len(sides)
        if count > limits.BIDS:
            text = f"there are {count} different bids, and {limits.BIDS} at most"
            setting.problem(phase, text, "out-of-bounds", "highest")
        self._provide(phase, setting, most, first_special)
        if opens is None or setting.report.failed:
            return None
        heights: list[str | Word] = [str(number) for number in numbers]
        heights += [Word("bids", special) for special in params.special]
        tricks = f"tuple({params.lowest} + bid // {len(sides)} for bid in range({first_special}))"
        if params.special:
            tricks += f" + (0,) * {count - first_special}"
        possible = [
            (1 << (most.get(count, params.lowest - 1) - params.lowest + 1) * len(sides)) - 1
            for count in setting.rows
        ]
        above = (1 << count) - (1 << first_special)
        clauses = ["most", "higher", *(["must-bid"] if params.first_must_bid else [])]
        return Declaration(
            view=View(params.role.upper(), opens.code, params.first_must_bid),
            fields=(
                Field("bids", "bid", "bids", per_player=True, initial=-1, allowed="POSSIBLE_BIDS"),
                Field("out", "players", "out_of_auction"),
                Field(params.role, "player", params.role, initial=-1, needed=True),
                Field(
                    "contract",
                    "bid",
                    "contract",
                    initial=-1,
                    needed=True,
                    allowed="POSSIBLE_BIDS",
                ),
            ),
            actions=(Actions("bid", "bid", 0, count), Actions("pass", "word", count, 1)),
            clauses=tuple(Clause(clause) for clause in clauses),
            constants=(
                (
                    "POSSIBLE_BIDS",
                    literal([hexadecimal(bids | above) for bids in possible], 20),
                    "by number of players; a set of bids has one bit for each, from the lowest up",
                ),
                ("PASSING", str(count), "the action that is no bid"),
                ("BID_TRICKS", tricks, "the number of each bid"),
                ("BID_SIDE", f"{literal(sides)} * {count // len(sides)}", "the side of each bid"),
            ),
            highest_bid=max(most.values()),
            highest_bidder=params.role,
            outcomes={} if params.first_must_bid else {"nobody-bid": ()},
            things={
                "bid": tuple((height, Word("sides", s)) for height in heights for s in params.sides)
            },
            can_resume=True,
        )

    @staticmethod
    def _highest(phase: Phase, setting: Setting) -> dict[int, int]:
        """The highest number that can be bid, by number of players; what is beyond the hand is a problem."""
        hand = setting.scope.get("hand_size")
        lowest, highest = phase.params.lowest, phase.params.highest
        found: dict[int, int] = {}
        for count in setting.players:
            size = hand.range[count][1] if hand is not None else 0
            found[count] = size if highest is None else min(highest, size)
            key = "highest" if highest is not None and highest > size else "lowest"
            wrong = highest if key == "highest" else lowest
            if wrong > found[count]:
                text = f"{count} players cannot bid {wrong} tricks, at most {found[count]}"
                setting.problem(phase, text, "out-of-bounds", key)
                break
        return {count: max(found.get(count, lowest), lowest) for count in setting.players}

    @staticmethod
    def _sides(phase: Phase, setting: Setting) -> list[int]:
        """The sides by their numbers in the deck, in the order of the auction."""
        known = setting.deck.side_names
        for place, side in enumerate(phase.params.sides):
            if side not in known:
                node, path = phase.part("sides", place)
                hint = did_you_mean(side, list(known), others="sides") if known else ""
                text = f"the cards have no side '{side}'"
                setting.report.error(node.mark, path, text, "unknown-name", hint)
        return [known.index(side) if side in known else 0 for side in phase.params.sides]

    @staticmethod
    def _provide(phase: Phase, setting: Setting, most: dict[int, int], first: int) -> None:
        params = phase.params
        low = 0 if params.special else params.lowest
        bounds: dict[int, Range] = {count: (low, high) for count, high in most.items()}
        role = Name(params.role, Type.PLAYER, f"state[{params.role.upper()}]", phase.path)
        code = "BID_TRICKS[state[CONTRACT]]"
        setting.provide(phase, role, "role")
        setting.provide(phase, Name("bid", Type.NUMBER, code, phase.path, range=bounds), "kind")
        code = "BID_SIDE[state[CONTRACT]]"
        side = Name("side", Type.SIDE, code, phase.path, kinds=params.sides)
        setting.provide(phase, side, "kind")
        for place, special in enumerate(params.special):
            start = first + place * len(params.sides)
            code = f"({start} <= state[CONTRACT] < {start + len(params.sides)})"
            setting.provide(phase, Name(special, Type.FLAG, code, phase.path), "special", place)


KIND = AscendingAuctionKind()
