"""A row of numbers becomes a position only if it is one: ``game.new_position`` is as strict as ``game.position``."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import tilewright as tw
from bare_game import BareGame
from rule_sets import IDS, RULE_SETS

AZUL = tw.Azul(players=2)


def rows_of(game: tw.Game) -> np.ndarray:
    """The row of a game that has begun."""
    return game.start(seed=7).states.copy()


@pytest.mark.parametrize("game", [*RULE_SETS, BareGame(players=3)], ids=[*IDS, "bare"])
def test_every_position_of_a_real_game_is_accepted(game: tw.Game):
    position, chooser = game.start(seed=7), Random(7)
    while not position.is_over:
        assert game.new_position(position.states.copy()) == position
        for _ in range(5):
            if not position.is_over:
                position.push(int(chooser.choice(position.legal_moves.numbers())))
    assert game.new_position(position.states.copy()).outcome() == position.outcome()


def test_a_position_keeps_its_row_and_its_dealer_deals():
    states = AZUL.set_up().states
    position = AZUL.new_position(states, tw.Dealer(7))
    assert position == AZUL.start(seed=7)
    assert np.shares_memory(position.states, states)


@pytest.mark.parametrize(
    ("states", "complaint"),
    [
        (None, r"expected states of Azul\(players=2.*not 'NoneType'"),
        (rows_of(AZUL)[0], r"expected states of Azul\(players=2.*not 'void'"),
        (np.zeros(1, np.int64), r"expected states of Azul\(players=2.*not dtype\('int64'\)"),
        (rows_of(tw.SummerPavilion(players=2)), r"expected states of Azul\(players=2"),
        (AZUL.batch(3, seed=7).states, r"a position is one row, as in states\[\[0\]\], not an array of shape \(3,\)"),
        (rows_of(AZUL).reshape(1, 1), r"not an array of shape \(1, 1\)"),
        (rows_of(tw.Azul(players=3)), r"position 0 is not of Azul\(players=2.*its field players is 3, not 2"),
        (rows_of(tw.Azul(players=2, wall="grey")), r"position 0 is not of Azul\(players=2"),
    ],
    ids=["nothing", "a row", "numbers", "another game", "three rows", "two axes", "three players", "another wall"],
)
def test_what_is_not_one_row_of_the_rule_set_is_refused(states: np.ndarray, complaint: str):
    with pytest.raises(tw.BadOption, match=complaint):
        AZUL.new_position(states)


def test_a_row_that_cannot_be_changed_is_refused():
    states = rows_of(AZUL)
    states.flags.writeable = False
    with pytest.raises(tw.BadOption, match=r"must be writable and contiguous: pass states.copy\(\)"):
        AZUL.new_position(states)
    assert AZUL.new_position(states.copy()) == AZUL.start(seed=7)


@pytest.mark.parametrize(
    ("field", "value", "complaint"),
    [
        ("turn", 5, "turn=6 should be one of 1, 2"),
        ("phase", -1, "tiles are still on offer, but the phase is over"),
        ("bag", 0, "impossible position: there are 3 blue tiles, not 20"),
        ("covered", 1, r"the field covered is \[1, 1, 1, 1\]; .* it should be \[0, 0, 0, 0\]"),
        ("filled", 3, "the field filled is 3; with the other fields as they are, it should be 0"),
        ("wall", 99, r"cannot occur: writing it as text failed \(its notation.write_position raised IndexError"),
    ],
)
def test_a_row_that_cannot_occur_is_refused_with_the_reason(field: str, value: int, complaint: str):
    states = rows_of(AZUL)
    states[field] = value
    with pytest.raises(tw.BadPosition, match=complaint):
        AZUL.new_position(states)


@pytest.mark.parametrize("game", [*RULE_SETS[::6], BareGame(players=3)], ids=[*IDS[::6], "bare"])
def test_rows_with_random_bytes_are_refused_or_sound(game: tw.Game):
    chooser = Random(7)
    accepted = 0
    for _ in range(300):
        states = rows_of(game)
        raw = states.view(np.uint8)
        for _ in range(chooser.randint(1, 3)):
            raw[chooser.randrange(raw.size)] = chooser.choice([0, 1, 2, 3, 127, 128, 255])
        try:
            position = game.new_position(states)
        except (tw.BadOption, tw.BadPosition):
            continue
        accepted += 1
        assert game.position(position.to_text()) == position
    assert 0 < accepted < 300
