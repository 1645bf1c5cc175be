"""One table: who sits there, the game so far, and who may do what. Knows nothing of the web."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass

from tilewright.game.dealer import SecretDealer
from tilewright.game.errors import BadMove, TilewrightError
from tilewright.game.game import Game
from tilewright.game.library import make_game
from tilewright.game.moves import Draw, Move
from tilewright.game.position import Position
from tilewright.game.record import Record
from tilewright.server.store import StoredSeat, StoredTable
from tilewright.view.language import LANGUAGES
from tilewright.view.log import log_line

TAKEBACK = "takeback"
NAME_LENGTH = 40


class NotAllowed(TilewrightError):
    """Somebody asked for what is not theirs to do."""


def hash_key(key: str) -> str:
    """Keys are kept as hashes: who reads the database cannot sit in anybody's seat."""
    return hashlib.sha256(key.encode()).hexdigest()


def clean_name(name: str, instead: str) -> str:
    """A name in one line of reasonable length."""
    printable = "".join(letter for letter in name if letter.isprintable())
    return " ".join(printable.split())[:NAME_LENGTH] or instead


@dataclass
class LogEntry:
    """A line of the table's log in each language; ``number`` is the event's."""

    number: int
    seat: int | None
    texts: dict[str, str]


@dataclass
class Happened:
    """A move that was played: for the store, the positions before and after, and the line of the log."""

    lines: list[str]
    before: Position
    after: Position
    move: Move
    entry: LogEntry


