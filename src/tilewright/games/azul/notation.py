"""The moves of Azul in text, as they are typed, logged and recorded: place, tiles, destination."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from tilewright.game.errors import AmbiguousMove
from tilewright.game.illegal_reason import IllegalReason, TileName
from tilewright.game.notation import Notation
from tilewright.game.validation import echo
from tilewright.games.azul import moves, position_text, rules
from tilewright.games.azul.rules import FLOOR, full_line
from tilewright.games.azul.wall import COLOURS, EMPTY, JOKER, LINES, row_bars
from tilewright.games.family.factories import CENTRE, count_factories
from tilewright.games.family.heap import number_of
from tilewright.games.family.tiles import HeapTiles
from tilewright.kernels.compile import Cells, Row

if TYPE_CHECKING:
    from tilewright.game.game import Game
    from tilewright.game.moves import Move, MoveLike
    from tilewright.game.position import Position

TILES = HeapTiles("byrkwj", ("blue", "yellow", "red", "black", "white", "joker"))
"""Blue, yellow, red, black, white: kinds 0 to 4. The sixth is the joker, which has no colour."""


@dataclass(frozen=True, slots=True)
class Take:
    """Take all tiles of a kind from a factory or the centre and place them in a pattern line, or on the floor line."""

    source: int
    """The factory, from 1; 0 is the centre of the table."""
    kind: int
    with_jokers: bool
    """Whether the jokers of the place come too."""
    line: int
    """The pattern line, from 1; 0 is the floor line."""
    jokers_kept: int | None = None
    """Of a colour taken together with jokers: how many jokers stay in the line."""

    def __str__(self) -> str:
        source = "c" if self.source == CENTRE else str(self.source)
        line = "f" if self.line == FLOOR else str(self.line)
        kept = "" if self.jokers_kept is None else f":{self.jokers_kept}"
        return f"{source}{TILES.letters[self.kind]}{'j' * self.with_jokers}{line}{kept}"


@dataclass(frozen=True, slots=True)
class ChooseCell:
    """Choose the wall cell that the tile of a full pattern line goes to."""

    row: int
    """From 1, at the top."""
    column: int
    """From 1, at the left."""

    def __str__(self) -> str:
        return f"w{self.row}{self.column}"


class AzulNotation(Notation):
    """``3b2`` is factory 3, blue, line 2; ``cwf`` is centre, white, floor line; ``w24`` is a cell of the wall."""

    def actions(self, game: Game) -> Sequence[Take | ChooseCell]:
        """Every move, in the order of ``moves.py``."""
        jokers = bool(game.options.get("jokers"))
        found: list[Take | ChooseCell] = []
        for source in range(count_factories(game.players) + 1):
            found += [Take(source, colour, False, line) for colour in range(COLOURS) for line in range(LINES + 1)]
            if jokers:
                found += _takes_with_jokers(source)
        if jokers or game.options["wall"] == "grey":
            found += [ChooseCell(row, column) for row in range(1, LINES + 1) for column in range(1, LINES + 1)]
        return found

    _SHORT_FORMS: ClassVar[tuple[tuple[str, str], ...]] = (
        (r"factory|the|line|column|cell|keeping|keep|from|and|to|on|with", ""),
        (r"centre|center", "c"),
        (r"floor", "f"),
        (r"wall\s*row|wall|row", "w"),
        (r"jokers?", "j"),
        (r"blue", "b"),
        (r"yellow", "y"),
        (r"red", "r"),
        (r"black", "k"),
        (r"white", "w"),
        (r"[\s,.>+-]+", ""),
    )

    def normalise(self, game: Game, text: str) -> str:
        """What a person typed, in the spelling of the texts of moves."""
        # "blue from factory 3 to line 2" is as good as "factory 3, blue, line 2".
        text = re.sub(r"^(.+) from (?:the )?(factory \d|\d|centre|center)", r"\2 \1", text.strip().lower())
        for long, short in self._SHORT_FORMS:
            text = re.sub(long, short, text)
        return text

    def complete(self, position: Position, text: str) -> MoveLike:
        """With jokers, ``3bj4`` is enough where only one number of jokers can stay in the line."""
        meant = self.candidates(position.game, text)
        legal = [move for move in meant if move in position.legal_moves]
        if len(legal) > 1:
            options = ", ".join(map(str, legal))
            raise AmbiguousMove(f"{echo(text)} does not say how many jokers stay in the line: {options}")
        return (legal or meant)[-1] if meant else text

    def candidates(self, game: Game, text: str) -> list[Move]:
        """The moves that differ only in the number of jokers that stay in the line, if that is left out."""
        short = self.normalise(game, text)
        if TILES.letters[JOKER] not in short:
            return []
        return [move for move in game.moves if _without_jokers_kept(move) == short]

    def examples(self, game: Game) -> str:
        """A few moves and what they mean."""
        base = "'3b2' (factory 3, blue, line 2), 'cwf' (centre, white, floor line)"
        if game.options.get("jokers"):
            base += ", '2j5' (its jokers alone), '2rj4:1' (red with the jokers to line 4, where 1 joker stays)"
        if game.options.get("jokers") or game.options["wall"] == "grey":
            base += ", 'w24' (wall, row 2, column 4)"
        return base

    def why_illegal(self, position: Position, move: Move) -> IllegalReason:
        """Which rule a move breaks."""
        row, fields = position.state, move.fields
        seat = int(row.turn)
        if isinstance(fields, ChooseCell):
            return _why_not_that_cell(row, seat, fields.row - 1, fields.column - 1)
        if position.phase == "tile":
            return CHOOSE_CELL(player=seat + 1, line=full_line(row, seat) + 1)
        for kind in [fields.kind, JOKER] if fields.with_jokers else [fields.kind]:
            if number_of(int(row.places[fields.source]), kind) == 0:
                tile = TileName.of(TILES, kind)
                at_centre = fields.source == CENTRE
                return NONE_IN_CENTRE(tile=tile) if at_centre else NONE_IN_FACTORY(tile=tile, factory=fields.source)
        reason = _why_not_that_line(row, seat, fields.line, fields.kind)
        if reason is not None:
            return reason
        least, most = moves.jokers_that_may_stay(row, fields.source, fields.kind, fields.line)
        if least == most:
            return JOKERS_STAY(least=least, line=fields.line, kept=fields.jokers_kept)
        return JOKERS_STAY_BETWEEN(least=least, most=most, line=fields.line, kept=fields.jokers_kept)

    def write_position(self, position: Position) -> str:
        """A position in one line of text."""
        return position_text.write(position)

    def read_position(self, game: Game, text: str) -> Cells:
        """The row that a line of text describes, checked."""
        return position_text.read(game, text)


def _without_jokers_kept(move: Move) -> str:
    """The text of a take whose player may choose how many jokers stay in the line, without that number."""
    fields = move.fields
    chosen = isinstance(fields, Take) and fields.jokers_kept is not None
    return str(replace(fields, jokers_kept=None)) if chosen else ""


def _takes_with_jokers(source: int) -> Iterator[Take]:
    """The jokers of a place alone; then each colour together with them."""
    for line in range(LINES + 1):
        yield Take(source, JOKER, False, line)
    for colour in range(COLOURS):
        yield Take(source, colour, True, FLOOR)
        for line in range(1, LINES + 1):
            for kept in range(line + 1):
                yield Take(source, colour, True, line, kept)


# Why a move is illegal ------------------------------------------------------------------------------------


CHOOSE_CELL = IllegalReason(
    "choose_cell", "player {player} must choose a wall cell for line {line}, 'w{line}' and the column"
)
NONE_IN_CENTRE = IllegalReason("none_in_centre", "there is no {tile} tile in the centre")
NONE_IN_FACTORY = IllegalReason("none_in_factory", "there is no {tile} tile in factory {factory}")
JOKERS_STAY = IllegalReason("jokers_stay", "{least} of the jokers must stay in line {line}, not {kept}")
JOKERS_STAY_BETWEEN = IllegalReason(
    "jokers_stay_between", "{least} to {most} of the jokers must stay in line {line}, not {kept}"
)
LINE_FULL = IllegalReason("line_full", "line {line} is already full")
LINE_HOLDS = IllegalReason("line_holds", "line {line} holds {tile} tiles")
ROW_HAS = IllegalReason("row_has", "row {line} of the wall already has {tile}, or a joker in its place")
CELLS_LATER = IllegalReason("cells_later", "wall cells are chosen only after the last tile has been taken")
LINE_FIRST = IllegalReason("line_first", "the tile of line {line} comes first")
CELL_COVERED = IllegalReason("cell_covered", "that cell is covered")
COLUMN_HAS = IllegalReason("column_has", "column {column} already has that colour")


def _why_not_that_line(row: Row, seat: int, line: int, colour: int) -> IllegalReason | None:
    held = int(row.line_colour[seat, line - 1])
    if row.line_tiles[seat, line - 1] == line:
        return LINE_FULL(line=line)
    if held not in (EMPTY, colour) and colour != JOKER:
        return LINE_HOLDS(line=line, tile=TileName.of(TILES, held))
    if colour != JOKER and row_bars(row, seat, line - 1, colour):
        return ROW_HAS(line=line, tile=TileName.of(TILES, colour))
    return None


def _why_not_that_cell(row: Row, seat: int, wall_row: int, column: int) -> IllegalReason:
    if row.phase != rules.TILE:
        return CELLS_LATER
    line = int(full_line(row, seat))
    if line != wall_row:
        return LINE_FIRST(line=line + 1)
    if row.wall[seat, wall_row, column] != EMPTY:
        return CELL_COVERED
    return COLUMN_HAS(column=column + 1)
