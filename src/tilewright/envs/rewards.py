"""Rewards: who won, by how much, or the points as they come."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tilewright.game.errors import BadOption
from tilewright.game.game import Game
from tilewright.game.validation import echo
from tilewright.kernels.compile import Cells

if TYPE_CHECKING:  # each game brings its own
    from tilewright.kernels.interface import beats

REWARDS = ("win", "margin", "score")
"""``win``: 1 for the winner, and what the others lose adds up to it; ``margin``: points ahead of the best other
player at the end; ``score``: the change of one's own score, at every step."""
WIN, MARGIN, SCORE = range(3)

ILLEGAL = ("error", "loss")
"""An illegal move is refused with an error, or ends the game as a loss."""
POINTS_LOST = 100
"""What an illegal move costs where rewards are points."""


def check_reward(name: str) -> int:
    """The number of a kind of reward."""
    if name not in REWARDS:
        raise BadOption(f"a reward is one of {', '.join(REWARDS)}, not {echo(name)}")
    return REWARDS.index(name)


def check_illegal(name: str) -> bool:
    """Whether an illegal move ends the game."""
    if name not in ILLEGAL:
        raise BadOption(f"illegal moves are met with one of {', '.join(ILLEGAL)}, not {echo(name)}")
    return name == "loss"


def is_unbeaten(positions: Cells, i: int, seat: int) -> bool:
    """Whether nobody beats a seat in a finished game."""
    for other in range(positions[i].players):
        if beats(positions[i], other, seat):
            return False
    return True


def reward_win(positions: Cells, i: int, rewards: Cells) -> None:
    """Each seat's share of the win, so scaled that all add up to 0 and a winner alone has 1."""
    players = positions[i].players
    winners = 0
    for seat in range(players):
        winners += is_unbeaten(positions, i, seat)
    for seat in range(players):
        share = players / winners if is_unbeaten(positions, i, seat) else 0.0
        rewards[seat] = (share - 1) / (players - 1)


def reward_margin(positions: Cells, i: int, rewards: Cells) -> None:
    """Points ahead of the best other player; negative for whoever is behind."""
    for seat in range(positions[i].players):
        best_other = -1
        for other in range(positions[i].players):
            if other != seat:
                best_other = max(best_other, int(positions[i].score[other]))
        rewards[seat] = int(positions[i].score[seat]) - best_other


def reward_illegal(positions: Cells, i: int, kind: int, rewards: Cells) -> None:
    """The mover loses by an illegal move: the whole game, or so many points."""
    players = positions[i].players
    for seat in range(players):
        rewards[seat] = 1 / (players - 1) if kind == WIN else 0
    rewards[positions[i].turn] = -1 if kind == WIN else -POINTS_LOST


def final_rewards(game: Game, table: Cells, i: int, reward: str) -> NDArray[np.float32]:
    """What each seat gets at the end of a game; with ``score`` nothing, for the points have been given.

    >>> import tilewright as tw
    >>> game = tw.Azul(players=2)
    >>> batch = game.batch(1, seed=7)
    >>> while not batch.over.all():
    ...     batch.push(batch.random_moves())
    >>> final_rewards(game, batch.table, 0, "margin").sum()
    np.float32(0.0)
    """
    rewards = np.zeros(game.players, np.float32)
    kind = check_reward(reward)
    if kind != SCORE:
        game.kernels.compile(reward_win if kind == WIN else reward_margin)(table, i, rewards)
    return rewards
