"""What is said about Summer Pavilion, in English."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.game.summer_pavilion import SIDES, SummerPavilion
from tilewright.rules import summer_pavilion
from tilewright.rules.factories import CENTRE, NOBODY
from tilewright.rules.heap import counts_of, number_of
from tilewright.rules.kernel import Row
from tilewright.rules.summer_pavilion import CORNERS, LOWEST_SCORE, ROUNDS
from tilewright.rules.summer_pavilion_board import (
    CENTRE_STAR,
    CLOCKWISE,
    FEATURES,
    NUMBER,
    RING_RUN,
    STAR_SPACES,
)
from tilewright.rules.summer_pavilion_moves import (
    PLACEMENTS,
    SMALL_HEAPS,
    first_bonus_move,
    first_placement_move,
    pass_move,
)
from tilewright.view.phrases import count_of, kinds_listed, listed, place_name, signed_list

HAND, CORNERS_HOLD, PASSED, DONE = "hand", "corners", "passed", "ok"
FEATURE_NAMES = {"pillar": "Pillars", "statue": "Statues", "window": "Windows"}


def heading(position: Position) -> str:
    """Which game, which variant, which round, which joker."""
    parts = [position.game.title]
    if position.game.options["side"] == "grey":
        parts.append("grey side")
    if position.round == 0:
        return ", ".join([*parts, "set-up"])
    joker = position.game.tiles.names[int(summer_pavilion.joker_colour(position.row))]
    return ", ".join([*parts, f"round {position.round} of {ROUNDS}", f"joker colour {joker}"])


def awaited(position: Position, names: Sequence[str]) -> str:
    """Whose turn it is and what the game waits for."""
    if position.turn is None:
        return f"Tiles are to be drawn for the {position.phase}"
    wanted = {
        "draft": "take tiles",
        "place": "place a tile or pass",
        "bonus": f"choose {count_of(int(position.row.owed), 'bonus tile')} from the supply",
        "keep": f"choose up to {CORNERS} tiles to keep",
    }
    return f"{names[position.turn]} to {wanted[position.phase]}"


def hand_contents(row: Row, seat: int) -> str:
    """How many tiles a player has, and how many of them are jokers now."""
    tiles = sum(counts_of(int(row.hand[seat])))
    jokers = int(number_of(int(row.hand[seat]), int(summer_pavilion.joker_colour(row))))
    return count_of(tiles, "tile") + (f", {count_of(jokers, 'joker')}" if jokers else "")


def star_label(game: SummerPavilion, star: int) -> str:
    """A star in the drawing, at most six letters."""
    if star == CENTRE_STAR:
        return "centre"
    return game.tiles.names[star] if game.side == "coloured" else f"star {CLOCKWISE.index(star) + 1}"


def star_name(game: SummerPavilion, star: int) -> str:
    """A star in a sentence."""
    if star == CENTRE_STAR:
        return "the centre star"
    return f"the {game.tiles.names[star]} star" if game.side == "coloured" else f"star {CLOCKWISE.index(star) + 1}"


def describe(game: SummerPavilion, position: Position, move: Move) -> tuple[str, str]:
    """A move in two parts: what it has in common with others, and the rest."""
    row = position.row
    number = int(move)
    if position.phase == "draft":
        return _describe_take(game, row, *divmod(number, len(game.tiles.names)))
    if position.phase == "bonus":
        chosen = int(SMALL_HEAPS[number - int(first_bonus_move(row)) + 1])
        return "take", f"{kinds_listed(counts_of(chosen), game.tiles.names)} from the supply"
    if position.phase == "keep":
        return _describe_keep(game, row, int(SMALL_HEAPS[number - int(pass_move(row)) - 1]))
    if number == int(pass_move(row)):
        tiles = sum(counts_of(int(row.hand[row.turn])))
        return "pass", f"with {count_of(tiles, 'tile')} left" if tiles else "with no tiles left"
    placement = PLACEMENTS[SIDES.index(game.side)][number - int(first_placement_move(row))]
    return _describe_placement(game, row, *placement)


def _joker_words(game: SummerPavilion, joker: int, number: int) -> str:
    return f"{count_of(number, 'joker')} ({game.tiles.names[joker]})"


def _describe_take(game: SummerPavilion, row: Row, place: int, colour: int) -> tuple[str, str]:
    joker = int(summer_pavilion.joker_colour(row))
    jokers = min(1, int(number_of(int(row.places[place]), joker)))
    coloured = 0 if colour == joker else int(number_of(int(row.places[place]), colour))
    parts = [f"{coloured} {game.tiles.names[colour]}"] if coloured else []
    parts += [_joker_words(game, joker, jokers)] if jokers else []
    rest = listed(parts)
    if place == CENTRE and row.marker == NOBODY:
        lost = min(coloured + jokers, int(row.score[row.turn]) - LOWEST_SCORE)
        rest += f" with the starting marker, for {-lost if lost else 'no'} {'point' if lost == 1 else 'points'}"
    return f"from {place_name(place)}:", rest


def _describe_keep(game: SummerPavilion, row: Row, kept: int) -> tuple[str, str]:
    discarded = sum(counts_of(int(row.hand[row.turn]))) - sum(counts_of(kept))
    rest = kinds_listed(counts_of(kept), game.tiles.names) or "nothing"
    if discarded:
        lost = min(discarded, int(row.score[row.turn]) - LOWEST_SCORE)
        rest += f"; {discarded} to the tower for {-lost if lost else 'no'} {'point' if lost == 1 else 'points'}"
    return "keep", rest


def _describe_placement(game: SummerPavilion, row: Row, space: int, colour: int, jokers: int) -> tuple[str, str]:
    seat = int(row.turn)
    star, ring = divmod(space, STAR_SPACES)
    number = int(NUMBER[SIDES.index(game.side), space])
    shown = ring + 1 if star == CENTRE_STAR else number
    covered = int(row.covered[seat]) | 1 << space
    points = int(RING_RUN[covered >> STAR_SPACES * star & 0b111111, ring])
    joker = int(summer_pavilion.joker_colour(row))
    paid = [f"{number - jokers} {game.tiles.names[colour]}"] + ([_joker_words(game, joker, jokers)] if jokers else [])
    rest = (
        f"{game.tiles.names[colour]} tile on space {shown} for {count_of(points, 'point')}, paid with {listed(paid)}"
    )
    earned = _features_completed(covered, space)
    if earned:
        rest += f"; completes a {' and a '.join(earned)}"
    return f"{star_name(game, star)}:", rest


def _features_completed(covered: int, space: int) -> list[str]:
    return [
        name for name, _, spaces in FEATURES if space in spaces and all(covered >> other & 1 for other in spaces)
    ]


def points_between(before: Position, after: Position, seat: int) -> str:
    """Points won and lost by a player in a round, by what they are for."""
    old, new = before.game.points(before.row, seat), after.game.points(after.row, seat)
    sources = {f"for {source}": new[source] - old[source] for source in ("tiles placed", "marker")}
    sources["for tiles discarded"] = new["discarded when passing"] - old["discarded when passing"]
    if after.is_over:
        sources |= {f"for {source}": new[source] for source in ("full stars", "numbers covered")}
        sources["for tiles left in corners"] = new["left in corners"]
    return signed_list(sources)
