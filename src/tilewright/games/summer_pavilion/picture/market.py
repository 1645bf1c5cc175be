"""The market of Summer Pavilion: factories round the centre, the supply, the joker colours, bag and tower.

In the centre of the table every colour grows outwards as a rhombus of its own, so that a full centre is a star.
"""

from __future__ import annotations

from functools import cache
from math import sqrt

from tilewright.game.game import Game
from tilewright.games.family.factories import FACTORY_TILES, count_factories
from tilewright.games.family.heap import KINDS
from tilewright.games.summer_pavilion.board import MULTICOLOUR_BONUS, STAR_BONUS
from tilewright.games.summer_pavilion.names import TILES
from tilewright.games.summer_pavilion.picture.compact import compact_market
from tilewright.games.summer_pavilion.picture.scene import CENTRE_GROUP, LETTERS
from tilewright.games.summer_pavilion.picture.shapes import Point, away, rhombus, star_angle, upright
from tilewright.games.summer_pavilion.rules import ROUNDS, SUPPLY_SPACES
from tilewright.view.language import say
from tilewright.view.picture.drawing import Drawing, joined, number, place_tile
from tilewright.view.picture.frame import frame
from tilewright.view.picture.palette import var
from tilewright.view.picture.scene import BAG, DISCARDS, Panel
from tilewright.view.picture.style import circle, lettering, mark, named, rect, slot, stroke, text
from tilewright.view.picture.tiles import ornament

WIDTH, HEIGHT = 600.0, 690.0
MIDDLE = (300.0, 296.0)
CENTRE_RADIUS = 122.0
CENTRE_LONG = 55.0
SUPPLY_LONG = 58.0
CORNER_STAR = 47.0
"""The radius of the small stars in the upper corners."""


def market_panel(game: Game, language: str) -> Panel:
    """Everything that belongs to no player."""
    factories = count_factories(game.players)
    body = (
        _centre(language)
        + joined(_factory(n, factories, language) for n in range(1, factories + 1))
        + _marker_seat(factories)
        + _star_bonuses(language)
        + _rounds(language)
        + _bag(language)
        + _tower(language)
        + _supply(language)
    )
    label = say(language, "summer_pavilion.market")
    drawing = frame(game, WIDTH, HEIGHT, body, label)
    return Panel("market", WIDTH, HEIGHT, drawing, compact_market(game, language))


# ------------------------------------------------------------------------------------ Factories and centre


def _factory(n: int, factories: int, language: str) -> Drawing:
    """A dish with four tiles as a blossom, seen from above."""
    radius = 62.0 if factories > 7 else 72.0
    direction = _direction(n, factories)
    x, y = away(MIDDLE, direction, CENTRE_RADIUS + 8 + radius)
    long = radius * 0.8
    slots = joined(
        slot(
            f"factory-{n}-{i}",
            f"factory-{n}",
            *away((x, y), angle, long / 2 + 2),
            long,
            turn=upright(angle),
            shape="rhomb",
        )
        for i, angle in zip(range(FACTORY_TILES), (-45, 45, 135, 225), strict=True)
    )
    dish = f'<g transform="translate({number(x)} {number(y)}) scale({radius / 72:.4g})">{_dish()}</g>'
    badge_x, badge_y = away((x, y), direction, radius - 3)
    badge = circle(badge_x, badge_y, 10, "plaster", stroke("dish-rim"))
    badge += lettering(badge_x, badge_y + 4.3, str(n), size=12, anchor="middle", fill="muted", bold=True)
    return named(say(language, "summer_pavilion.factory", n=n), dish + badge + slots)


def _direction(n: int, factories: int) -> float:
    """Where a dish stands, clockwise from the top; seven leave the corners to the captions there."""
    first = -180 / factories if factories == 7 else 0
    return first + 360 / factories * (n - 1)


@cache
def _dish() -> str:
    """A glazed dish of radius 72 round the origin, its rim painted with leaves."""
    leaf = "M0-69.5C-4-66-4-62.5 0-60C4-62.5 4-66 0-69.5Z"
    leaves = "".join(f'<path d="{leaf}" transform="rotate({15 * n})"/>' for n in range(0, 24, 2))
    dots = "".join(circle(*away((0, 0), 15 + 30 * n, 64.8), 1.6, "dish-line") for n in range(12))
    return (
        circle(1, 3, 72, "shadow", 'fill-opacity=".16"')
        + circle(0, 0, 72, "dish", stroke("dish-rim", 1.5))
        + f'<g fill="{var("dish-line")}" fill-opacity=".85">{leaves}</g>{dots}'
        + circle(0, 0, 58.5, "none", stroke("dish-line", 1, 0.7))
        + ornament(0, 0, 48, opacity=0.38)
    )


