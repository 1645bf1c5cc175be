"""Game records: one plain text file a game, with every move and every draw, that any program can replay."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tilewright.game.dealer import Dealer
from tilewright.game.errors import BadRecord, TilewrightError
from tilewright.game.game import Game
from tilewright.game.library import make_game
from tilewright.game.moves import Draw, Event, Move
from tilewright.game.position import Position

FIRST_LINE = "tilewright record 1"
UNFINISHED = "unfinished"
_YES_NO = {"yes": True, "no": False}


@dataclass
class Record:
    """A game from its set-up: who played, what was drawn, what was played.

    >>> import tilewright as tw
    >>> position = tw.Azul(players=2).start(seed=7)
    >>> position.push("1bf")
    Move(30, '1bf')
    >>> record = position.record(["Anna", "Paul"])
    >>> tw.read_record(record.to_text()).replay() == position
    True
    """

    game: Game
    events: list[Event] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    seed: int | None = None

    @classmethod
    def of(cls, position: Position, names: list[str] | None = None) -> Record:
        """The record of a position that was played from its set-up."""
        names = names or [f"player {seat + 1}" for seat in range(position.game.players)]
        if len(names) != position.game.players:
            raise TilewrightError(f"{position.game!r} has {position.game.players} players, not {len(names)}")
        record = cls(position.game, position.events, [" ".join(name.split()) or "?" for name in names])
        try:
            complete = record.replay() == position
        except TilewrightError:
            complete = False
        if not complete:
            raise TilewrightError("this position was read from a text, so its game has no beginning to record")
        record.seed = position.dealer.seed if position.dealer is not None else None
        return record

    def positions(self) -> Iterator[Position]:
        """The position after each event, the set-up first; each is a copy of its own."""
        position = self.game.set_up()
        yield position.copy()
        for event in self.events:
            _play(position, event)
            yield position.copy()

    def replay(self) -> Position:
        """The position at the end, its past included; with the record's seed, a dealer can go on from it."""
        position = self.game.set_up()
        for event in self.events:
            _play(position, event)
        if self.seed is not None:
            drawn = sum(len(event.kinds) for event in self.events if isinstance(event, Draw))
            position.dealer = Dealer(self.seed, drawn)
        return position

    def to_text(self) -> str:
        """The file. Players and seats are counted from 1."""
        lines = [FIRST_LINE, f"game: {self.game.name}", f"players: {self.game.players}"]
        for option, value in self.game.options.items():
            lines.append(f"{option}: {value if isinstance(value, str) else 'yes' if value else 'no'}")
        lines += [f"player {seat + 1}: {name}" for seat, name in enumerate(self.names)]
        if self.seed is not None:
            lines.append(f"seed: {self.seed}")
        body: list[str] = []
        position = self.game.set_up()
        for event in self.events:
            round_before = position.round
            mover = position.turn
            _play(position, event)
            if isinstance(event, Move):
                assert mover is not None
                body.append(f"{mover + 1} {event}")
            else:
                if position.round != round_before or not body:
                    body += ["", f"# round {position.round}"]
                body.append(f"draw {event}")
            if position.round != round_before and isinstance(event, Move):
                body += ["", f"# round {position.round}"]
        lines.append(f"result: {position.outcome() or UNFINISHED}")
        return "\n".join(lines + body) + "\n"

    def save(self, path: str | Path) -> None:
        """Write the file."""
        Path(path).write_text(self.to_text(), encoding="utf-8")


def _play(position: Position, event: Event) -> None:
    if isinstance(event, Move):
        position.push(event)
    else:
        position.draw(str(event))


def read_record(text: str) -> Record:
    """Read a record and check all of it: every draw possible, every move legal, the result true."""
    lines = text.splitlines()
    if not lines or lines[0].strip() != FIRST_LINE:
        raise BadRecord(f"a record begins with {FIRST_LINE!r}", 1)
    header: dict[str, tuple[str, int]] = {}
    body: list[tuple[str, int]] = []
    for number, line in enumerate(lines[1:], start=2):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        name, colon, value = line.partition(": ")
        if colon and not body:
            if name in header:
                raise BadRecord(f"{name!r} stands twice", number)
            header[name] = (value.strip(), number)
        else:
            body.append((line, number))
    record = _read_header(header, len(lines))
    position = _read_body(record, body)
    _check_result(position, *header.get("result", ("", len(lines))))
    return record


def load_record(path: str | Path) -> Record:
    """Read a record from a file."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise BadRecord(f"this is no text file ({error})", 1) from None
    return read_record(text)


def _read_header(header: dict[str, tuple[str, int]], last_line: int) -> Record:
    def value(name: str) -> tuple[str, int]:
        if name not in header:
            raise BadRecord(f"the header has no {name + ':'!r} line", last_line)
        return header[name]

    name, name_line = value("game")
    players, players_line = value("players")
    if players not in ("2", "3", "4"):
        raise BadRecord(f"players: {players} should be 2, 3 or 4", players_line)
    known = {"game", "players", "seed", "result", *(f"player {seat + 1}" for seat in range(int(players)))}
    options = {option: _YES_NO.get(text, text) for option, (text, _) in header.items() if option not in known}
    try:
        game = make_game(name, players=int(players))
    except TilewrightError as error:
        raise BadRecord(str(error), name_line) from None
    for option, choice in options.items():
        try:
            make_game(name, players=int(players), **{option: choice})
        except TilewrightError as error:
            raise BadRecord(str(error), header[option][1]) from None
    game = make_game(name, players=int(players), **options)
    missing = [option for option in game.options if option not in options]
    if missing:
        raise BadRecord(f"the header has no {missing[0] + ':'!r} line", last_line)
    names = [value(f"player {seat + 1}")[0] for seat in range(game.players)]
    seed = header.get("seed")
    if seed is not None and not re.fullmatch(r"[0-9]{1,20}", seed[0]):
        raise BadRecord(f"seed: {seed[0]} should be a whole number", seed[1])
    return Record(game, [], names, int(seed[0]) if seed is not None else None)


def _read_body(record: Record, body: list[tuple[str, int]]) -> Position:
    position = record.game.set_up()
    for line, number in body:
        word, _, rest = line.partition(" ")
        try:
            if word == "draw":
                record.events.append(position.draw(rest))
            elif word.isdigit() and rest:
                _check_seat(position, word, number)
                record.events.append(position.push(rest.strip()))
            else:
                raise BadRecord(f"{line!r} is neither 'draw' and tiles nor a player's number and a move", number)
        except BadRecord:
            raise
        except TilewrightError as error:
            raise BadRecord(str(error), number) from None
    return position


def _check_seat(position: Position, word: str, line: int) -> None:
    if position.turn is None:
        waits = "the game is over" if position.is_over else "tiles must be drawn"
        raise BadRecord(f"no player can move here: {waits}", line)
    if int(word) != position.turn + 1:
        raise BadRecord(f"it is the turn of player {position.turn + 1}, not {word}", line)


def _check_result(position: Position, result: str, line: int) -> None:
    true_result = str(position.outcome() or UNFINISHED)
    if result != true_result:
        raise BadRecord(f"the result is {true_result!r}, not {result!r}", line)
