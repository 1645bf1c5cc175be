"""How strong the bots are with two players, in Elo, as measured in docs/strength.md."""

from __future__ import annotations

LEVELS = {"level2": -456.0, "level3": -159.0, "level4": 337.0, "level5": 676.0, "level6": 776.0}
"""The league. Level 1 did not take part."""