def centre_points() -> list[tuple[Point, float]]:
    """Where the tiles in the centre lie and how they are turned: each colour fills its sixth from the middle."""
    side = CENTRE_LONG / sqrt(3)
    cells = ((0, 0), (0, 1), (1, 0), (1, 1), (0, 2), (2, 0))
    points: list[tuple[Point, float]] = []
    for kind in range(KINDS):
        axis = star_angle(kind)
        for i, j in cells[:CENTRE_GROUP]:
            corner = away(away(MIDDLE, axis - 30, side * i), axis + 30, side * j)
            points.append((away(corner, axis, CENTRE_LONG / 2), upright(axis)))
    return points


def _centre(language: str) -> Drawing:
    """The middle of the table: where tiles will lie, their places are engraved."""
    x, y = MIDDLE
    ground = (
        circle(x + 1, y + 3, CENTRE_RADIUS, "shadow", 'fill-opacity=".14"')
        + circle(x, y, CENTRE_RADIUS, "plaster-deep", stroke("plaster-edge", 1.5))
        + circle(x, y, CENTRE_RADIUS - 4, "none", stroke("accent", 1, 0.4))
    )
    cells, slots = "", Drawing()
    for n, (point, turn) in enumerate(centre_points()):
        tone = var("tile-" + TILES.names[n // CENTRE_GROUP])
        cells += f'<path d="{rhombus(point, turn, CENTRE_LONG * 0.97)}" fill="{tone}" fill-opacity=".1"/>'
        slots += slot(f"centre-{n}", "centre", *point, CENTRE_LONG, turn=turn, shape="rhomb")
    return named(say(language, "summer_pavilion.centre"), ground + cells + slots)


def _marker_seat(factories: int) -> Drawing:
    """Where the starting player marker lies: at the rim of the centre, between two dishes."""
    seat = away(MIDDLE, _direction(1, factories) + 180 / factories, CENTRE_RADIUS + 13)
    return circle(*seat, 18.5, "plaster-deep", stroke("accent", 1.2, 0.5)) + slot("centre-marker", "", *seat, 29)


# ------------------------------------------------------------------------------------------- Score board


def _star_bonuses(language: str) -> Drawing:
    """What a full star pays, as a star that stands like the stars of a board."""
    middle = (66.0, 64.0)
    petals = Drawing()
    for kind in range(KINDS):
        axis, bonus = star_angle(kind), int(STAR_BONUS[kind])
        point = away(middle, axis, CORNER_STAR / 2)
        label = say(
            language,
            "summer_pavilion.star_bonus",
            star=say(language, f"summer_pavilion.star_{LETTERS[kind]}"),
            bonus=bonus,
        )
        x, y = away(middle, axis, CORNER_STAR * 0.56)
        value = lettering(
            x, y + 4.5, str(bonus), size=13, anchor="middle", fill=f"tile-{TILES.names[kind]}-ink", bold=True
        )
        shape = f'<path d="{rhombus(point, axis, CORNER_STAR * 0.97)}" fill="{var("tile-" + TILES.names[kind])}"/>'
        petals += named(label, shape + value)
    x, y = middle
    heart = circle(x, y, 11.5, "dish", stroke("gold", 1.6))
    heart += lettering(x, y + 4.5, str(MULTICOLOUR_BONUS), size=13, anchor="middle", bold=True)
    below = _caption(x, y + CORNER_STAR + 14, say(language, "summer_pavilion.full_star"))
    return petals + below + named(say(language, "summer_pavilion.multicolour_bonus", bonus=MULTICOLOUR_BONUS), heart)


def _rounds(language: str) -> Drawing:
    """Six rounds, six joker colours; the one that is played now is lit."""
    middle = (WIDTH - 66, 64.0)
    petals = Drawing()
    for n, letter in enumerate(LETTERS[:ROUNDS]):
        axis = 60.0 * n
        x, y = away(middle, axis, CORNER_STAR / 2)
        turn = f"rotate({number(upright(axis))}) scale({CORNER_STAR / 40:.4g})"
        tile = f'<g transform="translate({number(x)} {number(y)}) {turn}">{place_tile(letter, "rhomb")}</g>'
        edge = f'fill="none" {stroke("turn", 3.2)} stroke-linejoin="round"'
        lit = mark(f"round-{n + 1}", f'{tile}<path d="{rhombus((x, y), axis, CORNER_STAR + 3)}" {edge}/>')
        colour = say(language, f"summer_pavilion.tile_{letter}")
        below = _caption(
            middle[0], middle[1] + CORNER_STAR + 14, say(language, "summer_pavilion.joker_now", colour=colour)
        )
        petals += mark(f"round-{n + 1}", below)
        label = say(language, "summer_pavilion.round", n=n + 1, colour=colour)
        petals += named(label, f'<g opacity=".38">{tile}</g>' + lit)
    x, y = middle
    heart = circle(x, y, 11.5, "accent", stroke("gold", 1.6)) + text(
        x, y + 5, "round", size=14, anchor="middle", fill="on-accent", bold=True
    )
    return petals + heart


def _supply(language: str) -> Drawing:
    """Ten spaces from which bonus tiles are taken."""
    left, top, width, height = 18.0, 590.0, WIDTH - 36, 84.0
    step = (width - 24) / SUPPLY_SPACES
    cells, slots = "", Drawing()
    for n in range(SUPPLY_SPACES):
        middle = (left + 12 + step * (n + 0.5), top + height / 2 + 3)
        cells += f'<path d="{rhombus(middle, 0, SUPPLY_LONG + 6)}" fill="{var("dish")}" {stroke("cell-edge")}/>'
        slots += slot(f"supply-{n}", "supply", *middle, SUPPLY_LONG, shape="rhomb")
    title = say(language, "summer_pavilion.supply")
    box = rect(left, top, width, height, 12, "plaster-deep", stroke("plaster-edge", 1.2))
    x, wide = left + width / 2, 9.0 * len(title) + 20
    tab = rect(x - wide / 2, top - 9, wide, 18, 9, "plaster", stroke("plaster-edge", 1.2))
    return named(title, box + cells + slots + tab + _caption(x, top + 4.5, title))


def _caption(x: float, y: float, title: str) -> str:
    """What something is called, below it."""
    return lettering(x, y, title, size=14, anchor="middle", fill="muted")


# -------------------------------------------------------------------------------------------- Bag and tower


def _bag(language: str) -> Drawing:
    """A cloth bag with a drawstring, and how many tiles are in it."""
    x, y = 58.0, 524.0
    cloth = (
        "M-13-22C-34-8-36 30-24 36C-12 41 12 41 24 36C36 30 34-8 13-22"
        "C17-27 18-32 17-36L8-33L0-37L-8-33L-17-36C-18-32-17-27-13-22Z"
    )
    drawing = (
        f'<g transform="translate({number(x)} {number(y)})"><path d="{cloth}" fill="{var("accent-soft")}" '
        f'{stroke("accent", 1.6)} stroke-linejoin="round"/><path d="M-14-22Q0-17 14-22M13-21q9 3 8 13" fill="none" '
        f'{stroke("gold", 2.4)} stroke-linecap="round"/></g>'
    )
    count = text(x, y + 18, "bag", size=22, anchor="middle", fill="ink", bold=True)
    below = _caption(x, y + 56, say(language, "summer_pavilion.bag"))
    return named(say(language, "summer_pavilion.bag_long"), drawing + count + below) + slot(BAG, "", x, y, 0)


def _tower(language: str) -> Drawing:
    """The tower into which paid tiles fall, and how many are in it."""
    x, y = WIDTH - 58, 524.0
    walls = "M-26 38V-16H-31V-36H-21V-29H-15V-36H-5V-29H5V-36H15V-29H21V-36H31V-16H26V38Z"
    drawing = (
        f'<g transform="translate({number(x)} {number(y)})"><path d="{walls}" fill="{var("accent-soft")}" '
        f'{stroke("accent", 1.6)} stroke-linejoin="round"/><path d="M-31-16H31" {stroke("accent", 1.4)}/>'
        f'<path d="M-6-4A6 6 0 0 1 6-4V2H-6Z" fill="{var("accent")}" fill-opacity=".75"/></g>'
    )
    count = text(x, y + 28, "tower", size=22, anchor="middle", fill="ink", bold=True)
    below = _caption(x, y + 56, say(language, "summer_pavilion.tower"))
    return named(say(language, "summer_pavilion.tower_long"), drawing + count + below) + slot(DISCARDS, "", x, y, 0)
