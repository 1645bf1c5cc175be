"""What is said about Azul and Azul Mini, in English."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.rules import azul, azul_moves
from tilewright.rules.azul import EMPTY, FLOOR, FLOOR_SPACES, JOKER, LINES
from tilewright.rules.factories import CENTRE, NOBODY
from tilewright.rules.heap import number_of
from tilewright.view.phrases import count_of, listed, place_name, signed_list

FLOOR_LINE = "floor line"


def heading(position: Position) -> str:
    """Which game, which variant, which round."""
    options = position.game.options
    parts = [position.game.title]
    if options["wall"] == "grey":
        parts.append("grey wall")
    if options.get("jokers"):
        parts.append("Joker tiles")
    return ", ".join([*parts, f"round {position.round}"])


def awaited(position: Position, names: Sequence[str]) -> str:
    """Whose turn it is and what the game waits for."""
    if position.turn is None:
        return "Tiles are to be drawn for the factories"
    if position.phase == "tile":
        line = int(azul.full_line(position.row, position.turn)) + 1
        return f"{names[position.turn]} to choose a wall cell for line {line}"
    return f"{names[position.turn]} to take tiles"


def describe(position: Position, move: Move) -> tuple[str, str]:
    """A move in two parts: what is taken from where, and where it goes."""
    if position.phase == "tile":
        return _describe_cell(position, move)
    row = position.row
    place, colour, with_jokers, destination, kept = (int(part) for part in azul_moves.decode_draft(row, int(move)))
    coloured = 0 if colour == JOKER else int(number_of(int(row.places[place]), colour))
    jokers = int(number_of(int(row.places[place]), JOKER)) if with_jokers or colour == JOKER else 0
    group = f"{_tiles(position, colour, coloured, jokers)} from {place_name(place)}"
    takes_marker = place == CENTRE and row.marker == NOBODY
    if takes_marker:
        group += " with the starting marker"
    if destination == FLOOR:
        falling = _falling(position, colour, coloured, jokers, takes_marker)
        return group, "to the floor line" + (f", {falling}" if "lid" in falling else "")
    room = destination - int(row.line_tiles[position.turn, destination - 1])
    fitting = min(coloured, room - kept)
    falling = _falling(position, colour, coloured - fitting, jokers - kept, takes_marker)
    fills = ", which is full then" if fitting + kept == room else ""
    return group, f"to line {destination}{fills}" + (f"; {falling}" if falling else "")


def _tiles(position: Position, colour: int, coloured: int, jokers: int) -> str:
    parts = [f"{coloured} {position.game.tiles.names[colour]}"] if coloured else []
    return listed(parts + ([count_of(jokers, "joker")] if jokers else []))


def _falling(position: Position, colour: int, coloured: int, jokers: int, takes_marker: bool) -> str:
    """What the floor line gets and what it cannot hold; by kind only where there is a doubt."""
    number = coloured + jokers
    if not number:
        return ""
    row = position.row
    free = FLOOR_SPACES - int(azul.floor_spaces_taken(row, position.turn))
    held = min(number, max(0, free - int(takes_marker)))
    what = str(number) if not position.game.options.get("jokers") else _tiles(position, colour, coloured, jokers)
    falls = "falls" if number == 1 else "fall"
    if held == number:
        return f"{what} {falls} on the floor"
    if held == 0:
        return f"{what} {'goes' if number == 1 else 'go'} to the lid"
    return f"{what} {falls} on the floor, {number - held} of them into the lid"


def _describe_cell(position: Position, move: Move) -> tuple[str, str]:
    wall_row, column = int(move.text[1]) - 1, int(move.text[2]) - 1
    seat = int(position.row.turn)
    row = position.copy().row
    row.covered[seat] |= 1 << (LINES * wall_row + column)
    points = int(azul.score_wall_tile(row, seat, wall_row, column))
    colour = int(row.line_colour[seat, wall_row])
    tile = "joker" if row.line_jokers[seat, wall_row] or colour == EMPTY else position.game.tiles.names[colour]
    return f"{tile} of line {wall_row + 1}", f"to column {column + 1} of the wall for {count_of(points, 'point')}"


def points_between(before: Position, after: Position, seat: int) -> str:
    """Points won and lost by a player in a round, by what they are for."""
    old, new = before.game.points(before.row, seat), after.game.points(after.row, seat)
    wall = new["tiles on the wall"] - old["tiles on the wall"]
    bonuses = {f"for {source}": new[source] for source in ("full rows", "full columns", "full colours")}
    if not after.is_over:
        bonuses = {}
    floor = after.scores[seat] - before.scores[seat] - wall - sum(bonuses.values())
    return signed_list({"for tiles on the wall": wall, "for the floor line": floor, **bonuses})
