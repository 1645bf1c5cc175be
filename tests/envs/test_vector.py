"""Many games in lockstep are the games that single positions play."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

import tilewright as tw
from rule_sets import IDS, RULE_SETS
from tilewright.envs import Observer, Vector

ARRAYS = ("observations", "masks", "rewards", "dones", "scores", "turns", "movers")


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_a_vector_plays_as_positions_do(game: tw.Game):
    vector = Vector(game, 6, seed=3)
    observer = Observer(game)
    ended = 0
    while ended < 8:
        before = [vector[i] for i in range(6)]
        moves = vector.random_moves()
        vector.step(moves)
        for i, position in enumerate(before):
            assert vector.movers[i] == position.turn
            position.push(int(moves[i]))
            assert bool(vector.dones[i]) == position.is_over
            assert tuple(vector.scores[i]) == position.scores
            now = vector[i]
            if position.is_over:
                ended += 1
                assert sum(vector.rewards[i]) == pytest.approx(0, abs=1e-6)
                winners = position.outcome().winners
                assert all((vector.rewards[i, seat] > 0) == (seat in winners) for seat in range(game.players)
                           ) or len(winners) == game.players  # fmt: skip
                assert now.round == 1
            else:
                assert not vector.rewards[i].any()
                assert now == position or position.awaits_draw
            assert list(np.flatnonzero(vector.masks[i])) == [int(move) for move in now.legal_moves]
            assert (vector.observations[i] == observer.observe(now.states, 0, now.turn)).all()
            assert vector.turns[i] == now.turn


def test_threads_do_not_change_a_game():
    game = tw.SummerPavilion(players=3)
    one, four = Vector(game, 300, seed=9, threads=1), Vector(game, 300, seed=9, threads=4)
    for _ in range(120):
        moves = one.random_moves()
        assert (moves == four.random_moves()).all()
        one.step(moves)
        four.step(moves)
        for name in ARRAYS:
            assert (getattr(one, name) == getattr(four, name)).all(), name
    assert np.asarray(one.states).tobytes() == np.asarray(four.states).tobytes()


@pytest.mark.parametrize("game", [tw.Azul(players=3), tw.SummerPavilion(players=2)], ids=str)
def test_points_as_rewards_add_up_to_the_score(game: tw.Game):
    vector = Vector(game, 20, seed=1, reward="score", autoreset=False)
    first = vector.scores.copy()
    gained = np.zeros(vector.rewards.shape)
    over = np.zeros(20, bool)
    while not over.all():
        vector.step(vector.random_moves())
        gained += vector.rewards
        over |= vector.dones
    assert (first + gained == vector.scores).all()
    assert all(vector[i].is_over for i in range(20))
    assert vector.over.all()
    assert not vector.masks.any()


def test_the_margin_is_told_once_at_the_end():
    vector = Vector(tw.Azul(players=4), 50, seed=1, reward="margin")
    seen = 0
    for _ in range(300):
        vector.step(vector.random_moves())
        assert not vector.rewards[~vector.dones].any()
        for i in np.flatnonzero(vector.dones):
            scores = vector.scores[i].astype(int)
            best_other = [max(np.delete(scores, seat)) for seat in range(4)]
            assert (vector.rewards[i] == scores - best_other).all()
            seen += 1
    assert seen > 50


def test_a_game_that_waits_stands_still():
    vector = Vector(tw.Azul(players=2), 4, seed=1)
    before = {name: getattr(vector, name).copy() for name in ("observations", "masks", "turns", "scores")}
    moves = vector.random_moves()
    moves[2] = -1
    vector.step(moves)
    for name, old in before.items():
        assert (getattr(vector, name)[2] == old[2]).all()
    assert (vector.turns[[0, 1, 3]] == 1).all()


def test_some_games_restart():
    vector = Vector(tw.Azul(players=2), 4, seed=1, autoreset=False)
    for _ in range(300):
        vector.step(vector.random_moves())
    over = vector.states.copy()
    vector.restart(np.array([True, False, False, True]))
    assert [vector[i].is_over for i in range(4)] == [False, True, True, False]
    assert (vector.states[1:3] == over[1:3]).all()
    assert not vector.scores[0].any()
    assert vector.masks[0].any()
    moves = vector.random_moves()
    moves[1] = 0
    with pytest.raises(tw.IllegalMove, match="game 1: cbf cannot be played: the game is over"):
        vector.step(moves)
    with pytest.raises(tw.BadOption, match="4 booleans"):
        vector.restart([True])


def test_an_illegal_move_is_an_error_that_plays_nothing():
    vector = Vector(tw.Azul(players=2), 200, seed=3, threads=2)
    before = vector.states.copy()
    moves = vector.random_moves()
    moves[150] = 0
    with pytest.raises(tw.IllegalMove, match="game 150: cbf is not legal: there is no blue tile in the centre"):
        vector.step(moves)
    assert (vector.states == before).all()
    for wrong, message in [
        (moves[:4], "200 games take 200 moves"),
        (moves + 0.5, "moves are integers"),
        (moves * 0 + 99999, "game 0: moves of .* are numbers from 0 to 179"),
        (moves * 0 - 2, "numbers from 0 to 179, not -2; -1 is a no-op"),
    ]:
        with pytest.raises(tw.UnreadableMove, match=message):
            vector.step(wrong)
    assert (vector.states == before).all()


@pytest.mark.parametrize(
    ("reward", "wanted"), [("win", [0.5, -1, 0.5]), ("margin", [0, -100, 0]), ("score", [0, -100, 0])]
)
def test_an_illegal_move_may_lose_the_game(reward: str, wanted: list[float]):
    vector = Vector(tw.Azul(players=3), 2, seed=3, reward=reward, illegal="loss")
    vector.step(vector.random_moves())
    moves = vector.random_moves()
    moves[1] = 99999
    vector.step(moves)
    assert list(vector.dones) == [False, True]
    assert vector.rewards[1].tolist() == wanted
    assert (vector[1].round, vector[1].turn) == (1, 0)


def test_bad_options_are_told():
    game = tw.Azul(players=2)
    for options, message in [
        ({"reward": "money"}, "reward is one of win, margin, score, not 'money'"),
        ({"illegal": "ignore"}, "one of error, loss, not 'ignore'"),
        ({"size": 0}, "the number of games must be a whole number from 1 to 4294967295, not 0"),
        ({"size": 10**12}, "must be a whole number from 1 to 4294967295, not 1000000000000"),
        ({"threads": 0}, "number of threads"),
        ({"seed": -1}, r"a seed is a whole number from 0 to 2\*\*64 - 1, not -1"),
        ({"seed": 1.5}, r"a seed is a whole number from 0 to 2\*\*64 - 1, not 1.5"),
        ({"seed": 2**64}, r"a seed is a whole number from 0 to 2\*\*64 - 1, not 18446744073709551616"),
        ({"seed": "x"}, r"a seed is a whole number from 0 to 2\*\*64 - 1, not 'x'"),
        ({"canonical": "no"}, "canonical is True or False, not 'no'"),
        ({"autoreset": 2}, "autoreset is True or False, not 2"),
        ({"game": "azul"}, "takes a Game, such as .* not 'azul'"),
        ({"game": tw.Azul}, "expected a Game, such as"),
    ]:
        with pytest.raises(tw.BadOption, match=message):
            Vector(**{"game": game, "size": 2, **options})


INTERRUPTED = """
import _thread, signal, sys, threading, time
import tilewright as tw
from tilewright.envs import Vector

signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever runs in the background has none
vector = Vector(tw.Azul(players=2), 20_000, seed=1, illegal="loss", threads=int(sys.argv[1]))
vector.step(vector.random_moves())
interrupted = 0
for delay in (0.013, 0.029, 0.041, 0.057, 0.071, 0.083):
    timer = threading.Timer(delay, _thread.interrupt_main)
    try:
        timer.start()
        for _ in range(20):
            vector.step(vector.random_moves())
        timer.join()
        time.sleep(0.1)
    except KeyboardInterrupt:
        interrupted += 1
    assert (vector.turns == vector.states["turn"]).all()
    assert vector.masks[range(20_000), vector.random_moves()].all()
print("in order" if interrupted else "never interrupted")
"""


@pytest.mark.parametrize("threads", ["1", "2"])
def test_an_interruption_leaves_everything_in_order(threads: str):
    command = [sys.executable, "-c", INTERRUPTED, threads]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.stdout == "in order\n", done.stderr


def test_a_seed_decides_everything():
    game = tw.SummerPavilion(players=2)
    one, other = Vector(game, 10, seed=4), Vector(game, 10, seed=5)
    assert (one.states != other.states).any()
    other.reset(4)
    assert (one.states == other.states).all()


def test_a_copy_goes_on_by_itself():
    vector = Vector(tw.Azul(players=2), 200, seed=4, threads=2)
    vector.step(vector.random_moves())
    for twin in (copy.deepcopy(vector), pickle.loads(pickle.dumps(vector))):
        original = copy.deepcopy(vector)
        before = vector.states.copy()
        for _ in range(5):
            twin.step(twin.random_moves())
            original.step(original.random_moves())
        assert (twin.observations == original.observations).all()
        assert (twin.states == original.states).all()
        assert (vector.states == before).all()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be forked here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_goes_on():
    vector = Vector(tw.Azul(players=2), 200, seed=4, threads=2)
    child = os.fork()
    if child == 0:
        vector.step(vector.random_moves())
        os._exit(int(vector.turns.sum()) % 256)
    _, status = os.waitpid(child, 0)
    vector.step(vector.random_moves())
    assert os.waitstatus_to_exitcode(status) == vector.turns.sum() % 256


def test_torch_shares_the_arrays():
    torch = pytest.importorskip("torch")
    vector = Vector(tw.Azul(players=2), 8, seed=1)
    seen = torch.from_numpy(vector.observations)
    vector.step(vector.random_moves())
    assert seen.data_ptr() == vector.observations.ctypes.data
    assert (seen.numpy() == vector.observations).all()
    for array in (vector.observations, vector.masks, vector.rewards):
        assert array.ctypes.data % 64 == 0


def test_jax_shares_the_arrays():
    jax = pytest.importorskip("jax")
    vector = Vector(tw.Azul(players=2), 8, seed=1)
    seen = jax.dlpack.from_dlpack(vector.observations)
    assert seen.unsafe_buffer_pointer() == vector.observations.ctypes.data


def test_without_a_seed_games_differ_and_a_reset_goes_on():
    game = tw.Azul(players=2)
    first, second = Vector(game, 8), Vector(game, 8)
    assert (first.states != second.states).any()
    before = first.states.copy()
    first.reset()
    assert (first.states != before).any()


def test_a_seed_determines_the_resets_after_it():
    game = tw.Azul(players=2)
    first, second = Vector(game, 8, seed=3), Vector(game, 8, seed=3)
    snapshots = []
    for vector in (first, second):
        for _ in range(3):
            snapshots.append(vector.states.copy())
            vector.reset()
    assert all((snapshots[n] == snapshots[n + 3]).all() for n in range(3))
    assert (snapshots[0] != snapshots[1]).any()
    assert (snapshots[1] != snapshots[2]).any()
    first.reset(3)
    assert (first.states == snapshots[0]).all()


@pytest.mark.parametrize("game", [tw.Azul(players=3), tw.SummerPavilion(players=2)], ids=repr)
def test_a_loaded_vector_is_as_if_it_had_played(game):
    played, loaded = Vector(game, 16, seed=5), Vector(game, 16, seed=6)
    for _ in range(40):
        played.step(played.random_moves())
    loaded.load(played.states.copy())
    for name in ("states", "observations", "masks", "turns"):
        assert (getattr(loaded, name) == getattr(played, name)).all(), name
    assert (loaded.scores == played.states["score"][:, : game.players]).all()
    assert not loaded.rewards.any()
    assert not loaded.dones.any()
    observed = Observer(game).observe_each(played.states)
    assert (observed == played.observations).all()
    moves = played.random_moves()
    played.step(moves)
    loaded.step(moves)
    assert (loaded.turns[~played.dones] == played.turns[~played.dones]).all()


def test_loading_deals_where_tiles_are_awaited():
    game = tw.Azul(players=2)
    vector = Vector(game, 2, seed=1)
    vector.load(np.concatenate([game.set_up().states, game.start(seed=4).states]))
    assert vector.masks.any(axis=1).all()
    assert vector[1] == game.start(seed=4).without_dealer()


def test_bad_tables_are_refused_and_change_nothing():
    game = tw.Azul(players=2)
    vector = Vector(game, 2, seed=1)
    before = vector.states.copy()
    over = game.batch(2, seed=1)
    while not over.over.all():
        over.push(over.random_moves())
    for wrong, message in (
        (tw.Azul(players=3).batch(2).states, "position 0 is not of"),
        (tw.SummerPavilion().batch(2).states, "expected states of"),
        (game.batch(3).states, "load takes 2 positions"),
        ([1, 2], "expected states of"),
        (over.states, "game 0 is over"),
    ):
        with pytest.raises(tw.BadOption, match=message):
            vector.load(wrong)
        assert (vector.states == before).all()
    Vector(game, 2, autoreset=False).load(over.states)
