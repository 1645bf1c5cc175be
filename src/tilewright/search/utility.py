"""What a player wants: to win, and among wins the wider ones."""

from __future__ import annotations

from tilewright.kernels.compile import Cells

WIN_WEIGHT = 0.8
MARGIN_WEIGHT = 0.2


def utility(values: Cells, at: int, seat: int, players: int) -> float:
    """From the seats' win chances and margins, the utility of a position to one seat: about -1 to 1, on average 0."""
    win = (players * values[at + seat] - 1) / (players - 1)
    margin = min(1.0, max(-1.0, values[at + players + seat]))
    return WIN_WEIGHT * win + MARGIN_WEIGHT * margin
