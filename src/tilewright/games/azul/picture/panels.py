"""The panels of Azul: the market with its dishes round the centre, and a board for each player."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, radians, sin, sqrt

from tilewright.game.game import Game
from tilewright.games.azul.picture import grey_wall
from tilewright.games.azul.picture.compact import compact_market
from tilewright.games.azul.picture.joker import joker
from tilewright.games.azul.rules import FLOOR_PENALTY, FLOOR_SPACES, LINES
from tilewright.games.family.factories import FACTORY_TILES, count_factories
from tilewright.view.language import say
from tilewright.view.picture.drawing import Drawing, joined, number
from tilewright.view.picture.frame import frame
from tilewright.view.picture.lettering import fitted
from tilewright.view.picture.palette import var
from tilewright.view.picture.scene import BAG, DISCARDS, Panel
from tilewright.view.picture.style import (
    circle,
    either,
    lettering,
    mark,
    moved,
    named,
    rect,
    slot,
    spot,
    stroke,
    text,
)
from tilewright.view.picture.tiles import cell, ornament, sheet

MARKET = 456.0
BOARD_WIDTH, BOARD_HEIGHT = 452.0, 326.0

_MIDDLE = MARKET / 2
_RING, _DISH = 158.0, 54.0
"""The circle that the dishes stand on, and the size of one, as radii."""
_CENTRE = 99.0
_CENTRE_TILE = {2: 33.5, 3: 29.5, 4: 26.5}
"""Fewer players leave fewer tiles in the centre, so these can be larger."""

_CELL, _PITCH = 37.0, 40.0
_LEFT, _TOP, _WALL = 18.0, 54.0, 236.0
_FLOOR_TOP, _FLOOR_CELL, _FLOOR_PITCH = 281.0, 33.0, 37.5


def panels(game: Game, names: Sequence[str], language: str) -> list[Panel]:
    """Everything on the table that stays where it is."""
    boards = [_board(game, seat, name, language) for seat, name in enumerate(names)]
    return [_market(game, language), *boards]


# --------------------------------------------------------------------------------------------- The market


def centre_slots(players: int) -> int:
    """More tiles than the centre can ever hold: of every factory one at least is taken."""
    return (FACTORY_TILES - 1) * count_factories(players)


def _market(game: Game, language: str) -> Panel:
    factories = range(1, count_factories(game.players) + 1)
    content = (
        _between_dishes(len(factories))
        + _centre(game, language)
        + joined(_factory(game, n, language) for n in factories)
    )
    content += _round(language) + _bag(language) + _lid(language)
    label = say(language, "azul.market")
    drawing = frame(game, MARKET, MARKET, content, label)
    return Panel("market", MARKET, MARKET, drawing, compact_market(game, language))


def _factory(game: Game, n: int, language: str) -> Drawing:
    angle = 2 * pi * (n - 1) / count_factories(game.players)
    x, y = _MIDDLE + _RING * sin(angle), _MIDDLE - _RING * cos(angle)
    reach = _DISH - 2.5
    badge_x, badge_y = x + reach * sin(angle), y - reach * cos(angle)
    badge = circle(badge_x, badge_y, 9, "plaster", stroke("dish-rim"))
    badge += lettering(badge_x, badge_y + 4, str(n), size=11, anchor="middle", fill="muted", bold=True)
    middles = [(x + dx, y + dy) for dy in (-18.5, 18.5) for dx in (-18.5, 18.5)]
    slots = joined(slot(f"factory-{n}-{i}", f"factory-{n}", *middle, 35.5) for i, middle in enumerate(middles))
    return named(say(language, "azul.factory", n=n), _dish(x, y) + badge + slots)


def _between_dishes(factories: int) -> str:
    """Rosettes where few dishes leave the table bare."""
    radius = {5: 30.0, 7: 11.0}.get(factories, 0.0)
    if not radius:
        return ""
    angles = [360 * (n + 0.5) / factories for n in range(factories)]
    reach = _RING if factories == 5 else _RING + 32
    return "".join(
        ornament(_MIDDLE + reach * sin(radians(a)), _MIDDLE - reach * cos(radians(a)), radius, turn=a, opacity=0.5)
        for a in angles
    )


def _dish(x: float, y: float) -> str:
    """A glazed plate: its shadow, its rim, and a painted ring of line and dots."""
    dots = _dotted(_DISH - 7.5, 46) + stroke("accent", 2.6, 0.5)
    return (
        circle(x + 1.5, y + 3, _DISH, "shadow", 'fill-opacity=".2"')
        + circle(x, y, _DISH, "dish", stroke("dish-rim", 1.5))
        + circle(x, y, _DISH - 3.5, "none", stroke("dish-line", 1.6))
        + circle(x, y, _DISH - 7.5, "none", dots)
        + ornament(x, y, 36, opacity=0.38)
    )


def _dotted(radius: float, dots: int) -> str:
    """The attributes of a circle made of dots, evenly spaced all round."""
    return f'stroke-dasharray="0 {2 * pi * radius / dots:.4f}" stroke-linecap="round" '


def _centre(game: Game, language: str) -> Drawing:
    """A painted disc in the middle of the table; the marker has the first slot of its middle row."""
    size = _CENTRE_TILE[game.players]
    wanted = centre_slots(game.players) + 1
    (marker_x, marker_y), *middles = _disc_middles(size + 2.5, wanted)
    slots = slot("centre-marker", "", _MIDDLE + marker_x, _MIDDLE + marker_y, size)
    for n, (x, y) in enumerate(middles):
        slots += slot(f"centre-{n}", "centre", _MIDDLE + x, _MIDDLE + y, size)
    return named(say(language, "azul.centre"), _medallion() + slots)


def _medallion() -> str:
    scallops = _dotted(_CENTRE - 6.5, 52) + stroke("accent-soft", 7, 0.8)
    return (
        circle(_MIDDLE, _MIDDLE, _CENTRE, "plaster-deep", stroke("accent", 1.4, 0.5))
        + circle(_MIDDLE, _MIDDLE, _CENTRE - 6.5, "none", scallops)
        + ornament(_MIDDLE, _MIDDLE, 80, opacity=0.32)
    )


def _disc_middles(pitch: float, wanted: int) -> list[tuple[float, float]]:
    """Points for tiles in a disc: rows from the middle outwards, each from left to right."""
    for rows in range(1, 9):
        heights = sorted(((i - (rows - 1) / 2) * pitch for i in range(rows)), key=lambda y: (abs(y), y))
        middles: list[tuple[float, float]] = []
        for y in heights:
            edge = abs(y) + pitch / 2
            across = int(2 * sqrt(max(0.0, (_CENTRE - 1) ** 2 - edge**2)) / pitch)
            middles += [((i - (across - 1) / 2) * pitch, y) for i in range(across)]
        if len(middles) >= wanted:
            return middles[:wanted]
    raise ValueError(f"{wanted} tiles of {pitch} do not fit in the centre")


def _round(language: str) -> Drawing:
    label = say(language, "azul.round")
    return lettering(50, 32, label, size=12, anchor="middle", fill="muted") + text(
        50, 56, "round", size=24, anchor="middle", fill="accent", bold=True, serif=True
    )


def _bag(language: str) -> Drawing:
    """A cloth bag, tied with a golden string."""
    x, y = 48.0, MARKET - 58
    body = f'<path d="M-9-15C-34-2-31 26 0 26S34-2 9-15Z" fill="{var("accent")}"/>'
    mouth = f'<path d="M-9-17Q-17-29-8-27Q0-33 8-27Q17-29 9-17Z" fill="{var("accent")}"/>'
    string = f'<path d="M-10-16H10" {stroke("gold", 3.4)} stroke-linecap="round"/>'
    count = text(0, 14, "bag", size=17, anchor="middle", fill="on-accent", bold=True)
    drawing = moved(x, y, body + mouth + string + count)
    below = lettering(x, y + 39, say(language, "azul.bag"), size=12, anchor="middle", fill="muted")
    return named(say(language, "azul.bag_long"), drawing + below + slot(BAG, "", x, y, 16))


def _lid(language: str) -> Drawing:
    """The lid of the box, where used tiles wait."""
    x, y = MARKET - 46, MARKET - 56
    box = rect(-22, -14, 44, 38, 4, "plaster-deep", stroke("accent", 2))
    box += rect(-26, -21, 52, 11, 3, "accent") + f'<path d="M-17-15.5H17" {stroke("gold", 1.5)}/>'
    count = text(0, 13, "lid", size=17, anchor="middle", bold=True)
    drawing = moved(x, y, box + count)
    below = lettering(x, y + 37, say(language, "azul.lid"), size=12, anchor="middle", fill="muted")
    return named(say(language, "azul.lid_long"), drawing + below + slot(DISCARDS, "", x, y, 16))


# ---------------------------------------------------------------------------------------------- The boards


def _board(game: Game, seat: int, name: str, language: str) -> Panel:
    me = f"p{seat + 1}"
    content = _turn_frame(me) + ornament(72, 104, 38, opacity=0.4) + _header(me, name, language)
    content += joined(_line(me, line, name, language) for line in range(1, LINES + 1))
    content += _wall(game, me, name, language) + _floor(me, name, language)
    body = frame(game, BOARD_WIDTH, BOARD_HEIGHT, content, say(language, "azul.board", name=name))
    return Panel(f"player-{seat + 1}", BOARD_WIDTH, BOARD_HEIGHT, body)


def _turn_frame(me: str) -> Drawing:
    outline = rect(2.5, 2.5, BOARD_WIDTH - 5, BOARD_HEIGHT - 5, 13, "none", stroke("turn", 5))
    pointer = f'<path d="M19 22L36 31L19 40L23 31Z" fill="{var("turn")}"/>'
    return mark(f"{me}-turn", outline + pointer)


def _header(me: str, name: str, language: str) -> Drawing:
    score = either(_score(me, 364, 72, 32, 21), _score(me, 360, 80, 40, 31))
    title = either(_name(name, 19), _name(name, 26))
    badge = circle(346, 31, 11.5, "plaster", stroke("gold", 2))
    badge += lettering(346, 36.5, "1", size=15, anchor="middle", fill="accent", bold=True, serif=True)
    star = f'<path transform="translate(317 31)" d="{_STAR}" fill="{var("gold")}"/>'
    return (
        named(name, title)
        + named(say(language, "azul.score_of", name=name), score)
        + mark(f"{me}-first", named(say(language, "azul.starts"), badge))
        + mark(f"{me}-winner", named(say(language, "azul.winner"), star))
    )


def _name(name: str, size: float) -> str:
    return lettering(42, 31 + 0.37 * size, fitted(name, 258, size), size=size, bold=True, serif=True)


def _score(me: str, left: float, width: float, height: float, size: float) -> Drawing:
    figure = text(
        left + width / 2, 31 + size / 3, f"{me}-score", size=size, anchor="middle", fill="on-accent", bold=True
    )
    return rect(left, 31 - height / 2, width, height, height / 2, "accent") + figure


_STAR = "M0-13L3.2-4.4L12.4-4L5.2 1.7L7.6 10.5L0 5.5L-7.6 10.5L-5.2 1.7L-12.4-4L-3.2-4.4Z"


def _line(me: str, line: int, name: str, language: str) -> Drawing:
    """A pattern line: its cells from right to left. All its row can be clicked, which helps a thumb."""
    top = _TOP + _PITCH * (line - 1)
    middle = top + _PITCH / 2
    right = _LEFT + _PITCH * LINES
    reach = f'<rect x="{number(_LEFT - 6)}" y="{number(top)}" width="{number(_PITCH * LINES + 18)}"'
    reach += f' height="{number(_PITCH)}" fill-opacity="0" pointer-events="all"/>'
    width = _PITCH * line
    halo = rect(right - width - 1, top, width + 2, _PITCH, 6, "none", 'class="halo"')
    cells, slots = "", Drawing()
    for n in range(line):
        x = right - _PITCH * (n + 0.5)
        cells += cell(x, middle, _CELL)
        slots += slot(f"{me}-line-{line}-{n}", "", x, middle, _CELL)
    arrow = f'<path d="M{number(right + 4)} {number(middle - 6)}l7 6l-7 6l2-6z" fill="{var("gold")}"/>'
    label = say(language, "azul.line_of", n=line, name=name)
    return spot(f"{me}-line-{line}", label, reach + halo + cells + arrow + slots)


def symbols(game: Game) -> str:
    """Tiles, and what is printed on a grey wall."""
    return sheet(game, own=[joker()]) + grey_wall.symbols(game, _PITCH, _CELL)


def _wall(game: Game, me: str, name: str, language: str) -> Drawing:
    edge = rect(_WALL - 2, _TOP - 2, _PITCH * LINES + 4, _PITCH * LINES + 4, 6, "plaster-deep", stroke("accent", 1.6))
    cells = _grey_ground(me) if grey_wall.is_grey(game) else Drawing()
    for row in range(1, LINES + 1):
        for column in range(1, LINES + 1):
            cells += _wall_cell(game, me, row, column, say(language, "azul.cell_of", row=row, column=column, name=name))
    return edge + cells


def _wall_cell(game: Game, me: str, row: int, column: int, label: str) -> Drawing:
    x, y = _WALL + _PITCH * (column - 0.5), _TOP + _PITCH * (row - 0.5)
    name = f"{me}-wall-{row}-{column}"
    frame = f'x="{number(x - _CELL / 2)}" y="{number(y - _CELL / 2)}" width="{number(_CELL)}" height="{number(_CELL)}"'
    if grey_wall.is_grey(game):
        drawing = f'<rect {frame} fill-opacity="0" pointer-events="all"/>'
    else:
        kind = game.tiles.letters[(column - row) % LINES]
        drawing = cell(x, y, _CELL) + f'<use href="#print-{kind}" {frame}/>'
    halo = rect(x - _CELL / 2, y - _CELL / 2, _CELL, _CELL, 4, "none", 'class="halo"')
    return spot(name, label, drawing + halo + slot(name, "", x, y, _CELL))


def _grey_ground(me: str) -> Drawing:
    middles = [(n + 0.5) * _PITCH for n in range(LINES)]
    cells = "".join(cell(_WALL + x, _TOP + y, _CELL) for y in middles for x in middles)
    return cells + grey_wall.blossoms(me, _WALL, _TOP, _PITCH)


def _floor(me: str, name: str, language: str) -> Drawing:
    """The floor line with its penalties, and room beside it for a marker that found it full."""
    middle = _FLOOR_TOP + _FLOOR_CELL / 2
    width = _FLOOR_PITCH * FLOOR_SPACES
    halo = rect(_LEFT - 2, _FLOOR_TOP - 2.5, width + 3, _FLOOR_CELL + 5, 6, "none", 'class="halo" pointer-events="all"')
    content, slots = "", Drawing()
    for n in range(FLOOR_SPACES):
        x = _LEFT + _FLOOR_PITCH * (n + 0.5)
        content += cell(x, middle, _FLOOR_CELL)
        cost = int(FLOOR_PENALTY[n + 1] - FLOOR_PENALTY[n])
        content += lettering(x, _FLOOR_TOP - 5, f"−{cost}", size=13, anchor="middle", fill="penalty", bold=True)
        slots += slot(f"{me}-floor-{n}", "", x, middle, _FLOOR_CELL)
    title = lettering(436, middle + 5, say(language, "azul.floor"), size=13, anchor="end", fill="muted", serif=True)
    beside = slot(f"{me}-marker", "", _LEFT + width + _FLOOR_PITCH / 2 + 4, middle, _FLOOR_CELL)
    return spot(f"{me}-floor", say(language, "azul.floor_of", name=name), halo + content + slots) + title + beside
