"""Symmetries that the rules really have, and the canonical order of the factories.

- Factories are interchangeable in every game: 120, 5040 or 362880 orders for 2, 3 or 4 players. While they are being
  filled their order says which comes next, so then they stay as they are.
- On the grey wall of Azul, with jokers or without, the five colours are interchangeable, and all walls may be mirrored
  left to right: 240 symmetries.
- On the grey side of Summer Pavilion the six outer stars are alike and the centre star has nothing but threes, so all
  boards may be turned: 6 symmetries.

The coloured wall of Azul has no other: only a cyclic shift keeps colours and cells together, and it tears neighbouring
columns apart. In Summer Pavilion colours are never interchangeable: each is the joker in a round of its own and pays a
bonus of its own. Seats are, but for who begins: an observation counts them from its observer already.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray

from tilewright.envs.compiling import env_kernel
from tilewright.game.errors import BadOption
from tilewright.game.game import Game
from tilewright.game.position import Position
from tilewright.game.words import echo
from tilewright.rules import azul
from tilewright.rules.azul_moves import COLOUR_MOVES, DESTINATIONS, JOKER_SLOTS
from tilewright.rules.azul_wall import COLOURS, EMPTY, LINES
from tilewright.rules.factories import count_factories, sort_factories
from tilewright.rules.heap import KINDS, heaps_as_counts
from tilewright.rules.kernel import Cells
from tilewright.rules.summer_pavilion_board import CENTRE_STAR, CLOCKWISE, SPACES, STAR_SPACES
from tilewright.rules.summer_pavilion_moves import FIRST_PLACEMENT, PLACE_MOVES, PLACEMENT

Numbers = NDArray[np.int64]


@env_kernel
def sort_at(positions: Cells, i: int) -> None:
    """Factories in their canonical order, in one of many positions."""
    sort_factories(positions[i])


def canonical(position: Position) -> tuple[Position, Numbers]:
    """The position with its factories sorted, and for every move the number that it has there.

    What a policy says of the canonical position serves all orders of the factories. The environments' option
    ``canonical=True`` sorts in the same way, after each step.

    >>> import tilewright as tw
    >>> game = tw.Azul(players=2)
    >>> position = game.start(seed=7)
    >>> twin, moves = canonical(position)
    >>> [game.tiles.spell(heap) for heap in position.row.places[1:6]]
    ['byrw', 'yyrr', 'bbrw', 'rwww', 'ykkw']
    >>> [game.tiles.spell(heap) for heap in twin.row.places[1:6]]
    ['rwww', 'ykkw', 'byrw', 'bbrw', 'yyrr']
    >>> game.moves[moves[game.move("5k2")]]
    Move(80, '2k2')
    """
    table = position.table.copy()
    sort_at(table, 0)
    factories = range(1, int(count_factories(position.game.players)) + 1)
    order: list[int] = []
    for heap in table["places"][0, factories]:
        order.append(next(f for f in factories if position.row.places[f] == heap and f not in order))
    return _with_table(position, table), factory_order(position.game, order).moves


@dataclass(frozen=True, eq=False)
class Symmetry:
    """A way to rename what lies on the table that changes nothing for the players.

    Legal moves, scores and the end of the game are the same under the new names, as long as the same tiles are drawn,
    under theirs. Of two symmetries, one after the other, the moves are ``second.moves[first.moves]``.
    """

    name: str
    game: Game
    places: Numbers
    """Where each place comes to lie: the centre, which stays, and the factories."""
    kinds: Numbers
    """What becomes of each kind of tile."""
    cells: Numbers
    """Where each cell of a wall, or space of a board, comes to lie."""

    def position(self, position: Position) -> Position:
        """The position under its new names: a copy without its past, and with a copy of its dealer.

        Who renames colours must know that the dealer does not: he will draw other tiles, just as likely.
        """
        if position.game != self.game:
            raise BadOption(f"a symmetry of {self.game!r} says nothing about {position.game!r}")
        table = position.table.copy()
        is_azul = self.game.kernels.rules is azul
        renamed = np.append(self.kinds, EMPTY)  # no tile, -1, is the last
        for name in ("bag", "lid", "floor", "places") if is_azul else ("bag", "tower", "supply", "hand", "places"):
            table[name] = _rename_heaps(table[name], self.kinds)
        if table["filled"][0] == 0:
            table["places"][:, self.places] = table["places"][:, : len(self.places)].copy()
        board = "wall" if is_azul else "board"
        tiles = table[board].reshape(*table[board].shape[:2], -1)
        moved = np.empty_like(tiles)
        moved[..., self.cells] = renamed[tiles]
        table[board] = moved.reshape(table[board].shape)
        if is_azul:
            table["line_colour"] = renamed[table["line_colour"]]
        self.game.kernels.refresh_at(table, 0)
        return _with_table(position, table)

    def move(self, move: int | str) -> int:
        """The number of a move after the renaming."""
        return int(self.moves[int(self.game.move(move))])

    @cached_property
    def moves(self) -> Numbers:
        """The same for every move of the action space, by its number before."""
        return _azul_moves(self) if self.game.kernels.rules is azul else _summer_pavilion_moves(self)


# ------------------------------------------------------------------------------------------ Which there are


def factory_order(game: Game, order: Sequence[int]) -> Symmetry:
    """The factories in another order: ``order`` names, from 1, the one that comes first, the second and so on.

    >>> import tilewright as tw
    >>> game = tw.Azul(players=2)
    >>> swap = factory_order(game, [2, 1, 3, 4, 5])
    >>> game.moves[swap.move("1b3")]
    Move(63, '2b3')
    """
    factories = int(count_factories(game.players))
    if sorted(order) != list(range(1, factories + 1)):
        raise BadOption(f"an order of the factories names each from 1 to {factories} once, not {echo(order)}")
    places = np.zeros(factories + 1, np.int64)
    places[np.asarray(order)] = np.arange(1, factories + 1)
    return Symmetry(f"factories {' '.join(map(str, order))}", game, places, np.arange(KINDS), _cells_as_they_are(game))


def symmetries(game: Game) -> list[Symmetry]:
    """Every symmetry of a rule set besides the orders of its factories; the first changes nothing.

    >>> import tilewright as tw
    >>> [len(symmetries(game)) for game in (tw.Azul(), tw.Azul(wall="grey"), tw.SummerPavilion(side="grey"))]
    [1, 240, 6]
    >>> symmetries(tw.Azul(wall="grey"))[3].name
    'colours byrwk, mirrored'
    """
    if game.options.get("wall") == "grey":
        return [
            _grey_wall(game, colours, mirrored)
            for colours, mirrored in product(permutations(range(COLOURS)), (False, True))
        ]
    steps = STAR_SPACES if game.options.get("side") == "grey" else 1
    return [_turned(game, step) if step else _unchanged(game) for step in range(steps)]


def _places_as_they_are(game: Game) -> Numbers:
    return np.arange(int(count_factories(game.players)) + 1)


def _cells_as_they_are(game: Game) -> Numbers:
    return np.arange(LINES * LINES if game.kernels.rules is azul else SPACES)


def _unchanged(game: Game) -> Symmetry:
    return Symmetry("unchanged", game, _places_as_they_are(game), np.arange(KINDS), _cells_as_they_are(game))


def _grey_wall(game: Game, colours: tuple[int, ...], mirrored: bool) -> Symmetry:
    """Grey wall: each colour is as good as another, and a row's run is as long from the right as from the left."""
    name = "colours " + "".join(game.tiles.letters[colour] for colour in colours) + ", mirrored" * mirrored
    kinds = np.array([*colours, azul.JOKER])
    cells = _cells_as_they_are(game).reshape(LINES, LINES)
    return Symmetry(name, game, _places_as_they_are(game), kinds, (cells[:, ::-1] if mirrored else cells).ravel())


