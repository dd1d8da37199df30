"""Fuzz messages: ``python tests/fuzz/fuzz_messages.py --inputs 10000``."""

from harness import main

if __name__ == "__main__":
    main("messages")
