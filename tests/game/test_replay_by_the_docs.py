"""A program written from the documentation alone can replay records of Azul.

It follows "Replaying it elsewhere" in docs/api.md and "Tiling in records" in docs/azul.md and uses nothing of the
package: it keeps track of tiles, pattern lines, walls and turns, and expects a wall cell where these pages say so.
"""

from __future__ import annotations

import re

import pytest

import tilewright as tw
from golden import GOLDEN
from rule_sets import IDS, RULE_SETS

AZUL = [name for name, game in zip(IDS, RULE_SETS, strict=True) if isinstance(game, tw.Azul)]
COLOURS = "byrkw"


class Replay:
    """A table of Azul and the lines of a record that have not been played yet."""

    def __init__(self, text: str) -> None:
        lines = [line for line in text.splitlines()[1:] if line and not line.startswith("#")]
        self.header = dict(line.split(": ", 1) for line in lines if ": " in line)
        self.events = [line for line in lines if ": " not in line]
        self.players = int(self.header["players"])
        self.grey = self.header["wall"] == "grey"
        self.lines = [[""] * 5 for _ in range(self.players)]
        self.walls = [[["."] * 5 for _ in range(5)] for _ in range(self.players)]
        self.cells_chosen = self.forced = self.starter = 0

    def play(self) -> None:
        """The whole record, round by round."""
        while self.events:
            places = ["", *re.findall(".{1,4}", self._next("draw").replace(" ", ""))]
            seat, marker = self.starter, None
            while any(places):
                place, kinds, destination = self._take(seat)
                if place == 0 and marker is None:
                    marker = seat
                self._put(seat, places[place], kinds, destination)
                rest = "".join(tile for tile in places[place] if tile not in kinds)
                places[place] = rest if place == 0 else ""
                places[0] += rest if place else ""
                seat = (seat + 1) % self.players
            for step in range(self.players):
                self._tile((self.starter + step) % self.players)
            self.starter = self.starter if marker is None else marker

    def _next(self, beginning: str) -> str:
        event = self.events.pop(0)
        assert event.startswith(beginning + " "), (event, beginning)
        return event.removeprefix(beginning + " ")

    def _take(self, seat: int) -> tuple[int, str, str]:
        move = self._next(str(seat + 1))
        place, kinds, destination = re.fullmatch(r"([c\d])([byrkwj]+)(f|\d(?::\d)?)", move).groups()
        return int(place) if place != "c" else 0, kinds, destination

    def _put(self, seat: int, offered: str, kinds: str, destination: str) -> None:
        """Put the tiles taken into a pattern line; those that do not fit fall and are no longer tracked."""
        if destination == "f":
            return
        number, _, kept = destination.partition(":")
        line = self.lines[seat][int(number) - 1]
        room = int(number) - len(line)
        jokers = offered.count("j") if "j" in kinds else 0
        jokers = int(kept) if kept else min(jokers, room)
        coloured = "".join(tile for tile in offered if tile in kinds and tile != "j")[: room - jokers]
        self.lines[seat][int(number) - 1] = line + coloured + "j" * jokers

    def _tile(self, seat: int) -> None:
        """A cell is recorded on the grey wall and for jokers alone, even if only one is possible; otherwise never."""
        for row, line in enumerate(self.lines[seat]):
            if len(line) <= row:
                continue
            colour = line.strip("j")[:1]
            cells = self._possible(self.walls[seat], row, colour if "j" not in line else "")
            if self.grey or not colour:
                if cells:
                    column = self._chosen(seat, row, cells)
                    self.walls[seat][row][column] = "j" if "j" in line else colour
            else:
                self.walls[seat][row][(COLOURS.index(colour) + row) % 5] = "j" if "j" in line else colour
            self.lines[seat][row] = ""

    def _possible(self, wall: list[list[str]], row: int, colour: str) -> list[int]:
        free = [column for column in range(5) if wall[row][column] == "."]
        return [column for column in free if not colour or all(line[column] != colour for line in wall)]

    def _chosen(self, seat: int, row: int, cells: list[int]) -> int:
        cell = self._next(str(seat + 1))
        assert cell in {f"w{row + 1}{column + 1}" for column in cells}
        self.cells_chosen += 1
        self.forced += len(cells) == 1
        return int(cell[2]) - 1


def replayed(text: str) -> Replay:
    """The table after the last line of a record; its walls must be those of the package."""
    replay = Replay(text)
    replay.play()
    letters = tw.read_record(text).game.tiles.letters + "."
    row = tw.read_record(text).replay().state
    for seat, wall in enumerate(replay.walls):
        assert wall == [[letters[kind] for kind in cells] for cells in row.wall[seat]]
    return replay


@pytest.mark.parametrize("name", AZUL)
def test_the_golden_game_replays_by_the_documented_rule(name: str):
    replay = replayed((GOLDEN / f"{name}.txt").read_text())
    assert bool(replay.cells_chosen) == ("grey" in name) or "jokers" in name


def test_a_cell_is_recorded_even_where_only_one_is_possible():
    assert any(replayed((GOLDEN / f"{name}.txt").read_text()).forced for name in AZUL if "grey" in name)
