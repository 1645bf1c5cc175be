"""Arguments that cannot be meant: each is refused where it is given, in words that say what would be right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tilewright as tw
from tilewright.game.study import Node

AZUL = tw.AzulMini()
Call = Callable[[], Any]


def position() -> tw.Position:
    return AZUL.start(seed=7)


def vector() -> tw.Vector:
    return tw.Vector(AZUL, 3, seed=7)


def assign_dealer(dealer: Any) -> None:
    position().dealer = dealer


SEAT = "a seat is a whole number from 0 to 1, not "
SEATS = "seats are whole numbers from 0 to 1, not "
SECRET = "the secret of a dealer is a text of ASCII characters in one line, not "
DRAWN = "the number of tiles drawn is a whole number from 0, not "
A_GAME = "expected a Game, such as tw.make_game(name, players=2), not "

REFUSED: list[tuple[Call, str]] = [
    *((lambda seat=seat: position().observation(seat), SEAT + repr(seat)) for seat in (0.5, 1.0, True, "0", [0], b"0")),
    (lambda: AZUL.batch(3, seed=7).observations([0.5] * 3), SEATS + "[0.5, 0.5, 0.5]"),
    (lambda: AZUL.batch(3, seed=7).observations([True] * 3), SEATS + "[True, True, True]"),
    (lambda: AZUL.batch(2, seed=7).observations([[0], [0, 1]]), SEATS + "[[0], [0, 1]]"),
    (lambda: AZUL.batch(3, seed=7).observations([0]), "observing 3 positions takes as many seats, not [0]"),
    *((lambda secret=secret: tw.SecretDealer(secret), SECRET + repr(secret)) for secret in ("\ud800", 5, b"q", "a\nb")),
    *((lambda drawn=drawn: tw.Dealer(3, drawn), DRAWN + repr(drawn)) for drawn in (-5, "x", 1.5, True)),
    (lambda: tw.SecretDealer("00", drawn=-1), DRAWN + "-1"),
    (lambda: tw.Dealer(3).rewind(None), DRAWN + "None"),  # type: ignore[arg-type]
    (lambda: assign_dealer(5), "a dealer is a tw.Dealer, a tw.SecretDealer or None, not 5"),
    (lambda: AZUL.new_position(AZUL.set_up().states, "me"), "or None, not 'me'"),  # type: ignore[arg-type]
    (lambda: tw.Budget("x"), "the seconds of a budget are a number, not 'x'"),  # type: ignore[arg-type]
    (lambda: tw.Budget(float("nan")), "the seconds of a budget are a number, not nan"),
    (lambda: tw.Budget(True), "the seconds of a budget are a number, not True"),
    (lambda: tw.Budget(nodes=[]), "the nodes of a budget are a whole number, not []"),  # type: ignore[arg-type]
    (lambda: tw.Budget(simulations=1.5), "the simulations of a budget are a whole number, not 1.5"),  # type: ignore[arg-type]
    (lambda: tw.Budget(simulations=True), "the simulations of a budget are a whole number, not True"),
    (lambda: tw.Budget(simulations=0), "a budget is greater than 0, not 0"),
    (lambda: tw.play_match(None, AZUL), "a match takes a list of two or more bots, not None"),  # type: ignore[arg-type]
    (lambda: tw.play_match(["random"] * 2, "azul"), A_GAME + "'azul'"),  # type: ignore[arg-type]
    (lambda: tw.Study.of(3), "a study is made from a Record, such as position.record(), not 3"),  # type: ignore[arg-type]
    *(
        (lambda event=event: Node().child(event), f"an event is a Move or a Draw, as in position.events, not {event!r}")
        for event in ("zzz", None, 3)
    ),
    (lambda: tw.Observer("azul"), A_GAME + "'azul'"),  # type: ignore[arg-type]
    (lambda: tw.Batch("azul", 3), A_GAME + "'azul'"),  # type: ignore[arg-type]
    (lambda: tw.Vector(tw.Azul, 3), A_GAME),  # type: ignore[arg-type]
    (lambda: tw.Record("azul"), A_GAME + "'azul'"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("call", "told"), REFUSED, ids=[told for _, told in REFUSED])
def test_an_argument_that_cannot_be_meant_is_refused(call: Call, told: str):
    with pytest.raises(tw.BadOption) as caught:
        call()
    assert told in str(caught.value)


@pytest.mark.parametrize("seat", [1, np.int8(1)])
def test_seats_may_be_whole_numbers_of_any_kind(seat: int):
    assert np.array_equal(position().observation(seat), AZUL.observer.observe(position().states, 0, 1))


@pytest.mark.parametrize(
    ("moves", "told"),
    [
        (["1", "2", "3"], "game 0: moves are integers, not '1'"),
        ([0, 1.5, 2], "game 0: moves are integers, not 0.0"),
        ([0, None, 2], "game 1: moves are integers, not None"),
        ([[0], [0, 1], [2]], "game 0: moves are integers, not [0]"),
        ([], "3 games take 3 moves, not an array of (0,)"),
        (5, "3 games take 3 moves, not an array of ()"),
    ],
)
def test_a_vector_says_which_value_is_not_a_move(moves: Any, told: str):
    with pytest.raises(tw.UnreadableMove) as caught:
        vector().step(moves)
    assert str(caught.value) == told


def test_legal_moves_are_selected_by_their_numbers():
    moves = position().legal_moves
    last = len(moves) - 1
    assert moves[-1] == moves[last] == list(moves)[last]
    with pytest.raises(IndexError, match=f"^there is no legal move 100: they are numbered from 0 to {last}$"):
        moves[100]
    with pytest.raises(IndexError, match=r"^there is no legal move 0: there are none$"):
        AZUL.set_up().legal_moves[0]
    with pytest.raises(TypeError, match=r"^a legal move is selected by its number or by a slice, not by 'x'$"):
        moves["x"]  # type: ignore[call-overload]


def test_a_record_has_a_name_for_every_player_or_none():
    with pytest.raises(tw.TilewrightError, match="a record needs 2 names, one for each player, not 1"):
        tw.Record(AZUL, [], ["Anna"]).to_text()
    assert tw.read_record(tw.Record(AZUL).to_text()).names == ["player 1", "player 2"]


RECORD = position().record(["Anna", "Paul"]).to_text()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (RECORD + "3 1b1\n", "there is no player 3: they are numbered from 1 to 2"),
        (RECORD + "0 1b1\n", "there is no player 0: they are numbered from 1 to 2"),
        (RECORD + "2 1b1\n", "it is the turn of player 1, not 2"),
        (RECORD + "01 1b1\n", "'01 1b1' should be 'draw' and tiles, or a player's number and a move"),
        (RECORD.replace("players: 2", "players: 02"), "Azul Mini is for 2, 3 or 4 players, not '02'"),
        (RECORD.replace("seed: 7", "secret hash: 00\nsecret: é"), SECRET + "'é'"),
    ],
)
def test_a_record_says_what_is_wrong_with_a_line(text: str, told: str):
    with pytest.raises(tw.BadRecord) as caught:
        tw.read_record(text)
    assert told in str(caught.value)


def test_a_field_that_a_position_gives_twice_is_named():
    text = position().to_text()
    with pytest.raises(tw.BadPosition, match="turn is given twice"):
        AZUL.position(text.replace("turn=1", "turn=1 turn=1"))
    with pytest.raises(tw.BadPosition, match="'turn' should be name=value"):
        AZUL.position(text.replace("turn=1", "turn"))
