"""On a GPU, here simulated, the games are those of the processor, byte by byte."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from rule_sets import RULE_SETS, file_name

PROGRAM = """
import sys
import warnings
import numpy as np
warnings.simplefilter("ignore", RuntimeWarning)  # words that wrap round: compiled code does it in silence
sys.path.insert(0, {tests!r})
from rule_sets import RULE_SETS, file_name
from tilewright.envs import Vector
from tilewright.envs.cuda_play import CudaPlay
from tilewright.envs.cuda_vector import CudaVector
from tilewright.game.errors import BadMove

ARRAYS = ("observations", "masks", "rewards", "dones", "scores", "turns", "movers")

def check(n, game):
    options = dict(reward=("win", "margin", "score")[n % 3], canonical=bool(n % 2))
    here, there = Vector(game, 2, n, **options), CudaVector(game, 2, n, **options)
    # A whole game of plain Azul; of the others some steps, for the simulator takes its time.
    steps = 1000 if file_name(game) == "azul-2-coloured" else 40 if file_name(game).endswith("2-coloured") else 12
    ended = False
    while steps and not ended:
        steps -= 1
        moves = here.random_moves()
        assert (moves == there.random_moves().copy_to_host()).all()
        here.step(moves)
        there.step(moves)
        assert np.asarray(here.states).tobytes() == there.copy_states().tobytes()
        for name in ARRAYS:
            assert getattr(here, name).tobytes() == getattr(there, name).copy_to_host().tobytes(), name
        ended = here.dones.any()
    assert there[1] == here[1]
    try:
        there.step([-1, 0] if not here.masks[1, 0] else [-1, game.actions])
    except BadMove as error:
        assert str(error).startswith("game 1:"), error
    else:
        raise AssertionError("an illegal move was played")
    assert np.asarray(here.states).tobytes() == there.copy_states().tobytes()
    print(file_name(game), "equal")

for n, game in enumerate(RULE_SETS):
    if file_name(game) in {chosen!r}:
        check(n, game)
"""


def simulate(program: str) -> list[str]:
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    "chosen",
    [
        pytest.param(["azul-2-coloured", "azul-3-grey-jokers"], marks=pytest.mark.slow),
        pytest.param(["summer-pavilion-2-coloured", "summer-pavilion-3-grey"], marks=pytest.mark.slow),
    ],
)
def test_games_on_the_card_equal_those_of_the_processor(chosen: list[str]):
    assert set(chosen) <= {file_name(game) for game in RULE_SETS}
    program = PROGRAM.format(tests=os.path.dirname(os.path.dirname(__file__)), chosen=chosen)
    assert simulate(program) == [f"{name} equal" for name in chosen]


def test_random_games_on_the_card_end():
    program = """
import warnings
warnings.simplefilter("ignore", RuntimeWarning)
import numpy as np
import tilewright as tw
from tilewright.envs.cuda_play import CudaPlay
game = tw.Azul(players=2)
there = CudaPlay(game, seed=5, threads=2).play(1)
words = np.random.SeedSequence(5).spawn(1)[0].generate_state(2, np.uint64)
totals = game.kernels.new_totals()
for word in words:
    game.kernels.play_games(game.kernels.new_states(1), game.set_up().states, np.array([word]), 1, totals)
print(all(there[name].sum() == totals[name][0] for name in ("moves", "rounds", "points")))
"""
    assert simulate(program) == ["True"]


@pytest.mark.slow
def test_some_games_restart_on_the_gpu():
    program = """
import warnings
warnings.simplefilter("ignore", RuntimeWarning)
import numpy as np
import tilewright as tw
from tilewright.envs import CudaVector, Vector
game = tw.Azul(players=2)
here, there = Vector(game, 2, 5, autoreset=False), CudaVector(game, 2, 5, autoreset=False)
for _ in range(5):
    moves = here.random_moves()
    here.step(moves)
    there.step(moves)
print(there.over.copy_to_host().tolist())
here.restart(np.array([True, False]))
there.restart(np.array([True, False]))
print(there[0] == here[0] and there[1] == here[1], (there.masks.copy_to_host() == here.masks).all())
print((there.scores.copy_to_host() == here.scores).all())
"""
    assert simulate(program) == ["[False, False]", "True True", "True"]


def test_positions_are_loaded_on_the_gpu():
    program = """
import warnings
warnings.simplefilter("ignore", RuntimeWarning)
import tilewright as tw
from tilewright.envs import CudaVector, Vector
game = tw.Azul(players=2)
elsewhere = Vector(game, 2, 1)
for _ in range(20):
    elsewhere.step(elsewhere.random_moves())
elsewhere.states[1:] = game.set_up().states  # still to be dealt
here, there = Vector(game, 2, 5), CudaVector(game, 2, 5)
moves = here.random_moves()
here.step(moves)
there.step(moves)
here.load(elsewhere.states)
there.load(elsewhere.states)
print(here.states.tobytes() == there.copy_states().tobytes(), not there[1].awaits_draw)
for name in ("observations", "masks", "rewards", "dones", "scores", "turns", "movers"):
    assert getattr(here, name).tobytes() == getattr(there, name).copy_to_host().tobytes(), name
try:
    there.load(elsewhere.states[:1])
except tw.BadOption as error:
    print(error)
"""
    assert simulate(program) == ["True True", "load takes 2 positions, one for each game, not an array of (1,)"]


def test_without_a_card_the_error_says_what_to_do():
    import tilewright as tw
    from tilewright.envs.cuda_vector import CudaVector
    from tilewright.kernels.cuda import NoDevice, cuda_module

    try:
        cuda_module()
    except NoDevice:
        with pytest.raises(NoDevice, match=r"pip install 'tilewright\[gpu\]'"):
            CudaVector(tw.Azul(players=2), 4)
    else:
        pytest.skip("there is a GPU")
