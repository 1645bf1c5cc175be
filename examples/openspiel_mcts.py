"""OpenSpiel's own tree search plays Azul against random moves: python examples/openspiel_mcts.py --games 10.

The search is OpenSpiel's, with its tree and chance nodes. Only the rollouts at its leaves run in our kernels, which
finish thousands of games in the time that one takes move by move through Python.
"""

from __future__ import annotations

import argparse

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts
from open_spiel.python.bots import uniform_random

from tilewright.envs.openspiel import OpenSpielState  # any import of tilewright.envs registers our games
from tilewright.envs.rewards import final_rewards


class KernelRollouts(mcts.Evaluator):
    """The value of a position: what the players get on average when it is played out at random."""

    def __init__(self, game: pyspiel.Game, rollouts: int, seed: int) -> None:
        self.game = game
        self.rollouts = rollouts
        self.generator = np.array([seed], dtype=np.uint64)

    def evaluate(self, state: OpenSpielState) -> np.ndarray:
        """The mean return of each player."""
        rule_set = self.game.rule_set
        total = np.zeros(rule_set.players)
        for _ in range(self.rollouts):
            states = state.clone().states
            rule_set.kernels.finish_at_random(states, 0, self.generator)
            total += final_rewards(rule_set, states, 0, self.game.reward)
        return total / self.rollouts

    def prior(self, state: OpenSpielState) -> list[tuple[int, float]]:
        """No move is preferred before it has been tried; tiles have their true probabilities."""
        if state.is_chance_node():
            return state.chance_outcomes()
        legal = state.legal_actions()
        return [(action, 1 / len(legal)) for action in legal]


def play_game(game: pyspiel.Game, bots: list[pyspiel.Bot], luck: np.random.RandomState) -> list[float]:
    """One game; what each player got."""
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            kinds, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(luck.choice(kinds, p=chances))
        else:
            state.apply_action(bots[state.current_player()].step(state))
    return state.returns()


def play_match(name: str, games: int, simulations: int, seed: int) -> list[float]:
    """What the search got in each game against random moves, with the first seat in every other game."""
    game = pyspiel.load_game(name)
    luck = np.random.RandomState(seed)
    search = mcts.MCTSBot(
        game, uct_c=1.4, max_simulations=simulations, evaluator=KernelRollouts(game, 4, seed), random_state=luck
    )
    results = []
    for n in range(games):
        seat = n % 2
        bots = [search, uniform_random.UniformRandomBot(1 - seat, luck)]
        results.append(play_game(game, bots if seat == 0 else bots[::-1], luck)[seat])
    return results


def main() -> None:
    """Play the match that the command line asks for, and say how it ended."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="tilewright_azul(players=2)", help="a two-player game of OpenSpiel")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--simulations", type=int, default=100, help="of the search, for each move")
    parser.add_argument("--seed", type=int, default=7)
    asked = parser.parse_args()
    results = play_match(asked.game, asked.games, asked.simulations, asked.seed)
    won, drawn, lost = (sum(np.sign(result) == sign for result in results) for sign in (1, 0, -1))
    print(f"{asked.game}: OpenSpiel's MCTS won {won}, drew {drawn} and lost {lost} of {len(results)} games")


if __name__ == "__main__":
    main()
