"""A move of Azul in one short line for the log of a table, in every language."""

from __future__ import annotations

import re

from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.games.azul import moves as azul_moves
from tilewright.games.azul.rules import FLOOR, JOKER
from tilewright.games.family.heap import number_of
from tilewright.games.family.log import place_text, tiles_text
from tilewright.view.language import say


def log_line(position: Position, move: Move, language: str) -> str:
    """What a move does."""
    row = position.row
    if cell := re.fullmatch(r"w(\d)(\d)", move.text):
        return say(language, "log.wall", row=cell[1], column=cell[2])
    place, colour, with_jokers, destination, _ = azul_moves.decode_draft(row, int(move))
    taken = 0
    for kind in {int(colour), JOKER} if with_jokers else {int(colour)}:
        taken += number_of(int(row.places[place]), kind) << 8 * kind
    tiles, origin = tiles_text(position, taken, language), place_text(int(place), language)
    if destination == FLOOR:
        return say(language, "log.to_floor", tiles=tiles, place=origin)
    return say(language, "log.to_line", tiles=tiles, place=origin, line=destination)
