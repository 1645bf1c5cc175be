"""The rules of Courtyard, as kernels.

Two to four players pave one courtyard of five by five cells round a fountain. Three stones lie in the quarry; on your
turn you take one of them and lay it on a free cell, and a new stone is drawn from the bag. You score at once: the size
of the group of equal stones that yours now belongs to, or, with the option ``contrast``, a point for each different
kind of stone beside it. The game ends when the courtyard is paved; most points win.
"""

from __future__ import annotations

import numpy as np

from tilewright.kernels.compile import Row, kernel

KINDS = 4
"""Slate, marble, brick and granite."""
STONES_OF_A_KIND = 8
SIDE = 5
CELLS = SIDE * SIDE
FOUNTAIN = CELLS // 2
QUARRY = 3
FREE = -1

DRAW, LAY, OVER = range(3)
"""Phases: a stone is drawn for the quarry; a player lays one; the end."""

POSITION = np.dtype(
    [
        ("score", np.int16, 4),
        ("courtyard", np.int8, (SIDE, SIDE)),  # the kind on each cell, or FREE
        ("quarry", np.int8, KINDS),  # stones of each kind
        ("bag", np.int8, KINDS),
        ("players", np.int8),
        ("contrast", np.int8),
        ("phase", np.int8),
        ("turn", np.int8),
        ("round_number", np.int8),
        ("laid", np.int8),  # stones in the courtyard
        ("_padding", np.uint8, 1),  # pads the row to a multiple of 8 bytes
    ]
)
BY_SEAT = ("score",)
"""The fields with an entry for each player. The quarry is not one of them: its entries are for the kinds of stone."""


def _neighbours() -> np.ndarray:
    """The cells beside each cell, as bits; nothing lies on the fountain."""
    beside = np.zeros(CELLS, dtype=np.int64)
    for cell in range(CELLS):
        row, column = divmod(cell, SIDE)
        for other in range(CELLS):
            if abs(other // SIDE - row) + abs(other % SIDE - column) == 1:
                beside[cell] |= 1 << other
    return beside


BESIDE = _neighbours()


@kernel
def set_up(position: Row, players: int, contrast: int) -> None:
    """An empty courtyard, a full bag, and the quarry to be filled."""
    for seat in range(4):
        position.score[seat] = 0
    for cell in range(CELLS):
        position.courtyard[cell // SIDE, cell % SIDE] = FREE
    for kind in range(KINDS):
        position.quarry[kind] = 0
        position.bag[kind] = STONES_OF_A_KIND
    position.players = players
    position.contrast = contrast
    position.turn = position.laid = 0
    position.round_number = 1
    position.phase = DRAW


# Stones from the bag --------------------------------------------------------------------------------------


@kernel
def awaits_draw(position: Row) -> bool:
    """Whether the quarry is being filled."""
    return position.phase == DRAW


@kernel
def draw_weight(position: Row, kind: int) -> int:
    """How many stones of a kind are in the bag."""
    return int(position.bag[kind])


@kernel
def draw(position: Row, kind: int) -> None:
    """A stone goes from the bag to the quarry; with three of them there, a player can choose."""
    position.bag[kind] -= 1
    position.quarry[kind] += 1
    if position.quarry.sum() == QUARRY:
        position.phase = LAY


# Laying a stone ---------------------------------------------------------------------------------------------


@kernel
def cells_with(position: Row, kind: int) -> int:
    """The cells that hold a kind of stone, as bits."""
    cells = 0
    for cell in range(CELLS):
        if position.courtyard[cell // SIDE, cell % SIDE] == kind:
            cells |= 1 << cell
    return cells


@kernel
def group_size(position: Row, cell: int) -> int:
    """How many equal stones are connected to the one on a cell, itself included."""
    alike = cells_with(position, int(position.courtyard[cell // SIDE, cell % SIDE]))
    group = 1 << cell
    grown = True
    while grown:
        grown = False
        for other in range(CELLS):
            if alike >> other & 1 and not group >> other & 1 and BESIDE[other] & group:
                group |= 1 << other
                grown = True
    size = 0
    for other in range(CELLS):
        size += group >> other & 1
    return size


@kernel
def count_kinds_beside(position: Row, cell: int) -> int:
    """How many different kinds of stone lie beside a cell."""
    kinds = 0
    for kind in range(KINDS):
        kinds += (cells_with(position, kind) & BESIDE[cell]) != 0
    return kinds


@kernel
def lay(position: Row, kind: int, cell: int) -> int:
    """Lay a stone of the quarry on a free cell; returns the points that the mover scores."""
    position.quarry[kind] -= 1
    position.courtyard[cell // SIDE, cell % SIDE] = kind
    position.laid += 1
    points = count_kinds_beside(position, cell) if position.contrast else group_size(position, cell)
    position.score[position.turn] += points
    return points


@kernel
def end_turn(position: Row) -> None:
    """The game ends when all cells but the fountain are paved; else a stone is drawn for the next player."""
    if position.laid == CELLS - 1:
        position.phase = OVER
        return
    position.turn = (position.turn + 1) % position.players
    position.round_number += position.turn == 0
    position.phase = DRAW


@kernel
def is_over(position: Row) -> bool:
    """Whether the courtyard is paved."""
    return position.phase == OVER


# The moves as numbers: kind * 25 + cell ---------------------------------------------------------------------


@kernel
def count_actions(position: Row) -> int:
    """The size of the action space."""
    return KINDS * CELLS


@kernel
def count_moves(position: Row) -> int:
    """Every kind in the quarry on every free cell."""
    if position.phase != LAY:
        return 0
    kinds = 0
    for kind in range(KINDS):
        kinds += position.quarry[kind] > 0
    return kinds * (CELLS - 1 - position.laid)


@kernel
def nth_move(position: Row, n: int) -> int:
    """The n-th of them, by kind and cell."""
    free = CELLS - 1 - position.laid
    kind = 0
    while True:
        if position.quarry[kind] > 0:
            if n < free:
                break
            n -= free
        kind += 1
    cell = 0
    while True:
        if cell != FOUNTAIN and position.courtyard[cell // SIDE, cell % SIDE] == FREE:
            if n == 0:
                return kind * CELLS + cell
            n -= 1
        cell += 1


@kernel
def apply_move(position: Row, move: int) -> None:
    """Play a legal move."""
    lay(position, move // CELLS, move % CELLS)
    end_turn(position)