def _turned(game: Game, steps: int) -> Symmetry:
    """Grey side: the outer stars go on so many places clockwise, and the centre star turns with them."""
    cells = _cells_as_they_are(game).reshape(-1, STAR_SPACES).copy()
    for star, following in zip(CLOCKWISE, np.roll(CLOCKWISE, -steps), strict=True):
        cells[star] = following * STAR_SPACES + np.arange(STAR_SPACES)
    cells[CENTRE_STAR] = np.roll(cells[CENTRE_STAR], -steps)
    name = f"turned by {360 // STAR_SPACES * steps} degrees"
    return Symmetry(name, game, _places_as_they_are(game), np.arange(KINDS), cells.ravel())


# -------------------------------------------------------------------------------------------- How it is done


def _with_table(position: Position, table: Cells) -> Position:
    dealer = position.dealer
    return Position(position.game, table, dealer.copy() if dealer is not None else None)


def _rename_heaps(heaps: Cells, kinds: Numbers) -> Cells:
    """Heaps with other kinds of tile in the place of each."""
    counts = heaps_as_counts(heaps)
    renamed = np.zeros_like(counts)
    renamed[..., kinds] = counts[..., :KINDS]
    return renamed.view(np.int64)[..., 0]


def _blocks(order: Numbers, within: Numbers) -> Numbers:
    """Numbers that come in blocks of one size: where each goes with its block, and inside of it."""
    return (order[:, None] * len(within) + within).ravel()


def _azul_moves(symmetry: Symmetry) -> Numbers:
    """In the order of ``azul_moves``: by place and colour, then the cells of the wall."""
    game, colours = symmetry.game, symmetry.kinds[:COLOURS]
    of_a_place = _blocks(colours, np.arange(DESTINATIONS))
    if game.options.get("jokers"):
        alone = COLOUR_MOVES + np.arange(DESTINATIONS)
        with_jokers = COLOUR_MOVES + DESTINATIONS + _blocks(colours, np.arange(JOKER_SLOTS))
        of_a_place = np.concatenate([of_a_place, alone, with_jokers])
    taking = _blocks(symmetry.places, of_a_place)
    cells = len(taking) + symmetry.cells
    return np.concatenate([taking, cells[: game.actions - len(taking)]])


def _summer_pavilion_moves(symmetry: Symmetry) -> Numbers:
    """In the order of ``summer_pavilion_moves``: takes, placements, then choices of colours, which stay."""
    grey = int(symmetry.game.options["side"] == "grey")
    taking = _blocks(symmetry.places, symmetry.kinds)
    space, colour, jokers = PLACEMENT[grey, : PLACE_MOVES[grey]].T
    placing = len(taking) + FIRST_PLACEMENT[grey, symmetry.cells[space], colour] + jokers
    choosing = np.arange(len(taking) + len(placing), symmetry.game.actions)
    return np.concatenate([taking, placing, choosing])
