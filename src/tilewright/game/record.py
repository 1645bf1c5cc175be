"""Game records: one plain text file per game, with every move and every draw, that any program can replay.

A record may hold comments and variations, as a study does (see ``study.py``); a record is its main line alone.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from tilewright.game.dealer import Dealer, SecretDealer
from tilewright.game.errors import BadDraw, BadOption, BadRecord, IllegalMove, RecordFault, TilewrightError
from tilewright.game.game import Game, check_game
from tilewright.game.moves import Draw, Event, Move
from tilewright.game.outcome import result_line
from tilewright.game.position import Position
from tilewright.game.registry import read_game
from tilewright.game.validation import echo, expect_text, shorten, small_number

FIRST_LINE = "tilewright record 1"
UNFINISHED = "unfinished"
_HEADER = ("game", "position", "seed", "secret hash", "secret", "result")
OPENING, CLOSING, COMMENT = "(", ")", "{"
"""What the lines of variations and comments begin with."""
Lines = list[tuple[str, int]]
"""Lines of the body with their numbers."""


@dataclass
class Record:
    """A game from its set-up, or from a position: who played, what was drawn, what was played.

    >>> import tilewright as tw
    >>> position = next(iter(tw.GAMES.values()))(players=2).start(seed=7)
    >>> move = position.push(next(iter(position.legal_moves)))
    >>> record = position.record(["Anna", "Paul"])
    >>> tw.read_record(record.to_text()).replay() == position
    True
    """

    game: Game
    events: list[Event] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    """One for each seat; if there are none, players are named by number."""
    seed: int | None = None
    secret_hash: str | None = None
    """Of a deal from a secret: its hash, which was published before the game."""
    secret: str | None = None
    """The secret itself, which is published when the game is over."""
    start: Position | None = None
    """The position that the record begins with; None for the set-up."""

    def __post_init__(self) -> None:
        check_game(self.game)

    @classmethod
    def of(cls, position: Position, names: Sequence[str] | None = None) -> Record:
        """The record of a position whose game was played from its beginning."""
        given = [] if names is None else _checked_names(names, position.game.players)
        record = cls(position.game, position.events, given or unnamed_players(position.game.players))
        try:
            complete = record.replay() == position
        except TilewrightError:
            complete = False
        if not complete:
            raise TilewrightError("this position was read from a text, so its game has no beginning to record")
        record.seed = position.dealer.seed if position.dealer is not None else None
        return record

    def beginning(self) -> Position:
        """The position before the first event."""
        return self.game.set_up() if self.start is None else self.start.copy()

    def positions(self) -> Iterator[Position]:
        """The position after each event, starting with the beginning; each is an independent copy."""
        position = self.beginning()
        yield position.copy()
        for event in self.events:
            _play(position, event)
            yield position.copy()

    def replay(self) -> Position:
        """The position at the end, its past included; with the record's seed, a dealer can continue from it."""
        position = self.beginning()
        for event in self.events:
            _play(position, event)
        if self.seed is not None:
            drawn = sum(len(event.kinds) for event in self.events if isinstance(event, Draw))
            position.dealer = Dealer(self.seed, drawn)
        return position

    def follows_from_secret(self) -> bool:
        """Whether the secret gives the published hash, and every draw follows from the secret."""
        dealer = SecretDealer(self.secret or "")
        if dealer.commitment != self.secret_hash:
            return False
        position = self.game.set_up()
        for event in self.events:
            if isinstance(event, Draw) and dealer.deal(self.game.kernels, position.copy().states) != event.kinds:
                return False
            _play(position, event)
        return True

    def _secret_lines(self) -> list[str]:
        lines = [f"secret hash: {self.secret_hash}"] if self.secret_hash else []
        if self.secret is None:
            return lines
        return [*lines, f"secret: {self.secret}"]

    def header_lines(self, result: str) -> list[str]:
        """Everything before the first event."""
        lines = [FIRST_LINE, f"game: {self.game.name}", f"players: {self.game.players}"]
        for option in self.game.spec.options:
            lines.append(f"{option.name}: {option.write(self.game.options[option.name])}")
        names = _checked_names(self.names or unnamed_players(self.game.players), self.game.players)
        lines += [f"player {seat + 1}: {name}" for seat, name in enumerate(names)]
        if self.start is not None:
            lines.append(f"position: {self.start.to_text()}")
        if self.seed is not None:
            lines.append(f"seed: {self.seed}")
        return [*lines, *self._secret_lines(), f"result: {result}"]

    def to_text(self) -> str:
        """The file. Players and seats are counted from 1."""
        body: list[str] = []
        position = self.beginning()
        for event in self.events:
            body += event_lines(position, event, is_first=not body)
        return "\n".join([*self.header_lines(result_of(position)), *body]) + "\n"

    def save(self, path: str | Path) -> None:
        """Write the file, completely or not at all: the old contents stay until the new text is on the disk."""
        write_record(path, self.to_text())


