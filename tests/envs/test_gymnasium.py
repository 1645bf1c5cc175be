"""The Gymnasium environments: Gymnasium's own check for every rule set, and what it does not look at."""

from __future__ import annotations

import copy
import importlib
import pickle
import runpy
import sys
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import tilewright as tw
from rule_sets import IDS, RULE_SETS
from tilewright.bots.bot import Bot
from tilewright.envs import gymnasium as adapter
from tilewright.envs.gymnasium import TilewrightEnv
from tilewright.envs.observation import Observer

EXAMPLES = Path(__file__).parents[2] / "examples"
every_rule_set = pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
a_few_rule_sets = pytest.mark.parametrize("game", RULE_SETS[::5], ids=IDS[::5])


def make(game: tw.Game, **options) -> gymnasium.Env:
    return gymnasium.make(f"tilewright/{type(game).__name__}-v0", players=game.players, **game.options, **options)


def play(env, chooser_seed: int, **reset) -> tuple[list[float], dict]:
    """A whole game at random; every reward, and the last info."""
    chooser, rewards, over = np.random.default_rng(chooser_seed), [], False
    _, info = env.reset(**reset)
    while not over:
        _, reward, over, _, info = env.step(int(chooser.choice(np.flatnonzero(info["action_mask"]))))
        rewards.append(reward)
    return rewards, info


@every_rule_set
def test_gymnasiums_own_check(game):
    env = make(game).unwrapped
    check_env(env, skip_render_check=True)
    observation, info = env.reset(seed=7)
    assert env.observation_space.contains(observation)
    assert info["action_mask"].shape == (env.action_space.n,) == (game.actions,)


@pytest.mark.parametrize("name", [game.__name__ for game in tw.GAMES.values()])
def test_gymnasiums_check_of_rendering(name, capsys):
    check_env(gymnasium.make(f"tilewright/{name}-v0").unwrapped)
    assert "agent" in capsys.readouterr().out


@a_few_rule_sets
@pytest.mark.parametrize("reward", ["win", "margin", "score"])
def test_rewards(game, reward):
    """Those of the agent's own seat, whoever made the move that brought them."""
    env = make(game, reward=reward)
    for seed in range(4):
        rewards, info = play(env, seed, seed=seed)
        outcome, seat, n = env.unwrapped.position.outcome(), info["seat"], game.players
        assert info["scores"].tolist() == list(outcome.scores)
        if reward == "win":
            share = (seat in outcome.winners) / len(outcome.winners)
            expected = (n * share - 1) / (n - 1)
        elif reward == "margin":
            expected = outcome.scores[seat] - max(s for other, s in enumerate(outcome.scores) if other != seat)
        else:
            expected = outcome.scores[seat] - game.start().scores[seat]
        assert sum(rewards) == pytest.approx(expected)
        assert reward == "score" or not any(rewards[:-1])


@a_few_rule_sets
def test_the_agent_sees_the_table_from_its_seat(game):
    for seat in range(game.players):
        env, observer = make(game, seat=seat), Observer(game)
        seen, info = env.reset(seed=7)
        position = env.unwrapped.position
        assert (position.turn, info["seat"]) == (seat, seat)
        assert np.array_equal(seen, observer.observe(position.states, 0, seat))
        assert np.array_equal(np.flatnonzero(info["action_mask"]), position.legal_moves.numbers())
        assert np.array_equal(env.unwrapped.action_masks(), info["action_mask"].astype(bool))
        assert len(info["moves"].split()) >= seat


def test_the_whole_game_follows_from_its_seed():
    for opponent in ("random", "greedy", "search:20"):
        env = gymnasium.make("tilewright/Azul-v0", opponent=opponent)
        games = []
        for _ in range(2):
            first = play(env, 1, seed=7)[1]["moves"], env.unwrapped.position
            games.append((*first, play(env, 1)[1]["moves"], env.unwrapped.position))
        assert games[0] == games[1]
        assert games[0][1] != games[0][3]


def test_seats_are_drawn():
    env = gymnasium.make("tilewright/Azul-v0", players=4)
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(40)} == {0, 1, 2, 3}


def test_a_better_opponent_wins_more_often():
    won = {}
    for opponent in ("random", "greedy"):
        env = gymnasium.make("tilewright/Azul-v0", opponent=opponent)
        won[opponent] = sum(sum(play(env, seed, seed=seed)[0]) for seed in range(30))
    assert won["random"] > won["greedy"] + 15


class FirstMove(Bot):
    """A bot of our own."""

    def choose(self, position: tw.Position) -> tw.Move:
        assert position.dealer is None
        return next(iter(position.legal_moves))


