"""The strong bot: a tree search in kernels, and the knowledge of each game that guides it."""
