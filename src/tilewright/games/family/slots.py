"""The slots of the family's pictures as values: whose they are, in which area they lie, and their numbers there."""

from __future__ import annotations

from dataclasses import dataclass

from tilewright.game.validation import small_number
from tilewright.games.family.factories import MOST_PLAYERS


@dataclass(frozen=True)
class Slot:
    """A slot of a picture, or a control that a seat has.

    >>> Slot.read("p2-line-3-0")
    Slot(area='line', seat=1, numbers=(3, 0))
    >>> Slot.read("factory-4-1"), Slot.read("centre-marker")
    (Slot(area='factory', seat=None, numbers=(4, 1)), Slot(area='centre-marker', seat=None, numbers=()))
    """

    area: str
    seat: int | None = None
    """From 0; None if it belongs to nobody."""
    numbers: tuple[int, ...] = ()
    """As the name has them."""

    @classmethod
    def read(cls, name: str) -> Slot:
        """A slot from its name: the seat, the words of the area and the numbers, between hyphens."""
        parts = name.split("-")
        seat = _SEATS.get(parts[0])
        if seat is not None:
            del parts[0]
        numbers: list[int] = []
        while parts and (number := small_number(parts[-1])) is not None:
            numbers.insert(0, number)
            del parts[-1]
        return cls("-".join(parts), seat, tuple(numbers))


_SEATS = {f"p{seat + 1}": seat for seat in range(MOST_PLAYERS)}
