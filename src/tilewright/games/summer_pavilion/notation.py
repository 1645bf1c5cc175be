"""The moves of Summer Pavilion in text, as they are typed, logged and recorded."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from tilewright.game.illegal_reason import IllegalReason, TileCounts, TileName
from tilewright.game.notation import Notation
from tilewright.games.family.factories import CENTRE, count_factories
from tilewright.games.family.heap import number_of
from tilewright.games.summer_pavilion import position_text, rules
from tilewright.games.summer_pavilion.board import CENTRE_STAR, NUMBER, STAR_SPACES
from tilewright.games.summer_pavilion.moves import BONUS_MOVES, PLACEMENTS, SMALL_HEAPS
from tilewright.games.summer_pavilion.names import SIDES, TILES, space_name
from tilewright.games.summer_pavilion.stars import colours_welcome
from tilewright.kernels.compile import Cells, Row

if TYPE_CHECKING:
    from tilewright.game.game import Game
    from tilewright.game.moves import Move
    from tilewright.game.position import Position

# ------------------------------------------------------------------------------------------------- The moves


@dataclass(frozen=True, slots=True)
class Take:
    """Take all tiles of a colour from a factory or the centre, and a joker with them."""

    source: int
    """The factory, from 1; 0 is the centre of the table."""
    kind: int

    def __str__(self) -> str:
        return ("c" if self.source == CENTRE else str(self.source)) + TILES.letters[self.kind]


@dataclass(frozen=True, slots=True)
class Place:
    """Place a tile on a space, paid with tiles of its colour and jokers."""

    space: int
    """star * 6 + ring: see ``board.py``."""
    kind: int
    jokers: int
    """How many of the tiles paid are jokers."""
    text: str = field(repr=False)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class TakeBonus:
    """Choose bonus tiles from the supply."""

    tiles: int
    """A heap."""

    def __str__(self) -> str:
        return f"bonus {TILES.spell(self.tiles)}"


@dataclass(frozen=True, slots=True)
class Pass:
    """Place no more tiles in this round."""

    def __str__(self) -> str:
        return "pass"


@dataclass(frozen=True, slots=True)
class Keep:
    """Choose the tiles to keep for the next round."""

    tiles: int
    """A heap."""

    def __str__(self) -> str:
        return f"keep {TILES.spell(self.tiles) if self.tiles else 'none'}"


PHASES = {Take: "draft", Place: "place", Pass: "place", TakeBonus: "bonus", Keep: "keep"}
"""When each move is made."""


def _placement(side: str, space: int, colour: int, jokers: int) -> Place:
    own_colour = side == "coloured" and space // STAR_SPACES != CENTRE_STAR
    tile = "" if own_colour else TILES.letters[colour]
    return Place(space, colour, jokers, space_name(side, space) + tile + (f"+{jokers}" if jokers else ""))


# ---------------------------------------------------------------------------------------------- Reading them


class SummerPavilionNotation(Notation):
    """``3r`` takes red from factory 3, ``r4+1`` places on space 4 of the red star with a joker, ``keep rrgb``."""

    def actions(self, game: Game) -> Sequence[Take | Place | TakeBonus | Pass | Keep]:
        """Every move, in the order of ``moves.py``."""
        side = str(game.options["side"])
        colours = range(len(TILES.letters))
        return [
            *(Take(source, colour) for source in range(count_factories(game.players) + 1) for colour in colours),
            *(_placement(side, *placement) for placement in PLACEMENTS[SIDES.index(side)]),
            *(TakeBonus(int(heap)) for heap in SMALL_HEAPS[1 : BONUS_MOVES + 1]),
            Pass(),
            *(Keep(int(heap)) for heap in SMALL_HEAPS),
        ]

    _SHORT_FORMS: ClassVar[tuple[tuple[str, str], ...]] = (
        (r"keep\s*(-|nothing)?$", "keep none"),
        (r"^(?:take )?(\w+) from (?:the )?(?:factory )?(\d|centre|center)$", r"\2 \1"),
        (r"\+?\s*(?:with|and|plus)?\s*(\d)\s*jokers?$", r"+\1"),
        (r"\+\s*0$", ""),
        (r"factory|jokers?|space|take|place|from|with|and|to|on(?!us)", ""),
        (r"centre(\s*star)?|center(\s*star)?", "c"),
        (r"purple", "p"),
        (r"green", "g"),
        (r"orange", "o"),
        (r"yellow", "y"),
        (r"blue", "b"),
        (r"red", "r"),
        (r"(?<=[pgoybrc])\s*star", ""),
        (r"star", "s"),
        (r"[\s,.>-]+", ""),
    )

    def normalise(self, game: Game, text: str) -> str:
        """What a person typed, in the spelling of the texts of moves."""
        text = text.strip().lower()
        for long, short in self._SHORT_FORMS:
            text = re.sub(long, short, text)
        chosen = re.fullmatch(rf"(bonus|keep)([{TILES.letters}]+)", text)
        if chosen:
            text = chosen[1] + "".join(sorted(chosen[2], key=TILES.letters.index))
        return text

    def examples(self, game: Game) -> str:
        """A few moves and what they mean."""
        star = "'r4+1' (red star, space 4, paid with 1 joker)"
        if game.options["side"] == "grey":
            star = "'s24r+1' (star 2, space 4, a red tile, paid with 1 joker)"
        return (
            f"'3r' (factory 3, red), 'cb' (centre, blue), {star}, 'c2b' (centre star, space 2, a blue tile),"
            " 'bonus rgg', 'pass', 'keep rrgb', 'keep none'"
        )

    def why_unreadable(self, game: Game, text: str) -> str:
        """What is wrong with a text that is not a move at all."""
        short = self.normalise(game, text)
        letters = TILES.letters
        if re.fullmatch(rf"keep[{letters}]{{5,}}", short):
            return "at most 4 tiles can be kept"
        if re.fullmatch(rf"bonus[{letters}]{{4,}}", short):
            return "nobody ever takes more than 3 bonus tiles"
        if re.fullmatch(r"(c|s\d)\d(\+\d)?", short):
            return f"the colour of the tile is missing, as in {short[:2] + short[2:3]}{letters[-1]}"
        if re.fullmatch(rf"[{letters}cs]\d+[{letters}]?\+\d", short):
            return "at least one of the tiles paid must be of the colour placed, the others may be jokers"
        return super().why_unreadable(game, text)

    def why_illegal(self, position: Position, move: Move) -> IllegalReason:
        """Which rule a move breaks."""
        row, fields = position.state, move.fields
        if PHASES[type(fields)] != position.phase:
            return {"draft": TAKE_NOW, "place": PLACE_NOW, "bonus": BONUS_NOW(number=row.owed), "keep": KEEP_NOW}[
                position.phase
            ]
        if isinstance(fields, Take):
            return _why_not_taken(row, fields)
        if isinstance(fields, Place):
            return _why_not_placed(row, fields)
        if isinstance(fields, TakeBonus):
            return BONUS_NUMBER(number=row.owed, supply=TILES.spell(row.supply))
        return HAND(player=row.turn + 1, hand=TILES.spell(row.hand[row.turn]))

    def write_position(self, position: Position) -> str:
        """A position in one line of text."""
        return position_text.write(position)

    def read_position(self, game: Game, text: str) -> Cells:
        """The row that a line of text describes, checked."""
        return position_text.read(game, text)


# ------------------------------------------------------------------------------------- Why a move is illegal

TAKE_NOW = IllegalReason("take_now", "tiles must be taken now, as in '3r'")
PLACE_NOW = IllegalReason("place_now", "a tile is placed now, as in 'c2b', or the player passes")
BONUS_NOW = IllegalReason("bonus_now", "{number} bonus tiles must be chosen now, as in 'bonus rgg'")
KEEP_NOW = IllegalReason("keep_now", "the tiles to keep must be chosen now, as in 'keep rrgb' or 'keep none'")
NONE_IN_CENTRE = IllegalReason("none_in_centre", "there is no {tile} tile in the centre")
NONE_IN_FACTORY = IllegalReason("none_in_factory", "there is no {tile} tile in factory {factory}")
JOKERS_IN_CENTRE = IllegalReason("jokers_in_centre", "{tile} is the joker colour, and the centre has other tiles")
JOKERS_IN_FACTORY = IllegalReason(
    "jokers_in_factory", "{tile} is the joker colour, and factory {factory} has other tiles"
)
BONUS_NUMBER = IllegalReason("bonus_number", "{number} tiles must be taken from the supply, which has {supply}")
HAND = IllegalReason("hand", "player {player} has {hand}")
SPACE_COVERED = IllegalReason("space_covered", "that space is covered on the board of player {player}")
STAR_REFUSES = IllegalReason("star_refuses", "that star no longer takes {tile} tiles")
ALL_JOKERS = IllegalReason("all_jokers", "{tile} is the joker colour, so all tiles paid count as {tile}")
COST = IllegalReason("cost", "it costs {number} {tile}; in hand: {hand}")
COST_WITH_JOKERS = IllegalReason("cost_with_jokers", "it costs {number} {tile} and {jokers} {joker}; in hand: {hand}")


def _why_not_taken(row: Row, take: Take) -> IllegalReason:
    place, tile = take.source, TileName.of(TILES, take.kind)
    if number_of(int(row.places[place]), take.kind) == 0:
        return NONE_IN_CENTRE(tile=tile) if place == CENTRE else NONE_IN_FACTORY(tile=tile, factory=place)
    return JOKERS_IN_CENTRE(tile=tile) if place == CENTRE else JOKERS_IN_FACTORY(tile=tile, factory=place)


def _why_not_placed(row: Row, place: Place) -> IllegalReason:
    space, colour, jokers = place.space, place.kind, place.jokers
    seat, tile = int(row.turn), TileName.of(TILES, place.kind)
    if int(row.covered[seat]) >> space & 1:
        return SPACE_COVERED(player=seat + 1)
    if not int(colours_welcome(row, seat, space // STAR_SPACES)) >> colour & 1:
        return STAR_REFUSES(tile=tile)
    joker = int(rules.joker_colour(row))
    if colour == joker and jokers:
        return ALL_JOKERS(tile=tile)
    hand = TileCounts.of(TILES, TILES.spell(row.hand[seat]))
    price = {"number": int(NUMBER[row.grey, space]) - jokers, "tile": tile, "hand": hand}
    if jokers:
        return COST_WITH_JOKERS(**price, jokers=jokers, joker=TileName.of(TILES, joker))
    return COST(**price)
