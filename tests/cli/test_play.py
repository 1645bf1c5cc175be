"""Whole games in the terminal, through a pipe: what a person types and what they are told."""

from __future__ import annotations

import re

import pytest

import tilewright as tw
from cli.player import Player, options_of
from rule_sets import IDS, RULE_SETS
from tilewright.view.text_drawing import draw_text


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_a_whole_game_against_random_bots(game: tw.Game, player: Player):
    bots = ["--seat", "random"] * (game.players - 1)
    story = player.play(*options_of(game), "--seat", "Anna", *bots, "--seed", "5", typing=["1"] * 2000)
    assert "Game over" in story
    assert "Anna, your move" in story
    assert "random bot takes" in story
    assert story.rstrip().splitlines()[-1].startswith("total")


@pytest.mark.parametrize("name", list(tw.GAMES))
def test_a_whole_game_of_one_person_against_the_default_bot(name: str, player: Player):
    story = player.play(name, "--seed", "5", typing=["1"] * 400)
    assert "Game over: level3 bot wins" in story
    rounds = [int(number) for number in re.findall(r"After round (\d+)", story)]
    assert rounds == list(range(1, len(rounds) + 1))


def test_bots_alone(player: Player):
    story = player.play("azul", "--seat", "random", "--seat", "random", "--seed", "1", typing=[])
    assert "random bot 2 takes" in story
    assert "Game over" in story


def test_questions_with_enter_for_everything(player: Player):
    story = player.play(typing=["", "", "", "", "", "", "quit"])
    assert "Azul, round 1" in story
    assert "Player 1, your move" in story
    assert "level3 bot" in story


def test_questions_with_answers(player: Player):
    story = player.play(typing=["chess", "summer", "7", "3", "grey", "Anna", "serach", "random", "Paul", "quit"])
    assert "'chess' is not one of the choices." in story
    assert "too much like 'search'" in story
    assert "Summer Pavilion, grey side, round 1 of 6" in story
    assert "random bot" in story
    assert "Paul" in story


def test_leaving_before_the_beginning(player: Player):
    assert "No game was started." in player.play(typing=["azul"])


def test_spellings_of_a_move(player: Player):
    for spelling in ("3b2", "3 B 2", "factory 3 blue line 2", "3 blue 2"):
        story = player.play("azul", "--seed", "7", typing=[spelling])
        assert "Player 1 takes 2 × blue from factory 3 for line 2, now full  (3b2)" in story


def test_mistakes_lose_nothing(player: Player):
    story = player.play("azul", "--seed", "7", typing=["3k1", "nonsense", "999", "0", "", "3b2"])
    assert "there is no black tile in factory 3" in story
    assert "'nonsense' is not a move of Azul" in story
    assert story.count("the moves are numbered from 1 to 84") == 2
    assert "There are 84 legal moves" in story
    assert "(3b2)" in story


def test_numbers_that_are_none(player: Player):
    typed = ["²", "٣", "9" * 5000, "-1", "1" * 5000 + "b2", "²b²", "c" * 5000, "moves ²", "moves (", "3b2"]
    story = player.play("azul", "--seed", "7", typing=typed)
    assert story.count("the moves are numbered from 1 to 84") == 3
    assert "(3b2)" in story
    assert "'²' is not one of the choices" in player.play("--terminal", typing=["²", "9" * 5000, "٣", "1"])


def test_the_list_of_moves(player: Player):
    position = tw.Azul(players=2).start(seed=7)
    story = player.play("azul", "--seed", "7", typing=["moves", "moves 3", "moves red", "moves w", "moves plum", "38"])
    every, third, red, white, none, after = re.split(r"your move \(\? for help\): ", story)[1:7]
    assert re.findall(r"^ +1 1bf", every, re.M)
    assert all(f" {move}" in every for move in position.legal_moves)
    assert set(re.findall(r"\d+ (\d)[a-z]\w ", third)) == {"3"}
    assert "2 × red from factory 2" in red
    assert "blue" not in red
    assert "3 × white from factory 4" in white
    assert "No legal move matches 'plum'" in none
    assert f"({list(position.legal_moves)[37]})" in after


@pytest.mark.parametrize("word", ["q", "quit", "Q", "exit"])
def test_a_word_leaves_the_game_and_the_questions(word: str, player: Player):
    assert "Left without saving." in player.play("azul", "--seed", "7", typing=[word, "1"])
    assert "No game was started." in player.play(typing=[word, "1"])


def test_a_hint_is_a_legal_move(player: Player):
    story = player.play("summer-pavilion", "--seed", "7", typing=["hint", "table", "?"])
    position = tw.SummerPavilion(players=2).start(seed=7)
    hint = re.search(r"The search would play (\w+):", story)
    assert hint is not None
    assert hint[1] in position.legal_moves
    assert story.count(draw_text(position, ["Player 1", "level3 bot"])) == 2
    assert "full stars   red 14" in story


def test_a_narrow_terminal_stacks_the_boards(player: Player, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "60")
    typing = ["1"] * 400
    story = player.play("azul", "--seat", "Anna", "--seat", "random", "--seed", "5", typing=["moves", *typing])
    start = draw_text(tw.Azul(players=2).start(seed=5), ["Anna", "random bot"], width=60)
    assert start in story
    assert max(len(line) for line in start.splitlines()) <= 60
    listed = story.partition("moves\n")[2].partition("'moves 3'")[0]
    assert max(len(line) for line in listed.splitlines()) <= 60
