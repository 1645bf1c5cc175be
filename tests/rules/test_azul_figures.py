"""The constants of Azul, its highest score and the averages of random play. Players are counted from 1."""

from __future__ import annotations

from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from positions import (
    COLOURED_WALL,
    Board,
    floor,
    line,
    play,
    table,
    wall_row,
)

import tilewright as tw
from tilewright.games.azul import rules
from tilewright.games.azul import wall as azul_wall

DATA = Path(__file__).parent.parent / "data"

# -------------------------------------------------------------------------------------------- Constants


def test_tiles():
    assert tw.Azul.spec.tiles.tally(tw.Azul().set_up().state.bag) == "20b20y20r20k20w"
    assert (rules.TILES, rules.COLOUR_TILES) == (100, 20)
    assert tw.Azul.spec.tiles.names[:5] == ("blue", "yellow", "red", "black", "white")


@pytest.mark.parametrize("capacity", [1, 2, 3, 4, 5])
def test_pattern_lines_hold_one_to_five_tiles(capacity: int):
    position = table(tw.Azul(), Board({capacity: "b" * (capacity - 1)}), factories=["bb", "k"])
    play(position, f"1b{capacity}")
    assert (line(position, 1, capacity), floor(position, 1)) == ("b" * capacity, "b")


@pytest.mark.parametrize(("tiles", "penalty"), list(enumerate([0, 1, 2, 4, 6, 8, 11, 14])))
def test_floor_line_of_seven_spaces(tiles: int, penalty: int):
    position = table(tw.Azul(), Board(floor="r" * tiles, score=50), factories=["k"], turn=2)
    play(position, "1kf")
    assert position.scores[0] == 50 - penalty


def test_score_starts_at_zero():
    assert tw.Azul(4).set_up().scores == (0, 0, 0, 0)


def test_the_coloured_wall_shifts_by_one_each_row():
    for row, cells in enumerate(COLOURED_WALL):
        for column, letter in enumerate(cells):
            colour = "byrkw".index(letter)
            assert column == (colour + row) % 5
            assert azul_wall.wall_column(colour, row) == column
            assert azul_wall.wall_colour(row, column) == colour


@pytest.mark.parametrize(
    ("wall", "points"),
    [
        pytest.param({}, 1, id="alone"),
        pytest.param({2: "w....", 4: "....y", 1: "b...."}, 1, id="tiles that do not touch"),
        pytest.param({2: ".b.r."}, 1, id="only diagonal neighbours"),
        pytest.param({3: "k..yr"}, 3, id="a gap ends the run"),
        pytest.param({3: "kw.yr"}, 5, id="five across"),
        pytest.param({1: "..r..", 2: "..y..", 4: "..w..", 5: "..k.."}, 5, id="five down"),
        pytest.param({2: "..y..", 3: ".w..."}, 4, id="two across and two down"),
        pytest.param({1: "..r..", 2: "..y..", 3: "kw.yr", 4: "..w..", 5: "..k.."}, 10, id="five across and five down"),
    ],
)
def test_points_of_a_wall_tile(wall: dict[int, str], points: int):
    """The blue tile of line 3, in the middle of the wall."""
    position = table(tw.Azul(), Board({3: "bbb"}, wall), factories=["k"], turn=2)
    play(position, "1kf")
    assert position.state.wall_points[0] == points


# ----------------------------------------------------------------------------------------------- Figures


def test_the_highest_score_of_240_in_five_rounds():
    """A complete game with given draws, replayed through the public API, which checks every move.

    Player 2 fills all five lines in each round. The first five tiles lie on the rising diagonal, each alone in its
    row and column; from then on every tile extends the run of its row and that of its column. So each row and each
    column scores 1+2+3+4+5, except that the first five tiles score only once: 150 - 5.
    """
    record = tw.load_record(DATA / "azul-240.txt")
    position = record.replay()
    assert position.is_over
    assert position.round == 5
    assert position.scores == (0, 240)
    assert position.outcome().points[1] == {
        "tiles on the wall": 145,
        "full rows": 10,
        "full columns": 35,
        "full colours": 50,
        "floor line": 0,
    }
    assert [wall_row(position, 2, row) for row in range(1, 6)] == list(COLOURED_WALL)


GAMES = 40_000
SPREAD = {2: (1.29, 13.8, 2.87), 3: (1.25, 16.7, 2.14), 4: (1.25, 19.7, 1.66)}
"""Standard deviations of the rounds, turns and mean score of one game, measured once."""


@pytest.mark.parametrize(
    ("players", "means", "rounding"),
    [
        pytest.param(2, (6.60, 70.35, 2.95), (0.005, 0.005, 0.005), id="2"),
        pytest.param(3, (6.7, 90, 2.5), (0.05, 0.5, 0.05), id="3"),
        pytest.param(4, (6.8, 108, 2.1), (0.05, 0.5, 0.05), id="4"),
    ],
)
def test_averages_of_random_play(players: int, means: tuple[float, ...], rounding: tuple[float, ...]):
    """Within four standard errors for 40,000 games, plus the rounding of the published figures."""
    game = tw.Azul(players)
    totals = game.kernels.new_totals()
    generator = np.array([2024], dtype=np.uint64)
    game.kernels.play_games(game.kernels.new_states(1), game.set_up().states, generator, GAMES, totals)
    turns, rounds, points = (totals[name][0] / GAMES for name in ("moves", "rounds", "points"))
    measured = (rounds, turns, points / players)
    for value, mean, spread, half_digit in zip(measured, means, SPREAD[players], rounding, strict=True):
        assert abs(value - mean) < 4 * spread / sqrt(GAMES) + half_digit
