"""Whether the games in a database are whole: each is replayed by the rules and by the secret of its deals."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from tilewright.game.errors import TilewrightError
from tilewright.game.registry import GAMES
from tilewright.server.database import open_reader
from tilewright.server.store import Library
from tilewright.server.stored import StoredGame
from tilewright.server.table import Table


def check(where: str | Path) -> Iterator[tuple[str, str | None]]:
    """Every table of a database, and what is wrong with its game; servers may go on meanwhile."""
    with closing(open_reader(where)) as reader:
        library = Library(reader)
        for table_id in library.ids():
            game = library.game(table_id)
            if game is not None:  # it may have been deleted a moment ago
                yield table_id, problem_of(game)


def problem_of(game: StoredGame) -> str | None:
    """What is wrong with a game; None if nothing is."""
    stored = game.table
    if stored.game not in GAMES:
        return f"the game {stored.game!r} is not installed"
    if len(stored.seats) != stored.players:
        return f"{len(stored.seats)} seats are stored for {stored.players} players"
    if game.missing:
        return f"its event {game.missing} is missing"  # what is left may follow the rules all the same
    try:
        table = Table.replay(stored, [event.line for event in game.events])
    except (TilewrightError, ValueError, IndexError) as error:
        return f"its events do not follow the rules: {error}"
    if not table.deals_are_honest():
        return "its tiles were not drawn by its secret"
    if table.event and table.waits_for_players:
        return "it began before everybody was seated"
    if table.begun() is not table:
        return "everybody is seated, but it has not begun"
    if table.result() != stored.result:
        return f"its result is {table.result()}, but {stored.result} is stored"
    return None
