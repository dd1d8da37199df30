"""The command line, started with ``python -m trickwright_tools``."""

from trickwright_tools.cli import main

if __name__ == "__main__":
    main(prog_name="trickwright")
