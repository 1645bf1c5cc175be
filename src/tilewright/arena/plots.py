"""Small pictures of numbers, as SVG. Colours are classes (``bot0``, ``bot1``, ...), which the page's style fills in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, isnan, log10
from typing import Any

import numpy as np

WIDTH = 400
_LEFT, _RIGHT = 10, 14
_ROW, _GAP = 56, 32
_COLOURS = 8
_THICK = 15
NOBODY = -1
"""The colour of what belongs to no bot."""
_MOST_BINS = 40
_LETTER = 7.2
"""The width of a letter, about, to keep labels apart."""


@dataclass(frozen=True)
class Series:
    """Numbers that belong together: a bot's, mostly."""

    name: str
    values: Sequence[float]
    colour: int = 0

    @property
    def style(self) -> str:
        """The class that colours it."""
        return "neutral" if self.colour == NOBODY else f"bot{self.colour % _COLOURS}"


@dataclass(frozen=True)
class Axis:
    """Where values lie on the paper, from left to right."""

    low: float
    high: float
    left: float = _LEFT
    right: float = WIDTH - _RIGHT

    def at(self, value: float) -> float:
        """The x of a value."""
        return self.left + (value - self.low) / (self.high - self.low) * (self.right - self.left)

    def grid(self, top: float, bottom: float) -> str:
        """Thin lines at round numbers, a stronger one at zero."""
        lines = []
        for tick in self._ticks():
            x, strong = self.at(tick), " zero" if tick == 0 else ""
            lines.append(f'<line class="grid{strong}" x1="{x:.1f}" x2="{x:.1f}" y1="{top:.1f}" y2="{bottom:.1f}"/>')
        return "".join(lines)

    def numbers(self, y: float) -> str:
        """The round numbers, to be written below the grid."""
        return "".join(_centred(self.at(tick), y + 15, f"{tick:g}") for tick in self._ticks())

    def _ticks(self) -> list[float]:
        return ticks(self.low, self.high, about=max(2, int((self.right - self.left) / 55)))


def ticks(low: float, high: float, about: int = 6) -> list[float]:
    """Round numbers between two others, roughly ``about`` of them.

    >>> ticks(-12, 83)
    [0.0, 20.0, 40.0, 60.0, 80.0]
    """
    rough = (high - low) / about
    power = 10 ** floor(log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * 0.999)
    return [round(k * step, 10) + 0.0 for k in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]


def histograms(series: Sequence[Series], described: str) -> str:
    """A row for each series over one axis: how often its values came, and a mark at their mean."""
    edges = bins([value for one in series for value in one.values])
    axis = Axis(float(edges[0]), float(edges[-1]))
    body, top = "", 0.0
    for one in series:
        body += _histogram(one, axis, edges, top)
        top += _GAP + _ROW
    return _picture(top + 20, body + axis.numbers(top), described)


def _histogram(one: Series, axis: Axis, edges: np.ndarray[Any, Any], top: float) -> str:
    roof, foot = top + _GAP, top + _GAP + _ROW
    counts = np.histogram(one.values, edges)[0]
    body = axis.grid(roof, foot)
    for k in np.flatnonzero(counts):
        x, right = axis.at(float(edges[k])), axis.at(float(edges[k + 1]))
        height = counts[k] / counts.max() * _ROW
        span = f"{edges[k]:g} to {edges[k + 1] - 1:g}" if edges[1] - edges[0] > 1 else f"{edges[k] + 0.5:g}"
        told = f"{span}: {int(counts[k]):,} ({counts[k] / len(one.values):.1%})"
        body += _bar(x + 0.5, foot - height, max(1.0, right - x - 1), height, one.style, told)
    mean = float(np.mean(one.values))
    body += _upright(axis.at(mean), roof, foot)
    body += _text(_LEFT, roof - 9, one.name, "start", "name")
    return body + _text(WIDTH - _RIGHT, roof - 9, f"mean {mean:.1f}", "end", "tick")


def bins(values: Sequence[float]) -> np.ndarray[Any, np.dtype[np.floating[Any]]]:
    """Edges of equally wide bins, each of a round number of whole points, that hold all values."""
    low, high = floor(min(values)), floor(max(values)) + 1
    width = next(w for w in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10**6) if (high - low) / w <= _MOST_BINS)
    if width == 1:
        return np.arange(low, high + 1) - 0.5
    return np.arange(floor(low / width), ceil(high / width) + 1) * float(width)


def grouped_bars(
    groups: Sequence[str], series: Sequence[Series], described: str, form: str = "{:.1f}", line: float | None = None
) -> str:
    """For each group a bar of every series, lying, from zero to the right or left; ``line`` is what to compare with."""
    values = [value for one in series for value in one.values if not isnan(value)] + [0.0, line or 0.0]
    space = 50.0
    axis = Axis(min(values), max(values) or 1.0, _LEFT + space * (min(values) < 0), WIDTH - _RIGHT - space)
    bars, labels, top = "", "", 0.0
    for n, group in enumerate(groups):
        labels += _text(_LEFT, top + 15, group, "start", "name")
        top += 21
        for one in series:
            if not isnan(value := one.values[n]):
                bars += _lying_bar(axis, top, value, one)
                labels += _bar_label(axis, top, value, form)
                top += _THICK
        top += 8
    bars += f'<line class="grid zero" x1="{axis.at(0):.1f}" x2="{axis.at(0):.1f}" y1="20" y2="{top - 6:.1f}"/>'
    if line is not None:
        bars += _upright(axis.at(line), 20, top)
        labels += _centred(axis.at(line), top + 12, f"fair {form.format(line)}")
        top += 16
    return _picture(top, bars + labels, described) + legend(series)


