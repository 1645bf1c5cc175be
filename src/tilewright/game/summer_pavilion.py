"""Summer Pavilion for people and programs: options, the text of moves, where the points came from."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from tilewright.game import summer_pavilion_text
from tilewright.game.errors import BadOption
from tilewright.game.game import Game
from tilewright.game.moves import Move
from tilewright.game.tiles import TileSet
from tilewright.game.words import echo
from tilewright.rules import summer_pavilion, summer_pavilion_moves
from tilewright.rules.factories import count_factories
from tilewright.rules.heap import number_of
from tilewright.rules.kernel import Row
from tilewright.rules.playing import Kernels
from tilewright.rules.summer_pavilion_board import CENTRE_STAR, CLOCKWISE, NUMBER, STAR_SPACES, STARS
from tilewright.rules.summer_pavilion_moves import BONUS_MOVES, PLACEMENTS, SMALL_HEAPS

if TYPE_CHECKING:
    from tilewright.game.position import Position

SIDES = ("coloured", "grey")


class SummerPavilion(Game):
    """Azul: Summer Pavilion, for 2 to 4 players, on the coloured or the grey side of the boards.

    >>> SummerPavilion(players=3, side="grey")
    SummerPavilion(players=3, side='grey')
    """

    name: ClassVar[str] = "summer-pavilion"
    title: ClassVar[str] = "Summer Pavilion"
    tiles = TileSet("pgoybr", ("purple", "green", "orange", "yellow", "blue", "red"))
    phases = ("supply", "factories", "draft", "place", "bonus", "keep", "over")
    drawing_phases = ("supply", "factories")
    kernels = Kernels(summer_pavilion, summer_pavilion_moves)

    def __init__(self, players: int = 2, side: str = "coloured") -> None:
        super().__init__(players)
        if side not in SIDES:
            raise BadOption(f"the side of {self.title} is 'coloured' or 'grey', not {echo(side)}")
        self.side = side

    @property
    def options(self) -> dict[str, str | bool]:
        return {"side": self.side}

    def _set_up(self, row: Row) -> None:
        summer_pavilion.set_up(row, self.players, SIDES.index(self.side))

    # Stars and spaces by name ---------------------------------------------------------------------------

    def star_name(self, star: int) -> str:
        """By its colour, or on the grey side s1 to s6, clockwise from the top; the centre star is c."""
        if star == CENTRE_STAR:
            return "c"
        return self.tiles.letters[star] if self.side == "coloured" else f"s{CLOCKWISE.index(star) + 1}"

    def space_name(self, space: int) -> str:
        """A star and the number on the space; in the grey centre, all threes, its place clockwise from the top."""
        star, ring = divmod(space, STAR_SPACES)
        number = ring + 1 if star == CENTRE_STAR else int(NUMBER[SIDES.index(self.side), space])
        return f"{self.star_name(star)}{number}"

    # The text of moves ----------------------------------------------------------------------------------

    def move_texts(self) -> list[str]:
        letters = self.tiles.letters
        places = ["c", *map(str, range(1, count_factories(self.players) + 1))]
        texts = [place + colour for place in places for colour in letters]
        for space, colour, jokers in PLACEMENTS[SIDES.index(self.side)]:
            own_colour = self.side == "coloured" and space // STAR_SPACES != CENTRE_STAR
            tile = "" if own_colour else letters[colour]
            texts.append(self.space_name(space) + tile + (f"+{jokers}" if jokers else ""))
        texts += [f"bonus {self.tiles.spell(heap)}" for heap in SMALL_HEAPS[1 : BONUS_MOVES + 1]]
        texts.append("pass")
        texts += [f"keep {self.tiles.spell(heap) if heap else 'none'}" for heap in SMALL_HEAPS]
        return texts

    _WORDS: ClassVar[tuple[tuple[str, str], ...]] = (
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

    def normalise(self, text: str) -> str:
        text = text.strip().lower()
        for words, short in self._WORDS:
            text = re.sub(words, short, text)
        chosen = re.fullmatch(rf"(bonus|keep)([{self.tiles.letters}]+)", text)
        if chosen:
            text = chosen[1] + "".join(sorted(chosen[2], key=self.tiles.letters.index))
        return text

    def examples(self) -> str:
        star = "'r4+1' (red star, space 4, paid with 1 joker)"
        if self.side == "grey":
            star = "'s24r+1' (star 2, space 4, a red tile, paid with 1 joker)"
        return (
            f"'3r' (factory 3, red), 'cb' (centre, blue), {star}, 'c2b' (centre star, space 2, a blue tile),"
            " 'bonus rgg', 'pass', 'keep rrgb', 'keep none'"
        )

    def why_unreadable(self, text: str) -> str:
        short = self.normalise(text)
        letters = self.tiles.letters
        if re.fullmatch(rf"keep[{letters}]{{5,}}", short):
            return "at most 4 tiles can be kept"
        if re.fullmatch(rf"bonus[{letters}]{{4,}}", short):
            return "nobody ever takes more than 3 bonus tiles"
        if re.fullmatch(r"(c|s\d)\d(\+\d)?", short):
            return f"the colour of the tile is missing, as in {short[:2] + short[2:3]}{letters[-1]}"
        if re.fullmatch(rf"[{letters}cs]\d+[{letters}]?\+\d", short):
            return "at least one of the tiles paid must be of the colour placed, the others may be jokers"
        return super().why_unreadable(text)

    def why_illegal(self, position: Position, move: Move) -> str:
        number = int(move)
        row = position.row
        first_placement = int(summer_pavilion_moves.first_placement_move(row))
        first_bonus = int(summer_pavilion_moves.first_bonus_move(row))
        pass_move = int(summer_pavilion_moves.pass_move(row))
        belongs_to = "draft" if number < first_placement else "place"
        if number >= first_bonus:
            belongs_to = "bonus" if number < pass_move else "place" if number == pass_move else "keep"
        if belongs_to != position.phase:
            wants = {
                "draft": "tiles must be taken now, as in '3r'",
                "place": "a tile is placed now, as in 'c2b', or the player passes",
                "bonus": f"{row.owed} bonus tiles must be chosen now, as in 'bonus rgg'",
                "keep": "the tiles to keep must be chosen now, as in 'keep rrgb' or 'keep none'",
            }
            return wants[position.phase]
        if belongs_to == "draft":
            return self._why_not_taken(row, *divmod(number, len(self.tiles.letters)))
        if belongs_to == "place":
            return self._why_not_placed(row, *PLACEMENTS[SIDES.index(self.side)][number - first_placement])
        if belongs_to == "bonus":
            return f"{row.owed} tiles must be taken from the supply, which has {self.tiles.spell(row.supply)}"
        return f"player {row.turn + 1} has {self.tiles.spell(row.hand[row.turn])}"

    def _why_not_taken(self, row: Row, place: int, colour: int) -> str:
        where = "the centre" if place == 0 else f"factory {place}"
        if number_of(int(row.places[place]), colour) == 0:
            return f"there is no {self.tiles.names[colour]} tile in {where}"
        return f"{self.tiles.names[colour]} is the joker colour, and {where} has other tiles"

    def _why_not_placed(self, row: Row, space: int, colour: int, jokers: int) -> str:
        seat = int(row.turn)
        if int(row.covered[seat]) >> space & 1:
            return f"that space is covered on the board of player {seat + 1}"
        if not int(summer_pavilion.colours_welcome(row, seat, space // STAR_SPACES)) >> colour & 1:
            return f"that star takes no {self.tiles.names[colour]} tile any more"
        joker = int(summer_pavilion.joker_colour(row))
        needed = int(NUMBER[SIDES.index(self.side), space]) - jokers
        if colour == joker and jokers:
            return (
                f"{self.tiles.names[joker]} is the joker colour, so all tiles paid count as {self.tiles.names[joker]}"
            )
        price = f"{needed} {self.tiles.names[colour]}" + (f" and {jokers} {self.tiles.names[joker]}" if jokers else "")
        return f"it costs {price}, and player {seat + 1} has {self.tiles.spell(row.hand[seat])}"

    # Points ---------------------------------------------------------------------------------------------

    def points(self, row: Row, seat: int) -> dict[str, int]:
        sources = {
            "start": summer_pavilion.FIRST_SCORE,
            "tiles placed": int(row.placing_points[seat]),
            "full stars": sum(int(summer_pavilion.star_bonus(row, seat, star)) for star in range(STARS)),
            "numbers covered": sum(int(summer_pavilion.number_bonus(row, seat, number)) for number in range(1, 5)),
            "marker": -int(row.marker_loss[seat]),
            "discarded when passing": -int(row.passing_loss[seat]),
        }
        sources["left in corners"] = int(row.score[seat]) - sum(sources.values())
        return sources

    # Text of positions ----------------------------------------------------------------------------------

    def write_position(self, position: Position) -> str:
        return summer_pavilion_text.write(self, position.row)

    def _read_position(self, text: str) -> np.ndarray[Any, Any]:
        return summer_pavilion_text.read(self, text)
