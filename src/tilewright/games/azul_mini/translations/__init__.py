"""What is said about Azul Mini before a game, a file for each language."""
