"""Compile the kernels of the environments in advance, so that the tests, which run in parallel, do not all do so."""

from __future__ import annotations

import numpy as np

import tilewright as tw
from tilewright.envs.action_features import ActionDescriber
from tilewright.envs.rewards import final_rewards
from tilewright.envs.single_game import SingleGame
from tilewright.envs.vector import Vector


def compile_environments(game: tw.Game) -> None:
    """Take one step with every environment of a game."""
    vector = Vector(game, size=2)
    vector.step(vector.random_moves())
    describer = ActionDescriber(game)
    describer.write_each(vector.table, np.zeros((2, game.actions, describer.size), np.float32))
    describer.describe(vector.table, 0)
    final_rewards(game, vector.table, 0, "win")
    final_rewards(game, vector.table, 0, "margin")
    single = SingleGame(game)
    single.reset(7)
    single.step(int(np.flatnonzero(single.mask())[0]))
    single.observe(0)


if __name__ == "__main__":
    compiled = set()
    for rule_set in tw.GAMES.values():
        if rule_set.spec.kernels not in compiled:  # games that share their rules share their machine code
            compiled.add(rule_set.spec.kernels)
            compile_environments(rule_set())
