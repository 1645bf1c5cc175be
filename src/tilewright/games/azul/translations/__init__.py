"""What is said about the game, a file for each language."""
