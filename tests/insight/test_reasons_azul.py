"""Every kind of reason in Azul, on positions built for it: there where it is true, absent where it would be false."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import tilewright as tw
from rules.positions import Board, table
from tilewright.games.azul.reasons import reasons
from tilewright.insight.comparison import Comparison
from tilewright.insight.reason import Reason
from tilewright.insight.wording import tell_reasons
from tilewright.view.language import LANGUAGES

OFFER = ["byrw", "yyrr", "bbrw", "rwww", "ykkw"]
RICH = Board(score=20)
MIXED = {1: "b....", 2: ".b...", 3: "..b..", 4: "...b."}
"""The first four tiles of the diagonal: all blue."""


def why(position: tw.Position, played: str, better: str) -> dict[str, Reason]:
    """The reasons by kind; a course may have more moves than one."""
    lines = [_line(position, moves) for moves in (played, better)]
    found = list(reasons(Comparison.of(position, *lines)))
    for reason in found:
        assert reason.weight > 0
        for language in LANGUAGES:
            [told] = tell_reasons([reason], position.game, ["Anna", "Paul", "Eva"], language)
            assert "{" not in told
    return {reason.kind: reason for reason in found}


def _line(position: tw.Position, moves: str) -> Sequence[tw.Move]:
    now, line = position.without_dealer(), []
    for move in moves.split():
        line.append(now.push(move))
    return line


# Lines ----------------------------------------------------------------------------------------------------


def test_filling_a_line():
    position = table(tw.Azul(), RICH, factories=OFFER)
    found = why(position, "5k3", "2r2")
    assert found["fills_line"].fields == {"line": 2, "n": 1}
    assert "fills_line" not in why(position, "2r2", "5k3")
    assert "fills_line" not in why(position, "2r2", "4w3"), "both fill a line for one point"


def test_several_tiles_at_once():
    position = table(tw.Azul(), RICH, RICH, factories=OFFER)
    assert why(position, "1b3", "4w4")["tiles_at_once"].fields == {"n": 3, "other": 1}
    assert why(position, "1bf", "4w4")["tiles_at_once"].fields == {"n": 3, "other": 0}
    assert "tiles_at_once" not in why(position, "4w4", "1b3")
    assert "tiles_at_once" not in why(position, "1b3", "4w1"), "two of the three fall"


def test_filling_a_line_that_brings_more():
    board = Board(wall={2: "w.y..", 1: "b...."}, score=20)
    position = table(tw.Azul(), board, factories=["bbrr", "kkkk"])
    found = why(position, "1r2", "1b2")
    assert found["fills_line_for_more"].fields == {"line": 2, "n": 3, "other": 2}
    assert found["fills_line_for_more"].weight == 1
    assert "fills_line_for_more" not in why(position, "1b2", "1r2")


def test_a_line_that_cannot_be_filled_this_round():
    position = table(tw.Azul(), RICH, factories=OFFER)
    some = why(position, "1b5", "4w3")["stuck"]
    assert {name: some.fields[name] for name in ("line", "n", "left")} == {"line": 5, "n": 4, "left": 2}
    none = why(position, "5k3", "4w3")["stuck_none"]
    assert none.fields["n"] == 1
    enough = why(position, "2y3", "4w3")
    assert not {"stuck", "stuck_none"} & set(enough), "two more yellow tiles are on offer"
    assert not {"stuck", "stuck_none"} & set(why(position, "5k3", "1b5")), "the better move is stuck too"


def test_jokers_may_fill_a_stuck_line():
    position = table(tw.Azul(jokers=True), RICH, factories=["kkyy", "jbbb"])
    assert "stuck_none" not in why(position, "1k3", "2b3")


# The wall -------------------------------------------------------------------------------------------------


def test_columns():
    board = Board(lines={4: "rrr"}, wall={1: "b....", 2: "w....", 3: "k...."}, score=20)
    position = table(tw.Azul(), board, factories=["ryyb", "kkkk"])
    assert why(position, "1y2", "1r4")["column"].fields == {"column": 1, "n": 1}
    assert "column" not in why(position, "1r4", "1y2")
    full = Board(lines={5: "yyyy"}, wall={1: "b....", 2: "w....", 3: "k....", 4: "r...."}, score=20)
    position = table(tw.Azul(), full, factories=["yrrb", "kkkk"])
    assert why(position, "1r3", "1y5")["column_full"].fields["column"] == 1


def test_colours():
    board = Board(lines={5: "bbbb"}, wall=MIXED, score=20)
    position = table(tw.Azul(), board, factories=["bryw", "kkkk"])
    found = why(position, "1r1", "1b5")
    assert found["colour_full"].weight == 10
    assert "colour_full" not in why(position, "1b5", "1r1")
    three = Board(lines={4: "bbb"}, wall={1: "b....", 2: ".b..."}, score=20)
    position = table(tw.Azul(), three, factories=["bryw", "kkkk"])
    assert why(position, "1r1", "1b4")["colour"].fields["n"] == 2


def test_progress_is_no_reason_when_the_game_ends_with_this_round():
    board = Board(lines={1: "w", 4: "bbb"}, wall={1: "byrk.", 2: ".b...", 3: "..b.."}, score=20)
    position = table(tw.Azul(), board, Board(score=30), centre="br", marker=1)
    found = why(position, "cr2 cb2", "cb4 cr2")
    assert "colour" not in found
    assert "column" not in found


def test_cells_of_the_grey_wall():
    board = Board(lines={2: "bb"}, wall={1: "y....", 3: "r...."}, score=20)
    position = table(tw.Azul(wall="grey"), board, phase="tile", marker=1)
    assert why(position, "w25", "w21")["cell_points"].fields == {"n": 3, "other": 1}
    assert "cell_points" not in why(position, "w21", "w25")


def test_a_column_of_the_grey_wall_counts_only_tiles_that_are_there():
    board = Board(lines={4: "rrr", 5: "kkkkk"}, wall={1: "b....", 2: "w....", 3: "k...."}, score=20)
    drafting = table(tw.Azul(wall="grey"), board, factories=["ryyb", "kkkk"])
    assert "column" not in why(drafting, "1y2", "1r4"), "another cell may be chosen"
    full = Board(lines={4: "rrrr"}, wall={1: "b....", 2: "w....", 3: "k...."}, score=20)
    choosing = table(tw.Azul(wall="grey"), full, phase="tile", marker=1)
    assert why(choosing, "w45", "w41")["column"].fields == {"column": 1, "n": 1}


def test_a_line_that_finds_no_cell_on_the_grey_wall():
    rows = {1: "b....", 2: ".b...", 4: "..b..", 5: "...b.", 3: "....y"}
    position = table(tw.Azul(wall="grey"), Board(lines={3: "bb"}, wall=rows, score=20), factories=["bryw", "kkkk"])
    assert why(position, "1b3", "1r1")["line_falls"].fields == {"line": 3, "n": 3}
    assert "line_falls" not in why(position, "1r1", "1b3")


# The floor line and the marker ------------------------------------------------------------------------------


def test_dropping_tiles():
    position = table(tw.Azul(), RICH, factories=OFFER)
    found = why(position, "4w1", "4w3")
    assert found["drops"].fields == {"n": 2, "cost": 2}
    assert "drops" not in why(position, "4w3", "4w1")
    assert why(position, "4wf", "4w2")["drops_more"].fields == {"n": 3, "cost": 4, "other": 1}


def test_a_score_of_nothing_cannot_pay_for_the_floor_line():
    position = table(tw.Azul(), factories=OFFER)
    assert "drops" not in why(position, "4w1", "4w3")


def test_the_floor_line_by_the_end_of_the_round():
    position = table(tw.Azul(), RICH, Board(lines={2: "b"}, score=20), centre="rrrbb", marker=2)
    found = why(position, "cr3 cb2", "cb3 crf")
    assert found["floor_of_other"].fields == {"seat": 1, "n": 6, "other": 2}
    assert "floor_of_other" not in why(position, "cb3 crf", "cr3 cb2")


def test_the_own_floor_line_later_in_the_round():
    position = table(tw.Azul(), RICH, Board(score=20), factories=["kkkk"], centre="rrb", marker=2)
    found = why(position, "cb1 cr3 1kf", "1k4 cr3 cb1")
    assert found["floor_clean"].fields == {"seat": 0, "n": 6}
    assert "floor_clean" not in why(position, "1k4 cr3 cb1", "cb1 cr3 1kf")
    assert "floor_clean" not in why(position, "cb1", "1k4"), "how the round will end is unknown"
    found = why(position, "cb1 cr3 1kf", "1k2 cr3 cb1")
    assert found["floor_later"].fields == {"seat": 0, "n": 2, "other": 6}


def test_a_cheaper_floor_line_is_no_reason_if_the_wall_brings_less():
    played, better = "cy5 cb1 crf", "cr3 cy1 cb1"
    poor, rich = ({}, {3: "k....", 4: "r....", 5: ".rkw."})
    told, offset = (
        why(table(tw.Azul(), Board({5: "yyyy"}, wall, score=30), RICH, centre="yrrrb", marker=2), played, better)
        for wall in (poor, rich)
    )
    assert told["floor_clean"].fields == {"seat": 0, "n": 4}
    assert "floor_clean" not in offset, "without the yellow tile the wall brings 7 points less"


def test_taking_the_marker():
    position = table(tw.Azul(), RICH, Board(score=20), factories=["kkkk"], centre="rr")
    assert "marker" in why(position, "1k4 cr2", "cr2 1k4")
    assert "marker" not in why(position, "cr2 1k4", "1k4 cr2")
    assert "marker" not in why(position, "1k4", "cr2"), "the other may still get it"


def test_the_price_of_the_marker():
    position = table(tw.Azul(), Board(floor="bb", score=20), factories=["kkkk", "yyyy"], centre="rr")
    assert why(position, "cr2", "1k4")["marker_cost"].fields == {"n": 2}
    assert "marker_cost" not in why(position, "1k4", "cr2")
    cheap = table(tw.Azul(), RICH, factories=["kkkk", "yyyy"], centre="rr")
    assert "marker_cost" not in why(cheap, "cr2", "1k4")


def test_in_the_last_round_the_marker_is_of_no_use():
    board = Board(lines={1: "w"}, wall={1: "byrk."}, score=20)
    position = table(tw.Azul(), board, Board(score=10), factories=["kk"], centre="rr")
    found = why(position, "cr2 1k2", "1k2 cr2")
    assert found["marker_useless"].fields == {"n": 1}
    assert "marker_useless" not in why(position, "1k2 cr2", "cr2 1k2")


# The next player, and the end -------------------------------------------------------------------------------


def test_what_is_left_for_the_next_player():
    needs = Board(lines={4: "www"}, wall={4: "rk.by", 3: "..b..", 5: "..k.."}, score=20)
    position = table(tw.Azul(), RICH, needs, factories=["wkkk", "yyyy"])
    found = why(position, "2y4", "1w1")
    assert found["leaves"].fields["seat"] == 1
    assert found["leaves"].fields["line"] == 4
    assert found["leaves"].fields["tiles"] == 1
    assert found["leaves"].fields["n"] == 8
    assert "leaves" not in why(position, "1w1", "2y4")
    harmless = table(tw.Azul(), RICH, Board(score=20), factories=["wkkk", "yyyy"])
    assert "leaves" not in why(harmless, "2y4", "1w1")


def test_jokers_that_are_left_for_the_next_player_are_called_so():
    needs = Board(lines={4: "ww"}, wall={4: "rk.by", 3: "..b..", 5: "..k.."}, score=20)
    position = table(tw.Azul(jokers=True), RICH, needs, factories=["wjkk", "yyyy"])
    found = why(position, "2y4", "1wj2:1")
    assert "leaves" not in found
    fields = found["leaves_jokers"].fields
    assert (fields["tiles"], fields["jokers"], fields["line"]) == (1, 1, 4)
    [told] = tell_reasons([found["leaves_jokers"]], position.game, ["Anna", "Paul"])
    assert told.startswith("The move played leaves 1 × white and 1 × joker, with which Paul can fill line 4")


def test_ending_the_game_while_behind():
    board = Board(wall={1: "byrk."}, score=20)
    position = table(tw.Azul(), board, Board(score=40), factories=["wwkk"], marker=1)
    found = why(position, "1w1 ckf", "1k2 cwf")
    assert found["ends_game"].fields == {"row": 1, "seat": 1}
    assert "ends_game" not in why(position, "1k2 cwf", "1w1 ckf")
    ahead = table(tw.Azul(), Board(wall={1: "byrk."}, score=60), Board(score=40), factories=["wwkk"], marker=1)
    assert "ends_game" not in why(ahead, "1w1 ckf", "1k2 cwf")
    assert why(ahead, "1k2 cwf", "1w1 ckf")["wins_now"].fields == {"row": 1}


@pytest.mark.parametrize("game", [tw.AzulMini(), tw.AzulMini(wall="grey"), tw.Azul(players=3)])
def test_variants_have_the_same_reasons(game: tw.Game):
    position = table(game, RICH, factories=OFFER)
    assert "fills_line" in why(position, "5k3", "2r2")
    assert "drops" in why(position, "4w1", "4w3")
