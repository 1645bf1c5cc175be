"""A move, a draw, and the legal moves of a position."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeAlias, overload

import numpy as np

from tilewright.game.errors import BadMove, GameFault, IllegalMove, TilewrightError
from tilewright.game.validation import echo

if TYPE_CHECKING:
    from tilewright.game.game import Game
    from tilewright.game.position import Position


@dataclass(frozen=True, repr=False)
class Move:
    """One decision of a player. It knows its number in the game's action space, its text and its fields.

    ``int(move)`` is the number, and a move can be used as an index; but it is not a number itself, because moves of
    different games have the same numbers. Moves are equal only if their rule sets are.

    >>> import tilewright as tw
    >>> game = next(iter(tw.GAMES.values()))()
    >>> move = game.moves[3]
    >>> int(move), game.move(str(move)) == move, move == 3
    (3, True, False)
    """

    number: int
    """Its number in the action space, from 0."""
    game: Game
    fields: Any = field(compare=False)
    """What the move is, as a value with typed fields: the game's page lists them."""

    @cached_property
    def text(self) -> str:
        """The move as records and people write it."""
        return str(self.fields)

    def __index__(self) -> int:
        return self.number

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Move({self.number}, {self.text!r})"


MoveLike: TypeAlias = SupportsIndex | str
"""What is accepted as a move: the move itself, its number or its text."""


def index_by_text(moves: Sequence[Move], texts: Sequence[str]) -> dict[str, Move]:
    """The moves of a game by their texts, which must tell all of them apart."""
    found: dict[str, Move] = {}
    for move, text in zip(moves, texts, strict=True):
        other = found.setdefault(text, move)
        if other is not move:
            raise GameFault(
                move.game.title,
                f"{move.game!r} has two moves that read {echo(text)}: number {other.number}, {other.fields!r},"
                f" and number {move.number}, {move.fields!r}",
            )
    return found


@dataclass(frozen=True)
class Draw:
    """Tiles drawn one after another, as their kinds."""

    game: Game
    kinds: tuple[int, ...]

    def __str__(self) -> str:
        letters = "".join(self.game.tiles.letters[kind] for kind in self.kinds)
        return " ".join(letters[i : i + 4] for i in range(0, len(letters), 4))


Event: TypeAlias = Move | Draw
"""What happens in a game: a player's move, or tiles that were drawn."""


class LegalMoves(Set[Move]):
    """The legal moves of a position, computed on demand: ``len()``, ``in``, iteration and ``[0]`` work.

    They are sorted by number, and ``random.choice`` works too. The view follows the position: after a push it
    shows the new moves.

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
        """The numbers of the moves, as a sorted array."""
        game = self._position.game
        moves = np.empty(game.actions, dtype=np.int64)
        count = game.spec.run(game.kernels.list_moves_at, self._position.states, 0, moves)
        numbers = np.sort(moves[:count])
        if count > len(moves) or (count > 0 and (numbers[0] < 0 or numbers[-1] >= len(moves))):
            listed = f"{count} moves" if count > len(moves) else f"moves from {numbers[0]} to {numbers[-1]}"
            raise GameFault(
                game.title, f"its rules list {listed}, but the moves are numbered from 0 to {len(moves) - 1}"
            )
        return numbers

    def why_none(self) -> TilewrightError:
        """The error to raise where a move is asked for and none is legal."""
        position = self._position
        if position.is_over:
            return IllegalMove("no move can be played: the game is over")
        if position.awaits_draw:
            return IllegalMove("no move can be played: tiles must be drawn first, with draw() or deal()")
        return GameFault(
            position.game.title,
            f"its rules leave player {int(position.state.turn) + 1} no move, but do not end the game",
        )

    def __len__(self) -> int:
        return int(self._position.game.kernels.count_moves_at(self._position.states, 0))

    def __iter__(self) -> Iterator[Move]:
        catalogue = self._position.game.moves
        return iter([catalogue[number] for number in self.numbers()])

    @overload
    def __getitem__(self, index: int) -> Move: ...

    @overload
    def __getitem__(self, index: slice) -> list[Move]: ...

    def __getitem__(self, index: int | slice) -> Move | list[Move]:
        """One of the moves, or some of them; as in lists, negative numbers count from the end."""
        moves = list(self)
        try:
            return moves[index]
        except TypeError:
            raise TypeError(f"a legal move is selected by its number or by a slice, not by {echo(index)}") from None
        except IndexError:
            there = f"they are numbered from 0 to {len(moves) - 1}" if moves else "there are none"
            raise IndexError(f"there is no legal move {echo(index)}: {there}") from None

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, Move | int | np.integer | str):
            return False
        try:
            known = self._position.move(move)
        except BadMove:
            return False
        return bool(self._position.game.kernels.is_legal_at(self._position.states, 0, int(known)))

    @classmethod
    def _from_iterable(cls, moves: Any) -> Any:
        return frozenset(moves)

    def __repr__(self) -> str:
        texts = [str(move) for move in self]
        shown = ", ".join(texts[:8]) + (", ..." if len(texts) > 8 else "")
        return f"<LegalMoves: {len(texts)} ({shown})>"
