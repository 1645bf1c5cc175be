"""Setting up a position of Summer Pavilion by hand."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.game.game import Game
from tilewright.game.position import Position
from tilewright.games.family.editor import FamilyEditor, await_deal, kind_of, seat_of_control
from tilewright.games.family.factories import NOBODY
from tilewright.games.family.slots import Slot
from tilewright.games.summer_pavilion import position_text, rules
from tilewright.games.summer_pavilion.board import CENTRE_STAR, SPACES, STAR_SPACES
from tilewright.games.summer_pavilion.picture.scene import scene
from tilewright.games.summer_pavilion.rules import EMPTY, FIRST_SCORE, LOWEST_SCORE, ROUNDS
from tilewright.kernels.compile import Cells, Row
from tilewright.view.editing import Control, whole_number
from tilewright.view.language import say
from tilewright.view.picture.scene import Scene
from tilewright.view.picture.tiles import MARKER

_STAGES = {
    rules.FACTORIES: rules.DRAFTING,
    rules.DRAFT: rules.DRAFTING,
    rules.PLACE: rules.PLACING,
    rules.BONUS: rules.PLACING,
    rules.KEEP: rules.PLACING,
    rules.OVER: rules.PLACING,
}
"""The stage of the round that each phase belongs to; the supply is only refilled in play."""
_MOST_OWED = 3


class SummerPavilionEditor(FamilyEditor):
    """Lays tiles on stars, into hands and corners, and into the supply."""

    pools = ("bag", "tower")
    rounds = ROUNDS
    lowest_score = LOWEST_SCORE

    def read_draft(self, game: Game, text: str) -> Cells:
        """The set-up, where the supply comes first, becomes the deal of the first round."""
        states = position_text.read_draft(game, text)
        if states["stage"][0] == rules.SETTING_UP:
            states["round_number"], states["stage"], states["phase"] = 1, rules.DRAFTING, rules.FACTORIES
            states["filled"] = 0
            game.kernels.refresh_at(states, 0)
        return states

    def scene(self, draft: Position) -> Scene:
        """What lies where."""
        return scene(draft)

    def put_on_board(self, draft: Position, slot: Slot, old: str, kind: str) -> bool:
        """On a star, into a hand or a corner, or into the supply."""
        row = draft.state
        match slot.area, slot.seat, slot.numbers:
            case "supply", None, (_,) if kind != MARKER:
                row.supply = self.change_heap(draft, int(row.supply), old, kind)
            case _, int(seat), _ if MARKER in (old, kind):
                row.marker = seat if kind == MARKER else NOBODY
            case "space", int(seat), (space,) if space < SPACES:
                self._put_on_space(draft, seat, space, kind)
            case "hand" | "corner", int(seat), (_,):
                row.hand[seat] = self.change_heap(draft, int(row.hand[seat]), old, kind)
            case _:
                return False
        return True

    def _put_on_space(self, draft: Position, seat: int, space: int, kind: str) -> None:
        """Cover a space; on the coloured side the outer stars have their colours, whatever tile was meant."""
        row = draft.state
        if int(row.board[seat, space]) != EMPTY:
            self.give_back(row, int(row.board[seat, space]))
            row.board[seat, space] = EMPTY
        if kind:
            star = space // STAR_SPACES
            fixed = draft.game.options["side"] == "coloured" and star != CENTRE_STAR
            wanted = star if fixed else kind_of(draft.game, kind)
            self.fetch(draft, wanted)
            row.board[seat, space] = wanted

    def follow_offer(self, row: Row) -> None:
        """Where tiles are on offer a player takes some."""
        if any(row.places):
            row.phase, row.stage, row.owed, row.passed = rules.DRAFT, rules.DRAFTING, 0, 0

    def phases(self, game: Game) -> Sequence[str]:
        """All phases but the supply, which is refilled in play."""
        return [game.phases[phase] for phase in _STAGES]

    def set_phase(self, row: Row, phase: int) -> None:
        """The stage follows from the phase, and so does who has passed."""
        row.phase, row.stage = phase, _STAGES[phase]
        row.owed = int(phase == rules.BONUS)
        if row.stage == rules.DRAFTING:
            row.passed = 0
        if phase == rules.KEEP:
            row.passed |= 1 << int(row.turn)
        if phase == rules.FACTORIES:
            await_deal(row)

    def set_score(self, row: Row, seat: int, score: int) -> None:
        """Points above those of the start came from placing; what is missing was lost by passing."""
        row.score[seat] = score
        row.marker_loss[seat] = 0
        row.placing_points[seat] = max(0, score - FIRST_SCORE)
        row.passing_loss[seat] = max(0, FIRST_SCORE - score)

    def more_controls(self, draft: Position, language: str) -> list[Control]:
        """How many bonus tiles are owed, where some are chosen now."""
        if draft.state.phase != rules.BONUS:
            return []
        owed = say(language, "summer_pavilion.editor.owed")
        return [Control("owed", owed, str(int(draft.state.owed)), least=1, most=_MOST_OWED)]

    def seat_controls(self, draft: Position, seat: int, language: str) -> list[Control]:
        """Whether a player has passed."""
        if draft.state.stage != rules.PLACING:
            return []
        choices = {"no": say(language, "page.no"), "yes": say(language, "page.yes")}
        passed, label = bool(draft.state.passed >> seat & 1), say(language, "summer_pavilion.editor.passed")
        return [Control(f"p{seat + 1}-passed", label, "yes" if passed else "no", choices, seat=seat)]

    def change_own(self, draft: Position, name: str, value: str) -> bool:
        """The bonus tiles that are owed, and who has passed."""
        row = draft.state
        if name == "owed":
            row.owed = whole_number(name, value, 1, _MOST_OWED)
        elif (seat := seat_of_control(draft.game, name, "passed")) is not None and value in ("no", "yes"):
            row.passed = row.passed | 1 << seat if value == "yes" else row.passed & ~(1 << seat)
        else:
            return False
        return True


_EDITOR = SummerPavilionEditor()
read, put, controls, change = _EDITOR.read, _EDITOR.put, _EDITOR.controls, _EDITOR.change
