"""A position: one row of a structured array, the events that led to it, and the dealer if there is one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from tilewright.game.dealer import Dealer
from tilewright.game.errors import BadDraw, BadOption, GameFault, IllegalMove, TilewrightError
from tilewright.game.moves import Draw, Event, LegalMoves, Move, MoveLike
from tilewright.game.outcome import Outcome
from tilewright.game.validation import echo
from tilewright.kernels.compile import Row

if TYPE_CHECKING:
    from tilewright.game.effects import Effect
    from tilewright.game.game import Game
    from tilewright.game.record import Record

_MOVES_SHOWN = 10
"""How many legal moves the error for an illegal one lists."""


@cache
def _row_type(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The same fields as attributes of each row.

    Those of ``np.record`` are looked up by Python code, which took a third of the time of telling what a move does.
    """
    names = dtype.names or ()

    def set_field(row: np.void, name: str, value: Any) -> None:
        if name not in names:
            raise AttributeError(f"a row has no field {name!r}; it has {', '.join(names)}")
        row[name] = value

    def memory(row: np.void) -> Any:
        found = vars(row).get("memory")
        return np.void.data.__get__(row) if found is None else found

    members = {
        "data": property(memory),  # what compiled code reads a row through: NumPy's takes longer than most kernels
        "__getattribute__": object.__getattribute__,
        "__getitem__": np.void.__getitem__,
        "__setattr__": set_field,
        **{name: property(itemgetter(name)) for name in names},
    }
    return np.dtype((type("Row", (np.record,), members), dtype))


@dataclass(frozen=True, slots=True)
class _Step:
    """An event, what the position was before it, and the steps before. Copies share their past."""

    before: _Step | None
    event: Event
    bytes_before: bytes
    automatic: bool


