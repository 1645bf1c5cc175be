"""What a coach has to say about Summer Pavilion, the most important first."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from tilewright.game.position import Position
from tilewright.games.family.factories import CENTRE
from tilewright.games.family.heap import counts_of
from tilewright.games.summer_pavilion.board import (
    CENTRE_STAR,
    FEATURE_BITS,
    FEATURES,
    NUMBER_BONUS,
    STAR_BONUS,
    STAR_SPACES,
)
from tilewright.games.summer_pavilion.names import TILES
from tilewright.games.summer_pavilion.rules import CORNERS, ROUNDS, joker_colour, takes_marker
from tilewright.games.summer_pavilion.stars import colours_welcome, star_pattern
from tilewright.kernels.compile import Row
from tilewright.view.coach_topic import TextKey, Topic, tile_key

_MANY_TILES = 10
"""With this many tiles in hand a player should think about where they will go."""
_PROMISING = 4
"""A star with this many tiles is worth completing."""


def topics(position: Position, seat: int) -> Iterator[Topic]:
    """All that fits the moment."""
    tell = {"draft": _drafting, "place": _placing, "bonus": _choosing_bonus, "keep": _keeping}
    return tell[position.phase](position, seat)


_colour = partial(tile_key, TILES)


def _hand(row: Row, seat: int) -> list[int]:
    return counts_of(int(row.hand[seat]))


# ------------------------------------------------------------------------------------------------- Taking


def _drafting(position: Position, seat: int) -> Iterator[Topic]:
    row = position.state
    joker = int(joker_colour(row))
    hand = _hand(row, seat)
    yield Topic("welcome")
    if position.round == ROUNDS:
        yield Topic("last_round")
    elif position.round in (2, 3):
        yield Topic("new_joker", {"colour": _colour(joker)}, about=str(position.round))
    if counts_of(sum(row.places.tolist()))[joker]:
        yield Topic("joker", {"colour": _colour(joker)})
    if row.places[CENTRE] and takes_marker(row, CENTRE):
        yield Topic("centre")
    yield Topic("cost")
    if row.marker == seat:
        yield Topic("marker")
    if sum(hand) >= _MANY_TILES:
        yield Topic("many", {"n": sum(hand)})
    most = max(hand)
    if most > 1:
        yield Topic("collected", {"n": most, "colour": _colour(hand.index(most))})
    if position.round < ROUNDS:
        yield Topic("next_joker", {"colour": _colour(joker + 1)})


# ------------------------------------------------------------------------------------------------ Placing


def _placing(position: Position, seat: int) -> Iterator[Topic]:
    row = position.state
    hand = _hand(row, seat)
    if len(position.legal_moves) == 1:
        yield Topic("must_pass", times=2)
    yield Topic("place")
    if hand[int(joker_colour(row))]:
        yield Topic("pay")
    yield from _features_nearly_done(row, seat)
    if row.covered[seat]:
        yield Topic("run")
    yield Topic("features", {name: reward for name, reward, _ in FEATURES})
    if not row.grey and any(n and colours_welcome(row, seat, CENTRE_STAR) >> kind & 1 for kind, n in enumerate(hand)):
        yield Topic("centre_star")
    yield from _stars_nearly_full(position, seat)
    if position.round == ROUNDS:
        yield Topic("last_places")
    elif 0 < sum(hand) <= CORNERS:
        yield Topic("may_keep")
    if position.round > 2:
        _, ones, twos, threes, fours = NUMBER_BONUS.tolist()
        yield Topic("numbers", {"ones": ones, "twos": twos, "threes": threes, "fours": fours})


def _features_nearly_done(row: Row, seat: int) -> Iterator[Topic]:
    """Pillars, statues and windows that one more tile completes."""
    covered = int(row.covered[seat])
    for (name, reward, _), around in zip(FEATURES, FEATURE_BITS.tolist(), strict=True):
        if (around & ~covered).bit_count() == 1:
            yield Topic(name, {"n": reward})


def _stars_nearly_full(position: Position, seat: int) -> Iterator[Topic]:
    if position.game.options["side"] == "grey":
        return
    for star in range(CENTRE_STAR):
        filled = int(star_pattern(position.state, seat, star)).bit_count()
        if _PROMISING <= filled < STAR_SPACES:
            name = TextKey(f"star_{TILES.letters[star]}")
            values = {"star": name, "n": STAR_SPACES - filled, "bonus": int(STAR_BONUS[star])}
            yield Topic("star", values, about=str(star))


def _choosing_bonus(position: Position, seat: int) -> Iterator[Topic]:
    yield Topic("bonus", {"n": int(position.state.owed)}, times=2)


def _keeping(position: Position, seat: int) -> Iterator[Topic]:
    if position.round == ROUNDS:
        yield Topic("keep_last")
    else:
        yield Topic("keep", {"colour": _colour(int(joker_colour(position.state)) + 1)}, times=2)
