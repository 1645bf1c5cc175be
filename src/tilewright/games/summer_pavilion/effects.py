"""What a move of Summer Pavilion brings about, step by step, played with the kernels of the rules.

A player takes tiles, perhaps with the marker; places one, which may complete features, a star or all spaces of a
number; chooses bonus tiles; passes; keeps tiles. The last to pass ends the round or the game, with the bonuses and the
cost of tiles left in corners reported one by one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tilewright.game.effects import DISCARDS, MARKER, Effect, TilesMoved
from tilewright.game.position import Position
from tilewright.games.family.factories import CENTRE, NOBODY
from tilewright.games.family.heap import counts_of, number_of, tiles
from tilewright.games.summer_pavilion import rules
from tilewright.games.summer_pavilion.board import (
    FEATURE_BITS,
    FEATURES,
    NUMBER,
    NUMBER_BONUS,
    STAR_SPACES,
    STARS,
    touched_features,
)
from tilewright.games.summer_pavilion.names import TILES
from tilewright.games.summer_pavilion.notation import Keep, Pass, Place, Take, TakeBonus

if TYPE_CHECKING:
    from tilewright.game.moves import Move

TAKE, TAKE_MARKER, PLACE, BONUS, PASS, KEEP = "take", "marker", "place", "bonus", "pass", "keep"
FEATURE, STAR, NUMBERS = "feature", "star", "number"
"""What a placement completes."""
STAR_BONUS, NUMBER_BONUSES, CORNERS = "star_bonus", "number_bonus", "corners"
ROUND_ENDS, GAME_ENDS = "round_ends", "game_ends"


def effects(position: Position, move: Move) -> list[Effect]:
    """The steps of a legal move."""
    play = _Play(position)
    fields = move.fields
    if isinstance(fields, Take):
        play.take(fields)
    elif isinstance(fields, Place):
        play.place(fields)
    elif isinstance(fields, TakeBonus):
        play.take_bonus(fields)
    elif isinstance(fields, Pass):
        play.pass_turn()
    elif isinstance(fields, Keep):
        play.keep(fields)
    play.end_turn()
    return play.told


def place_of(source: int) -> str:
    """The name of a factory, or of the centre."""
    return "centre" if source == CENTRE else f"factory-{source}"


def moved(heap: int, origin: str, target: str) -> tuple[TilesMoved, ...]:
    """All tiles of a heap on their way."""
    counts = zip(TILES.letters, counts_of(heap), strict=True)
    return tuple(TilesMoved(letter, number, origin, target) for letter, number in counts if number)


class _Play:
    """A copy of the position on which a move is played, and the effects reported for it."""

    def __init__(self, position: Position) -> None:
        self.position = position.without_dealer()
        self.state = self.position.state
        self.seat = int(self.state.turn)
        self.player = f"p{self.seat + 1}"
        self.told: list[Effect] = []
        self._scores = position.scores

    def tell(
        self, what: str, at: str = "", moves: Iterable[TilesMoved] = (), seat: int | None = None, **values: Any
    ) -> None:
        """Note what has just happened; the points are what the score of the seat has gained or lost."""
        seat = self.seat if seat is None else seat
        after = self.position.without_dealer()
        points = after.scores[seat] - self._scores[seat]
        self._scores = after.scores
        self.told.append(Effect(what, after, seat, points, at, tuple(moves), values))

    # Moves ----------------------------------------------------------------------------------------------

    def take(self, take: Take) -> None:
        row, hand = self.state, f"{self.player}-hand"
        with_marker = bool(rules.takes_marker(row, take.source))
        before = int(row.places[take.source])
        taken = int(rules.take_tiles(row, take.source, take.kind))
        origin = place_of(take.source)
        rest = () if take.source == CENTRE else moved(before - taken, origin, place_of(CENTRE))
        jokers = int(number_of(taken, int(rules.joker_colour(row))))
        self.tell(TAKE, hand, (*moved(taken, origin, hand), *rest), tiles=taken, jokers=jokers, source=origin)
        if with_marker:
            rules.take_marker(row, taken)
            self.tell(TAKE_MARKER, hand, [TilesMoved(MARKER, 1, origin, f"{self.player}-marker")])

    def place(self, place: Place) -> None:
        row, seat, space = self.state, self.seat, place.space
        star, number = space // STAR_SPACES, int(NUMBER[row.grey, space])
        hand, target = f"{self.player}-hand", f"{self.player}-space-{space}"
        paid = int(rules.tiles_paid(row, space, place.kind, place.jokers))
        placed = int(tiles(place.kind, 1))
        rules.cover_space(row, space, place.kind, place.jokers)
        moves = (*moved(placed, hand, target), *moved(paid - placed, hand, DISCARDS))
        self.tell(PLACE, target, moves, space=space, kind=TILES.letters[place.kind], jokers=place.jokers, paid=paid)
        rules.earn_bonus_tiles(row, space)
        self._tell_features(space)
        star_bonus = int(rules.star_bonus(row, seat, star))
        if star_bonus:
            self.tell(STAR, star=star, bonus=star_bonus)
        if number < len(NUMBER_BONUS) and (number_bonus := int(rules.number_bonus(row, seat, number))):
            self.tell(NUMBERS, number=number, bonus=number_bonus)

    def _tell_features(self, space: int) -> None:
        """Each completed feature with its bonus tiles, as far as the supply has them."""
        covered, left = int(self.state.covered[self.seat]), int(self.state.owed)
        for feature in touched_features(space):
            name, reward, _ = FEATURES[feature]
            if covered & int(FEATURE_BITS[feature]) == FEATURE_BITS[feature]:
                earned = min(reward, left)
                left -= earned
                self.tell(FEATURE, name=name, feature=feature, tiles=earned)

    def take_bonus(self, bonus: TakeBonus) -> None:
        hand = f"{self.player}-hand"
        rules.take_bonus_tiles(self.state, bonus.tiles)
        jokers = int(number_of(bonus.tiles, int(rules.joker_colour(self.state))))
        self.tell(BONUS, hand, moved(bonus.tiles, "supply", hand), tiles=bonus.tiles, jokers=jokers)

    def pass_turn(self) -> None:
        rules.pass_turn(self.state)
        self.tell(PASS, tiles=int(self.state.hand[self.seat]))

    def keep(self, keep: Keep) -> None:
        hand, corner = f"{self.player}-hand", f"{self.player}-corner"
        discarded = int(self.state.hand[self.seat]) - keep.tiles
        rules.keep_tiles(self.state, keep.tiles)
        moves = (*moved(keep.tiles, hand, corner), *moved(discarded, hand, DISCARDS))
        self.tell(KEEP, hand, moves, tiles=keep.tiles, discarded=discarded)

    # What follows ---------------------------------------------------------------------------------------

    def end_turn(self) -> None:
        """The next decision or the next draw; the end of the round or of the game is reported."""
        row = self.state
        choosing = int(row.phase) in (rules.BONUS, rules.KEEP)
        if not choosing and rules.is_last_turn(row):
            self._end_game()
            return
        round_ends = not choosing and bool(rules.everybody_passed(row))
        marker, hands = int(row.marker), [int(heap) for heap in row.hand]
        before = int(row.round_number)
        rules.end_turn(row)
        if round_ends:
            back = self._cleared(marker, hands) if int(row.round_number) > before else ()
            after = self.position.without_dealer()
            self.told.append(Effect(ROUND_ENDS, after, tiles=tuple(back), values={"round": before}))
        else:
            self.told[-1] = replace(self.told[-1], after=self.position.without_dealer())

    def _cleared(self, marker: int, hands: list[int]) -> list[TilesMoved]:
        """The marker goes back to the centre, and the tiles from the corners to their owners."""
        back = [] if marker == NOBODY else [TilesMoved(MARKER, 1, f"p{marker + 1}-marker", place_of(CENTRE))]
        for seat, heap in enumerate(hands):
            back += moved(heap, f"p{seat + 1}-corner", f"p{seat + 1}-hand")
        return back

    def _end_game(self) -> None:
        """As ``rules.end_game`` does it, bonus by bonus."""
        row = self.state
        for seat in range(self.position.game.players):
            player = f"p{seat + 1}"
            for star in range(STARS):
                if rules.star_bonus(row, seat, star):
                    rules.score_star(row, seat, star)
                    self.tell(STAR_BONUS, f"{player}-star-{star}", seat=seat, star=star)
            for number in range(1, len(NUMBER_BONUS)):
                if rules.number_bonus(row, seat, number):
                    rules.score_number(row, seat, number)
                    self.tell(NUMBER_BONUSES, f"{player}-number-{number}", seat=seat, number=number)
            left = int(row.hand[seat])
            if left:
                rules.empty_corners(row, seat)
                corner = f"{player}-corner"
                self.tell(CORNERS, f"{corner}-0", moved(left, corner, DISCARDS), seat=seat, tiles=left)
        rules.finish(row)
        self.told.append(Effect(GAME_ENDS, self.position.without_dealer()))
