"""Fuzz transcripts: ``python tests/fuzz/fuzz_transcripts.py --inputs 10000``."""

from harness import main

if __name__ == "__main__":
    main("transcripts")
