"""What networks of Azul read besides the observation agrees with what the rules then do."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np
import pytest

import tilewright as tw
from rule_sets import IDS, RULE_SETS, choose, file_name
from tilewright.envs import NetworkObserver, Observer
from tilewright.envs.move_classes import move_classes
from tilewright.games.azul import rules
from tilewright.games.azul.network_input import GROUPS, MOST_TAKEN
from tilewright.games.azul.notation import Take

AZUL = [game for game in RULE_SETS if isinstance(game, tw.Azul)]
EVERY_AZUL = pytest.mark.parametrize("game", AZUL, ids=map(file_name, AZUL))
PLAIN = pytest.mark.parametrize("game", [tw.Azul(players) for players in (2, 3, 4)], ids=lambda game: str(game.players))
FLOOR = 0


def decisions(game: tw.Game, seeds: int, style: str = "uniform") -> Iterator[tw.Position]:
    for seed in range(seeds):
        chooser, position = Random(seed), game.start(seed=seed)
        while not position.is_over:
            yield position
            position.push(choose(position, chooser, style))


def takes(position: tw.Position) -> list[tw.Move]:
    return [move for move in position.legal_moves if isinstance(move.fields, Take)]


def bonuses(position: tw.Position, seat: int) -> int:
    return sum(int(rules.bonus(position.state, seat, what, n)) for what in range(3) for n in range(5))


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_the_input_begins_with_the_observation_and_stays_within_its_bounds(game):
    network, plain = NetworkObserver(game), Observer(game)
    assert [part.name for part in network.parts[: len(plain.parts)]] == [part.name for part in plain.parts]
    assert len(network.starts) == len(network.parts), "every part has a name of its own"
    for position in decisions(game, 3):
        for seat in range(game.players):
            seen = network.observe(position.states, 0, seat)
            assert np.array_equal(seen[: plain.size], plain.observe(position.states, 0, seat))
            assert (seen >= network.low).all()
            assert (seen <= network.high + 1e-6).all()


@PLAIN
def test_a_standing_is_the_score_if_nothing_changes_on_a_board_until_the_round_ends(game):
    observer, compared, ends = NetworkObserver(game), 0, 0
    for before in decisions(game, 60, "eager"):
        if len({(move.fields.source, move.fields.kind) for move in before.legal_moves}) > 1:
            continue
        after = before.copy()
        after.push(after.legal_moves[0])
        for seat in set(range(game.players)) - {before.turn}:
            seen = observer.observe(before.states, 0, seat)
            kept = 0 if after.is_over else bonuses(after, seat)
            standing = round(float(observer.part(seen, "standing")[0]) * 50)
            assert standing == after.scores[seat] + kept
            gained = round(float(observer.part(seen, "round points")[0]) * 10)
            assert gained == after.state.wall_points[seat] - before.state.wall_points[seat]
            done = any(int(rules.bonus(after.state, seat, rules.ROW, row)) for row in range(5))
            assert bool(observer.part(seen, "row done")[0]) == done
            compared, ends = compared + 1, ends + done
    assert compared > 100
    assert ends > 5


@EVERY_AZUL
def test_leads_compare_the_standings(game):
    observer = NetworkObserver(game)
    for position in decisions(game, 5, "eager"):
        seen = observer.observe(position.states, 0, position.turn)
        standings = np.rint(observer.part(seen, "standing") * 50)
        lead = standings[0] - standings
        last = float(observer.part(seen, "row done").any())
        assert np.allclose(observer.part(seen, "lead") * 20, lead, atol=1e-4)
        assert np.allclose(observer.part(seen, "narrow lead"), np.clip(lead / 5, -1, 1), atol=1e-6)
        assert float(observer.part(seen, "last round")[0]) == last
        assert np.array_equal(observer.part(seen, "last lead"), np.sign(lead) * last)


@EVERY_AZUL
def test_room_says_what_the_legal_moves_allow(game):
    observer = NetworkObserver(game)
    for position in decisions(game, 5):
        seen = observer.observe(position.states, 0, position.turn)
        for kind in range(observer.part(seen, "room").shape[1]):
            lines = {move.fields.line for move in takes(position) if move.fields.kind == kind}
            if not lines:
                continue
            rooms = [line - int(position.state.line_tiles[position.turn, line - 1]) for line in lines - {FLOOR}]
            assert np.allclose(observer.part(seen, "room")[0, kind] * 5, [max(rooms, default=0), sum(rooms)])
            assert bool(observer.part(seen, "no room")[0, kind]) == (not rooms)
            fits = [size + 1 for size in np.flatnonzero(observer.part(seen, "fits")[0, kind])]
            assert fits == sorted(set(rooms))


@EVERY_AZUL
def test_the_offer_is_counted_in_heaps(game):
    observer = NetworkObserver(game)
    for position in decisions(game, 5):
        seen = observer.observe(position.states, 0, position.turn)
        factories = np.rint(observer.part(seen, "factories") * 4).astype(int)
        centre = np.rint(observer.part(seen, "centre") * 3 * (2 * game.players + 1)).astype(int)
        heaps = (factories > 0).sum(0) + (centre > 0)
        assert np.allclose(observer.part(seen, "heaps by kind") * 4, heaps)
        assert np.array_equal(observer.part(seen, "last heap of kind"), heaps == 1)
        assert np.allclose(observer.part(seen, "heaps") * 10, heaps.sum())
        assert np.array_equal(observer.part(seen, "last heaps"), heaps.sum() == np.arange(1, 8))
        assert np.allclose(observer.part(seen, "tiles by kind") * 10, factories.sum(0) + centre)
        sizes = (factories[:, :, None] == np.arange(1, 5)).sum(0)
        assert np.allclose(observer.part(seen, "heaps by size") * 2, sizes)
        capped = np.minimum(centre, MOST_TAKEN)
        assert np.array_equal(observer.part(seen, "centre by size"), capped[:, None] == np.arange(1, MOST_TAKEN + 1))


@PLAIN
def test_cells_columns_and_colours_count_the_full_lines_as_tiled(game):
    observer, kinds = NetworkObserver(game), (np.arange(5)[None] - np.arange(5)[:, None]) % 5
    for position in decisions(game, 5, "eager"):
        seen = observer.observe(position.states, 0, position.turn)
        wall = position.state.wall[position.turn] >= 0
        full = position.state.line_tiles[position.turn] == np.arange(1, 6)
        for row in np.flatnonzero(full):
            wall[row, (position.state.line_colour[position.turn, row] + row) % 5] = True
        groups = [*wall.sum(0), *(wall[kinds == colour].sum() for colour in range(5))]
        assert len(groups) == GROUPS
        assert np.array_equal(observer.part(seen, "one missing")[0], np.array(groups) == 4)
        assert np.array_equal(observer.part(seen, "two missing")[0], np.array(groups) == 3)
        points = observer.part(seen, "cell points")[0] * 5
        assert (points[wall] == 0).all()
        for row, column in zip(*np.nonzero(~wall), strict=True):
            assert round(float(points[row, column])) == points_of(wall, row, column) - 1


@pytest.mark.parametrize("jokers", [False, True])
def test_where_a_cell_is_to_be_chosen_the_best_one_counts(jokers):
    game = tw.Azul(2, "grey", jokers)
    observer, chosen = NetworkObserver(game), 0
    for position in decisions(game, 12, "eager"):
        row, mover = position.state, position.turn
        if position.phase != "tile" or (row.line_tiles[mover] == np.arange(1, 6)).sum() > 1:
            continue
        gains = []
        for move in position.legal_moves:
            after = position.copy()
            after.push(move)
            gains.append(after.state.wall_points[mover] - row.wall_points[mover])
        seen = observer.observe(position.states, 0, mover)
        assert round(float(observer.part(seen, "round points")[0]) * 10) == max(gains)
        chosen += 1
    assert chosen > 10


def points_of(wall: np.ndarray, row: int, column: int) -> int:
    """What a tile on a free cell scores, by walking over the wall."""

    def run(down: int, right: int) -> int:
        length = 1
        for way in (1, -1):
            r, c = row + way * down, column + way * right
            while 0 <= r < 5 and 0 <= c < 5 and wall[r, c]:
                length, r, c = length + 1, r + way * down, c + way * right
        return length

    runs = [length for length in (run(1, 0), run(0, 1)) if length > 1]
    return sum(runs) or 1


@EVERY_AZUL
def test_moves_that_take_as_many_tiles_to_the_same_line_are_in_one_class(game):
    classes, observer = move_classes(game), NetworkObserver(game)
    by_class: dict[int, set[tuple[int, ...]]] = {}
    for position in decisions(game, 8):
        seen = observer.observe(position.states, 0, position.turn)
        for move in takes(position):
            n, fields = move.number, move.fields
            taken = round(float(seen[int(classes.source[n])] * classes.scale[n]))
            assert taken == int(position.state.places[fields.source]) >> 8 * fields.kind & 0xFF
            of = int(classes.first[n] + min(taken, classes.most[n]))
            kept = (fields.jokers_kept or 0) if fields.with_jokers else 0
            by_class.setdefault(of, set()).add((fields.kind, fields.line, min(taken + kept, MOST_TAKEN)))
        for move in set(position.legal_moves) - set(takes(position)):
            assert (classes.first[move.number], classes.scale[move.number]) == (classes.number - 1, 0), "a wall cell"
    assert all(len(meanings) == 1 for meanings in by_class.values())
    assert len({min(meanings) for meanings in by_class.values()}) == len(by_class) > 100
    assert max(by_class) < classes.number


def test_without_classes_all_moves_are_in_one():
    game = tw.SummerPavilion(2)
    classes = move_classes(game)
    assert classes.number == 1
    assert len(classes.first) == game.actions
