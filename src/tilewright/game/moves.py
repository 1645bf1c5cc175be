"""A move, a draw, and the legal moves of a position."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from tilewright.game.errors import TilewrightError

if TYPE_CHECKING:
    from tilewright.game.game import Game
    from tilewright.game.position import Position


class Move(int):
    """One decision of a player: a number of the game's action space that knows its text.

    It can be used wherever an integer can. Moves of different rule sets are never equal.

    >>> import tilewright as tw
    >>> game = next(iter(tw.GAMES.values()))()
    >>> move = game.moves[3]
    >>> int(move), game.move(str(move)) == move
    (3, True)
    """

    game: Game
    fields: Any
    """What the move is, as a value with typed fields: the game's page lists them."""

    def __new__(cls, number: int, game: Game, fields: Any) -> Move:
        """Made by a game, which knows all its moves."""
        move = super().__new__(cls, number)
        move.game = game
        move.fields = fields
        return move

    @cached_property
    def text(self) -> str:
        """The move as records and people write it."""
        return str(self.fields)

    def __str__(self) -> str:
        return self.text

    def __eq__(self, other: object) -> bool:
        """A plain number is compared as one; a move of another rule set is another move, whatever its number."""
        if isinstance(other, Move) and self.game != other.game:
            return False
        return int.__eq__(self, other) if isinstance(other, int) else NotImplemented

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = int.__hash__

    def __repr__(self) -> str:
        return f"Move({int(self)}, {self.text!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Move, (int(self), self.game, self.fields)


@dataclass(frozen=True)
class Draw:
    """Tiles drawn one after the other, as their kinds."""

    game: Game
    kinds: tuple[int, ...]

    def __str__(self) -> str:
        letters = "".join(self.game.tiles.letters[kind] for kind in self.kinds)
        return " ".join(letters[i : i + 4] for i in range(0, len(letters), 4))


Event: TypeAlias = Move | Draw
"""What happens in a game: a player's move, or tiles that were drawn."""


class LegalMoves(Set[Move]):
    """The legal moves of a position, worked out when asked: ``len()``, ``in`` and iteration.

    Iteration goes by rising numbers. The view follows the position: after a push it shows the new moves.

    >>> import tilewright as tw
    >>> position = next(iter(tw.GAMES.values()))().start(seed=7)
    >>> len(position.legal_moves) == len(list(position.legal_moves))
    True
    >>> "nonsense" in position.legal_moves
    False
    """

    def __init__(self, position: Position) -> None:
        self._position = position

    def numbers(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """The moves as an array of their numbers, rising."""
        game = self._position.game
        moves = np.empty(game.actions, dtype=np.int64)
        count = game.kernels.list_moves_at(self._position.table, 0, moves)
        return np.sort(moves[:count])

    def __len__(self) -> int:
        return int(self._position.game.kernels.count_moves_at(self._position.table, 0))

    def __iter__(self) -> Iterator[Move]:
        catalogue = self._position.game.moves
        return iter([catalogue[number] for number in self.numbers()])

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, int | np.integer | str):
            return False
        try:
            known = self._position.move(move if isinstance(move, str | Move) else int(move))
        except TilewrightError:
            return False
        return bool(self._position.game.kernels.is_legal_at(self._position.table, 0, int(known)))

    @classmethod
    def _from_iterable(cls, moves: Any) -> Any:
        return frozenset(moves)

    def __repr__(self) -> str:
        texts = [str(move) for move in self]
        shown = ", ".join(texts[:8]) + (", ..." if len(texts) > 8 else "")
        return f"<LegalMoves: {len(texts)} ({shown})>"
