"""The results of a tournament as a page for a terminal and as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from trickwright_tools.players.ratings import Rating
from trickwright_tools.players.tournament import Results

if TYPE_CHECKING:
    from trickwright.templates.runtime import Rules


def as_json(rules: Rules, sets: Sequence[str], results: Results, ratings: Sequence[Rating]) -> Any:
    """The tournament and its results, the best entrant first; nothing in it depends on the machine or the time."""
    told, signs = results.tournament, results.signs()
    return {
        "game": rules.id,
        "variants": list(rules.variants),
        "set": list(sets),
        "rules": rules.digest,
        "players": told.members,
        "seed": told.seed,
        "deals_of_a_pair": told.deals,
        "hands_of_a_pair": told.deals * told.hands_of_deal,
        "entrants": [
            {
                "name": told.entrants[place].name,
                "rating": ratings[place].value,
                "interval": [ratings[place].low, ratings[place].high],
                "deals": told.deals * (len(told.entrants) - 1),
                "won": _won(results, signs, place),
            }
            for place in order(ratings)
        ],
        "pairs": [
            {
                "first": told.entrants[one].name,
                "second": told.entrants[other].name,
                "won": signs[pair].count(1),
                "lost": signs[pair].count(-1),
                "drawn": signs[pair].count(0),
                **_lead(*results.lead(pair)),
            }
            for pair, (one, other) in enumerate(told.pairs)
        ],
    }


def _lead(mean: float, half: float | None) -> dict[str, Any]:
    return {
        "lead": round(mean, 6),
        "half_width": None if half is None else round(half, 6),
        "too_few_hands_to_tell": too_few(mean, half),
    }


def _won(results: Results, signs: Sequence[Sequence[int]], place: int) -> float:
    """Deals that an entrant won; one that nobody won is half a deal for each."""
    won = 0.0
    for row, (one, other) in zip(signs, results.tournament.pairs, strict=True):
        if place in (one, other):
            won += row.count(1 if place == one else -1) + row.count(0) / 2
    return won


def too_few(mean: float, half: float | None) -> bool:
    """Whether the interval leaves open who is ahead."""
    return half is None or mean - half <= 0 <= mean + half


def order(ratings: Sequence[Rating]) -> list[int]:
    """The entrants by number, the best first."""
    return sorted(range(len(ratings)), key=lambda place: (-ratings[place].value, place))


def page(rules: Rules, sets: Sequence[str], results: Results, ratings: Sequence[Rating]) -> str:
    """Ratings, and under them who is how far ahead of whom."""
    told, signs, best = results.tournament, results.signs(), order(ratings)
    names = [entrant.name for entrant in told.entrants]
    hands = told.deals * told.hands_of_deal
    changed = [*rules.variants, *sets]
    lines = [
        f"{rules.words['en'].names.get('title', rules.id)}, {told.members} players"
        + (", of whom the dealer sits out" if told.sits_out else "")
        + (f", with {', '.join(changed)}" if changed else ""),
        f"each pair: {told.deals:,} deals, {hands:,} hands; seed {told.seed}",
        "",
    ]
    wide = 4 + max(12, *map(len, names))
    lines.append(f"{'Ratings':<{wide}}{'rating':>8}{'95 % interval':>20}{'deals won':>12}")
    for place, number in enumerate(best, 1):
        rating = ratings[number]
        share = 100 * _won(results, signs, number) / (told.deals * (len(names) - 1))
        between = f"{rating.low:+.0f} to {rating.high:+.0f}"
        who = f"{place:>2}  {names[number]}"
        lines.append(f"{who:<{wide}}{rating.value:>+8.0f}{between:>20}{share:>10.1f} %")
    lines += ["400 points ahead are ten deals won for one lost.", ""]
    cells, unsure = _cells(results, best)
    across = max(14, 2 + max(len(cell) for row in cells for cell in row))
    lines.append("Points a hand ahead of one of those at the top, ± 95 %")
    heads = "".join(f"{names[number]:>{across}.{across - 1}}" for number in best[1:])
    lines.append(f"{'':<{wide}}{heads}")
    for number, row in zip(best[:-1], cells, strict=True):
        shown = "".join(f"{cell:>{across}}" for cell in row)
        lines.append(f"{'    ' + names[number]:<{wide}}{shown}".rstrip())
    if unsure:
        lines += ["", "?  too few hands to tell: " + ", ".join(unsure)]
    return "\n".join(lines)


def _cells(results: Results, best: Sequence[int]) -> tuple[list[list[str]], list[str]]:
    """The leads of each over all below, and the pairs of which it is open who is ahead."""
    told = results.tournament
    rows, unsure = [], []
    for place, one in enumerate(best[:-1]):
        row = [""] * place
        for other in best[place + 1 :]:
            mean, half = results.lead(told.pairs.index((min(one, other), max(one, other))))
            mean = mean if one < other else -mean
            said = f"{mean:+.2f}" if half is None else f"{mean:+.2f} ± {half:.2f}"
            if too_few(mean, half):
                said += " ?"
                unsure.append(f"{told.entrants[one].name} and {told.entrants[other].name}")
            row.append(said)
        rows.append(row)
    return rows, unsure
