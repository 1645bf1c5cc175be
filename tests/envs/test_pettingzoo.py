"""The PettingZoo environments: PettingZoo's own tests for every rule set, and what those do not look at."""

from __future__ import annotations

import copy
import importlib
import pickle
import runpy
import sys
from pathlib import Path
from time import process_time

import numpy as np
import pettingzoo
import pytest
from pettingzoo.env_registry.exceptions import NameNotFound, VersionNotFound
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.utils import wrappers

import tilewright as tw
from rule_sets import IDS, RULE_SETS
from tilewright.envs import pettingzoo as adapter
from tilewright.envs.observation import Observer

EXAMPLES = Path(__file__).parents[2] / "examples"
DICTIONARIES_ARE_NEW_TO_IT = (
    "ignore:Observation is not a NumPy array:UserWarning",
    "ignore:Observation space for each agent probably should be:UserWarning",
)
"""PettingZoo's api_test warns of dictionaries in every environment but its own, which have them too."""

every_rule_set = pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
a_few_rule_sets = pytest.mark.parametrize("game", RULE_SETS[::5], ids=IDS[::5])


def make(game: tw.Game, **options):
    return pettingzoo.make("aec", f"tilewright/{game.name}-v0", players=game.players, **game.options, **options)


def play(env, chooser: np.random.Generator, moves: int = 10_000) -> dict[str, float]:
    """Plays this many random moves, or the whole game; returns the sum of the rewards that ``last`` gave each agent."""
    totals = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter(moves):
        observation, reward, terminated, truncated, _ = env.last()
        totals[agent] += reward
        env.step(None if terminated or truncated else int(chooser.choice(np.flatnonzero(observation["action_mask"]))))
    return totals


# ---------------------------------------------------------------------------------- PettingZoo's own tests


@every_rule_set
@pytest.mark.filterwarnings(*DICTIONARIES_ARE_NEW_TO_IT)
def test_api(game, capsys):
    api_test(make(game), num_cycles=300)
    assert "Passed API test" in capsys.readouterr().out


@every_rule_set
def test_seeds(game):
    seed_test(lambda: make(game), num_cycles=100)
    positions = []
    for seed in (7, 7, 8):
        env = make(game)
        env.reset(seed=seed)
        positions.append(env.unwrapped.position)
    assert positions[0] == positions[1] != positions[2]


@pytest.mark.parametrize("name", tw.GAMES)
def test_rendering(name, capsys):
    svg = {"svg": lambda picture: picture.startswith("<svg")}
    render_test(lambda render_mode: pettingzoo.make("aec", f"tilewright/{name}-v0", render_mode=render_mode), svg)
    assert "player_0" in capsys.readouterr().out


def test_no_game_needs_a_limit_of_cycles():
    """Why ``max_cycles_test`` does not apply: every game ends by its rules, and there is no parallel version."""
    with pytest.raises(tw.BadOption, match="no option 'max_cycles'"):
        pettingzoo.make("aec", "tilewright/azul-v0", max_cycles=4)
    assert pettingzoo.make("aec", "tilewright/azul-v0").metadata["is_parallelizable"] is False


@pytest.mark.filterwarnings(*DICTIONARIES_ARE_NEW_TO_IT)
def test_in_pettingzoos_wrappers(capsys):
    inside = wrappers.AssertOutOfBoundsWrapper(wrappers.TerminateIllegalWrapper(adapter.env("azul"), illegal_reward=-1))
    api_test(wrappers.OrderEnforcingWrapper(inside), num_cycles=100)
    assert "Passed API test" in capsys.readouterr().out


def test_the_wrapper_that_ends_games_after_illegal_moves(capfd):
    env = wrappers.TerminateIllegalWrapper(adapter.env("azul"), illegal_reward=-1)
    env.reset(seed=7)
    observation, *_ = env.last()
    env.step(int(np.flatnonzero(observation["action_mask"] == 0)[0]))
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.last()[1] == -1


# --------------------------------------------------------------------------------------- What is observed


@a_few_rule_sets
def test_everybody_sees_the_table_from_his_own_seat(game):
    env, observer = make(game), Observer(game)
    env.reset(seed=7)
    play(env, np.random.default_rng(1), 20)
    position = env.unwrapped.position
    for seat, agent in enumerate(env.agents):
        seen = env.observe(agent)
        assert np.array_equal(seen["observation"], observer.observe(position.states, 0, seat))
        legal = position.legal_moves.numbers() if position.turn == seat else []
        assert np.array_equal(np.flatnonzero(seen["action_mask"]), legal)
        assert env.observation_space(agent).contains(seen)


