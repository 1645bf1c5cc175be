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
from tilewright.view import narrator
from tilewright.view.language import say_for
from tilewright.view.paint import Paint, spread
from tilewright.view.phrasing import tile_name

_LABEL_WIDTH = 7
_FEATURES = ("pillar", "statue", "window")


def draw_player(position: Position, seat: int, name: str, paint: Paint, columns: int, language: str) -> list[str]:
    """The lines of one player's board; the stars in their order round the centre, so that statues join neighbours."""
    stars = [*CLOCKWISE, CENTRE_STAR]
    titles = "".join(f" {_say(position.game, language, feature)[0]}  " for feature in _FEATURES)
    return [
        _title(position, seat, name, paint, columns, language),
        _hand(position, seat, paint, columns, language),
        " " * (_LABEL_WIDTH + 3 * STAR_SPACES + 1) + paint.faint(titles.rstrip()),
        *(_star(position.game, position, seat, star, paint, language) for star in stars),
        _features(position, seat, language),
        _numbers(position, seat, language),
    ]


def _say(game: Game, language: str, key: str, **values: object) -> str:
    return say_for(game.spec, language, f"terminal.{key}", **values)


def _title(position: Position, seat: int, name: str, paint: Paint, columns: int, language: str) -> str:
    to_move = position.turn == seat
    title = f"{'>' if to_move else ' '} {name}"
    left = paint.strong(title) if to_move else title
    if position.state.marker == seat and not position.is_over:
        left += " " + paint.marker()
    if position.state.passed >> seat & 1 and not position.is_over:
        left += " " + _say(position.game, language, "passed")
    return spread(left, narrator.score(position.scores[seat], language), columns)


def _hand(position: Position, seat: int, paint: Paint, columns: int, language: str) -> str:
    row, tiles = position.state, position.game.tiles
    counts = counts_of(row.hand[seat])
    in_corners = row.passed >> seat & 1 and not (position.phase == "keep" and position.turn == seat)
    title = _say(position.game, language, "corners" if in_corners else "hand")
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
    return spread(f"  {title} {' '.join(groups) or '-'}", _jokers_held(position, seat, language), columns)


def _jokers_held(position: Position, seat: int, language: str) -> str:
    """How many tiles of a player are jokers in this round."""
    jokers = int(number_of(int(position.state.hand[seat]), int(joker_colour(position.state))))
    return _say(position.game, language, "jokers", n=jokers) if jokers else ""


def _star_label(game: Game, star: int, language: str) -> str:
    """A star in at most six letters."""
    if star == CENTRE_STAR:
        return _say(game, language, "centre_star")
    if game.options["side"] == "coloured":
        return _say(game, language, f"star_{game.tiles.letters[star]}")
    return _say(game, language, "grey_star", number=star_number(star))


def _star(game: Game, position: Position, seat: int, star: int, paint: Paint, language: str) -> str:
    row = position.state
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
    title = _star_label(game, star, language).ljust(_LABEL_WIDTH)
    if star == CENTRE_STAR:
        names = (
            f" {space_name('grey', space - STAR_SPACES + 1)}..{space_name('grey', space)}"
            if game.options["side"] == "grey"
            else ""
        )
        return title + "".join(cells) + paint.faint(names)
    return f"{title}{''.join(cells)} {_features_of_star(int(row.covered[seat]), star, paint)}"


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


def _features(position: Position, seat: int, language: str) -> str:
    covered = int(position.state.covered[seat])
    parts = []
    for name in _FEATURES:
        done = [all(covered >> space & 1 for space in spaces) for other, _, spaces in FEATURES if other == name]
        parts.append(f"{_say(position.game, language, name)} {sum(done)}/{len(done)}")
    return "  ".join(parts)


def _numbers(position: Position, seat: int, language: str) -> str:
    side = int(position.state.grey)
    covered = int(position.state.covered[seat])
    parts = []
    for number in range(1, len(NUMBER_BONUS)):
        spaces = int(NUMBER_SPACES[side, number])
        title = _say(position.game, language, "number", number=number)
        parts.append(f"{title} {(covered & spaces).bit_count()}/{spaces.bit_count()}")
    return "  ".join(parts)


def draw_offer(position: Position, paint: Paint, width: int, language: str) -> list[str]:
    """What is on offer, the supply, and what is left to come."""
    supply = heap_in_groups(position.game, int(position.state.supply), paint) or "-"
    heaps = draw_heaps(position, paint, width, language, "tower", int(position.state.tower))
    supply = label(position.game, language, "supply") + supply
    return [*draw_factories(position, paint, width, language), supply, *heaps]


def legend(game: Game, language: str) -> str:
    """How to read the table; 80 columns wide."""
    names = [tile_name(game.spec, letter, language) for letter in TILES.letters]
    stars = [f"{names[kind]} {STAR_BONUS[kind]}" for kind in np.argsort(STAR_BONUS)]
    ones, twos, threes, fours = NUMBER_BONUS[1:]
    bonuses = {"ones": ones, "twos": twos, "threes": threes, "fours": fours, "six_colours": MULTICOLOUR_BONUS}
    return _say(game, language, "legend", stars=", ".join(stars), **bonuses)


def kinds(game: Game) -> list[int]:
    """The kinds of tile that this rule set plays with."""
    return list(range(len(TILES.names)))
