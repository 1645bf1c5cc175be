"""What lies where on a table of Summer Pavilion.

Tiles of a colour have a part of their own in the centre of the table and in each hand. So a tile stays where
it is while others come and go, and a glance tells how many there are.
"""

from __future__ import annotations

from functools import cache, lru_cache

from tilewright.game.position import Position
from tilewright.games.family.factories import FACTORY_TILES, NOBODY, count_factories
from tilewright.games.family.heap import KINDS
from tilewright.games.summer_pavilion.board import (
    CENTRE_STAR,
    FEATURE_BITS,
    FULL_STAR,
    NUMBER_SPACES,
    SPACES,
    STAR_SPACES,
    STARS,
)
from tilewright.games.summer_pavilion.names import TILES
from tilewright.games.summer_pavilion.rules import CORNERS, DRAFT, KEEP, OVER, SUPPLY_SPACES, joker_colour
from tilewright.view.picture.scene import Scene
from tilewright.view.picture.tiles import MARKER

LETTERS = TILES.letters
CENTRE_GROUP = 6
"""Slots for each colour in the centre; six times as many are more than the centre ever holds."""
HAND_GROUP = 7
"""Slots for each colour in a hand; few hands have more of one."""
MANY = 5
"""From this number on, the tiles of a colour in a hand are also counted in figures."""
_FEATURE_BITS: list[int] = FEATURE_BITS.tolist()
_NUMBER_BITS: list[list[int]] = NUMBER_SPACES.tolist()


@cache
def numbered(stem: str, count: int) -> tuple[str, ...]:
    """The names of the slots of a place."""
    return tuple(f"{stem}-{n}" for n in range(count))


def count_heap(heap: int) -> int:
    """All tiles of a heap; the kernel's own counting is for compiled code and slow to call from here."""
    return sum(heap.to_bytes(8, "little"))


def spell(heap: int) -> str:
    """The tiles of a heap as letters, in the order of the colours."""
    return "".join(letter * n for letter, n in zip(LETTERS, heap.to_bytes(8, "little"), strict=False))


def scene(position: Position) -> Scene:
    """The whole table at one moment."""
    states = position.states
    now = Scene()
    _lay_market(now, position)
    hands, covered = states["hand"][0].tolist(), states["covered"][0].tolist()
    boards, scores = states["board"][0], states["score"][0].tolist()
    colours = states["star_colours"][0].tolist()
    grey, resting = int(states["grey"][0]), int(states["passed"][0])
    if states["phase"][0] == KEEP:
        resting &= ~(1 << int(states["turn"][0]))  # still choosing what goes into the corners
    elif states["phase"][0] == OVER:
        resting = 0
    for seat in range(position.game.players):
        player = f"p{seat + 1}"
        now.tiles.update(_board_tiles(player, boards[seat].tobytes()))
        if resting >> seat & 1:
            now.tiles.update(zip(numbered(f"{player}-corner", CORNERS), spell(hands[seat]), strict=False))
            now.marks.append(f"{player}-passed")
        else:
            now.tiles.update(_grouped(f"{player}-hand", hands[seat], HAND_GROUP))
        _count_hand(now, player, 0 if resting >> seat & 1 else hands[seat])
        now.texts[f"{player}-score"] = str(scores[seat])
        now.marks += _completed(player, covered[seat], grey)
        now.marks += _unwelcome(player, tuple(colours[seat]), covered[seat], grey)
    _mark_players(now, position)
    return now


def _count_hand(now: Scene, player: str, hand: int) -> None:
    """How many tiles of each colour there are, shown where a glance no longer tells."""
    for letter, count in zip(LETTERS, hand.to_bytes(8, "little"), strict=False):
        now.texts[f"{player}-count-{letter}"] = str(count)
        if count >= MANY:
            now.marks.append(f"{player}-many-{letter}")


