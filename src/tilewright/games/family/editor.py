"""Setting up positions of the family by hand: tiles come from the bag and go back to it, so that none is ever lost."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from tilewright.game.errors import BadPosition
from tilewright.game.game import Game
from tilewright.game.illegal_reason import TileName
from tilewright.game.position import Position
from tilewright.game.position_text import impossible
from tilewright.games.family.factories import NOBODY, count_factories
from tilewright.games.family.heap import counts_of, number_of, tiles
from tilewright.games.family.position_text import HIGHEST_NUMBER
from tilewright.games.family.slots import Slot
from tilewright.kernels.compile import Cells, Row
from tilewright.view.editing import Control, whole_number
from tilewright.view.language import say, say_for
from tilewright.view.phrasing import tile_name
from tilewright.view.picture.scene import Scene
from tilewright.view.picture.tiles import MARKER

_BAG = "bag-"
"""Before the letter of a kind of tile: the control for how many of them are in the bag."""


class FamilyEditor(ABC):
    """What the editors of the family share: the market, the moment, the points and the bag.

    A game adds its boards, the phases that can be chosen, and controls of its own.
    """

    pools: tuple[str, str]
    """The fields of the bag and of the tiles that were used: what is laid comes from the first that has it."""
    rounds: int
    """The last round that can be chosen."""
    lowest_score = 0

    # What a game says ---------------------------------------------------------------------------------------

    @abstractmethod
    def read_draft(self, game: Game, text: str) -> Cells:
        """The row that a text describes; it may be impossible."""

    @abstractmethod
    def scene(self, draft: Position) -> Scene:
        """What lies where."""

    @abstractmethod
    def put_on_board(self, draft: Position, slot: Slot, old: str, kind: str) -> bool:
        """Lay a tile outside the market; whether there is such a slot. A seat that it has belongs to a player."""

    @abstractmethod
    def follow_offer(self, row: Row) -> None:
        """Bring the phase into line with the tiles on offer, which have changed."""

    @abstractmethod
    def phases(self, game: Game) -> Sequence[str]:
        """What may come next, by name."""

    @abstractmethod
    def set_phase(self, row: Row, phase: int) -> None:
        """Let something come next."""

    @abstractmethod
    def set_score(self, row: Row, seat: int, score: int) -> None:
        """Give a player these points, and say where they came from."""

    def more_controls(self, draft: Position, language: str) -> list[Control]:
        """Controls of the game for what concerns everybody."""
        return []

    def seat_controls(self, draft: Position, seat: int, language: str) -> list[Control]:
        """Controls of the game for a player, beside the points."""
        return []

    def change_own(self, draft: Position, name: str, value: str) -> bool:
        """Set one of the controls that only this game has; whether it is one of them."""
        return False

    def refresh(self, draft: Position) -> None:
        """Recompute what follows from the rest."""
        draft.state.filled = 0
        draft.game.kernels.refresh_at(draft.states, 0)

    # What the page asks for ---------------------------------------------------------------------------------

    def read(self, game: Game, text: str) -> Position:
        """A draft from its text."""
        return game.trusted_position(self.read_draft(game, text))

    def put(self, draft: Position, slot: str, kind: str) -> None:
        """Lay a tile into a slot, instead of what lies there."""
        meant, old = Slot.read(slot), self.scene(draft).tiles.get(slot, "")
        place = _place_of(draft.game, meant)
        if place is not None:
            self._put_in_market(draft, place, old, kind)
            self.follow_offer(draft.state)
        elif not _is_played(draft.game, meant) or not self.put_on_board(draft, meant, old, kind):
            raise BadPosition(f"no tile can be laid into the slot {slot[:40]!r}")
        self.refresh(draft)

    def controls(self, draft: Position, names: Sequence[str], language: str) -> list[Control]:
        """The moment, the points, the bag, and what else the game has."""
        shown = [*self._moment_controls(draft, names, language), *self.more_controls(draft, language)]
        for seat in range(draft.game.players):
            score, label = str(int(draft.state.score[seat])), say(language, "editor.score")
            least, most = self.lowest_score, HIGHEST_NUMBER
            shown.append(Control(f"p{seat + 1}-score", label, score, least=least, most=most, seat=seat))
            shown += self.seat_controls(draft, seat, language)
        return [*shown, *self._bag_controls(draft, language)]

    def change(self, draft: Position, name: str, value: str) -> None:
        """Set a control."""
        game, row = draft.game, draft.state
        if name == "phase" and value in self.phases(game):
            self.set_phase(row, game.phases.index(value))
        elif (seat := seat_of_control(game, name, "score")) is not None:
            self.set_score(row, seat, whole_number(name, value, self.lowest_score, HIGHEST_NUMBER))
        elif not (self.change_own(draft, name, value) or self._change_shared(draft, name, value)):
            raise BadPosition(f"there is no control {name[:40]!r} that could be {value[:20]!r}")
        self.refresh(draft)

    # Tiles --------------------------------------------------------------------------------------------------

    def fetch(self, draft: Position, kind: int, number: int = 1) -> None:
        """Take tiles of a kind that are not on the table."""
        row = draft.state
        for _ in range(number):
            pool = next((pool for pool in self.pools if number_of(int(row[pool]), kind)), None)
            if pool is None:
                name = TileName.of(draft.game.tiles, kind)
                raise impossible("none_left", "all {tile} tiles are already on the table", tile=name)
            row[pool] -= tiles(kind, 1)

    def give_back(self, row: Row, kind: int, number: int = 1) -> None:
        """Put tiles back into the bag."""
        row[self.pools[0]] += tiles(kind, number)

    def change_heap(self, draft: Position, heap: int, old: str, new: str) -> int:
        """A heap with another tile instead of one that lies there, either of which may be none."""
        if old:
            heap -= tiles(kind_of(draft.game, old), 1)
            self.give_back(draft.state, kind_of(draft.game, old))
        if new:
            self.fetch(draft, kind_of(draft.game, new))
            heap += tiles(kind_of(draft.game, new), 1)
        return heap

    def _put_in_market(self, draft: Position, place: int, old: str, new: str) -> None:
        """Lay a tile on a factory or in the centre."""
        if MARKER in (old, new):
            draft.state.marker = NOBODY
        else:
            draft.state.places[place] = self.change_heap(draft, int(draft.state.places[place]), old, new)

    # Controls -----------------------------------------------------------------------------------------------

    def _moment_controls(self, draft: Position, names: Sequence[str], language: str) -> list[Control]:
        """What comes next, the round, whose turn it is, who began, who has the marker."""
        row, now, known = draft.state, draft.game.phases[draft.state.phase], self.phases(draft.game)
        phases = {
            phase: say_for(draft.game.spec, language, f"editor.{phase}")
            for phase in (known if now in known else [now, *known])
        }
        players = {str(seat + 1): name for seat, name in enumerate(names)}
        marker = "centre" if row.marker == NOBODY else str(int(row.marker) + 1)
        centre = {"centre": say_for(draft.game.spec, language, "editor.marker_in_centre")}
        return [
            Control("phase", say(language, "editor.phase"), now, phases),
            Control("round", say(language, "editor.round"), str(int(row.round_number)), least=1, most=self.rounds),
            Control("turn", say(language, "editor.turn"), str(int(row.turn) + 1), players),
            Control("first", say(language, "editor.first"), str(int(row.starter) + 1), players),
            Control("marker", say_for(draft.game.spec, language, "editor.marker"), marker, centre | players),
        ]

    def _bag_controls(self, draft: Position, language: str) -> list[Control]:
        """How many of the tiles that are not on the table are in the bag; the others were used."""
        bag, used = (counts_of(int(draft.state[pool])) for pool in self.pools)
        return [
            Control(
                f"{_BAG}{letter}",
                tile_name(draft.game.spec, letter, language),
                str(bag[kind]),
                least=0,
                most=most,
                kind=letter,
            )
            for kind, letter in enumerate(draft.game.tiles.letters)
            if (most := bag[kind] + used[kind])
        ]

    def _change_shared(self, draft: Position, name: str, value: str) -> bool:
        """Set one of the controls that the games share; whether it is one of them."""
        row, players = draft.state, [str(seat + 1) for seat in range(draft.game.players)]
        if name == "round":
            row.round_number = whole_number(name, value, 1, self.rounds)
        elif name in ("turn", "first") and value in players:
            row["turn" if name == "turn" else "starter"] = int(value) - 1
        elif name == "marker" and value in ("centre", *players):
            row.marker = NOBODY if value == "centre" else int(value) - 1
        elif name.startswith(_BAG):
            self._change_bag(row, kind_of(draft.game, name.removeprefix(_BAG)), name, value)
        else:
            return False
        return True

    def _change_bag(self, row: Row, kind: int, name: str, value: str) -> None:
        whole = sum(number_of(int(row[pool]), kind) for pool in self.pools)
        wanted = whole_number(name, value, 0, whole)
        for pool, number in zip(self.pools, (wanted, whole - wanted), strict=True):
            row[pool] += tiles(kind, number) - tiles(kind, number_of(int(row[pool]), kind))


def kind_of(game: Game, letter: str) -> int:
    """The number of a kind of tile."""
    if len(letter) != 1 or letter not in game.tiles.letters:
        raise BadPosition(f"{letter[:20]!r} is not the letter of a kind of tile")
    return game.tiles.letters.index(letter)


def await_deal(row: Row) -> None:
    """Before a deal the marker lies in the centre, and whoever had it begins."""
    if row.marker != NOBODY:
        row.starter = row.marker
    row.marker, row.turn = NOBODY, row.starter


def seat_of_control(game: Game, name: str, what: str) -> int | None:
    """The seat, from 0, that a control of this kind belongs to; None for any other control."""
    control = Slot.read(name)
    return control.seat if control == Slot(what, control.seat) and _is_played(game, control) else None


def _is_played(game: Game, slot: Slot) -> bool:
    """Whether a slot belongs to nobody, or to somebody who plays."""
    return slot.seat is None or slot.seat < game.players


def _place_of(game: Game, slot: Slot) -> int | None:
    """The factory that a slot belongs to, 0 for the centre; None for other slots."""
    match slot:
        case Slot("factory", None, (factory, _)) if 1 <= factory <= count_factories(game.players):
            return factory
        case Slot("centre", None, (_,)) | Slot("centre-marker", None, ()):
            return 0
    return None
