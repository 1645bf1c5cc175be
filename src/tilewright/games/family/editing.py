"""Setting up positions of the family by hand: tiles come from the bag and go back to it, so that none is ever lost."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.game.errors import BadPosition
from tilewright.game.game import Game
from tilewright.game.illegal_reason import TileName
from tilewright.game.position import Position
from tilewright.game.position_text import impossible
from tilewright.games.family.factories import NOBODY, count_factories
from tilewright.games.family.heap import counts_of, number_of, tiles
from tilewright.games.family.slots import Slot
from tilewright.kernels.compile import Row
from tilewright.view.editing import Control, whole_number
from tilewright.view.language import say
from tilewright.view.phrasing import tile_name
from tilewright.view.picture.tiles import MARKER

Pools = tuple[str, str]
"""The fields of the bag and of the tiles that were used: what is laid comes from the first that has it."""
_BAG = "bag-"
"""Before the letter of a kind of tile: the control for how many of them are in the bag."""


def seat_of(game: Game, slot: Slot) -> int | None:
    """Whose slot it is, from 0; None if it belongs to nobody who plays."""
    return slot.seat if slot.seat is not None and slot.seat < game.players else None


def place_of(game: Game, slot: Slot) -> int | None:
    """The factory that a slot belongs to, 0 for the centre; None for other slots."""
    match slot:
        case Slot("factory", None, (factory, _)) if 1 <= factory <= count_factories(game.players):
            return factory
        case Slot("centre", None, (_,)) | Slot("centre-marker", None, ()):
            return 0
    return None


def no_slot(name: str) -> BadPosition:
    """The error for a slot where no tile can be laid."""
    return BadPosition(f"no tile can be laid into the slot {name[:40]!r}")


def kind_of(game: Game, letter: str) -> int:
    """The number of a kind of tile."""
    if len(letter) != 1 or letter not in game.tiles.letters:
        raise BadPosition(f"{letter[:20]!r} is not the letter of a kind of tile")
    return game.tiles.letters.index(letter)


def fetch(draft: Position, kind: int, pools: Pools, number: int = 1) -> None:
    """Take tiles of a kind that are not on the table."""
    row = draft.state
    for _ in range(number):
        pool = next((pool for pool in pools if number_of(int(row[pool]), kind)), None)
        if pool is None:
            name = TileName.of(draft.game.tiles, kind)
            raise impossible("none_left", "all {tile} tiles are on the table already", tile=name)
        row[pool] -= tiles(kind, 1)


def give_back(row: Row, kind: int, pools: Pools, number: int = 1) -> None:
    """Put tiles back into the bag."""
    row[pools[0]] += tiles(kind, number)


def change_heap(draft: Position, heap: int, old: str, new: str, pools: Pools) -> int:
    """A heap with another tile instead of one that lies there, either of which may be none."""
    if old:
        heap -= tiles(kind_of(draft.game, old), 1)
        give_back(draft.state, kind_of(draft.game, old), pools)
    if new:
        fetch(draft, kind_of(draft.game, new), pools)
        heap += tiles(kind_of(draft.game, new), 1)
    return heap


def put_in_market(draft: Position, place: int, old: str, new: str, pools: Pools) -> None:
    """Lay a tile on a factory or in the centre."""
    if MARKER in (old, new):
        draft.state.marker = NOBODY
    else:
        draft.state.places[place] = change_heap(draft, int(draft.state.places[place]), old, new, pools)


def await_deal(row: Row) -> None:
    """Before a deal the marker lies in the centre, and whoever had it begins."""
    if row.marker != NOBODY:
        row.starter = row.marker
    row.marker, row.turn = NOBODY, row.starter


# Controls ---------------------------------------------------------------------------------------------------


def seats(names: Sequence[str]) -> dict[str, str]:
    """The players as choices."""
    return {str(seat + 1): name for seat, name in enumerate(names)}


def moment_controls(draft: Position, names: Sequence[str], rounds: int, language: str) -> list[Control]:
    """The round, whose turn it is, who began, who has the marker."""
    row, players = draft.state, seats(names)
    marker = "centre" if row.marker == NOBODY else str(int(row.marker) + 1)
    centre = {"centre": say(language, "editor.marker_in_centre")}
    return [
        Control("round", say(language, "editor.round"), str(int(row.round_number)), least=1, most=rounds),
        Control("turn", say(language, "editor.turn"), str(int(row.turn) + 1), players),
        Control("first", say(language, "editor.first"), str(int(row.starter) + 1), players),
        Control("marker", say(language, "editor.marker"), marker, centre | players),
    ]


def score_control(draft: Position, seat: int, least: int, most: int, language: str) -> Control:
    """The points of a player."""
    score = str(int(draft.state.score[seat]))
    return Control(f"p{seat + 1}-score", say(language, "editor.score"), score, least=least, most=most, seat=seat)


def bag_controls(draft: Position, pools: Pools, language: str) -> list[Control]:
    """How many of the tiles that are not on the table are in the bag; the others were used."""
    bag, used = (counts_of(int(draft.state[pool])) for pool in pools)
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


def change_moment(draft: Position, name: str, value: str, rounds: int, pools: Pools) -> bool:
    """Set one of the controls that the games share; whether it is one of them."""
    row, players = draft.state, [str(seat + 1) for seat in range(draft.game.players)]
    if name == "round":
        row.round_number = whole_number(name, value, 1, rounds)
    elif name in ("turn", "first") and value in players:
        row["turn" if name == "turn" else "starter"] = int(value) - 1
    elif name == "marker" and value in ("centre", *players):
        row.marker = NOBODY if value == "centre" else int(value) - 1
    elif name.startswith(_BAG):
        kind = kind_of(draft.game, name.removeprefix(_BAG))
        whole = sum(number_of(int(row[pool]), kind) for pool in pools)
        wanted = whole_number(name, value, 0, whole)
        for pool, number in zip(pools, (wanted, whole - wanted), strict=True):
            row[pool] += tiles(kind, number) - tiles(kind, number_of(int(row[pool]), kind))
    else:
        return False
    return True


def seat_of_control(game: Game, name: str, what: str) -> int | None:
    """Whose control it is, if it is one for this."""
    control = Slot.read(name)
    return seat_of(game, control) if control == Slot(what, control.seat) else None


def no_control(name: str, value: str) -> BadPosition:
    """The error for a control that there is not, or that has no such value."""
    return BadPosition(f"there is no control {name[:40]!r} that could be {value[:20]!r}")
