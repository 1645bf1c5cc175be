"""Environments of a game with more points than 16 bits hold, and without draws."""

from __future__ import annotations

import numpy as np
import pytest

import tilewright as tw
from nim import PRIZE, Nim
from tilewright.envs import Vector, pettingzoo
from tilewright.envs.single_game import SingleGame


@pytest.mark.slow
def test_scores_have_the_type_of_the_game():
    game = Nim()
    single, vector = SingleGame(game), Vector(game, size=2, autoreset=False)
    single.reset(seed=1)
    for move in ("take 3", "take 3", "take 1", "take 3"):
        single.step(game.move(move))
        vector.step(np.full(2, game.move(move).number))
    assert single.is_over
    assert single.scores.tolist() == [0, PRIZE]
    assert vector.scores.tolist() == [[0, PRIZE]] * 2
    assert single.scores.dtype == vector.scores.dtype == np.int32


def test_a_move_of_another_game_is_not_an_action():
    env = pettingzoo.env("azul")
    env.reset(seed=7)
    with pytest.raises(tw.UnreadableMove, match="is a move of Nim"):
        env.step(Nim().move("take 1"))
    env.step(env.unwrapped.game.moves[int(np.flatnonzero(env.observe("player_0")["action_mask"])[0])])