def test_what_was_observed_stays_as_it_was():
    env = adapter.env("azul")
    env.reset(seed=7)
    seen, *_ = env.last()
    kept = copy.deepcopy(seen)
    play(env, np.random.default_rng(1), 10)
    assert all(np.array_equal(seen[name], kept[name]) for name in kept)


@every_rule_set
def test_a_seed_deals_the_tiles_that_it_always_deals(game):
    env = make(game)
    env.reset(seed=7)
    assert env.unwrapped.position == game.start(seed=7)


def test_games_after_the_first_follow_from_its_seed():
    starts = []
    for _ in range(2):
        env = adapter.env("azul")
        env.reset(seed=7)
        starts.append([env.position])
        for _ in range(3):
            env.reset()
            starts[-1].append(env.position)
    assert starts[0] == starts[1]
    assert len({position.to_text() for position in starts[0]}) == 4


def test_infos_tell_the_scores_and_the_move():
    env = adapter.env("azul")
    env.reset(seed=7)
    assert env.infos["player_0"]["move"] == -1
    env.step(92)
    assert env.unwrapped.game.moves[env.infos["player_1"]["move"]].text == "3b2"
    assert env.infos["player_1"]["scores"].tolist() == [0, 0]


def test_factories_in_their_canonical_order():
    env = adapter.env("azul", canonical=True)
    env.reset(seed=7)
    for _ in range(20):
        play(env, np.random.default_rng(1), 1)
        factories = env.position.state.places[1:6].tolist()
        assert factories == sorted(factories, reverse=True)


# -------------------------------------------------------------------------------------------- Rewards


@a_few_rule_sets
@pytest.mark.parametrize("reward", ["win", "margin", "score"])
def test_rewards(game, reward):
    env = make(game, reward=reward)
    for seed in range(5):
        env.reset(seed=seed)
        first = env.unwrapped.position.scores
        totals = list(play(env, np.random.default_rng(seed)).values())
        outcome = env.unwrapped.position.outcome()
        n, scores = game.players, outcome.scores
        if reward == "win":
            shares = [(seat in outcome.winners) / len(outcome.winners) for seat in range(n)]
            expected = [(n * share - 1) / (n - 1) for share in shares]
        elif reward == "margin":
            expected = [scores[seat] - max(scores[:seat] + scores[seat + 1 :]) for seat in range(n)]
        else:
            expected = [last - before for last, before in zip(scores, first, strict=True)]
        assert totals == pytest.approx(expected)


# --------------------------------------------------------------------------------------------- Misuse


def test_an_illegal_move_is_refused_and_changes_nothing():
    env = adapter.env("azul")
    env.reset(seed=7)
    before = env.position
    with pytest.raises(tw.IllegalMove, match="3k2 is not legal: there is no black tile in factory 3"):
        env.step(int(env.game.move("3k2")))
    assert env.position == before
    assert env.agent_selection == "player_0"
    env.step(int(env.game.move("3b2")))
    assert env.agent_selection == "player_1"


@pytest.mark.parametrize(
    ("reward", "expected"), [("win", [0.5, -1, 0.5]), ("margin", [0, -100, 0]), ("score", [0, -100, 0])]
)
def test_an_illegal_move_loses_the_game(reward, expected):
    env = adapter.env("azul", players=3, illegal="loss", reward=reward)
    env.reset(seed=7)
    play(env, np.random.default_rng(1), 1)
    env.step(int(np.flatnonzero(env.observe("player_1")["action_mask"] == 0)[0]))
    assert list(env.rewards.values()) == expected
    assert all(env.terminations.values())
    assert list(play(env, np.random.default_rng(1)).values()) == expected
    assert env.agents == []


@pytest.mark.parametrize("action", [180, -1, 2.0, "3b2", None, [3]])
def test_what_is_no_action(action):
    env = adapter.env("azul", illegal="loss")
    env.reset(seed=7)
    with pytest.raises(tw.UnreadableMove, match=r"an action is an integer|integers from 0 to 179"):
        env.step(action)
    assert not any(env.terminations.values())


