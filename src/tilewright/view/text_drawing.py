"""A position as text, at a glance: what is on offer, and every player's board."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import Protocol, cast

from tilewright.game.game import Game
from tilewright.game.outcome import Outcome
from tilewright.game.position import Position
from tilewright.game.spec import GameSpec
from tilewright.view import default_terminal, narrator
from tilewright.view.faults import shown_outcome
from tilewright.view.language import DEFAULT, say
from tilewright.view.paint import Paint, printable, side_by_side

PANEL_WIDTH = 38
_GAP = 3
_NARROW = 80
_NARROWEST_NAME = 5
WIDTH = 100


def draw_text(
    position: Position,
    names: Sequence[str] | None = None,
    colour: bool = False,
    width: int = WIDTH,
    language: str = DEFAULT,
) -> str:
    """A position in plain text, 80 columns wide; with ``colour``, ANSI codes for a terminal.

    On a screen of less ``width`` the boards stand one below the other, in 40 columns.

    Tiles are capital letters, in brackets where they lie on a board; empty spaces are small or dots.

    >>> from tilewright.game.registry import GAMES
    >>> game = next(iter(GAMES.values()))()
    >>> draw_text(game.start(seed=7)).startswith(game.title)
    True
    """
    terminal = terminal_of(position.game)
    paint = Paint(colour, position.game.tiles.names, getattr(terminal, "TILE_COLOURS", None))
    called = narrator.player_names(position.game, names, language)
    panels = [
        terminal.draw_player(position, seat, called[seat], paint, PANEL_WIDTH, language)
        for seat in range(position.game.players)
    ]
    room = min(width, _NARROW)
    lines = [paint.strong(line) for line in wrap(narrator.heading(position, language), room)]
    lines += [*wrap(narrator.awaited(position, called, language), room), ""]
    if not position.is_over:
        lines += [*terminal.draw_offer(position, paint, width, language), ""]
    abreast = 1 if width < _NARROW else 2
    for first in range(0, len(panels), abreast):
        lines += [*side_by_side(panels[first : first + abreast], PANEL_WIDTH, _GAP), ""]
    outcome = shown_outcome(position)
    if outcome is not None:
        lines += draw_points(outcome, position.game.spec, called, paint, width, language)
    return "\n".join(lines).rstrip()


class TerminalDrawing(Protocol):
    """What a game's module ``terminal`` provides; it may have ``TILE_COLOURS`` for its kinds of tile."""

    def draw_player(
        self, position: Position, seat: int, name: str, paint: Paint, columns: int, language: str
    ) -> list[str]:
        """The lines of one player's board."""

    def draw_offer(self, position: Position, paint: Paint, columns: int, language: str) -> list[str]:
        """What is on offer, and what is left to come."""

    def legend(self, game: Game, language: str) -> str:
        """How to read the drawing; 80 columns wide."""

    def kinds(self, game: Game) -> list[int]:
        """The kinds of tile that a rule set plays with."""


def terminal_of(game: Game) -> TerminalDrawing:
    """The module that draws a game as text: its own, or the one that shows the fields of any position."""
    return cast(TerminalDrawing, game.spec.part("terminal") or default_terminal)


def draw_points(
    outcome: Outcome, spec: GameSpec, names: Sequence[str], paint: Paint, width: int, language: str
) -> list[str]:
    """Where every point came from: a line for each source, a column for each player."""
    sources = {source: narrator.source_name(spec, source, language) for points in outcome.points for source in points}
    total = say(language, "terminal.total")
    first = max(len(label) for label in [*sources.values(), total])
    room = max(_NARROWEST_NAME, (width - first) // len(names) - 2)
    names = [printable(name, room) for name in names]
    widths = [max(len(name), _NARROWEST_NAME) for name in names]

    def line(label: str, cells: Sequence[str]) -> str:
        return label.ljust(first) + "".join(
            "  " + cell.rjust(columns) for cell, columns in zip(cells, widths, strict=True)
        )

    lines = [paint.strong(line("", names))]
    lines += [line(told, [str(points.get(source, 0)) for points in outcome.points]) for source, told in sources.items()]
    return [*lines, paint.strong(line(total, [str(score) for score in outcome.scores]))]
