"""Gymnasium's vectors: many games that are each a game as a single environment would play it."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import tilewright as tw
from rule_sets import IDS, RULE_SETS
from tilewright.envs.gymnasium_vector import TilewrightVectorEnv
from tilewright.envs.observation import Observer


def make(game: tw.Game, num_envs: int, **options) -> gymnasium.vector.VectorEnv:
    name = f"tilewright/{type(game).__name__}-v0"
    return gymnasium.make_vec(name, num_envs=num_envs, players=game.players, **game.options, **options)


def random_actions(infos: dict, chooser: np.random.Generator) -> np.ndarray:
    masks = infos["action_mask"]
    return (chooser.random(masks.shape) * masks).argmax(axis=1)


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_every_rule_set(game):
    envs, chooser, observer = make(game, 20), np.random.default_rng(1), Observer(game)
    assert isinstance(envs, TilewrightVectorEnv)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    observations, infos = envs.reset(seed=7)
    ends = 0
    for _ in range(150):
        assert envs.observation_space.contains(observations)
        for i in (0, 19):
            position = envs.unwrapped._vector[i]
            assert position.turn == infos["seat"][i]
            assert np.array_equal(observations[i], observer.observe(position.states, 0, position.turn))
            assert np.array_equal(np.flatnonzero(infos["action_mask"][i]), position.legal_moves.numbers())
        observations, rewards, terminated, truncated, infos = envs.step(random_actions(infos, chooser))
        assert rewards.shape == terminated.shape == (20,)
        assert not truncated.any()
        assert not rewards[~terminated].any()
        ends += int(terminated.sum())
        if terminated.any():
            check_the_ends(game, envs, rewards, terminated, infos)
    assert ends > 20


def check_the_ends(game, envs, rewards, terminated, infos):
    """The reward fits the final scores, and the last observation is of the game that ended."""
    assert np.array_equal(infos["_final_obs"], terminated)
    final = infos["final_info"]
    for i in np.flatnonzero(terminated):
        scores, seat = final["scores"][i], final["seat"][i]
        best_other = np.delete(scores, seat).max()
        if scores[seat] != best_other:
            assert (rewards[i] == 1) == (scores[seat] > best_other)
        seen = infos["final_obs"][i]
        assert envs.single_observation_space.contains(seen)
        told = Observer(game).part(seen, "score")
        assert told[0] == pytest.approx(scores[seat] / 100)
    assert all(infos["final_obs"][i] is None for i in np.flatnonzero(~terminated))


@pytest.mark.parametrize("reward", ["margin", "score"])
def test_rewards_that_are_points(reward):
    game = tw.Azul(players=3)
    envs, chooser = make(game, 30, reward=reward), np.random.default_rng(1)
    _, infos = envs.reset(seed=7)
    totals, checked = np.zeros(30), 0
    for _ in range(100):
        _, rewards, terminated, _, infos = envs.step(random_actions(infos, chooser))
        totals += rewards
        for i in np.flatnonzero(terminated):
            scores, seat = infos["final_info"]["scores"][i], infos["final_info"]["seat"][i]
            own, best_other = scores[seat], np.delete(scores, seat).max()
            assert totals[i] == (own - best_other if reward == "margin" else own)
            checked += 1
        totals[terminated] = 0
    assert checked > 30


def test_everything_follows_from_the_seed():
    runs = []
    for _ in range(2):
        envs, chooser = make(tw.SummerPavilion(), 10), np.random.default_rng(1)
        _, infos = envs.reset(seed=7)
        for _ in range(80):
            observations, *_, infos = envs.step(random_actions(infos, chooser))
        runs.append((observations, infos["scores"], envs.reset()[0]))
    for one, other in zip(*runs, strict=True):
        assert np.array_equal(one, other)
    assert not np.array_equal(envs.reset(seed=8)[0], envs.reset(seed=9)[0])


def test_bots_that_think_are_asked_game_by_game():
    envs, chooser = make(tw.Azul(), 5, opponent="greedy", seat=1), np.random.default_rng(1)
    _, infos = envs.reset(seed=7)
    assert infos["seat"].tolist() == [1] * 5
    total = 0.0
    for _ in range(60):
        _, rewards, _, _, infos = envs.step(random_actions(infos, chooser))
        total += rewards.sum()
    assert total < -3
    envs.close()


def test_illegal_actions():
    envs = make(tw.Azul(), 3, seat=0)
    _, infos = envs.reset(seed=7)
    actions = infos["action_mask"].argmax(axis=1)
    actions[1] = infos["action_mask"][1].argmin()
    _, rewards, terminated, _, infos = envs.step(actions)
    assert rewards.tolist() == [0, -1, 0]
    assert terminated.tolist() == [False, True, False]
    assert infos["action_mask"].any(axis=1).all(), "the next game has begun"

    envs = make(tw.Azul(), 3, seat=0, illegal="error")
    observations, infos = envs.reset(seed=7)
    with pytest.raises(tw.IllegalMove, match=r"game 1: .* is not legal"):
        envs.step(actions)
    for wrong in (-1, 180):
        with pytest.raises(tw.UnreadableMove, match="game 2: actions are integers from 0 to 179"):
            envs.step(np.array([*actions[:2], wrong]))
    assert np.array_equal(envs.unwrapped._vector.observations, observations)


def test_misuse():
    with pytest.raises(tw.TilewrightError, match=r"call reset\(\) before"):
        make(tw.Azul(), 2).step(np.zeros(2, dtype=int))
    with pytest.raises(tw.BadOption, match=r"it has players, wall, jokers, opponent, .*, threads"):
        make(tw.Azul(), 2, colour="red")
    with pytest.raises(tw.BadOption, match="the number of games"):
        make(tw.Azul(), 0)


def test_rendering(capsys):
    envs = make(tw.Azul(), 2, render_mode="ansi", opponent="greedy")
    envs.reset(seed=7)
    assert [("agent" in frame, "greedy" in frame) for frame in envs.render()] == [(True, True)] * 2


def test_gymnasiums_own_vectors_work_too():
    envs = gymnasium.make_vec("tilewright/Azul-v0", num_envs=2, vectorization_mode="sync")
    _, infos = envs.reset(seed=7)
    assert infos["action_mask"].shape == (2, 180)
    envs.step(infos["action_mask"].argmax(axis=1))
    envs.close()


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "x", True])
def test_a_bad_seed_is_refused(seed: object):
    env = make(tw.Azul(), 2).unwrapped
    with pytest.raises(tw.BadOption, match=r"a seed is a whole number from 0 to 2\*\*64 - 1, not "):
        env.reset(seed=seed)
    env.reset(seed=2**64 - 1)


def test_next_step_resets_in_the_next_step():
    envs = make(tw.Azul(), 6, autoreset_mode="NEXT_STEP", reward="margin")
    assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    _, infos = envs.reset(seed=7)
    chooser, over, ends = np.random.default_rng(1), np.zeros(6, bool), 0
    for _ in range(120):
        assert infos["action_mask"].any(axis=1).all()
        observations, rewards, terminated, _, infos = envs.step(random_actions(infos, chooser))
        assert not (terminated & over).any()
        assert not rewards[over].any()
        for i in np.flatnonzero(over):  # a new game, at the agent's first turn
            assert envs.unwrapped._vector[i].round == 1
        for i in np.flatnonzero(terminated):
            ends += 1
            position = envs.unwrapped._vector[i]
            assert position.is_over
            assert np.array_equal(observations[i], position.observation(int(infos["seat"][i])))
            assert infos["action_mask"][i].all()
            assert "final_obs" not in infos
        over = terminated
    assert ends > 6


def test_gymnasiums_wrappers_accept_next_step():
    envs = gymnasium.wrappers.vector.NormalizeObservation(make(tw.Azul(), 4, autoreset_mode=AutoresetMode.NEXT_STEP))
    observations, infos = envs.reset(seed=7)
    for _ in range(50):
        observations, *_, infos = envs.step(infos["action_mask"].argmax(axis=1))
    assert np.isfinite(observations).all()


def test_without_autoreset_games_wait_for_the_mask():
    envs = make(tw.Azul(), 4, autoreset_mode="DISABLED")
    _, infos = envs.reset(seed=7)
    chooser, terminated = np.random.default_rng(1), np.zeros(4, bool)
    while not terminated.any():
        _, _, terminated, _, infos = envs.step(random_actions(infos, chooser))
    with pytest.raises(tw.TilewrightError, match=rf"game {terminated.argmax()} is over: call reset"):
        envs.step(random_actions(infos, chooser))
    others = [envs.unwrapped._vector[i].to_text() for i in np.flatnonzero(~terminated)]
    _, infos = envs.reset(options={"reset_mask": terminated})
    assert [envs.unwrapped._vector[i].to_text() for i in np.flatnonzero(~terminated)] == others
    assert envs.unwrapped._vector[int(terminated.argmax())].round == 1
    envs.step(random_actions(infos, chooser))
    with pytest.raises(tw.BadOption, match="reset_mask takes 4 booleans"):
        envs.reset(options={"reset_mask": [True]})
    with pytest.raises(tw.BadOption, match="takes no seed"):
        envs.reset(seed=1, options={"reset_mask": terminated})


def test_an_unknown_mode():
    with pytest.raises(tw.BadOption, match="autoreset_mode is one of NEXT_STEP, SAME_STEP, DISABLED, not 'never'"):
        make(tw.Azul(), 2, autoreset_mode="never")


class Noting:
    """A bot that counts the positions that it is asked about."""

    def __init__(self) -> None:
        self.seats: list[int] = []

    def choose(self, position: tw.Position) -> tw.Move:
        self.seats.append(position.turn)
        return position.legal_moves[0]


def test_a_list_of_opponents():
    first, second = Noting(), Noting()
    envs = make(tw.Azul(players=3), 20, opponent=["random", first, second], seat=0)
    _, infos = envs.reset(seed=7)
    for _ in range(5):
        _, _, _, _, infos = envs.step(infos["action_mask"].argmax(axis=1))
    for bot in (first, second):
        assert set(bot.seats) == {1, 2}
    lineup = envs.unwrapped._lineup[:, 1:]
    assert {*lineup.ravel()} == {0, 1, 2}
    assert len(first.seats) < 200 - len(second.seats)


def test_unseeded_vectors_differ_and_seeded_ones_do_not():
    starts = [make(tw.Azul(), 4).reset()[0] for _ in range(2)]
    assert not np.array_equal(*starts)
    starts = [make(tw.Azul(), 4).reset(seed=3)[0] for _ in range(2)]
    assert np.array_equal(*starts)


def test_actions_of_the_wrong_shape_are_refused():
    envs = make(tw.Azul(), 4)
    envs.reset(seed=7)
    for actions in (0, [0, 1]):
        with pytest.raises(tw.UnreadableMove, match="4 games take 4 moves"):
            envs.step(actions)
