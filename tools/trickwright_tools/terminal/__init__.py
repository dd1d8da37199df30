"""A table to play at in the terminal: what is shown, what is asked, and the match around it."""
