"""Find all problems of games and of their variants."""

from __future__ import annotations

import click

from trickwright_tools.options import change_options, format_option, games_argument


@click.command()
@games_argument
@change_options
@format_option
def command(
    games: tuple[str, ...], variants: tuple[str, ...], sets: tuple[str, ...], format_: str
) -> None:
    """Find all problems of games and of their variants.

    Without GAME, all games are checked. Each is checked with every variant and every two variants
    that combine; with --variant or --set, only with those changes.

    \b
    trickwright check
    trickwright check chief-and-vice --set match.until=150
    trickwright check spec/games/chief-and-vice/rules.yaml --format json
    """
    from trickwright import places
    from trickwright.compile import check_game, compile_game, read_game, variant_sets
    from trickwright.problems import Report
    from trickwright_tools.report import CallError, exit_code, leave, tell

    if not games and not (games := tuple(places.games())):
        raise CallError("there is no spec/games in this folder; name a game, or its folder")
    chosen = bool(variants or sets)
    whole = Report()
    fine: list[str] = []
    for name in dict.fromkeys(games):
        report = Report()
        folder = places.find_game(name, report)
        files = None if folder is None else read_game(folder, report)
        count = 1
        if files is not None and chosen:
            compile_game(files, variants, sets, report)
        elif files is not None and folder is not None:
            check_game(folder, report)
            count = len(variant_sets(files))
        for problem in report.problems:
            whole.add(problem)
        if not report.failed:
            sets_of_rules = "1 rule set" if count == 1 else f"{count} rule sets"
            fine.append(f"{files.id if files else name}: fine ({sets_of_rules})")
    if fine and format_ == "text":
        click.echo("\n".join(fine))
    tell(whole.problems, format_, err=False)
    leave(exit_code(whole.problems, chosen=chosen))
