"""Texts that look like positions, but from which play would go wrong: each is refused with a reason.

``properties/test_mutated_positions.py`` looks for more of them.
"""

from __future__ import annotations

import pytest

import tilewright as tw
from mutants import edited

MOMENT, TABLE, FIRST, SECOND = range(4)
"""The sections of a text after its heading: the moment, the table, players 1 and 2."""
JOKERS = tw.Azul(2, jokers=True)
GREY = tw.Azul(2, wall="grey", jokers=True)
PAVILION = tw.SummerPavilion(2)
EMPTY_FACTORIES = [(TABLE, f"{name}=-") for name in ("centre", "1", "2", "3", "4", "5")]
TILING = [(MOMENT, "phase=tile"), (MOMENT, "tiled=yes"), *EMPTY_FACTORIES]
ENDED = [(MOMENT, "phase=over"), *EMPTY_FACTORIES]
LAST_ROUND = [(MOMENT, "round=6"), (MOMENT, "stage=place"), *EMPTY_FACTORIES]
FULL_ROW = (FIRST, "wall=...../...../...../...../yrkwb")
THREE_TILES_AND_ONE = "board=pp.p../.g..../....../....../....../....../......"
ONE_TILE_EACH = (FIRST, "wall=b..../...../...../...../.....")


def read(game: tw.Game, *changes: tuple[int, str]) -> tw.Position:
    """The text of a first deal with some words changed."""
    return game.position(edited(game, game.start(seed=7).to_text(), *changes))


def refuse(game: tw.Game, complaint: str, *changes: tuple[int, str]) -> None:
    """Check that the text is refused for this reason."""
    with pytest.raises(tw.BadPosition, match=f"impossible position: {complaint}"):
        read(game, *changes)


# -------------------------------------------------------------------------------------------------- Azul


@pytest.mark.parametrize("game", [JOKERS, GREY], ids=["coloured", "grey"])
@pytest.mark.parametrize("line", ["j", "jjjj", "jjjjj"])
def test_a_line_of_jokers_beside_a_full_row_would_lose_its_tiles(game: tw.Azul, line: str):
    complaint = "line 5 of player 1 holds tiles, but its wall row is full and has no cell for one"
    refuse(game, complaint, *TILING, (FIRST, f"lines=-,-,-,-,{line}"), FULL_ROW, (SECOND, "lines=-,-,-,-,-"))


def test_a_mixed_line_beside_a_full_row_of_the_grey_wall_would_turn_jokers_into_colours():
    full = (FIRST, "wall=...../...../...../...../yrkwj")
    refuse(GREY, "line 5 of player 1 holds tiles", *TILING, (FIRST, "lines=-,-,-,-,bbbjj"), full)


def test_a_full_row_was_filled_in_this_round():
    changes = [*TILING, (MOMENT, "tiled=no"), FULL_ROW, (FIRST, "lines=j,-,-,-,-")]
    refuse(JOKERS, "a row of a wall is full, so a tile was put on a wall in this round", *changes)


@pytest.mark.parametrize(("barren", "most"), [(0, 1), (1, 2), (2, 3)])
def test_the_walls_limit_the_number_of_rounds(barren: int, most: int):
    assert read(JOKERS, (MOMENT, f"barren={barren}"), (MOMENT, f"round={most}")).round == most
    complaint = f"with 0 tiles on the walls this is at most round {most}, not {most + 1}, as three barren rounds"
    refuse(JOKERS, complaint, (MOMENT, f"barren={barren}"), (MOMENT, f"round={most + 1}"))
    refuse(JOKERS, "with 1 tiles on the walls this is at most round 4, not 9999", (MOMENT, "round=9999"), ONE_TILE_EACH)


def test_a_score_leaves_room_for_what_the_wall_can_still_bring():
    full = "wall=" + "/".join(("byrk.", "wbyr.", "kwby.", "rkwb.", "yrkw."))
    for score, tiles in ((100, "wall=...../...../...../...../....."), (101, ONE_TILE_EACH[1]), (206, full)):
        changes = [(FIRST, f"score={score}"), (FIRST, tiles)]
        assert read(JOKERS, *changes, (FIRST, f"wall-points={score}")).scores == (score, 0)
        refuse(JOKERS, f"player 1 has {score + 1} points from a wall of", *changes, (FIRST, f"wall-points={score + 1}"))


def test_the_centre_holds_what_emptied_factories_left():
    assert read(JOKERS, (TABLE, "1=-"), (TABLE, "centre=bbb")).phase == "draft"
    complaint = "the centre has 4 tiles, but 1 empty factories left at most 3 there"
    refuse(JOKERS, complaint, (TABLE, "1=-"), (TABLE, "centre=bbbb"))
    complaint = "the centre has 40 tiles, but 5 empty factories left at most 15 there"
    refuse(JOKERS, complaint, *EMPTY_FACTORIES, (TABLE, "centre=" + "byrkw" * 8))
    refuse(PAVILION, "the centre has 1 tiles, but 0 empty factories", (TABLE, "centre=b"))


