"""Redraw the pictures of the README and of the pages of the games: games that bots have begun well.

``python tools/pictures.py``.
"""

from __future__ import annotations

from pathlib import Path

import tilewright as tw
from tilewright.bots.registry import make_bot
from tilewright.view.picture.compose import draw_svg

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
SCENES = {
    "azul": (tw.Azul(players=2), 44),
    "azul-grey": (tw.Azul(players=2, wall="grey"), 60),
    "azul-jokers": (tw.Azul(players=2, jokers=True), 44),
    "azul-mini": (tw.AzulMini(players=2), 44),
    "summer-pavilion": (tw.SummerPavilion(players=2), 70),
    "summer-pavilion-grey": (tw.SummerPavilion(players=2, side="grey"), 70),
}


def main() -> None:
    """Play some moves, and then on until it is the first player's turn."""
    PICTURES.mkdir(exist_ok=True)
    for name, (game, moves) in SCENES.items():
        position, bot = game.start(seed=1510), make_bot("greedy")
        while len(position.events) < moves or position.turn != 0:
            position.push(bot.choose(position))
        (PICTURES / f"{name}.svg").write_text(draw_svg(position, ["Anna", "Paul"]), encoding="utf-8")


if __name__ == "__main__":
    main()
