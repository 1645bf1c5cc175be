"""Observations say what lies on the table, from the observer's point of view, and nothing else."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import tilewright as tw
from rule_sets import IDS, RULE_SETS, STYLES, choose
from tilewright.envs import Observer
from tilewright.games.family.heap import counts_of


def expected_table(position: tw.Position, kinds: int) -> dict[str, object]:
    """The parts that every game has, read from the row."""
    row, game = position.state, position.game
    factories = 2 * game.players + 1
    heaps = [counts_of(int(heap))[:kinds] for heap in row.places]
    return {
        "factories": np.array(heaps[1 : factories + 1]) / 4,
        "centre": np.array(heaps[0]) / (3 * factories),
        "marker in the centre": [row.marker == -1],
        "bag": np.array(counts_of(int(row.bag))[:kinds]) / (20 if "azul" in game.name else 22),
    }


def around(position: tw.Position, seat: int) -> list[int]:
    players = position.game.players
    return [(seat + step) % players for step in range(players)]


def expected_azul(position: tw.Position, seat: int) -> dict[str, object]:
    row, seats = position.state, around(position, seat)
    jokers = bool(position.game.options.get("jokers"))
    kinds = 5 + jokers
    colours, tiles = row.line_colour[seats], row.line_tiles[seats]
    lengths = np.arange(1, 6)
    parts = {
        **expected_table(position, kinds),
        "lid": np.array(counts_of(int(row.lid))[:kinds]) / 20,
        "round": [min(position.round, 10) / 10],
        "barren rounds": [row.barren / 3],
        "starter": [other == row.starter for other in seats],
        "score": row.score[seats] / 100,
        "wall": row.wall[seats] != -1,
        "lines": tiles / lengths,
        "line colours": colours[..., None] == np.arange(5),
        "floor": [
            min(7, sum(counts_of(int(row.floor[other]))) + (row.marker == other)) / 7 for other in seats
        ],
        "floor tiles": np.array([counts_of(int(row.floor[other]))[:kinds] for other in seats]) / 7,
        "marker": [row.marker == other for other in seats],
    }  # fmt: skip
    if jokers or position.game.options["wall"] == "grey":
        full = [line for line in range(5) if row.line_tiles[row.turn, line] == line + 1]
        parts["line to tile"] = [position.phase == "tile" and line == full[0] for line in range(5)]
        parts["wall tiles"] = row.wall[seats][..., None] == np.arange(kinds)
    if jokers:
        parts["line jokers"] = row.line_jokers[seats] / lengths
    return parts


def expected_summer_pavilion(position: tw.Position, seat: int) -> dict[str, object]:
    row, seats = position.state, around(position, seat)
    stars = range(7) if position.game.options["side"] == "grey" else [6]
    choices = ("draft", "place", "bonus", "keep")
    return {
        **expected_table(position, 6),
        "tower": np.array(counts_of(int(row.tower))) / 22,
        "supply": np.array(counts_of(int(row.supply))) / 10,
        "joker": [number == position.round for number in range(1, 7)],
        "phase": [position.phase == phase for phase in choices],
        "bonus tiles": [row.owed / 3],
        "starter": [other == row.starter for other in seats],
        "score": row.score[seats] / 100,
        "hand": np.array([counts_of(int(row.hand[other])) for other in seats]) / 10,
        "passed": [row.passed >> other & 1 for other in seats],
        "marker": [row.marker == other for other in seats],
        "spaces": row.board[seats] != -1,
        "star colours": [
            [[colour in row.board[other, star * 6 : star * 6 + 6] for colour in range(6)] for star in stars]
            for other in seats
        ],
    }


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_every_number_is_what_lies_on_the_table(game: tw.Game):
    observer = Observer(game)
    expected = expected_summer_pavilion if game.name == "summer-pavilion" else expected_azul
    for style in STYLES:
        chooser, position = Random(5), game.start(seed=5)
        while not position.is_over:
            position.push(choose(position, chooser, style))
            if chooser.random() < 0.2 or position.is_over:
                for seat in range(game.players):
                    seen = observer.observe(position.states, 0, seat)
                    parts = expected(position, seat)
                    assert {part.name for part in observer.parts} == set(parts)
                    for name, values in parts.items():
                        wanted = np.asarray(values, np.float32)
                        assert observer.part(seen, name) == pytest.approx(
                            wanted.reshape(observer.part(seen, name).shape)
                        )
                    assert (seen >= 0).all()
                    assert (seen <= observer.high).all()


def test_the_parts_cover_the_observation_once():
    for game in RULE_SETS:
        observer = Observer(game)
        covered = np.zeros(observer.size, np.int64)
        for part in observer.parts:
            observer.part(covered, part.name)[...] += 1
        assert (covered == 1).all()


def test_an_observation_does_not_tell_what_will_be_drawn():
    game = tw.Azul(players=2)
    one, other = game.start(seed=1), game.start(seed=1)
    other.dealer = tw.Dealer(999)
    observer = Observer(game)
    assert (observer.observe(one.states, 0, 0) == observer.observe(other.states, 0, 0)).all()
    with pytest.raises(KeyError, match="no part 'bags'; it has factories, centre"):
        observer.part(observer.observe(one.states, 0, 0), "bags")


def test_what_is_no_position_of_the_game_is_refused():
    game = tw.Azul(players=2)
    observer, states = Observer(game), game.start(seed=1).states
    out = np.zeros(observer.size, np.float32)
    for wrong, message in [
        ((states, 1, 0, out), "positions from 0 to 0, not 1"),
        ((states, -1, 0, out), "positions from 0 to 0, not -1"),
        ((states, 0, 2, out), "a seat is a whole number from 0 to 1, not 2"),
        ((states, 0, -1, out), "a seat is a whole number from 0 to 1, not -1"),
        ((states, 0, 0, out[:10]), r"float32 \(171,\), not of float32 \(10,\)"),
        ((states, 0, 0, out.astype(float)), "not of float64"),
        ((game.start(seed=1), 0, 0, out), "such as position.states or vector.states, not 'AzulPosition'"),
        ((tw.SummerPavilion().start(seed=1).states, 0, 0, out), "states of Azul"),
        ((tw.Azul(players=4).start(seed=1).states, 0, 0, out), "its field players is 4, not 2"),
        ((tw.Azul(wall="grey").start(seed=1).states, 0, 0, out), "its field grey is 1, not 0"),
        ((tw.Azul(jokers=True).start(seed=1).states, 0, 0, out), "its field jokers is 1, not 0"),
    ]:
        with pytest.raises(tw.BadOption, match=message):
            observer.write(*wrong)
    assert not out.any()
    with pytest.raises(tw.BadOption, match=r"np.concatenate\(\[position.states for position in positions\]\)"):
        observer.observe_each([states], [0])
    with pytest.raises(tw.BadOption, match="not 'NoneType'"):
        observer.observe_each(None)
    with pytest.raises(tw.BadOption, match=r"has 171 numbers, the last axis of the array; its shape is \(180,\)"):
        observer.part(game.start(seed=1).mask(), "wall")
