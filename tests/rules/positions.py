"""Short ways to set up and inspect positions of Azul and Azul Mini, for the tests of their rules.

Players, lines, rows and columns are counted from 1, as at the table and in the text of moves.

>>> position = table(tw.Azul(), Board(lines={2: "b"}, score=5), factories=["b"])
>>> play(position, "1b2")
>>> wall_row(position, 1, 2), position.scores
('.b...', (6, 0))
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import tilewright as tw

COLOURED_WALL = ("byrkw", "wbyrk", "kwbyr", "rkwby", "yrkwb")
"""The rows of the coloured wall, top to bottom: blue, yellow, red, blac(k), white."""


@dataclass(frozen=True)
class Board:
    """A player's board: the pattern lines and wall rows that are not empty, by number."""

    lines: Mapping[int, str] = field(default_factory=dict)
    wall: Mapping[int, str] = field(default_factory=dict)
    floor: str = ""
    score: int = 0

    def tiles(self) -> str:
        """Every tile on the board, one letter each."""
        return "".join([*self.lines.values(), *self.wall.values(), self.floor]).replace(".", "")


def all_tiles(game: tw.Azul) -> Counter[str]:
    """The 100 tiles of a game, by letter."""
    replaced = (1 if game.players == 2 else 2) if game.options.get("jokers") else 0
    return Counter({**dict.fromkeys("byrkw", 20 - replaced), "j": 5 * replaced})


def table(
    game: tw.Azul,
    *boards: Board,
    phase: str = "draft",
    turn: int = 1,
    first: int = 1,
    marker: int | str = "centre",
    barren: int = 0,
    factories: Sequence[str] = (),
    centre: str = "",
    bag: str = "",
    lid: str = "",
    rest: str = "bag",
) -> tw.Position:
    """A position with the given tiles; the others of the 100 are in ``rest``, the bag or the lid.

    Players whose board is not given have an empty one. ``game.position`` checks that the position is possible.
    """
    boards += (Board(),) * (game.players - len(boards))
    heaps = {"bag": bag, "lid": lid, "centre": centre}
    for n in range(1, 2 * game.players + 2):
        heaps[str(n)] = factories[n - 1] if n <= len(factories) else ""
    left = all_tiles(game)
    left.subtract("".join([*heaps.values(), *(board.tiles() for board in boards)]))
    heaps[rest] += "".join(left.elements())
    sections = [
        " ".join(
            [f"{game.name} players={game.players}"]
            + [f"{option.name}={option.write(game.options[option.name])}" for option in game.spec.options]
        ),
        f"round=1 phase={phase} turn={turn} first={first} marker={marker} tiled=no barren={barren}",
        " ".join(f"{name}={tiles or '-'}" for name, tiles in heaps.items()),
    ]
    for player, board in enumerate(boards, start=1):
        lines = ",".join(board.lines.get(line) or "-" for line in range(1, 6))
        wall = "/".join(board.wall.get(row, ".....") for row in range(1, 6))
        sections.append(
            f"player={player} score={board.score} wall-points={board.score}"
            f" lines={lines} wall={wall} floor={board.floor or '-'}"
        )
    return game.position("; ".join(sections))


def play(position: tw.Position, moves: str) -> None:
    """Play several moves, one after the other."""
    for move in moves.split():
        position.push(move)


def legal(position: tw.Position, beginning: str = "") -> set[str]:
    """The legal moves whose text has this beginning; checks that listing moves and testing each one agree."""
    listed = {str(move) for move in position.legal_moves}
    assert listed == {str(move) for move in position.game.moves if move in position.legal_moves}
    return {text for text in listed if text.startswith(beginning)}


def line(position: tw.Position, player: int, number: int) -> str:
    """The tiles in a pattern line, first the colour, then the jokers; an empty string if there are none."""
    row = position.state
    jokers = int(row.line_jokers[player - 1, number - 1])
    coloured = int(row.line_tiles[player - 1, number - 1]) - jokers
    letter = position.game.tiles.letters[row.line_colour[player - 1, number - 1]] if coloured else ""
    return letter * coloured + "j" * jokers


def wall_row(position: tw.Position, player: int, number: int) -> str:
    """A row of a wall, with a dot for each free cell."""
    letters = position.game.tiles.letters + "."  # EMPTY is -1, the last of them
    return "".join(letters[kind] for kind in position.state.wall[player - 1, number - 1])


def floor(position: tw.Position, player: int) -> str:
    """The tiles on a floor line, without the marker."""
    return spell(position, position.state.floor[player - 1])


def place(position: tw.Position, number: int) -> str:
    """The tiles in the centre (0) or on a factory."""
    return spell(position, position.state.places[number])


def lid(position: tw.Position) -> str:
    """The tiles in the lid of the box."""
    return spell(position, position.state.lid)


def bag(position: tw.Position) -> str:
    """The tiles in the bag."""
    return spell(position, position.state.bag)


def spell(position: tw.Position, heap: int) -> str:
    """The tiles of a heap, one letter each; an empty string if there are none."""
    return position.game.tiles.spell(heap).strip("-")


def marker_holder(position: tw.Position) -> int | None:
    """The player who took the starting player marker; None while it is in the centre."""
    return int(position.state.marker) + 1 or None


def next_starter(position: tw.Position) -> int:
    """The player who starts the round that is being prepared or played."""
    return int(position.state.starter) + 1
