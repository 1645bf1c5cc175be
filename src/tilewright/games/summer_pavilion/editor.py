"""Setting up a position of Summer Pavilion by hand."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.game.game import Game
from tilewright.game.position import Position
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
from tilewright.games.summer_pavilion import position_text, rules
from tilewright.games.summer_pavilion.board import CENTRE_STAR, SPACES, STAR_SPACES
from tilewright.games.summer_pavilion.picture.scene import scene
from tilewright.games.summer_pavilion.rules import EMPTY, FIRST_SCORE, LOWEST_SCORE, ROUNDS
from tilewright.kernels.compile import Row
from tilewright.view.editing import Control, whole_number
from tilewright.view.language import say
from tilewright.view.picture.tiles import MARKER

POOLS: Pools = ("bag", "tower")
_PHASES = {
    "factories": rules.DRAFTING,
    "draft": rules.DRAFTING,
    "place": rules.PLACING,
    "bonus": rules.PLACING,
    "keep": rules.PLACING,
    "over": rules.PLACING,
}
"""What may come next, and the stage of the round that it belongs to; the supply is only refilled in play."""
_MOST_OWED = 3


def read(game: Game, text: str) -> Position:
    """A draft from its text. The set-up, where the supply comes first, becomes the deal of the first round."""
    draft = game.new_position(position_text.read_draft(game, text))
    row = draft.state
    if row.stage == rules.SETTING_UP:
        row.round_number, row.stage, row.phase = 1, rules.DRAFTING, rules.FACTORIES
        _refresh(draft)
    return draft


def put(draft: Position, slot: str, kind: str) -> None:
    """Lay a tile into a slot, instead of what lies there."""
    row, meant = draft.state, Slot.read(slot)
    place, seat = place_of(draft.game, meant), seat_of(draft.game, meant)
    old = scene(draft).tiles.get(slot, "")
    if place is not None:
        put_in_market(draft, place, old, kind, POOLS)
        _follow_offer(row)
    elif meant == Slot("supply", None, meant.numbers) and len(meant.numbers) == 1 and kind != MARKER:
        row.supply = change_heap(draft, int(row.supply), old, kind, POOLS)
    elif seat is None or not _put_on_board(draft, seat, meant, old, kind):
        raise no_slot(slot)
    _refresh(draft)


def _put_on_board(draft: Position, seat: int, slot: Slot, old: str, kind: str) -> bool:
    """Lay a tile on somebody's board; whether there is such a slot."""
    row = draft.state
    match slot.area, slot.numbers:
        case _ if MARKER in (old, kind):
            row.marker = seat if kind == MARKER else NOBODY
        case "space", (space,) if space < SPACES:
            _put_on_space(draft, seat, space, kind)
        case "hand" | "corner", (_,):
            row.hand[seat] = change_heap(draft, int(row.hand[seat]), old, kind, POOLS)
        case _:
            return False
    return True


def _put_on_space(draft: Position, seat: int, space: int, kind: str) -> None:
    """Cover a space; on the coloured side the outer stars have their colours, whatever tile was meant."""
    row = draft.state
    if int(row.board[seat, space]) != EMPTY:
        give_back(row, int(row.board[seat, space]), POOLS)
        row.board[seat, space] = EMPTY
    if kind:
        star = space // STAR_SPACES
        fixed = draft.game.options["side"] == "coloured" and star != CENTRE_STAR
        wanted = star if fixed else kind_of(draft.game, kind)
        fetch(draft, wanted, POOLS)
        row.board[seat, space] = wanted


def _follow_offer(row: Row) -> None:
    """Where tiles are on offer a player takes some."""
    if any(row.places):
        row.phase, row.stage, row.owed, row.passed = rules.DRAFT, rules.DRAFTING, 0, 0


def _refresh(draft: Position) -> None:
    draft.state.filled = 0
    draft.game.kernels.refresh_at(draft.states, 0)


# Controls ---------------------------------------------------------------------------------------------------


def controls(draft: Position, names: Sequence[str], language: str) -> list[Control]:
    """The moment, the points, who has passed, the bag."""
    row, now = draft.state, draft.game.phases[draft.state.phase]
    known = [*_PHASES] if now in _PHASES else [now, *_PHASES]
    phases = {phase: say(language, f"summer_pavilion.editor.{phase}") for phase in known}
    shown = [
        Control("phase", say(language, "editor.phase"), now, phases),
        *moment_controls(draft, names, ROUNDS, language),
    ]
    if now == "bonus":
        owed = say(language, "summer_pavilion.editor.owed")
        shown.append(Control("owed", owed, str(int(row.owed)), least=1, most=_MOST_OWED))
    for seat in range(draft.game.players):
        shown.append(score_control(draft, seat, LOWEST_SCORE, HIGHEST_NUMBER, language))
        if row.stage == rules.PLACING:
            choices = {"no": say(language, "page.no"), "yes": say(language, "page.yes")}
            passed, label = bool(row.passed >> seat & 1), say(language, "summer_pavilion.editor.passed")
            shown.append(Control(f"p{seat + 1}-passed", label, "yes" if passed else "no", choices, seat=seat))
    return [*shown, *bag_controls(draft, POOLS, language)]


def change(draft: Position, name: str, value: str) -> None:
    """Set a control."""
    row, game = draft.state, draft.game
    if name == "phase" and value in _PHASES:
        _change_phase(row, game.phases.index(value), _PHASES[value])
    elif name == "owed":
        row.owed = whole_number(name, value, 1, _MOST_OWED)
    elif (seat := seat_of_control(game, name, "passed")) is not None and value in ("no", "yes"):
        row.passed = row.passed | 1 << seat if value == "yes" else row.passed & ~(1 << seat)
    elif (seat := seat_of_control(game, name, "score")) is not None:
        _change_score(row, seat, whole_number(name, value, LOWEST_SCORE, HIGHEST_NUMBER))
    elif not change_moment(draft, name, value, ROUNDS, POOLS):
        raise no_control(name, value)
    _refresh(draft)


def _change_phase(row: Row, phase: int, stage: int) -> None:
    row.phase, row.stage = phase, stage
    row.owed = int(phase == rules.BONUS)
    if stage == rules.DRAFTING:
        row.passed = 0
    if phase == rules.KEEP:
        row.passed |= 1 << int(row.turn)
    if phase == rules.FACTORIES:
        await_deal(row)


def _change_score(row: Row, seat: int, score: int) -> None:
    """Points above those of the start came from placing; what is missing was lost by passing."""
    row.score[seat] = score
    row.marker_loss[seat] = 0
    row.placing_points[seat] = max(0, score - FIRST_SCORE)
    row.passing_loss[seat] = max(0, FIRST_SCORE - score)
