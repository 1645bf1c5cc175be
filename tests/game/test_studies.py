"""Studies: records with variations and comments, which any reader of records takes for their main line."""

from __future__ import annotations

import random

import pytest

import tilewright as tw
from rule_sets import IDS, RULE_SETS
from tilewright.game.study import Node, Study


def a_study(game: tw.Game, seed: int = 5, events: int = 40) -> Study:
    """A tree that grew at random places, with comments here and there."""
    chance = random.Random(seed)
    study = Study.of(tw.Record(game, [], [f"player {seat + 1}" for seat in range(game.players)]))
    places: list[tuple[Node, tw.Position]] = [(study.root, study.record.beginning())]
    for number in range(events):
        node, position = chance.choice(places[-6:]) if number % 3 == 0 else places[-1]
        position = position.copy()
        if position.is_over:
            continue
        event = (
            position.deal(seed=number)
            if position.awaits_draw
            else position.push(chance.choice(list(position.legal_moves)))
        )
        node = node.child(event)
        if number % 4 == 0:
            node.comment = chance.choice(
                ["Good.", "What if?\nThen this: (see above)", "{braces} (and) # signs", "è già finita"]
            )
        places.append((node, position))
    return study


def told(node: Node) -> list[object]:
    """A tree as something that can be compared."""
    return [str(node.event), node.comment, [told(child) for child in node.children]]


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_a_study_survives_the_round_trip(game: tw.Game):
    study = a_study(game)
    study.root.comment = "First of all: a comment with a colon"
    text = study.to_text()
    again = tw.read_study(text)
    assert told(again.root) == told(study.root)
    assert again.to_text() == text


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_read_as_a_record_it_is_its_main_line(game: tw.Game):
    study = a_study(game)
    record = tw.read_record(study.to_text())
    assert record.events == study.main_line().events
    assert record.to_text() == study.main_line().to_text()
    assert tw.read_study(record.to_text()).to_text() == record.to_text()


def test_a_study_reads_like_a_game_with_remarks():
    game = tw.Azul()
    study = Study.of(tw.Record(game, [], ["Anna", "Paul"]))
    position = game.set_up()
    deal = study.root.child(position.draw("bbyr kkww bbyr kkww yyyy"))
    deal.child(game.move("1b2")).comment = "Two of a kind."
    line = deal.child(game.move("2k2"))
    line.child(game.move("1b2")).comment = "Now she has them.\nA pity."
    assert study.to_text().splitlines()[7:] == [
        "result: unfinished",
        "",
        "# round 1",
        "draw bbyr kkww bbyr kkww yyyy",
        "1 1b2",
        "{ Two of a kind. }",
        "(",
        "  1 2k2",
        "  2 1b2",
        "  { Now she has them. }",
        "  { A pity. }",
        ")",
    ]


def test_a_record_may_begin_with_a_position():
    game = tw.SummerPavilion(players=3)
    position = game.start(seed=3)
    for _ in range(4):
        position.push(next(iter(position.legal_moves)))
    start = game.position(position.to_text())
    study = Study.of(tw.Record(game, [], ["Anna", "Paul", "Eva"], start=start))
    move = next(iter(start.legal_moves))
    study.root.child(move)
    record = tw.read_record(study.to_text())
    assert next(record.positions()) == start
    start.push(move)
    assert record.replay() == start
    assert tw.read_record(record.to_text()).to_text() == record.to_text()


HEADER = """tilewright record 1
game: azul
players: 2
wall: coloured
jokers: no
player 1: Anna
player 2: Paul
result: unfinished
"""
DEAL = "draw bbyr kkww bbyr kkww yyyy\n"


@pytest.mark.parametrize(
    ("body", "line", "complaint"),
    [
        ("(\n", 9, "none before it"),
        (")\n", 9, "none is open"),
        (DEAL + "1 1b2\n(\n", 11, "no '\\)' at its end"),
        (DEAL + "1 1b2\n(\n)\n", 12, "at least one event"),
        (DEAL + "1 1b2\n(\n{ too early }\n1 1r2\n)\n", 12, "after the event that it is about"),
        (DEAL + "1 1b2\n{ never ends\n", 11, "ends with '}'"),
        (DEAL + "1 1b2\n{ }\n", 11, "is empty"),
        (DEAL + "1 1b2\n(\n2 1r2\n)\n", 12, "turn of player 1"),
        (DEAL + "1 1b2\n(\n1 9b2\n)\n", 12, "9b2"),
        (DEAL + "1 1b2\n(\n1 1r1\n))\n", 13, "should be 'draw'"),
        ("(\n" * 3000, 9, "none before it"),
    ],
)
def test_a_broken_study_says_where(body: str, line: int, complaint: str):
    with pytest.raises(tw.BadRecord, match=complaint) as caught:
        tw.read_study(HEADER + body)
    assert caught.value.line == line


def test_parentheses_must_match_in_a_record_too():
    for body, line in ((DEAL + "1 1b2\n(\nanything at all\n", 11), (DEAL + ")\n", 10)):
        with pytest.raises(tw.BadRecord) as caught:
            tw.read_record(HEADER + body)
        assert caught.value.line == line


def test_deep_nesting_is_no_danger():
    moves = ["1 1b2", "1 1y2", "1 1r2", "1 2k2", "1 2w2"]
    body = DEAL + "1 1b1\n" + "".join(f"(\n{moves[n % 5]}\n" for n in range(4000)) + ")\n" * 4000
    study = tw.read_study(HEADER + body)
    assert [str(child.event) for child in study.root.children[0].children] == ["1b1", "1b2", "1y2", "1r2", "2k2", "2w2"]


def test_what_a_position_allows_is_checked_once_more():
    game = tw.Azul()
    text = game.start(seed=1).to_text()
    with pytest.raises(tw.BadRecord, match="neither a seed nor a secret") as caught:
        tw.read_record(HEADER.replace("result:", f"position: {text}\nseed: 4\nresult:"))
    assert caught.value.line == 8
    with pytest.raises(tw.BadRecord, match="blue tiles") as caught:
        tw.read_record(HEADER.replace("result:", f"position: {text.replace('bag=', 'bag=1b')}\nresult:"))
    assert caught.value.line == 8
