"""What the terminal says about a match of two bots."""

from __future__ import annotations

import tilewright as tw
from tilewright.arena import play_match
from tilewright.cli.standings import headline


def test_a_short_match_that_was_won_altogether_is_not_called_even():
    game = tw.Azul(players=2)
    won = headline(play_match(["greedy", "random"], game, 2, seed=1, workers=0))
    assert won == "greedy wins 100.0% against random: every game won, but too few to estimate the difference in Elo"
    lost = headline(play_match(["random", "greedy"], game, 2, seed=1, workers=0))
    assert lost == "random wins 0.0% against greedy: no game won, but too few to estimate the difference in Elo"
