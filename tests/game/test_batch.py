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
    before = batch.states.copy()
    moves = batch.random_moves()
    moves[3] = 0
    with pytest.raises(tw.IllegalMove, match="game 3: cbf is not legal: there is no blue tile in the centre"):
        batch.push(moves)
    assert (batch.states == before).all()
    with pytest.raises(tw.UnreadableMove, match="takes 5 moves"):
        batch.push(moves[:4])
    with pytest.raises(tw.UnreadableMove, match="numbers from 0"):
        batch.push(moves * 0 + 10_000)


def test_batches_are_reproducible_and_check_their_arguments():
    game = tw.SummerPavilion(players=2)
    assert (game.batch(4, seed=1).states == game.batch(4, seed=1).states).all()
    assert (game.batch(4, seed=1).states != game.batch(4, seed=2).states).any()
    with pytest.raises(tw.BadOption, match="the number of games must be a whole number from 1 to 4294967295, not 0"):
        game.batch(0)
    assert (game.batch(4, seed=None).states != game.batch(4, seed=None).states).any()


def test_a_batch_is_indexed_like_a_list():
    batch = tw.Azul(players=2).batch(2, seed=3)
    assert batch[-1] == batch[1]
    assert len(list(batch)) == 2
    with pytest.raises(IndexError, match="there is no game 2: the games are numbered from 0 to 1"):
        batch[2]
    for wrong in ("a", slice(0, 1), None, 0.5):
        with pytest.raises(TypeError, match="a game is selected by its number, not by"):
            batch[wrong]


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ([30.9] * 4, "game 0: a move is a Move, its number or its text, not 30.9"),
        ([None] * 4, "game 0: a move is a Move, its number or its text, not None"),
        ([True] * 4, "game 0: a move is a Move"),
        ([float("nan")] * 4, "game 0: a move is a Move"),
        ([[1], [1, 2], [3], [4]], "game 0: a move is a Move"),
        ([10**30, 1, 1, 1], "game 0: moves of Azul.* are numbers from 0 to"),
        (["zz"] * 4, "game 0: 'zz' is not a move of Azul"),
        ([1, 2], "a batch of 4 games takes 4 moves, not 2"),
        (None, "a batch takes a list or an array of moves, not None"),
        ("1bf", "a batch takes a list or an array of moves, not '1bf'"),
    ],
)
def test_a_batch_says_what_is_wrong_with_its_moves(moves: object, message: str):
    batch = tw.Azul(players=2).batch(4, seed=3)
    before = batch.states.copy()
    with pytest.raises(tw.UnreadableMove, match=message):
        batch.push(moves)
    assert (batch.states == before).all()


def test_a_batch_takes_texts_and_moves():
    by_number, by_text = (tw.Azul(players=2).batch(2, seed=3) for _ in range(2))
    moves = [next(iter(by_number[i].legal_moves)) for i in range(2)]
    by_number.push([int(move) for move in moves])
    by_text.push([moves[0].text, moves[1]])
    assert (by_number.states == by_text.states).all()
    while not by_text.over.all():
        by_text.push(by_text.random_moves())
    by_text.push(["nothing", None])  # the moves of finished games are ignored


@pytest.mark.parametrize("size", [1.5, "3", None, True, -1, 10**12, 10**30])
def test_the_size_of_a_batch_is_a_whole_number(size: object):
    with pytest.raises(tw.BadOption, match="the number of games must be a whole number from 1 to"):
        tw.Azul(players=2).batch(size)


def test_more_games_than_fit_into_memory_are_refused():
    with pytest.raises(tw.BadOption, match="4294967295 games of Azul do not fit into memory"):
        tw.Azul(players=2).batch(2**32 - 1)
