"""Players: how to choose by chance, with sense, greedily, or after having imagined how it may go on."""
