"""The games in OpenSpiel: its own tests, its own search, and that they are the same games as ours."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
import unittest
from math import fsum
from pathlib import Path
from random import Random

import numpy as np
import pytest

import tilewright as tw
from rule_sets import IDS, RULE_SETS, choose, file_name

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python import rl_environment  # noqa: E402
from open_spiel.python.algorithms import generate_playthrough  # noqa: E402
from open_spiel.python.observation import make_observation  # noqa: E402

from openspiel_playthroughs import PLAYTHROUGHS, TOLD, game_string, golden_actions, let_flags_be_read  # noqa: E402
from tilewright.envs.observation import Observer  # noqa: E402
from tilewright.envs.openspiel import OpenSpielGame, OpenSpielState, register, short_name  # noqa: E402
from tilewright.game.registry import GAMES  # noqa: E402

sys.path.append(str(Path(__file__).parents[2] / "examples"))

every_rule_set = pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
two_players = pytest.mark.parametrize("game", TOLD, ids=map(file_name, TOLD))


@pytest.fixture(autouse=True, scope="module")
def _registered() -> None:
    register()


def load(game: tw.Game, **others: str) -> OpenSpielGame:
    return pyspiel.load_game(game_string(game, **others))


def after(game: tw.Game, events: int) -> OpenSpielState:
    """The golden game after some events, counted from the end if negative."""
    state = load(game).new_initial_state()
    for action in golden_actions(game)[:events]:
        state.apply_action(action)
    return state


# ------------------------------------------------------------------------------------ The same games as ours


@every_rule_set
def test_a_game_is_the_same_byte_by_byte(game: tw.Game):
    state, position = load(game).new_initial_state(), game.set_up()
    assert state.num_distinct_actions() == game.actions
    for action in golden_actions(game):
        assert state.states.tobytes() == position.states.tobytes()
        if position.awaits_draw:
            assert state.is_chance_node()
            assert state.current_player() == pyspiel.PlayerId.CHANCE
            chances = {game.tiles.names[kind]: chance for kind, chance in state.chance_outcomes()}
            assert chances == {name: float(chance) for name, chance in position.chances().items()}
            assert fsum(chances.values()) == pytest.approx(1, abs=1e-12)
            assert state.action_to_string(action) == game.tiles.names[action]
            position.draw(game.tiles.names[action])
        else:
            assert state.current_player() == position.turn
            assert state.legal_actions() == [int(move) for move in position.legal_moves]
            assert state.action_to_string(action) == position.push(action).text
        state.apply_action(action)
    assert state.is_terminal()
    assert position.is_over
    assert state.states.tobytes() == position.states.tobytes()
    assert state.legal_actions() == []


def reward_of(outcome: tw.Outcome, seat: int, reward: str) -> float:
    players = len(outcome.scores)
    if reward == "margin":
        return outcome.scores[seat] - max(outcome.scores[:seat] + outcome.scores[seat + 1 :])
    share = 1 / len(outcome.winners) if seat in outcome.winners else 0
    return (players * share - 1) / (players - 1)


@every_rule_set
@pytest.mark.parametrize("reward", ["win", "margin"])
def test_returns_at_the_end_also_of_shared_wins(game: tw.Game, reward: str):
    """Random games are poor, so among many there are ties."""
    batch = game.batch(2000, seed=7)
    while not batch.over.all():
        batch.push(batch.random_moves())
    ours = load(game, reward=reward)
    winners_seen = set()
    for n in range(len(batch)):
        winners = int(game.kernels.winners_at(batch.states, n)).bit_count()
        if winners in winners_seen:
            continue
        winners_seen.add(winners)
        outcome = batch[n].outcome()
        assert outcome is not None
        state = ours.new_initial_state(batch[n].to_text())
        expected = [reward_of(outcome, seat, reward) for seat in range(game.players)]
        assert state.is_terminal()
        assert state.returns() == pytest.approx(expected) == state.rewards()
        assert ours.min_utility() <= min(state.returns())
        assert max(state.returns()) <= ours.max_utility()
        if ours.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM:
            assert sum(state.returns()) == pytest.approx(0, abs=1e-9)
    assert {1, 2} <= winners_seen


def test_nothing_is_paid_before_the_end():
    state = after(tw.Azul(players=3), -1)
    assert not state.is_terminal()
    assert state.returns() == state.rewards() == [0, 0, 0]


# ------------------------------------------------------------------------------------------ OpenSpiel's tests


@every_rule_set
def test_random_simulation(game: tw.Game):
    pyspiel.random_sim_test(load(game), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", GAMES)
def test_random_simulation_of_the_margin(name: str):
    game = pyspiel.load_game(f"{short_name(name)}(players=3,reward=margin)")
    assert game.get_type().utility == pyspiel.GameType.Utility.GENERAL_SUM
    assert game.utility_sum() is None
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


def run(case: type[unittest.TestCase], names: list[str]) -> None:
    result = unittest.TestResult()
    unittest.TestSuite(map(case, names)).run(result)
    assert result.testsRun == len(names)
    assert [text for _, text in result.errors + result.failures] == []


@two_players
def test_api_tests_that_sample(game: tw.Game):
    from open_spiel.integration_tests import api_test  # brings all of SciPy's statistics

    members = {"game": load(game), "game_name": short_name(game.name)}
    case = type("Sampled", (api_test.EnforceAPIOnPartialTreeBase,), members)
    run(case, unittest.TestLoader().getTestCaseNames(case))


WHOLE_TREE = [
    "test_legal_actions_empty",
    "test_current_player_returns_terminal_player_on_terminal_nodes",
    "test_information_state_no_argument_raises_on_terminal_nodes",
    "test_information_state_functions_raises_on_chance_nodes",
    "test_constant_sum",
]
"""Those that need no whole tree; the others count its nodes, or want an information state as a tensor."""


@two_players
def test_api_tests_of_whole_trees_on_a_whole_game(game: tw.Game):
    from open_spiel.integration_tests import api_test  # brings all of SciPy's statistics

    ours = load(game)
    states = [ours.new_initial_state()]
    for action in golden_actions(game):
        states.append(states[-1].child(action))

    class Played(api_test.EnforceAPIOnFullTreeBase):
        game_name = short_name(game.name)

        @classmethod
        def setUpClass(cls) -> None:
            cls.game, cls.all_states = ours, states

    run(Played, WHOLE_TREE)


@two_players
def test_golden_playthrough(game: tw.Game):
    """If it was meant to change: ``python tests/openspiel_playthroughs.py`` regenerates it."""
    path = PLAYTHROUGHS / f"{file_name(game)}.txt"
    let_flags_be_read()
    told, now = generate_playthrough.replay(str(path))
    assert told.splitlines() == now.splitlines()
    actions = [line.removeprefix("action: ") for line in told.splitlines() if line.startswith("action: ")]
    assert list(map(int, actions)) == golden_actions(game)


# -------------------------------------------------------------------------------- Copies and saved states


MOMENTS = {"fill": 7, "draft": 22, "over": 152}
"""Phases of the golden game of Azul, and numbers of events that lead to them: chance, a decision, the end."""


@pytest.mark.parametrize(
    ("game", "events", "phase"),
    [
        *((tw.Azul(2), events, phase) for phase, events in MOMENTS.items()),
        (tw.SummerPavilion(3, "grey"), 7, "supply"),
        (tw.SummerPavilion(3, "grey"), 40, "draft"),
        (tw.SummerPavilion(3, "grey"), -1, "keep"),
    ],
)
def test_copies_and_saved_states_are_exact_and_independent(game: tw.Game, events: int, phase: str):
    state = after(game, events)
    assert state.position().phase == phase
    row = state.states.tobytes()
    copies = [
        state.clone(),
        copy.copy(state),
        copy.deepcopy(state),
        pickle.loads(pickle.dumps(state)),
        state.get_game().deserialize_state(state.serialize()),
        pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(state.get_game(), state))[1],
    ]
    for other in copies:
        assert isinstance(other, OpenSpielState)
        assert other.states.tobytes() == row
        assert other.current_player() == state.current_player()
        assert other.history() == state.history()
        assert other.move_number() == state.move_number()
        assert str(other) == str(state)
        if not other.is_terminal():
            assert other.legal_actions() == state.legal_actions()
            other.apply_action(other.legal_actions()[-1])
            assert other.states.tobytes() != row
    assert state.states.tobytes() == row


def test_a_saved_state_is_small_and_holds_no_object_of_ours():
    state = after(tw.Azul(2), 60)
    assert vars(state) == {"row_bytes": state.states.tobytes()}
    assert b"tilewright" not in pickle.dumps(vars(state))
    assert len(state.serialize()) < 2 * state.states.nbytes + 10 * 60


@pytest.mark.parametrize("events", MOMENTS.values(), ids=MOMENTS)
def test_a_state_from_the_text_of_a_position(events: int):
    state = after(tw.Azul(2), events)
    ours = state.get_game()
    for text in (state.observation_string(0), state.to_dict(), state.to_struct()):
        assert ours.new_initial_state(text).states.tobytes() == state.states.tobytes()
    assert str(state) == state.observation_string(1) == state.position().to_text()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("azul players=3", "a position of Azul has 5 sections"),
        ("", "a position"),
        ({"board": "xo"}, "a position is a text"),
        (7, "a position is a text"),
    ],
)
def test_what_is_no_position_is_refused(given: object, message: str):
    with pytest.raises(tw.BadPosition, match=message):
        load(tw.Azul(2)).new_initial_state(given)


def test_a_position_taken_from_a_state_is_a_copy():
    state = after(tw.Azul(2), MOMENTS["draft"])
    row = state.states.tobytes()
    position = state.position()
    position.push(choose(position, Random(7)))
    assert state.states.tobytes() == row


# ----------------------------------------------------------------------------------------- What players see


@every_rule_set
def test_observations(game: tw.Game):
    ours, observer = load(game), Observer(game)
    seen = make_observation(ours)
    assert ours.observation_tensor_shape() == [observer.size]
    for events in (0, 7, 60, -1):
        state = after(game, events)
        for seat in range(game.players):
            expected = observer.observe(state.states, 0, seat)
            seen.set_from(state, seat)
            assert np.array_equal(seen.tensor, expected)
            assert np.array_equal(state.observation_tensor(seat), expected)
            assert list(seen.dict) == [part.name for part in observer.parts]
            for part in observer.parts:
                assert seen.dict[part.name].shape == part.shape
                assert np.array_equal(seen.dict[part.name], observer.part(expected, part.name))
            assert game.position(seen.string_from(state, seat)) == state.position()


def test_all_is_public_and_the_information_state_is_the_history():
    state = after(tw.Azul(2), 60)
    ours = state.get_game()
    private = make_observation(ours, pyspiel.IIGObservationType(public_info=False, perfect_recall=False))
    recalled = make_observation(ours, pyspiel.IIGObservationType(perfect_recall=True))
    assert private.string_from(state, 0) == ""
    assert recalled.string_from(state, 0) == state.history_str() == state.information_state_string(1)
    assert ours.make_py_observer({}).tensor.shape == (Observer(tw.Azul(2)).size,)
    with pytest.raises(tw.BadOption, match="no parameters, not \\{'planes': 3\\}"):
        ours.make_py_observer(None, {"planes": 3})


@every_rule_set
def test_the_bounds_hold_for_golden_games(game: tw.Game):
    ours = load(game)
    draws = [action for action in after(game, -1).full_history() if action.player == pyspiel.PlayerId.CHANCE]
    assert len(draws) <= ours.max_chance_nodes_in_history()
    assert len(golden_actions(game)) - len(draws) <= ours.max_game_length()
    assert ours.max_chance_outcomes() == (6 if "jokers" in file_name(game) or "summer" in file_name(game) else 5)
    assert max(action.action for action in draws) < ours.max_chance_outcomes()


@pytest.mark.parametrize(
    ("name", "margin"),
    [
        ("tilewright_azul(reward=margin)", 240),
        ("tilewright_azul(players=4,wall=grey,jokers=True,reward=margin)", 240),
        ("tilewright_summer_pavilion(reward=margin)", 303),
        ("tilewright_summer_pavilion(side=grey,reward=margin)", 331),
        ("tilewright_azul", 1),
    ],
)
def test_utilities(name: str, margin: int):
    game = pyspiel.load_game(name)
    assert (game.min_utility(), game.max_utility()) == (-margin, margin)


# ------------------------------------------------------------------------------------------ Errors and borders


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ("players=5", "for 2, 3 or 4 players, not 5"),
        ("wall=blue", "'coloured' or 'grey', not 'blue'"),
        ("walls=grey", "Unknown parameter 'walls'. Available parameters are: jokers, players, reward, wall"),
        ("reward=score", "one of win, margin, not 'score'"),
        ("players=two", "Wrong type for parameter players"),
        ("jokers=3", "Wrong type for parameter jokers"),
    ],
)
def test_wrong_parameters(parameters: str, message: str):
    with pytest.raises((tw.BadOption, pyspiel.SpielError), match=message):
        pyspiel.load_game(f"tilewright_azul({parameters})")


def test_azul_mini_has_no_jokers():
    with pytest.raises(pyspiel.SpielError, match="Available parameters are: players, reward, wall"):
        pyspiel.load_game("tilewright_azul_mini(jokers=True)")


@pytest.mark.parametrize(
    ("events", "action", "error", "message"),
    [
        (0, 5, tw.BadDraw, "no tile of kind 5 can be drawn, only blue, yellow, red, black, white"),
        (0, -2, tw.BadDraw, "no tile of kind -2"),
        (20, 0, tw.IllegalMove, "cbf is not legal: there is no blue tile in the centre"),
        (20, 180, tw.UnreadableMove, "numbers from 0 to 179, not 180"),
        (20, 10**9, tw.UnreadableMove, "numbers from 0 to 179, not 1000000000"),
        (20, -2, tw.UnreadableMove, "numbers from 0 to 179, not -2"),
        (152, 0, tw.IllegalMove, "the game is over"),
    ],
)
def test_actions_that_cannot_be_are_refused(events: int, action: int, error: type[Exception], message: str):
    state = after(tw.Azul(2), events)
    row = state.states.tobytes()
    with pytest.raises(error, match=message):
        state.apply_action(action)
    assert state.states.tobytes() == row
    assert len(state.history()) == events


def test_registering_again_changes_nothing():
    names = pyspiel.registered_names()
    register()
    assert pyspiel.registered_names() == names
    assert {short_name(name) for name in GAMES} <= set(names)


@pytest.mark.parametrize(
    "program",
    [
        "import pyspiel, tilewright.envs; game = pyspiel.load_game('tilewright_azul')",
        "from tilewright.envs.openspiel import register; register(); register()",
        "from tilewright.envs.openspiel import *; register(); import pyspiel;"
        "state = pyspiel.load_game('tilewright_azul').new_initial_state(); copy = state.clone(); copy.apply_action(0)",
    ],
    ids=["the import registers", "registered", "played"],
)
def test_a_process_ends_well(program: str):
    """OpenSpiel's registry outlives the interpreter: what it holds must not need one to be freed."""
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


