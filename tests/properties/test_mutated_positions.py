"""Play stays sound from every position whose text is accepted.

The suite looks at a few mutants of every rule set. For a long search, with a hundred thousand of each:
``TILEWRIGHT_MUTANTS=100000 pytest tests/properties/test_mutated_positions.py``.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache, partial
from random import Random

import pytest

import tilewright as tw
from mutants import Mutator
from properties.test_properties import tiles_on_the_table
from rule_sets import IDS, RULE_SETS, STYLES, choose
from tilewright.games.family.position_text import POINTS_FOR_STUDY
from tilewright.view.editing import read_draft

MUTANTS = int(os.environ.get("TILEWRIGHT_MUTANTS", "25"))
SEED = int(os.environ.get("TILEWRIGHT_MUTANTS_SEED", "1"))
MOST_EVENTS = 4000
SLOW_SHARE = 0.03


def texts_of_real_games(game: tw.Game, chooser: Random) -> list[str]:
    """Positions from games in each style, after every draw and move; rare phases are as frequent as the others."""
    by_phase: dict[str, list[tw.Position]] = {}
    for style in STYLES:
        position = game.set_up()
        while not position.is_over:
            by_phase.setdefault(position.phase, []).append(position.copy())
            step(position, chooser, style)
        by_phase.setdefault(position.phase, []).append(position)
    return [position.to_text() for alike in by_phase.values() for position in chooser.choices(alike, k=12)]


def step(position: tw.Position, chooser: Random, style: str) -> None:
    """One event: a tile drawn by chance, or a move."""
    if position.awaits_draw:
        names, weights = zip(*position.chances().items(), strict=True)
        position.draw(chooser.choices(names, weights)[0])
    else:
        position.push(choose(position, chooser, style))


@cache
def all_tiles(game: tw.Game) -> list[int]:
    """The tiles of a game, by kind."""
    return tiles_on_the_table(game.set_up())


@cache
def score_limits(game: tw.Game) -> tuple[int, int]:
    """The lowest and the highest score that can follow: that of the best game, and what a position may have on top."""
    bounds = game.spec.part("bounds").bounds_of(game)
    return bounds.least_points, bounds.most_points + POINTS_FOR_STUDY


def check_one(position: tw.Position) -> None:
    """What must hold in every possible position."""
    game = position.game
    assert tiles_on_the_table(position) == all_tiles(game)
    assert game.position(position.to_text()) == position
    refreshed = position.copy()
    game.kernels.refresh_at(refreshed.states, 0)
    assert refreshed == position
    least, most = score_limits(game)
    assert all(least <= score <= most for score in position.scores)
    assert bool(position.legal_moves) == (position.turn is not None)
    assert bool(position.chances()) == position.awaits_draw


def check_end(position: tw.Position) -> None:
    """Check that the game is over and its points add up."""
    check_one(position)
    outcome = position.outcome()
    assert outcome is not None
    assert tuple(sum(points.values()) for points in outcome.points) == outcome.scores
    losses = {"floor line", "marker", "discarded when passing", "left in corners"}
    for points in outcome.points:
        assert all((value <= 0) if name in losses else (value >= 0) for name, value in points.items())


def play_fast(position: tw.Position, chooser: Random) -> None:
    """Play to the end and check only that position: lost tiles stay lost."""
    position.dealer = tw.Dealer(chooser.getrandbits(64))
    if position.awaits_draw:
        position.deal()
    for _ in range(MOST_EVENTS):
        if position.is_over:
            break
        position.push(int(chooser.choice(position.legal_moves.numbers())))
    check_end(position)


def play_slowly(position: tw.Position, chooser: Random) -> None:
    """Play to the end, tile by tile: every position on the way is possible and can be drawn."""
    style = chooser.choice(STYLES)
    for _ in range(MOST_EVENTS):
        if position.is_over:
            break
        check_one(position)
        if chooser.random() < 0.05:
            assert str(position)
            assert position._repr_svg_().startswith("<svg")
        round_before = position.round
        step(position, chooser, style)
        assert round_before <= position.round <= round_before + 1
    check_end(position)


def check_mutant(position: tw.Position, chooser: Random) -> None:
    """Play on from an accepted mutant, usually with the fast check, occasionally with the slow one."""
    check_one(position)
    assert str(position)
    play_fast(position.copy(), chooser)
    if chooser.random() < SLOW_SHARE:
        assert position._repr_svg_().startswith("<svg")
        play_slowly(position, chooser)


def accepted_mutants(game: tw.Game, chooser: Random, wanted: int) -> Iterator[tuple[str, tw.Position]]:
    """The given number of accepted mutants, with the positions read from them."""
    mutator = Mutator(game, chooser)
    texts = texts_of_real_games(game, chooser)
    while wanted:
        mutant = mutator.mutate(chooser.choice(texts), chooser.choice(texts))
        try:
            position = game.position(mutant)
        except tw.BadPosition:
            continue
        yield mutant, position
        wanted -= 1


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_play_from_every_accepted_text_stays_sound(game: tw.Game):
    chooser = Random(f"{game!r} {SEED}")
    for mutant, position in accepted_mutants(game, chooser, MUTANTS):
        try:
            check_mutant(position, chooser)
        except BaseException as error:
            error.add_note(f"{game!r}.position({mutant!r})")
            raise


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_a_text_with_absurd_values_is_a_bad_position_or_a_position(game: tw.Game):
    chooser = Random(f"{game!r} {SEED}")
    mutator = Mutator(game, chooser)
    refused = 0
    for text in [game.set_up().to_text(), game.start(seed=SEED).to_text()] * (2 * MUTANTS):
        mutant = mutator.exaggerate(text)
        for read in (game.position, partial(read_draft, game)):
            try:
                position = read(mutant)
                assert read(position.to_text()).to_text() == position.to_text()
            except tw.BadPosition:
                refused += 1
            except BaseException as error:
                error.add_note(f"{game!r}.position({mutant!r})")
                raise
    assert refused > MUTANTS
