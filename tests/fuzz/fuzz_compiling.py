"""Fuzz compiling: ``python tests/fuzz/fuzz_compiling.py --inputs 10000``."""

from harness import main

if __name__ == "__main__":
    main("compiling")
