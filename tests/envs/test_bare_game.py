"""A game that defines only its rules has observations, action features and every environment."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from bare_game import POSITION, BareGame
from tilewright.envs import ActionDescriber, Observer, Vector, canonical, symmetries
from tilewright.game.errors import BadOption
from tilewright.game.rules_checks import FIELDS
from tilewright.game.spec import GameSpec
from tilewright.kernels.playing import Kernels

TESTS = Path(__file__).parents[1]


def played(game: BareGame, moves: int):
    position = game.start(seed=3)
    for _ in range(moves):
        position.push(position.legal_moves.numbers()[-1])
    return position


@pytest.mark.parametrize("players", [3, 5])
def test_the_observation_has_the_fields_from_the_observers_seat_on(players: int):
    game = BareGame(players)
    observer, position = Observer(game), played(game, 2)
    row = position.state
    for seat in range(players):
        observation = observer.observe(position.states, 0, seat)
        order = [(seat + step) % players for step in range(players)]

        def part(name: str, observation=observation) -> np.ndarray:
            return observer.part(observation, name)

        assert part("turn").tolist() == [float(other == position.turn) for other in order]
        assert part("phase").tolist() == [0, 1, 0]
        scales = {part.name: part.scale for part in observer.parts}
        for name in ("score", "hands"):
            assert np.allclose(part(name) * scales[name], row[name][order])
        for name in ("bag", "market", "last_kind", "round_number"):
            assert np.allclose(part(name) * scales[name], row[name])
        bits = part("taken_kinds")
        assert bits.shape == (players, 32)
        assert [int(sum(int(bit) << n for n, bit in enumerate(own))) for own in bits] == row.taken_kinds[order].tolist()
    assert "players" not in observer.starts


def test_observations_stay_within_their_bounds_and_mostly_within_one():
    game = BareGame()
    vector, largest = Vector(game, 50, seed=1), 0.0
    for _ in range(60):
        vector.step(vector.random_moves())
        assert (vector.observations >= vector.observer.low).all()
        assert (vector.observations <= vector.observer.high).all()
        largest = max(largest, float(np.abs(vector.observations).max()))
    assert 1 <= largest < 2
    assert (vector.observer.low < 0).any()


def test_a_move_is_described_by_what_follows_from_it():
    game = BareGame()
    position, describer, observer = played(game, 1), ActionDescriber(game), Observer(game)
    described = describer.describe(position.states, 0)
    legal = position.legal_moves.numbers()
    for move in range(game.actions):
        if move in legal:
            after = position.without_dealer()
            after.push(move)
            assert (described[move] == observer.observe(after.states, 0, seat=1)).all()
        else:
            assert not described[move].any()
    every = np.zeros((1, *described.shape), np.float32)
    describer.write_each(position.states, every)
    assert (every[0] == described).all()


def test_rules_can_say_which_fields_are_by_seat():
    rules = ModuleType("rules")
    vars(rules).update({name: value for name, value in vars(sys.modules["bare_game"]).items() if name.isidentifier()})
    rules.BY_SEAT = ("score", "hands")  # type: ignore[attr-defined]

    class Other(BareGame):
        spec = BareGame.spec.__class__(
            **{
                **{name: getattr(BareGame.spec, name) for name in ("title", "tiles", "phases", "notation", "players")},
                "name": "other",
                "kernels": Kernels("other", rules),
            }
        )

    parts = {part.name: part.shape for part in Observer(Other(3)).parts}
    assert (parts["score"], parts["hands"], parts["taken_kinds"]) == ((3,), (3, 3), (5, 32))


def test_it_has_no_symmetry_but_the_identity():
    game = BareGame()
    position = game.start(seed=7)
    twin, moves = canonical(position)
    assert twin == position
    assert moves.tolist() == [0, 1, 2]
    (identity,) = symmetries(game)
    assert identity.position(position) == position
    assert identity.move("take coal") == 2


ENVIRONMENTS = """
import warnings
import gymnasium, pettingzoo, pyspiel
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test
import tilewright as tw
import tilewright.envs

assert list(tw.GAMES)[-1] == "bare-game", tw.GAMES
warnings.simplefilter("ignore")
for players in (3, 5):
    api_test(pettingzoo.make("aec", "tilewright/bare-game-v0", players=players), num_cycles=100)
    check_env(gymnasium.make("tilewright/BareGame-v0", players=players).unwrapped, skip_render_check=True)
    envs = gymnasium.make_vec("tilewright/BareGame-v0", num_envs=3, players=players)
    observations, infos = envs.reset(seed=1)
    assert observations in envs.observation_space
    for reward in ("win", "margin"):
        game = pyspiel.load_game(f"tilewright_bare_game(players={players},reward={reward})")
        pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)
assert pyspiel.load_game("tilewright_bare_game").num_players() == 3
try:
    gymnasium.make("tilewright/BareGame-v0", players=4)
except tw.BadOption as error:
    assert "3 or 5 players" in str(error), error
