"""One table: who sits there, the game so far, and who may do what. Knows nothing of the web."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass, replace

from tilewright.game.dealer import SecretDealer
from tilewright.game.errors import BadMove
from tilewright.game.game import Game
from tilewright.game.moves import Draw, Move
from tilewright.game.position import Position
from tilewright.game.record import Record
from tilewright.game.registry import make_game
from tilewright.server.names import clean_name, names_of
from tilewright.server.refusals import NotAllowed, Refusal
from tilewright.server.store import FREE, Result, StoredSeat, StoredTable
from tilewright.view.language import LANGUAGES
from tilewright.view.narrator import tell

TAKEBACK = "takeback"


def hash_key(key: str) -> str:
    """Keys are kept as hashes: who reads the database cannot sit in anybody's seat."""
    return hashlib.sha256(key.encode()).hexdigest()


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
        self.turns: list[int | None] = []
        """Whose turn it was before each line: the time that a takeback took is theirs."""
        self._dealt_from: list[int] = []
        """For each draw that stands, the number of its first tile among all that the dealer has drawn."""
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
        self.turns.append(self.position.turn)
        if word == "draw":
            self._note_draw(self.position.draw(rest))
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
        self._note_draw(last)
        self.lines.append(f"draw {last}")
        self.turns.append(None)
        return [self.lines[-1]]

    def _note_draw(self, draw: Draw) -> None:
        self._dealt_from.append(self._drawn)
        self._drawn += len(draw.kinds)

    def _undo(self, events: int) -> None:
        """Take events back. The dealer goes on where it was: tiles that were seen are not dealt again.

        Draws are not taken back any more, but older games have such lines.
        """
        target = len(self.position.events) - events
        while len(self.position.events) > target:
            self.position.pop()
        if self.position.dealer is not None:
            self.position.dealer.rewind(self._drawn)
        moves = sum(isinstance(event, Move) for event in self.position.events)
        del self.log[moves:]
        del self._dealt_from[len(self.position.events) - moves :]

    def _note(self, move: Move, number: int) -> LogEntry:
        effects = self.position.effects(move)
        texts = {language: tell(self.position, move, language, effects).sentence for language in LANGUAGES}
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

    def owned_by(self, key: str | None) -> list[int]:
        """The seats that a key holds, also those where a bot plays on for its holder."""
        if not key:
            return []
        held = hash_key(key)
        return [n for n, seat in enumerate(self.stored.seats) if seat.kind == "human" and seat.key_hash == held]

    def seats_of(self, key: str | None) -> list[int]:
        """The seats where the holder of a key plays."""
        return self.played_among(self.owned_by(key))

    def played_among(self, owned: list[int]) -> list[int]:
        """Those of somebody's seats where no bot plays on."""
        return [seat for seat in owned if not self.bot_of(seat)]

    def bot_of(self, seat: int) -> str | None:
        """The bot that plays in a seat, for itself or for somebody; None if a person does."""
        stored = self.stored.seats[seat]
        return stored.bot if stored.kind == "bot" else stored.substitute

    @property
    def people(self) -> set[int]:
        """The seats where people play."""
        return {n for n, seat in enumerate(self.stored.seats) if seat.kind == "human" and not seat.substitute}

    @property
    def waits_for_players(self) -> bool:
        """Whether a seat is still to be taken."""
        return any(seat.kind in FREE for seat in self.stored.seats)

    def seat_for(self, key: str, name: str, seat: int | None = None) -> tuple[int, StoredSeat]:
        """Where somebody may sit, and the seat as it will be; the first free one if none is named."""
        held = self.owned_by(key)
        if held and seat is None:  # a second click does not take a second seat
            return held[0], self.stored.seats[held[0]]
        free = [n for n, stored in enumerate(self.stored.seats) if stored.kind in FREE]
        if seat is None:
            if not free:
                raise NotAllowed("seats_taken")
            seat = free[0]
        if seat not in free:
            raise NotAllowed("seat_taken", seat=seat + 1)
        return seat, StoredSeat("human", clean_name(name), hash_key(key))

    def seat_with_substitute(self, seat: int, bot: str, *, timed_out: bool) -> StoredSeat:
        """The seat of somebody for whom a bot plays on; it stays theirs."""
        return replace(self.stored.seats[seat], substitute=bot, timed_out=timed_out)

    def seat_taken_back(self, seat: int) -> StoredSeat:
        """The seat of somebody who is back."""
        if self.stored.seats[seat].timed_out:
            raise NotAllowed("clock_ran_out")
        return replace(self.stored.seats[seat], substitute=None)

    def seats_for_rematch(self) -> list[StoredSeat]:
        """Everybody one seat further on, so that another one begins; substitutes make room for their people."""
        seats = [replace(seat, substitute=None, timed_out=False) for seat in self.stored.seats]
        return [*seats[1:], seats[0]]

    # Play -----------------------------------------------------------------------------------------------

    @property
    def event(self) -> int:
        """The number of the last event, counted from 1."""
        return len(self.lines)

    def names(self, language: str) -> list[str]:
        """The names by seat, in a viewer's language."""
        return names_of(self.stored.seats, language)

    def play(self, seats: list[int], move: int | str, after: int | None) -> Happened:
        """A move by somebody who holds these seats and has seen the events up to ``after``."""
        if self.waits_for_players:
            raise NotAllowed("not_begun")
        if after is not None and after != self.event:
            exactly = f"that move was meant for event {after}, and the table is at event {self.event} now"
            raise Refusal("stale_move", exactly=exactly)
        turn = self.position.turn
        if turn is None:
            raise Refusal("game_over")
        if turn not in seats:
            raise NotAllowed("not_your_turn", name=lambda language: self.names(language)[turn])
        known = self.position.move(move)
        before = self.position.copy()
        entry_number = self.event + 1
        if known not in self.position.legal_moves:
            self.position.push(known)  # raises, and says why
        entry = self._note(known, entry_number)
        self.position.push(known)
        self.lines.append(f"{turn + 1} {known}")
        self.turns.append(turn)
        lines = [self.lines[-1], *self._keep_draw()]
        return Happened(lines, before, self.position.copy(), known, entry)

    def has_played(self, seats: list[int], move: int | str, after: int | None) -> bool:
        """Whether this very move of one of these seats is what followed event ``after``, and still stands.

        Who has two tabs open, or sends a move again because its answer was lost, has what they wanted.
        """
        if after is None or not 0 <= after < self.event or any(is_takeback(line) for line in self.lines[after:]):
            return False
        try:
            known = self.game.move(move)
        except BadMove:
            return False
        return self.lines[after] in {f"{seat + 1} {known}" for seat in seats}

    def forget(self, happened: Happened) -> None:
        """Undo a move that could not be kept on disk: nobody has seen it."""
        if isinstance(happened.after.events[-1], Draw):
            self._drawn = self._dealt_from.pop()
        self.position.pop()
        self.log.pop()
        del self.lines[-len(happened.lines) :], self.turns[-len(happened.lines) :]

    def last_move_of(self, seat: int) -> int | None:
        """How many events must be undone to take back the last move of a seat; None if there is none."""
        entries = reversed(self.log)
        for undone, event in enumerate(reversed(self.position.events), start=1):
            if isinstance(event, Move) and next(entries).seat == seat:
                return undone
        return None

    def seat_to_take_back(self, seats: list[int]) -> int:
        """Which of somebody's seats moved last, if that move can be taken back.

        A takeback stops at a draw: who has seen new tiles would play differently, and another deal would follow.
        """
        counts = [(count, seat) for seat in seats if (count := self.last_move_of(seat)) is not None]
        if not counts:
            raise NotAllowed("no_move_to_take_back")
        count, seat = min(counts)
        if any(isinstance(event, Draw) for event in self.position.events[-count:]):
            raise NotAllowed("takeback_drawn")
        return seat

    def may_take_back(self, seats: list[int]) -> bool:
        """Whether somebody who holds these seats has a move that could be taken back now."""
        if self.position.is_over:
            return False
        try:
            self.seat_to_take_back(seats)
        except NotAllowed:
            return False
        return True

    def takeback_line(self, seat: int) -> str:
        """The line that takes back the last move of a seat and everything after it."""
        self.seat_to_take_back([seat])
        return f"{TAKEBACK} {self.last_move_of(seat)}"

    def take_back(self, line: str) -> None:
        """Take events back as a line says."""
        self.turns.append(self.position.turn)
        self._undo(int(line.removeprefix(TAKEBACK)))
        self.lines.append(line)

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

    def result(self) -> Result | None:
        """How the game ended; None while it goes on."""
        outcome = self.position.outcome()
        if outcome is None:
            return None
        return Result(list(outcome.scores), [seat + 1 for seat in outcome.winners])

    def record(self, language: str) -> Record:
        """The game as a record, without its takebacks; when it is over, with the secret of its deals."""
        record = Record.of(self.position, self.names(language))
        record.secret_hash = self.commitment
        if self.position.is_over:
            record.secret = self.stored.secret
            record.dealt_from = list(self._dealt_from)
        return record


def is_takeback(line: str) -> bool:
    """Whether a line takes events back."""
    return line.startswith(TAKEBACK)


def new_id() -> str:
    """An unguessable name for a table: 80 bits."""
    return secrets.token_hex(10)
