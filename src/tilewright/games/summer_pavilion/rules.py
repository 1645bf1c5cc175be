"""Azul: Summer Pavilion, coloured and grey side, for 2 to 4 players.

In the order of the rulebook: set-up, phase 1 (taking tiles), phase 2 (placing tiles and scoring, bonus tiles, passing),
phase 3 (preparing the next round), end of the game. The board is in ``board.py``, what its stars accept and score in
``stars.py``, the moves as numbers in ``moves.py``. ``effects.py`` plays a move step by step with these kernels, so each
step that a player sees is a kernel of its own.
"""

from __future__ import annotations

import numpy as np

from tilewright.games.family.factories import (
    CENTRE,
    FACTORY_TILES,
    MOST_PLACES,
    MOST_PLAYERS,
    NOBODY,
    count_factories,
    move_rest_to_centre,
    places_with,
    put_on_factory,
    refresh_offer,
    sort_factories,
    take_from_bag,
    take_from_place,
)
from tilewright.games.family.heap import KINDS, count_tiles, number_of, pick, tiles
from tilewright.games.summer_pavilion.board import NUMBER, NUMBER_BONUS, SPACES, STAR_SPACES, STARS, jokers_to_pay
from tilewright.games.summer_pavilion.stars import bonus_tiles_earned, number_bonus, points_of_tile, star_bonus
from tilewright.kernels.compile import Cells, Row, kernel

# --------------------------------------------------------------------------------------------- Components

TILES, COLOUR_TILES = 132, 22
COLOURS = KINDS
SUPPLY_SPACES = 10
ROUNDS = 6
FIRST_SCORE, LOWEST_SCORE = 5, 1
CORNERS = 4
"""Tiles that a player may keep for the next round."""
EMPTY = -1

SUPPLY, FACTORIES, DRAFT, PLACE, BONUS, KEEP, OVER = range(7)
"""Phases: tiles are drawn for the supply, or for the factories; a player takes tiles, places one or passes,
chooses bonus tiles, chooses tiles to keep; the end."""

SETTING_UP, DRAFTING, PLACING = range(3)
"""Stages of a round, to go on with after the supply was refilled."""

POSITION = np.dtype(
    [
        ("bag", np.int64),  # heaps: see heap.py
        ("tower", np.int64),
        ("supply", np.int64),
        ("places", np.int64, MOST_PLACES),
        ("offered", np.int64),  # which kinds lie where: see factories.py
        ("hand", np.int64, MOST_PLAYERS),  # beside the board; of a player who has passed: in its corners
        ("covered", np.int64, MOST_PLAYERS),  # a bit for each covered space of the board
        ("score", np.int16, MOST_PLAYERS),
        ("placing_points", np.int16, MOST_PLAYERS),  # where the score came from
        ("marker_loss", np.int16, MOST_PLAYERS),
        ("passing_loss", np.int16, MOST_PLAYERS),
        ("players", np.int8),
        ("grey", np.int8),  # 1: the board's grey side
        ("phase", np.int8),
        ("stage", np.int8),
        ("round_number", np.int8),
        ("turn", np.int8),  # the seat to move
        ("starter", np.int8),  # the seat that begins the round, and the placing
        ("marker", np.int8),  # the seat that took the starting player marker; NOBODY: it lies in the centre
        ("passed", np.int8),  # a bit for each seat that has passed
        ("filled", np.int8),  # tiles put on the factories in this filling
        ("owed", np.int8),  # bonus tiles that the player must take now
        ("board", np.int8, (MOST_PLAYERS, SPACES)),  # the kind on each space, or EMPTY
        ("star_colours", np.int8, (MOST_PLAYERS, STARS)),  # a bit for each kind that the star has
        ("unused", np.int8, 1),  # pads the row to a multiple of 8 bytes
    ]
)

# ------------------------------------------------------------------------------------------------- Set-up


