"""Constants: the numbers at the top of an engine, in groups, each with the rule it comes from."""

from __future__ import annotations

from collections.abc import Iterable

from trickwright.cards import Deck, worth_name
from trickwright.kinds import Field
from trickwright.layout import Layout
from trickwright.meaning import Declared, Meaning
from trickwright.pytext import WIDTH, grid, hexadecimal, indent, literal, rows
from trickwright.tables import Table

FILLER = "NEVER"
"""What stands in a table where nothing leads; more than any total."""

Group = tuple[str, list[tuple[str, str, str]]]
"""A heading, and constants: name, value as Python, comment."""


def constants(meaning: Meaning, layout: Layout) -> Iterable[Group]:
    """Groups of constants, each with its heading: name, value, comment."""
    game, deck = meaning.game, meaning.game.deck
    yield (
        f"Cards. {one_line(game.cards.heading)}",
        [
            ("SUITS", str(len(deck.suits)), ""),
            ("RANKS", str(len(deck.ranks)), ""),
            *_numbering(deck),
            ("ALL_CARDS", "(1 << CARDS) - 1", "a set of cards has one bit for each"),
            ("NO_TRUMP", "SUITS + RANKS", "trumps are numbered: suits, ranks, none"),
            ("CARDS_OF_SUIT", _cards_of_suit(deck), "by side" if deck.side_names else ""),
            ("CARDS_OF_RANK", _cards_by("rank", "RANK_OF", "RANKS"), ""),
            ("FEWEST_PLAYERS", str(game.players[0]), ""),
            (
                "WITHOUT",
                literal([hexadecimal(_without(deck, count)) for count in game.rows], 10),
                "cards taken out, by number of players",
            ),
            ("UNNAMED", "NO_TRUMP + 1", "no trump is named yet"),
            ("TRUMP_CARDS", _trump_cards(deck), "the cards of each trump"),
            ("TRUMP_KIND", "(0,) * SUITS + (1,) * RANKS + (2, 2)", "0 a suit, 1 a rank, 2 none"),
            *(
                (worth_name(value), hexadecimal(cards), _worth_note(deck, value))
                for value, cards in deck.worth.items()
            ),
        ],
    )
    yield (
        "Parts of the state of a hand, by offset; those of players have one int for each seat",
        [
            *((placed.constant, str(placed.offset), "") for placed in layout.fields),
            ("SIZE", str(layout.size), ""),
            ("START", _start(layout), "the state before the deal"),
        ],
    )
    yield (
        "Phases, in order of play",
        [
            *((phase_constant(phase), str(n), "") for n, phase in enumerate(meaning.phases)),
            ("OVER", str(len(meaning.phases)), ""),
        ],
    )
    if game.rounds is not None:
        heading = f"Rounds. {one_line(game.rounds.cited.heading)}"
        yield heading, [("ROUNDS", str(game.rounds.times), "")]
    if game.match.until is not None:
        yield (
            "The match. " + one_line(game.match.cited.heading),
            [("MATCH_UNTIL", str(game.match.until), "")],
        )
    for declared in meaning.phases:
        if declared.adds.constants:
            yield (
                f"{declared.phase.id}. {one_line(declared.phase.cited.heading)}",
                list(declared.adds.constants),
            )
    if game.scoring.numbers:
        yield (
            f"Scoring. {one_line(game.scoring.cited.heading)}",
            [(name.upper(), str(value), "") for name, value in game.scoring.numbers.items()],
        )
    if game.tables:
        note = "stands in a table where nothing leads"
        yield "Tables", [("NEVER", "1 << 30", note)]
    for table in game.tables.values():
        yield _table(table, game.rows, deck)
    for declared in meaning.phases:
        if declared.adds.clauses:
            yield (
                f"Clauses of {declared.phase.id}, in the order in which they are looked at",
                [
                    (clause_constant(declared.phase.function, clause.id), str(place), "")
                    for place, clause in enumerate(declared.adds.clauses)
                ],
            )
    yield (
        "How a hand can end",
        [
            (f"ENDED_{ending.outcome.upper().replace('-', '_')}", str(number + 1), "")
            for number, ending in enumerate(meaning.endings)
        ],
    )


