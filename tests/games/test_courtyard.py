"""A game from somebody else's package, played through every door; the package itself knows nothing of it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import tilewright as tw
from installing import install, run, with_game


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(tmp_path_factory.mktemp("courtyard"))


def test_it_is_unknown_until_it_is_installed():
    with pytest.raises(tw.BadOption, match="unknown game 'courtyard'; the games are azul, azul-mini, summer-pavilion"):
        tw.make_game("courtyard")


RULES = """
import random
import tilewright as tw
from tilewright.game.registry import every_rule_set

chooser = random.Random(1510)
played = 0
for game in every_rule_set():
    if game.name != "courtyard":
        continue
    for seed in range(5):
        position = game.start(seed=seed)
        while not position.is_over:
            move = chooser.choice(list(position.legal_moves))
            effects = position.effects(move)
            scores = [position.scores[seat] for seat in range(game.players)]
            for effect in effects:
                scores[effect.seat] += effect.points
            position.push(move)
            assert tuple(scores) == position.scores
            assert game.position(position.to_text()) == position
            row = position.state
            stones = sum(int(kind) >= 0 for kind in row.courtyard.flat) + int(row.quarry.sum()) + int(row.bag.sum())
            assert stones == 32, stones
        assert int(position.state.laid) == 24 and position.outcome() is not None
        again = tw.read_record(position.record().to_text())
        assert again.replay() == position and again.game == game
        played += 1
print(played, "games")
"""


def test_python_texts_and_records(site: Path):
    assert run(site, "-c", RULES).strip() == "30 games"


REFUSED = """
import tilewright as tw
from tilewright.bots.registry import make_bot
game = tw.make_game("courtyard", scoring="contrast")
start = game.start(seed=7)
later = start.copy()
later.push(next(iter(later.legal_moves)))
for act in (
    lambda: start.push("m c3"),
    lambda: start.push("zz"),
    lambda: tw.make_game("courtyard", players=5),
    lambda: tw.make_game("courtyard", scoring="beauty"),
    lambda: game.position(start.to_text().replace("laid=0", "laid=1")),
    lambda: game.position(start.to_text().replace("scoring=contrast", "scoring=groups")),
    lambda: make_bot("champion").choose(start),
    lambda: game.position(start.to_text().replace("laid=0", "laid=127")),
    lambda: game.position(start.to_text().replace("round_number=1", "round_number=127")),
    lambda: game.position(start.to_text().replace("score=0,0", "score=32767,0")),
    lambda: game.position(start.to_text().replace("phase=1", "phase=-1")),
    lambda: game.position(start.to_text().replace("courtyard=-1", "courtyard=9")),
    lambda: game.position(start.to_text().replace("bag=", "bag=1")),
    lambda: game.position(later.to_text().replace("laid=1", "laid=2")),
    lambda: game.new_position(start.states[[0, 0]]),
    lambda: game.new_position(tw.make_game("courtyard").start(seed=7).states),
):
    try:
        act()
    except tw.TilewrightError as error:
        print(type(error).__name__, error)
