"""The names of slots, spots and places: parts joined by hyphens, of which the first may be a player's board.

In spots, which are the same for all players, ``@`` stands for the board of whoever moves.
"""

from __future__ import annotations


def on_board_of(seat: int, name: str) -> bool:
    """Whether something is on the board of a seat, counted from 0.

    >>> on_board_of(0, "p1-line-2"), on_board_of(0, "p10-line-2"), on_board_of(0, "centre-3")
    (True, False, False)
    """
    return name.partition("-")[0] == _board(seat)


def spot_of(seat: int, spot: str) -> str:
    """A spot as the name of a slot: on the board of the seat that moves, if it is on a board.

    >>> spot_of(1, "@-line-2"), spot_of(1, "factory-3-b")
    ('p2-line-2', 'factory-3-b')
    """
    return spot.replace("@", _board(seat))


def _board(seat: int) -> str:
    return f"p{seat + 1}"
