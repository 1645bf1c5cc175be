"""Azul and Azul Mini for people and programs: options, the text of moves, where the points came from."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from tilewright.game import azul_text
from tilewright.game.errors import AmbiguousMove, BadOption
from tilewright.game.game import Game
from tilewright.game.moves import Move
from tilewright.game.tiles import TileSet
from tilewright.game.words import echo
from tilewright.rules import azul, azul_moves
from tilewright.rules.azul import COLOURS, EMPTY, JOKER
from tilewright.rules.factories import count_factories
from tilewright.rules.heap import number_of
from tilewright.rules.kernel import Row
from tilewright.rules.playing import Kernels

if TYPE_CHECKING:
    from tilewright.game.position import Position

WALLS = ("coloured", "grey")


class Azul(Game):
    """Azul, for 2 to 4 players: with the coloured or the grey wall, with or without Joker tiles.

    >>> Azul(players=4, wall="grey", jokers=True)
    Azul(players=4, wall='grey', jokers=True)
    """

    name: ClassVar[str] = "azul"
    title: ClassVar[str] = "Azul"
    tiles = TileSet("byrkwj", ("blue", "yellow", "red", "black", "white", "joker"))
    phases = ("fill", "draft", "tile", "over")
    drawing_phases = ("fill",)
    kernels = Kernels(azul, azul_moves)

    def __init__(self, players: int = 2, wall: str = "coloured", jokers: bool = False) -> None:
        super().__init__(players)
        if wall not in WALLS:
            raise BadOption(f"the wall of {self.title} is 'coloured' or 'grey', not {echo(wall)}")
        if not isinstance(jokers, bool):
            raise BadOption(f"jokers is True or False, not {echo(jokers)}")
        self.wall = wall
        self.jokers = jokers

    @property
    def options(self) -> dict[str, str | bool]:
        return {"wall": self.wall, "jokers": self.jokers}

    def _set_up(self, row: Row) -> None:
        azul.set_up(row, self.players, WALLS.index(self.wall), int(self.jokers))

    # The text of moves: place, tiles, destination -------------------------------------------------------

    def move_texts(self) -> list[str]:
        texts: list[str] = []
        destinations = ["f", "1", "2", "3", "4", "5"]
        colours = self.tiles.letters[:COLOURS]
        for place in ["c", *map(str, range(1, count_factories(self.players) + 1))]:
            texts += [place + colour + where for colour in colours for where in destinations]
            if self.jokers:
                texts += [f"{place}j{where}" for where in destinations]
                for colour in colours:
                    texts.append(f"{place}{colour}jf")
                    texts += [f"{place}{colour}j{line}:{kept}" for line in range(1, 6) for kept in range(line + 1)]
        if self.jokers or self.wall == "grey":
            texts += [f"w{row}{column}" for row in range(1, 6) for column in range(1, 6)]
        return texts

    _WORDS: ClassVar[tuple[tuple[str, str], ...]] = (
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

    def normalise(self, text: str) -> str:
        # "blue from factory 3 to line 2" is as good as "factory 3, blue, line 2".
        text = re.sub(r"^(.+) from (?:the )?(factory \d|\d|centre|center)", r"\2 \1", text.strip().lower())
        for words, short in self._WORDS:
            text = re.sub(words, short, text)
        return text

    def complete(self, text: str, position: Position) -> int | str:
        """With jokers, ``3bj4`` is enough where only one number of jokers can stay in the line."""
        short = self.normalise(text)
        if not re.fullmatch(r"(c|\d)[byrkw]j[1-5]", short):
            return text
        meant = [move for move in position.legal_moves if move.text.startswith(short + ":")]
        if len(meant) > 1:
            options = ", ".join(map(str, meant))
            raise AmbiguousMove(f"{echo(text)} does not say how many jokers stay in the line: {options}")
        return meant[0] if meant else f"{short}:{short[-1]}"

    def examples(self) -> str:
        base = "'3b2' (factory 3, blue, line 2), 'cwf' (centre, white, floor line)"
        if self.jokers:
            base += ", '2j5' (its jokers alone), '2rj4:1' (red with the jokers to line 4, where 1 joker stays)"
        if self.jokers or self.wall == "grey":
            base += ", 'w24' (wall, row 2, column 4)"
        return base

    def why_illegal(self, position: Position, move: Move) -> str:
        row = position.row
        seat = int(row.turn)
        if move.text[0] == "w":
            return self._why_not_that_cell(row, seat, int(move.text[1]) - 1, int(move.text[2]) - 1)
        if position.phase == "tile":
            line = azul.full_line(row, seat) + 1
            return f"player {seat + 1} must choose a wall cell for line {line}, 'w{line}' and the column"
        place, colour, with_jokers, destination, kept = azul_moves.decode_draft(row, int(move))
        where = "the centre" if place == 0 else f"factory {place}"
        for kind in [colour, JOKER] if with_jokers else [colour]:
            if number_of(int(row.places[place]), kind) == 0:
                return f"there is no {self.tiles.names[kind]} tile in {where}"
        reason = self._why_not_that_line(row, seat, destination, int(colour))
        if reason:
            return reason
        least, most = azul_moves.jokers_that_may_stay(row, place, colour, destination)
        between = str(least) if least == most else f"{least} to {most}"
        return f"{between} of the jokers must stay in line {destination}, not {kept}"

    def _why_not_that_line(self, row: Row, seat: int, line: int, colour: int) -> str:
        held = int(row.line_colour[seat, line - 1])
        name = self.tiles.names[colour]
        if row.line_tiles[seat, line - 1] == line:
            return f"line {line} of player {seat + 1} is full"
        if held not in (EMPTY, colour) and colour != JOKER:
            return f"line {line} of player {seat + 1} holds {self.tiles.names[held]} tiles"
        if colour != JOKER and azul.row_bars(row, seat, line - 1, colour):
            return f"row {line} of the wall of player {seat + 1} has {name}, or a joker in its place, already"
        return ""

    def _why_not_that_cell(self, row: Row, seat: int, wall_row: int, column: int) -> str:
        if row.phase != azul.TILE:
            return "wall cells are chosen after the last tile was taken"
        line = int(azul.full_line(row, seat))
        if line != wall_row:
            return f"the tile of line {line + 1} comes first"
        if row.wall[seat, wall_row, column] != EMPTY:
            return "that cell is covered"
        return f"column {column + 1} has that colour already"

    # Points ---------------------------------------------------------------------------------------------

    def points(self, row: Row, seat: int) -> dict[str, int]:
        sources = {
            "tiles on the wall": int(row.wall_points[seat]),
            "full rows": azul.ROW_BONUS * int(azul.count_rows(row, seat)),
            "full columns": azul.COLUMN_BONUS * int(azul.count_columns(row, seat)),
            "full colours": azul.COLOUR_BONUS * int(azul.count_colours(row, seat)),
        }
        # What the floor line really took: less than its penalty where the score was too low to pay it.
        sources["floor line"] = int(row.score[seat]) - sum(sources.values())
        return sources

    # Text of positions ----------------------------------------------------------------------------------

    def write_position(self, position: Position) -> str:
        return azul_text.write(self, position.row)

    def _read_position(self, text: str) -> np.ndarray[Any, Any]:
        return azul_text.read(self, text)


class AzulMini(Azul):
    """Azul Mini: the rules of Azul under its own name and look, with both walls, without Joker tiles."""

    name: ClassVar[str] = "azul-mini"
    title: ClassVar[str] = "Azul Mini"

    def __init__(self, players: int = 2, wall: str = "coloured") -> None:
        super().__init__(players, wall)

    @property
    def options(self) -> dict[str, str | bool]:
        return {"wall": self.wall}
