"""The market of Azul where room is short: trays, the centre beside them, and a line with round, bag and lid."""

from __future__ import annotations

from tilewright.game.game import Game
from tilewright.games.family.factories import FACTORY_TILES, count_factories
from tilewright.games.family.picture import (
    EDGE,
    HEIGHT,
    PITCH,
    columns_of,
    hollow,
    numbered_tray,
    tray_middle,
    trays_width,
)
from tilewright.view.language import say
from tilewright.view.picture.drawing import Drawing, joined
from tilewright.view.picture.frame import frame
from tilewright.view.picture.scene import BAG, DISCARDS, Panel
from tilewright.view.picture.style import lettering, named, slot, text

_ACROSS = 4
"""Tiles side by side in the centre."""
_LINE = 20.0


def compact_market(game: Game, language: str) -> Panel:
    """The same slots as those of the large market, closer together."""
    factories = count_factories(game.players)
    columns = columns_of(factories)
    left = EDGE + trays_width(columns) + EDGE
    width, height = left + _ACROSS * PITCH + 4 + EDGE, EDGE + HEIGHT + _LINE + 2
    content = joined(_factory(n, factories, columns, language) for n in range(1, factories + 1))
    content += _centre(factories, left, language) + _counts(width, height - 7, language)
    label = say(language, "azul.market")
    return Panel("market", width, height, frame(game, width, height, content, label, bordered=False))


def _factory(n: int, factories: int, columns: int, language: str) -> Drawing:
    x, y = tray_middle(n, factories, columns)
    half = PITCH / 2
    middles = [(x + dx, y + dy) for dy in (-half, half) for dx in (-half, half)]
    slots = joined(
        slot(f"factory-{n}-{i}", f"factory-{n}", *middle, PITCH, reach=PITCH) for i, middle in enumerate(middles)
    )
    return named(say(language, "azul.factory", n=n), numbered_tray(n, (x, y)) + slots)


def _centre(factories: int, left: float, language: str) -> Drawing:
    """Rows from the top; the marker has the first slot."""
    wanted = (FACTORY_TILES - 1) * factories + 1
    marker, *middles = (
        (left + 2 + PITCH * (n % _ACROSS + 0.5), EDGE + 2 + PITCH * (n // _ACROSS + 0.5)) for n in range(wanted)
    )
    slots = slot("centre-marker", "", *marker, PITCH)
    slots += joined(slot(f"centre-{n}", "centre", *middle, PITCH, reach=PITCH) for n, middle in enumerate(middles))
    return named(say(language, "azul.centre"), hollow(left, _ACROSS * PITCH + 4) + slots)


def _counts(width: float, y: float, language: str) -> Drawing:
    """Round, bag and lid, each in a third of the line."""
    thirds = [width * (n + 0.5) / 3 for n in range(3)]
    counts = Drawing()
    for x, key in zip(thirds, ("round", "bag", "lid"), strict=True):
        counts += lettering(x + 4, y, say(language, f"azul.{key}"), size=11.5, anchor="end", fill="muted")
        counts += text(x + 9, y, key, size=14, fill="accent", bold=True)
    return counts + slot(BAG, "", thirds[1], y, 12) + slot(DISCARDS, "", thirds[2], y, 12)
