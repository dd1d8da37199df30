"""Fuzz reading: ``python tests/fuzz/fuzz_reading.py --inputs 10000``."""

from harness import main

if __name__ == "__main__":
    main("reading")
