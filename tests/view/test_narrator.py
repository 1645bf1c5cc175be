"""Moves, rounds and results in words."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

import pytest

import tilewright as tw
from bare_game import BareGame
from rule_sets import IDS, RULE_SETS, STYLES, choose
from tilewright.game.moves import Draw
from tilewright.view import narrator
from tilewright.view.language import LANGUAGES


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_every_legal_move_has_a_description_of_its_own(game: tw.Game):
    for style in STYLES:
        chooser = Random(f"{game!r} {style}")
        position = game.start(seed=chooser.randrange(1000))
        moves = 0
        while not position.is_over:
            if moves % 7 == 0 or position.phase in ("tile", "bonus"):
                before = position.to_text()
                for language in LANGUAGES if moves % 21 == 0 else ["en"]:
                    told = [narrator.tell(position, move, language) for move in position.legal_moves]
                    assert len({one.sentence for one in told}) == len(told)
                    assert len({(one.heading, one.detail) for one in told}) == len(told)
                    assert all(one.sentence and one.heading and one.detail for one in told)
                assert position.to_text() == before
            position.push(choose(position, chooser, style))
            moves += 1


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_rounds_account_for_every_point(game: tw.Game):
    names = narrator.player_names(game, None)
    chooser = Random(5)
    position = game.start(seed=5)
    start = position.copy()
    while not position.is_over:
        round_before = position.round
        position.push(choose(position, chooser, "eager"))
        if position.round != round_before or position.is_over:
            for seat, line in enumerate(narrator.tell_round(start, position, names)):
                numbers = [int(number.replace("−", "-")) for number in re.findall(r": ([+−]\d+)", line)]
                assert sum(numbers) == position.scores[seat] - start.scores[seat], line
            start = position.copy()


ROUND_POINTS = {"en": "tiles on the wall: +1", "fr": "tuiles sur le mur\u202f: +1", "it": "piastrelle sulla parete: +1"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_points_of_a_round_do_not_read_as_numbers_of_tiles(language: str):
    start = tw.Azul(players=2).start(seed=7)
    position = start.copy()
    while position.round == 1:
        position.push(list(position.legal_moves)[-1])
    told = narrator.tell_round(start, position, ["Anna", "Paul"], language)
    assert ROUND_POINTS[language] in "\n".join(told), told


def azul(text: str, **options: object) -> tw.Position:
    position = tw.make_game("azul", 2, **options).set_up()
    position.draw(text)
    return position


VERBS = {"en": "take|put|place|pass|keep", "fr": "pren|pos|pass|gard|ne gard", "it": "pren|pos|pass|t[ie]|non t"}


@pytest.mark.parametrize("game", [tw.Azul(wall="grey"), tw.SummerPavilion()], ids=str)
@pytest.mark.parametrize("language", LANGUAGES)
def test_moves_are_told_as_advice_too(game: tw.Game, language: str):
    position, chooser, verbs = game.start(seed=3), Random(3), set()
    while not position.is_over:
        move = choose(position, chooser, STYLES[0])
        told = narrator.tell(position, move, language)
        assert re.match(rf"({VERBS[language]})\w* ", told.advice), told.advice
        assert told.advice.split()[-2:] == told.sentence.split()[-2:]
        verbs.add(told.advice.split()[0])
        position.push(move)
    assert len(verbs) > 1


def test_azul_in_words():
    position = azul("bbyr kkww yyrr bkwy rbkw")

    def told(text: str) -> str:
        return narrator.tell(position, position.move(text)).sentence

    assert told("1b2") == "takes 2 × blue from factory 1 for line 2, now full"
    assert told("1b1") == ("takes 2 × blue from factory 1 for line 1, now full; 1 × blue falls on the floor line")
    assert told("4kf") == "takes 1 × black from factory 4 for the floor line"
    position.push("1b2")
    assert told("cy3") == "takes 1 × yellow and the starting player marker from the centre for line 3"


def test_azul_with_jokers_in_words():
    position = azul("bbjj kkww yyrr bkwy rbkw", jokers=True)

    def told(text: str) -> str:
        return narrator.tell(position, position.move(text)).sentence

    assert told("1j1") == ("takes 2 × joker from factory 1 for line 1, now full; 1 × joker falls on the floor line")
    assert told("1bj3:1") == (
        "takes 2 × blue and 2 × joker from factory 1 for line 3, now full; 1 × joker falls on the floor line"
    )
    assert told("1bj3:2") == (
        "takes 2 × blue and 2 × joker from factory 1 for line 3, now full; 1 × blue falls on the floor line"
    )


TAKEN_WITH_THE_MARKER = {
    "en": "takes 1 × red, 2 × joker and the starting player marker from",
    "fr": "prend 1 × rouge, 2 × joker et le marqueur premier joueur",
    "it": "prende 1 × rosso, 2 × jolly e il segnalino primo giocatore",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_tiles_and_the_marker_are_one_list(language: str):
    position = azul("brjj kkww yyrr bkwy rbkw", jokers=True)
    position.push("1b1")
    assert narrator.tell(position, position.move("crj4"), language).sentence.startswith(TAKEN_WITH_THE_MARKER[language])


def test_a_cell_of_the_grey_wall_in_words():
    position = azul("bbbb bbbb bbbb rrrr rrrr", wall="grey")
    for move in ("1b4", "2bf", "3bf", "4r4", "5rf"):
        position.push(move)
    told = narrator.tell(position, position.move("w42")).sentence
    assert told == "puts the blue tile of line 4 on the wall, column 2, for 1 point"


@pytest.mark.parametrize("game", RULE_SETS[::3], ids=IDS[::3])
def test_why_a_move_is_illegal_is_told_in_every_language(game: tw.Game):
    chooser = Random(11)
    position = game.start(seed=11)
    told: dict[str, set[str]] = {language: set() for language in LANGUAGES}
    while not position.is_over:
        legal = set(position.legal_moves)
        for move in chooser.sample(game.moves, 20):
            if move not in legal:
                for language in LANGUAGES:
                    told[language].add(narrator.why_illegal(position, move, language))
        position.push(choose(position, chooser, "eager"))
    assert len(told["en"]) > 10
    assert not told["en"] & (told["fr"] | told["it"])
    english = "|".join(("tile", "player", "colour", "blue", "yellow", "green", "line [0-9]", "centre has"))
    for sentence in told["fr"] | told["it"]:
        assert not re.search(rf"\b({english})\b", sentence), sentence


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "it costs 6 orange; in hand: 2 × purple, 1 × green, 1 × orange, 2 × blue and 2 × red"),
        ("fr", "il faut payer 6 × orange ; en main : 2 × violet, 1 × vert, 1 × orange, 2 × bleu et 2 × rouge"),
        ("it", "costa 6 × arancione; in mano: 2 × viola, 1 × verde, 1 × arancione, 2 × blu e 2 × rosso"),
    ],
)
def test_tiles_in_hand_are_told_in_words(language: str, told: str):
    game = tw.SummerPavilion(players=2)
    position = game.start(seed=5)
    while position.phase != "place":
        position.push(next(iter(position.legal_moves)))
    assert narrator.why_illegal(position, game.move("o6"), language).replace("\N{NO-BREAK SPACE}", " ") == told


def test_a_game_that_gives_no_reasons_is_told_in_every_language():
    position = BareGame(players=3).start(seed=7)
    move = position.push(next(iter(position.legal_moves)))
    assert [narrator.why_illegal(position, move, language) for language in LANGUAGES] == [
        "the rules do not allow it in this position",
        "les règles ne le permettent pas dans cette position",
        "le regole non lo permettono in questa posizione",
    ]


def test_results_in_words():
    outcome = tw.Outcome((0, 2), (30, 12, 30), ({}, {}, {}))
    assert narrator.result(outcome, ["Anna", "Paul", "Eva"]) == "Anna and Eva share the win 30-30-12"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_that_is_over_and_one_that_goes_on(language: str):
    position = tw.AzulMini(2, "grey").start(seed=3)
    assert narrator.heading(position, "en") == "Azul Mini, grey wall, round 1"
    assert "Anna" in narrator.awaited(position, ["Anna", "Paul"], language)
    assert narrator.prompt(position, language)
    chooser = Random(1)
    while not position.is_over:
        position.push(choose(position, chooser, "eager"))
    outcome = position.outcome()
    assert outcome is not None
    assert narrator.result(outcome, ["Anna", "Paul"], language) in narrator.awaited(
        position, ["Anna", "Paul"], language
    )


def test_draws_in_words():
    position = tw.Azul(2).start(seed=3)
    draw = position.events[0]
    assert isinstance(draw, Draw)
    assert narrator.tell_draw(tw.Azul(2).set_up(), draw) == "20 tiles drawn for the factories"
    assert narrator.tell_draw(tw.AzulMini(2).set_up(), draw, "it") == "20 piastrelle pescate per i vassoi"


# Previews ---------------------------------------------------------------------------------------------------


def test_a_preview_says_what_a_move_scores_and_costs():
    position = tw.Azul(2).position(
        "azul players=2 wall=coloured jokers=no; round=5 phase=draft turn=1 first=1 marker=centre tiled=no barren=0;"
        " bag=12b12y12r12k12w lid=2b4y5r5k3w centre=rr 1=bbyy 2=kkww 3=- 4=- 5=-;"
        " player=1 score=20 wall-points=20 lines=-,-,ww,-,- wall=.yrkw/.b.../..b../...b./y...b floor=-;"
        " player=2 score=2 wall-points=2 lines=-,-,-,-,- wall=...../...../...../...../..... floor=-"
    )

    def say(text: str, language: str = "en") -> list[str]:
        return [phrase.text for phrase in narrator.preview(position, position.move(text), language)]

    assert say("1b1") == [
        "fills line 1: about 5 points when the round ends",
        "completes a row: the game ends after this round (+2)",
        "completes blue: +10",
        "1 tile falls: −1",
    ]
    assert say("2w3") == ["fills line 3: about 5 points when the round ends", "1 tile falls: −1"]
    assert say("crf") == ["takes the starting player marker: −1", "2 tiles fall: −3"]
    assert say("cr4") == ["line 4: 2 of 4", "takes the starting player marker: −1"]
    assert say("crf", "fr") == [
        "prend le marqueur premier joueur\N{NO-BREAK SPACE}: −1",
        "2 tuiles tombent\N{NO-BREAK SPACE}: −3",
    ]
    assert say("crf", "it")[1] == "2 piastrelle cadono: −3"
    assert [phrase.points for phrase in narrator.preview(position, position.move("1b1"))] == [5, 2, 10, -1]


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_previews_name_the_points_that_are_scored_at_once(game: tw.Game):
    position, chooser = game.start(seed=11), Random(11)
    while not position.is_over:
        move = choose(position, chooser, "eager")
        said = narrator.preview(position, move)
        assert all(phrase.text for phrase in said)
        if position.phase == "tile":
            points = position.effects(move)[0].points
            assert said[0] == (f"scores {narrator.score(points)}", points)
        position.push(move)


# Games without words of their own ---------------------------------------------------------------------------


@pytest.fixture
def wordless() -> tw.Game:
    """Azul as a game that brings nothing but its rules and effects."""

    class Wordless(tw.Azul):
        spec = replace(tw.Azul.spec, parts={})

    return Wordless(2, wall="grey")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_without_wording_is_told_from_its_effects(wordless: tw.Game, language: str):
    position, chooser = wordless.start(seed=2), Random(2)
    while not position.is_over:
        move = choose(position, chooser, "eager")
        told = narrator.tell(position, move, language)
        assert move.text in told.sentence
        assert told.detail
        assert all(phrase.text for phrase in narrator.preview(position, move, language))
        assert narrator.prompt(position, language)
        assert "Anna" in narrator.awaited(position, ["Anna", "Anna"], language)
        position.push(move)


def test_what_is_told_without_wording(wordless: tw.Game):
    position = wordless.set_up()
    assert narrator.heading(position) == "Azul, grey, round 1"
    assert narrator.awaited(position, ["Anna", "Paul"]) == "Tiles must be drawn"
    position.draw("bbyr kkww yyrr bkwy rbkw")
    assert narrator.tell(position, position.move("1b1")).sentence == (
        "plays 1b1: 1 × blue from factory 1 to p1 line 1, 1 × blue from factory 1 to p1 floor,"
        " 1 × yellow and 1 × red from factory 1 to centre"
    )
    assert narrator.tell(position, position.move("1b1"), "fr").sentence.startswith("joue 1b1\u202f: 1 × blue (")
    assert narrator.preview(position, position.move("1b1")) == []
    assert narrator.prompt(position) == "Choose a move."
