"""A player's board of Summer Pavilion as text: hand, seven stars, features and numbers."""

from __future__ import annotations

import numpy as np

from tilewright.game.game import Game
from tilewright.game.position import Position
from tilewright.games.family.heap import counts_of, number_of
from tilewright.games.family.terminal import draw_factories, draw_heaps, heap_in_groups, label
from tilewright.games.summer_pavilion.board import (
    CENTRE_STAR,
    CLOCKWISE,
    FEATURES,
    MULTICOLOUR_BONUS,
    NUMBER_BONUS,
    NUMBER_SPACES,
    STAR_BONUS,
    STAR_SPACES,
)
from tilewright.games.summer_pavilion.names import TILES, space_cost, space_name, star_number
from tilewright.games.summer_pavilion.rules import EMPTY, joker_colour
from tilewright.kernels.compile import Row
from tilewright.view import narrator
from tilewright.view.paint import Paint, spread

_LABEL_WIDTH = 7
_FEATURES = {"pillar": "Pillars", "statue": "Statues", "window": "Windows"}

_STARS = ", ".join(f"{TILES.names[kind]} {STAR_BONUS[kind]}" for kind in np.argsort(STAR_BONUS))
_NUMBERS = ", ".join(f"all {number}s {bonus}" for number, bonus in enumerate(NUMBER_BONUS) if number)
HELP = f"""\
table        [R] is a tile, a number an empty space and its price, [1] the
             starting marker; beside each star how many spaces are covered of
             its pillar (P, 1 bonus tile), of the statue between it and the next
             star below (S, 2 bonus tiles) and of its window (W, 3 bonus tiles)
full stars   {_STARS},
             six different colours {MULTICOLOUR_BONUS}
numbers      {_NUMBERS}"""
"""How to read the table; 80 columns wide."""


def draw_player(position: Position, seat: int, name: str, paint: Paint, columns: int) -> list[str]:
    """The lines of one player's board; the stars in their order round the centre, so that statues join neighbours."""
    stars = [*CLOCKWISE, CENTRE_STAR]
    titles = "".join(f" {title[0]}  " for title in _FEATURES.values())
    return [
        _title(position, seat, name, paint, columns),
        _hand(position, seat, paint, columns),
        " " * (_LABEL_WIDTH + 3 * STAR_SPACES + 1) + paint.faint(titles.rstrip()),
        *(_star(position.game, position, seat, star, paint) for star in stars),
        _features(position, seat),
        _numbers(position, seat),
    ]


def _title(position: Position, seat: int, name: str, paint: Paint, columns: int) -> str:
    to_move = position.turn == seat
    title = f"{'>' if to_move else ' '} {name}"
    left = paint.strong(title) if to_move else title
    if position.row.marker == seat and not position.is_over:
        left += " " + paint.marker()
    if position.row.passed >> seat & 1 and not position.is_over:
        left += " passed"
    return spread(left, narrator.score(position.scores[seat]), columns)


def _hand(position: Position, seat: int, paint: Paint, columns: int) -> str:
    row, tiles = position.row, position.game.tiles
    counts = counts_of(row.hand[seat])
    in_corners = row.passed >> seat & 1 and not (position.phase == "keep" and position.turn == seat)
    label = "corners" if in_corners else "hand"
    groups = [
        paint.letters(letter, number, name)
        for letter, name, number in zip(tiles.letters, tiles.names, counts, strict=True)
        if number
    ]
    if sum(counts) > 14:  # too many for letters
        groups = [
            f"{number}{paint.letters(letter, 1, name)}"
            for letter, name, number in zip(tiles.letters, tiles.names, counts, strict=True)
            if number
        ]
    return spread(f"  {label} {' '.join(groups) or '-'}", _jokers_held(row, seat), columns)


def _jokers_held(row: Row, seat: int) -> str:
    """How many tiles of a player are jokers in this round."""
    jokers = int(number_of(int(row.hand[seat]), int(joker_colour(row))))
    return "" if not jokers else "1 joker" if jokers == 1 else f"{jokers} jokers"


def _star_label(game: Game, star: int) -> str:
    """A star in at most six letters."""
    if star == CENTRE_STAR:
        return "centre"
    return game.tiles.names[star] if game.options["side"] == "coloured" else f"star {star_number(star)}"


def _star(game: Game, position: Position, seat: int, star: int, paint: Paint) -> str:
    row = position.row
    cells = []
    for ring in range(STAR_SPACES):
        space = star * STAR_SPACES + ring
        kind = int(row.board[seat, space])
        number = str(space_cost(str(game.options["side"]), space))
        colour = game.tiles.names[star] if game.options["side"] == "coloured" and star != CENTRE_STAR else None
        if kind == EMPTY:
            cells.append(paint.space(number, colour))
        else:
            cells.append(paint.tile(game.tiles.letters[kind], game.tiles.names[kind]))
    label = _star_label(game, star).ljust(_LABEL_WIDTH)
    if star == CENTRE_STAR:
        names = (
            f" {space_name('grey', space - STAR_SPACES + 1)}..{space_name('grey', space)}"
            if game.options["side"] == "grey"
            else ""
        )
        return label + "".join(cells) + paint.faint(names)
    return f"{label}{''.join(cells)} {_features_of_star(int(row.covered[seat]), star, paint)}"


def _features_of_star(covered: int, star: int, paint: Paint) -> str:
    """The pillar, the statue towards the next star, the window: how many of their spaces are covered, or done."""
    first = CLOCKWISE.index(star) * len(_FEATURES)
    cells = []
    for _, _, spaces in FEATURES[first : first + len(_FEATURES)]:
        number = sum(covered >> space & 1 for space in spaces)
        if number == len(spaces):
            cells.append(paint.done("ok"))
        else:
            progress = f"{number}/{len(spaces)}"
            cells.append(progress if number else paint.faint(progress))
    return " ".join(cells)


def _features(position: Position, seat: int) -> str:
    covered = int(position.row.covered[seat])
    parts = []
    for name, title in _FEATURES.items():
        done = [all(covered >> space & 1 for space in spaces) for other, _, spaces in FEATURES if other == name]
        parts.append(f"{title} {sum(done)}/{len(done)}")
    return "  ".join(parts)


def _numbers(position: Position, seat: int) -> str:
    side = int(position.row.grey)
    covered = int(position.row.covered[seat])
    parts = []
    for number in range(1, len(NUMBER_BONUS)):
        spaces = int(NUMBER_SPACES[side, number])
        parts.append(f"{number}s {(covered & spaces).bit_count()}/{spaces.bit_count()}")
    return "  ".join(parts)


def draw_offer(position: Position, paint: Paint, width: int) -> list[str]:
    """What is on offer, the supply, and what is left to come."""
    supply = heap_in_groups(position.game, int(position.row.supply), paint) or "-"
    heaps = draw_heaps(position, paint, width, "Tower", int(position.row.tower))
    return [*draw_factories(position, paint, width), label("Supply") + supply, *heaps]


def kinds(game: Game) -> list[int]:
    """The kinds of tile that this rule set plays with."""
    return list(range(len(TILES.names)))