def _numbering(deck: Deck) -> list[tuple[str, str, str]]:
    """Suit and rank of each card by its number: worked out where the deck is regular, else listed."""
    if deck.is_regular:
        return [
            ("CARDS", "SUITS * RANKS", "card number = suit * RANKS + rank, ranks from low to high"),
            ("SUIT_OF", "tuple(card // RANKS for card in range(CARDS))", ""),
            ("RANK_OF", "tuple(card % RANKS for card in range(CARDS))", ""),
        ]
    ranks = grid([card.rank for card in deck.cards])
    found = [("CARDS", str(len(deck)), "")]
    if deck.side_names:
        found.append(("SIDES", str(deck.sides), ", ".join(deck.side_names)))
        by_side = "".join(f"    {indent(rows(row))},\n" for row in deck.suits_by_side())
        found.append(("SUIT_OF", f"(\n{by_side})  # fmt: skip", ""))
    else:
        found.append(("SUIT_OF", grid([card.suits[0] for card in deck.cards]), ""))
    found.append(("RANK_OF", ranks, ""))
    if deck.twins:
        found.append(("TWINS", hexadecimal(deck.twins), "cards identical to the one before them"))
    return found


def _cards_of_suit(deck: Deck) -> str:
    """The set of cards of each suit, as Python; for cards of two suits, such sets by side."""
    if not deck.side_names:
        return _cards_by("suit", "SUIT_OF", "SUITS")
    return (
        "tuple(\n    tuple(\n"
        "        sum(1 << card for card in range(CARDS) if SUIT_OF[side][card] == suit)\n"
        "        for suit in range(SUITS)\n    )\n    for side in range(SIDES)\n)"
    )


def _trump_cards(deck: Deck) -> str:
    """The set of cards of each trump, as Python; of a suit all that bear it, on whatever side."""
    if not deck.side_names:
        return "(*CARDS_OF_SUIT, *CARDS_OF_RANK, 0, 0)"
    either = " | ".join(f"CARDS_OF_SUIT[{side}][suit]" for side in range(deck.sides))
    return f"(\n    *({either} for suit in range(SUITS)),\n    *CARDS_OF_RANK,\n    0,\n    0,\n)"


def _worth_note(deck: Deck, value: int) -> str:
    """What a set of cards by worth holds."""
    if deck.worth_is_split:
        return f"the cards in whose points there is {value}, as powers of 2"
    return f"the cards worth {value}"


def _cards_by(what: str, table: str, count: str) -> str:
    """The set of cards of each suit or rank, as Python."""
    return (
        f"tuple(\n    sum(1 << card for card in range(CARDS) if {table}[card] == {what})"
        f" for {what} in range({count})\n)"
    )


def _without(deck: Deck, players: int) -> int:
    return sum(1 << card for card in deck.without.get(players, ()))


def _initial(field: Field) -> str:
    """What a field holds before the deal, by its name in an engine."""
    if field.type == "trump":
        return "UNNAMED"
    return "NOBODY" if field.initial == -1 else str(field.initial)


def _start(layout: Layout) -> str:
    places = {
        f"{placed.constant} + {place}" if place else placed.constant: _initial(placed.field)
        for placed in layout.fields
        for place in range(placed.size)
        if placed.field.initial
    }
    entries = ", ".join(f"{place}: {value}" for place, value in places.items())
    line = f"tuple({{{entries}}}.get(place, 0) for place in range(SIZE))"
    if len(line) + 8 <= WIDTH:
        return line
    rows = "".join(f"        {place}: {value},\n" for place, value in places.items())
    return f"tuple(\n    {{\n{rows}    }}.get(place, 0)\n    for place in range(SIZE)\n)"


def _table(table: Table, players: range, deck: Deck) -> Group:
    heading = f"Table {table.name}. {one_line(table.cited.heading)}"
    if table.by_single_trump:
        found = [table.entry(name, kind) for name, kind in (*deck.trumps, deck.trumps[-1])]
        by_trump = [FILLER if value is None else value for value in found]
        value = literal(by_trump, len(table.constant) + 3)
        note = "by trump: suits, ranks, none, and none named yet"
        return heading, [(table.constant, value, note)]
    if table.entries:
        values = [table.entries.get(kind, FILLER) for kind in table.keys]
        note = f"for {', '.join(table.keys)}"
        return heading, [(table.constant, literal(values, len(table.constant) + 3), note)]
    lines = ""
    for count in players:
        given = table.rows.get(count, ())
        row = (*given, *[FILLER] * (table.width - len(given)))
        note = f"  # {count} players"
        lines += f"    {indent(literal(row, 5 + len(note)))},{note}\n"
    return heading, [(table.constant, f"(\n{lines})", "")]


def phase_constant(declared: Declared) -> str:
    """Name of a phase's number in an engine."""
    return f"IN_{declared.phase.function.upper()}"


def clause_constant(function: str, clause: str) -> str:
    """Name of a clause's number in an engine."""
    return f"{function}_{clause}".upper().replace("-", "_")


def one_line(text: str) -> str:
    """A heading inside a docstring: nothing in it may end the docstring or the line."""
    plain = " ".join(text.split()).replace("\\", "/").replace('"', "'")
    return "".join(letter for letter in plain if letter.isprintable())
