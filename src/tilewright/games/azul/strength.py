"""How strong the bots are with two players, in Elo, as measured in docs/strength.md."""

from __future__ import annotations

LEVELS = {"level1": 0.0, "level2": 417.0, "level3": 1002.0, "level4": 1710.0, "level5": 2221.0, "level6": 2633.0}
"""The ladder; the last one from the league, where the champion was 412 above the search of level 5."""
