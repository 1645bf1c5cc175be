"""The constants of Summer Pavilion, its highest score and random play. Players are counted from 1."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from positions_summer import LETTERS, board, hand, heap, play, star, table

import tilewright as tw
from tilewright.games.summer_pavilion import rules
from tilewright.games.summer_pavilion.board import MULTICOLOUR_BONUS, NUMBER_BONUS, STAR_BONUS
from tilewright.games.summer_pavilion.names import TILES

DATA = Path(__file__).parents[1] / "data"

# --------------------------------------------------------------------------------------------- Constants


def test_tiles():
    bag = tw.SummerPavilion(3).set_up().state.bag
    assert TILES.tally(bag) == "22p22g22o22y22b22r"
    assert (rules.TILES, rules.COLOUR_TILES) == (132, 22)
    assert TILES.names == ("purple", "green", "orange", "yellow", "blue", "red")


def test_constants_of_the_table():
    assert (rules.SUPPLY_SPACES, rules.ROUNDS, rules.CORNERS) == (10, 6, 4)
    assert (rules.FIRST_SCORE, rules.LOWEST_SCORE) == (5, 1)


def test_constants_of_the_bonuses():
    bonuses = dict(zip(TILES.names, STAR_BONUS.tolist(), strict=True))
    assert bonuses == {"red": 14, "blue": 15, "yellow": 16, "orange": 17, "green": 18, "purple": 20}
    assert MULTICOLOUR_BONUS == 12
    assert NUMBER_BONUS.tolist() == [0, 4, 8, 12, 16]


def test_players_two_to_four():
    for players in (1, 5):
        with pytest.raises(tw.BadOption):
            tw.SummerPavilion(players)


# ----------------------------------------------------------------------------------------------- Figures


ANNA = 3
"""The seat that scores 304 in the stored game."""


@pytest.fixture(scope="module")
def best_game() -> tw.Record:
    """A complete game with given draws, in which three players help the fourth; found with a planner."""
    return tw.load_record(DATA / "summer-pavilion-304.txt")


def test_highest_coloured_score_is_304(best_game: tw.Record):
    """The starting score, 42 placements that each extend the run of their star, all bonuses, and no losses."""
    outcome = best_game.replay().outcome()
    assert outcome is not None
    assert outcome.scores[ANNA] == 5 + 147 + 112 + 40 == 304
    assert outcome.winners == (ANNA,)
    assert outcome.points[ANNA] == {
        "start": 5,
        "tiles placed": 7 * (1 + 2 + 3 + 4 + 5 + 6),
        "full stars": 14 + 15 + 16 + 17 + 18 + 20 + 12,
        "numbers covered": 4 + 8 + 12 + 16,
        "marker": 0,
        "discarded when passing": 0,
        "left in corners": 0,
    }
    assert len(board(best_game.replay(), ANNA + 1)) == 42


def test_highest_score_needs_an_empty_supply_at_the_last_placement(best_game: tw.Record):
    """The last space of a board earns two bonus tiles, but here bag, tower and supply are empty."""
    steps = [position for position in best_game.positions() if bin(position.state.covered[ANNA]).count("1") == 41]
    before = steps[-1]
    assert (before.phase, before.turn) == ("place", ANNA)
    assert [heap(before, name) for name in ("bag", "tower", "supply", "centre")] == ["-"] * 4
    assert hand(play(before, "c6b+4"), ANNA + 1) == "-"


def test_highest_score_with_tiles_in_the_supply_is_302():
    """The same last placement with a full supply earns two bonus tiles, which can only be discarded."""
    boards = [" ".join(star(letter) for letter in LETTERS) + " " + star("c", "pgoyr", "12345")]
    position = table(round_number=6, passed="2", boards=boards, hands=["bbrrrr"], scores=[5 + 141])
    play(position, "c6b+4")
    assert position.state.owed == 2
    play(position, "bonus pg")
    position.deal(seed=1)
    play(position, "pass", "keep none")
    assert position.scores[0] == 302


def test_random_play_mean_score():
    """Uniformly random legal moves, coloured side, two players: mean score 19.45.

    Another implementation gives about 18. It chooses space, payment and kept tiles in separate steps, so its
    uniformly random play has a different distribution; the two means should be close, but need not be equal.
    The mean score of a game has a standard deviation of 7.9, so the standard error for 20,000 games is 0.06.
    """
    game, games = tw.SummerPavilion(players=2), 20_000
    totals = game.kernels.new_totals()
    generator = np.array([2], dtype=np.uint64)
    game.kernels.play_games(game.kernels.new_states(1), game.set_up().states, generator, games, totals)
    rounds, score = totals["rounds"][0] / games, totals["points"][0] / (2 * games)
    assert rounds == 6
    assert score == pytest.approx(19.45, abs=4 * 0.06)
    assert score == pytest.approx(18, abs=2)
