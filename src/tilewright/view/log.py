"""A move in one short line for the log of a table, in every language.

The lines count tiles as "3 × blue" and name what matters with as little grammar as possible, so that they
read well in languages where the colours of tiles would have to agree with them.
"""

from __future__ import annotations

import re

from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.game.summer_pavilion import SummerPavilion
from tilewright.rules import azul_moves
from tilewright.rules.azul import FLOOR, JOKER
from tilewright.rules.heap import counts_of, number_of
from tilewright.rules.summer_pavilion import joker_colour
from tilewright.rules.summer_pavilion_board import CENTRE_STAR, NUMBER, STAR_SPACES
from tilewright.rules.summer_pavilion_moves import PLACEMENTS, first_placement_move
from tilewright.view.language import say


def log_line(position: Position, move: Move, language: str) -> str:
    """What a move does; ask before it is pushed."""
    if isinstance(position.game, SummerPavilion):
        return _summer_pavilion_line(position, move, language)
    return _azul_line(position, move, language)


def tiles_text(position: Position, heap: int, language: str) -> str:
    """A heap of tiles: "3 × blue, 1 × red"."""
    names = position.game.tiles.names
    parts = [f"{n} × {say(language, 'log.' + names[kind])}" for kind, n in enumerate(counts_of(heap)) if n]
    return ", ".join(parts) or say(language, "log.nothing")


def _place_text(place: int, language: str) -> str:
    return say(language, "log.centre") if place == 0 else say(language, "log.factory", number=place)


def _azul_line(position: Position, move: Move, language: str) -> str:
    row = position.row
    if cell := re.fullmatch(r"w(\d)(\d)", move.text):
        return say(language, "log.wall", row=cell[1], column=cell[2])
    place, colour, with_jokers, destination, _ = azul_moves.decode_draft(row, int(move))
    taken = 0
    for kind in {int(colour), JOKER} if with_jokers else {int(colour)}:
        taken += number_of(int(row.places[place]), kind) << 8 * kind
    tiles, origin = tiles_text(position, taken, language), _place_text(int(place), language)
    if destination == FLOOR:
        return say(language, "log.to_floor", tiles=tiles, place=origin)
    return say(language, "log.to_line", tiles=tiles, place=origin, line=destination)


def _summer_pavilion_line(position: Position, move: Move, language: str) -> str:
    game, row = position.game, position.row
    assert isinstance(game, SummerPavilion)
    word, _, chosen = move.text.partition(" ")
    if word == "pass":
        return say(language, "log.pass")
    if word in ("bonus", "keep"):
        heap = 0 if chosen == "none" else game.tiles.heap(chosen)
        return say(language, f"log.{word}", tiles=tiles_text(position, heap, language))
    first = int(first_placement_move(row))
    if move < first:
        place, colour = divmod(int(move), len(game.tiles.letters))
        joker = int(joker_colour(row))
        offered = int(row.places[place])
        taken = min(1, number_of(offered, joker)) << 8 * joker
        if colour != joker:
            taken += number_of(offered, colour) << 8 * colour
        tiles = tiles_text(position, taken, language)
        return say(language, "log.taken", tiles=tiles, place=_place_text(place, language))
    space, colour, jokers = PLACEMENTS[int(row.grey)][int(move) - first]
    star = _star_text(game, space // STAR_SPACES, language)
    number = int(NUMBER[int(row.grey), space])
    key = "log.placed_with_jokers" if jokers else "log.placed"
    name = say(language, "log." + game.tiles.names[colour])
    return say(language, key, colour=name, number=number, star=star, jokers=jokers)


def _star_text(game: SummerPavilion, star: int, language: str) -> str:
    if star == CENTRE_STAR:
        return say(language, "log.centre_star")
    if game.side == "grey":
        return say(language, "log.grey_star", number=game.star_name(star)[1:])
    return say(language, "log.star_of", colour=say(language, "log." + game.tiles.names[star]))
