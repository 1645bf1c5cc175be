"""Bots of our own. Play against one from this folder: tilewright play azul --seat me --seat my_bots:Tidy."""

from __future__ import annotations

import tilewright as tw
from tilewright.bots.bot import Bot
from tilewright.games.azul.position import AzulPosition


class Tidy(Bot):
    """Looks one move ahead, and prefers tiles in its pattern lines to tiles on its floor line."""

    def choose(self, position: tw.Position) -> tw.Move:
        """The move after which our board looks best."""
        return max(position.legal_moves, key=lambda move: self.looks(position, move))

    def looks(self, position: tw.Position, move: tw.Move) -> int:
        """Our points after a move; in Azul also what lies in our lines and on our floor line."""
        assert position.turn is not None
        seat, after = position.turn, position.without_dealer()  # no peeping at the tiles to come
        after.push(move)
        looks = after.scores[seat]
        if isinstance(after, AzulPosition):
            looks += sum(line.tiles for line in after.lines[seat]) - 2 * after.floors[seat].tiles.total()
        return looks
