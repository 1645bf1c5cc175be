"""What a coach has to say about Summer Pavilion, the most important first."""

from __future__ import annotations

from collections.abc import Iterator

from tilewright.game.position import Position
from tilewright.games.family.factories import CENTRE, NOBODY
from tilewright.games.family.heap import counts_of
from tilewright.games.summer_pavilion.board import CENTRE_STAR, FEATURES, FULL_STAR, STAR_BONUS, STAR_SPACES
from tilewright.games.summer_pavilion.rules import CORNERS, ROUNDS, joker_colour
from tilewright.kernels.compile import Row
from tilewright.view.coach_topic import Topic, Word

_LETTERS = "pgoybr"
_MANY_TILES = 10
"""With so many tiles in hand one should think of where they will go."""
_PROMISING = 4
"""So many tiles in a star are worth going on with."""
AREA = "pavilion_"
"""How the keys of its texts begin."""


def topics(position: Position, seat: int) -> Iterator[Topic]:
    """All that fits the moment."""
    tell = {"draft": _drafting, "place": _placing, "bonus": _choosing_bonus, "keep": _keeping}
    return tell[position.phase](position, seat)


def _colour(kind: int) -> Word:
    return Word(f"summer_pavilion.colour_{_LETTERS[kind]}")


def _hand(row: Row, seat: int) -> list[int]:
    return counts_of(int(row.hand[seat]))


# ------------------------------------------------------------------------------------------------- Taking


def _drafting(position: Position, seat: int) -> Iterator[Topic]:
    row = position.row
    joker = int(joker_colour(row))
    hand = _hand(row, seat)
    yield Topic("pavilion_welcome")
    if position.round == ROUNDS:
        yield Topic("pavilion_last_round")
    elif position.round in (2, 3):
        yield Topic("pavilion_new_joker", {"colour": _colour(joker)}, about=str(position.round))
    places = [counts_of(heap) for heap in row.places.tolist()]
    if any(counts[joker] for counts in places):
        yield Topic("pavilion_joker", {"colour": _colour(joker)})
    if row.marker == NOBODY and row.places[CENTRE]:
        yield Topic("pavilion_centre")
    yield Topic("pavilion_cost")
    if row.marker == seat:
        yield Topic("pavilion_marker")
    if sum(hand) >= _MANY_TILES:
        yield Topic("pavilion_many", {"n": sum(hand)})
    most = max(hand)
    if most > 1:
        yield Topic("pavilion_collected", {"n": most, "colour": _colour(hand.index(most))})
    if position.round < ROUNDS:
        yield Topic("pavilion_next_joker", {"colour": _colour(joker + 1)})


# ------------------------------------------------------------------------------------------------ Placing


def _placing(position: Position, seat: int) -> Iterator[Topic]:
    row = position.row
    hand = _hand(row, seat)
    covered = int(row.covered[seat])
    if len(position.legal_moves) == 1:
        yield Topic("pavilion_must_pass", times=2)
    yield Topic("pavilion_place")
    if hand[int(joker_colour(row))]:
        yield Topic("pavilion_pay")
    yield from _features_nearly_done(covered)
    if covered:
        yield Topic("pavilion_run")
    yield Topic("pavilion_features")
    if any(n and not row.star_colours[seat, CENTRE_STAR] >> kind & 1 for kind, n in enumerate(hand)):
        yield Topic("pavilion_centre_star")
    yield from _stars_nearly_full(position, covered)
    if position.round == ROUNDS:
        yield Topic("pavilion_last_places")
    elif 0 < sum(hand) <= CORNERS:
        yield Topic("pavilion_may_keep")
    if position.round > 2:
        yield Topic("pavilion_numbers")


def _features_nearly_done(covered: int) -> Iterator[Topic]:
    """One tile more round a pillar, statue or window."""
    for name, tiles, spaces in FEATURES:
        if sum(covered >> space & 1 for space in spaces) == len(spaces) - 1:
            yield Topic(f"pavilion_{name}", {"n": tiles})


def _stars_nearly_full(position: Position, covered: int) -> Iterator[Topic]:
    if position.game.options["side"] == "grey":
        return
    for star in range(CENTRE_STAR):
        filled = (covered >> STAR_SPACES * star & FULL_STAR).bit_count()
        if _PROMISING <= filled < STAR_SPACES:
            name = Word(f"summer_pavilion.star_{_LETTERS[star]}")
            values = {"star": name, "n": STAR_SPACES - filled, "bonus": int(STAR_BONUS[star])}
            yield Topic("pavilion_star", values, about=str(star))


def _choosing_bonus(position: Position, seat: int) -> Iterator[Topic]:
    yield Topic("pavilion_bonus", {"n": int(position.row.owed)}, times=2)


def _keeping(position: Position, seat: int) -> Iterator[Topic]:
    if position.round == ROUNDS:
        yield Topic("pavilion_keep_last")
    else:
        following = int(joker_colour(position.row)) + 1
        yield Topic("pavilion_keep", {"colour": _colour(following)}, times=2)
