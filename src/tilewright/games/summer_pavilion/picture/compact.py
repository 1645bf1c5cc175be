"""The market of Summer Pavilion where room is short: trays, a row for each colour of the centre, the supply below."""

from __future__ import annotations

from math import sqrt

from tilewright.game.game import Game
from tilewright.games.family.factories import FACTORY_TILES, count_factories
from tilewright.games.family.heap import KINDS
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
from tilewright.games.summer_pavilion.board import MULTICOLOUR_BONUS, STAR_BONUS
from tilewright.games.summer_pavilion.names import TILES
from tilewright.games.summer_pavilion.picture.scene import CENTRE_GROUP, LETTERS
from tilewright.games.summer_pavilion.picture.shapes import away, rhombus, upright
from tilewright.games.summer_pavilion.rules import SUPPLY_SPACES
from tilewright.view.language import say
from tilewright.view.picture.drawing import Drawing, joined
from tilewright.view.picture.frame import frame
from tilewright.view.picture.lettering import width_of
from tilewright.view.picture.palette import var
from tilewright.view.picture.scene import BAG, DISCARDS, Panel
from tilewright.view.picture.style import lettering, mark, named, rect, slot, stroke, text

_COLUMNS = 3
_TRAY_LONG = PITCH * sqrt(2) * 0.96
_CENTRE_WIDTH = 4 * PITCH + 4
_CENTRE_ROW = (HEIGHT - 8) / KINDS
_CENTRE_LONG, _SUPPLY_LONG, _STAR_LONG = 38.0, 42.0, 32.0
_STARS, _SUPPLY = 38.0, 46.0
"""The heights of the line of stars and of the supply, below the trays."""
_WORD, _DIGITS = 11.5, 31.0
"""The size of the words for bag and tower, and the room for three digits after each."""


def compact_market(game: Game, language: str) -> Panel:
    """The same slots as those of the large market, closer together."""
    factories = count_factories(game.players)
    columns = columns_of(factories, least=_COLUMNS)
    left = EDGE + trays_width(columns) + EDGE
    width, below = left + _CENTRE_WIDTH + EDGE, EDGE + HEIGHT
    height = below + _STARS + _SUPPLY + EDGE
    content = joined(_factory(n, factories, columns, language) for n in range(1, factories + 1))
    content += _centre(left, language) + _stars(below + _STARS / 2 + 1, language)
    content += _counts(width, below + _STARS / 2, language) + _supply(width, below + _STARS, language)
    label = say(language, "summer_pavilion.market")
    return Panel("market", width, height, frame(game, width, height, content, label, bordered=False))


def _factory(n: int, factories: int, columns: int, language: str) -> Drawing:
    """Four tiles as a blossom, each in its quarter of the tray."""
    middle = tray_middle(n, factories, columns)
    slots = joined(
        slot(
            f"factory-{n}-{i}",
            f"factory-{n}",
            *away(middle, angle, _TRAY_LONG / 2 + 1),
            _TRAY_LONG,
            turn=upright(angle),
            shape="rhomb",
            reach=PITCH / sqrt(2),
        )
        for i, angle in zip(range(FACTORY_TILES), (-45, 45, 135, 225), strict=True)
    )
    return named(say(language, "summer_pavilion.factory", n=n), numbered_tray(n, middle) + slots)


def _centre(left: float, language: str) -> Drawing:
    """A row for each colour; a finger may touch the row anywhere near its tiles."""
    step = (_CENTRE_WIDTH - PITCH - 4) / (CENTRE_GROUP - 1)
    tones, slots = "", Drawing()
    for kind in range(KINDS):
        y = EDGE + 4 + _CENTRE_ROW * (kind + 0.5)
        tone = f'fill-opacity=".13" {stroke("plaster-edge", 0.6)}'
        tones += rect(
            left + 5, y - _CENTRE_ROW / 2 + 1, _CENTRE_WIDTH - 10, _CENTRE_ROW - 2, 7, f"tile-{TILES.names[kind]}", tone
        )
        for n in range(CENTRE_GROUP):
            where = left + 2 + PITCH / 2 + step * n, y
            slots += slot(
                f"centre-{kind * CENTRE_GROUP + n}", "centre", *where, _CENTRE_LONG, shape="rhomb", reach=PITCH
            )
    return named(say(language, "summer_pavilion.centre"), hollow(left, _CENTRE_WIDTH) + tones + slots)


