"""The playtest: what the rules do to play, in figures with the interval that each leaves open, as a page and as data."""
