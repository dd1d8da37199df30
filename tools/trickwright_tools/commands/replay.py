"""Replay a transcript by today's rules, show where it first differs, and make a conformance case of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from trickwright_tools.options import change_options

if TYPE_CHECKING:
    from trickwright import GameFiles
    from trickwright_tools.replaying import Replayed


@click.command()
@click.argument("file", type=click.Path(dir_okay=False))
@change_options
@click.option("--hand", "number", type=click.IntRange(1), help="Only this hand of a match.")
@click.option(
    "--to-case",
    "to_case",
    is_flag=True,
    help="Make a conformance case of the first difference, or of the end of the last hand.",
)
@click.option(
    "--at", "action", type=click.IntRange(1), help="With --to-case: make it of this action."
)
@click.option(
    "--expect",
    type=click.Choice(["today", "recorded"]),
    default="today",
    show_default=True,
    help="What the case expects: what comes out today, or what the transcript tells.",
)
@click.option(
    "--out", type=click.Path(dir_okay=False), help="Add the case to this file; it may be new."
)
def command(
    file: str,
    variants: tuple[str, ...],
    sets: tuple[str, ...],
    number: int | None,
    to_case: bool,
    action: int | None,
    expect: str,
    out: str | None,
) -> None:
    """Replay the transcript in FILE by today's rules and show where it first differs.

    A transcript is what `trickwright play --save FILE` and `to_json` of an engine write. Its own variants and single values are
    part of today's rules; --variant and --set come on top. Exit code 1 if something differs.

    \b
    trickwright play papayoo --save papayoo.json
    trickwright replay papayoo.json
    trickwright replay papayoo.json --set phases.tricks.follow=may
    trickwright replay papayoo.json --hand 2 --at 14 --to-case --out case.yaml
    """
    from trickwright.memory import load_engine
    from trickwright_tools.replaying import hands_told, read_transcript, replay, with_shares
    from trickwright_tools.report import CallError, leave, open_compiled, open_game
    from trickwright_tools.shares import Shares

    if not to_case and (action is not None or out is not None or expect != "today"):
        raise CallError("--at, --expect and --out go with --to-case")
    told = read_transcript(file)
    files = open_game(told["game"])
    variants = tuple(dict.fromkeys((*told.get("variants", ()), *variants)))
    sets = (*told.get("set", ()), *sets)
    compiled = open_compiled(files, variants, sets)
    engine = load_engine(compiled)
    hands = hands_told(told)
    if number is not None and number > len(hands):
        raise CallError(f"{file} has {len(hands)} hands")
    wanted = [number] if number is not None else range(1, len(hands) + 1)
    found: Replayed | None = None
    at = 0
    for at in wanted:
        found = replay(engine, hands[at - 1])
        if found.difference is not None:
            break
    assert found is not None
    found = with_shares(found, files, Shares(files, variants, sets), told)
    if not to_case:
        click.echo(_shown(found, at, len(hands), told, engine.RULES.digest, files))
        leave(0 if found.difference is None else 1)
    from trickwright_tools.case_making import add_case, make_case, whole_text

    case = make_case(found, action, expect, files, compiled, engine, sets)
    if out is None:
        click.echo(whole_text(files.id, [case]), nl=False)
    else:
        case_id = add_case(out, files, case)
        click.echo(f"{case_id} is in {out}: give it an id, a title and the rules that it is about")


def _shown(
    found: Replayed,
    number: int,
    count: int,
    told: Mapping[str, Any],
    digest: str,
    files: GameFiles,
) -> str:
    """What came of the replay, in words."""
    from trickwright_tools.case_making import rules_concerned, where

    noun = "hand" if count == 1 else "hands"
    changed = told.get("rules") != digest
    difference = found.difference
    if difference is None:
        same = "the rules are others than when it was written, but " if changed else ""
        return f"{files.id}: {count} {noun}: {same}all comes out as the transcript tells"
    place = f"hand {number}, " if count > 1 else ""
    actions = found.told["actions"]
    lines = []
    if difference.action <= len(actions):
        lines.append(
            f"{files.id}: {place}action {difference.action} of {len(actions)}: {actions[difference.action - 1]}"
        )
        lines.append(f"  {difference.text}")
    else:
        lines.append(f"{files.id}: {place}after action {len(actions)}: {difference.text}")
        for when, ended in (("then", difference.then), ("now", difference.now)):
            if ended:
                lines.append(f"  {when:<10}{_ended(ended)}")
    others = {other.rule: other for other in difference.others}
    acted = difference.now and not others
    for path in rules_concerned(found, files):
        other = others.get(path.rpartition(".")[2])
        told_of = "" if other is None else f": {_points(other.then)}, now {_points(other.now)}"
        lines.append(f"  {'acted' if acted else 'rule':<10}{where(path, files)}{told_of}")
    if acted:
        lines.append(
            "  which of them differs cannot be told: the transcript does not say what each gave"
        )
    if not changed:
        lines.append("  the rules are the same as when it was written: the transcript is damaged")
    return "\n".join(lines)


def _points(share: Mapping[str, int] | None) -> str:
    """What a scoring rule gave, by player."""
    if not share:
        return "nothing"
    return ", ".join(f"{name} {points}" for name, points in share.items())


def _ended(ended: Mapping[str, Any]) -> str:
    """How a hand ended, on one line."""
    scores = ended.get("scores")
    told = (
        [f"{name} {points}" for name, points in scores.items()]
        if isinstance(scores, Mapping)
        else []
    )
    by = ended.get("scored_by")
    rules = ", ".join(map(str, by)) if isinstance(by, list) and by else "no rule"
    return f"{ended.get('outcome')}: {', '.join(told)}; by {rules}"
