"""What a person or a program holds: games, positions, moves, outcomes, records."""
