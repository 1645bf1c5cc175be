"""The terminal in English, French and Italian."""

from __future__ import annotations

import io
import re

import pytest

import tilewright as tw
from cli.player import Player
from nim import Nim
from rule_sets import IDS, RULE_SETS
from tilewright.cli.helping import help_text
from tilewright.cli.seats import Seat
from tilewright.cli.session import Session
from tilewright.cli.terminal import Terminal


@pytest.mark.parametrize(
    ("language", "told"),
    [
        (
            "fr",
            "'3k1' n’est pas possible maintenant\N{NO-BREAK SPACE}: il n’y a pas de tuile de ce type (noir)",
        ),
        ("it", "'3 black 1' non è possibile adesso: nel vassoio 3 non ci sono piastrelle di questo tipo (nero)."),
    ],
)
def test_the_reason_of_the_rules_is_given_in_every_language(language: str, told: str, player: Player):
    assert told in player.play("azul", "--language", language, "--seed", "7", typing=["3k1", "3 black 1"])


TURNS = {"en": "your move", "fr": "à vous de jouer", "it": "tocca a te"}
ENGLISH = ("Factories", "Bag", "Lid", "Tower", "floor", "Player", "your move", "takes", "tiles", "legal", "Saved")


@pytest.mark.parametrize("language", TURNS)
@pytest.mark.parametrize("name", list(tw.GAMES))
def test_the_terminal_speaks_every_language(name: str, language: str, player: Player):
    typing = ["?", "moves", "moves 1", "zzz", "999", "", "hint", "undo", "1", "1", "undo", "save", "quit"]
    story = player.play(name, "--language", language, "--seed", "7", "--seat", "me", "--seat", "random", typing=typing)
    assert TURNS[language] in story
    found = [word for word in ENGLISH if word in story]
    assert len(found) > 5 if language == "en" else found == []


@pytest.mark.parametrize("language", TURNS)
@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_the_help_fits_into_a_terminal(game: tw.Game, language: str):
    position = game.start(seed=7)
    while not position.is_over:
        told = help_text(position, language)
        assert max(len(line) for line in told.splitlines()) <= 80
        assert "q, quit" in told
        for _ in range(12):
            if not position.is_over:
                position.push(next(iter(position.legal_moves)))


def test_the_help_names_only_tiles_of_the_rule_set():
    assert "joker" not in help_text(tw.Azul(players=2).start(seed=7), "en").lower()
    assert "joker" in help_text(tw.Azul(players=2, jokers=True).start(seed=7), "en").lower()


def test_the_questions_are_asked_in_the_language(player: Player):
    story = player.play("--language", "fr", typing=["1", "2", "gris", "o", "Anna", "random", "q"])
    assert "Quel jeu\N{NO-BREAK SPACE}?  1 Azul" in story
    assert "Jokers\N{NO-BREAK SPACE}? [o/N]" in story
    assert "Azul, mur gris, tuiles Joker, manche 1" in story
    assert "Anna, à vous de jouer" in story


def test_the_language_of_the_environment(player: Player, monkeypatch: pytest.MonkeyPatch):
    for locale, told in (("it_IT.UTF-8", "tocca a te"), ("de_DE.UTF-8", "your move"), ("C", "your move")):
        monkeypatch.setenv("LC_ALL", locale)
        assert told in player.play("azul", "--seed", "7", typing=["q"])
    monkeypatch.delenv("LC_ALL")
    monkeypatch.setenv("LANG", "fr_CH.UTF-8")
    assert "à vous de jouer" in player.play("azul", "--seed", "7", typing=["q"])


HINTS = {
    "en": "The search would play take ",
    "fr": "L’ordinateur jouerait take ",
    "it": "Il computer giocherebbe take ",
}


@pytest.mark.parametrize("language", HINTS)
def test_a_game_without_wording_names_a_move_once(
    language: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr("sys.stdin", io.StringIO("moves\nhint\ntake 3\n"))
    session = Session(Nim().start(), [Seat("Anna"), Seat("Paul")], Terminal(colour=False, language=language))
    assert session.play()
    story = capsys.readouterr().out
    assert re.search(r"^ +1 take 1   ", story, re.M)
    assert "take 1 take 1" not in story
    assert re.search(rf"{HINTS[language]}\d$", story, re.M)
    assert re.search(r"^.*Anna \w+ take 3$", story, re.M)