@kernel
def set_up(position: Row, players: int, grey: int) -> None:
    """Empty boards, all scores at 5, a full bag; the supply is filled first, then the factories."""
    for seat in range(MOST_PLAYERS):
        position.score[seat] = FIRST_SCORE
        position.placing_points[seat] = 0
        position.marker_loss[seat] = 0
        position.passing_loss[seat] = 0
        position.hand[seat] = 0
        position.covered[seat] = 0
        for space in range(SPACES):
            position.board[seat, space] = EMPTY
        for star in range(STARS):
            position.star_colours[seat, star] = 0
    for place in range(MOST_PLACES):
        position.places[place] = 0
    position.offered = 0
    position.tower = 0
    position.supply = 0
    position.bag = 0
    for colour in range(COLOURS):
        position.bag += tiles(colour, COLOUR_TILES)
    position.players = players
    position.grey = grey
    position.round_number = 0
    position.turn = position.starter = 0
    position.marker = NOBODY
    position.passed = position.filled = position.owed = 0
    position.stage = SETTING_UP
    position.phase = SUPPLY


@kernel
def joker_colour(position: Row) -> int:
    """The joker colour of the round: purple, green, orange, yellow, blue, red."""
    return max(int(position.round_number) - 1, 0)


@kernel
def points_lost(position: Row, seat: int, points: int) -> int:
    """What a loss really takes: no score falls below 1."""
    return min(points, int(position.score[seat]) - LOWEST_SCORE)


# ------------------------------------------------------------------------------------ Phase 1: taking tiles


@kernel
def places_to_take_from(position: Row, colour: int) -> int:
    """Places from which a colour can be taken, as bits: the joker colour only where nothing else lies."""
    places = places_with(position, colour)
    if colour == joker_colour(position):
        for other in range(COLOURS):
            if other != colour:
                places &= ~places_with(position, other)
    return places


@kernel
def tiles_taken(position: Row, place: int, colour: int) -> int:
    """All tiles of a colour and one joker with them; a place of jokers alone gives just one."""
    joker = joker_colour(position)
    taken = tiles(joker, min(1, number_of(position.places[place], joker)))
    if colour != joker:
        taken += tiles(colour, number_of(position.places[place], colour))
    return taken


@kernel
def takes_marker(position: Row, place: int) -> bool:
    """Whether the marker comes with the tiles: to the first player who takes from the centre."""
    return place == CENTRE and position.marker == NOBODY


@kernel
def marker_cost(position: Row, seat: int, taken: int) -> int:
    """A point lost for each tile taken with the marker."""
    return points_lost(position, seat, count_tiles(taken))


@kernel
def draft(position: Row, place: int, colour: int) -> None:
    """Take tiles, and the marker where it comes with them."""
    taken = take_tiles(position, place, colour)
    if takes_marker(position, place):
        take_marker(position, taken)


@kernel
def take_tiles(position: Row, place: int, colour: int) -> int:
    """The tiles go beside the board, the rest of a factory to the centre; returns what was taken."""
    joker = joker_colour(position)
    taken = tiles_taken(position, place, colour)
    take_from_place(position, place, joker, number_of(taken, joker))
    if colour != joker:
        take_from_place(position, place, colour, number_of(taken, colour))
    position.hand[position.turn] += taken
    if place != CENTRE:
        move_rest_to_centre(position, place)
    return taken


@kernel
def take_marker(position: Row, taken: int) -> None:
    """The mover has the marker, and pays for it."""
    seat = position.turn
    lost = marker_cost(position, seat, taken)
    position.marker = seat
    position.score[seat] -= lost
    position.marker_loss[seat] += lost


# ---------------------------------------------------------------------------------- Phase 2: placing tiles


@kernel
def tiles_to_pay_with(position: Row, colour: int) -> tuple[int, int]:
    """The mover's tiles of a colour, and the jokers that can stand in for it."""
    hand = position.hand[position.turn]
    joker = joker_colour(position)
    if colour == joker:
        return number_of(hand, colour), 0  # placed as itself: then every tile paid is of it
    return number_of(hand, colour), number_of(hand, joker)


