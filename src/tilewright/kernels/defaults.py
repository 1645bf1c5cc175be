"""Kernels that a game may leave out.

By default nothing is drawn, the most points win, and whether a move is legal is found by listing the legal moves. A
game that draws tiles defines ``KINDS``, ``awaits_draw``, ``draw_weight`` and ``draw``; the other kernels here it
defines only to be faster.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.kernels.chance import below
from tilewright.kernels.compile import Cells, Row, jit_options

if TYPE_CHECKING:  # defined by each game
    from tilewright.kernels.interface import count_moves, nth_move

OPTIONAL = (
    "KINDS", "awaits_draw", "draw_weight", "draw", "pick_kind", "deal", "beats", "refresh", "is_legal", "mark_moves",
    "canonicalise",
)  # fmt: skip

KINDS = 0
"""How many kinds of tile can be drawn."""


@jit_options(forceinline=True)
def awaits_draw(position: Row) -> bool:
    """Whether the next event is a draw."""
    return False


@jit_options(forceinline=True)
def draw_weight(position: Row, kind: int) -> int:
    """How many tiles of a kind the next draw may be."""
    return 0


@jit_options(forceinline=True)
def draw(position: Row, kind: int) -> None:
    """Draw one tile of a given kind."""


@jit_options(forceinline=True)
def pick_kind(position: Row, generator: Cells) -> int:
    """The kind of a tile drawn at random; every tile is equally likely.

    If the rules await a draw but leave nothing to draw, the last kind is returned: an index out of range would damage
    memory.
    """
    total = 0
    for kind in range(KINDS):
        total += draw_weight(position, kind)
    rest = below(generator, total)
    kind = 0
    while kind < KINDS - 1 and rest >= draw_weight(position, kind):
        rest -= draw_weight(position, kind)
        kind += 1
    return kind


@jit_options(forceinline=True)
def deal(position: Row, generator: Cells) -> None:
    """Draw at random until a player must decide."""
    while awaits_draw(position):
        draw(position, pick_kind(position, generator))


@jit_options(forceinline=True)
def beats(position: Row, seat: int, other: int) -> bool:
    """Whether a seat ranks above another in a finished game: by points."""
    return position.score[seat] > position.score[other]


@jit_options(forceinline=True)
def refresh(position: Row) -> None:
    """Recompute the fields that are derived from others: by default there are none."""


@jit_options(forceinline=True)
def is_legal(position: Row, move: int) -> bool:
    """Whether a move is among the legal ones."""
    for n in range(count_moves(position)):
        if nth_move(position, n) == move:
            return True
    return False


@jit_options(forceinline=True)
def mark_moves(position: Row, legal: Cells) -> None:
    """Mark every legal move in an array over the action space; the caller has cleared it."""
    for n in range(count_moves(position)):
        legal[nth_move(position, n)] = True


@jit_options(forceinline=True)
def canonicalise(position: Row) -> None:
    """Put interchangeable things into their canonical order: by default there are none."""
