"""What is said about Azul and Azul Mini, in English."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.games.azul import moves as azul_moves
from tilewright.games.azul import rules as azul
from tilewright.games.azul.rules import EMPTY, FLOOR, FLOOR_SPACES, JOKER, LINES
from tilewright.games.family.factories import CENTRE, NOBODY
from tilewright.games.family.heap import number_of
from tilewright.view.language import say
from tilewright.view.phrases import Told, count_of, listed, place_name, signed_list

FLOOR_LINE = "floor"


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


def tell(position: Position, move: Move) -> Told:
    """A move in words: what is taken from where, and where it goes."""
    if position.phase == "tile":
        return _tell_cell(position, move)
    row = position.row
    place, colour, with_jokers, destination, kept = (int(part) for part in azul_moves.decode_draft(row, int(move)))
    coloured = 0 if colour == JOKER else int(number_of(int(row.places[place]), colour))
    jokers = int(number_of(int(row.places[place]), JOKER)) if with_jokers or colour == JOKER else 0
    taken = f"{_tiles(position, colour, coloured, jokers)} from {place_name(place)}"
    takes_marker = place == CENTRE and row.marker == NOBODY
    if takes_marker:
        taken += " with the starting marker"
    if destination == FLOOR:
        lost = coloured + jokers - _floor_room(position, takes_marker)
        sentence = f"{taken} to the floor line" + (f", {lost} of them to the lid" if lost > 0 else "")
        return Told(sentence, taken, "floor")
    room = destination - int(row.line_tiles[position.turn, destination - 1])
    fitting = min(coloured, room - kept)
    full = fitting + kept == room
    sentence = f"{taken} to line {destination}" + (", now full" if full else "")
    detail = f"line {destination}" + (" full" if full else "")
    dropped = (coloured - fitting, jokers - kept)
    if any(dropped):
        falls = _falling(position, colour, *dropped)
        sentence += f"; {falls} on the floor"
        detail += f", {falls}"
        lost = sum(dropped) - _floor_room(position, takes_marker)
        sentence += f", {lost} of them to the lid" if lost > 0 else ""
    return Told(sentence, taken, detail)


def _tiles(position: Position, colour: int, coloured: int, jokers: int) -> str:
    parts = [f"{coloured} {position.game.tiles.names[colour]}"] if coloured else []
    return listed(parts + ([count_of(jokers, "joker")] if jokers else []))


def _floor_room(position: Position, takes_marker: bool) -> int:
    taken = int(azul.floor_spaces_taken(position.row, int(position.row.turn)))
    return max(0, FLOOR_SPACES - taken - takes_marker)


def _falling(position: Position, colour: int, coloured: int, jokers: int) -> str:
    """How many tiles fall; of which kind only where there is a doubt."""
    number = coloured + jokers
    what = _tiles(position, colour, coloured, jokers) if position.game.options.get("jokers") else str(number)
    return f"{what} {'falls' if number == 1 else 'fall'}"


def _tell_cell(position: Position, move: Move) -> Told:
    wall_row, column = int(move.text[1]) - 1, int(move.text[2]) - 1
    seat = int(position.row.turn)
    row = position.copy().row
    row.covered[seat] |= 1 << (LINES * wall_row + column)
    points = int(azul.score_wall_tile(row, seat, wall_row, column))
    colour = int(row.line_colour[seat, wall_row])
    tile = "joker" if row.line_jokers[seat, wall_row] or colour == EMPTY else position.game.tiles.names[colour]
    heading = f"{tile} of line {wall_row + 1} to the wall"
    detail = f"column {column + 1}, {count_of(points, 'point')}"
    return Told(f"{heading}, {detail}", heading, detail)


def points_between(before: Position, after: Position, seat: int) -> str:
    """Points won and lost by a player in a round, by what they are for."""
    old, new = before.game.spec.points(before, seat), after.game.spec.points(after, seat)
    wall = new["tiles on the wall"] - old["tiles on the wall"]
    bonuses = {source: new[source] for source in ("full rows", "full columns", "full colours")}
    if not after.is_over:
        bonuses = {}
    floor = after.scores[seat] - before.scores[seat] - wall - sum(bonuses.values())
    return signed_list({"tiles on the wall": wall, "floor line": floor, **bonuses})


def prompt(position: Position, language: str) -> str:
    """What the player to move has to do, in a sentence."""
    return say(language, f"prompt.azul_{position.phase}")