def _lying_bar(axis: Axis, y: float, value: float, one: Series) -> str:
    left, right = sorted((axis.at(0), axis.at(value)))
    return _bar(left, y, max(0.6, right - left), _THICK - 2, one.style, f"{one.name}: {value:.2f}")


def _bar_label(axis: Axis, y: float, value: float, form: str) -> str:
    x, anchor = (axis.at(value) + 4, "start") if value >= 0 else (axis.at(value) - 4, "end")
    return _text(x, y + _THICK - 3, form.format(value), anchor, "tick")


def _upright(x: float, top: float, bottom: float) -> str:
    return f'<line class="mean" x1="{x:.1f}" x2="{x:.1f}" y1="{top:.1f}" y2="{bottom:.1f}"/>'


def standing_bars(labels: Sequence[str], counts: Sequence[int], described: str, style: str = "bot0") -> str:
    """Counts side by side, each with its share of all."""
    total, most, height = sum(counts), max(*counts, 1), 110
    each = (WIDTH - _LEFT - _RIGHT) / len(counts)
    body = []
    for n, (label, count) in enumerate(zip(labels, counts, strict=True)):
        x, tall = _LEFT + n * each, count / most * height
        body.append(_bar(x + each * 0.1, 22 + height - tall, each * 0.8, tall, style, f"{label}: {count:,}"))
        body.append(_text(x + each / 2, 17 + height - tall, f"{count / total:.1%}", "middle", "tick"))
        body.append(_text(x + each / 2, 38 + height, label, "middle", "name"))
    return _picture(height + 46, "".join(body), described)


def intervals(rows: Sequence[tuple[str, float, float, float]], described: str) -> str:
    """A dot and its interval for each row: name, value, low, high."""
    axis = Axis(*_padded(min(low for *_, low, _ in rows), max(high for *_, high in rows)))
    body, top = [], 0.0
    for name, value, low, high in rows:
        y = top + 28
        body.append(_text(_LEFT, top + 15, name, "start", "name"))
        body.append(_text(WIDTH - _RIGHT, top + 15, f"{value:+.0f} ({low:+.0f} to {high:+.0f})", "end", "tick"))
        body.append(f'<line class="whisker" x1="{axis.at(low):.1f}" x2="{axis.at(high):.1f}" y1="{y}" y2="{y}"/>')
        body.append(f'<circle class="bot0" cx="{axis.at(value):.1f}" cy="{y}" r="5"/>')
        top += 40
    return _picture(top + 20, axis.grid(20, top) + axis.numbers(top) + "".join(body), described)


def walk(values: Sequence[float], low: float, high: float, described: str) -> str:
    """A curve between two bounds, one value a step from the left."""
    height, axis = 200.0, Axis(0, max(1, len(values)))
    bottom, top = _padded(min(low, *values, 0), max(high, *values, 0))

    def y(value: float) -> float:
        return 8 + (top - value) / (top - bottom) * height

    every = max(1, len(values) // 1000)
    points = [(0, 0.0), *((k + 1, values[k]) for k in range(every - 1, len(values), every))]
    if values:
        points.append((len(values), values[-1]))
    path = " ".join(f"{axis.at(x):.1f},{y(value):.1f}" for x, value in points)
    body = axis.grid(8, 8 + height) + axis.numbers(8 + height)
    body += f'<line class="grid zero" x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{y(0):.1f}" y2="{y(0):.1f}"/>'
    for bound, told in ((low, "accept H0"), (high, "accept H1")):
        at = y(bound)
        body += f'<line class="bound" x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{at:.1f}" y2="{at:.1f}"/>'
        body += _text(_LEFT + 4, at + (16 if bound == high else -6), f"{told} at {bound:.2f}", "start", "tick")
    return _picture(height + 30, body + f'<polyline class="curve" points="{path}"/>', described)


def legend(series: Sequence[Series]) -> str:
    """Which colour is whose."""
    keys = (f'<li><i class="{one.style}"></i>{escape(one.name)}</li>' for one in series)
    return f'<ul class="legend">{"".join(keys)}</ul>'


def _padded(low: float, high: float) -> tuple[float, float]:
    space = (high - low) * 0.06 or 1.0
    return low - space, high + space


def _bar(x: float, y: float, width: float, height: float, style: str, told: str) -> str:
    box = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
    return f'<rect class="{style}" {box}><title>{escape(told)}</title></rect>'


def _centred(x: float, y: float, text: str) -> str:
    """A small label around x, but whole on the paper."""
    half = len(text) * _LETTER / 2
    return _text(min(max(x, half), WIDTH - half), y, text, "middle", "tick")


def _text(x: float, y: float, text: str, anchor: str, style: str) -> str:
    room = int((WIDTH - _LEFT - _RIGHT) / _LETTER)
    shown = text if len(text) <= room else text[: room - 1] + "…"
    return f'<text class="{style}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(shown)}</text>'


def _picture(height: float, body: str, described: str) -> str:
    return f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{escape(described)}">{body}</svg>'
