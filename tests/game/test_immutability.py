"""What can be a key cannot change, and what changes cannot be a key."""

from __future__ import annotations

import copy
import json
import pickle

import pytest

import tilewright as tw
from tilewright.envs import Vector
from tilewright.game.dealer import Dealer


def test_a_game_cannot_be_changed():
    game = tw.Azul(players=2)
    before = hash(game)
    with pytest.raises(TypeError):
        game.options["wall"] = "grey"
    for name in ("players", "options", "wall", "anything"):
        with pytest.raises(AttributeError, match=r"cannot be changed|no setter"):
            setattr(game, name, 3)
    with pytest.raises(AttributeError, match="cannot be changed"):
        del game.players
    assert game == tw.Azul(players=2)
    assert hash(game) == before
    assert game.moves[3].game is game, "what is worked out once is still kept"


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game))])
def test_a_game_can_be_copied_and_pickled(again):
    game = tw.Azul(players=3, wall="grey", jokers=True)
    assert game.actions > 0
    twin = again(game)
    assert twin == game
    assert hash(twin) == hash(game)
    assert dict(twin.options) == {"wall": "grey", "jokers": True}
    assert twin.start(seed=7) == game.start(seed=7)


def test_an_outcome_cannot_be_changed():
    batch = tw.Azul(players=2).batch(1, seed=3)
    while not batch.over.all():
        batch.push(batch.random_moves())
    outcome = batch[0].outcome()
    assert outcome is not None
    with pytest.raises(AttributeError):
        outcome.points[0].update(wall=100)
    with pytest.raises(TypeError):
        outcome.points[0]["wall"] = 100
    for twin in (copy.deepcopy(outcome), pickle.loads(pickle.dumps(outcome))):
        assert twin == outcome
        assert hash(twin) == hash(outcome)
    assert sum(json.loads(json.dumps(dict(outcome.points[1]))).values()) == outcome.scores[1]


def test_what_changes_cannot_be_a_key():
    game = tw.Azul(players=2)
    position = game.start(seed=7)
    effect = position.effects(next(iter(position.legal_moves)))[0]
    for changing in (position, game.batch(2), Vector(game, size=2), Dealer(7), effect):
        with pytest.raises(TypeError, match=f"unhashable type: '{type(changing).__name__}'"):
            hash(changing)
