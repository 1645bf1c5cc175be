"""Puzzles of Azul: the text files in this folder."""
