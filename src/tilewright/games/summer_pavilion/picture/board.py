"""A player's board of Summer Pavilion as a drawing: seven stars, the ornaments between them, corners, hand.

The stars leave gaps of the very shape of a tile, and in every gap stands a pillar, a statue or a window: so the
whole board is one pattern of equal rhombi, like a tiled floor. A finished ornament turns to gold.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from math import sqrt

from tilewright.game.game import Game
from tilewright.games.family.heap import KINDS
from tilewright.games.summer_pavilion.board import (
    CENTRE_STAR,
    CLOCKWISE,
    FEATURES,
    NUMBER_BONUS,
    SPACES,
    STAR_SPACES,
    STARS,
)
from tilewright.games.summer_pavilion.names import TILES, space_cost, space_number
from tilewright.games.summer_pavilion.picture.scene import LETTERS
from tilewright.games.summer_pavilion.picture.shapes import (
    CORNER_LONG,
    LONG,
    NARROW,
    WIDE,
    Plan,
    Point,
    away,
    rhombus,
    star_outline,
    upright,
)
from tilewright.games.summer_pavilion.rules import CORNERS
from tilewright.games.summer_pavilion.wording import star_text
from tilewright.view.language import say
from tilewright.view.picture.drawing import Drawing, joined, number
from tilewright.view.picture.frame import frame
from tilewright.view.picture.lettering import fitted
from tilewright.view.picture.palette import var
from tilewright.view.picture.scene import Panel
from tilewright.view.picture.style import (
    SERIF,
    circle,
    either,
    lettering,
    mark,
    named,
    rect,
    slot,
    spot,
    stroke,
    text,
)

# ---------------------------------------------------------------------------------------------- The board


def board_panel(game: Game, seat: int, name: str, language: str) -> Panel:
    """The board, the hand and the score of one player."""
    compact = _panel(NARROW, game, seat, name, language)
    return replace(_panel(WIDE, game, seat, name, language), compact=compact)


def _panel(plan: Plan, game: Game, seat: int, name: str, language: str) -> Panel:
    player, width, height = f"p{seat + 1}", plan.width, plan.height
    body = (
        mark(f"{player}-turn", rect(3.5, 3.5, width - 7, height - 7, 12, "none", stroke("turn", 5)))
        + _header(plan, player, name, language)
        + _floor(plan)
        + "".join(_corner(plan, n) for n in range(CORNERS))
        + joined(_feature(plan, player, n, language) for n in range(len(FEATURES)))
        + _stars(plan, game, player, name, language)
        + _dots(plan, game, player)
        + _slots(plan, player)
        + _tray(plan, player, name, language)
    )
    label = say(language, "summer_pavilion.board_of", name=name)
    return Panel(f"player-{seat + 1}", width, height, frame(game, width, height, body, label))


def _header(plan: Plan, player: str, name: str, language: str) -> Drawing:
    """Name, marker, the bonuses for numbers, score."""
    turn = mark(f"{player}-turn", f'<path d="{rhombus((30, 37), 0, 30)}" fill="{var("turn")}"/>')
    star = f'<path d="{star_outline((30, 37), 16)}" fill="{var("gold")}" {stroke("plaster", 1.5)}/>'
    winner = mark(f"{player}-winner", named(say(language, "summer_pavilion.winner"), star))
    score = either(_score(plan, player, 72, 42, 29), _score(plan, player, 84, 54, 37))
    label = say(language, "summer_pavilion.score_of", name=name)
    chips = joined(_number_chip(plan, player, n, language) for n in range(1, 5))
    origins = joined(slot(f"{player}-number-{n}", "", _chip_left(plan, n) + 21, 37, 30) for n in range(1, 5))
    return (
        f'<path d="{rhombus((30, 37), 0, 30)}" fill="none" {stroke("accent", 1.2, 0.5)}/>'
        + turn
        + winner
        + named(name, either(_name(name, 24, plan.chips - 54), _name(name, 34, plan.width - 200)))
        + slot(f"{player}-marker", "", plan.marker, 37, 32)
        + '<g class="fine">'
        + chips
        + "</g>"
        + origins
        + named(label, score)
    )


def _name(name: str, size: float, room: float) -> str:
    return lettering(48, 37 + size / 3, fitted(name, room, size), size=size, serif=True, bold=True)


def _score(plan: Plan, player: str, width: float, height: float, size: float) -> Drawing:
    right = plan.width - 18
    figure = text(
        right - width / 2, 37 + size / 3, f"{player}-score", size=size, anchor="middle", fill="on-accent", bold=True
    )
    return rect(right - width, 37 - height / 2, width, height, 10, "accent") + figure


def _number_chip(plan: Plan, player: str, n: int, language: str) -> Drawing:
    """A number and what it pays when all its spaces are covered; golden once they are."""
    x, bonus = _chip_left(plan, n), int(NUMBER_BONUS[n])
    label = say(language, "summer_pavilion.number_bonus", number=n, bonus=bonus)

    def chip(fill: str, ink: str, small: str) -> str:
        box = rect(x, 20, 47, 34, 8, fill, stroke("gold" if fill == "gold" else "cell-edge"))
        big = lettering(x + 13, 43, str(n), size=18, anchor="middle", fill=ink, bold=True, serif=True)
        return box + big + lettering(x + 32, 42, f"+{bonus}", size=11.5, anchor="middle", fill=small)

    lit = mark(f"{player}-number-{n}", chip("gold", "on-accent", "on-accent"))
    return named(label, chip("cell", "accent", "muted") + lit)


def _chip_left(plan: Plan, n: int) -> float:
    return plan.chips + 51 * (n - 1)


@cache
def _floor(plan: Plan) -> str:
    """The ground of the pavilion: all rhombi in one, with a painted contour round them."""
    spaces = [rhombus(plan.space_middle(space), plan.space_axis(space), LONG) for space in range(SPACES)]
    gaps = [rhombus(plan.feature_middle(n), plan.feature_axis(n), LONG) for n in range(len(FEATURES))]
    lines = (("accent", 17), ("plaster", 13), ("gold", 9.5), ("plaster-edge", 7))
    outlines = "".join(f'<path d="{_contour(plan)}" fill="none" {stroke(*line)}/>' for line in lines)
    ground = f'<path d="{"".join(spaces + gaps)}" fill="{var("plaster-edge")}"/>'
    return _garland(plan) + f'<g stroke-linejoin="round">{outlines}</g>{ground}'


def _contour(plan: Plan) -> str:
    """The outer edge of the pattern, clockwise: three outer tips of each star, and the tips of its window."""
    points: list[Point] = []
    for star in CLOCKWISE:
        angle, middle = plan.star_angle(star), plan.star_middle(star)
        points += [away(middle, angle - 90, LONG), away(middle, angle - 60, LONG / sqrt(3))]
        points += [away(middle, angle - 30, LONG), away(middle, angle, 2 * LONG / sqrt(3))]
        points += [away(middle, angle + 30, LONG), away(middle, angle + 60, LONG / sqrt(3))]
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + "Z"


def _garland(plan: Plan) -> str:
    """A garland behind the pattern: a pale disc, and sprigs where the contour draws back."""
    x, y = plan.middle
    disc = circle(x, y, 2.62 * LONG, "accent-soft", f'fill-opacity=".45" {stroke("accent", 1.2, 0.5)}')
    ring = circle(x, y, 2.54 * LONG, "none", stroke("accent", 0.8, 0.4))
    leaf = "M0 0C-9-8-8-20 0-30C8-20 9-8 0 0Z"
    sprigs = ""
    for n in range(6):
        angle = plan.turn + 60 * n
        base = away(plan.middle, angle, 2.1 * LONG)
        turns = "".join(
            f'<path d="{leaf}" transform="rotate({number(angle + turn)}) scale({size})"/>'
            for turn, size in ((0, 1), (-52, 0.85), (52, 0.85))
        )
        sprigs += f'<g transform="translate({number(base[0])} {number(base[1])})">{turns}</g>'
    return disc + ring + f'<g fill="{var("accent")}" fill-opacity=".5">{sprigs}</g>'


def _corner(plan: Plan, n: int) -> str:
    """Room for one tile that is kept when passing."""
    x, y = plan.corner_middle(n)
    turn = 45.0 if n in (0, 3) else -45.0
    leaf = "M0-46C-7-38-7-33 0-28C7-33 7-38 0-46Z"
    leaves = "".join(f'<path d="{leaf}" transform="rotate({a})"/>' for a in (90, 270))
    return (
        f'<g transform="translate({number(x)} {number(y)}) rotate({number(turn)})">'
        f'<g fill="{var("accent")}" fill-opacity=".55">{leaves}</g>'
        f'<path d="{rhombus((0, 0), 0, CORNER_LONG + 14)}" fill="{var("cell")}" {stroke("accent", 1.2, 0.6)}/>'
        f'<path d="{rhombus((0, 0), 0, CORNER_LONG)}" fill="{var("plaster-deep")}" {stroke("cell-edge")}/></g>'
    )


def _stars(plan: Plan, game: Game, player: str, name: str, language: str) -> Drawing:
    """All spaces with their numbers; round each star a line, golden once it is full."""
    spaces = joined(_space(plan, game, player, name, space, language) for space in range(SPACES))
    style = f'{stroke("cell-edge", 1.1)} stroke-linejoin="round" fill="{var("ink")}"'
    letters = f'text-anchor="middle" font-size="23" font-weight="700" font-family="{SERIF}"'
    rims = joined(_star_rim(plan, player, star) for star in range(STARS))
    return f"<g {style} {letters}>" + spaces + "</g>" + rims


def _star_rim(plan: Plan, player: str, star: int) -> Drawing:
    middle = plan.star_middle(star)
    rim = f'<path d="{star_outline(middle, LONG * 1.005, plan.turn)}" fill="none" stroke-linejoin="round" '
    full = mark(f"{player}-star-{star}", rim + stroke("turn", 5) + "/>")
    return rim + stroke("accent", 1.3, 0.45) + "/>" + full + slot(f"{player}-star-{star}", "", *middle, LONG / 2)


def _space(plan: Plan, game: Game, player: str, name: str, space: int, language: str) -> Drawing:
    """One space; what all spaces have in common is said once, in ``_stars``."""
    x, y = plan.space_middle(space)
    outline = f'd="{rhombus((x, y), plan.space_axis(space), LONG * 0.965)}"'
    star = space // STAR_SPACES
    tint = _stone(space, outline) if _is_open(game, star) else _tint(star, x, y, outline)
    cost = space_cost(str(game.options["side"]), space)
    figure = f'<text x="{number(x)}" y="{number(y + 8)}" stroke="none">{cost}</text>'
    halo = f'<path class="halo" {outline} fill="none" stroke="none"/>'
    content = f'<path {outline} fill="{var("dish")}"/>{tint}{figure}{halo}'
    return spot(f"{player}-space-{space}", _space_label(game, name, space, language), content)


def _is_open(game: Game, star: int) -> bool:
    """Whether a star takes tiles of several colours: the centre star, and every star of the grey side."""
    return star == CENTRE_STAR or game.options["side"] == "grey"


def _stone(space: int, outline: str) -> str:
    """Two tones of stone by turns, as facets of a star that is cut in relief."""
    return f'<path {outline} fill="{var("muted")}" fill-opacity="{".2" if space % 2 else ".08"}"/>'


def _dots(plan: Plan, game: Game, player: str) -> Drawing:
    """Round the numbers of a star a dot for each colour that it may still take; the others stay as hollows."""
    dots = Drawing()
    for star in (star for star in range(STARS) if _is_open(game, star)):
        middles = [plan.space_middle(STAR_SPACES * star + ring) for ring in range(STAR_SPACES)]
        for n, kind in enumerate(CLOCKWISE):
            points = [away(middle, plan.turn + 60 * n + 30, 19) for middle in middles]
            line = "".join(f"M{number(x)} {number(y)}h.01" for x, y in points)
            dots += f'<path d="{line}" {stroke(f"tile-{TILES.names[kind]}", 7.4)}/>'
            hollow = f'<path d="{line}" {stroke("cell-edge", 7.6)}/><path d="{line}" {stroke("plaster-deep", 6)}/>'
            dots += mark(f"{player}-star-{star}-not-{LETTERS[kind]}", hollow)
    return '<g fill="none" stroke-linecap="round" pointer-events="none">' + dots + "</g>"


def _tint(star: int, x: float, y: float, outline: str) -> str:
    """What colour belongs here: its own tone and motif."""
    colour, size = TILES.names[star], LONG * 0.9
    tone = f'<path {outline} fill="{var("tile-" + colour)}" fill-opacity=".17"/>'
    frame = f'x="{number(x - size / 2)}" y="{number(y - size / 2)}" width="{number(size)}" height="{number(size)}"'
    return tone + f'<use href="#rhomb-print-{LETTERS[star]}" {frame} opacity="{var("print-behind")}" stroke="none"/>'


def _space_label(game: Game, name: str, space: int, language: str) -> str:
    side = str(game.options["side"])
    facts = {"name": name, "star": star_text(game, space // STAR_SPACES, language), "n": space_cost(side, space)}
    return say(language, "summer_pavilion.space", number=space_number(side, space), **facts)


def brief_space_label(game: Game, space: int, language: str) -> str:
    """The star of a space and what it costs: enough for a player who has just chosen it."""
    star = star_text(game, space // STAR_SPACES, language)
    return say(language, "summer_pavilion.space_brief", star=star, n=space_cost(str(game.options["side"]), space))


def _slots(plan: Plan, player: str) -> Drawing:
    """Room for tiles, above everything that is printed."""
    spaces = joined(
        slot(f"{player}-space-{k}", "", *plan.space_middle(k), LONG, turn=upright(plan.space_axis(k)), shape="rhomb")
        for k in range(SPACES)
    )
    corners = joined(
        slot(f"{player}-corner-{n}", f"{player}-corner", *plan.corner_middle(n), CORNER_LONG, turn=turn, shape="rhomb")
        for n, turn in enumerate((45, -45, -45, 45))
    )
    return spaces + corners


# --------------------------------------------------------------------------------------------- Ornaments

ORNAMENTS = {
    # A fluted column with its capital and its base.
    "pillar": "M-9-15H9V-11.5H6.5L4.8-8.5V6.5L6.5 9H9V12.5H-9V9H-6.5L-4.8 6.5V-8.5L-6.5-11.5H-9Z"
    "M-2.7-7V6H-1.3V-7ZM1.3-7V6H2.7V-7Z",
    # A figure in a robe on a plinth.
    "statue": "M0-17a3.8 3.8 0 1 1 0 7.6a3.8 3.8 0 1 1 0-7.6ZM-2.5-8.4H2.5Q7-7.2 6.8-1.5L5.7 2.6L4.2-1.8"
    "L5.8 8H-5.8L-4.2-1.8L-5.7 2.6L-6.8-1.5Q-7-7.2-2.5-8.4ZM-7 9.2H7V10.8H9V13H-9V10.8H-7Z",
    # An arched window of four lights.
    "window": "M-9 12.5V-5A9 9 0 0 1 9-5V12.5ZM-6.6 10.3H-1.1V2.6H-6.6ZM1.1 10.3H6.6V2.6H1.1ZM-6.6.4H-1.1V-11.6"
    "A6.8 6.8 0 0 0-6.6-5ZM1.1.4H6.6V-5A6.8 6.8 0 0 0 1.1-11.6Z",
}


def _feature(plan: Plan, player: str, feature: int, language: str) -> Drawing:
    """An ornament in its gap, in cobalt on white like a painted tile; lit, in gold."""
    kind, reward, _ = FEATURES[feature]
    middle, axis = plan.feature_middle(feature), plan.feature_axis(feature)
    label = say(language, f"summer_pavilion.{kind}", n=reward)
    quiet = _ornament(kind, reward, middle, axis, ("dish", "accent-soft", "accent"))
    lit = _ornament(kind, reward, middle, axis, ("gold", "turn", "on-accent"))
    return named(label, quiet + mark(f"{player}-feature-{feature}", lit))


def _ornament(kind: str, reward: int, middle: Point, axis: float, colours: tuple[str, str, str]) -> str:
    """Ground, frame and drawing in three colours, with a lozenge for each bonus tile."""
    ground, edge, ink = colours
    pips = "".join(rhombus((8.0 * n - 4 * (reward - 1), 21), 0, 8.5) for n in range(reward))
    return (
        f'<g transform="translate({number(middle[0])} {number(middle[1])})"><g transform="rotate({number(axis)})">'
        f'<path d="{rhombus((0, 0), 0, LONG * 0.95)}" fill="{var(ground)}" {stroke(edge, 1.5)}/>'
        f'<path d="{rhombus((0, 0), 0, LONG * 0.84)}" fill="{var(edge)}" fill-opacity=".3" '
        f"{stroke(ink, 0.8, 0.45)}/></g>"
        f'<g transform="translate(0 -2)" fill="{var(ink)}" fill-rule="evenodd"><path d="{pips}"/>'
        f'<path d="{ORNAMENTS[kind]}" transform="scale(1.12)"/></g></g>'
    )


# --------------------------------------------------------------------------------------------------- Hand


def _tray(plan: Plan, player: str, name: str, language: str) -> Drawing:
    """The hand: a shallow tray with a part for each colour; a player who has passed leaves it empty."""
    left, top, width, height = plan.tray
    column = width / KINDS
    parts = joined(_tray_part(plan, player, kind, left + column * kind, language) for kind in range(KINDS))
    slots = joined(
        slot(f"{player}-hand-{n}", f"{player}-hand", x, y, plan.hand_long, shape="rhomb", reach=plan.hand_reach)
        for n, (x, y) in enumerate(plan.hand_points())
    )
    middle = (left + width / 2, top + height / 2)
    passed = mark(
        f"{player}-passed",
        rect(middle[0] - 90, middle[1] - 19, 180, 38, 19, "accent", 'fill-opacity=".92"')
        + lettering(
            *(middle[0], middle[1] + 7),
            say(language, "summer_pavilion.passed"),
            size=19,
            anchor="middle",
            fill="on-accent",
            serif=True,
        ),
    )
    label = say(language, "summer_pavilion.hand_of", name=name)
    return named(label, parts + passed + slots) + slot(f"{player}-hand", "", *middle, plan.hand_long)


def _tray_part(plan: Plan, player: str, kind: int, x: float, language: str) -> Drawing:
    """One colour's part: its motif faintly printed; in its own round it is the joker's."""
    _, top, width, height = plan.tray
    column = width / KINDS
    letter = LETTERS[kind]
    box = rect(x + 2, top, column - 4, height, 10, "plaster-deep", stroke("plaster-edge", 1))
    tone = rect(x + 2, top, column - 4, height, 10, f"tile-{TILES.names[kind]}", 'fill-opacity=".08"')
    frame = f'x="{number(x + column / 2 - 29)}" y="{number(top + height - 52)}" width="58" height="58"'
    joker = mark(
        f"{player}-joker-{letter}",
        rect(x + 2, top, column - 4, height, 10, "none", stroke("gold", 2.6))
        + rect(x + column / 2 - 26, top - 9, 52, 16, 8, "gold")
        + lettering(
            x + column / 2,
            top + 3,
            say(language, "summer_pavilion.joker"),
            size=11,
            anchor="middle",
            fill="on-accent",
            bold=True,
        ),
    )
    corner = (x + column - 12, top + 2)
    count = mark(
        f"{player}-many-{letter}",
        circle(*corner, 11, "plaster", stroke("accent", 1.6))
        + text(
            corner[0], corner[1] + 5, f"{player}-count-{letter}", size=14, anchor="middle", fill="accent", bold=True
        ),
    )
    return f'{box}{tone}<use href="#rhomb-print-{letter}" {frame} opacity=".55"/>' + joker + count
