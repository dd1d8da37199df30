"""Fuzz expressions: ``python tests/fuzz/fuzz_expressions.py --inputs 10000``."""

from harness import main

if __name__ == "__main__":
    main("expressions")
