"""The subcommands of ``trickwright``: a module each, with a click command called ``command``."""
