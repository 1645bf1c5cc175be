"""What is said about Summer Pavilion, in English."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.game.effects import Effect
from tilewright.game.game import Game
from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.games.family.factories import CENTRE, NOBODY
from tilewright.games.family.heap import counts_of, number_of
from tilewright.games.summer_pavilion import rules as summer_pavilion
from tilewright.games.summer_pavilion.board import (
    CENTRE_STAR,
    CLOCKWISE,
    FEATURES,
    FULL_STAR,
    NUMBER,
    RING_RUN,
    STAR_SPACES,
)
from tilewright.games.summer_pavilion.log import log_line
from tilewright.games.summer_pavilion.moves import (
    PLACEMENTS,
    SMALL_HEAPS,
    first_bonus_move,
    first_placement_move,
    pass_move,
)
from tilewright.games.summer_pavilion.names import SIDES
from tilewright.games.summer_pavilion.picture.steps import preview as preview_of
from tilewright.games.summer_pavilion.rules import CORNERS, LOWEST_SCORE, ROUNDS
from tilewright.kernels.compile import Row
from tilewright.view.language import say
from tilewright.view.phrases import count_of, kinds_listed, listed, place_name, points_lost
from tilewright.view.phrasing import Told

HAND, CORNERS_HOLD, PASSED, DONE = "hand", "corners", "passed", "ok"
FEATURE_NAMES = {"pillar": "Pillars", "statue": "Statues", "window": "Windows"}


def heading(position: Position, language: str) -> str:
    """Which game, which variant, which round, which joker."""
    parts = [position.game.title]
    if position.game.options["side"] == "grey":
        parts.append("grey side")
    if position.round == 0:
        return ", ".join([*parts, "set-up"])
    joker = position.game.tiles.names[int(summer_pavilion.joker_colour(position.row))]
    return ", ".join([*parts, f"round {position.round} of {ROUNDS}", f"joker colour {joker}"])


def awaited(position: Position, name: str, language: str) -> str:
    """Whose turn it is and what the game waits for."""
    if position.turn is None:
        return f"Tiles are to be drawn for the {position.phase}"
    wanted = {
        "draft": "take tiles",
        "place": "place a tile or pass",
        "bonus": f"choose {count_of(int(position.row.owed), 'bonus tile')} from the supply",
        "keep": f"choose up to {CORNERS} tiles to keep",
    }
    return f"{name} to {wanted[position.phase]}"


def jokers_held(row: Row, seat: int) -> str:
    """How many tiles of a player are jokers in this round."""
    jokers = int(number_of(int(row.hand[seat]), int(summer_pavilion.joker_colour(row))))
    return count_of(jokers, "joker") if jokers else ""


def star_label(game: Game, star: int) -> str:
    """A star in the drawing, at most six letters."""
    if star == CENTRE_STAR:
        return "centre"
    return game.tiles.names[star] if game.options["side"] == "coloured" else f"star {CLOCKWISE.index(star) + 1}"


def star_name(game: Game, star: int) -> str:
    """A star in a sentence."""
    if star == CENTRE_STAR:
        return "the centre star"
    return (
        f"the {game.tiles.names[star]} star"
        if game.options["side"] == "coloured"
        else f"star {CLOCKWISE.index(star) + 1}"
    )


def preview(position: Position, move: Move, effects: Sequence[Effect], language: str) -> list[str]:
    """What a move would bring, in short phrases."""
    return preview_of(position, move, language)


def tell(position: Position, move: Move, effects: Sequence[Effect], language: str) -> Told:
    """A move in words; what moves share is the place, the star, or what is being chosen."""
    told = _tell(position, move)
    return told if language == "en" else told._replace(sentence=log_line(position, move, language))


def _tell(position: Position, move: Move) -> Told:
    game, row = position.game, position.row
    number = int(move)
    if position.phase == "draft":
        return _tell_take(game, row, *divmod(number, len(game.tiles.names)))
    if position.phase == "bonus":
        chosen = kinds_listed(counts_of(SMALL_HEAPS[number - int(first_bonus_move(row)) + 1]), game.tiles.names)
        return Told(f"{chosen} from the supply", "from the supply", chosen)
    if position.phase == "keep":
        return _tell_keep(game, row, int(SMALL_HEAPS[number - int(pass_move(row)) - 1]))
    if number == int(pass_move(row)):
        tiles = sum(counts_of(row.hand[row.turn]))
        detail = f"with {count_of(tiles, 'tile')} in hand" if tiles else "with no tiles left"
        return Told(f"pass {detail}", "pass", detail)
    return _tell_placement(
        game, row, *PLACEMENTS[SIDES.index(str(game.options["side"]))][number - int(first_placement_move(row))]
    )


def _joker_words(game: Game, row: Row, number: int) -> list[str]:
    joker = game.tiles.names[int(summer_pavilion.joker_colour(row))]
    return [f"{count_of(number, 'joker')} ({joker})"] if number else []


def _tell_take(game: Game, row: Row, place: int, colour: int) -> Told:
    joker = int(summer_pavilion.joker_colour(row))
    jokers = min(1, int(number_of(int(row.places[place]), joker)))
    coloured = 0 if colour == joker else int(number_of(int(row.places[place]), colour))
    coloured_words = [f"{coloured} {game.tiles.names[colour]}"] if coloured else []
    taken = listed(coloured_words + _joker_words(game, row, jokers))
    where = f"from {place_name(place)}"
    marker = ""
    if place == CENTRE and row.marker == NOBODY:
        lost = min(coloured + jokers, int(row.score[row.turn]) - LOWEST_SCORE)
        marker = f" with the starting marker for {points_lost(lost)}"
    return Told(f"{taken} {where}{marker}", where + marker.partition(" for ")[0], taken + marker)


def _tell_keep(game: Game, row: Row, kept: int) -> Told:
    discarded = sum(counts_of(row.hand[row.turn])) - sum(counts_of(kept))
    detail = kinds_listed(counts_of(kept), game.tiles.names) or "nothing"
    if discarded:
        lost = min(discarded, int(row.score[row.turn]) - LOWEST_SCORE)
        detail += f", {discarded} to the tower for {points_lost(lost)}"
    return Told(f"keep {detail}", "keep", detail)


def _tell_placement(game: Game, row: Row, space: int, colour: int, jokers: int) -> Told:
    star, ring = divmod(space, STAR_SPACES)
    number = int(NUMBER[SIDES.index(str(game.options["side"])), space])
    shown = ring + 1 if star == CENTRE_STAR else number
    covered = int(row.covered[row.turn]) | 1 << space
    points = count_of(int(RING_RUN[covered >> STAR_SPACES * star & FULL_STAR, ring]), "point")
    tile = f"{game.tiles.names[colour]} tile on space {shown}"
    paid = listed([f"{number - jokers} {game.tiles.names[colour]}", *_joker_words(game, row, jokers)])
    rest = f", {points}, paid with {paid}"
    completed = _features_completed(covered, space)
    if completed:
        rest += f"; completes a {' and a '.join(completed)}"
    where = star_name(game, star)
    return Told(f"{tile} of {where}{rest}", where, tile + rest)


def _features_completed(covered: int, space: int) -> list[str]:
    return [name for name, _, spaces in FEATURES if space in spaces and all(covered >> other & 1 for other in spaces)]


def prompt(position: Position, language: str) -> str:
    """What the player to move has to do, in a sentence."""
    return say(language, f"prompt.summer-pavilion_{position.phase}")
