"""Mistakes found in other implementations of Azul, each of which must not happen here."""

from __future__ import annotations

import numpy as np
import pytest
from positions import Board, bag, floor, legal, lid, line, marker_holder, play, table

import tilewright as tw
from tilewright.games.azul import rules


def test_a_score_in_8_bits():
    """125 plus bonuses became -36 there: here the fields for scores are wide enough for every game."""
    wall = {1: "byrk.", 2: "wbyr.", 3: "kwby.", 4: "rkwb.", 5: "yrkw."}
    board = Board({1: "w", 2: "kk", 3: "rrr", 4: "yyyy", 5: "bbbbb"}, wall, score=125)
    position = table(tw.Azul(), board, factories=["k"], turn=2)
    play(position, "1kf")
    from_the_last_column = 5 + 7 + 8 + 9 + 10
    assert position.scores == (125 + from_the_last_column + 10 + 35 + 50, 0)
    assert np.iinfo(rules.POSITION["score"].base).max >= 240
    assert np.iinfo(rules.POSITION["wall_points"].base).max >= 145


@pytest.mark.parametrize("across", [2, 3, 4, 5])
@pytest.mark.parametrize("down", [2, 3, 4, 5])
def test_a_tile_in_a_row_and_a_column_scored_one_too_few(across: int, down: int):
    """The new tile counts in both runs: the blue tile in the top left corner."""
    row = "." + "yrkw"[: across - 1].ljust(4, ".")
    column = {number: "wkry"[number - 2] + "...." for number in range(2, down + 1)}
    position = table(tw.Azul(), Board({1: "b"}, {1: row} | column), factories=["k"], turn=2)
    play(position, "1kf")
    assert position.state.wall_points[0] == across + down


def test_the_bag_reseeded_the_same_at_each_refill():
    """Each refill has the same tiles, but they never come in the same order, because the dealer continues."""
    game = tw.Azul()
    position = game.start(seed=11)
    deals = [str(position.events[-1])]
    for _ in range(40):  # the same table as at the first deal, except for the dealer
        position.states[:] = game.set_up().states
        deals.append(str(position.deal()))
    assert len(set(deals)) == len(deals)


def test_a_refill_in_a_long_game_brings_other_tiles():
    """In one game with one seed, the five deals before and after the lid was emptied all differ."""
    position = tw.Azul(4).start(seed=5)
    while not position.is_over:
        position.push(next(iter(position.legal_moves)))
    deals = [str(event) for event in position.events if isinstance(event, tw.Draw)]
    assert len(deals) >= 3  # 36 tiles each: the third needs the lid
    assert len(set(deals)) == len(deals)


@pytest.mark.parametrize("left", [1, 3, 4, 19])
def test_refilling_the_bag_before_it_is_empty(left: int):
    """If the bag has fewer tiles than a deal or a factory needs, those in the bag are drawn first."""
    position = table(tw.Azul(), phase="fill", bag="b" * left, rest="lid")
    for _ in range(left):
        assert position.chances() == {"blue": 1}
        position.draw("b")
    assert bag(position) == ""
    assert len(lid(position)) == 100 - left


def test_refilling_never_happens_early_in_whole_games():
    """In random games the lid only shrinks when it is emptied into an empty bag."""
    for seed in range(20):
        position = tw.Azul(3).start(seed=seed)
        chooser = np.random.default_rng(seed)
        while not position.is_over:
            position.push(int(chooser.choice(position.legal_moves.numbers())))
        replay = position.game.set_up()
        for event in position.events:
            for kind in event.kinds if isinstance(event, tw.Draw) else ():
                bag_before, lid_before = bag(replay), lid(replay)
                replay.draw(replay.game.tiles.letters[kind])
                assert lid(replay) == (lid_before if bag_before else "")
            if isinstance(event, tw.Move):
                replay.push(event)
        assert replay == position


def test_splitting_a_take_over_two_lines():
    """A move changes at most one pattern line."""
    start = table(tw.Azul(), Board({2: "b", 3: "b"}), factories=["bbbb"], centre="yyyrr")
    for move in start.legal_moves:
        position = start.copy()
        position.push(move)
        changed = [number for number in range(1, 6) if line(position, 1, number) != line(start, 1, number)]
        assert changed == ([] if move.text.endswith("f") else [int(move.text[-1])])


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        pytest.param(0, 0, id="no clamp at zero"),
        pytest.param(1, 0, id="a clamp before the gain would leave 3"),
        pytest.param(4, 1, id="exactly paid"),
        pytest.param(6, 3, id="enough points"),
    ],
)
def test_no_clamp_or_a_clamp_before_the_gain(score: int, expected: int):
    """Three points from the wall, six lost on the floor: max(0, score + 3 - 6)."""
    board = Board({1: "b"}, {1: ".yr.."}, floor="kkkk", score=score)
    position = table(tw.Azul(), board, factories=["k"], turn=2)
    play(position, "1kf")
    assert position.scores[0] == expected


def test_the_marker_counted_as_a_tile_at_the_end_of_the_round():
    """The last tiles are taken from factories, and only the marker is left in the centre: the round is over."""
    position = table(tw.Azul(), factories=["bbbb"])
    play(position, "1b4")
    assert position.phase == "fill"
    assert position.round == 2


def test_the_marker_alone_cannot_be_taken():
    position = table(tw.Azul(), factories=["bbbb"])
    assert legal(position, "c") == set()
    assert marker_holder(position) is None


def test_comparing_all_players_rows_on_a_tie():
    """The player with the most rows is not among the leaders: the leaders share the win."""
    rows = Board(score=20, wall={1: "byrkw", 2: "wbyrk", 3: "kwbyr"})
    position = table(tw.Azul(3), Board(score=30), rows, Board(score=30), phase="over")
    assert position.outcome().winners == (0, 2)


# ------------------------------------------------------------------------ A future that the search could see


def test_a_position_does_not_know_the_tiles_to_come():
    """The same moves and draws give the same bytes, whatever seed the next deal will use."""
    rows = []
    for seed in (1, 2):
        position = tw.Azul().set_up()
        position.draw("bbbb yyyy rrrr kkkk wwww")
        position = tw.Azul().position(position.to_text(), seed=seed)
        play(position, "1b4 2yf 3r3 4kf")
        rows.append(position.states.tobytes())
        play(position, "5wf")  # now the dealers draw, and the two tables differ
        rows.append(position.states.tobytes())
    assert rows[0] == rows[2]
    assert rows[1] != rows[3]


def test_a_copied_row_can_be_dealt_differently():
    """A search that copies the row and draws with a generator of its own sees its own deal, not the game's."""
    game = tw.Azul()
    position = game.set_up()
    deals = set()
    for seed in range(50):
        row = position.states.copy()
        drawn = np.zeros(64, dtype=np.int64)
        game.kernels.deal_at(row, 0, np.array([seed], dtype=np.uint64), drawn)
        deals.add(drawn[:20].tobytes())
    assert len(deals) == 50


def test_no_field_of_a_row_could_hold_a_generator():
    """The 64-bit fields of a row are heaps and masks; after a deal they only say where the tiles are."""
    dealt = tw.Azul().start(seed=9)
    typed = tw.Azul().set_up()
    typed.draw(str(dealt.events[0]))
    assert typed.states.tobytes() == dealt.states.tobytes()
    assert floor(typed, 1) == ""


def test_playing_a_move_draws_nothing():
    """Playing a move is deterministic: without a dealer the next round waits for its tiles."""
    position = table(tw.Azul(), factories=["b"])
    play(position, "1bf")
    assert position.awaits_draw
    assert [int(heap) for heap in position.state.places] == [0] * 10
