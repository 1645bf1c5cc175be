"""Players that are programs: each answers ``choose(position)`` with a move."""
