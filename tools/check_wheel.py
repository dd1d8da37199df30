"""Opens a wheel and says what is wrong with its contents. Usage: python tools/check_wheel.py FILE.whl"""

from __future__ import annotations

import sys
import zipfile

PACKAGES = ("trickwright", "trickwright_games", "trickwright_conformance", "trickwright_tools")
NEEDED = (
    "trickwright/_data/spec/games/chief-and-vice/rules.yaml",
    "trickwright/_data/spec/games/chicane/variants/nil.yaml",
    "trickwright/_data/spec/decks/decktet.yaml",
    "trickwright/_data/spec/schema/game.schema.json",
    "trickwright/_data/spec/schema/deck.schema.json",
    "trickwright/_data/conformance/cases/chief-and-vice/tricks.yaml",
    "trickwright/kinds/tricks/engine.py.j2",
    "trickwright/templates/game.py.j2",
    "trickwright/_data/conformance/cases/chicane/bidding.yaml",
    "trickwright_games/chicane_nil.py",
    "trickwright_games/chief_and_vice.py",
    "trickwright_games/chief_and_vice_no_stalemate_to_100.py",
    "trickwright/_data/spec/games/papayoo/variants/shifting-pass.yaml",
    "trickwright/_data/conformance/cases/papayoo/pass.yaml",
    "trickwright/kinds/pass_cards/engine.py.j2",
    "trickwright_games/papayoo_shifting_pass_two_rounds_each.py",
    "trickwright/_data/spec/games/mue/variants/dealer-sits-out.yaml",
    "trickwright/_data/conformance/cases/mue/sits-out.yaml",
    "trickwright/_data/spec/schema/protocol/started.schema.json",
    "trickwright_conformance/protocol/matrix.html.j2",
    "trickwright_games/mue_dealer_sits_out_to_500.py",
)


def problems(names: list[str]) -> list[str]:
    """What is missing, and what should not be there."""
    top = {name.split("/")[0] for name in names}
    strange = sorted(
        part for part in top if part not in PACKAGES and not part.endswith(".dist-info")
    )
    missing = sorted(set(NEEDED) - set(names))
    return [f"should not be there: {part}" for part in strange] + [f"missing: {n}" for n in missing]


def main() -> None:
    """Check the wheel named on the command line."""
    with zipfile.ZipFile(sys.argv[1]) as wheel:
        names = wheel.namelist()
    found = problems(names)
    print("\n".join(found) or f"{len(names)} files, as they should be")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
