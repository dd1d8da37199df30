"""Fuzz cases: ``python tests/fuzz/fuzz_cases.py --inputs 10000``."""

from harness import main

if __name__ == "__main__":
    main("cases")
