"""Games from other packages at the command line: one for 3 or 5 players, and one without tiles."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from installing import describe, run

TILELESS = """
import tilewright as tw
from nim import Nim
class Tileless(tw.Game):
    spec = tw.GameSpec("tileless", "Tileless", Nim.spec.phases, Nim.spec.kernels, Nim.spec.notation, players=(2,))
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with both games."""
    describe(tmp_path, "bare-game", "bare_game:BareGame")
    (tmp_path / "tileless.py").write_text(TILELESS)
    describe(tmp_path, "tileless", "tileless:Tileless")
    return tmp_path


@pytest.mark.parametrize(("seats", "players"), [(0, 3), (1, 3), (3, 3), (4, 5), (5, 5)])
def test_there_are_as_many_players_as_a_game_and_its_seats_need(site: Path, seats: int, players: int):
    chosen = [word for _ in range(seats) for word in ("--seat", "me")]
    told = run(site, "-m", "tilewright", "play", "--terminal", "bare-game", "--seed", "7", *chosen, given="q\n")
    assert told.count("hands") == players, "one board each"


def test_commands_take_the_default_number_of_players(site: Path):
    counted = json.loads(run(site, "-m", "tilewright", "perft", "bare-game", "--depth", "1", "--json"))
    assert counted["players"] == 3


def test_a_game_without_tiles_has_help_and_a_list_of_moves(site: Path):
    told = run(site, "-m", "tilewright", "play", "--terminal", "tileless", given="?\nmoves\nmoves take\nq\n")
    assert "'moves 3', 'moves take' and so on" in told
    assert told.count("take 2") >= 3, "in the help and in both lists"
    assert "is a tile" not in told
    assert "tiles again" not in told