def _lay_market(now: Scene, position: Position) -> None:
    """Factories, centre, supply, bag and tower."""
    states = position.states
    places = states["places"][0].tolist()
    for factory in range(1, count_factories(position.game.players) + 1):
        if places[factory]:
            now.tiles.update(zip(numbered(f"factory-{factory}", FACTORY_TILES), spell(places[factory]), strict=False))
    now.tiles.update(_grouped("centre", places[0], CENTRE_GROUP))
    now.tiles.update(zip(numbered("supply", SUPPLY_SPACES), spell(int(states["supply"][0])), strict=False))
    now.texts["bag"] = str(count_heap(int(states["bag"][0])))
    now.texts["tower"] = str(count_heap(int(states["tower"][0])))
    now.texts["round"] = str(max(1, int(states["round_number"][0])))
    now.marks.append("round-" + now.texts["round"])


# A move changes one board and one or two heaps; what stays the same is remembered.


@lru_cache(maxsize=4096)
def _grouped(place: str, heap: int, size: int) -> dict[str, str]:
    """Each colour in its own group of slots; what has no room there takes the last free slots of the others."""
    slots = numbered(place, KINDS * size)
    tiles: dict[str, str] = {}
    homeless = ""
    for kind, count in enumerate(heap.to_bytes(8, "little")[:KINDS]):
        for n in range(min(count, size)):
            tiles[slots[kind * size + n]] = LETTERS[kind]
        homeless += LETTERS[kind] * (count - size)
    free = [slot for slot in reversed(slots) if slot not in tiles] if homeless else []
    return tiles | dict(zip(free, homeless, strict=False))


@lru_cache(maxsize=4096)
def _board_tiles(player: str, board: bytes) -> dict[str, str]:
    """The tiles on a board, from its kinds as bytes; an empty space is none of them."""
    slots = numbered(f"{player}-space", SPACES)
    return {slot: LETTERS[kind] for slot, kind in zip(slots, board, strict=True) if kind < KINDS}


@lru_cache(maxsize=4096)
def _completed(player: str, covered: int, grey: int) -> tuple[str, ...]:
    """What is complete on a board: features, stars, numbers."""
    marks = [f"{player}-feature-{n}" for n, bits in enumerate(_FEATURE_BITS) if covered & bits == bits]
    for star in range(STARS):
        if covered >> STAR_SPACES * star & FULL_STAR == FULL_STAR:
            marks.append(f"{player}-star-{star}")
    for number in range(1, 5):
        if covered & _NUMBER_BITS[grey][number] == _NUMBER_BITS[grey][number]:
            marks.append(f"{player}-number-{number}")
    return tuple(marks)


@lru_cache(maxsize=4096)
def _unwelcome(player: str, colours: tuple[int, ...], covered: int, grey: int) -> tuple[str, ...]:
    """The colours that stars of several colours can no longer take, by the colours that they have."""
    marks = []
    for star in range(STARS) if grey else (CENTRE_STAR,):
        tiles = (covered >> STAR_SPACES * star & FULL_STAR).bit_count()
        present = colours[star]
        alike = grey and tiles > 1 and present.bit_count() == 1
        barred = FULL_STAR & ~present if alike else present if tiles > 1 or not grey else 0
        marks += [f"{player}-star-{star}-not-{letter}" for kind, letter in enumerate(LETTERS) if barred >> kind & 1]
    return tuple(marks)


def _mark_players(now: Scene, position: Position) -> None:
    """Whose turn it is or who has won, where the marker lies, which part of each hand are jokers."""
    states = position.states
    phase, marker = int(states["phase"][0]), int(states["marker"][0])
    now.tiles["centre-marker" if marker == NOBODY else f"p{marker + 1}-marker"] = MARKER
    if phase == OVER:
        winners = int(position.game.kernels.winners_at(states, 0))
        now.marks += [f"p{seat + 1}-winner" for seat in range(position.game.players) if winners >> seat & 1]
    elif phase >= DRAFT:
        now.marks.append(f"p{int(states['turn'][0]) + 1}-turn")
    joker = int(joker_colour(position.state))
    for seat in range(position.game.players):
        now.marks.append(f"p{seat + 1}-joker-{LETTERS[joker]}")
