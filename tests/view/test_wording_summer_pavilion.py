"""Summer Pavilion in words: moves, previews, headings, what the coach says."""

from __future__ import annotations

import pytest

import tilewright as tw
from rules.positions_summer import play, star, table
from tilewright.games.summer_pavilion.coach import topics
from tilewright.view import narrator
from tilewright.view.coach import advice
from tilewright.view.language import LANGUAGES

NEARLY_ALL_ONES = "p1 g1 o1 y1 b1 c1r"


def told(position: tw.Position, move: str, language: str = "en") -> str:
    return narrator.tell(position, position.move(move), language).sentence


def foreseen(position: tw.Position, move: str, language: str = "en") -> list[str]:
    return [phrase.text for phrase in narrator.preview(position, position.move(move), language)]


def drafting(**more: object) -> tw.Position:
    return table(phase="draft", centre="ggp", factories=["prrr", "pppp"], **more)  # type: ignore[arg-type]


def two_features(supply: str = "ppggooyybr") -> tw.Position:
    return table(hands=["rp"], boards=["r1 r3 b3 b4 c1r c2b"], supply=supply, rest="tower")


@pytest.mark.parametrize(
    ("move", "language", "sentence"),
    [
        ("1r", "en", "takes 3 × red and 1 × joker (purple) from factory 1"),
        ("2p", "en", "takes 1 × joker (purple) from factory 2"),
        ("cg", "en", "takes 2 × green and 1 × joker (purple) from the centre, with the starting player marker (−3)"),
        ("1r", "fr", "prend 3 × rouge et 1 × joker (violet) dans la fabrique 1"),
        ("cg", "it", "prende 2 × verde e 1 × jolly (viola) dal centro, con il segnalino primo giocatore (−3)"),
    ],
)
def test_takes(move: str, language: str, sentence: str):
    assert told(drafting(), move, language) == sentence


def test_the_marker_costs_nothing_where_there_is_nothing_to_lose():
    assert told(drafting(scores=[1]), "cg").endswith("with the starting player marker (0)")
    assert foreseen(drafting(scores=[1]), "cg")[-1] == "takes the starting player marker: 0"


def test_previews_of_takes():
    assert foreseen(drafting(), "1r") == ["takes 4 tiles", "1 joker among them"]
    assert foreseen(drafting(), "2p") == ["takes 1 joker"]
    assert foreseen(drafting(), "cg", "fr") == [
        "prend 3 tuiles",
        "dont 1 joker",
        "prend le marqueur premier joueur\N{NO-BREAK SPACE}: −3",
    ]


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        (
            "en",
            "places a red tile on space 2 of the red star for 1 × red and 1 × joker (purple): 3 points;"
            " completes a pillar and a statue",
        ),
        (
            "fr",
            "pose une tuile rouge sur la case 2 de l’étoile rouge en payant 1 × rouge et 1 × joker (violet)"
            "\N{NO-BREAK SPACE}: 3 points\N{NO-BREAK SPACE}; complète un pilier et une statue",
        ),
        (
            "it",
            "posa una piastrella rossa sullo spazio 2 della stella rossa pagando 1 × rosso e 1 × jolly (viola):"
            " 3 punti; completa un pilastro e una statua",
        ),
    ],
)
def test_placements(language: str, sentence: str):
    assert told(two_features(), "r2+1", language) == sentence


def test_a_placement_in_a_list():
    entry = narrator.tell(two_features(), two_features().move("r2+1"))
    assert entry.heading == "red star"
    assert entry.detail.startswith("a red tile on space 2 for 1 × red and 1 × joker (purple): 3 points")


def test_tiles_of_the_joker_colour_placed_as_themselves_are_not_called_jokers():
    position = table(hands=["pp"])
    assert told(position, "p2") == "places a purple tile on space 2 of the purple star for 2 × purple: 1 point"


def test_placements_on_the_grey_side():
    position = table(side="grey", hands=["rrr"])
    assert told(position, "s21r") == "places a red tile on space 1 of star 2 for 1 × red: 1 point"
    assert told(position, "c2r", "fr") == (
        "pose une tuile rouge sur la case 2 de l’étoile centrale en payant 3 × rouge\N{NO-BREAK SPACE}: 1 point"
    )