def _stars(y: float, language: str) -> Drawing:
    """What a full star of each colour pays; a ring round the joker's colour."""
    stars = Drawing()
    for kind, letter in enumerate(LETTERS):
        x = EDGE + 13 + 27.0 * kind
        shape = f'<path d="{rhombus((x, y), 0, _STAR_LONG + 6)}" fill="{var("tile-" + TILES.names[kind])}"/>'
        ink = f"tile-{TILES.names[kind]}-ink"
        value = lettering(x, y + 4, str(STAR_BONUS[kind]), size=11, anchor="middle", fill=ink, bold=True)
        edge = f'fill="none" {stroke("turn", 3)} stroke-linejoin="round"'
        ring = mark(f"round-{kind + 1}", f'<path d="{rhombus((x, y), 0, _STAR_LONG + 8)}" {edge}/>')
        name = say(language, f"summer_pavilion.star_{letter}")
        label = say(language, "summer_pavilion.star_bonus", star=name, bonus=int(STAR_BONUS[kind]))
        stars += named(label, shape + value + ring)
    label = say(language, "summer_pavilion.multicolour_bonus", bonus=MULTICOLOUR_BONUS)
    heart = lettering(EDGE + 13 + 27.0 * KINDS, y + 4, str(MULTICOLOUR_BONUS), size=12, anchor="middle", bold=True)
    return stars + named(label, heart)


def _counts(width: float, y: float, language: str) -> Drawing:
    """The joker of the round, the numbers of tiles in bag and tower, and the marker while nobody has it."""
    jokers = Drawing()
    for n, letter in enumerate(LETTERS):
        colour = say(language, f"summer_pavilion.tile_{letter}")
        said = say(language, "summer_pavilion.joker_now", colour=colour)
        jokers += mark(f"round-{n + 1}", lettering(width - EDGE - 4, y - 3, said, size=12, anchor="end", bold=True))
    counts, right = Drawing(), width - EDGE - 4
    for key, heap in (("tower", DISCARDS), ("bag", BAG)):
        word = say(language, f"summer_pavilion.{key}")
        counts += text(right, y + 13, key, size=13, anchor="end", fill="accent", bold=True)
        counts += lettering(right - _DIGITS, y + 13, word, size=_WORD, anchor="end", fill="muted")
        counts += slot(heap, "", right - _DIGITS / 2, y + 8, 0)
        right -= _DIGITS + width_of(word, _WORD) + 4
    return jokers + counts + slot("centre-marker", "", EDGE + 27.0 * KINDS + 38, y + 1, 26)


def _supply(width: float, top: float, language: str) -> Drawing:
    """Ten spaces from which bonus tiles are taken."""
    step = (width - 2 * EDGE) / SUPPLY_SPACES
    box = rect(EDGE - 2, top + 1, width - 2 * EDGE + 4, _SUPPLY, 9, "plaster-deep", stroke("plaster-edge", 1.2))
    cells, slots = "", Drawing()
    for n in range(SUPPLY_SPACES):
        middle = (EDGE + step * (n + 0.5), top + _SUPPLY / 2 + 1)
        cells += f'<path d="{rhombus(middle, 0, _SUPPLY_LONG)}" fill="{var("dish")}" {stroke("cell-edge")}/>'
        slots += slot(f"supply-{n}", "supply", *middle, _SUPPLY_LONG - 2, shape="rhomb", reach=step)
    return named(say(language, "summer_pavilion.supply"), box + cells + slots)
