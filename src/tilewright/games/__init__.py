"""The games, a folder each, and what the family shares. Engines reach them through the registry alone."""