def test_what_a_placement_completes_is_foreseen():
    assert foreseen(two_features(), "r2+1") == [
        "scores 3 points",
        "uses 1 joker",
        "completes a pillar: 1 bonus tile",
        "completes a statue: 2 bonus tiles",
    ]
    assert foreseen(two_features(supply="gg"), "r2+1")[-1] == "completes a statue: 1 bonus tile"
    position = table(hands=["r"], boards=[f"{NEARLY_ALL_ONES} {star('r', numbers='23456')}"])
    assert foreseen(position, "r1") == [
        "scores 6 points",
        "completes the red star (+14 at the end)",
        "covers every 1 (+4 at the end)",
    ]
    assert foreseen(position, "r1", "fr")[1] == "complète l’étoile rouge (+14 à la fin)"
    assert told(position, "r1").endswith("; completes the red star and every space numbered 1")


def test_bonus_tiles():
    position = play(two_features(), "r2+1")
    assert told(position, "bonus pgg") == "takes 2 × green and 1 × joker (purple) from the supply"
    assert foreseen(position, "bonus ggo", "it") == ["prende 3 piastrelle"]


def test_passing_and_keeping():
    position = table(hands=["rrrrb"])
    assert told(position, "pass") == "passes with 5 tiles in hand"
    assert foreseen(position, "pass") == ["no more tiles this round", "at least 1 tile is lost"]
    position.push("pass")
    assert told(position, "keep rr") == "keeps 2 × red, discards 3 tiles (−3)"
    assert told(position, "keep none", "fr") == "ne garde rien, défausse 5 tuiles (−4)"
    assert foreseen(position, "keep rr") == ["keeps 2 tiles", "discards 3 tiles: −3"]
    assert told(table(hands=[""]), "pass") == "passes with no tiles left"


def test_headings_and_who_is_awaited():
    position = table(side="grey", round_number=4, hands=["r"])
    assert narrator.heading(position) == "Summer Pavilion, grey side, round 4 of 6, joker colour yellow"
    assert narrator.awaited(position, ["Anna", "Paul"]) == "Anna to place a tile or pass"
    assert narrator.heading(tw.SummerPavilion().set_up(), "fr") == "Summer Pavilion, mise en place"
    waiting = play(two_features(), "r2+1")
    assert narrator.awaited(waiting, ["Anna", "Paul"]) == "Anna to choose 3 bonus tiles from the supply"
    assert narrator.prompt(position, "fr") == "Choisissez une case que vous pouvez payer, ou passez."


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_coach_always_has_something_to_say(language: str):
    position = tw.SummerPavilion().start(seed=4)
    said = set()
    while not position.is_over:
        assert position.turn is not None
        spoken = advice(position, position.turn, language)
        assert spoken is not None
        assert "{" not in spoken.text
        said.add(spoken.text)
        moves = [move for move in position.legal_moves if str(move) != "pass"]
        position.push(moves[0] if moves else "pass")
    assert len(said) > 12


def test_the_coach_sees_what_is_nearly_done():
    position = table(hands=["rp"], boards=["r1 r3 r4 r5 c1r c2b"])
    found = {topic.key: topic.values for topic in topics(position, 0)}
    assert found["pillar"]["n"] == 1
    assert found["window"]["n"] == 3
    assert "statue" not in found
    assert (found["star"]["n"], found["star"]["bonus"]) == (2, 14)
    assert {"pay", "run", "centre_star", "may_keep"} <= set(found)
    assert "must_pass" not in found


def test_the_coach_knows_when_nothing_can_be_paid():
    assert next(topics(table(hands=["r"], boards=["r1 c1r"]), 0)).key == "must_pass"


def test_the_coach_speaks_of_the_marker_while_it_lies_in_the_centre():
    assert "centre" in {topic.key for topic in topics(drafting(), 0)}
    taken = {topic.key for topic in topics(drafting(marker=1), 0)}
    assert "centre" not in taken
    assert "marker" in taken
