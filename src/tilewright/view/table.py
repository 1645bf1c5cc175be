"""The table as text, at a glance: what is on offer, and every player's board."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from tilewright.game.game import Game
from tilewright.game.outcome import Outcome
from tilewright.game.position import Position
from tilewright.game.summer_pavilion import SummerPavilion
from tilewright.rules.factories import NOBODY, count_factories
from tilewright.rules.heap import counts_of
from tilewright.view import azul_board, summer_pavilion_board, words
from tilewright.view.paint import Paint, printable, side_by_side

PANEL_WIDTH = 38
_GAP = 3
_FACTORY_TILES = 4
_FACTORY_WIDTH = 8
_NARROW = 80
_NARROWEST_NAME = 5
WIDTH = 100


def draw_table(position: Position, names: Sequence[str] | None = None, colour: bool = False, width: int = WIDTH) -> str:
    """The whole table in plain text, 80 columns wide; with ``colour``, ANSI codes for a terminal.

    On a screen of less ``width`` the boards stand one below the other, in 40 columns.

    Tiles are capital letters, in brackets where they lie on a board; empty spaces are small or dots.

    >>> import tilewright as tw
    >>> print(draw_table(tw.Azul(players=2).start(seed=7), ["Anna", "Paul"]).splitlines()[1])
    Anna to take tiles
    """
    paint = Paint(colour)
    called = words.player_names(position.game, names)
    board = summer_pavilion_board if isinstance(position.game, SummerPavilion) else azul_board
    panels = [
        board.draw_player(position, seat, called[seat], paint, PANEL_WIDTH) for seat in range(position.game.players)
    ]
    room = width if width < _NARROW else 10 * WIDTH  # only narrow screens break lines
    lines = [paint.strong(line) for line in wrap(words.heading(position), room)]
    lines += [*wrap(words.awaited(position, called), room), ""]
    if not position.is_over:
        lines += [*draw_offer(position, paint, width), ""]
    abreast = 1 if width < _NARROW else 2
    for first in range(0, len(panels), abreast):
        lines += [*side_by_side(panels[first : first + abreast], PANEL_WIDTH, _GAP), ""]
    outcome = position.outcome()
    if outcome is not None:
        lines += draw_points(outcome, called, paint, width)
    return "\n".join(lines).rstrip()


def draw_offer(position: Position, paint: Paint, width: int = WIDTH) -> list[str]:
    """The factories, the centre with the marker, and what is left to come."""
    game, row = position.game, position.row
    factories = [
        f"{factory} {_factory(game, int(row.places[factory]), paint)}"
        for factory in range(1, count_factories(game.players) + 1)
    ]
    centre = [paint.marker()] if row.marker == NOBODY else []
    centre += [heap_in_groups(game, int(row.places[0]), paint)] if row.places[0] else []
    in_line = max(1, (width - len(words.label("")) + 2) // _FACTORY_WIDTH)
    lines = [
        words.label(words.FACTORIES if first == 0 else "") + "  ".join(factories[first : first + in_line]).rstrip()
        for first in range(0, len(factories), in_line)
    ]
    lines.append(words.label(words.CENTRE) + (" ".join(centre) or "-"))
    if isinstance(game, SummerPavilion):
        lines.append(words.label(words.SUPPLY) + (heap_in_groups(game, int(row.supply), paint) or "-"))
        discarded = (words.TOWER, int(row.tower))
    else:
        discarded = (words.LID, int(row.lid))
    bag = tally(game, int(row.bag), paint)
    if width < _NARROW:
        return [*lines, words.label(words.BAG) + bag, words.label(discarded[0]) + tally(game, discarded[1], paint)]
    return [*lines, f"{words.label(words.BAG)}{bag}    {discarded[0]} {tally(game, discarded[1], paint)}"]


def _factory(game: Game, heap: int, paint: Paint) -> str:
    tiles = counts_of(heap)
    drawn = "".join(
        paint.letters(letter, number, name)
        for letter, name, number in zip(game.tiles.letters, game.tiles.names, tiles, strict=True)
    )
    return drawn + paint.faint("." * (_FACTORY_TILES - sum(tiles)))


def heap_in_groups(game: Game, heap: int, paint: Paint) -> str:
    """A heap with its tiles sorted, a group for each kind."""
    kinds = zip(game.tiles.letters, game.tiles.names, counts_of(heap), strict=True)
    return " ".join(paint.letters(letter, number, name) for letter, name, number in kinds if number)


def tally(game: Game, heap: int, paint: Paint) -> str:
    """How many tiles a large heap has, in all and of each kind."""
    kinds = zip(game.tiles.letters, game.tiles.names, counts_of(heap), strict=True)
    parts = [f"{number}{paint.letters(letter, 1, name)}" for letter, name, number in kinds if number]
    total = words.total_of(heap)
    return f"{total}: {' '.join(parts)}" if parts else "0"


def draw_points(outcome: Outcome, names: Sequence[str], paint: Paint, width: int = WIDTH) -> list[str]:
    """Where every point came from: a line for each source, a column for each player."""
    sources = list(outcome.points[0])
    first = max(len(source) for source in sources)
    room = max(_NARROWEST_NAME, (width - first) // len(names) - 2)
    names = [printable(name, room) for name in names]
    widths = [max(len(name), _NARROWEST_NAME) for name in names]

    def line(label: str, cells: Sequence[str]) -> str:
        return label.ljust(first) + "".join(
            "  " + cell.rjust(columns) for cell, columns in zip(cells, widths, strict=True)
        )

    lines = [paint.strong(line("", names))]
    lines += [line(source, [str(points[source]) for points in outcome.points]) for source in sources]
    return [*lines, paint.strong(line(words.TOTAL, [str(score) for score in outcome.scores]))]