def unnamed_players(players: int) -> list[str]:
    """What players are called in a record that was given no names.

    >>> unnamed_players(2)
    ['player 1', 'player 2']
    """
    return [f"player {seat + 1}" for seat in range(players)]


def write_record(path: str | Path, text: str) -> None:
    """Write the text of a record as ``Record.save`` does."""
    path = Path(path)
    handle, unfinished = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:50]}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
        os.chmod(unfinished, 0o644)
        os.replace(unfinished, path)
    except BaseException:
        os.unlink(unfinished)
        raise


def _checked_names(names: object, players: int) -> list[str]:
    """A name for each player, in the order of the seats."""
    if not isinstance(names, Sequence) or isinstance(names, str):
        raise TilewrightError(f"the names of the players are a list of {players} texts, one each, not {echo(names)}")
    if len(names) != players:
        raise TilewrightError(f"a record needs {players} names, one for each player, not {len(names)}")
    return [_one_line(name) for name in names]


def _one_line(name: object) -> str:
    """A name without line breaks and control characters; never empty."""
    text = expect_text(name, "a player's name", TilewrightError)
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split()) or "?"


def _play(position: Position, event: Event) -> None:
    if isinstance(event, Move):
        position.push(event)
    else:
        position.draw(str(event))


def event_lines(position: Position, event: Event, *, is_first: bool = False) -> list[str]:
    """Play an event in a position, and write it: one line, and the heading of a round that begins there."""
    round_before, mover = position.round, position.turn
    _play(position, event)
    begins = position.round != round_before and not position.is_over
    heading = ["", f"# round {position.round}"] if begins else []
    if isinstance(event, Move):
        assert mover is not None
        opening = ["", f"# round {round_before}"] if is_first else []
        return [*opening, f"{mover + 1} {event}", *heading]
    return [*(heading or (["", f"# round {position.round}"] if is_first else [])), f"draw {event}"]


def read_record(text: str) -> Record:
    """Read a record and check all of it: every draw possible, every move legal, the result true.

    Comments and variations are ignored.
    """
    record, body = read_header(text)
    position = record.beginning()
    for line, number in main_line(body):
        record.events.append(read_event(position, line, number))
    check_ending(record, position, text)
    return record


def read_header(text: str) -> tuple[Record, Lines]:
    """The record without its events, and the lines in which they are."""
    header, body = _split(text)
    return _read_header(header), body


def main_line(body: Lines) -> Lines:
    """The events of the body without comments and variations, which need only be closed."""
    events: Lines = []
    opened: list[int] = []
    for line, number in body:
        if line == OPENING:
            opened.append(number)
        elif line == CLOSING:
            if not opened:
                raise BadRecord(f"{CLOSING!r} closes a variation, but none is open", number, RecordFault.VARIATION)
            opened.pop()
        elif not opened and not line.startswith(COMMENT):
            events.append((line, number))
    if opened:
        reason = f"the variation that begins here has no {CLOSING!r} at its end"
        raise BadRecord(reason, opened[-1], RecordFault.VARIATION)
    return events


def check_ending(record: Record, position: Position, text: str) -> None:
    """Check what the header says about the position at the end of the main line."""
    header, _ = _split(text)
    _check_result(position, *header["result"])
    if record.secret is not None:
        _check_secret(record, header["secret"][1])


def _check_secret(record: Record, line: int) -> None:
    try:
        follows = record.follows_from_secret()
    except BadOption as error:
        raise BadRecord(str(error), line, RecordFault.SECRET) from None
    if not follows:
        raise BadRecord("the secret does not produce the published hash and these draws", line, RecordFault.SECRET)


def _split(text: str) -> tuple[dict[str, tuple[str, int]], Lines]:
    """The fields of the header and the lines of the body, all with the numbers of their lines."""
    not_a_record = partial(BadRecord, line=1, fault=RecordFault.NOT_A_RECORD)
    lines = expect_text(text, "a record", not_a_record).removeprefix("\ufeff").splitlines()
    if not lines or lines[0].strip() != FIRST_LINE:
        other = ", and this is another version" if lines and lines[0].startswith("tilewright record ") else ""
        raise not_a_record(f"a record begins with {FIRST_LINE!r}{other}")
    header: dict[str, tuple[str, int]] = {}
    body: Lines = []
    for number, line in enumerate(lines[1:], start=2):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        name, colon, value = line.partition(":")
        if colon and not body and not line.startswith(COMMENT):
            if name in header:
                raise BadRecord(f"{echo(name)} appears twice", number)
            header[name] = (value.strip(), number)
        else:
            body.append((line, number))
    return header, body