# ---------------------------------------------------------------------------------------- OpenSpiel's players


@pytest.mark.parametrize("name", ["tilewright_azul(players=3)", "tilewright_summer_pavilion(players=2)"])
def test_the_search_in_c_plus_plus_plays(name: str):
    """By ``mcts_search``: its ``step`` lets go of Python's lock and so crashes with every game written in Python."""
    game = pyspiel.load_game(name)
    evaluator = pyspiel.RandomRolloutEvaluator(1, 7)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, 3, 10, False, 7, False)
    state, chooser = game.new_initial_state(), Random(7)
    while state.move_number() < 40:
        legal = state.legal_actions()
        action = chooser.choice(legal) if state.is_chance_node() else bot.mcts_search(state).best_child().action
        assert action in legal
        state.apply_action(action)


def test_the_example_beats_random_moves():
    import openspiel_mcts

    results = openspiel_mcts.play_match("tilewright_azul(players=2)", games=4, simulations=30, seed=7)
    assert sum(results) > 0


def test_the_learning_environment_of_openspiel():
    environment = rl_environment.Environment(pyspiel.load_game("tilewright_azul(players=3)"), seed=7)
    step, chooser = environment.reset(), Random(7)
    while not step.last():
        seat = step.observations["current_player"]
        assert len(step.observations["info_state"][seat]) == Observer(tw.Azul(3)).size
        step = environment.step([chooser.choice(step.observations["legal_actions"][seat])])
    assert sum(step.rewards) == pytest.approx(0, abs=1e-9)
