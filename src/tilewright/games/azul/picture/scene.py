"""Azul at one moment: which tile lies in which slot.

A scene is drawn for every move of hundreds of games at a time, so the fields of the row are fetched once each, the
names of slots are spelt once, and what most moves leave as it is, lines and walls, is remembered by its bytes.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

from tilewright.game.position import Position
from tilewright.games.azul.picture.grey_wall import marks_of
from tilewright.games.azul.rules import DRAFT, FLOOR_SPACES, JOKER, LINES, OVER, TILE
from tilewright.games.family.factories import MOST_PLACES, MOST_PLAYERS, NOBODY
from tilewright.games.family.heap import BITS, KINDS
from tilewright.view.picture.scene import Scene
from tilewright.view.picture.tiles import MARKER

_MOST_SLOTS = 32
_PLACE_SLOTS = [
    [f"{'centre' if place == 0 else f'factory-{place}'}-{n}" for n in range(_MOST_SLOTS)]
    for place in range(MOST_PLACES)
]
_SEATS = [f"p{seat + 1}" for seat in range(MOST_PLAYERS)]
_LINE_SLOTS = [[[f"{me}-line-{row + 1}-{n}" for n in range(row + 1)] for row in range(LINES)] for me in _SEATS]
_WALL_SLOTS = [
    [[f"{me}-wall-{row + 1}-{column + 1}" for column in range(LINES)] for row in range(LINES)] for me in _SEATS
]
_FLOOR_SLOTS = [[f"{me}-floor-{n}" for n in range(FLOOR_SPACES)] for me in _SEATS]


def scene(position: Position) -> Scene:
    """What lies where; the same for every viewer."""
    letters = position.game.tiles.letters
    players = position.game.players
    row: Any = position.states[0]
    shown = Scene()
    tiles = shown.tiles
    for place, heap in enumerate(row["places"].tolist()):
        if heap:
            tiles.update(zip(_PLACE_SLOTS[place], _spelt(heap, letters), strict=False))
    lines = zip(*(_by_seat(row[name]) for name in ("line_tiles", "line_jokers", "line_colour")), strict=True)
    for seat, parts in zip(range(players), lines, strict=False):
        tiles.update(_on_lines(seat, *parts, letters))
    for seat, wall in zip(range(players), _by_seat(row["wall"]), strict=False):
        tiles.update(_on_wall(seat, wall, letters))
    _put_floors(row, players, letters, tiles)
    shown.texts = _texts(row, players)
    shown.marks = _marks(position, row) + (marks_of(row, players, _SEATS) if row["grey"] else [])
    return shown


@cache
def _spelt(heap: int, letters: str) -> str:
    """The tiles of a small heap, a letter each: those of a kind side by side, which is how people count them."""
    return "".join(letter * (heap >> BITS * kind & 0xFF) for kind, letter in enumerate(letters))


def _by_seat(field: Any) -> list[bytes]:
    """What a field of small numbers holds for each seat."""
    whole, size = field.tobytes(), field.nbytes // MOST_PLAYERS
    return [whole[n : n + size] for n in range(0, len(whole), size)]


@lru_cache(maxsize=4096)
def _on_lines(seat: int, counts: bytes, jokers: bytes, colours: bytes, letters: str) -> dict[str, str]:
    """Pattern lines from the right; jokers first, since a joker is what will go to the wall."""
    tiles: dict[str, str] = {}
    for slots, count, held, colour in zip(_LINE_SLOTS[seat], counts, jokers, colours, strict=True):
        kinds = letters[JOKER] * held + (letters[colour] * (count - held) if colour < KINDS else "")
        tiles.update(zip(slots, kinds, strict=False))
    return tiles


@lru_cache(maxsize=4096)
def _on_wall(seat: int, wall: bytes, letters: str) -> dict[str, str]:
    """The tiles of a wall, row by row; an empty cell is none of the kinds."""
    slots = (slot for row in _WALL_SLOTS[seat] for slot in row)
    return {slot: letters[kind] for slot, kind in zip(slots, wall, strict=True) if kind < KINDS}


def _put_floors(row: Any, players: int, letters: str, tiles: dict[str, str]) -> None:
    """Floor lines, the marker first; one that found no room, or outlives the game, lies beside the line."""
    marker = int(row["marker"])
    if marker == NOBODY:
        tiles["centre-marker"] = MARKER
    for seat, heap in enumerate(row["floor"].tolist()[:players]):
        fallen: list[str] = list(_spelt(heap, letters))
        if marker == seat:
            if len(fallen) >= FLOOR_SPACES or row["phase"] == OVER:
                tiles[f"{_SEATS[seat]}-marker"] = MARKER
            else:
                fallen.insert(0, MARKER)
        tiles.update(zip(_FLOOR_SLOTS[seat], fallen, strict=False))


def _texts(row: Any, players: int) -> dict[str, str]:
    texts = {"bag": str(_count(row["bag"])), "lid": str(_count(row["lid"])), "round": str(row["round_number"])}
    for seat, score in enumerate(row["score"].tolist()[:players]):
        texts[f"{_SEATS[seat]}-score"] = str(score)
    return texts


def _count(heap: Any) -> int:
    return sum(int(heap).to_bytes(BITS, "little")[:KINDS])


def _marks(position: Position, row: Any) -> list[str]:
    """Whose turn it is, and who began the round until somebody begins the next; at the end, who won."""
    phase = row["phase"]
    if phase == OVER:
        winners = int(position.game.kernels.winners_at(position.states, 0))
        return [f"{me}-winner" for seat, me in enumerate(_SEATS) if winners >> seat & 1]
    marks = [f"{_SEATS[row['starter']]}-first"] if row["marker"] == NOBODY else []
    if phase in (DRAFT, TILE):
        marks.append(f"{_SEATS[row['turn']]}-turn")
    return marks