class Position:
    """A game at one moment. Made by ``game.start``, ``game.set_up`` and ``game.position``.

    >>> import tilewright as tw
    >>> position = next(iter(tw.GAMES.values()))(players=3).start(seed=7)
    >>> position.turn, position.round, len(position.scores)
    (0, 1, 3)
    >>> move = position.push(next(iter(position.legal_moves)))
    >>> position.turn
    1
    """

    def __init__(self, game: Game, states: np.ndarray[Any, Any], dealer: Dealer | None = None) -> None:
        self.game = game
        self.states = states
        self.dealer = dealer
        self._last: _Step | None = None
        if dealer is not None:
            self._deal(dealer, automatic=True)

    @property
    def dealer(self) -> Dealer | None:
        """Who draws the tiles; None if they are typed in."""
        return self._dealer

    @dealer.setter
    def dealer(self, dealer: Dealer | None) -> None:
        if dealer is not None and not isinstance(dealer, Dealer):
            raise BadOption(f"a dealer is a tw.Dealer, a tw.SecretDealer or None, not {echo(dealer)}")
        self._dealer = dealer

    # What can be seen -----------------------------------------------------------------------------------

    @cached_property
    def state(self) -> Row:
        """The only row of ``states``, its fields as attributes. For reading; the kernels take ``states``."""
        row = np.frombuffer(self.states, _row_type(self.states.dtype))[0]
        vars(row)["memory"] = np.frombuffer(self.states, np.uint8)  # plain bytes: NumPy describes no fields to Numba
        return row

    def __getstate__(self) -> dict[str, Any]:
        # It is a view of the array: a pickled copy would show another one.
        return {name: value for name, value in vars(self).items() if name != "state"}

    def _number(self, field: str) -> int:
        """A field of the row: ten times as fast as an attribute of a record, which is looked up in Python."""
        return int(self.states[field][0])

    @property
    def turn(self) -> int | None:
        """The seat to move, from 0; None while tiles must be drawn and when the game is over."""
        return None if self.is_over or self.awaits_draw else self._number("turn")

    @property
    def round(self) -> int:
        """The round, from 1."""
        return self._number("round_number")

    @property
    def phase(self) -> str:
        """What happens next, in a word; each game's page lists the phases."""
        try:
            return self.game.phases[self._number("phase")]
        except IndexError:
            raise GameFault(self.game.title, f"its rules have no phase {self._number('phase')}") from None

    @property
    def scores(self) -> tuple[int, ...]:
        """The score of each seat."""
        return tuple(self.states["score"][0, : self.game.players].tolist())

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        over = bool(self.game.spec.run(self.game.kernels.is_over_at, self.states, 0))
        phase, last = self._number("phase"), len(self.game.phases) - 1
        if over != (phase == last):
            ended = "has ended" if over else "goes on"
            told = f"its rules say that the game {ended} in phase {phase}, but the last phase of its spec is {last}"
            raise GameFault(self.game.title, told)
        return over

    @property
    def awaits_draw(self) -> bool:
        """Whether the next event is the draw of a tile."""
        return bool(self.game.kernels.awaits_draw_at(self.states, 0))

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won, more than one if they share the win; empty while the game goes on."""
        if not self.is_over:
            return ()
        mask = int(self.game.spec.run(self.game.kernels.winners_at, self.states, 0))
        return tuple(seat for seat in range(self.game.players) if mask >> seat & 1)

    def outcome(self) -> Outcome | None:
        """None while the game goes on; then the winners, the scores and where every point came from."""
        if not self.is_over:
            return None
        points = tuple(self.game.spec.points(self, seat) for seat in range(self.game.players))
        for seat, (sources, score) in enumerate(zip(points, self.scores, strict=True)):
            if sum(sources.values()) != score:
                told = f"{sum(sources.values())} points, but the score is {score}"
                raise GameFault(self.game.title, f"its points give player {seat + 1} {told}")
        return Outcome(self.winners, self.scores, points)

    # Moves ----------------------------------------------------------------------------------------------

    @property
    def legal_moves(self) -> LegalMoves:
        """A lazy view of the legal moves."""
        return LegalMoves(self)

    def move(self, move: MoveLike) -> Move:
        """Read a move that is meant for this position; a text may leave out what only one legal move can mean."""
        if isinstance(move, str):
            move = self.game.spec.notation.complete(self, move)
        return self.game.move(move)

    def push(self, move: MoveLike) -> Move:
        """Play a move, given as a Move, its number or its text. The dealer, if there is one, deals after it."""
        known = self.move(move)
        before = self.states.tobytes()
        if not self.game.spec.run(self.game.kernels.push_at, self.states, 0, int(known)):
            raise IllegalMove(self._why_not(known))
        self._note(known, before)
        try:
            self._deal(self.dealer, automatic=True)
        except GameFault:
            self.pop()
            raise
        return known

    def _why_not(self, move: Move) -> str:
        if self.is_over:
            return f"{move} cannot be played: the game is over"
        if self.awaits_draw:
            return f"{move} cannot be played: tiles must be drawn first, with draw() or deal()"
        reason = self.game.spec.notation.why_illegal(self, move)
        legal = [str(other) for other in self.legal_moves]
        if not legal:
            raise self.legal_moves.why_none()
        beginnings = (move.text[:length] for length in range(len(move.text), -1, -1))
        near = next(alike for start in beginnings if (alike := [text for text in legal if text.startswith(start)]))
        shown = near[:_MOVES_SHOWN]
        more = f", ... ({len(legal)} in all)" if len(shown) < len(legal) else ""
        return f"{move} is not legal: {reason}. Legal: {', '.join(shown)}{more}"

    def effects(self, move: MoveLike) -> Sequence[Effect]:
        """What happens when a legal move is played, step by step; the position stays as it was.

        >>> import tilewright as tw
        >>> position = next(iter(tw.GAMES.values()))().start(seed=7)
        >>> effects = position.effects(next(iter(position.legal_moves)))
        >>> effects[0].seat == position.turn
        True
        """
        known = self.move(move)
        if known not in self.legal_moves:
            raise IllegalMove(self._why_not(known))
        return self.game.spec.effects(self, known)

    # Numbers for learning -------------------------------------------------------------------------------

    def observation(self, seat: int | None = None) -> np.ndarray[Any, np.dtype[np.float32]]:
        """What a seat observes, as in the environments: the seat to move, unless another is given.

        >>> import tilewright as tw
        >>> position = next(iter(tw.GAMES.values()))().start(seed=7)
        >>> position.observation().shape == (position.game.observer.size,)
        True
        """
        observer = self.turn if seat is None else seat
        if observer is None:
            raise BadOption("no seat is to move here: say which one observes, as in observation(seat=0)")
        return self.game.observer.observe(self.states, 0, observer)

    def mask(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Which moves are legal: True or False for each number of the action space.

        >>> import tilewright as tw
        >>> position = next(iter(tw.GAMES.values()))().start(seed=7)
        >>> int(position.mask().sum()) == len(position.legal_moves)
        True
        """
        marks = np.zeros((1, self.game.actions), np.bool_)
        if self.turn is not None:
            self.game.spec.run(self.game.kernels.mark_each, self.states, marks)
        legal: np.ndarray[Any, np.dtype[np.bool_]] = marks[0]
        return legal

    # Draws ----------------------------------------------------------------------------------------------

    def chances(self) -> dict[str, Fraction]:
        """The kinds of tile that the next draw may bring, each with its probability.

        >>> import tilewright as tw
        >>> sum(next(iter(tw.GAMES.values()))().set_up().chances().values())
        Fraction(1, 1)
        """
        counts = self.draw_weights()
        names = self.game.tiles.names
        return {names[kind]: Fraction(n, sum(counts)) for kind, n in enumerate(counts) if n}

    def draw_weights(self) -> list[int]:
        """How many tiles of each kind the next draw is made from; none unless a draw comes next."""
        weights = np.zeros(len(self.game.tiles.names), np.int64)
        self.game.kernels.draw_weights_at(self.states, 0, weights)
        return [int(weight) for weight in weights]

    def draw(self, tiles: str) -> Draw:
        """Type in tiles drawn at a real table: letters or names, in order. Either all of them are drawn or none.

        >>> import tilewright as tw
        >>> position = next(iter(tw.GAMES.values()))().set_up()
        >>> kinds = list(position.chances())
        >>> len(position.draw(f"{kinds[0]}, {kinds[1]} {kinds[1]}").kinds)
        3
        """
        kinds = self.game.tiles.kinds(tiles, possible=[kind for kind, n in enumerate(self.draw_weights()) if n])
        if not kinds:
            raise BadDraw("no tile was named")
        before = self.states.tobytes()
        weights = np.zeros(len(self.game.tiles.names), np.int64)
        for n, kind in enumerate(kinds):
            self.game.kernels.draw_weights_at(self.states, 0, weights)
            if weights[kind] == 0:
                self._restore(before)
                raise BadDraw(self._why_no_draw(n, kind, weights.tolist()))
            self.game.kernels.draw_at(self.states, 0, kind)
        draw = Draw(self.game, tuple(kinds))
        self._note(draw, before)
        return draw

    def _why_no_draw(self, n: int, kind: int, counts: list[int]) -> str:
        name = self.game.tiles.names[kind]
        if not any(counts):
            return f"tile {n + 1} ({name}) is one too many: the position does not await another tile"
        able = self.game.tiles.name_all(k for k in range(len(counts)) if counts[k])
        return f"tile {n + 1} cannot be {name}: none is left to draw. There are still: {able}"

    def deal(self, seed: int | None = None) -> Draw:
        """Draw at random until a player must decide: from a seed, or from the position's own dealer."""
        if not self.awaits_draw:
            raise BadDraw(f"no tile can be drawn now: the phase is {self.phase!r}")
        if self.dealer is None and seed is None:
            self.dealer = Dealer()
        return self._deal(self.dealer if seed is None else Dealer(seed), automatic=False)

    def _deal(self, dealer: Dealer | None, *, automatic: bool) -> Draw:
        if dealer is None or not self.awaits_draw:
            return Draw(self.game, ())
        before, drawn = self.states.tobytes(), dealer.drawn
        try:
            draw = Draw(self.game, self.game.spec.run(dealer.deal, self.game.kernels, self.states))
            if self.awaits_draw:
                raise GameFault(self.game.title, "its rules await a draw, but nothing can be drawn")
        except GameFault:
            self._restore(before)
            dealer.rewind(drawn)
            raise
        self._last = _Step(self._last, draw, before, automatic)
        return draw

    # The past -------------------------------------------------------------------------------------------

    def _note(self, event: Event, before: bytes) -> None:
        self._last = _Step(self._last, event, before, automatic=False)

    def _restore(self, row: bytes) -> None:
        self.states[:] = np.frombuffer(row, dtype=self.game.kernels.dtype)

    def pop(self) -> Event:
        """Take back the last push, with the deal that followed it, or the last tiles that were typed in.

        The dealer takes its tiles back too: the same moves will bring the same deal again.
        """
        step, undrawn = self._last, 0
        while step is not None:
            undrawn += len(step.event.kinds) if isinstance(step.event, Draw) else 0
            if not step.automatic:
                break
            step = step.before
        if step is None:
            raise TilewrightError("nothing to take back: no move has been played since this position was made")
        self._restore(step.bytes_before)
        if self.dealer is not None:
            self.dealer.rewind(max(0, self.dealer.drawn - undrawn))
        self._last = step.before
        return step.event

    def forget_past(self) -> None:
        """Forget the events so far, to save memory: they can then neither be taken back nor recorded.

        >>> import tilewright as tw
        >>> position = next(iter(tw.GAMES.values()))().start(seed=7)
        >>> position.forget_past()
        >>> position.events
        []
        """
        self._last = None

    @property
    def events(self) -> list[Event]:
        """Every move and draw since the start (or since the text that the position was read from)."""
        events: list[Event] = []
        step = self._last
        while step is not None:
            events.append(step.event)
            step = step.before
        return events[::-1]

    def record(self, names: Sequence[str] | None = None) -> Record:
        """The game so far as a record, with the names of the players in the order of their seats.

        A name fits into one line: line breaks and control characters become spaces, and an empty name becomes ``?``.
        """
        from tilewright.game.record import Record

        return Record.of(self, names)

    # Values ---------------------------------------------------------------------------------------------

    def copy(self) -> Self:
        """An independent copy with the same past and a dealer that will draw the same tiles."""
        twin = self.without_dealer()
        twin.dealer = self.dealer.copy() if self.dealer is not None else None
        return twin

    def without_dealer(self) -> Self:
        """An independent copy with the same past but without a dealer: what a player may know."""
        copied = np.frombuffer(bytearray(self.states.tobytes()), self.states.dtype)  # field by field is slower
        twin = type(self)(self.game, copied)
        twin._last = self._last
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.game == other.game and self.states.tobytes() == other.states.tobytes()

    __hash__ = None  # type: ignore[assignment]  # a push would change it: use to_text() as a key

    def to_text(self) -> str:
        """The position as one line of text, which ``game.position`` reads back."""
        return self.game.spec.notation.write_position(self)

    def __str__(self) -> str:
        # The one look down the layers: a position that prints itself needs a view.
        from tilewright.view.text_drawing import draw_text

        return draw_text(self)

    def _repr_svg_(self) -> str:
        """The table as a picture, for notebooks."""
        from tilewright.view.picture.compose import draw_svg

        return draw_svg(self)

    def __repr__(self) -> str:
        return f"{self.game!r}.position({self.to_text()!r})"
