"""Puzzles of Summer Pavilion: the text files in this folder."""
