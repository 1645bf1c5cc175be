"""Pictures of the table: SVG panels, scenes, and the paths of clicks that make a move."""
