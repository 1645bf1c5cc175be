"""What all games of the family have in common for a person or a program that plays them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from tilewright.game.dealer import Dealer
from tilewright.game.errors import BadOption, UnreadableMove
from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.game.tiles import TileSet
from tilewright.game.words import echo
from tilewright.rules.kernel import Row
from tilewright.rules.playing import Kernels

if TYPE_CHECKING:
    from tilewright.game.batch import Batch


class Game(ABC):
    """A rule set: which game, how many players, which variant. Two with the same options are equal."""

    name: ClassVar[str]
    """The game's name in commands and files."""
    title: ClassVar[str]
    """The game's name for people."""
    tiles: ClassVar[TileSet]
    phases: ClassVar[tuple[str, ...]]
    drawing_phases: ClassVar[tuple[str, ...]]
    kernels: ClassVar[Kernels]

    def __init__(self, players: int) -> None:
        if isinstance(players, bool) or not isinstance(players, int | np.integer) or not 2 <= players <= 4:
            raise BadOption(f"{self.title} is for 2, 3 or 4 players, not {echo(players)}")
        self.players = int(players)

    @property
    @abstractmethod
    def options(self) -> dict[str, str | bool]:
        """The variant, by the names of the arguments."""

    @abstractmethod
    def _set_up(self, row: Row) -> None:
        """Make a row the position before the first tile is drawn."""

    @abstractmethod
    def move_texts(self) -> list[str]:
        """The text of every move, by number."""

    @abstractmethod
    def normalise(self, text: str) -> str:
        """What a person typed, in the spelling of the move texts."""

    @abstractmethod
    def why_illegal(self, position: Position, move: Move) -> str:
        """Which rule a move breaks, in words."""

    @abstractmethod
    def points(self, row: Row, seat: int) -> dict[str, int]:
        """Where the points of a seat came from; the values add up to the score of a finished game."""

    @abstractmethod
    def write_position(self, position: Position) -> str:
        """A position in one line of text."""

    @abstractmethod
    def _read_position(self, text: str) -> np.ndarray[Any, Any]:
        """The row that a line of text describes, checked."""

    # Positions ------------------------------------------------------------------------------------------

    def start(self, seed: int | None = None) -> Position:
        """A new game with a dealer, who has dealt. Without a seed the deal is different each time."""
        position = self.set_up()
        return Position(self, position.table, Dealer(seed))

    def set_up(self) -> Position:
        """A new game without a dealer: tiles are typed in with ``draw``, or drawn with ``deal``."""
        table = self.kernels.new_table(1)
        self._set_up(table.view(np.recarray)[0])
        return Position(self, table)

    def position(self, text: str, seed: int | None = None) -> Position:
        """The position that ``position.to_text()`` wrote; with a seed, a dealer goes on from there."""
        return Position(self, self._read_position(text), None if seed is None else Dealer(seed))

    def batch(self, size: int, seed: int = 0) -> Batch:
        """Many games side by side in one array, for speed."""
        from tilewright.game.batch import Batch

        return Batch(self, size, seed)

    # Moves ----------------------------------------------------------------------------------------------

    @cached_property
    def actions(self) -> int:
        """The size of the action space: moves are the numbers from 0 to this, exclusive."""
        return len(self.moves)

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """Every move of the action space, by number."""
        return tuple(Move(number, self, text) for number, text in enumerate(self.move_texts()))

    @cached_property
    def _by_text(self) -> dict[str, Move]:
        return {self.normalise(move.text): move for move in self.moves}

    def move(self, move: int | str) -> Move:
        """The move of a number or a text."""
        if isinstance(move, str):
            known = self._by_text.get(self.normalise(move))
            if known is None:
                raise UnreadableMove(f"{echo(move)} is no move of {self.title}: {self.why_unreadable(move)}")
            return known
        if isinstance(move, Move) and move.game != self:
            raise UnreadableMove(f"{move} is a move of {move.game!r}, not of {self!r}")
        if isinstance(move, bool) or not isinstance(move, int | np.integer):
            raise UnreadableMove(f"a move is a Move, its number or its text, not {echo(move)}")
        if not 0 <= move < self.actions:
            raise UnreadableMove(f"moves of {self!r} are numbers from 0 to {self.actions - 1}, not {echo(int(move))}")
        return self.moves[move]

    def complete(self, text: str, position: Position) -> int | str:
        """A text that leaves out what is not in doubt becomes whole; others stay as they are."""
        return text

    def why_unreadable(self, text: str) -> str:
        """What is wrong with a text that is no move at all."""
        return f"moves look like {self.examples()}"

    @abstractmethod
    def examples(self) -> str:
        """A few moves and what they mean, for error messages."""

    # Values ---------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"{type(self).__name__}(players={self.players}{options})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return (self.name, self.players, self.options) == (other.name, other.players, other.options)

    def __hash__(self) -> int:
        return hash((self.name, self.players, *self.options.items()))
