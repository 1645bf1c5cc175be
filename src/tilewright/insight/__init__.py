"""Understanding games: analysis of positions, review of games, skill and luck, reasons in words."""
