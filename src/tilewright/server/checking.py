"""Whether the games in a database are whole: each is replayed by the rules and by the secret of its deals."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from tilewright.game.errors import BadOption, GameFault
from tilewright.game.registry import GAMES
from tilewright.server.damage import Damage, is_readable, quoted
from tilewright.server.database import CannotServe, Reader, open_reader
from tilewright.server.sqlite_checks import reason
from tilewright.server.store import Library
from tilewright.server.stored import Result, StoredGame, StoredRows, StoredTable, read_events, read_table
from tilewright.server.table import Table

UNREADABLE_ID = "its id cannot be read"


def check(where: str | Path) -> Iterator[tuple[str, str | None]]:
    """Every table of a database, and what is wrong with its game; servers may go on meanwhile."""
    with closing(open_reader(where)) as reader:
        try:
            library = Library(reader)
            for table_id in library.ids():
                if not is_readable(table_id):
                    yield table_id, UNREADABLE_ID
                elif (rows := _rows(library, reader, table_id)) is not None:  # it may have been deleted a moment ago
                    yield table_id, problem_of(rows)
            yield from without_table(reader)
        except reader.error as error:
            raise CannotServe(f"{reader.name} cannot be read: {reason(error)}") from None


def without_table(reader: Reader) -> list[tuple[str, str]]:
    """Games of which there are seats or events, but no table, and what is wrong with them; PostgreSQL has none."""
    lost = "where table_id not in (select id from tables)"
    rows = reader.read(f"select table_id from seats {lost} union select table_id from events {lost}")
    return [(table_id, "it has seats or events, but its table is missing") for (table_id,) in rows]


def _rows(library: Library, reader: Reader, table_id: str) -> StoredRows | None:
    with reader.snapshot():
        return library.rows(table_id)


def problem_of(rows: StoredRows) -> str | None:
    """What is wrong with a game; None if nothing is."""
    try:
        stored = read_table(rows.table, rows.seats)
        if stored.game not in GAMES:
            return f"the game {quoted(stored.game)} is not installed"
        game = StoredGame(stored, read_events(stored.id, rows.events), up_since=0.0)
        return _problem_of(replayed(game))
    except Damage as damage:
        return str(damage)
    except BadOption as error:
        return f"its options are not those of the game: {error}"
    except (ValueError, IndexError) as error:
        return _against_the_rules(error)


def _problem_of(table: Table) -> str | None:
    """What is wrong with a game whose events follow the rules."""
    if not table.deals_are_honest():
        return "its tiles were not drawn by its secret"
    if table.event and table.waits_for_players:
        return "it began before everybody was seated"
    if table.begun() is not table:
        return "everybody is seated, but it has not begun"
    if table.result() != table.stored.result:
        return f"it {_state(table.result())}, but {_stored(table.stored.result)}"
    return None


def replayed(game: StoredGame) -> Table:
    """The table of a stored game; raises Damage if what is stored is none."""
    stored = game.table
    if len(stored.seats) != stored.players:
        raise Damage(stored.id, _wrong_number(stored))
    if game.missing:  # what is left may follow the rules all the same, and no move could ever be stored after it
        raise Damage(stored.id, f"its event {game.missing} is missing")
    try:
        table = Table.replay(stored, [event.line for event in game.events])
    except (BadOption, GameFault):
        raise
    except (ValueError, IndexError) as error:
        raise Damage(stored.id, _against_the_rules(error)) from None
    for entry in table.log:
        if table.turns[entry.number - 1] != entry.seat:
            raise Damage(stored.id, f"its event {entry.number} is a move of somebody whose turn it was not")
    return table


def _wrong_number(stored: StoredTable) -> str:
    seats = len(stored.seats)
    told = f"{seats} seat is" if seats == 1 else f"{seats or 'no'} seats are"
    return f"{told} stored for {stored.players} players"


def _against_the_rules(error: Exception) -> str:
    return f"its events do not follow the rules: {error}"


def _state(result: Result | None) -> str:
    if result is None:
        return "is not over"
    scores, winners = ":".join(map(str, result.scores)), " and ".join(map(str, result.winners))
    return f"ended {scores} and was won by {'players' if len(result.winners) > 1 else 'player'} {winners}"


def _stored(result: Result | None) -> str:
    return "no result is stored" if result is None else f"{quoted(json.dumps(result))} is stored as its result"