def test_before_the_first_reset():
    env = adapter.env("azul", render_mode="ansi")
    for call in (lambda: env.step(0), lambda: env.observe("player_0"), env.render):
        with pytest.raises(tw.TilewrightError, match="call reset"):
            call()
    with pytest.raises(AttributeError, match="agent_selection does not exist before reset"):
        env.last()
    with pytest.raises(AttributeError, match="agents does not exist before reset"):
        next(iter(env.agent_iter()))


def test_after_the_end():
    env = adapter.env("azul")
    env.reset(seed=7)
    while not env.terminations[env.agent_selection]:
        play(env, np.random.default_rng(1), 1)
    with pytest.raises(tw.IllegalMove, match=r"the game is over: player_0 can only step\(None\)"):
        env.step(0)
    assert env.observe("player_1")["action_mask"].sum() == 0
    play(env, np.random.default_rng(1))
    with pytest.raises(tw.TilewrightError, match="every agent has left: call reset"):
        env.step(None)
    env.reset()
    assert len(env.agents) == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"colour": 1}, "Azul has no option 'colour'; it has players, wall, jokers, reward, illegal, canonical"),
        ({"players": 5}, "Azul is for 2, 3 or 4 players, not 5"),
        ({"wall": "pink"}, "wall of Azul must be 'coloured' or 'grey', not 'pink'"),
        ({"reward": "fame"}, "reward is one of win, margin, score, not 'fame'"),
        ({"illegal": "shrug"}, "error, loss, not 'shrug'"),
        ({"canonical": 2}, "canonical is True or False, not 2"),
        ({"render_mode": "film"}, "render_mode is one of human, ansi, rgb_array, svg, not 'film'"),
    ],
)
def test_unknown_options(options, message):
    with pytest.raises(tw.BadOption, match=message):
        pettingzoo.make("aec", "tilewright/azul-v0", **options)


def test_unknown_ids():
    with pytest.raises(NameNotFound, match="tilewright/azul-v0"):
        pettingzoo.make("aec", "tilewright/chess-v0")
    with pytest.raises(VersionNotFound, match="Available version: v0"):
        pettingzoo.make("aec", "tilewright/azul-v7")
    with pytest.raises(tw.BadOption, match="the games are azul, azul-mini, summer-pavilion"):
        adapter.env("chess")


def test_without_the_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    monkeypatch.delitem(sys.modules, "tilewright.envs.pettingzoo")
    with pytest.raises(ModuleNotFoundError, match=r'needs the package pettingzoo: pip install "tilewright\[rl\]"'):
        importlib.import_module("tilewright.envs.pettingzoo")


def test_registering_twice_is_harmless():
    adapter.register()
    adapter.register()
    assert {f"tilewright/{name}-v0" for name in tw.GAMES} <= set(pettingzoo.aec_registry)


# ------------------------------------------------------------------------------------- Copies, speed, example


@pytest.mark.parametrize(
    "twin_of", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["copy", "pickle"]
)
def test_a_copy_goes_on_by_itself(twin_of):
    env = adapter.env("azul", players=3)
    env.reset(seed=7)
    play(env, np.random.default_rng(1), 10)
    twin, before = twin_of(env), env.position
    play(twin, np.random.default_rng(2))
    assert env.position == before
    assert play(env, np.random.default_rng(2)).keys() == twin._seats.keys()
    assert env.position == twin.position


def test_speed():
    """20,000 steps a second are promised, 70,000 were measured; a busy machine may take its share."""
    env, best = adapter.env("azul"), 0.0
    chooser = np.random.default_rng(1)
    for seed in range(5):
        env.reset(seed=seed)
        start, steps = process_time(), 0
        while not env.terminations[env.agent_selection]:
            legal = np.flatnonzero(env.last()[0]["action_mask"])
            env.step(legal[chooser.integers(len(legal))])
            steps += 1
        best = max(best, steps / (process_time() - start))
    assert best > 10_000


@pytest.mark.parametrize("game", ["azul", "summer-pavilion"])
def test_the_example_of_random_play(game, capsys):
    main = runpy.run_path(str(EXAMPLES / "random_play.py"))["main"]
    results = main(["--game", game, "--players", "3", "--games", "2"])
    assert [sum(result.values()) for result in results] == pytest.approx([0, 0])
    assert capsys.readouterr().out.count("rewards") == 2


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "x", True])
def test_a_bad_seed_is_refused(seed: object):
    env = adapter.env("azul")
    with pytest.raises(tw.BadOption, match=r"a seed is a whole number from 0 to 2\*\*64 - 1, not "):
        env.reset(seed=seed)
    env.reset(seed=2**64 - 1)
