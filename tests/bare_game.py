"""A game of nothing but rules, for 3 or 5 players: every part that engines can do without is missing.

Take all tiles of one kind from the market. Tiles of the first two kinds bring a point each; the third kind costs two.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np

from tilewright.game.game import Game
from tilewright.game.notation import Notation
from tilewright.game.spec import GameSpec
from tilewright.game.tiles import TileSet
from tilewright.kernels.compile import kernel
from tilewright.kernels.playing import Kernels

KINDS = 3
SEATS = 5
DRAW, TAKE, OVER = range(3)
POSITION = np.dtype(
    [
        ("taken_kinds", np.uint32, SEATS),
        ("score", np.int16, SEATS),
        ("bag", np.int8, KINDS),
        ("market", np.int8, KINDS),
        ("hands", np.int8, (SEATS, KINDS)),
        ("last_kind", np.int8),
        ("players", np.int8),
        ("turn", np.int8),
        ("phase", np.int8),
        ("round_number", np.int8),
    ]
)


@kernel
def set_up(position, players):
    position.players = players
    position.bag[0] = 9
    position.bag[1] = 7
    position.bag[2] = 5
    position.last_kind = -1
    position.round_number = 1


@kernel
def is_over(position):
    return position.phase == OVER


@kernel
def awaits_draw(position):
    return position.phase == DRAW


@kernel
def draw_weight(position, kind):
    return int(position.bag[kind])


@kernel
def draw(position, kind):
    position.bag[kind] -= 1
    position.market[kind] += 1
    if position.market.sum() > position.players or position.bag.sum() == 0:
        position.phase = TAKE


@kernel
def count_actions(position):
    return KINDS


@kernel
def count_moves(position):
    count = 0
    if position.phase == TAKE:
        for kind in range(KINDS):
            count += int(position.market[kind] > 0)
    return count


@kernel
def nth_move(position, n):
    for kind in range(KINDS):
        if position.market[kind] > 0:
            if n == 0:
                return kind
            n -= 1
    return -1


@kernel
def apply_move(position, move):
    seat, count = position.turn, position.market[move]
    position.hands[seat, move] += count
    position.score[seat] += count if move < 2 else -2 * count
    position.taken_kinds[seat] |= np.uint32(1 << move)
    position.last_kind = move
    position.market[move] = 0
    position.turn = (seat + 1) % position.players
    if position.market.sum() == 0:
        position.phase = OVER if position.bag.sum() == 0 else DRAW
        position.round_number += 1


@dataclass(frozen=True)
class Take:
    """Every tile of a kind."""

    kind: str

    def __str__(self) -> str:
        return f"take {self.kind}"


class BareNotation(Notation):
    """Moves in words."""

    def actions(self, game):
        return [Take(name) for name in game.tiles.names]


class BareGame(Game):
    """The game."""

    spec = GameSpec(
        name="bare-game",
        title="Bare Game",
        tiles=TileSet("abc", ("amber", "beige", "coal")),
        phases=("draw", "take", "over"),
        kernels=Kernels("bare_game", sys.modules[__name__]),
        notation=BareNotation(),
        players=(3, 5),
    )