jokers_paid = kernel(jokers_to_pay)


@kernel
def tiles_paid(position: Row, space: int, colour: int, jokers: int) -> int:
    """The price of a space: as many tiles as its number says, of the colour and jokers."""
    return tiles(colour, NUMBER[position.grey, space] - jokers) + tiles(joker_colour(position), jokers)


@kernel
def place_tile(position: Row, space: int, colour: int, jokers: int) -> None:
    """Pay for a space and cover it, which may earn bonus tiles."""
    cover_space(position, space, colour, jokers)
    earn_bonus_tiles(position, space)


@kernel
def cover_space(position: Row, space: int, colour: int, jokers: int) -> None:
    """One of the tiles paid goes on the board and scores, the others go to the tower."""
    seat = position.turn
    paid = tiles_paid(position, space, colour, jokers)
    position.hand[seat] -= paid
    position.tower += paid - tiles(colour, 1)
    position.board[seat, space] = colour
    position.star_colours[seat, space // STAR_SPACES] |= 1 << colour
    position.covered[seat] |= 1 << space
    points = points_of_tile(position, seat, space)
    position.score[seat] += points
    position.placing_points[seat] += points


@kernel
def earn_bonus_tiles(position: Row, space: int) -> None:
    """Bonus tiles are chosen in the same turn."""
    position.owed = bonus_tiles_earned(position, position.turn, space)
    if position.owed:
        position.phase = BONUS


@kernel
def take_bonus_tiles(position: Row, chosen: int) -> None:
    """Tiles of the player's choice from the supply, any colours, usable from the next turn."""
    position.supply -= chosen
    position.hand[position.turn] += chosen
    position.owed = 0
    position.phase = PLACE


@kernel
def pass_turn(position: Row) -> None:
    """Pass for the rest of the round; a player with tiles then chooses which to keep."""
    position.passed |= 1 << int(position.turn)
    if position.hand[position.turn]:
        position.phase = KEEP


@kernel
def keep_tiles(position: Row, kept: int) -> None:
    """Up to four tiles stay in the corners; the others go to the tower at a point each."""
    seat = position.turn
    discarded = position.hand[seat] - kept
    lost = points_lost(position, seat, count_tiles(discarded))
    position.score[seat] -= lost
    position.passing_loss[seat] += lost
    position.tower += discarded
    position.hand[seat] = kept
    position.phase = PLACE


# ------------------------------------------------------------------------------------------- Turn by turn


@kernel
def everybody_passed(position: Row) -> bool:
    """Whether the placing is over."""
    return position.passed == (1 << int(position.players)) - 1


@kernel
def is_last_turn(position: Row) -> bool:
    """Whether the game ends with this turn."""
    return position.round_number == ROUNDS and everybody_passed(position)


@kernel
def end_turn(position: Row) -> None:
    """The supply is refilled at the end of a turn; spaces that cannot be filled wait for a later turn."""
    if position.phase == BONUS or position.phase == KEEP:
        return  # the player still has to choose
    if is_last_turn(position):
        end_game(position)
    elif count_tiles(position.supply) < SUPPLY_SPACES and (position.bag or position.tower):
        position.phase = SUPPLY
    else:
        next_turn(position)


@kernel
def next_turn(position: Row) -> None:
    """Whose turn it is: clockwise, in the placing without those who have passed."""
    if position.stage == SETTING_UP or everybody_passed(position):
        prepare_round(position)
    elif position.stage == DRAFTING:
        if position.offered:
            position.turn = (position.turn + 1) % position.players
            position.phase = DRAFT
        else:
            start_placing(position)
    else:
        position.turn = (position.turn + 1) % position.players
        while position.passed >> int(position.turn) & 1:
            position.turn = (position.turn + 1) % position.players
        position.phase = PLACE


@kernel
def start_placing(position: Row) -> None:
    """The marker's holder begins; if nobody took it, the player who began the round."""
    if position.marker != NOBODY:
        position.starter = position.marker
    position.turn = position.starter
    position.stage = PLACING
    position.phase = PLACE


# ------------------------------------------------------------------------ Phase 3: preparing the next round


@kernel
def prepare_round(position: Row) -> None:
    """Next joker colour, the marker back to the centre, corner tiles back to their owners, empty factories."""
    position.round_number += 1
    position.marker = NOBODY
    position.turn = position.starter
    position.passed = 0
    position.filled = 0
    position.stage = DRAFTING
    if position.bag or position.tower:
        position.phase = FACTORIES
    else:
        start_placing(position)


@kernel
def draw(position: Row, kind: int) -> None:
    """The draw of one tile of a known kind, for the supply or for the next factory."""
    position.bag, position.tower = take_from_bag(position.bag, position.tower, kind)
    exhausted = position.bag == 0 and position.tower == 0
    if position.phase == SUPPLY:
        position.supply += tiles(kind, 1)
        if exhausted or count_tiles(position.supply) == SUPPLY_SPACES:
            next_turn(position)
    else:
        put_on_factory(position, kind)
        if exhausted or position.filled == FACTORY_TILES * count_factories(position.players):
            position.filled = 0
            position.phase = DRAFT


@kernel
def awaits_draw(position: Row) -> bool:
    """Whether the next event is a draw."""
    return position.phase == SUPPLY or position.phase == FACTORIES


@kernel
def drawn_from(position: Row) -> int:
    """The heap that the next tile is drawn from: the bag, or what will be poured into it."""
    return position.bag if position.bag else position.tower


@kernel
def draw_weight(position: Row, kind: int) -> int:
    """How many tiles of a kind the next draw is made from."""
    return number_of(drawn_from(position), kind)


@kernel
def pick_kind(position: Row, generator: Cells) -> int:
    """The kind of one tile drawn blindly."""
    return pick(drawn_from(position), generator)


# ------------------------------------------------------------------------------------------ End of the game


@kernel
def end_game(position: Row) -> None:
    """Bonuses for full stars and covered numbers, then a point lost for each tile still in a corner."""
    for seat in range(position.players):
        for star in range(STARS):
            score_star(position, seat, star)
        for number in range(1, len(NUMBER_BONUS)):
            score_number(position, seat, number)
        empty_corners(position, seat)
    finish(position)


@kernel
def score_star(position: Row, seat: int, star: int) -> None:
    """The bonus of one star."""
    position.score[seat] += star_bonus(position, seat, star)


@kernel
def score_number(position: Row, seat: int, number: int) -> None:
    """The bonus of one number."""
    position.score[seat] += number_bonus(position, seat, number)


@kernel
def empty_corners(position: Row, seat: int) -> None:
    """Tiles that are left go to the tower, at a point each."""
    position.score[seat] -= points_lost(position, seat, count_tiles(position.hand[seat]))
    position.tower += position.hand[seat]
    position.hand[seat] = 0


@kernel
def finish(position: Row) -> None:
    """Nothing is left to be played."""
    position.phase = OVER


@kernel
def is_over(position: Row) -> bool:
    """Whether the game has ended."""
    return position.phase == OVER


@kernel
def beats(position: Row, seat: int, other: int) -> bool:
    """Most points win; players who are tied share the win."""
    return position.score[seat] > position.score[other]


@kernel
def refresh(position: Row) -> None:
    """Compute what the rest of the row implies: what is offered, covered spaces, colours of stars."""
    refresh_offer(position)
    for seat in range(position.players):
        position.covered[seat] = 0
        for star in range(STARS):
            position.star_colours[seat, star] = 0
        for space in range(SPACES):
            colour = int(position.board[seat, space])
            if colour != EMPTY:
                position.covered[seat] |= 1 << space
                position.star_colours[seat, space // STAR_SPACES] |= 1 << colour


@kernel
def canonicalise(position: Row) -> None:
    """Factories are interchangeable: their canonical order is the sorted one."""
    sort_factories(position)
