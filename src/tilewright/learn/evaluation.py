"""Evaluation during training: the network's policy, without any search, against a bot.

It is cheap and rises with strength, which is all that a learning curve needs. How strong a finished network is, matches
in the arena tell.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from tilewright.arena.statistics import Mean
from tilewright.bots.bot import Bot, ask
from tilewright.bots.registry import make_bot
from tilewright.envs.observation import NetworkObserver
from tilewright.envs.symmetry import canonical
from tilewright.game.game import Game
from tilewright.game.position import Position
from tilewright.learn.network import Network


class PolicyPlayer:
    """Plays the move with the highest logit, in many positions at once."""

    def __init__(self, game: Game, network: Network) -> None:
        self.network, self.observer = network, NetworkObserver(game)
        self.device = next(network.parameters()).device

    def choose(self, positions: Sequence[Position]) -> list[int]:
        """A move for each position."""
        twins, numbers = zip(*(canonical(position) for position in positions), strict=True)
        observations = np.stack([self.observer.observe(twin.states, 0, int(twin.turn)) for twin in twins])
        with torch.no_grad():
            logits = self.network(torch.from_numpy(observations).to(self.device))[0].cpu().numpy()
        return [_best_legal(position, own[of]) for position, own, of in zip(positions, logits, numbers, strict=True)]


def _best_legal(position: Position, logits: NDArray[np.float32]) -> int:
    """The legal move with the highest logit; both are numbered as in the position itself."""
    moves = [int(move) for move in position.legal_moves]
    return moves[int(np.argmax(logits[moves]))]


def evaluate(game: Game, network: Network, opponent: str, deals: int, seed: int = 0) -> Mean:
    """The share of games that the policy wins against copies of a bot; every deal is played from each seat."""
    player, bot = PolicyPlayer(game, network), make_bot(opponent, seed=seed)
    games = [(game.start(seed=seed + deal), seat) for deal in range(deals) for seat in range(game.players)]
    try:
        while ongoing := [position for position, seat in games if _until_turn(position, seat, bot)]:
            for position, move in zip(ongoing, player.choose(ongoing), strict=True):
                position.push(move)
    finally:
        bot.close()
    shares = np.array([_share(position, seat) for position, seat in games])
    return Mean.of(list(shares.reshape(deals, game.players).mean(axis=1)))


def _until_turn(position: Position, seat: int, bot: Bot) -> bool:
    """Let the bot play until the policy is to move; returns whether it is, or the game is over."""
    while not position.is_over and position.turn != seat:
        position.push(ask(bot, position))
    return not position.is_over


def _share(position: Position, seat: int) -> float:
    outcome = position.outcome()
    assert outcome is not None
    return (seat in outcome.winners) / len(outcome.winners)