def test_a_game_of_azul_is_over_for_a_reason():
    won = [*ENDED, FULL_ROW, (FIRST, "score=2")]
    assert read(JOKERS, *won).outcome().scores == (2, 0)
    refuse(JOKERS, "the game is not over: no row of a wall is full", *ENDED, ONE_TILE_EACH)
    refuse(JOKERS, "a row was filled in the last round", *won, (MOMENT, "barren=1"))
    refuse(JOKERS, "tiled=yes belongs to the phase tile", *won, (MOMENT, "tiled=yes"))
    refuse(JOKERS, "a full pattern line was not emptied", *won, (SECOND, "lines=j,-,-,-,-"))


def test_the_score_of_a_finished_game_of_azul_follows_from_the_wall():
    won = [*ENDED, FULL_ROW, (FIRST, "wall-points=15")]
    for score in (2, 17):
        assert sum(read(JOKERS, *won, (FIRST, f"score={score}")).outcome().points[0].values()) == score
    refuse(JOKERS, "player 1 has 1 points, but the bonuses alone make 2", *won, (FIRST, "score=1"))
    refuse(JOKERS, "player 1 has 18 points, 1 more than wall and bonuses have brought", *won, (FIRST, "score=18"))


# --------------------------------------------------------------------------------------- Summer Pavilion


def test_no_tile_is_drawn_after_all_have_passed_in_the_last_round():
    changes = [*LAST_ROUND, (MOMENT, "phase=supply"), (TABLE, "supply=pppp")]
    complaint = "the game is over when all have passed in round 6, and only then"
    refuse(PAVILION, complaint, *changes, (MOMENT, "passed=1,2"))
    position = read(PAVILION, *changes, (MOMENT, "passed=2"))
    position.deal(seed=1)
    assert (position.round, position.phase, position.turn) == (6, "place", 0)


def test_nobody_has_anything_at_the_set_up():
    text = PAVILION.set_up().to_text()
    for change in ((FIRST, "hand=r"), (FIRST, "board=p...../....../....../....../....../....../......")):
        with pytest.raises(tw.BadPosition, match="at the set-up no player has taken anything yet"):
            PAVILION.position(edited(PAVILION, text, change))
    with pytest.raises(tw.BadPosition, match="at the set-up no player has taken anything yet"):
        PAVILION.position(edited(PAVILION, text, (MOMENT, "marker=2")))


def test_a_game_of_summer_pavilion_that_is_over_has_empty_hands_and_a_score_that_adds_up():
    over = [*LAST_ROUND, (MOMENT, "phase=over"), (MOMENT, "passed=1,2")]
    for score in (1, 5):
        assert read(PAVILION, *over, (FIRST, f"score={score}")).outcome().scores == (score, 5)
    complaint = "the score of player 1 is 6, but its parts make 5, less up to 4 for tiles left in corners"
    refuse(PAVILION, complaint, *over, (FIRST, "score=6"))
    refuse(PAVILION, "the tiles kept in corners are discarded when the game is over", *over, (SECOND, "hand=r"))
    refuse(PAVILION, "the game is over when all have passed in round 6", *over, (MOMENT, "passed=1"))
    refuse(PAVILION, "nobody passes|the game is over when all have passed", *over, (MOMENT, "stage=draft"))


def test_a_score_leaves_room_for_what_the_board_can_still_bring():
    for points, board in ((100, "board=....../....../....../....../....../....../......"), (107, THREE_TILES_AND_ONE)):
        changes = [(FIRST, f"placing={points}"), (FIRST, f"score={5 + points}"), (FIRST, board)]
        assert read(PAVILION, *changes).scores == (5 + points, 5)
        changes = [(FIRST, f"placing={points + 1}"), (FIRST, f"score={6 + points}"), (FIRST, board)]
        refuse(PAVILION, f"player 1 has {points + 1} points from . placed tiles, more than {points}", *changes)


@pytest.mark.parametrize("game", [JOKERS, PAVILION], ids=["azul", "summer-pavilion"])
def test_nobody_has_the_marker_before_a_factory_was_emptied(game: tw.Game):
    refuse(game, "the marker is taken from the centre, and no factory has been emptied into it", (MOMENT, "marker=2"))
    assert read(game, (MOMENT, "marker=2"), (TABLE, "1=-")).phase == "draft"


@pytest.mark.parametrize("tiles", ["99y99b", "127b", "20b20y20r20k20w"])
def test_more_tiles_than_the_factories_hold_are_refused(tiles: str):
    start = tw.Azul(2).set_up().to_text()
    for text in (start.replace(" 1=-", f" 1={tiles}"), start.replace(" 1=- 2=-", f" 1={tiles} 2={tiles}")):
        with pytest.raises(tw.BadPosition, match="impossible position: there are"):
            tw.Azul(2).position(text)
        everything = text.replace("bag=20b20y20r20k20w", "bag=-")
        with pytest.raises(tw.BadPosition, match=r"impossible position: (there are|factory 1 has 100 tiles)"):
            tw.Azul(2).position(everything)
