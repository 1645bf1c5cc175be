"""Many games in one array play exactly as single positions do."""

from __future__ import annotations

import numpy as np
import pytest

import tilewright as tw
from rule_sets import IDS, RULE_SETS


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_a_batch_plays_as_positions_do(game: tw.Game):
    batch = game.batch(8, seed=3)
    singles = [batch[i] for i in range(8)]
    while not batch.over.all():
        masks = batch.legal_masks()
        moves = batch.random_moves()
        for i, single in enumerate(singles):
            assert list(np.flatnonzero(masks[i])) == [int(move) for move in single.legal_moves]
            assert bool(batch.over[i]) == single.is_over
            if not single.is_over:
                assert moves[i] in single.legal_moves
                assert batch.turns[i] == single.turn
                single.push(int(moves[i]))
        batch.push(moves)
        for i, single in enumerate(singles):
            if single.awaits_draw:
                # The batch has dealt; give the single position the same tiles.
                singles[i] = batch[i]
            assert batch[i] == singles[i]
    assert batch.scores.shape == (8, game.players)
    assert (batch.random_moves() == -1).all()


def test_if_a_move_is_illegal_the_batch_plays_none():
    batch = tw.Azul(players=2).batch(5, seed=3)
    before = batch.table.copy()
    moves = batch.random_moves()
    moves[3] = 0
    with pytest.raises(tw.IllegalMove, match="game 3: cbf is not legal: there is no blue tile in the centre"):
        batch.push(moves)
    assert (batch.table == before).all()
    with pytest.raises(tw.UnreadableMove, match="takes 5 moves"):
        batch.push(moves[:4])
    with pytest.raises(tw.UnreadableMove, match="numbers from 0"):
        batch.push(moves * 0 + 10_000)


def test_batches_are_reproducible_and_check_their_arguments():
    game = tw.SummerPavilion(players=2)
    assert (game.batch(4, seed=1).table == game.batch(4, seed=1).table).all()
    assert (game.batch(4, seed=1).table != game.batch(4, seed=2).table).any()
    with pytest.raises(tw.BadOption, match="a whole number of games, at least one, not 0"):
        game.batch(0)
    with pytest.raises(IndexError):
        game.batch(2)[2]


@pytest.mark.parametrize("moves", [[30.9] * 4, ["1bf"] * 4, [None] * 4, [True] * 4, [float("nan")] * 4])
def test_moves_of_a_batch_are_whole_numbers(moves: list[object]):
    batch = tw.Azul(players=2).batch(4, seed=3)
    before = batch.table.copy()
    with pytest.raises(tw.UnreadableMove, match="the moves of a batch are whole numbers"):
        batch.push(moves)
    assert (batch.table == before).all()


@pytest.mark.parametrize("size", [1.5, "3", None, True, -1])
def test_the_size_of_a_batch_is_a_whole_number(size: object):
    with pytest.raises(tw.BadOption, match="a whole number of games"):
        tw.Azul(players=2).batch(size)
