"""The graph of a review: the win chances of all seats over the events, as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from tilewright.game.moves import Draw
from tilewright.insight.grades import MISTAKES
from tilewright.insight.review import Review
from tilewright.view.grammar import percent
from tilewright.view.language import say

WIDTH, HEIGHT = 760, 240
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 12, 10, 24
_DASHES = ("", "7 4", "2 3", "9 3 2 3")
"""Lines are told apart by their dashes too, not by colour alone."""
_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


def chance_graph(review: Review, names: Sequence[str], language: str) -> str:
    """Win chances from the first deal to the end; deals are vertical lines, mistakes are dots on the mover's line.

    Colours are the classes ``seat0``, ``seat1`` and so on, which the page's style sheet defines. With two players one
    line says it all.
    """
    seats = [0] if len(names) == 2 else list(range(len(names)))
    title = say(language, "insight.report.chance_of", name=names[0]) if len(seats) == 1 else ""
    label = escape(title or say(language, "insight.report.win_chance"))
    return (
        f'<svg class="graph" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}">'
        + _grid(review, language)
        + "".join(_line(review, seat) for seat in seats)
        + "".join(_dots(review, seat, len(seats) == 1) for seat in range(len(names)))
        + "</svg>"
    )


def _x(review: Review, event: int) -> float:
    return _LEFT + (WIDTH - _LEFT - _RIGHT) * event / max(1, len(review.expectations) - 1)


def _y(chance: float) -> float:
    return _TOP + (HEIGHT - _TOP - _BOTTOM) * (1 - chance)


def _grid(review: Review, language: str) -> str:
    """Quarters of the win chance, and the deals with the numbers of their rounds."""
    parts = [
        f'<line class="grid" x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{_y(tick):.1f}" y2="{_y(tick):.1f}"/>'
        f'<text x="{_LEFT - 6}" y="{_y(tick) + 4:.1f}" text-anchor="end">{percent(tick, language)}</text>'
        for tick in _TICKS
    ]
    shown = 0
    for n, (event, position) in enumerate(zip(review.record.events, review.record.positions(), strict=False)):
        if isinstance(event, Draw) and position.round > shown:
            shown, x = position.round, _x(review, n + 1)
            parts.append(f'<line class="deal" x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP}" y2="{HEIGHT - _BOTTOM}"/>')
            parts.append(f'<text x="{x:.1f}" y="{HEIGHT - 8}" text-anchor="middle">{shown}</text>')
    return "".join(parts)


def _line(review: Review, seat: int) -> str:
    points = " ".join(
        f"{_x(review, n):.1f},{_y(one.chances[seat]):.1f}" for n, one in enumerate(review.expectations) if one
    )
    dashes = f' stroke-dasharray="{_DASHES[seat % len(_DASHES)]}"' if _DASHES[seat % len(_DASHES)] else ""
    return f'<polyline class="seat{seat}" points="{points}"{dashes}/>'


def _dots(review: Review, seat: int, on_first_line: bool) -> str:
    """The mistakes of a seat: filled for the first, hollow for the others."""
    found = []
    for move in review.moves:
        after = review.expectations[move.event + 1]
        if move.seat == seat and move.grade in MISTAKES and after is not None:
            chance = after.chances[0 if on_first_line else seat]
            x, y = _x(review, move.event + 1), _y(chance)
            found.append(f'<circle class="seat{seat} {move.grade}" cx="{x:.1f}" cy="{y:.1f}" r="4"/>')
    return "".join(found)
