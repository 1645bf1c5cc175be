"""A position of Summer Pavilion as one line of text, and the checks that it can occur."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from tilewright.game.errors import BadPosition
from tilewright.game.illegal_reason import TileName
from tilewright.game.position_text import check, heading
from tilewright.game.validation import shorten
from tilewright.games.family.factories import NOBODY
from tilewright.games.family.heap import count_tiles, counts_of
from tilewright.games.family.position_text import (
    HIGHEST_NUMBER,
    POINTS_FOR_STUDY,
    HeapSection,
    Readers,
    check_factories,
    check_filling,
    heap_tiles,
    read_row,
    write_places,
)
from tilewright.games.summer_pavilion import rules
from tilewright.games.summer_pavilion.board import CENTRE_STAR, STAR_SPACES, STARS
from tilewright.games.summer_pavilion.names import star_name
from tilewright.games.summer_pavilion.rules import (
    COLOUR_TILES,
    CORNERS,
    EMPTY,
    FIRST_SCORE,
    LOWEST_SCORE,
    ROUNDS,
    SUPPLY_SPACES,
    everybody_passed,
)
from tilewright.games.summer_pavilion.scoring import sources_of
from tilewright.kernels.chance import count_bits
from tilewright.kernels.compile import Cells, Row

if TYPE_CHECKING:
    from tilewright.game.game import Game
    from tilewright.game.position import Position

STAGES = ("set-up", "draft", "place")


def write(position: Position) -> str:
    """The whole row, but for what follows from the rest."""
    game, row, tiles = position.game, position.state, heap_tiles(position.game)
    marker = "centre" if row.marker == NOBODY else str(row.marker + 1)
    passed = ",".join(str(seat + 1) for seat in range(game.players) if row.passed >> seat & 1) or "-"
    sections = [
        heading(game),
        f"round={row.round_number} stage={STAGES[row.stage]} phase={game.phases[row.phase]} turn={row.turn + 1}"
        f" first={row.starter + 1} marker={marker} passed={passed} owed={row.owed}",
        f"bag={tiles.tally(row.bag)} tower={tiles.tally(row.tower)} supply={tiles.spell(row.supply)}"
        f" {write_places(game, row)}",
    ]
    for seat in range(game.players):
        letters = "".join((tiles.letters + ".")[kind] for kind in row.board[seat])
        board = "/".join(letters[star * STAR_SPACES : (star + 1) * STAR_SPACES] for star in range(STARS))
        sections.append(
            f"player={seat + 1} score={row.score[seat]} placing={row.placing_points[seat]}"
            f" marker-loss={row.marker_loss[seat]} passing-loss={row.passing_loss[seat]}"
            f" hand={tiles.spell(row.hand[seat])} board={board}"
        )
    return "; ".join(sections)


def read(game: Game, text: str) -> Cells:
    """A row from its text; rejects whatever cannot occur."""
    states = read_draft(game, text)
    _check(game, states.view(np.recarray)[0])
    return states


def read_draft(game: Game, text: str) -> Cells:
    """A row from its text, whether or not it can occur."""
    steps = (partial(step, game) for step in (_read_moment, _read_table, _read_player))
    return read_row(game, text, Readers(rules.FACTORIES, *steps))


def _read_moment(game: Game, row: Row, section: HeapSection) -> None:
    seats = [str(seat + 1) for seat in range(game.players)]
    row.round_number = section.number("round", 0, ROUNDS)
    row.stage = section.choice("stage", STAGES)
    row.phase = section.choice("phase", game.phases)
    row.turn = section.choice("turn", seats)
    row.starter = section.choice("first", seats)
    row.marker = section.choice("marker", ["centre", *seats]) - 1
    passed = section.value("passed")
    row.passed = 0
    for seat in passed.split(",") if passed != "-" else []:
        if seat not in seats:
            raise BadPosition(
                f"the moment: passed={shorten(passed)} should be '-' or players separated by commas, as in 1,2"
            )
        row.passed |= 1 << seats.index(seat)
    row.owed = section.number("owed", 0, 3)


def _read_table(game: Game, row: Row, section: HeapSection) -> None:
    row.bag = section.heap("bag", heap_tiles(game))
    row.tower = section.heap("tower", heap_tiles(game))
    row.supply = section.heap("supply", heap_tiles(game))


def _read_player(game: Game, row: Row, seat: int, section: HeapSection) -> None:
    section.choice("player", [str(seat + 1)])
    row.score[seat] = section.number("score", LOWEST_SCORE, HIGHEST_NUMBER)
    row.placing_points[seat] = section.number("placing", 0, HIGHEST_NUMBER)
    row.marker_loss[seat] = section.number("marker-loss", 0, HIGHEST_NUMBER)
    row.passing_loss[seat] = section.number("passing-loss", 0, HIGHEST_NUMBER)
    row.hand[seat] = section.heap("hand", heap_tiles(game))
    cells = section.cells("board", "/", STARS, STAR_SPACES, game.tiles.letters)
    row.board[seat] = [kind for star in cells for kind in star]


def _check(game: Game, row: Row) -> None:
    _check_tiles(game, row)
    for seat in range(game.players):
        _check_board(game, row, seat)
    _check_stage(game, row)
    _check_draws(game, row)
    _check_decision(game, row)
    if row.phase == rules.OVER:
        _check_end(game, row)


def _check_stage(game: Game, row: Row) -> None:
    """What belongs to the set-up, the draft, the placing and the end."""
    phase, offered = game.phases[row.phase], any(row.places)
    setting_up = row.stage == rules.SETTING_UP
    check((row.round_number == 0) == setting_up, "round_0", "round 0 is the set-up, and no other is")
    if setting_up:
        check(phase == "supply" and not offered, "supply_first", "at the set-up the supply is filled first")
        untouched = row.marker == NOBODY and not any(row.hand) and not any(row.covered)
        check(untouched, "untouched", "at the set-up no player has taken anything yet")
    if row.stage == rules.PLACING or phase == "over":
        check(not offered, "still_on_offer", "tiles are still on offer, so the stage is draft")
    else:
        check(row.passed == 0, "passed_early", "nobody passes before the placing")
    over = row.round_number == ROUNDS and everybody_passed(row) and phase != "keep"
    check((phase == "over") == over, "over", "the game is over when all have passed in round 6, and only then")


def _check_draws(game: Game, row: Row) -> None:
    phase = game.phases[row.phase]
    if phase in ("supply", "factories"):
        check(row.bag or row.tower, "nothing_to_draw", "no tile is left to draw")
    if phase == "supply":
        check(count_tiles(int(row.supply)) < SUPPLY_SPACES, "supply_full", "the supply is already full")
    if phase == "factories":
        check_filling(game, row)
        check(row.stage == rules.DRAFTING, "filled_in_draft", "the factories are filled in the stage draft")


def _check_decision(game: Game, row: Row) -> None:
    """Whether the player to move can have this decision to make."""
    phase, seat = game.phases[row.phase], int(row.turn)
    has_passed = bool(row.passed >> seat & 1)
    if phase == "draft":
        taking = any(row.places) and row.stage == rules.DRAFTING
        check(taking, "nothing_to_take", "somebody must take a tile, but there is none")
    if phase in ("place", "bonus", "keep"):
        placing = row.stage == rules.PLACING
        check(placing, "stage_place", "the phase {phase} belongs to the stage place", phase=phase)
    if phase in ("place", "bonus"):
        told = "player {player} has passed and cannot be to move"
        check(not has_passed, "has_passed", told, player=seat + 1)
    if phase == "keep":
        keeping, told = has_passed and row.hand[seat], "only a player who has passed with tiles in hand keeps some"
        check(keeping, "keeps", told)
    in_supply = count_tiles(int(row.supply))
    owed = (row.owed > 0) == (phase == "bonus")
    check(owed, "owed", "bonus tiles are owed in the phase bonus, and only then")
    told = "{owed} bonus tiles are owed, but the supply has {supply}"
    check(row.owed <= in_supply, "owed_too_many", told, owed=int(row.owed), supply=in_supply)


def _check_end(game: Game, row: Row) -> None:
    """A game that is over has a reason to be, and its scores follow from the boards."""
    check(row.stage == rules.PLACING, "over_in_place", "the game is over when all have passed in round 6")
    check(not any(row.hand), "corners_emptied", "the tiles kept in corners are discarded when the game is over")
    for seat in range(game.players):
        left = sources_of(row, seat)["left in corners"]
        check(
            -CORNERS <= left <= 0,
            "final_score",
            "the score of player {player} is {score}, but its parts make {parts}, less up to {most} for tiles left in"
            " corners",
            player=seat + 1,
            score=int(row.score[seat]),
            parts=int(row.score[seat]) - left,
            most=CORNERS,
        )


def _check_tiles(game: Game, row: Row) -> None:
    counts = [0] * len(game.tiles.names)
    for heap in [row.bag, row.tower, row.supply, *row.places, *row.hand]:
        counts = [a + b for a, b in zip(counts, counts_of(heap), strict=True)]
    for kind in row.board[: game.players].flat:
        if kind != EMPTY:
            counts[kind] += 1
    for kind in range(len(game.tiles.names)):
        told, name = "there are {tiles} {tile} tiles, not {wanted}", TileName.of(game.tiles, kind)
        right = counts[kind] == COLOUR_TILES
        check(right, "tile_count", told, tiles=counts[kind], tile=name, wanted=COLOUR_TILES)
    told = "the supply has more than {most} tiles"
    check(count_tiles(int(row.supply)) <= SUPPLY_SPACES, "supply_size", told, most=SUPPLY_SPACES)
    check_factories(row)


def _most_placing_points(row: Row, seat: int) -> int:
    """What the tiles of a board can have scored, each at most as many points as its star had tiles then."""
    stars = (row.board[seat].reshape(STARS, STAR_SPACES) != EMPTY).sum(axis=1).tolist()
    return sum(tiles * (tiles + 1) // 2 for tiles in stars) + POINTS_FOR_STUDY


def _check_board(game: Game, row: Row, seat: int) -> None:
    who = seat + 1
    for star in range(STARS):
        spaces = row.board[seat, star * STAR_SPACES : (star + 1) * STAR_SPACES]
        kinds = [int(kind) for kind in spaces if kind != EMPTY]
        uniform, varied = len(set(kinds)) <= 1, len(set(kinds)) == len(kinds)
        name = star_name(str(game.options["side"]), star)
        if game.options["side"] == "grey":
            told = "star {star} of player {player} is neither of one colour nor of all different ones"
            check(uniform or varied, "star_mixed", told, star=name, player=who)
        elif star == CENTRE_STAR:
            check(varied, "centre_twice", "the centre star of player {player} has a colour twice", player=who)
        else:
            told, fits = "star {star} of player {player} has a tile of another colour", all(k == star for k in kinds)
            check(fits, "star_colour", told, star=name, player=who)
    placed, most = count_bits(int(row.covered[seat])), _most_placing_points(row, seat)
    gained = int(row.placing_points[seat])
    told = "player {player} has {points} points from {tiles} placed tiles, more than {most}"
    check(gained <= most, "placing_points", told, player=who, points=gained, tiles=placed, most=most)
    if row.phase != rules.OVER:
        lost = int(row.marker_loss[seat]) + int(row.passing_loss[seat])
        true_score = FIRST_SCORE + int(row.placing_points[seat]) - lost
        told, score = "the score of player {player} is {score}, but its parts make {parts}", int(row.score[seat])
        check(score == true_score, "score_parts", told, player=who, score=score, parts=true_score)
    if row.passed >> seat & 1 and not (row.phase == rules.KEEP and row.turn == seat):
        told, few = "player {player} has passed and keeps more than {most} tiles", int(row.hand[seat])
        check(count_tiles(few) <= CORNERS, "corner_size", told, player=who, most=CORNERS)
