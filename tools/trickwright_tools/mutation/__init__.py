"""Mutation testing of rules: every value and expression is changed, one at a time, and the suite must notice.

``values`` and ``expressions`` say what is changed into what, ``mutants`` collects them for a game and its variants, ``session``
judges one mutant, ``pool`` judges many on all cores, ``store`` remembers verdicts, ``equivalent`` reads which mutants are the same
game, ``proof`` holds such a claim against random play, and ``page`` tells what came of it.
"""