print("played")
"""
SIMULATED_GPU = """
import warnings
import numpy as np
warnings.simplefilter("ignore", RuntimeWarning)  # 64-bit words that wrap around
from bare_game import BareGame
from tilewright.envs import Vector
from tilewright.envs.cuda_vector import CudaVector

game = BareGame(5)
here, there = Vector(game, 2, 1, reward="margin"), CudaVector(game, 2, 1, reward="margin")
for _ in range(12):
    moves = here.random_moves()
    here.step(moves)
    there.step(moves)
    for name in ("observations", "masks", "rewards", "dones", "scores", "turns"):
        assert getattr(here, name).tobytes() == getattr(there, name).copy_to_host().tobytes(), name
print("played")
"""
OBSERVATIONS = """
import hashlib
from bare_game import BareGame
from tilewright.envs import Vector

vector = Vector(BareGame(5), 3, 1)
digest = hashlib.sha256()
for _ in range(10):
    vector.step(vector.random_moves())
    digest.update(vector.observations.tobytes())
print(digest.hexdigest())
"""


BESIDE_A_BROKEN_GAME = """
import warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    import tilewright.envs
told = [str(warning.message) for warning in caught if "broken-game" in str(warning.message)]
assert told and "cannot be loaded from no_such_module:Game" in told[0], told
import pettingzoo
pettingzoo.make("aec", "tilewright/bare-game-v0").reset(seed=7)
print("played")
"""


@pytest.fixture
def run(tmp_path: Path):
    """Runs a program where the bare game is an installed package."""
    package = tmp_path / "bare_game-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: bare-game\nVersion: 1.0\n", encoding="utf-8")
    (package / "entry_points.txt").write_text("[tilewright.games]\nbare-game = bare_game:BareGame\n", encoding="utf-8")
    path = os.pathsep.join([str(tmp_path), str(TESTS), os.environ.get("PYTHONPATH", "")])

    def run(program: str, **environment: str) -> str:
        command, told = [sys.executable, "-c", program], {**os.environ, "PYTHONPATH": path, **environment}
        done = subprocess.run(command, env=told, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.split("\n")[-2]

    return run


def test_every_environment_plays_it(run):
    assert run(ENVIRONMENTS) == "played"


def test_a_game_that_cannot_be_loaded_does_not_disturb_the_others(run, tmp_path: Path):
    package = tmp_path / "broken_game-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: broken-game\nVersion: 1.0\n", encoding="utf-8")
    entry = "[tilewright.games]\nbroken-game = no_such_module:Game\n"
    (package / "entry_points.txt").write_text(entry, encoding="utf-8")
    assert run(BESIDE_A_BROKEN_GAME) == "played"


def test_the_gpu_plays_it(run):
    assert run(SIMULATED_GPU, NUMBA_ENABLE_CUDASIM="1") == "played"


def test_observations_are_the_same_without_compiling(run):
    assert run(OBSERVATIONS) == run(OBSERVATIONS, NUMBA_DISABLE_JIT="1")


# ---------------------------------------------------------------------------------- What rules must define


def rules_without(*names: str, **others: object) -> ModuleType:
    rules = ModuleType("rules")
    kept = {name: value for name, value in vars(sys.modules["bare_game"]).items() if name not in names}
    vars(rules).update({**kept, **others})
    return rules


def spec_by(rules: ModuleType) -> GameSpec:
    return replace(BareGame.spec, kernels=Kernels("bare", rules))


def test_missing_kernels_are_named():
    with pytest.raises(BadOption, match="the rules of Bare Game must define nth_move, apply_move"):
        spec_by(rules_without("nth_move", "apply_move"))


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("rules", "the rules of Bare Game must be a module, not 'rules'"),
        (rules_without(POSITION="int8"), "POSITION in the rules of Bare Game must be a NumPy dtype, not 'int8'"),
        (rules_without(is_over=True), "is_over in the rules of Bare Game must be a kernel, not True"),
    ],
)
def test_rules_of_the_wrong_kind_are_refused(rules, message):
    with pytest.raises(BadOption, match=f"^{message}$"):
        spec_by(rules)


@pytest.mark.parametrize(
    ("dtype", "message"),
    [
        (np.dtype([("turn", np.int64)]), "must have the fields players, phase, round_number, score"),
        (np.dtype([(name, np.int8) for name in FIELDS[1:]]), "must have the field players$"),
        (np.dtype([*POSITION.descr, ("done", np.bool_)]), "the field done must hold whole numbers, .* not bool"),
        (np.dtype([("share", np.float64, 2), *POSITION.descr]), "the field share must hold .* not float64"),
        (np.dtype([("own", [("a", np.int8)]), *POSITION.descr]), "the field own must hold whole numbers"),
        (np.dtype([(name, np.int8) for name in FIELDS]), r'add \("_padding", np.uint8, 3\)'),
        (np.dtype([("flag", np.int8), *POSITION.descr]), "the field taken_kinds is not aligned"),
    ],
)
def test_what_is_wrong_with_a_position_is_said(dtype, message):
    with pytest.raises(BadOption, match=message):
        spec_by(rules_without(POSITION=dtype))
