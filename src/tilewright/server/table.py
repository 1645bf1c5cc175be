"""One table: who sits there, the game so far, and who may do what. Knows nothing of the web."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import takewhile
from typing import NamedTuple

from tilewright.game.dealer import SecretDealer
from tilewright.game.effects import Effect
from tilewright.game.errors import BadMove
from tilewright.game.game import Game
from tilewright.game.moves import Draw, Move
from tilewright.game.position import Position
from tilewright.game.record import Record
from tilewright.game.registry import make_game
from tilewright.game.spec import OptionValue
from tilewright.server import days
from tilewright.server.errors import Forbidden, RequestError
from tilewright.server.event_lines import (
    BAR,
    DRAW,
    HELP,
    HELP_FOR_ALL,
    PRACTICE,
    TAKEBACK,
    apply_line,
    draw_line,
    is_takeback,
    read_line,
    shared_line,
)
from tilewright.server.seated_table import SeatedTable
from tilewright.server.stored import FREE, Result, StoredSeat, StoredTable, Version


@dataclass(frozen=True, slots=True)
class LogEntry:
    """A move that stands: the number of its event and who played it. ``log.py`` puts it into words."""

    number: int
    seat: int


class Retry(NamedTuple):
    """The move of a reviewed game that is tried again at a table."""

    review: str
    event: int
    """Its index among the events of that game, from 0."""


@dataclass(frozen=True)
class PlayedMove:
    """A move, the table after it, and what it added: events to store and a line of the log."""

    before: Position
    move: Move
    table: Table
    lines: tuple[str, ...]
    entry: LogEntry

    @cached_property
    def effects(self) -> Sequence[Effect]:
        """What the rules say it did, worked out once for the log and the animation, if anybody watches."""
        return self.before.game.spec.effects(self.before, self.move)

    def work_out(self) -> None:
        """Work the effects out now: a game that fails there should fail before the move counts."""
        _ = self.effects


@dataclass(frozen=True, eq=False, slots=True)
class Table(SeatedTable):
    """A table at one moment. Its events are the lines of a record, and ``takeback N`` for N events undone.

    A line ``practice ID`` follows the events that were copied from the review with that id, and ``help N`` says that
    seat N asked for a hint, ``help N bar`` that it looked at the evaluation bar, and ``help all`` that everybody agreed
    to hints.

    A table never changes: moves, takebacks and changes of seats give a new one. So the next table can be stored
    before anybody sees it, and whoever reads the current one, in whatever thread, sees one moment of the game.
    Thousands of tables are open at once, so each keeps little: the past of its position goes back to the last draw,
    beyond which nothing can be taken back, and the rest follows from the lines.
    """

    game: Game
    position: Position
    lines: tuple[str, ...]
    log: tuple[LogEntry, ...]
    """One entry for each move that stands."""
    turns: tuple[int | None, ...]
    """Whose turn it was before each line that counts on a clock, as a takeback does and a hint does not."""

    @classmethod
    def new(cls, stored: StoredTable, copied: Sequence[str] = ()) -> Table:
        """A new table, whose first tiles are dealt if everybody is seated; or one that begins within another game."""
        return cls.replay(stored, copied).begun()

    @classmethod
    def replay(cls, stored: StoredTable, lines: Sequence[str]) -> Table:
        """A table from its events."""
        game = _game_of(stored)
        position = game.set_up()
        log: list[LogEntry] = []
        turns: list[int | None] = []
        drawn = 0
        for number, line in enumerate(lines, start=1):
            event = read_line(line)
            turns.append(None if event.what in (PRACTICE, HELP) else position.turn)
            if event.what == DRAW:
                drawn += len(position.draw(event.text).kinds)
                position.forget_past()
                continue
            apply_line(position, line)
            if event.what == TAKEBACK:
                del log[len(log) - int(event.text) :]
            elif event.seat is not None:
                log.append(LogEntry(number, event.seat))
        position.dealer = SecretDealer(stored.secret, drawn)
        return cls(stored, game, position, tuple(map(shared_line, lines)), tuple(log), tuple(turns))

    def begun(self) -> Table:
        """The same table with its first tiles dealt, once everybody is seated.

        Nobody sees a deal before that: a host could open table after table until one suits them.
        """
        if self.lines or self.waits_for_players or not self.position.awaits_draw:
            return self
        position = self.position.copy()
        line = f"{DRAW} {position.deal()}"
        position.forget_past()
        return replace(self, position=position, lines=(line,), turns=(None,))

    def moments(self) -> Iterator[tuple[int, str, Position]]:
        """Each event's number and line, and the position before it, which changes when the next one is asked for."""
        position = self.game.set_up()
        for number, line in enumerate(self.lines, start=1):
            yield number, line, position
            apply_line(position, line)

    def position_with_past(self) -> Position:
        """The position with all events that led to it, replayed from the lines."""
        position = self.game.set_up()
        for line in self.lines:
            apply_line(position, line)
        return position

    def seats_given_up(self, owned: Sequence[int], bot: str) -> dict[int, StoredSeat]:
        """The seats of somebody who leaves for good.

        Before the game they are free again, at a rematch where seats are kept for them alone, and if nobody is left the
        table is no longer listed. During the game a bot
        plays on in its own right; in a rated one it plays for the player, who has lost. After the game the name stays
        with the result, and only the list of the player forgets it.
        """
        seats = {n: self.stored.seats[n] for n in owned}
        if self.position.is_over:
            return {n: replace(seat, key_hash=None) for n, seat in seats.items()}
        if not self.waits_for_players and self.stored.rated:
            return {n: self.seat_with_substitute(n, bot, timed_out=True) for n in seats}
        if not self.waits_for_players:
            return {n: StoredSeat("bot", bot=bot) for n in seats}
        deserted = all(n in seats for n, seat in enumerate(self.stored.seats) if seat.kind == "human")
        free = {n: seat for n, seat in enumerate(self.stored.seats) if seat.kind in FREE}
        kept = any(seat.key_hash for seat in free.values())
        given_up = {n: StoredSeat("invite", key_hash=seat.key_hash if kept else None) for n, seat in seats.items()}
        return given_up | {n: replace(seat, kind="invite") for n, seat in free.items() if deserted}

    # Play -----------------------------------------------------------------------------------------------

    @property
    def event(self) -> int:
        """The number of the last event, counted from 1."""
        return len(self.lines)

    def play(self, seats: list[int], move: int | str, after: int | None) -> PlayedMove:
        """A move by somebody who holds these seats and has seen the events up to ``after``."""
        if self.waits_for_players:
            raise Forbidden("not_begun")
        if after is not None and after != self.event:
            exactly = f"the move was meant to follow event {after}, but the table is at event {self.event}"
            raise RequestError("stale_move", exactly=exactly)
        turn = self.position.turn
        if turn is None:
            raise RequestError("game_over")
        if turn not in seats:
            raise Forbidden("not_your_turn", name=lambda language: self.names(language)[turn])
        position = self.position.copy()
        known = position.push(move)
        entry = LogEntry(self.event + 1, turn)
        lines = (shared_line(f"{turn + 1} {known}"), *draw_line(position))
        if len(lines) > 1:
            position.forget_past()
        table = replace(
            self,
            position=position,
            lines=(*self.lines, *lines),
            log=(*self.log, entry),
            turns=(*self.turns, turn, *(None for _ in lines[1:])),
        )
        return PlayedMove(self.position, known, table, lines, entry)

    @property
    def version(self) -> Version:
        """Which version of the table this is."""
        return Version(self.stored.seating, self.event, self.stored.rematch)

    def has_played(self, seats: list[int], move: int | str, after: int | None) -> bool:
        """Whether this very move of one of these seats is what followed event ``after``, and still stands.

        A player with two tabs, or one who sends a move again because the response was lost, gets a success.
        """
        if after is None or not 0 <= after < self.event or any(is_takeback(line) for line in self.lines[after:]):
            return False
        try:
            known = self.game.move(move)
        except BadMove:
            return False
        return self.lines[after] in {f"{seat + 1} {known}" for seat in seats}

    def last_move(self) -> tuple[Position, Move] | None:
        """The last move that stands, and the position before it; None before the first.

        A table keeps its past up to the last draw. To find a move before that, the game is played again.
        """
        if not self.log:
            return None
        before = self.position.without_dealer()
        if before.events:
            move = before.pop()
            assert isinstance(move, Move)
            return before, move
        moments = (moment for moment in self.moments() if moment[0] == self.log[-1].number)
        _, line, position = next(moments)
        return position, self.game.move(read_line(line).text)

    def last_move_of(self, seat: int) -> int | None:
        """The number of a seat's last move that was not taken back; None if there is none."""
        return next((entry.number for entry in reversed(self.log) if entry.seat == seat), None)

    def seat_to_take_back(self, seats: list[int]) -> int:
        """Which of somebody's seats moved last, if that move can be taken back.

        A takeback stops at a draw: a player who has seen the new tiles would choose differently.
        """
        seat, why_not = self._find_takeback(seats)
        if seat is None:
            raise Forbidden(why_not)
        return seat

    def _find_takeback(self, seats: list[int]) -> tuple[int | None, str]:
        """The seat, or the code of the error that says why there is none."""
        if self.stored.is_contest:
            return None, "no_takebacks"
        moves = [(number, seat) for seat in seats if (number := self.last_move_of(seat)) is not None]
        if not moves:
            return None, "no_move_to_take_back"
        number, seat = max(moves)
        later = self.lines[number:]
        if any(line.startswith(DRAW) for line in later):
            return None, "takeback_drawn"
        return (None, "no_move_to_take_back") if any(line.startswith(PRACTICE) for line in later) else (seat, "")

    def may_take_back(self, seats: list[int]) -> bool:
        """Whether the holder of these seats has a move that could be taken back now."""
        return not self.position.is_over and self._find_takeback(seats)[0] is not None

    def take_back(self, seat: int) -> Table:
        """The table without the last move of a seat and everything after it."""
        self.seat_to_take_back([seat])
        number = self.last_move_of(seat)
        assert number is not None
        undone = sum(entry.number >= number for entry in self.log)
        position = self.position.copy()
        line = f"{TAKEBACK} {undone}"
        apply_line(position, line)
        return replace(
            self,
            position=position,
            lines=(*self.lines, line),
            log=self.log[:-undone],
            turns=(*self.turns, self.position.turn),
        )

    def with_help(self, seat: int) -> Table:
        """The same table after a player has asked for a hint, which is remembered."""
        return replace(self, lines=(*self.lines, f"{HELP} {seat + 1}"), turns=(*self.turns, None))

    @property
    def is_helped(self) -> bool:
        """Whether the player to move has asked for a hint since the last move."""
        asked = f"{HELP} {(self.position.turn or 0) + 1}"
        return asked in takewhile(lambda line: line.startswith(HELP), reversed(self.lines))

    def with_bar(self, seat: int) -> Table:
        """The same table after a player has looked at the evaluation bar, which is remembered."""
        return replace(self, lines=(*self.lines, f"{HELP} {seat + 1} {BAR}"), turns=(*self.turns, None))

    def had_bar(self, seat: int) -> bool:
        """Whether a player has looked at the evaluation bar."""
        return f"{HELP} {seat + 1} {BAR}" in self.lines

    def with_hints_allowed(self) -> Table:
        """The same table after everybody has agreed to hints."""
        return replace(self, lines=(*self.lines, HELP_FOR_ALL), turns=(*self.turns, None))

    @property
    def allows_hints(self) -> bool:
        """Whether everybody has agreed to hints."""
        return HELP_FOR_ALL in self.lines

    def allows_help_to(self, seats: list[int]) -> bool:
        """Whether help for whoever plays in these seats harms nobody else: they play against bots, or all agreed."""
        return self.allows_hints or self.holders <= set(seats)

    def hints_of(self, seat: int) -> int:
        """For how many moves a player asked for a hint."""
        return self.lines.count(f"{HELP} {seat + 1}")

    @property
    def retry(self) -> Retry | None:
        """What is tried again here, if anything."""
        found = enumerate(map(read_line, self.lines))
        return next((Retry(line.text, event) for event, line in found if line.what == PRACTICE), None)

    def deals_are_honest(self) -> bool:
        """Whether every tile drawn here follows from the secret whose hash was published at the start."""
        copied = 0 if (retry := self.retry) is None else retry.event
        dealer = SecretDealer(self.stored.secret)
        position = self.game.set_up()
        for number, line in enumerate(self.lines):
            event = read_line(line)
            if event.what == DRAW and number < copied:
                dealer.rewind(dealer.drawn + len(position.draw(event.text).kinds))
                continue
            if event.what == DRAW:
                drawn = Draw(self.game, dealer.deal(self.game.kernels, position.copy().states))
                if event.text != str(drawn):
                    return False
            apply_line(position, line)
        return True

    @property
    def told_secret(self) -> str | None:
        """The secret of the deals, when nobody can use it any more.

        That is after the game; of a daily table, which others play with the same deals, after the day.
        """
        is_over = self.position.is_over and self.stored.daily != days.today()
        return self.stored.secret if is_over else None

    def result(self) -> Result | None:
        """How the game ended; None while it is being played."""
        if not self.position.is_over:
            return None
        return Result(list(self.position.scores), [seat + 1 for seat in self.position.winners])

    def record(self, language: str) -> Record:
        """The game as a record, without its takebacks; when it is over, with the secret of its deals.

        Of a game that began within another one, the first deals follow from another secret: it has none.
        """
        record = Record.of(self.position_with_past(), self.names(language))
        if self.retry is not None:
            return record
        record.secret_hash = self.commitment
        record.secret = self.told_secret
        return record


def _game_of(stored: StoredTable) -> Game:
    return _shared_game(stored.game, stored.players, tuple(stored.options.items()))


@cache
def _shared_game(name: str, players: int, options: tuple[tuple[str, OptionValue], ...]) -> Game:
    """One rule set for all tables that play by it: its catalogue of moves takes 200 kB."""
    return make_game(name, players=players, **dict(options))
