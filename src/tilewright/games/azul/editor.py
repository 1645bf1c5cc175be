"""Setting up a position of Azul by hand."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.game.game import Game
from tilewright.game.position import Position
from tilewright.games.azul import position_text, rules
from tilewright.games.azul.picture.scene import scene
from tilewright.games.azul.rules import EMPTY, JOKER, LINES
from tilewright.games.azul.wall import wall_colour
from tilewright.games.family.editing import (
    Pools,
    await_deal,
    bag_controls,
    change_heap,
    change_moment,
    fetch,
    give_back,
    kind_of,
    moment_controls,
    no_control,
    no_slot,
    place_of,
    put_in_market,
    score_control,
    seat_of,
    seat_of_control,
)
from tilewright.games.family.factories import NOBODY
from tilewright.games.family.position_text import HIGHEST_NUMBER
from tilewright.games.family.slots import Slot
from tilewright.kernels.compile import Row
from tilewright.view.editing import Control, whole_number
from tilewright.view.language import say
from tilewright.view.picture.tiles import MARKER

POOLS: Pools = ("bag", "lid")
_MOST_ROUNDS = 99


def read(game: Game, text: str) -> Position:
    """A draft from its text."""
    return game.new_position(position_text.read_draft(game, text))


def put(draft: Position, slot: str, kind: str) -> None:
    """Lay a tile into a slot, instead of what lies there."""
    meant = Slot.read(slot)
    place, seat = place_of(draft.game, meant), seat_of(draft.game, meant)
    old = scene(draft).tiles.get(slot, "")
    if place is not None:
        put_in_market(draft, place, old, kind, POOLS)
        _follow_offer(draft.state)
    elif seat is None or not _put_on_board(draft, seat, meant, old, kind):
        raise no_slot(slot)
    _refresh(draft)


def _put_on_board(draft: Position, seat: int, slot: Slot, old: str, kind: str) -> bool:
    """Lay a tile on somebody's board; whether there is such a slot."""
    match slot.area, slot.numbers:
        case "line", (line, space) if 1 <= line <= LINES and space < line and kind != MARKER:
            _put_in_line(draft, seat, line - 1, space, old, kind)
        case "wall", (line, column) if 1 <= line <= LINES and 1 <= column <= LINES:
            _put_on_wall(draft, seat, line - 1, column - 1, kind)
        case ("floor", (_,)) | ("marker", ()):
            _put_on_floor(draft, seat, old, kind)
        case _:
            return False
    return True


def _put_in_line(draft: Position, seat: int, line: int, space: int, old: str, kind: str) -> None:
    """Fill a line up to a space with tiles of a colour, or empty it from that space on."""
    row = draft.state
    tiles, jokers = int(row.line_tiles[seat, line]), int(row.line_jokers[seat, line])
    colour = int(row.line_colour[seat, line])
    if jokers:
        give_back(row, JOKER, POOLS, jokers)
    if colour != EMPTY:
        give_back(row, colour, POOLS, tiles - jokers)
    if not kind:
        tiles, jokers = space, min(jokers, space)
    elif kind_of(draft.game, kind) == JOKER:
        tiles, jokers = max(tiles, space + 1), min(jokers + 1, line + 1)
    else:
        wanted = kind_of(draft.game, kind)
        tiles, jokers = (space + 1, min(jokers, space)) if wanted == colour or not old else (space + 1, 0)
        colour = wanted
    if tiles == jokers:
        colour = EMPTY
    fetch(draft, JOKER, POOLS, jokers)
    if colour != EMPTY:
        fetch(draft, colour, POOLS, tiles - jokers)
    row.line_colour[seat, line], row.line_tiles[seat, line], row.line_jokers[seat, line] = colour, tiles, jokers


def _put_on_wall(draft: Position, seat: int, line: int, column: int, kind: str) -> None:
    """Cover a cell; on the coloured wall its colour is given, whatever tile was meant, unless that is a joker."""
    row = draft.state
    if int(row.wall[seat, line, column]) != EMPTY:
        give_back(row, int(row.wall[seat, line, column]), POOLS)
        row.wall[seat, line, column] = EMPTY
    if kind and kind != MARKER:
        wanted = kind_of(draft.game, kind)
        if draft.game.options["wall"] == "coloured" and wanted != JOKER:
            wanted = int(wall_colour(line, column))
        fetch(draft, wanted, POOLS)
        row.wall[seat, line, column] = wanted


def _put_on_floor(draft: Position, seat: int, old: str, kind: str) -> None:
    row = draft.state
    if MARKER in (old, kind):
        row.marker = seat if kind == MARKER else NOBODY
        kind, old = ("" if kind == MARKER else kind), ("" if old == MARKER else old)
    row.floor[seat] = change_heap(draft, int(row.floor[seat]), old, kind, POOLS)


def _follow_offer(row: Row) -> None:
    """Where tiles are on offer a player takes some; where none are left, new ones will be dealt."""
    if any(row.places):
        row.phase, row.tiled = rules.DRAFT, 0
    elif row.phase == rules.DRAFT:
        row.phase = rules.FILL
        await_deal(row)


def _refresh(draft: Position) -> None:
    row = draft.state
    row.filled = 0
    if row.phase == rules.TILE:
        row.tiled = int(row.tiled or any(rules.count_rows(row, seat) for seat in range(draft.game.players)))
    draft.game.kernels.refresh_at(draft.states, 0)


# Controls ---------------------------------------------------------------------------------------------------


def controls(draft: Position, names: Sequence[str], language: str) -> list[Control]:
    """The moment, the points, the bag."""
    phases = {phase: say(language, f"azul.editor.{phase}") for phase in _phases(draft.game)}
    phase = Control("phase", say(language, "editor.phase"), draft.game.phases[draft.state.phase], phases)
    scores = [score_control(draft, seat, 0, HIGHEST_NUMBER, language) for seat in range(draft.game.players)]
    moment = moment_controls(draft, names, _MOST_ROUNDS, language)
    return [phase, *moment, *scores, *bag_controls(draft, POOLS, language)]


def _phases(game: Game) -> list[str]:
    """On the coloured wall without jokers, nobody ever chooses a cell."""
    chooses = game.options["wall"] == "grey" or bool(game.options.get("jokers"))
    return [phase for phase in game.phases if phase != "tile" or chooses]


def change(draft: Position, name: str, value: str) -> None:
    """Set a control."""
    row = draft.state
    if name == "phase" and value in draft.game.phases:
        row.phase, row.tiled = draft.game.phases.index(value), 0
        if row.phase == rules.FILL:
            await_deal(row)
    elif (seat := seat_of_control(draft.game, name, "score")) is not None:
        row.score[seat] = row.wall_points[seat] = whole_number(name, value, 0, HIGHEST_NUMBER)
    elif not change_moment(draft, name, value, _MOST_ROUNDS, POOLS):
        raise no_control(name, value)
    _refresh(draft)
