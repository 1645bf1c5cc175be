"""Moves, rounds and results in words."""

from __future__ import annotations

from random import Random

import pytest

import tilewright as tw
from rule_sets import IDS, RULE_SETS, STYLES, choose
from tilewright.view import words


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_every_legal_move_has_a_description_of_its_own(game: tw.Game):
    for style in STYLES:
        chooser = Random(f"{game!r} {style}")
        position = game.start(seed=chooser.randrange(1000))
        moves = 0
        while not position.is_over:
            if moves % 7 == 0 or position.phase in ("tile", "bonus"):
                before = position.to_text()
                told = [words.tell_move(position, move) for move in position.legal_moves]
                assert len({one.sentence for one in told}) == len(told)
                assert len({(one.heading, one.detail) for one in told}) == len(told)
                assert all(one.sentence and one.heading and one.detail for one in told)
                assert position.to_text() == before
            position.push(choose(position, chooser, style))
            moves += 1


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_rounds_account_for_every_point(game: tw.Game):
    names = words.player_names(game, None)
    chooser = Random(5)
    position = game.start(seed=5)
    start = position.copy()
    while not position.is_over:
        round_before = position.round
        position.push(choose(position, chooser, "eager"))
        if position.round != round_before or position.is_over:
            for seat, line in enumerate(words.describe_round(start, position, names)):
                numbers = [int(word) for word in line.split() if word[0] in "+-" and word != "->"]
                assert sum(numbers) == position.scores[seat] - start.scores[seat], line
            start = position.copy()


def azul(text: str, **options: object) -> tw.Position:
    position = tw.make_game("azul", 2, **options).set_up()
    position.draw(text)
    return position


def test_azul_in_words():
    position = azul("bbyr kkww yyrr bkwy rbkw")

    def told(text: str) -> str:
        return words.describe_move(position, position.move(text))

    assert told("1b2") == "2 blue from factory 1 to line 2, now full"
    assert told("1b1") == "2 blue from factory 1 to line 1, now full; 1 falls on the floor"
    assert told("4kf") == "1 black from factory 4 to the floor line"
    position.push("1b2")
    assert told("cy3") == "1 yellow from the centre with the starting marker to line 3"


def test_azul_with_jokers_in_words():
    position = azul("bbjj kkww yyrr bkwy rbkw", jokers=True)

    def told(text: str) -> str:
        return words.describe_move(position, position.move(text))

    assert told("1j1") == "2 jokers from factory 1 to line 1, now full; 1 joker falls on the floor"
    assert told("1bj3:1") == "2 blue and 2 jokers from factory 1 to line 3, now full; 1 joker falls on the floor"
    assert told("1bj3:2") == "2 blue and 2 jokers from factory 1 to line 3, now full; 1 blue falls on the floor"


def test_a_cell_of_the_grey_wall_in_words():
    position = azul("bbbb bbbb bbbb rrrr rrrr", wall="grey")
    for move in ("1b4", "2bf", "3bf", "4r4", "5rf"):
        position.push(move)
    told = words.describe_move(position, position.move("w42"))
    assert told == "blue of line 4 to the wall, column 2, 1 point"


def test_summer_pavilion_in_words():
    position = tw.SummerPavilion(players=2).set_up()
    position.draw("pgoybrpgoy")
    position.draw("prrr pppp ggoo bbyy yyrg")

    def told(text: str) -> str:
        return words.describe_move(position, position.move(text))

    assert told("1r") == "3 red and 1 joker (purple) from factory 1"
    assert told("2p") == "1 joker (purple) from factory 2"
    for move in ("1r", "2p", "3g"):
        position.push(move)
    assert told("cp" if "cp" in position.legal_moves else "co").endswith("with the starting marker for -3 points")
    for move in ("co", "4b", "cy", "5y", "cr", "cg", "cp", "cp"):
        if move in position.legal_moves:
            position.push(move)
    while position.phase == "draft":
        position.push(next(iter(position.legal_moves)))
    if position.turn == 1:
        position.push("pass")
        position.push("keep none")
    assert told("r4+1") == "red tile on space 4 of the red star, 1 point, paid with 3 red and 1 joker (purple)"
    assert told("pass").startswith("pass with ")
    position.push("pass")
    assert told("keep rr").startswith("keep 2 red, ")
    assert told("keep none").startswith("keep nothing, ")


def test_results_in_words():
    outcome = tw.Outcome((0, 2), (30, 12, 30), ({}, {}, {}))
    assert words.result(outcome, ["Anna", "Paul", "Eva"]) == "Anna and Eva share the win 30-12-30"
