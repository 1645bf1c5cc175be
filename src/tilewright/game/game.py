"""A rule set for a person or a program that plays it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

import numpy as np

from tilewright.game.dealer import Dealer
from tilewright.game.errors import AmbiguousMove, BadOption, GameFault, UnreadableMove
from tilewright.game.guarding import guarded
from tilewright.game.moves import Move, MoveLike, index_by_text
from tilewright.game.position import Position
from tilewright.game.row_checks import check_position
from tilewright.game.spec import GameSpec, OptionValue
from tilewright.game.tiles import TileSet
from tilewright.game.validation import echo, is_whole_number
from tilewright.kernels.playing import Kernels

if TYPE_CHECKING:
    from tilewright.envs.observation import Observer
    from tilewright.game.batch import Batch


class Game:
    """A rule set: which game, how many players, which variant. Two with the same options are equal.

    A subclass carries the ``spec`` of its game; whatever a rule set can do follows from that. A rule set never changes,
    so it can be a key, and positions can share it.
    """

    spec: ClassVar[GameSpec]
    position_type: ClassVar[type[Position]] = Position
    """The class of its positions; a game may have one of its own, with the table in the words of its rulebook."""
    players: int
    """The number of players."""
    _options: dict[str, OptionValue]

    def __init__(self, players: int | None = None, **options: Any) -> None:
        if not hasattr(self, "spec"):
            raise TypeError("Game is a base class: make a game with make_game, or with its own class")
        if not isinstance(self.spec, GameSpec):
            raise TypeError(f"the spec of {type(self).__name__} must be a GameSpec, not {echo(self.spec)}")
        for name in options:
            self.spec.option(name)
        vars(self).update(
            players=self.spec.check_players(self.spec.players[0] if players is None else players),
            _options={
                option.name: option.check(options.get(option.name, option.default), self.spec.title)
                for option in self.spec.options
            },
        )

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{self!r} cannot be changed: make another game with the options you want")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{self!r} cannot be changed: it keeps its attribute {name!r}")

    @property
    def options(self) -> Mapping[str, OptionValue]:
        """The variant: the options by name, in a read-only view."""
        return MappingProxyType(self._options)

    @property
    def name(self) -> str:
        """The game's name in commands and files."""
        return self.spec.name

    @property
    def title(self) -> str:
        """The game's name for people."""
        return self.spec.title

    @property
    def tiles(self) -> TileSet:
        """The kinds of tile."""
        return self.spec.tiles

    @property
    def phases(self) -> tuple[str, ...]:
        """The phases by name; the last is the end of the game."""
        return self.spec.phases

    @property
    def kernels(self) -> Kernels:
        """The rules, compiled."""
        return self.spec.kernels

    # Positions ------------------------------------------------------------------------------------------

    def start(self, seed: int | None = None) -> Position:
        """A new game with a dealer, already dealt. Without a seed, the deal is different each time."""
        position = self.set_up()
        return self.trusted_position(position.states, Dealer(seed))

    def set_up(self) -> Position:
        """A new game without a dealer: tiles are typed in with ``draw``, or drawn with ``deal``."""
        states = self.kernels.new_states(1)
        chosen = (option.choices.index(self.options[option.name]) for option in self.spec.options)
        row = states.view(np.recarray)[0]
        self.spec.run(self.kernels.rules.set_up, row, self.players, *chosen)
        for name, end in (("turn", self.players), ("phase", len(self.phases))):
            if not 0 <= int(row[name]) < end:
                told = f"{name}={int(row[name])}, which should be from 0 to {end - 1}"
                raise GameFault(self.title, f"its set_up leaves {told}")
        return self.trusted_position(states)

    def position(self, text: str, seed: int | None = None) -> Position:
        """The position that ``position.to_text()`` wrote; with a seed, a dealer continues from there."""
        states = self.spec.notation.read_position(self, text)
        return self.trusted_position(states, None if seed is None else Dealer(seed))

    def new_position(self, states: np.ndarray[Any, Any], dealer: Dealer | None = None) -> Position:
        """A position made from an array with one row, which it keeps: a row of a batch, of a vector, or of your own.

        The row is checked as strictly as a text, which takes about as long as reading one.

        >>> import tilewright as tw
        >>> game = next(iter(tw.GAMES.values()))()
        >>> batch = game.batch(10, seed=7)
        >>> game.new_position(batch.states[[3]]) == batch[3]
        True
        """
        check_position(self, states)
        return self.trusted_position(states, dealer)

    def trusted_position(self, states: np.ndarray[Any, Any], dealer: Dealer | None = None) -> Position:
        """The same without any check, for rows made by the rules themselves: others can crash the kernels."""
        return self.position_type(self, states, dealer)

    def batch(self, size: int, seed: int | None = None) -> Batch:
        """Many games side by side in one array, for speed. Without a seed, the deals are different each time."""
        from tilewright.game.batch import Batch

        return Batch(self, size, seed)

    @cached_property
    def observer(self) -> Observer:
        """What agents observe, as numbers: the layout, and functions for many positions at once."""
        from tilewright.envs.observation import Observer

        return Observer(self)

    # Moves ----------------------------------------------------------------------------------------------

    @cached_property
    def actions(self) -> int:
        """The size of the action space: moves are the numbers from 0 to this, exclusive."""
        return len(self.moves)

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """Every move of the action space, by number."""
        listed = self.spec.notation.actions(self)
        moves = guarded(self.title, "notation.actions", _numbered)(self, listed)
        actions = int(self.spec.run(self.kernels.count_actions_at, self.set_up().states, 0))
        if len(moves) != actions:
            raise GameFault(
                self.title, f"the rules of {self!r} count {actions} actions, but its notation lists {len(moves)}"
            )
        index_by_text(moves, guarded(self.title, "notation", _texts_of)(moves))
        return moves

    @cached_property
    def _by_text(self) -> dict[str, Move]:
        """Every move by its text, which records contain, and by the spelling to which typed texts are normalised."""
        typed = index_by_text(self.moves, [self.spec.notation.normalise(self, move.text) for move in self.moves])
        return typed | {move.text: move for move in self.moves}

    def move(self, move: MoveLike) -> Move:
        """The move with this number or text."""
        if isinstance(move, str):
            known = self._by_text.get(move)
            if known is None:
                known = self._by_text.get(self.spec.notation.normalise(self, move))
            if known is None and (candidates := self.spec.notation.candidates(self, move)):
                raise AmbiguousMove(f"{echo(move)} may mean {', '.join(map(str, candidates))}")
            if known is None:
                why = self.spec.notation.why_unreadable(self, move)
                raise UnreadableMove(f"{echo(move)} is not a move of {self.title}: {why}")
            return known
        if isinstance(move, Move):
            if move.game != self:
                raise UnreadableMove(f"{move} is a move of {move.game!r}, not of {self!r}")
            move = move.number
        if not is_whole_number(move):
            raise UnreadableMove(f"a move is a Move, its number or its text, not {echo(move)}")
        if not 0 <= move < self.actions:
            raise UnreadableMove(f"moves of {self!r} are numbers from 0 to {self.actions - 1}, not {echo(int(move))}")
        return self.moves[move]

    # Values ---------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"{type(self).__name__}(players={self.players}{options})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return (self.name, self.players, self._options) == (other.name, other.players, other._options)

    def __hash__(self) -> int:
        return hash((self.name, self.players, *self._options.items()))


def check_game(game: object) -> Game:
    """A rule set; its name or its class is refused."""
    if not isinstance(game, Game):
        raise BadOption(f"expected a Game, such as tw.make_game(name, players=2), not {echo(game)}")
    return game


def _numbered(game: Game, actions: object) -> tuple[Move, ...]:
    if not isinstance(actions, Iterable) or isinstance(actions, str):
        raise GameFault(game.title, f"its notation.actions returned {echo(actions)} instead of a list of moves")
    return tuple(Move(number, game, fields) for number, fields in enumerate(actions))


def _texts_of(moves: Sequence[Move]) -> list[str]:
    """The texts of moves, which a line of a record can hold and in which people can see every space."""
    for move in moves:
        if not move.text or move.text != " ".join(move.text.split()) or not move.text.isprintable():
            told = f"move {move.number} of {move.game!r} reads {echo(move.text)}"
            raise GameFault(
                move.game.title, f"{told}; a text needs visible characters, with single spaces between words"
            )
    return [move.text for move in moves]
