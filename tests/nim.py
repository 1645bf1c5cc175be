"""Nim: a game without tiles to draw, for two players. Whoever takes the last stone wins.

It is a module of its own, as in the package of a game, so that the processes that a test starts can import it.
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

STONES, MOST_TAKEN = 10, 3
PRIZE = 100_000
"""More points than a game of ours can bring."""
PLAYING, OVER = range(2)
POSITION = np.dtype(
    [
        ("score", np.int32, 2),
        ("players", np.int8),
        ("turn", np.int8),
        ("phase", np.int8),
        ("round_number", np.int8),
        ("stones", np.int8),
        ("_padding", np.uint8, 3),
    ]
)


@kernel
def set_up(position, players):
    position.players = players
    position.round_number = 1
    position.stones = STONES


@kernel
def is_over(position):
    return position.phase == OVER


@kernel
def count_actions(position):
    return MOST_TAKEN


@kernel
def count_moves(position):
    return min(MOST_TAKEN, int(position.stones))


@kernel
def nth_move(position, n):
    return n


@kernel
def apply_move(position, move):
    position.stones -= move + 1
    if position.stones == 0:
        position.score[position.turn] = PRIZE
        position.phase = OVER
    position.turn = 1 - position.turn


@dataclass(frozen=True)
class Take:
    """Some stones."""

    number: int

    def __str__(self) -> str:
        return f"take {self.number}"


class NimNotation(Notation):
    """Moves in words."""

    def actions(self, game):
        return [Take(number) for number in range(1, MOST_TAKEN + 1)]


class Nim(Game):
    """The game."""

    spec = GameSpec(
        name="nim",
        title="Nim",
        tiles=TileSet("s", ("stone",)),
        phases=("playing", "over"),
        kernels=Kernels("nim", sys.modules[__name__]),
        notation=NimNotation(),
        players=(2,),
    )
