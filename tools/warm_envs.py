"""Compile the kernels of the environments beforehand, so that the tests, which run side by side, do not all do it."""

from __future__ import annotations

import numpy as np

import tilewright as tw
from tilewright.envs.action_features import ActionDescriber
from tilewright.envs.rewards import final_rewards
from tilewright.envs.table import Table
from tilewright.envs.vector import Vector

for game in (tw.Azul(players=2), tw.SummerPavilion(players=2)):
    vector = Vector(game, size=2)
    vector.step(vector.random_moves())
    ActionDescriber(game).write_each(vector.table, np.zeros((2, game.actions, ActionDescriber(game).size), np.float32))
    ActionDescriber(game).describe(vector.table, 0)
    final_rewards(game, vector.table, 0, "win")
    final_rewards(game, vector.table, 0, "margin")
    table = Table(game)
    table.set_out(7)
    table.step(int(np.flatnonzero(table.mask())[0]))
    table.observe(0)