"""


def test_errors_say_what_would_be_right(site: Path):
    told = run(site, "-c", REFUSED).splitlines()
    assert "nothing is laid on the fountain" in told[0]
    assert "moves look like 'm c4'" in told[1]
    assert "Courtyard is for 2, 3 or 4 players, not 5" in told[2]
    assert "'groups' or 'contrast', not 'beauty'" in told[3]
    assert "laid=1" in told[4]
    assert "not of 'courtyard players=2 scoring=contrast'" in told[5]
    assert "there is no network for Courtyard(" in told[6]
    assert told[6].endswith("so champion cannot play it; search can")
    assert told[7] == "BadPosition with 0 stones laid, laid=127 and turn=0 are wrong"
    assert told[8] == "BadPosition with 0 stones laid, round_number=127 is wrong"
    assert told[9] == "BadPosition 0 stones cannot have brought the scores (32767, 0)"
    assert told[10] == "BadPosition the position: phase=-1 should be from 0 to 2"
    assert told[11] == "BadPosition a paved cell holds a kind of stone from 0 to 3"
    assert told[12] == "BadPosition the number of stones of slate is 18, not 8"
    assert told[13] == "BadPosition with 1 stone laid, laid=2 and turn=1 are wrong"
    assert told[14] == "BadOption a position is one row, as in states[[0]], not an array of shape (2,)"
    assert "its field contrast is 0, not 1" in told[15]
    assert len(told) == 16


def test_the_terminal(site: Path):
    lay = "m c4\n" * 1
    shown = run(
        site, "-m", "tilewright", "play", "courtyard", "--terminal", "--scoring", "contrast", "--seed", "7",
        "--seat", "Anna", "--seat", "random", given="?\nmoves\nzz\n" + lay + "1\n" * 40,
    )  # fmt: skip
    assert "Courtyard" in shown
    assert "marble" in shown
    assert "moves look like" in shown
    assert "Game over" in shown


def test_the_arena_with_random_and_search(site: Path):
    told = run(
        site, "-m", "tilewright", "arena", "search:200", "random", "--game", "courtyard", "--games", "20",
        "--seed", "1", "--workers", "0", "--json",
    )  # fmt: skip
    result = json.loads(told)
    assert (result["game"], result["bots"]) == ("courtyard", ["search:200", "random"])
    assert result["win_rate"] > 0.75


ENVIRONMENTS = """
import warnings
warnings.simplefilter("ignore")
import numpy as np
import pyspiel
import tilewright as tw
from pettingzoo.test import api_test
from tilewright.envs import Vector, pettingzoo
from open_spiel.python import algorithms  # noqa: F401

api_test(pettingzoo.env("courtyard", players=3, scoring="contrast"), num_cycles=100)

game = pyspiel.load_game("tilewright_courtyard(players=2)")
pyspiel.random_sim_test(game, num_sims=2, serialize=False, verbose=False)

vector = Vector(tw.make_game("courtyard"), size=256, seed=7)
finished = 0
for _ in range(100):
    vector.step(vector.random_moves())
    finished += int(vector.dones.sum())
assert finished == 256 * 100 // 24 // 256 * 256
seen, observer = vector.observations, vector.observer
assert (seen >= observer.low).all() and (seen <= observer.high).all()
assert observer.part(seen, "quarry").shape == (256, 4) and (observer.part(seen, "quarry").sum(axis=1) > 0).all()
assert len(np.unique(vector.observations, axis=0)) > 200
print("all play")
"""


def test_pettingzoo_openspiel_and_vector(site: Path):
    assert run(site, "-c", ENVIRONMENTS).splitlines()[-1] == "all play"


TRAINED = """
import sys
import tilewright as tw
from tilewright.bots.champion import ChampionBot
from tilewright.learn.log import read_log
from tilewright.search.budget import Budget
from pathlib import Path

folder = Path(sys.argv[1])
game = tw.make_game("courtyard")
assert tw.load_network("courtyard", path=folder / "weights.npz").actions == game.actions
assert read_log(folder / "log.jsonl")[-1]["updates"] > 0
position = game.start(seed=7)
print(ChampionBot(Budget(simulations=8), weights=folder / "weights.npz").choose(position) in position.legal_moves)
"""


@pytest.mark.slow
def test_a_network_learns_it_and_plays_it(site: Path, tmp_path: Path):
    train = ["-m", "tilewright", "train", "courtyard", "--steps", "40", "--no-evaluation", "--folder", str(tmp_path)]
    command = [sys.executable, *train, "--games", "4", "--simulations", "4", "--width", "8", "--batch", "32"]
    done = subprocess.run(command, env=with_game(site), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "40 steps of 4 games" in done.stdout
    assert run(site, "-W", "ignore", "-c", TRAINED, str(tmp_path)).strip() == "True"
