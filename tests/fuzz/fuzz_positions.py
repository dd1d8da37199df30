"""Fuzz positions: ``python tests/fuzz/fuzz_positions.py --inputs 10000``."""

from harness import main

if __name__ == "__main__":
    main("positions")