def load_record(path: str | Path) -> Record:
    """Read a record from a file."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise BadRecord(f"this is not a text file ({error})", 1, RecordFault.NOT_A_RECORD) from None
    return read_record(text)


def _read_header(header: dict[str, tuple[str, int]]) -> Record:
    last_line = max((line for _, line in header.values()), default=1)

    def value(name: str) -> tuple[str, int]:
        if name not in header:
            hint = f"; if the game is not over, it is 'result: {UNFINISHED}'" if name == "result" else ""
            reason = f"the header has no {name + ':'!r} line{hint}"
            incomplete = BadRecord(reason, last_line, RecordFault.INCOMPLETE_HEADER)
            incomplete.missing = name
            raise incomplete
        return header[name]

    game = _read_game(header, value)
    names = [value(f"player {seat + 1}")[0] for seat in range(game.players)]
    value("result")
    if "secret" in header:
        value("secret hash")
    secret_hash, secret = (header[name][0] if name in header else None for name in ("secret hash", "secret"))
    start = _read_start(game, header)
    return Record(game, [], names, _read_seed(header.get("seed")), secret_hash, secret, start)


def _read_start(game: Game, header: dict[str, tuple[str, int]]) -> Position | None:
    """The position that a record begins with; nobody can have promised its tiles."""
    if "position" not in header:
        return None
    text, line = header["position"]
    if "secret hash" in header or "seed" in header:
        raise BadRecord("a record that begins with a position has neither a seed nor a secret", line)
    try:
        return game.position(text)
    except TilewrightError as error:
        raise BadRecord(str(error), line) from None


def _read_game(header: dict[str, tuple[str, int]], value: Callable[[str], tuple[str, int]]) -> Game:
    """The rule set that the header describes, option by option, so that errors name the right line."""
    name, line = value("game")
    chosen: dict[str, str] = {}
    game = _checked_game(name, chosen, line)
    options = ("players", *game.options)
    players = {field: line for field, (_, line) in header.items() if re.fullmatch(r"player \d+", field)}
    for field_name, (_, line) in header.items():
        if field_name not in (*_HEADER, *options, *players):
            raise BadRecord(f"unknown field {echo(field_name)}", line)
    for option in options:
        chosen[option], line = value(option)
        game = _checked_game(name, chosen, line)
    for field_name, line in players.items():
        if field_name not in [f"player {seat + 1}" for seat in range(game.players)]:
            raise BadRecord(f"{field_name}: there are only {game.players} players", line)
    return game


def _checked_game(name: str, chosen: Mapping[str, str], line: int) -> Game:
    try:
        return read_game(name, chosen)
    except TilewrightError as error:
        raise BadRecord(str(error), line) from None


def _read_seed(seed: tuple[str, int] | None) -> int | None:
    if seed is None:
        return None
    number = small_number(seed[0])
    if number is None or number >= 1 << 64:
        raise BadRecord(f"seed: {shorten(seed[0])} should be a whole number from 0 to 2**64 - 1", seed[1])
    return number


def read_event(position: Position, line: str, number: int) -> Event:
    """Read the event of a line, and play it."""
    first, _, rest = line.partition(" ")
    try:
        if first == "draw":
            return position.draw(rest)
        if small_number(first) is not None and rest:
            _check_seat(position, first, number)
            return position.push(rest.strip())
    except BadRecord:
        raise
    except IllegalMove as error:
        illegal = BadRecord(str(error), number, RecordFault.ILLEGAL_MOVE)
        illegal.illegal = (position, position.move(rest.strip()))
        raise illegal from None
    except TilewrightError as error:
        fault = RecordFault.BAD_DRAW if isinstance(error, BadDraw) else RecordFault.NOT_AN_EVENT
        raise BadRecord(str(error), number, fault) from None
    reason = f"{echo(line)} should be 'draw' and tiles, or a player's number and a move"
    raise BadRecord(reason, number, RecordFault.NOT_AN_EVENT)


def _check_seat(position: Position, player: str, line: int) -> None:
    if position.turn is None:
        reason = f"no player can move here: {'the game is over' if position.is_over else 'tiles must be drawn'}"
    elif not 1 <= int(player) <= position.game.players:
        reason = f"there is no player {player}: they are numbered from 1 to {position.game.players}"
    elif int(player) != position.turn + 1:
        reason = f"it is the turn of player {position.turn + 1}, not {player}"
    else:
        return
    raise BadRecord(reason, line, RecordFault.WRONG_PLAYER)


def result_of(position: Position) -> str:
    """What the header says about the end of the game."""
    return result_line(position.winners, position.scores) if position.is_over else UNFINISHED


def _check_result(position: Position, result: str, line: int) -> None:
    true_result = result_of(position)
    if result == true_result:
        return
    reason = f"the result is {true_result!r}, not {echo(result)}"
    if position.is_over:
        raise BadRecord(reason, line, RecordFault.RESULT)
    raise BadRecord(f"{reason}: after the last event the game is not over", line, RecordFault.UNFINISHED)
