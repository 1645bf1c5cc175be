"""Observations and masks of positions and batches are those of the environments."""

from __future__ import annotations

import numpy as np
import pytest

import tilewright as tw
from rule_sets import IDS, RULE_SETS


@pytest.mark.parametrize("game", RULE_SETS[::5], ids=IDS[::5])
def test_a_position_observes_as_a_vector_does(game: tw.Game):
    vector = tw.Vector(game, 3, seed=7)
    for _ in range(30):
        vector.step(vector.random_moves())
        for i in range(3):
            assert np.array_equal(vector[i].observation(), vector.observations[i])
            assert np.array_equal(vector[i].mask(), vector.masks[i])


def test_another_seat_observes():
    position = tw.Azul(players=2).start(seed=7)
    expected = tw.Observer(position.game).observe(position.states, 0, 1)
    assert np.array_equal(position.observation(seat=1), expected)
    with pytest.raises(tw.BadOption, match="a seat is a whole number from 0 to 1, not 2"):
        position.observation(2)


def test_where_no_seat_is_to_move():
    position = tw.Azul(players=2).set_up()
    assert not position.mask().any()
    with pytest.raises(tw.BadOption, match="no seat is to move here: say which one observes"):
        position.observation()
    assert position.observation(0).shape == (171,)
    batch = position.game.batch(1, seed=7)
    while not batch.over.all():
        batch.push(batch.random_moves())
    assert not batch[0].mask().any()


def test_batches_observe():
    game = tw.SummerPavilion(players=3)
    batch = game.batch(5, seed=7)
    batch.push(batch.random_moves())
    for i in range(5):
        assert np.array_equal(batch.observations()[i], batch[i].observation())
        assert np.array_equal(batch.observations(np.full(5, 2))[i], batch[i].observation(2))
    with pytest.raises(tw.BadOption, match="observing 5 positions takes as many seats"):
        batch.observations([0])
