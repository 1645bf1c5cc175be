"""A move of Summer Pavilion in one short line for the log of a table, in every language."""

from __future__ import annotations

from tilewright.game.game import Game
from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.games.family.heap import number_of
from tilewright.games.family.log import place_text, tiles_text
from tilewright.games.family.position_text import heap_tiles
from tilewright.games.summer_pavilion.board import CENTRE_STAR, NUMBER, STAR_SPACES
from tilewright.games.summer_pavilion.moves import PLACEMENTS, first_placement_move
from tilewright.games.summer_pavilion.names import star_name
from tilewright.games.summer_pavilion.rules import joker_colour
from tilewright.view.language import say


def log_line(position: Position, move: Move, language: str) -> str:
    """What a move does."""
    game, row = position.game, position.row
    word, _, chosen = move.text.partition(" ")
    if word == "pass":
        return say(language, "log.pass")
    if word in ("bonus", "keep"):
        heap = 0 if chosen == "none" else heap_tiles(game).heap(chosen)
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
        return say(language, "log.taken", tiles=tiles, place=place_text(place, language))
    space, colour, jokers = PLACEMENTS[int(row.grey)][int(move) - first]
    star = _star_text(game, space // STAR_SPACES, language)
    number = int(NUMBER[int(row.grey), space])
    key = "log.placed_with_jokers" if jokers else "log.placed"
    name = say(language, "log." + game.tiles.names[colour])
    return say(language, key, colour=name, number=number, star=star, jokers=jokers)


def _star_text(game: Game, star: int, language: str) -> str:
    if star == CENTRE_STAR:
        return say(language, "log.centre_star")
    if game.options["side"] == "grey":
        return say(language, "log.grey_star", number=star_name("grey", star)[1:])
    return say(language, "log.star_of", colour=say(language, "log." + game.tiles.names[star]))
