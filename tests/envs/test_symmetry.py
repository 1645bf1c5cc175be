"""Symmetries change the names of things and nothing else; the canonical order of the factories is one of them."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from random import Random

import numpy as np
import pytest

import tilewright as tw
from rule_sets import IDS, RULE_SETS, STYLES, choose, file_name
from tilewright.envs import ActionDescriber, Vector
from tilewright.envs.symmetry import canonical, symmetries
from tilewright.games.family.symmetry import Symmetry, factory_order

GREY = [game for game in RULE_SETS if "grey" in game.options.values()]


def numbers(position: tw.Position) -> set[int]:
    return {int(move) for move in position.legal_moves}


def played(position: tw.Position, move: int) -> tw.Position:
    """The position after a move, before any tile is drawn."""
    twin = tw.Position(position.game, position.states.copy())
    twin.push(move)
    return twin


def is_permutation(moves: np.ndarray, game: tw.Game) -> bool:
    return sorted(moves.tolist()) == list(range(game.actions))


def random_order(game: tw.Game, chooser: Random) -> Symmetry:
    factories = range(1, 2 * game.players + 2)
    return factory_order(game, chooser.sample(factories, len(factories)))


def check_commutes(symmetry: Symmetry, position: tw.Position, move: int) -> None:
    """Legal moves have their new names, and playing then renaming is renaming then playing."""
    twin = symmetry.position(position)
    assert numbers(twin) == {symmetry.move(legal) for legal in position.legal_moves}
    assert played(twin, symmetry.move(move)) == symmetry.position(played(position, move)), symmetry.name


# ------------------------------------------------------------------------------------ The canonical order


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_a_policy_for_the_canonical_position_serves_all_orders(game: tw.Game):
    for style in STYLES:
        chooser, position = Random(5), game.start(seed=5)
        while not position.is_over:
            move = choose(position, chooser, style)
            if chooser.random() < 0.2:
                twin, moves = canonical(position)
                assert is_permutation(moves, game)
                assert numbers(twin) == {int(moves[legal]) for legal in position.legal_moves}
                assert all(first >= second for first, second in pairwise(twin.state.places[1 : 2 * game.players + 2]))
                assert canonical(twin)[0] == twin
                assert (canonical(twin)[1] == np.arange(game.actions)).all()
                assert canonical(random_order(game, chooser).position(position))[0] == twin
                there, here = played(twin, int(moves[move])), played(position, move)
                assert canonical(there)[0] == canonical(here)[0]
            position.push(move)
        assert canonical(position)[0] == position


def test_factories_that_are_being_filled_stay():
    position = tw.Azul(players=2).set_up()
    position.draw("bbbb wwww kk")
    twin, moves = canonical(position)
    assert twin == position
    assert (moves == np.arange(180)).all()
    assert factory_order(position.game, [2, 1, 3, 4, 5]).position(position) == position


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_a_canonical_vector_holds_canonical_positions(game: tw.Game):
    plain, sorted_ = Vector(game, 8, seed=4), Vector(game, 8, seed=4, canonical=True)
    for _ in range(100):
        moves, renamed = plain.random_moves(), []
        for i in range(8):
            twin, numbers_there = canonical(plain[i])
            assert twin == sorted_[i]
            renamed.append(numbers_there[moves[i]])
        plain.step(moves)
        sorted_.step(np.array(renamed))
        assert (plain.scores == sorted_.scores).all()


# --------------------------------------------------------------------------------------------- Symmetries


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_factories_are_interchangeable(game: tw.Game):
    for style in STYLES:
        chooser, position = Random(6), game.start(seed=6)
        while not position.is_over:
            move = int(choose(position, chooser, style))
            if chooser.random() < 0.2:
                check_commutes(random_order(game, chooser), position, move)
            position.push(move)


@pytest.mark.parametrize("game", GREY, ids=[file_name(game) for game in GREY])
def test_the_grey_sides_have_their_symmetries(game: tw.Game):
    found = symmetries(game)
    assert len(found) == len({symmetry.name for symmetry in found}) == (6 if game.name == "summer-pavilion" else 240)
    assert len({symmetry.moves.tobytes() for symmetry in found}) == len(found)
    assert all(is_permutation(symmetry.moves, game) for symmetry in found)
    for style in STYLES:
        chooser, position = Random(7), game.start(seed=7)
        while not position.is_over:
            move = int(choose(position, chooser, style))
            if chooser.random() < 0.3:
                check_commutes(chooser.choice(found), position, move)
            position.push(move)


@pytest.mark.parametrize("game", GREY, ids=[file_name(game) for game in GREY])
def test_symmetric_games_end_alike(game: tw.Game):
    """Every event of a whole game under its new name, draws too."""
    chooser = Random(8)
    for seed, style in enumerate(STYLES):
        symmetry = chooser.choice(symmetries(game)[1:])
        position, twin = game.start(seed=seed), game.set_up()
        while not position.is_over:
            position.push(choose(position, chooser, style))
        for event in position.events:
            if isinstance(event, tw.Move):
                twin.push(symmetry.move(event))
            else:
                twin.draw("".join(game.tiles.letters[symmetry.kinds[kind]] for kind in event.kinds))
        assert twin == symmetry.position(position)
        assert twin.outcome() == position.outcome()


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_the_first_symmetry_changes_nothing(game: tw.Game):
    first, position = symmetries(game)[0], game.start(seed=9)
    assert first.position(position) == position
    assert (first.moves == np.arange(game.actions)).all()
    assert len(symmetries(game)) > 1 or game not in GREY


def test_one_symmetry_after_another():
    chooser, game = Random(10), tw.Azul(3, "grey", jokers=True)
    position = game.start(seed=10)
    first, second = chooser.choice(symmetries(game)), random_order(game, chooser)
    twin = second.position(first.position(position))
    assert numbers(twin) == {int(second.moves[first.moves][move]) for move in position.legal_moves}


@pytest.mark.parametrize("order", [[1, 2, 3], [0, 1, 2, 3, 4], [1, 1, 2, 3, 4], [2, 3, 4, 5, 6]])
def test_what_is_no_order_of_the_factories_is_refused(order: list[int]):
    with pytest.raises(tw.BadOption, match="has each number from 1 to 5 once, not"):
        factory_order(tw.Azul(players=2), order)


def test_positions_and_games_are_not_confused():
    game = tw.Azul(players=2)
    with pytest.raises(tw.BadOption, match=r"expected a Position, such as game.start\(\), not Azul"):
        canonical(game)  # type: ignore[arg-type]
    for describe in (symmetries, ActionDescriber):
        with pytest.raises(tw.BadOption, match="expected a Game"):
            describe(game.start(seed=1))  # type: ignore[arg-type]


def test_a_symmetry_is_one_of_its_own_game():
    with pytest.raises(tw.BadOption, match=r"a symmetry of Azul\(players=2.*, not of Azul\(players=3"):
        symmetries(tw.Azul(2))[0].position(tw.Azul(3).start(seed=1))


# --------------------------------------------------------------------------------- What the rules do not have


def commutes(symmetry: Symmetry, position: tw.Position, move: int) -> bool:
    twin, name = symmetry.position(position), symmetry.move(move)
    return twin.game.kernels.is_legal_at(twin.states, 0, name) and (
        played(twin, name) == symmetry.position(played(position, move))
    )


def cyclic_shifts(game: tw.Game) -> list[Symmetry]:
    """Colours and columns go on together: each colour keeps its cells, so the right moves are legal."""
    places, cells = np.arange(2 * game.players + 2), np.arange(25).reshape(5, 5)
    return [
        Symmetry(f"shift {n}", game, places, np.array([*np.roll(range(5), -n), 5]), np.roll(cells, -n, axis=1).ravel())
        for n in range(1, 5)
    ]


@pytest.mark.parametrize("game", [tw.Azul(2), tw.Azul(2, jokers=True)], ids=str)
def test_the_coloured_wall_has_no_symmetry_of_its_own(game: tw.Game):
    of_the_grey_wall = symmetries(tw.Azul(2, "grey", jokers=bool(game.options["jokers"])))
    supposed = [replace(symmetry, game=game) for symmetry in of_the_grey_wall[1:]] + cyclic_shifts(game)
    chooser, position = Random(11), game.start(seed=11)
    while not position.is_over:
        move = int(choose(position, chooser, "eager"))
        supposed = [symmetry for symmetry in supposed if commutes(symmetry, position, move)]
        position.push(move)
    assert supposed == []
