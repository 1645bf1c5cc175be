"""Courtyard: a small tile game of its own, for two to four players. ``rules.py`` tells how it is played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import tilewright as tw
from courtyard import rules
from courtyard.rules import CELLS, FOUNTAIN, KINDS, SIDE
from tilewright.game.tiles import TileSet
from tilewright.kernels.playing import Kernels

TILES = TileSet("smbg", ("slate", "marble", "brick", "granite"))
CELL_NAMES = [f"{row}{column}" for row in "abcde" for column in range(1, SIDE + 1)]
"""By the numbers of the cells: row * 5 + column, from the top left."""


@dataclass(frozen=True)
class Lay:
    """Take a stone from the quarry and lay it on a free cell."""

    kind: int
    cell: str
    """``c4`` is the third row from the top, the fourth column from the left."""

    def __str__(self) -> str:
        return f"{TILES.letters[self.kind]} {self.cell}"


class CourtyardNotation(tw.Notation):
    """``m c4`` lays marble on the cell c4."""

    def actions(self, game: tw.Game) -> Sequence[Lay]:
        """Every stone on every cell, in the order of the rules' numbers."""
        return [Lay(kind, cell) for kind in range(KINDS) for cell in CELL_NAMES]

    def examples(self, game: tw.Game) -> str:
        """A few moves and what they mean."""
        return "'m c4' (marble on row c, column 4), 's a1' (slate on the top left cell)"

    def why_illegal(self, position: tw.Position, move: tw.Move) -> str:
        """The two ways to go wrong."""
        fields: Lay = move.fields
        cell = CELL_NAMES.index(fields.cell)
        if cell == FOUNTAIN:
            return "nothing is laid on the fountain"
        if position.state.courtyard.flat[cell] != rules.FREE:
            return f"{fields.cell} is paved already"
        return f"the quarry has no {TILES.names[fields.kind]}"

    def check_position(self, position: tw.Position) -> None:
        """Stones are neither lost nor added, the fountain is free, and the phase fits the quarry."""
        row = position.state
        stones = [int(kind) for kind in row.courtyard.flat if kind != rules.FREE]
        laid, in_quarry = count_stones(len(stones)), int(row.quarry.sum())
        expected_phase = (
            rules.OVER if len(stones) == CELLS - 1 else rules.LAY if in_quarry == rules.QUARRY else rules.DRAW
        )
        if not all(0 <= kind < len(TILES.names) for kind in stones):
            raise tw.BadPosition(f"a paved cell holds a kind of stone from 0 to {len(TILES.names) - 1}")
        for kind, name in enumerate(TILES.names):
            number = stones.count(kind) + int(row.quarry[kind]) + int(row.bag[kind])
            if number != rules.STONES_OF_A_KIND or min(row.quarry[kind], row.bag[kind]) < 0:
                raise tw.BadPosition(f"the number of stones of {name} is {number}, not {rules.STONES_OF_A_KIND}")
        if row.courtyard.flat[FOUNTAIN] != rules.FREE:
            raise tw.BadPosition("a stone lies on the fountain")
        if row.laid != len(stones) or row.turn != (len(stones) - (row.phase == rules.OVER)) % position.game.players:
            raise tw.BadPosition(f"with {laid} laid, laid={row.laid} and turn={row.turn} are wrong")
        if row.round_number != (len(stones) - (row.phase == rules.OVER)) // position.game.players + 1:
            raise tw.BadPosition(f"with {laid} laid, round_number={row.round_number} is wrong")
        if not 0 <= sum(position.scores) <= len(stones) * rules.STONES_OF_A_KIND or min(position.scores) < 0:
            raise tw.BadPosition(f"{laid} cannot have brought the scores {position.scores}")
        if in_quarry > rules.QUARRY or row.phase != expected_phase:
            raise tw.BadPosition(f"the phase is {position.phase} with {count_stones(in_quarry)} in the quarry")


def count_stones(number: int) -> str:
    """A number of stones for an error message."""
    return "1 stone" if number == 1 else f"{number} stones"


def effects(position: tw.Position, move: tw.Move) -> list[tw.Effect]:
    """The stone goes from the quarry to its cell and scores there; played with the rules' own kernels."""
    fields: Lay = move.fields
    seat = int(position.state.turn)
    after = position.without_dealer()
    points = int(rules.lay(after.state, fields.kind, CELL_NAMES.index(fields.cell)))
    rules.end_turn(after.state)
    cell = f"cell-{fields.cell}"
    stone = tw.TilesMoved(TILES.letters[fields.kind], 1, "quarry", cell)
    return [tw.Effect("lay", after, seat, points, cell, (stone,))]


class Courtyard(tw.Game):
    """Courtyard, for 2 to 4 players: ``Courtyard(players=3, scoring="contrast")``."""

    spec = tw.GameSpec(
        name="courtyard",
        title="Courtyard",
        tiles=TILES,
        phases=("draw", "lay", "over"),
        kernels=Kernels("courtyard", rules),
        notation=CourtyardNotation(),
        options=(tw.Option("scoring", ("groups", "contrast"), "what a stone scores"),),
        rule_set_fields=("players", "contrast"),
        effects=effects,
    )

    def __init__(self, players: int = 2, scoring: str = "groups") -> None:
        super().__init__(players, scoring=scoring)
