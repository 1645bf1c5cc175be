"""Rewards: for winning, for the margin, or for points as they are scored."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tilewright.game.errors import BadOption
from tilewright.game.game import Game
from tilewright.game.validation import echo
from tilewright.kernels.compile import Cells
from tilewright.kernels.playing import LEAST

if TYPE_CHECKING:  # defined by each game
    from tilewright.kernels.interface import beats

REWARDS = ("win", "margin", "score")
"""``win``: 1 for the winner; the others share the loss, so that rewards add up to 0; ``margin``: points ahead of
the best other player at the end; ``score``: the change of one's own score at every step."""
WIN, MARGIN, SCORE = range(3)

ILLEGAL = ("error", "loss")
"""An illegal move is refused with an error, or ends the game as a loss."""
POINTS_LOST = 100
"""The penalty for an illegal move if rewards are points."""


def check_reward(name: str) -> int:
    """A kind of reward as the kernels know it."""
    if name not in REWARDS:
        raise BadOption(f"reward is one of {', '.join(REWARDS)}, not {echo(name)}")
    return REWARDS.index(name)


def check_illegal(name: str) -> bool:
    """Whether an illegal move ends the game."""
    if name not in ILLEGAL:
        raise BadOption(f"illegal is one of {', '.join(ILLEGAL)}, not {echo(name)}")
    return name == "loss"


def is_unbeaten(states: Cells, i: int, seat: int) -> bool:
    """Whether no other seat beats this one in a finished game."""
    for other in range(states[i].players):
        if beats(states[i], other, seat):
            return False
    return True


def reward_win(states: Cells, i: int, rewards: Cells) -> None:
    """1 for a sole winner, 0 in sum; tied winners split the reward."""
    players = states[i].players
    winners = 0
    for seat in range(players):
        winners += is_unbeaten(states, i, seat)
    for seat in range(players):
        share = players / winners if is_unbeaten(states, i, seat) else 0.0
        rewards[seat] = (share - 1) / (players - 1)


def reward_margin(states: Cells, i: int, rewards: Cells) -> None:
    """Points ahead of the best other player, negative if behind."""
    for seat in range(states[i].players):
        best_other = LEAST
        for other in range(states[i].players):
            if other != seat:
                best_other = max(best_other, int(states[i].score[other]))
        rewards[seat] = int(states[i].score[seat]) - best_other


def reward_illegal(states: Cells, i: int, kind: int, rewards: Cells) -> None:
    """The mover loses the game by an illegal move, or ``POINTS_LOST`` points if rewards are points."""
    players = states[i].players
    for seat in range(players):
        rewards[seat] = 1 / (players - 1) if kind == WIN else 0
    rewards[states[i].turn] = -1 if kind == WIN else -POINTS_LOST


def final_rewards(game: Game, states: Cells, i: int, reward: str) -> NDArray[np.float32]:
    """The rewards at the end of a game; zeros for ``score``, whose rewards were given as the points were scored.

    >>> import tilewright as tw
    >>> game = next(iter(tw.GAMES.values()))()
    >>> batch = game.batch(1, seed=7)
    >>> while not batch.over.all():
    ...     batch.push(batch.random_moves())
    >>> final_rewards(game, batch.states, 0, "margin").sum()
    np.float32(0.0)
    """
    rewards = np.zeros(game.players, np.float32)
    kind = check_reward(reward)
    if kind != SCORE:
        game.kernels.compile(reward_win if kind == WIN else reward_margin)(states, i, rewards)
    return rewards