class Table:
    """A game that is being played. Its events are the lines of a record, and ``takeback N`` for N events undone."""

    def __init__(self, stored: StoredTable, lines: list[str]) -> None:
        self.stored = stored
        self.game: Game = make_game(stored.game, players=stored.players, **stored.options)
        self.lines: list[str] = []
        self.log: list[LogEntry] = []
        blank = self.game.set_up()
        self.position = Position(self.game, blank.table)
        self._drawn = 0
        for line in lines:
            self._replay(line)
        self.position.dealer = SecretDealer(stored.secret, self._drawn)

    @classmethod
    def new(cls, stored: StoredTable) -> tuple[Table, list[str]]:
        """A table whose first deal is done, and the lines to keep."""
        table = cls(stored, [])
        table.position.deal()
        return table, table._keep_draw()

    def _replay(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        if word == "draw":
            self._drawn += len(self.position.draw(rest).kinds)
        elif word == TAKEBACK:
            self._undo(int(rest))
        else:
            self._note(self.game.move(rest), len(self.lines) + 1)
            self.position.push(rest)
        self.lines.append(line)

    def _keep_draw(self) -> list[str]:
        """The line of the draw that has just been made, if the last event is one."""
        last = self.position.events[-1]
        if not isinstance(last, Draw):
            return []
        self._drawn += len(last.kinds)
        self.lines.append(f"draw {last}")
        return [self.lines[-1]]

    def _undo(self, events: int) -> None:
        """Take events back. The dealer goes on where it was: tiles that were seen are not dealt again."""
        target = len(self.position.events) - events
        while len(self.position.events) > target:
            self.position.pop()
        if self.position.dealer is not None:
            self.position.dealer.rewind(self._drawn)
        self.log = self.log[: sum(isinstance(event, Move) for event in self.position.events)]

    def _note(self, move: Move, number: int) -> LogEntry:
        texts = {language: log_line(self.position, move, language) for language in LANGUAGES}
        entry = LogEntry(number, self.position.turn, texts)
        self.log.append(entry)
        return entry

    # Seats ----------------------------------------------------------------------------------------------

    @property
    def id(self) -> str:
        """The unguessable name of the table."""
        return self.stored.id

    @property
    def commitment(self) -> str:
        """The hash of the dealer's secret, published from the start."""
        return SecretDealer(self.stored.secret).commitment

    def seats_of(self, key: str | None) -> list[int]:
        """The seats that a key holds."""
        if not key:
            return []
        held = hash_key(key)
        return [n for n, seat in enumerate(self.stored.seats) if seat.kind == "human" and seat.key_hash == held]

    @property
    def waits_for_players(self) -> bool:
        """Whether a seat is still to be taken."""
        return any(seat.kind in ("invite", "open") for seat in self.stored.seats)

    def sit(self, key: str, name: str, seat: int | None = None) -> int:
        """Take a free seat; the first one if none is named."""
        held = self.seats_of(key)
        if held and seat is None:
            return held[0]  # a second click does not take a second seat
        free = [n for n, stored in enumerate(self.stored.seats) if stored.kind in ("invite", "open")]
        if seat is None:
            if not free:
                raise NotAllowed("every seat of this table is taken")
            seat = free[0]
        if seat not in free:
            raise NotAllowed(f"seat {seat + 1} is not free")
        taken = {other.name for n, other in enumerate(self.stored.seats) if n != seat}
        name = clean_name(name, f"Player {seat + 1}")
        if name in taken:
            name = f"{name} {seat + 1}"
        self.stored.seats[seat] = StoredSeat("human", name, hash_key(key))
        return seat

    def hand_to_bot(self, seat: int, bot: str, name: str) -> None:
        """A bot plays on for somebody who is away."""
        self.stored.seats[seat] = StoredSeat("bot", name, None, bot)

    # Play -----------------------------------------------------------------------------------------------

    @property
    def event(self) -> int:
        """The number of the last event, counted from 1."""
        return len(self.lines)

    @property
    def names(self) -> list[str]:
        """The names by seat."""
        return [seat.name for seat in self.stored.seats]

    def play(self, seats: list[int], move: int | str, after: int | None) -> Happened:
        """A move by somebody who holds these seats and has seen the events up to ``after``."""
        if self.waits_for_players:
            raise NotAllowed("the game begins when every seat is taken")
        if after is not None and after != self.event:
            raise BadMove(f"that move was meant for event {after}, and the table is at event {self.event} now")
        turn = self.position.turn
        if turn is None:
            raise BadMove("the game is over")
        if turn not in seats:
            raise NotAllowed(f"it is the turn of {self.names[turn]}")
        known = self.position.move(move)
        before = self.position.copy()
        entry_number = self.event + 1
        if known not in self.position.legal_moves:
            self.position.push(known)  # raises, and says why
        entry = self._note(known, entry_number)
        self.position.push(known)
        self.lines.append(f"{turn + 1} {known}")
        lines = [self.lines[-1], *self._keep_draw()]
        return Happened(lines, before, self.position.copy(), known, entry)

    def forget(self, happened: Happened) -> None:
        """Undo a move that could not be kept on disk: nobody has seen it."""
        self._drawn -= sum(len(event.kinds) for event in happened.after.events[-1:] if isinstance(event, Draw))
        self.position.pop()
        self.log.pop()
        del self.lines[-len(happened.lines) :]

    def last_move_of(self, seat: int) -> int | None:
        """How many events must be undone to take back the last move of a seat; None if there is none."""
        position = self.position.copy()
        undone = 0
        while position.events:
            mover_events = len(position.events)
            position.pop()
            undone += mover_events - len(position.events)
            if position.turn == seat:
                return undone
        return None

    def take_back(self, seat: int) -> str:
        """Take back the last move of a seat and everything after it; the line to keep."""
        count = self.last_move_of(seat)
        if count is None:
            raise NotAllowed("there is no move to take back")
        self._undo(count)
        self.lines.append(f"{TAKEBACK} {count}")
        return self.lines[-1]

    def deals_are_honest(self) -> bool:
        """Whether every tile drawn follows from the secret whose hash was published at the start."""
        dealer = SecretDealer(self.stored.secret)
        again = Table(self.stored, [])
        for line in self.lines:
            if line.startswith("draw "):
                again.position.dealer = None
                copy = again.position.copy()
                if f"draw {Draw(self.game, dealer.deal(self.game.kernels, copy.table))}" != line:
                    return False
            again._replay(line)
        return True

    def record(self) -> Record:
        """The game as a record, without its takebacks."""
        return Record.of(self.position, self.names)


def new_id() -> str:
    """An unguessable name for a table: 80 bits."""
    return secrets.token_hex(10)
