"""Setting up a position of Azul by hand."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.game.game import Game
from tilewright.game.position import Position
from tilewright.games.azul import position_text, rules
from tilewright.games.azul.picture.scene import scene
from tilewright.games.azul.rules import EMPTY, JOKER, LINES
from tilewright.games.azul.wall import wall_colour
from tilewright.games.family.editor import FamilyEditor, await_deal, kind_of
from tilewright.games.family.factories import NOBODY
from tilewright.games.family.slots import Slot
from tilewright.kernels.compile import Cells, Row
from tilewright.view.picture.scene import Scene
from tilewright.view.picture.tiles import MARKER


class AzulEditor(FamilyEditor):
    """Lays tiles into pattern lines, on walls and on floor lines."""

    pools = ("bag", "lid")
    rounds = 99

    def read_draft(self, game: Game, text: str) -> Cells:
        """The row that a text describes; it may be impossible."""
        return position_text.read_draft(game, text)

    def scene(self, draft: Position) -> Scene:
        """What lies where."""
        return scene(draft)

    def put_on_board(self, draft: Position, slot: Slot, old: str, kind: str) -> bool:
        """Into a pattern line, on the wall or on the floor line."""
        match slot.area, slot.seat, slot.numbers:
            case "line", int(seat), (line, space) if 1 <= line <= LINES and space < line and kind != MARKER:
                self._put_in_line(draft, seat, line - 1, space, old, kind)
            case "wall", int(seat), (line, column) if 1 <= line <= LINES and 1 <= column <= LINES:
                self._put_on_wall(draft, seat, line - 1, column - 1, kind)
            case ("floor", int(seat), (_,)) | ("marker", int(seat), ()):
                self._put_on_floor(draft, seat, old, kind)
            case _:
                return False
        return True

    def _put_in_line(self, draft: Position, seat: int, line: int, space: int, old: str, kind: str) -> None:
        """Fill a line up to a space with tiles of a colour, or empty it from that space on."""
        row = draft.state
        tiles, jokers = int(row.line_tiles[seat, line]), int(row.line_jokers[seat, line])
        colour = int(row.line_colour[seat, line])
        if jokers:
            self.give_back(row, JOKER, jokers)
        if colour != EMPTY:
            self.give_back(row, colour, tiles - jokers)
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
        self.fetch(draft, JOKER, jokers)
        if colour != EMPTY:
            self.fetch(draft, colour, tiles - jokers)
        row.line_colour[seat, line], row.line_tiles[seat, line], row.line_jokers[seat, line] = colour, tiles, jokers

    def _put_on_wall(self, draft: Position, seat: int, line: int, column: int, kind: str) -> None:
        """Cover a cell; on the coloured wall its colour is given, whatever tile was meant, unless that is a joker."""
        row = draft.state
        if int(row.wall[seat, line, column]) != EMPTY:
            self.give_back(row, int(row.wall[seat, line, column]))
            row.wall[seat, line, column] = EMPTY
        if kind and kind != MARKER:
            wanted = kind_of(draft.game, kind)
            if draft.game.options["wall"] == "coloured" and wanted != JOKER:
                wanted = int(wall_colour(line, column))
            self.fetch(draft, wanted)
            row.wall[seat, line, column] = wanted

    def _put_on_floor(self, draft: Position, seat: int, old: str, kind: str) -> None:
        row = draft.state
        if MARKER in (old, kind):
            row.marker = seat if kind == MARKER else NOBODY
            kind, old = ("" if kind == MARKER else kind), ("" if old == MARKER else old)
        row.floor[seat] = self.change_heap(draft, int(row.floor[seat]), old, kind)

    def follow_offer(self, row: Row) -> None:
        """Where tiles are on offer a player takes some; where none are left, new ones will be dealt."""
        if any(row.places):
            row.phase, row.tiled = rules.DRAFT, 0
        elif row.phase == rules.DRAFT:
            row.phase = rules.FILL
            await_deal(row)

    def refresh(self, draft: Position) -> None:
        """Where a row is full, somebody has tiled."""
        row = draft.state
        if row.phase == rules.TILE:
            row.tiled = int(row.tiled or any(rules.count_rows(row, seat) for seat in range(draft.game.players)))
        super().refresh(draft)

    def phases(self, game: Game) -> Sequence[str]:
        """On the coloured wall without jokers, nobody ever chooses a cell."""
        chooses = game.options["wall"] == "grey" or bool(game.options.get("jokers"))
        return [phase for phase in game.phases if phase != "tile" or chooses]

    def set_phase(self, row: Row, phase: int) -> None:
        """Nobody has tiled yet; before a deal the marker is back in the centre."""
        row.phase, row.tiled = phase, 0
        if phase == rules.FILL:
            await_deal(row)

    def set_score(self, row: Row, seat: int, score: int) -> None:
        """All points came from the wall."""
        row.score[seat] = row.wall_points[seat] = score


_EDITOR = AzulEditor()
read, put, controls, change = _EDITOR.read, _EDITOR.put, _EDITOR.controls, _EDITOR.change
