"""Azul Mini: the rules of Azul under its own name and look, with both walls, without Joker tiles."""

from __future__ import annotations

from dataclasses import replace

from tilewright.games.azul import SPEC as AZUL
from tilewright.games.azul import WALL, AzulGame

_SHARED = {part: module for part, module in AZUL.parts.items() if part != "puzzles"}
"""The parts of Azul that serve here too; its puzzles are positions of Azul."""


class AzulMini(AzulGame):
    """Azul Mini, for 2 to 4 players, with the coloured or the grey wall.

    >>> AzulMini(players=3, wall="grey")
    AzulMini(players=3, wall='grey')
    """

    spec = replace(
        AZUL,
        name="azul-mini",
        title="Azul Mini",
        options=(WALL,),
        parts={**_SHARED, **{part: f"{__name__}.{part}" for part in ("lessons", "picture", "translations")}},
    )

    def __init__(self, players: int = 2, wall: str = "coloured") -> None:
        super().__init__(players, wall=wall)