@pytest.mark.parametrize("opponent", [FirstMove(), f"{__name__}:FirstMove"], ids=["object", "name"])
def test_opponents_of_ones_own(opponent):
    env = gymnasium.make("tilewright/Azul-v0", opponent=opponent, seat=1)
    info = env.reset(seed=7)[1]
    assert info["moves"] == "1bf"
    env.close()
    env.close()


def test_an_illegal_action_loses_the_game():
    env = gymnasium.make("tilewright/Azul-v0")
    _, info = env.reset(seed=7)
    _, reward, terminated, truncated, info = env.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))
    assert (reward, terminated, truncated) == (-1, True, False)
    assert not info["action_mask"].any()


def test_an_illegal_action_is_refused():
    env = gymnasium.make("tilewright/Azul-v0", illegal="error", seat=0)
    env.reset(seed=7)
    before = env.unwrapped.position
    with pytest.raises(tw.IllegalMove, match="there is no black tile in factory 3"):
        env.step(int(env.unwrapped.game.move("3k2")))
    assert env.unwrapped.position == before
    env.step(int(env.unwrapped.game.move("3b2")))


def test_actions_may_be_arrays_without_dimensions():
    env = gymnasium.make("tilewright/Azul-v0", seat=0)
    env.reset(seed=7)
    assert env.step(np.array(92))[4]["moves"].startswith("3b2 ")


def test_before_the_first_reset_and_after_the_end():
    env = TilewrightEnv("azul", render_mode="ansi")
    with pytest.raises(tw.TilewrightError, match=r"call reset\(\)"):
        env.step(0)
    with pytest.raises(tw.TilewrightError, match=r"call reset\(\) before"):
        env.render()
    play(env, 1, seed=7)
    assert "points" in env.render()
    with pytest.raises(tw.TilewrightError, match=r"the game is over.*call reset\(\)"):
        env.step(0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"colour": 1}, "it has players, wall, jokers, opponent, seat, reward, illegal, canonical, render_mode"),
        ({"opponent": "gready"}, "no bot is called 'gready'.*did you mean 'greedy'"),
        ({"opponent": 3}, "an opponent is the name of a bot, like 'search:100ms', a Bot, or a list of these, not 3"),
        ({"seat": 2}, "a seat is a number from 0 to 1, or 'random', not 2"),
        ({"seat": "first"}, "a seat is a number from 0 to 1, or 'random', not 'first'"),
        ({"reward": "fame"}, "reward is one of win, margin, score"),
    ],
)
def test_unknown_options(options, message):
    with pytest.raises(tw.BadOption, match=message):
        gymnasium.make("tilewright/Azul-v0", **options)


def test_unknown_ids():
    with pytest.raises(gymnasium.error.NameNotFound):
        gymnasium.make("tilewright/Chess-v0")


def test_without_the_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    monkeypatch.delitem(sys.modules, "tilewright.envs.gymnasium")
    with pytest.raises(ModuleNotFoundError, match=r'needs the package gymnasium: pip install "tilewright\[rl\]"'):
        importlib.import_module("tilewright.envs.gymnasium")


def test_registering_twice_is_harmless():
    adapter.register()
    adapter.register()
    assert {f"tilewright/{name}-v0" for name in (game.__name__ for game in tw.GAMES.values())} <= set(
        gymnasium.registry
    )


@pytest.mark.parametrize(
    "twin_of", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["copy", "pickle"]
)
def test_a_copy_goes_on_by_itself(twin_of):
    env = TilewrightEnv("azul", players=3)
    info = env.reset(seed=7)[1]
    action = int(np.flatnonzero(info["action_mask"])[0])
    twin, before = twin_of(env), env.position
    twin.step(action)
    assert env.position == before
    env.step(action)
    assert env.position == twin.position


def test_maskable_ppo_learns_to_beat_random(capsys):
    """The example in a short form: from worse than even to far better, the same each time by its seed."""
    pytest.importorskip("sb3_contrib", reason="the extra 'train' is not installed")
    main = runpy.run_path(str(EXAMPLES / "maskable_ppo.py"))["main"]
    before, after = main(["--steps", "16000", "--games", "200", "--seed", "1"])
    assert before < 0.5
    assert after > 0.7
    assert "after:  wins" in capsys.readouterr().out


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "x", True])
def test_a_bad_seed_is_refused(seed: object):
    env = gymnasium.make("tilewright/Azul-v0").unwrapped
    with pytest.raises(tw.BadOption, match=r"a seed is a whole number from 0 to 2\*\*64 - 1, not "):
        env.reset(seed=seed)
    env.reset(seed=2**64 - 1)
