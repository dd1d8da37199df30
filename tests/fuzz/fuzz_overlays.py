"""Fuzz overlays: ``python tests/fuzz/fuzz_overlays.py --inputs 10000``."""

from harness import main

if __name__ == "__main__":
    main("overlays")
