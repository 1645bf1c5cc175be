"""What must hold in every game, variant and number of players, whatever is played."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tilewright as tw
from rule_sets import IDS, RULE_SETS, STYLES, choose
from tilewright.games.family.heap import counts_of

every_rule_set = pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
seeds = st.integers(0, 2**64 - 1)
styles = st.sampled_from(STYLES)
a_few = settings(max_examples=6)


def walk(game: tw.Game, seed: int, style: str):
    """Play a game from its set-up and yield the position after every event, including each tile drawn."""
    chooser = Random(seed)
    position = game.set_up()
    yield position
    while not position.is_over:
        if position.awaits_draw:
            names, weights = zip(*position.chances().items(), strict=True)
            position.draw(chooser.choices(names, weights)[0])
        else:
            position.push(choose(position, chooser, style))
        yield position


def tiles_on_the_table(position: tw.Position) -> list[int]:
    """All tiles of each kind, wherever they are, counted from the raw fields."""
    row, players = position.state, position.game.players
    heaps = [row.bag, *row.places]
    kinds: list[int] = []
    if isinstance(position.game, tw.SummerPavilion):
        heaps += [row.tower, row.supply, *row.hand]
        kinds += list(row.board[:players].flat)
    else:
        heaps += [row.lid, *row.floor]
        kinds += list(row.wall[:players].flat)
    counts = np.sum([counts_of(heap) for heap in heaps], axis=0)
    for kind in kinds:
        if kind >= 0:
            counts[kind] += 1
    if not isinstance(position.game, tw.SummerPavilion):
        for seat in range(players):
            for line in range(5):
                jokers = row.line_jokers[seat, line]
                counts[5] += jokers
                if row.line_colour[seat, line] >= 0:
                    counts[row.line_colour[seat, line]] += row.line_tiles[seat, line] - jokers
                else:
                    assert jokers == row.line_tiles[seat, line]
    return [int(count) for count in counts]


@every_rule_set
@a_few
@given(seed=seeds, style=styles)
def test_tiles_are_conserved_and_scores_never_fall_below_their_minimum(game: tw.Game, seed: int, style: str):
    at_first = tiles_on_the_table(game.set_up())
    assert sum(at_first) == (132 if game.name == "summer-pavilion" else 100)
    lowest = 1 if game.name == "summer-pavilion" else 0
    for position in walk(game, seed, style):
        assert tiles_on_the_table(position) == at_first
        assert min(position.scores) >= lowest


@every_rule_set
@a_few
@given(seed=seeds, style=styles)
def test_listed_moves_apply_and_unlisted_ones_are_refused(game: tw.Game, seed: int, style: str):
    for n, position in enumerate(walk(game, seed, style)):
        if position.awaits_draw and n % 5:
            continue  # most events are draws, and all actions are tried in each position
        listed = list(position.legal_moves)
        legal = [game.kernels.is_legal_at(position.states, 0, number) for number in range(game.actions)]
        assert [int(move) for move in listed] == list(np.flatnonzero(legal))
        assert len(position.legal_moves) == len(listed)
        assert bool(listed) == (not position.awaits_draw and not position.is_over)


@every_rule_set
@a_few
@given(seed=seeds, style=styles, data=st.data())
def test_a_refused_move_leaves_the_position_as_it_was(game: tw.Game, seed: int, style: str, data: st.DataObject):
    position = next(p for n, p in enumerate(walk(game, seed, style)) if n == 60)
    before = position.states.tobytes()
    for number in data.draw(st.lists(st.integers(-5, game.actions + 5), max_size=20)):
        if number not in position.legal_moves:
            with pytest.raises(tw.BadMove):
                position.push(number)
            assert position.states.tobytes() == before


@every_rule_set
@a_few
@given(seed=seeds, style=styles)
def test_positions_and_moves_survive_their_texts(game: tw.Game, seed: int, style: str):
    for n, position in enumerate(walk(game, seed, style)):
        if n % 7 == 0 or position.is_over:
            assert game.position(position.to_text()) == position
            for move in position.legal_moves:
                assert game.move(str(move)) == move == position.move(str(move))


@every_rule_set
@a_few
@given(seed=seeds, style=styles)
def test_derived_fields_are_always_up_to_date(game: tw.Game, seed: int, style: str):
    for position in walk(game, seed, style):
        before = position.copy()
        game.kernels.refresh_at(position.states, 0)
        assert position == before


@every_rule_set
@a_few
@given(seed=seeds, style=styles)
def test_a_record_replays_to_the_same_bytes(game: tw.Game, seed: int, style: str):
    chooser = Random(seed)
    position = game.start(seed)
    while not position.is_over:
        position.push(choose(position, chooser, style))
    record = tw.read_record(position.record().to_text())
    assert record.replay().states.tobytes() == position.states.tobytes()
    assert record.to_text() == position.record().to_text()
    outcome = position.outcome()
    assert outcome is not None
    assert tuple(sum(points.values()) for points in outcome.points) == outcome.scores == position.scores


@every_rule_set
@a_few
@given(seed=seeds, style=styles)
def test_taking_back_restores_position_and_dealer(game: tw.Game, seed: int, style: str):
    chooser = Random(seed)
    position = game.start(seed)
    past = [position.copy()]
    while not position.is_over and len(past) < 40:
        position.push(choose(position, chooser, style))
        past.append(position.copy())
    moves = [event for event in position.events if isinstance(event, tw.Move)]
    for expected, move in zip(past[-2::-1], moves[::-1], strict=True):
        assert position.pop() == move
        assert position == expected
        assert position.dealer.drawn == expected.dealer.drawn
    for expected, move in zip(past[1:], moves, strict=True):
        position.push(move)
        assert position == expected


@every_rule_set
def test_games_end(game: tw.Game):
    batch = game.batch(300, seed=1)
    for _ in range(2000):
        if batch.over.all():
            break
        batch.push(batch.random_moves())
    assert batch.over.all()


@pytest.mark.parametrize("style", STYLES)
@every_rule_set
def test_games_end_in_every_style(game: tw.Game, style: str):
    for seed in range(3):
        assert sum(1 for _ in walk(game, seed, style)) < 5000
